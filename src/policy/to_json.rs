//! The parsed form of a document: what the service answers to readers of plain JSON.
//! Must not live here: meaning; values are passed through.

use crate::hujson::{self, Document, Kind, Member, Value, quote};

use super::language::keys::Shape;

/// The document as JSON text without white space: keys in today's spelling, acl rules with `users` and `ports`
/// (docs/policy-language.md#keys); unknown keys and all values unchanged, except a `null` beside the same key's other spelling.
///
/// # Errors
/// The syntax error of the text.
///
/// ```
/// let json = tailnet_kit::policy::to_json(r#"{"ACLs": [{"Action": "accept", "src": ["*"], "dst": ["*:*"]}]}"#);
/// assert_eq!(json.as_deref(), Ok(r#"{"acls":[{"action":"accept","users":["*"],"ports":["*:*"]}]}"#));
/// ```
pub fn to_json(text: &str) -> Result<String, hujson::Error> {
    let document = hujson::parse(text)?;
    Ok(render(&document))
}

fn render(document: &Document<'_>) -> String {
    let mut out = String::with_capacity(document.text().len());
    write(document.root(), Shape::Document, &mut out);
    out
}

fn write(value: Value<'_>, shape: Shape, out: &mut String) {
    match value.kind() {
        Kind::Object => {
            out.push('{');
            let mut first = true;
            for member in value.members() {
                let key = key_of(shape, member);
                if key.is_some() && is_spare(value, shape, member) {
                    continue;
                }
                if !first {
                    out.push(',');
                }
                first = false;
                match key {
                    Some(key) => quote(wire_name(shape, key), out),
                    None => out.push_str(member.name.raw()),
                }
                out.push(':');
                write(member.value, shape.member(key.unwrap_or_default()), out);
            }
            out.push('}');
        }
        Kind::Array => {
            out.push('[');
            for (index, element) in value.elements().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(element, shape.element(), out);
            }
            out.push(']');
        }
        _ => out.push_str(value.raw()),
    }
}

fn key_of(shape: Shape, member: Member<'_>) -> Option<&'static str> {
    shape.key(member.name.as_str().unwrap_or_default())
}

/// Whether this is a `null`, which means nothing, beside the same key in another spelling: under one name the later of both
/// would count.
fn is_spare(object: Value<'_>, shape: Shape, member: Member<'_>) -> bool {
    if member.value.kind() != Kind::Null {
        return false;
    }
    let (key, place) = (key_of(shape, member), member.name.span().start);
    for twin in object.members() {
        let at = twin.name.span().start;
        let counts = twin.value.kind() != Kind::Null || at < place;
        if at != place && counts && key_of(shape, twin) == key {
            return true;
        }
    }
    false
}

/// The service answers acl rules in the old grammar.
fn wire_name(shape: Shape, key: &'static str) -> &'static str {
    match (shape, key) {
        (Shape::Rule("acls", _), "src") => "users",
        (Shape::Rule("acls", _), "dst") => "ports",
        _ => key,
    }
}
