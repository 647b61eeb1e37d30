//! Text as Markdown: code spans, and lists of which only the first are named.
//! Must not live here: what is said (summary.rs, words.rs).
//!
//! Names come from whoever proposes the change. They are put in code spans, where Markdown, HTML and mentions have no
//! effect, without characters that could end the span or reverse the text around it.

use crate::policy::findings::words::joined;

/// How many things are named in one line.
pub const NAMED: usize = 6;
/// The longest code span in letters.
pub const LETTERS: usize = 120;

/// The first of some things, of which there are `count`, and how many more there are.
pub fn few(things: Vec<String>, count: usize, between: &str) -> String {
    let left = count.saturating_sub(things.len());
    let more = joined(&[" and ", &left.to_string(), " more"]);
    joined(&[&things.join(between), if left > 0 { &more } else { "" }])
}

/// A code span of any text (CommonMark 6.1): its fence is longer than any run of backticks in it.
pub fn code(text: &str) -> String {
    let (mut clean, mut letters) = (String::new(), 0);
    for letter in text.chars() {
        letters += 1;
        if letters > LETTERS {
            clean.push('…');
            break;
        }
        clean.push(match letter {
            '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' => '\u{fffd}',
            letter if u32::from(letter) < 0x20 || ('\u{7f}'..='\u{9f}').contains(&letter) => ' ',
            // In a table a bar ends a cell even there.
            '|' => '¦',
            letter => letter,
        });
    }
    let (mut longest, mut run) = (0, 0);
    for byte in clean.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = run.max(longest);
    }
    let fence = "`".repeat(longest + 1);
    let edge = clean.is_empty() || clean.starts_with(['`', ' ']) || clean.ends_with(['`', ' ']);
    let space = if edge { " " } else { "" };
    joined(&[&fence, space, &clean, space, &fence])
}
