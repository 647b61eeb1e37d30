//! Values of the document whose shape is nobody's affair, as plain JSON: comments gone, order of names gone.
//! Must not live here: the parsed form of a whole policy.

use serde_json::Value as Json;

use crate::hujson::{Kind, Value};

/// A value of the document as plain JSON.
pub(crate) fn plain(value: Value<'_>) -> Json {
    match value.kind() {
        Kind::Null | Kind::Bool => serde_json::from_str(value.raw()).unwrap_or_default(),
        Kind::Number => number(value.raw()),
        Kind::String => value.as_str().unwrap_or_default().into(),
        Kind::Array => {
            let mut elements = Vec::new();
            for element in value.elements() {
                elements.push(plain(element));
            }
            Json::Array(elements)
        }
        Kind::Object => {
            let mut members = serde_json::Map::new();
            for member in value.members() {
                let name = member.name.as_str().unwrap_or_default();
                members.insert(name.to_owned(), plain(member.value));
            }
            Json::Object(members)
        }
    }
}

/// A number as `JSON.parse` reads it: `1.0` and `1` are one. What a double cannot hold is `null`.
fn number(raw: &str) -> Json {
    let double = raw.parse::<f64>().unwrap_or(f64::INFINITY);
    let whole = double as i64;
    match whole as f64 == double && whole != i64::MAX {
        true => whole.into(),
        false => double.into(),
    }
}
