//! What precedes a fault: where the last token ends, and which brackets are open. Read only when there is a fault,
//! so that its hint can name the line where the mistake was made.
//! Must not live here: the grammar, which has already found the fault.

use crate::tables::find::find;

/// The tokens before a position, as far as hints need them.
#[derive(Debug, Default)]
pub(super) struct Trail {
    /// Where the last token before the position ends; 0 if there is none.
    pub last: usize,
    /// The open brackets, outermost first, with the indent of the line of each.
    open: Vec<(usize, usize)>,
    /// A bracket whose apparent end is indented less than the line it opens in: the real one is missing.
    outdented: Option<usize>,
    /// How many blanks the current line begins with, and whether nothing else has come yet.
    indent: usize,
    is_indent: bool,
}

impl Trail {
    /// Reads a text up to a position. Strings and comments that are cut off there end there.
    pub fn before(text: &str, end: usize) -> Trail {
        let bytes = text.as_bytes().get(..end).unwrap_or_default();
        let mut trail = Trail {
            is_indent: true,
            ..Trail::default()
        };
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let next = match byte {
                b'"' => behind_string(bytes, at),
                b'/' => behind_comment(bytes, at),
                _ => at + 1,
            };
            match byte {
                b'\n' => (trail.indent, trail.is_indent) = (0, true),
                b' ' | b'\t' => trail.indent += usize::from(trail.is_indent),
                b'\r' => {}
                b'/' => trail.is_indent = false,
                _ => {
                    trail.token(byte, at);
                    (trail.last, trail.is_indent) = (next, false);
                }
            }
            at = next;
        }
        trail
    }

    fn token(&mut self, byte: u8, at: usize) {
        match byte {
            b'{' | b'[' => self.open.push((at, self.indent)),
            b'}' | b']' => {
                if let Some((opened, indent)) = self.open.pop()
                    && self.is_indent
                    && self.indent < indent
                {
                    self.outdented.get_or_insert(opened);
                }
            }
            _ => {}
        }
    }

    /// The bracket that has no end: judged by the indents, else the innermost open one.
    pub fn unclosed(&self) -> Option<usize> {
        self.outdented.or(self.innermost())
    }

    /// The innermost open bracket.
    pub fn innermost(&self) -> Option<usize> {
        self.open.last().map(|(at, _)| *at)
    }
}

fn behind_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    bytes.len()
}

fn behind_comment(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let length = match rest.get(1) {
        Some(b'*') => find(rest, b"*/").map(|end| end + 2),
        _ => memchr::memchr(b'\n', rest),
    };
    length.map_or(bytes.len(), |length| start + length)
}
