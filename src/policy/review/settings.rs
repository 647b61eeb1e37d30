//! Changes of the text that nothing else tells: settings with their values before and after.
//! Must not live here: access, logins, powers, postures and tests, which are reported of people.

use super::markdown::code;
use super::meaning;
use crate::hujson::pointer::tokens;
use crate::policy::diff::Change;
use crate::policy::findings::words::joined;
use crate::policy::language::json::PlainJson;

/// The line of each change of a setting.
pub fn lines(changes: &[Change]) -> Vec<String> {
    let settings = changes
        .iter()
        .filter(|change| !meaning::is_compared(change));
    settings.map(line).collect()
}

fn line(change: &Change) -> String {
    let [before, after] = [&change.before, &change.after].map(|value| match value {
        Some(value) => code(PlainJson::as_str(value)),
        None => "nothing".to_owned(),
    });
    joined(&[&code(&place(&change.pointer)), ": ", &before, " → ", &after])
}

/// A pointer as people write it: `nodeAttrs[0].ipPool`.
fn place(pointer: &str) -> String {
    let mut text = String::new();
    for token in tokens(pointer).unwrap_or_default() {
        let is_name = token.chars().all(|c| c.is_ascii_alphanumeric());
        let is_index = token.chars().all(|c| c.is_ascii_digit());
        text.push_str(&match (is_index, is_name, text.is_empty()) {
            (true, ..) => joined(&["[", &token, "]"]),
            (_, true, false) => joined(&[".", &token]),
            (_, _, true) => token,
            _ => joined(&["[\"", &token, "\"]"]),
        });
    }
    text
}
