//! The parsed form of a document: what the service answers to readers of plain JSON.
//! Must not live here: meaning; values are passed through.

use crate::hujson::{self, Document, Kind, Member, Value, quote};

use super::language::dialect::Dialect;
use super::language::grammar::{Content, KeySpec};
use super::language::text::PolicyText;

/// The document as JSON text without white space: keys in today's spelling, acl rules of the service with `users` and `ports`
/// (docs/policy-language.md#keys); unknown keys and all values unchanged, except a `null` beside the same key's other spelling.
///
/// # Errors
/// The syntax error of the text.
///
/// ```
/// let json = tailnet_kit::policy::to_json(r#"{"ACLs": [{"Action": "accept", "src": ["*"], "dst": ["*:*"]}]}"#);
/// assert_eq!(json.as_deref(), Ok(r#"{"acls":[{"action":"accept","users":["*"],"ports":["*:*"]}]}"#));
/// ```
pub fn to_json<'t>(text: impl Into<PolicyText<'t>>) -> Result<String, hujson::Error> {
    let PolicyText { text, dialect } = text.into();
    let document = hujson::parse(dialect.document(text))?;
    Ok(render(&document, dialect))
}

fn render(document: &Document<'_>, dialect: Dialect) -> String {
    let mut out = String::with_capacity(document.text().len());
    write(document.root(), Content::document(dialect), &mut out);
    out
}

fn write(value: Value<'_>, content: Content, out: &mut String) {
    match value.kind() {
        Kind::Object => {
            out.push('{');
            let mut first = true;
            for member in value.members() {
                let key = key_of(content, member);
                if key.is_some() && is_spare(value, content, member) {
                    continue;
                }
                if !first {
                    out.push(',');
                }
                first = false;
                match key {
                    Some(key) => quote(wire_name(content, key), out),
                    None => out.push_str(member.name.raw()),
                }
                out.push(':');
                let inner = key.map_or(Content::Parameters, |key| key.content);
                write(member.value, inner, out);
            }
            out.push('}');
        }
        Kind::Array => {
            out.push('[');
            for (index, element) in value.elements().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(element, content.element(), out);
            }
            out.push(']');
        }
        _ => out.push_str(value.raw()),
    }
}

fn key_of(content: Content, member: Member<'_>) -> Option<&'static KeySpec> {
    content.key(member.name.as_str().unwrap_or_default())
}

/// Whether this is a `null`, which means nothing, beside the same key in another spelling: under one name the later of both
/// would count.
fn is_spare(object: Value<'_>, content: Content, member: Member<'_>) -> bool {
    if member.value.kind() != Kind::Null {
        return false;
    }
    let key_of = |member| key_of(content, member).map(|key| key.name);
    let (key, place) = (key_of(member), member.name.span().start);
    for twin in object.members() {
        let at = twin.name.span().start;
        let counts = twin.value.kind() != Kind::Null || at < place;
        if at != place && counts && key_of(twin) == key {
            return true;
        }
    }
    false
}

/// The service answers acl rules in the old grammar.
fn wire_name(content: Content, key: &'static KeySpec) -> &'static str {
    match content {
        Content::Object(object) if object.section == "acls" => key.old.unwrap_or(key.name),
        _ => key.name,
    }
}
