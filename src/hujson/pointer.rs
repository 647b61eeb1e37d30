//! JSON Pointer (RFC 6901): reading, writing and following one, and the pointer to a position.
//!
//! ```
//! use tailnet_kit::hujson::{parse, pointer};
//!
//! let document = parse(r#"{"a/b": [1, 2]}"#)?;
//! let found = pointer::find(&document, "/a~1b/1");
//! assert_eq!(found.map(|value| value.raw()), Some("2"));
//! # Ok::<(), tailnet_kit::hujson::Error>(())
//! ```
// Must not live here: changes to a document (`patch`).

use super::{Document, Kind, Value};

/// The unescaped reference tokens of a pointer; none if it is malformed: it is not empty and does not
/// start with a slash, or has a tilde without `0` or `1` after it
/// (RFC 6901, section 3).
pub fn tokens(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    pointer
        .strip_prefix('/')?
        .split('/')
        .map(unescape)
        .collect()
}

/// Writes one reference token as in a pointer: `~` as `~0`, `/` as `~1`.
pub fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

fn unescape(token: &str) -> Option<String> {
    let mut parts = token.split('~');
    let mut out = parts.next()?.to_owned();
    for part in parts {
        let (character, rest) = match part.as_bytes().first()? {
            b'0' => ('~', part.get(1..)?),
            b'1' => ('/', part.get(1..)?),
            _ => return None,
        };
        out.push(character);
        out.push_str(rest);
    }
    Some(out)
}

/// The index that a token names in an array: digits without a leading zero (RFC 6901, section 4).
pub fn index(token: &str) -> Option<usize> {
    let canonical = token == "0" || !token.starts_with('0');
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    (canonical && digits).then(|| token.parse().ok()).flatten()
}

/// The value that a pointer names; none if it does not exist or the pointer is malformed.
/// Of repeated names the last counts.
pub fn find<'d>(document: &'d Document<'_>, pointer: &str) -> Option<Value<'d>> {
    tokens(pointer)?
        .iter()
        .try_fold(document.root(), |value, token| child(value, token))
}

/// The member with that name or the element at that index.
pub fn child<'d>(value: Value<'d>, token: &str) -> Option<Value<'d>> {
    match value.kind() {
        Kind::Object => value.get(token),
        Kind::Array => value.elements().nth(index(token)?),
        Kind::Null | Kind::Bool | Kind::Number | Kind::String => None,
    }
}

/// The pointer to the value that the byte at `at` belongs to. A name belongs to its member; white space,
/// comments, colons and commas belong to the composite around them; anything outside the top value
/// has the empty pointer.
pub fn pointer_at(document: &Document<'_>, at: usize) -> String {
    let mut pointer = String::new();
    let mut value = document.root();
    while let Some((token, inner)) = step(value, at) {
        pointer.push('/');
        pointer.push_str(&escape(&token));
        value = inner;
    }
    pointer
}

/// The child that contains `at`, with its token.
fn step<'d>(value: Value<'d>, at: usize) -> Option<(String, Value<'d>)> {
    let holds = |part: Value<'_>| part.span().start <= at && at < part.span().end;
    if value.kind() == Kind::Array {
        return (value.elements().enumerate())
            .find(|(_, element)| holds(*element))
            .map(|(index, element)| (index.to_string(), element));
    }
    let member = value
        .members()
        .find(|member| holds(member.name) || holds(member.value))?;
    Some((member.name.unescape().into_owned(), member.value))
}
