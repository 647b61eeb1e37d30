//! What stands before a fault: where the last token ends, and which brackets are open. Read once, when there is a fault,
//! so that its hint can name the line where the mistake was made.
//! Must not live here: the grammar, which has found the fault already.

/// The tokens before a place, as far as hints ask for them.
#[derive(Debug, Default)]
pub(super) struct Trail {
    /// Where the last token before the place ends; 0 if there is none.
    pub last: usize,
    /// The brackets that are open, outermost first.
    open: Vec<usize>,
    /// A bracket whose supposed end stands further to the left than the line it opens in: the real one is missing.
    outdented: Option<usize>,
}

impl Trail {
    /// Reads a text up to a place. Strings and comments that the place cuts short end there.
    pub fn before(text: &str, end: usize) -> Trail {
        let bytes = text.as_bytes().get(..end).unwrap_or_default();
        let mut trail = Trail::default();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let next = match byte {
                b'"' => behind_string(bytes, at),
                b'/' => {
                    at = behind_comment(bytes, at);
                    continue;
                }
                _ => at + 1,
            };
            match byte {
                b'{' | b'[' => trail.open.push(at),
                b'}' | b']' => trail.close(bytes, at),
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                trail.last = next;
            }
            at = next;
        }
        trail
    }

    fn close(&mut self, bytes: &[u8], at: usize) {
        let Some(opened) = self.open.pop() else {
            return;
        };
        let (own, is_first) = indent(bytes, at);
        if is_first && own < indent(bytes, opened).0 {
            self.outdented.get_or_insert(opened);
        }
    }

    /// The bracket that lacks its end: as the indents have it, else the innermost that is open.
    pub fn unclosed(&self) -> Option<usize> {
        self.outdented.or(self.open.last().copied())
    }

    /// The innermost open bracket.
    pub fn innermost(&self) -> Option<usize> {
        self.open.last().copied()
    }
}

/// How many blanks the line of a place begins with, and whether nothing else stands before it.
fn indent(bytes: &[u8], at: usize) -> (usize, bool) {
    let before = bytes.get(..at).unwrap_or_default();
    let start = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
    let line = before.get(start..).unwrap_or_default();
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let blanks = line.iter().take_while(is_blank).count();
    (blanks, blanks == line.len())
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
        Some(b'*') => memchr::memmem::find(rest, b"*/").map(|end| end + 2),
        _ => memchr::memchr(b'\n', rest),
    };
    length.map_or(bytes.len(), |length| start + length)
}
