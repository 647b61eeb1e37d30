//! The syntax error: the reference's wording, a position for people and one for editors, a hint, and the depth limit.
//!
//! Must not live here: the grammar that raises it.

use std::borrow::Cow;
use std::fmt;

use super::Position;
use super::origin::Origin;
use super::trail::Trail;
use crate::Code;

/// How deep objects and arrays may be nested.
pub const MAX_DEPTH: usize = 512;

/// A text that is not HuJSON. Displayed as the reference and the service display it:
/// `hujson: line L, column C: REASON`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    position: Position,
    length: usize,
    reason: String,
    hint: Option<Cow<'static, str>>,
    origin: Origin,
    is_first: bool,
}

impl Error {
    #[cold]
    #[inline(never)]
    pub(super) fn new(text: &str, fault: Fault) -> Self {
        let found = text.get(fault.start..fault.end).unwrap_or_default();
        let behind = text.get(fault.end..).unwrap_or_default();
        let trail = Trail::before(text, fault.start);
        let hint = fault.problem.hint(found, behind).map(Cow::Borrowed);
        Self {
            position: Position::of(text, fault.start),
            length: found.chars().map(char::len_utf16).sum(),
            reason: fault.problem.reason(found),
            hint: fault.hint_with_line(text, found, &trail).or(hint),
            origin: fault.problem.origin(),
            is_first: trail.last == 0 && fault.problem.is_no_token(found),
        }
    }

    /// A fault of a text in another dialect, in the words of that dialect; one character is at fault.
    pub(super) fn of_dialect(text: &str, at: usize, reason: String) -> Self {
        let rest = text.get(at..).unwrap_or_default();
        Self {
            position: Position::of(text, at),
            length: rest.chars().next().map_or(0, char::len_utf16),
            reason,
            hint: None,
            origin: Origin::Ours,
            is_first: false,
        }
    }

    /// Where the text goes wrong.
    pub fn position(&self) -> Position {
        self.position
    }

    /// How many UTF-16 units are at fault; 0 at the end of the text.
    pub fn utf16_len(&self) -> usize {
        self.length
    }

    /// `hujson_syntax`.
    pub fn code(&self) -> Code {
        Code::HujsonSyntax
    }

    /// The message alone, without the position.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What to do about it, if that is clear.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Where the reason comes from: the reference, or us if the reference knows no such error.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Whether the text is not HuJSON from the start: it is empty, or begins with a word of another language.
    pub fn is_first(&self) -> bool {
        self.is_first
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column, .. } = self.position;
        write!(f, "hujson: line {line}, column {column}: {}", self.reason)
    }
}

impl std::error::Error for Error {}

/// What the parser found: the faulty bytes and the rule they break.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub start: usize,
    pub end: usize,
    pub problem: Problem,
}

impl Fault {
    /// A hint that depends on the position of what precedes the error.
    fn hint_with_line(self, text: &str, found: &str, trail: &Trail) -> Option<Cow<'static, str>> {
        let here = line_of(text, self.start);
        let bracket = |at: usize| text.get(at..=at).filter(|_| line_of(text, at) < here);
        match self.problem {
            Problem::Character(Place::AfterMember | Place::AfterElement)
                if matches!(found, "}" | "]") =>
            {
                let at = trail.innermost()?;
                let (open, line) = (bracket(at)?, line_of(text, at));
                let close = closing(open);
                Some(
                    format!("the bracket is of the wrong kind: expected {close} for the {open} at line {line}")
                        .into(),
                )
            }
            Problem::Character(place) if place.hint(found) == Some(COMMA) => {
                let line = line_of(text, trail.last);
                (line < here)
                    .then(|| format!("a comma is missing at the end of line {line}").into())
            }
            Problem::Eof(unfinished) if unfinished.wants_bracket(text, trail) => {
                let at = trail.unclosed()?;
                let open = text.get(at..=at)?;
                let close = closing(open);
                Some(match bracket(at) {
                    None => format!("a closing {close} is missing").into(),
                    Some(_) => {
                        let line = line_of(text, at);
                        format!("a closing {close} is missing for the {open} at line {line}").into()
                    }
                })
            }
            _ => None,
        }
    }
}

/// The 1-based line of a byte.
fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() + 1
}

/// The bracket that closes this one.
fn closing(open: &str) -> char {
    if open == "{" { '}' } else { ']' }
}

/// The hint for a value or name directly after another one.
const COMMA: &str = "a comma is missing before this";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    Character(Place),
    Literal,
    Eof(Unfinished),
    /// A surrogate without its other half, which cannot be written in UTF-8.
    Encoding(Part),
    Depth,
    Size,
}

/// Where a character is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Value,
    Name,
    AfterName,
    AfterMember,
    AfterElement,
    AfterTop,
}

/// Where a stray surrogate is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    String,
    Comment,
    Code(Place),
}

/// What the end of the text cuts off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unfinished {
    Value,
    String,
    LineComment,
    BlockComment,
    AfterName,
    AfterMember,
    AfterElement,
}

impl Problem {
    pub(super) fn is_open_comment(self) -> bool {
        use Unfinished::{BlockComment, LineComment};
        matches!(self, Self::Eof(LineComment | BlockComment))
    }

    /// The limits are ours; all other messages are those of the reference.
    fn origin(self) -> Origin {
        match self {
            Self::Depth | Self::Size => Origin::Ours,
            _ => Origin::Documented,
        }
    }

    /// Whether there is no token of the language at all: nothing, or a word.
    fn is_no_token(self, found: &str) -> bool {
        match self {
            Self::Eof(Unfinished::Value) => true,
            Self::Literal => !found.starts_with('"'),
            _ => false,
        }
    }

    fn reason(self, found: &str) -> String {
        match self {
            Self::Character(place) => {
                format!("invalid character {} {}", shown(found), place.wording())
            }
            Self::Literal => format!("invalid literal: {found}"),
            Self::Eof(unfinished) => {
                format!("parsing {}: unexpected EOF", unfinished.wording())
            }
            Self::Encoding(Part::String) => "invalid UTF-8 in string".to_owned(),
            Self::Encoding(Part::Comment) => "invalid UTF-8 in comment".to_owned(),
            // Each surrogate would start with this byte.
            Self::Encoding(Part::Code(place)) => {
                format!("invalid character '\\xed' {}", place.wording())
            }
            Self::Depth => format!("nested deeper than {} levels", MAX_DEPTH),
            Self::Size => "text longer than 4 GiB".to_owned(),
        }
    }

    fn hint(self, found: &str, behind: &str) -> Option<&'static str> {
        match self {
            Self::Character(place) => place.hint(found),
            Self::Literal => literal_hint(found, behind),
            Self::Eof(unfinished) => unfinished.hint(),
            Self::Encoding(_) => Some("half of a surrogate pair: remove it"),
            Self::Depth | Self::Size => None,
        }
    }
}

impl Place {
    fn wording(self) -> &'static str {
        match self {
            Self::Value => "at start of value",
            Self::Name => "at start of object name",
            Self::AfterName => "after object name",
            Self::AfterMember => "after object value (expecting ',' or '}')",
            Self::AfterElement => "after array value (expecting ',' or ']')",
            Self::AfterTop => "after top-level value",
        }
    }

    fn hint(self, found: &str) -> Option<&'static str> {
        let first = found.chars().next()?;
        Some(match (self, first) {
            (_, '\'') => "single quotes: HuJSON wants double quotes",
            (_, '`' | '\u{2018}'..='\u{201F}') => "HuJSON wants plain double quotes",
            (_, '\u{FEFF}') => "byte-order mark: remove it",
            (_, '#' | '/') => "comments start with // or /*",
            (_, '\u{A0}' | '\u{202F}') => "no-break space: use a plain blank",
            (_, '\u{2000}'..='\u{200B}' | '\u{2028}' | '\u{2029}' | '\u{3000}') => {
                "space of another kind: use a plain blank"
            }
            (Self::Value, ',') => "one comma too many: remove it",
            (Self::Value, '}' | ']') => "a value is missing or the bracket is of the wrong kind",
            (Self::Value, '$' | '_') => "names and strings want double quotes",
            (Self::Name, _) => "names want double quotes",
            (Self::AfterName, _) => "a colon is missing after the name",
            (
                Self::AfterMember | Self::AfterElement,
                '"' | '{' | '[' | '0'..='9' | 'a'..='z' | '-',
            ) => COMMA,
            (Self::AfterMember, ']') => "the bracket is of the wrong kind: expected }",
            (Self::AfterElement, '}') => "the bracket is of the wrong kind: expected ]",
            (Self::AfterElement, ':') => "members belong in an object: { instead of [",
            (Self::AfterMember | Self::AfterElement, ';') => "values are separated by commas",
            (Self::AfterTop, '}' | ']') => "one closing bracket too many: remove it",
            (Self::AfterTop, ',') => "no comma may follow the top value: remove it",
            (Self::AfterTop, ':') => "members belong in an object: { before them and } after",
            (Self::AfterTop, _) => "a text holds one value only",
            _ => return None,
        })
    }
}

impl Unfinished {
    fn wording(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::String => "string",
            Self::LineComment | Self::BlockComment => "comment",
            Self::AfterName => "object after name",
            Self::AfterMember => "object after value",
            Self::AfterElement => "array after value",
        }
    }

    /// Whether a bracket would complete what is cut off; where a value is due, that is so only after a colon.
    fn wants_bracket(self, text: &str, trail: &Trail) -> bool {
        let before = text.get(..trail.last).unwrap_or_default();
        match self {
            Self::AfterMember | Self::AfterElement => true,
            Self::Value => !before.ends_with(':'),
            _ => false,
        }
    }

    fn hint(self) -> Option<&'static str> {
        Some(match self {
            Self::Value => "a value is missing at the end",
            Self::String => "a closing double quote is missing",
            Self::LineComment => "a line comment must end with a line break",
            Self::BlockComment => "a closing */ is missing",
            Self::AfterName => "a colon and a value are missing",
            Self::AfterMember => "a closing } is missing",
            Self::AfterElement => "a closing ] is missing",
        })
    }
}

/// The first character as Go quotes it.
fn shown(found: &str) -> String {
    let Some(character) = found.chars().next() else {
        return "''".to_owned();
    };
    match character {
        '\'' | '\\' => format!("'\\{character}'"),
        _ if is_printable(character) => format!("'{character}'"),
        _ if u32::from(character) <= 0xFFFF => format!("'\\u{:04x}'", u32::from(character)),
        _ => format!("'\\U{:08x}'", u32::from(character)),
    }
}

/// Whether the standard library shows the character as itself. It escapes a combining mark
/// that stands alone, which Go does not: hence the letter before it.
fn is_printable(character: char) -> bool {
    if matches!(character, '\'' | '"' | '\\') {
        return true;
    }
    let text = String::from_iter(['a', character]);
    text.escape_debug().skip(1).eq([character])
}

fn literal_hint(found: &str, behind: &str) -> Option<&'static str> {
    if let Some(inside) = found.strip_prefix('"') {
        return Some(if inside.contains('\n') {
            "a string may not span lines: a closing quote is missing, or write \\n"
        } else if inside.bytes().any(|byte| byte < 0x20) {
            "control characters in strings must be escaped"
        } else {
            "escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits"
        });
    }
    if behind.trim_start().starts_with(':') {
        return Some("names want double quotes");
    }
    let unsigned = found.trim_start_matches(['+', '-']);
    Some(match unsigned {
        "NaN" | "Infinity" => "JSON cannot hold NaN or Infinity",
        "True" | "TRUE" => "write true",
        "False" | "FALSE" => "write false",
        "None" | "nil" | "Null" | "NULL" | "undefined" => "write null",
        _ if unsigned.starts_with("0x") || unsigned.starts_with("0X") => {
            "write the number in decimal"
        }
        _ if found.starts_with('+') => "a number has no plus sign in front",
        "" => "a minus sign wants a number behind it",
        _ if unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') => {
            "a number has no leading zero and a digit on either side of its point"
        }
        _ => "strings want double quotes",
    })
}
