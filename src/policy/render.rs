//! The parsed form of a document: what the service answers to readers of plain JSON.
//! Must not live here: meaning; values go through as they are.

use crate::hujson::{self, Document, Kind, Value, quote};

use super::keys::Shape;

/// The document as JSON text without space: keys in today's spelling, acl rules with `users` and `ports`
/// (policy-language.md 1); unknown keys and all values as they stand.
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
            for (index, member) in value.members().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                let name = member.name.as_str().unwrap_or_default();
                let key = shape.key(&name);
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

/// The service answers acl rules in the old grammar.
fn wire_name(shape: Shape, key: &'static str) -> &'static str {
    match (shape, key) {
        (Shape::Rule("acls", _), "src") => "users",
        (Shape::Rule("acls", _), "dst") => "ports",
        _ => key,
    }
}
