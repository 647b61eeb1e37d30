//! Help for messages: quoting as the service quotes, and the nearest known name.
//! Must not live here: what is checked.

use std::fmt::Write;

/// The text in double quotes, quotes and backslashes and controls in it escaped, as Go's `%q` has it.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            c if c.is_control() && u32::from(c) < 0x80 => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// `did you mean X?` for the nearest of the known names, if one is near.
pub(super) fn did_you_mean<'n>(
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Option<String> {
    let limit = 1 + name.chars().count() / 5;
    let near = |candidate: &'n str| {
        let distance = distance(name, candidate);
        (distance <= limit).then_some((distance, candidate))
    };
    let nearest = known.into_iter().filter_map(near).min();
    nearest.map(|(_, candidate)| format!("did you mean `{candidate}`?"))
}

/// How many letters must be added, removed, changed or swapped with their neighbour, case aside
/// (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let letters = |text: &str| -> Vec<char> { text.to_lowercase().chars().collect() };
    let (a, b) = (letters(a), letters(b));
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, &y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let change = at(&last, j) + usize::from(x != y);
            let mut best = change.min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(&y) && b.get(j - 1) == Some(&x);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}
