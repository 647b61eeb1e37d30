//! The tokens of any text: brackets, commas, colons, strings even without an end, words of any letters.
//! Must not live here: which token may follow which.

use crate::hujson::literal;
use crate::hujson::scan::comment_end;
use crate::hujson::tree::Escapes;
use crate::hujson::{Kind, Span};

/// A token.
pub(super) struct Token {
    pub what: What,
    pub span: Span,
    /// How many blanks precede it, if it is the first of its line.
    pub indent: Option<usize>,
    /// The same for its line, and where that line starts.
    pub line_indent: usize,
    pub line: usize,
}

/// What a token is.
#[derive(Clone, Copy)]
pub(super) enum What {
    Open(Kind),
    Close(Kind),
    Colon,
    Comma,
    Literal(Kind, Escapes),
}

/// The tokens of a text, in order.
pub(super) struct Tokens<'t> {
    bytes: &'t [u8],
    at: usize,
    line: usize,
    /// Where the line ends that was looked at last.
    line_end: usize,
    /// Those of the current line, once its first token has come.
    indent: Option<usize>,
    /// Bytes that are not a token of the grammar.
    pub faults: Vec<Span>,
}

impl<'t> Tokens<'t> {
    pub fn of(text: &'t str) -> Tokens<'t> {
        Tokens {
            bytes: text.as_bytes(),
            at: 0,
            line: 0,
            line_end: 0,
            indent: None,
            faults: Vec::new(),
        }
    }

    /// Those from a token on, with the start of its line and what its indent is, if another one stands before it there.
    pub fn going_on(text: &'t str, at: usize, line: usize, indent: Option<usize>) -> Tokens<'t> {
        Tokens {
            at,
            line,
            indent,
            ..Tokens::of(text)
        }
    }

    /// The next token; none at the end of the text.
    pub fn next(&mut self) -> Option<Token> {
        self.skip_extra();
        let start = self.at;
        let first = *self.bytes.get(start)?;
        let is_first = self.indent.is_none();
        let line_indent = *self.indent.get_or_insert(start - self.line);
        let line = self.line;
        let what = match first {
            b'{' => What::Open(Kind::Object),
            b'[' => What::Open(Kind::Array),
            b'}' => What::Close(Kind::Object),
            b']' => What::Close(Kind::Array),
            b':' => What::Colon,
            b',' => What::Comma,
            b'"' => self.string(),
            _ => self.word(),
        };
        self.at = self.at.max(start + 1);
        Some(Token {
            what,
            span: Span {
                start,
                end: self.at,
            },
            indent: is_first.then_some(line_indent),
            line_indent,
            line,
        })
    }

    fn skip_extra(&mut self) {
        loop {
            match self.bytes.get(self.at..) {
                Some([b'\n', ..]) => {
                    self.at += 1;
                    self.line = self.at;
                    self.indent = None;
                }
                Some([b' ' | b'\t' | b'\r', ..]) => self.at += 1,
                Some([b'/', b'/' | b'*', ..]) => self.comment(),
                _ => return,
            }
        }
    }

    fn comment(&mut self) {
        let end = comment_end(self.bytes, self.at).unwrap_or_else(|| {
            self.fault(self.at, self.bytes.len());
            self.bytes.len()
        });
        let comment = self.bytes.get(self.at..end).unwrap_or_default();
        if let Some(last) = memchr::memrchr(b'\n', comment) {
            self.line = self.at + last + 1;
            self.indent = None;
        }
        self.at = end;
    }

    fn fault(&mut self, start: usize, end: usize) {
        self.faults.push(Span { start, end });
    }

    /// A string to its closing quote. One without ends with its line, commas and closing brackets there left out; so it
    /// does where something follows the quote that opens another string.
    fn string(&mut self) -> What {
        let start = self.at;
        let rest = self.bytes.get(start + 1..).unwrap_or_default();
        let quote = start + 1 + literal::plain_length(rest);
        // Nearly all are plain, and no line has to be looked for.
        if self.bytes.get(quote) == Some(&b'"') && self.is_end(quote) {
            self.at = quote + 1;
            return What::Literal(Kind::String, Escapes::None);
        }
        let line_end = self.line_end();
        let line = self.bytes.get(..line_end).unwrap_or_default();
        let closed = literal::string_end(line, start + 1);
        if let Some((quote, valid)) = closed.filter(|(quote, _)| self.is_end(*quote)) {
            self.at = quote + 1;
            if valid.is_none() {
                self.fault(start, self.at);
            }
            let escapes = match valid {
                Some(false) => Escapes::Short,
                _ => Escapes::Long,
            };
            return What::Literal(Kind::String, escapes);
        }
        let end = closed.map_or(line.len(), |(quote, _)| quote);
        let text = line.get(start + 1..end).unwrap_or_default();
        self.at = start + 1 + without_end(text);
        self.fault(start, self.at);
        What::Literal(Kind::String, Escapes::Bare)
    }

    /// Whether a quote ends a string: what follows it opens no other.
    fn is_end(&self, quote: usize) -> bool {
        !self
            .bytes
            .get(quote + 1)
            .is_some_and(|byte| is_letter(*byte))
    }

    fn line_end(&mut self) -> usize {
        if self.line_end <= self.at {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.line_end = self.at + length;
        }
        self.line_end
    }

    /// Anything up to a blank, a bracket, a comma, a quote, a comment, or a colon that ends a name.
    fn word(&mut self) -> What {
        let start = self.at;
        while let Some(rest @ [byte, ..]) = self.bytes.get(self.at..) {
            let ends = match byte {
                ..=b' ' | b',' | b'[' | b']' | b'{' | b'}' | b'"' => true,
                b':' => !rest.get(1).is_some_and(|next| is_letter(*next)),
                b'/' => matches!(rest, [_, b'/' | b'*', ..]),
                _ => false,
            };
            if ends {
                break;
            }
            self.at += 1;
        }
        // A control is a word of its own.
        self.at = self.at.max(start + 1);
        let kind = match self.bytes.get(start..self.at).unwrap_or_default() {
            b"null" => Kind::Null,
            b"true" | b"false" => Kind::Bool,
            word if literal::is_number(word) => Kind::Number,
            _ => {
                self.fault(start, self.at);
                return What::Literal(Kind::String, Escapes::Bare);
            }
        };
        What::Literal(kind, Escapes::None)
    }
}

/// Whether a byte can begin a word: it is not a blank, not punctuation of the grammar, and not a quote.
fn is_letter(byte: u8) -> bool {
    !matches!(
        byte,
        0..=b' ' | b',' | b':' | b'[' | b']' | b'{' | b'}' | b'"' | b'/'
    )
}

/// How long a text is without the blanks, commas and closing brackets at its end.
fn without_end(text: &[u8]) -> usize {
    let mut rest = text;
    while let [
        front @ ..,
        b' ' | b'\t' | b'\r' | b',' | b']' | b'}' | b':' | b'{' | b'[',
    ] = rest
    {
        rest = front;
    }
    rest.len()
}
