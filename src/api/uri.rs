//! Percent-encoding, path segments and queries: writing and reading side by side (RFC 3986).
//!
//! ```
//! use tailnet_kit::api::uri;
//!
//! assert_eq!(uri::encode("alice@gmail.com"), "alice%40gmail.com");
//! assert_eq!(uri::decode("alice%40gmail.com").as_deref(), Some("alice@gmail.com"));
//! ```
// Must not live here: which paths and parameters the service has.

use crate::tables::find;

/// Appends `text` with every byte outside RFC 3986's unreserved set as `%XX`.
pub fn encode_into(out: &mut String, text: &str) {
    const HEX: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F',
    ];
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            let digit = |nibble: u8| HEX.get(usize::from(nibble)).copied().unwrap_or('0');
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
}

/// `text` as one path segment or one query word.
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    encode_into(&mut out, text);
    out
}

/// The text of a percent-encoded segment; `None` where a `%` is not followed by two hexadecimal digits or the
/// bytes are not UTF-8. Characters that need no encoding, such as `@`, may be raw.
pub fn decode(segment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => hex(rest.next()?)? << 4 | hex(rest.next()?)?,
            plain => plain,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The value of a hexadecimal digit.
pub(super) fn hex(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

/// Appends `?name=value` or `&name=value` to a target. The comma of lists stays raw, as the service documents it.
pub fn push_query(target: &mut String, name: &str, value: &str) {
    target.push(if find::has(target, b'?') { '&' } else { '?' });
    encode_into(target, name);
    target.push('=');
    let mut words = find::split(value, b',');
    encode_into(target, words.next().unwrap_or_default());
    for word in words {
        target.push(',');
        encode_into(target, word);
    }
}

/// The parameters of a query as (name, value), decoded; `+` is a space, as in HTML forms.
/// A parameter that cannot be decoded is left out: broken parameters are ignored, as unknown ones are.
pub fn query_pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .filter_map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let decode = |text: &str| decode(&text.replace('+', " "));
            Some((decode(name)?, decode(value)?))
        })
}

/// The first value of a query parameter.
pub fn query_value(query: &str, name: &str) -> Option<String> {
    query_pairs(query)
        .find(|(known, _)| known == name)
        .map(|(_, value)| value)
}

/// Path and query of a target in origin form or absolute form; a fragment is dropped.
pub fn split_target(target: &str) -> (&str, &str) {
    let target = find::split_once(target, "#").map_or(target, |(head, _)| head);
    let (head, query) = find::split_once(target, "?").unwrap_or((target, ""));
    let path = match find::split_once(head, "://") {
        Some((_, rest)) => rest
            .bytes()
            .position(|byte| byte == b'/')
            .and_then(|start| rest.get(start..))
            .unwrap_or("/"),
        None => head,
    };
    (path, query)
}

/// Whether a URL parser would remove the segment, and perhaps the one before it (RFC 3986, section 5.2.4).
pub fn is_dot_segment(segment: &str) -> bool {
    segment == "." || segment == ".."
}
