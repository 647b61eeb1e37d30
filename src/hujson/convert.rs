//! HuJSON to plain JSON: in place (`standardize`) or as short as possible (`minimize`).
//!
//! Must not live here: layout (`format`), other dialects (`json5`).

use simdutf8::basic::from_utf8;

use super::parse::beyond_json;
use super::scan::blank_ranges;
use super::{Error, Kind, Value, parse};

/// Plain JSON of the same length in bytes: every byte of a comment and every trailing comma becomes
/// a blank, except CR, LF and tab, so that everything else keeps its line and column.
///
/// # Errors
/// Those of [`parse`].
pub fn standardize(text: &str) -> Result<String, Error> {
    let beyond = beyond_json(text)?;
    let mut bytes = text.as_bytes().to_vec();
    blank_ranges(&mut bytes, &beyond);
    // INVARIANT: whole comments and single commas became blanks, so no character was cut.
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

/// The same in place, for bytes in UTF-8; returns whether there was anything to blank.
///
/// # Errors
/// Those of [`parse`]; bytes that are not UTF-8 are judged as an empty text.
pub fn standardize_bytes(bytes: &mut [u8]) -> Result<bool, Error> {
    let beyond = beyond_json(from_utf8(bytes).unwrap_or_default())?;
    blank_ranges(bytes, &beyond);
    Ok(!beyond.is_empty())
}

/// Whether the text is JSON as it is; false for text that is not HuJSON at all.
pub fn is_standard(text: &str) -> bool {
    beyond_json(text).is_ok_and(|beyond| beyond.is_empty())
}

/// Plain JSON without white space; literals stay as written.
///
/// # Errors
/// Those of [`parse`].
pub fn minimize(text: &str) -> Result<String, Error> {
    Ok(minimal(parse(text)?.root()))
}

/// One value as plain JSON without white space.
pub fn minimal(value: Value<'_>) -> String {
    let mut out = String::with_capacity(value.raw().len());
    write(value, &mut out);
    out
}

/// Recursive: the parser has limited the depth.
fn write(value: Value<'_>, out: &mut String) {
    match value.kind() {
        Kind::Object => {
            let mut before = '{';
            for member in value.members() {
                out.push(before);
                out.push_str(member.name.raw());
                out.push(':');
                write(member.value, out);
                before = ',';
            }
            close(before, "{}", out);
        }
        Kind::Array => {
            let mut before = '[';
            for element in value.elements() {
                out.push(before);
                write(element, out);
                before = ',';
            }
            close(before, "[]", out);
        }
        Kind::Null | Kind::Bool | Kind::Number | Kind::String => out.push_str(value.raw()),
    }
}

/// The closing bracket; both when nothing was written inside.
fn close(before: char, brackets: &str, out: &mut String) {
    let written = usize::from(before == ',');
    out.push_str(brackets.get(written..).unwrap_or_default());
}
