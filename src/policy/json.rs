//! Values of the document whose shape is nobody's affair, as plain JSON: comments gone, order of names gone.
//! Must not live here: the parsed form of a whole policy.

use serde_json::Value as Json;

use crate::hujson::{Kind, Member, Value};

/// A value of the document as plain JSON.
pub(super) fn plain(value: Value<'_>) -> Json {
    match value.kind() {
        Kind::Null | Kind::Bool | Kind::Number => {
            serde_json::from_str(value.raw()).unwrap_or_default()
        }
        Kind::String => value.as_str().unwrap_or_default().into(),
        Kind::Array => value.elements().map(plain).collect(),
        Kind::Object => {
            let name = |member: Member<'_>| member.name.as_str().unwrap_or_default().into_owned();
            let members = value.members().map(|m| (name(m), plain(m.value)));
            Json::Object(members.collect())
        }
    }
}
