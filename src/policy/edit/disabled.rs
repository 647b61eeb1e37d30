//! Entries that are commented out: turned into a comment where they are, found again, and turned back.
//! Must not live here: other changes of entries (`lists`).
//!
//! An entry on lines of its own becomes a comment on each of them, any other one a block comment. Its comma goes with it,
//! so that what is left is still a list. Nothing else changes, and turning it back restores the text.

use super::lists::found;
use super::{EditError, ListSection, section};
use crate::hujson::{self, Kind, Span, Value};
use crate::policy::findings::words::joined;
use crate::policy::language::text::PolicyText;
use crate::tables::find::find;
use crate::tables::sort;

/// The most lines of an entry that is searched for in comments that follow others without an entry, so that prose with an
/// open bracket in each line does not cost more than that.
const MOST_LINES: usize = 500;

/// An entry that is commented out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disabled {
    /// The list that contains it.
    pub section: ListSection,
    /// The comment, or the comments on consecutive lines.
    pub span: Span,
    /// The entry as it will be written there.
    entry: String,
    /// Whether a comma precedes it, after the entry above.
    has_comma_before: bool,
    /// Whether a comma separates it from the entry below.
    has_comma_behind: bool,
    /// The entry above ends here.
    above: Option<usize>,
    /// Whether there is an entry below.
    is_followed: bool,
}

/// Turns an entry into a comment in place.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if there is no such entry, or it is not an object.
pub fn disable<'t>(
    text: impl Into<PolicyText<'t>>,
    of: ListSection,
    index: usize,
) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    let document = hujson::parse(text)?;
    let (_, entry) = found((&document, dialect), of, index)?;
    if entry.kind() != Kind::Object {
        let message = [of.name(), " has no object at ", &index.to_string()];
        return Err(EditError::Argument(joined(&message)));
    }
    let Span { start, end } = entry.span();
    let comma = EntryGap::behind(text, end).comma;
    let end = comma.map_or(end, |comma| comma + 1);
    let covered = text.get(start..end).unwrap_or_default();
    let comment = match on_own_lines(text, entry, end) {
        Some(indent) => lines_of(covered, indent),
        None => joined(&["/* ", &deeper(covered), " */"]),
    };
    Ok(spliced(text, Span { start, end }, &comment))
}

/// Turns the comment at this byte back into an entry. Adds missing commas.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if no such comment is there.
pub fn enable<'t>(text: impl Into<PolicyText<'t>>, at: usize) -> Result<String, EditError> {
    let text = text.into();
    let starts = all(text, Some(at))?
        .into_iter()
        .find(|one| one.span.start == at);
    let holds = |one: &Disabled| one.span.start <= at && at < one.span.end;
    let one = match starts {
        None => all(text, None)?.into_iter().find(holds),
        found => found,
    };
    let none = || EditError::Argument("there is no commented-out entry".to_owned());
    let one = one.ok_or_else(none)?;
    let text = text.text;
    let object = object_end(&one.entry).unwrap_or(one.entry.len());
    let (object, rest) = one.entry.split_at(object);
    let needs_comma_before = one.above.is_some() && !one.has_comma_before;
    let own = EntryGap::behind(&one.entry, object.len()).comma;
    // A comma that stood behind the entry above is now that of this one.
    let rest = match own {
        Some(comma) if one.has_comma_behind => {
            let mut rest = rest.to_owned();
            rest.remove(comma - object.len());
            rest
        }
        None if one.is_followed && !one.has_comma_behind => joined(&[",", rest]),
        _ => rest.to_owned(),
    };
    let entry = joined(&[object, &rest]);
    let enabled = spliced(text, one.span, &entry);
    match one.above {
        Some(end) if needs_comma_before => {
            let here = Span { start: end, end };
            Ok(spliced(&enabled, here, ","))
        }
        _ => Ok(enabled),
    }
}

/// The entries that are commented out, in the order of the text.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if it is not a policy.
pub fn disabled<'t>(text: impl Into<PolicyText<'t>>) -> Result<Vec<Disabled>, EditError> {
    all(text.into(), None)
}

/// All of them; the comment that starts at `first`, if any, is not read as a continuation of those before it.
fn all(
    PolicyText { text, dialect }: PolicyText<'_>,
    first: Option<usize>,
) -> Result<Vec<Disabled>, EditError> {
    let document = hujson::parse(text)?;
    let mut all = Vec::new();
    for of in ListSection::ALL {
        let Ok((_, Some(list))) = section(&document, dialect, of.name(), Some(Kind::Array)) else {
            continue;
        };
        let mut from = list.span().start + 1;
        let mut above = None;
        let mut entries = list.elements().map(Value::span);
        loop {
            let next = entries.next();
            let to = next.map_or(list.span().end - 1, |next| next.start);
            let is_followed = next.is_some();
            let place = EntryPlace {
                text,
                of,
                above,
                is_followed,
            };
            place.between(from, to, first, &mut all);
            let Some(next) = next else { break };
            (from, above) = (next.end, Some(next.end));
        }
    }
    sort::sort_by(&mut all, |one, other| one.span.cmp(&other.span));
    Ok(all)
}

/// What is between two entries of a list.
struct EntryPlace<'t> {
    text: &'t str,
    of: ListSection,
    above: Option<usize>,
    is_followed: bool,
}

impl EntryPlace<'_> {
    fn between(&self, from: usize, to: usize, first: Option<usize>, all: &mut Vec<Disabled>) {
        let mut gap = EntryGap {
            text: self.text,
            at: from,
            to,
            comma: None,
        };
        let known = all.len();
        let mut most_lines = usize::MAX;
        while let Some(comment) = gap.next() {
            let end = first.filter(|first| *first > comment.start);
            let to = end.map_or(to, |end| end.min(to));
            // A comment that was asked for is looked at whole.
            let is_first = first == Some(comment.start);
            let most = if is_first { usize::MAX } else { most_lines };
            let Some((entry, end)) = self.entry(comment, to, most) else {
                most_lines = MOST_LINES;
                continue;
            };
            gap.at = end;
            let start = comment.start;
            all.push(Disabled {
                section: self.of,
                span: Span { start, end },
                entry,
                has_comma_before: gap.comma.is_some(),
                has_comma_behind: false,
                above: self.above,
                is_followed: self.is_followed,
            });
        }
        for one in all.get_mut(known..).unwrap_or_default() {
            one.has_comma_behind = gap.comma.is_some_and(|comma| comma > one.span.start);
        }
    }

    /// The entry in a comment, which for line comments may continue below, and where it ends.
    fn entry(&self, comment: Span, to: usize, most_lines: usize) -> Option<(String, usize)> {
        let text = self.text.get(comment.start..to)?;
        let (entry, end) = match text.starts_with("//") {
            true => uncommented(text, most_lines)?,
            false => (self.inside(comment)?, comment.end - comment.start),
        };
        object_end(&entry)?;
        Some((entry, comment.start + end))
    }

    /// The contents of a block comment.
    fn inside(&self, comment: Span) -> Option<String> {
        let inside = self
            .text
            .get(comment.start + 2..comment.end.checked_sub(2)?)?;
        let spaced = inside
            .strip_prefix(' ')
            .and_then(|text| text.strip_suffix(' '));
        Some(higher(spaced.unwrap_or(inside)))
    }
}

/// Comments that may be between two values, and the comma among them.
struct EntryGap<'t> {
    text: &'t str,
    at: usize,
    to: usize,
    comma: Option<usize>,
}

impl<'t> EntryGap<'t> {
    /// What follows a value up to the next one or to a bracket, skipping comments.
    fn behind(text: &'t str, at: usize) -> EntryGap<'t> {
        let mut gap = EntryGap {
            text,
            at,
            to: text.len(),
            comma: None,
        };
        while gap.comma.is_none() && gap.next().is_some() {}
        gap
    }
}

impl Iterator for EntryGap<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let bytes = self.text.as_bytes().get(..self.to)?;
        loop {
            let start = self.at;
            match (bytes.get(start)?, bytes.get(start + 1)) {
                (b'/', Some(b'/')) => {
                    let rest = self.text.get(start..self.to)?;
                    self.at = start + line_end(rest);
                }
                (b'/', Some(b'*')) => {
                    let rest = self.text.get(start + 2..self.to)?;
                    self.at = start + 4 + find(rest.as_bytes(), b"*/")?;
                }
                (b',', _) => {
                    self.comma.get_or_insert(start);
                    self.at += 1;
                    continue;
                }
                (byte, _) if byte.is_ascii_whitespace() => {
                    self.at += 1;
                    continue;
                }
                _ => return None,
            }
            let end = self.at;
            return Some(Span { start, end });
        }
    }
}

/// The indentation of an entry on lines of its own, except for a comment after it; `end` is after its comma.
fn on_own_lines<'t>(text: &'t str, entry: Value<'_>, end: usize) -> Option<&'t str> {
    let Span {
        start,
        end: value_end,
    } = entry.span();
    let line = text.get(..start)?.rfind('\n').map_or(0, |feed| feed + 1);
    let indent = text.get(line..start)?;
    let rest = text.get(end..)?;
    let rest = rest.get(..line_end(rest))?.trim_start();
    let is_alone = indent.trim().is_empty() && (rest.is_empty() || rest.starts_with("//"));
    let is_simple = !text.get(value_end..end)?.contains('\n');
    (is_alone && is_simple).then_some(indent)
}

/// Where the first line of a text ends, without what ends it.
fn line_end(text: &str) -> usize {
    let end = text.find('\n').unwrap_or(text.len());
    let line = text.get(..end).unwrap_or_default();
    line.strip_suffix('\r').unwrap_or(line).len()
}

/// A comment on each line, after the indentation if the line has it.
fn lines_of(covered: &str, indent: &str) -> String {
    let mut out = String::with_capacity(covered.len() + 16);
    for (index, line) in covered.split('\n').enumerate() {
        let mut line = line;
        if index > 0 {
            out.push('\n');
            if let Some(rest) = line.strip_prefix(indent) {
                out.push_str(indent);
                line = rest;
            }
        }
        // No trailing blank, which editors like to remove.
        out.push_str(if line.trim_end_matches('\r').is_empty() {
            "//"
        } else {
            "// "
        });
        out.push_str(line);
    }
    out
}

/// The object in these consecutive comments, and where the last of them ends; none if they contain none.
fn uncommented(text: &str, most_lines: usize) -> Option<(String, usize)> {
    let (mut entry, mut at) = (String::new(), 0);
    let mut depth = Depth::default();
    for _ in 0..most_lines {
        let rest = text.get(at..)?;
        let white = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let comment = rest.get(white..)?.strip_prefix("//")?;
        let end = line_end(comment);
        let inside = comment.get(..end)?;
        let inside = inside.strip_prefix(' ').unwrap_or(inside);
        if at == 0 && !inside.starts_with('{') {
            return None;
        }
        if at > 0 {
            entry.push_str(rest.get(..white)?);
        }
        entry.push_str(inside);
        at += white + 2 + end;
        if depth.is_zero_after(inside) {
            return Some((entry, at));
        }
        let behind = text.get(at..)?;
        let feed = behind.find('\n')? + 1;
        entry.push_str(behind.get(..feed)?);
        at += feed;
    }
    None
}

/// How many brackets are open, line by line.
#[derive(Default)]
struct Depth {
    open: usize,
    /// Inside a block comment.
    is_comment: bool,
}

impl Depth {
    /// Whether the last bracket is closed in this line.
    fn is_zero_after(&mut self, line: &str) -> bool {
        let bytes = line.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let next = bytes.get(at + 1);
            match (byte, next) {
                (b'*', Some(b'/')) if self.is_comment => {
                    self.is_comment = false;
                    at += 1;
                }
                _ if self.is_comment => {}
                (b'"', _) => at += string_end(line.get(at..).unwrap_or_default()),
                (b'/', Some(b'/')) => return false,
                (b'/', Some(b'*')) => {
                    self.is_comment = true;
                    at += 1;
                }
                (b'{' | b'[', _) => self.open += 1,
                (b'}' | b']', _) if self.open <= 1 => return true,
                (b'}' | b']', _) => self.open -= 1,
                _ => {}
            }
            at += 1;
        }
        false
    }
}

/// How far after the opening quote of a text the string ends; the length of the text if it does not.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 1)
}

/// Where the object ends that the text consists of, apart from a comma and comments after it; none for any other text.
fn object_end(entry: &str) -> Option<usize> {
    let list = joined(&["[", entry, "\n]"]);
    let document = hujson::parse(&list).ok()?;
    let mut elements = document.root().elements();
    let object = elements
        .next()
        .filter(|first| first.kind() == Kind::Object)?;
    let is_alone = object.span().start == 1 && elements.next().is_none();
    is_alone.then(|| object.span().end - 1)
}

/// A text that is safe in a block comment: with one more backslash in what would end it.
fn deeper(text: &str) -> String {
    ends(text, |out, slashes| {
        out.push_str(slashes);
        out.push('\\');
    })
}

/// The reverse.
fn higher(text: &str) -> String {
    ends(text, |out, slashes| {
        out.push_str(slashes.get(1..).unwrap_or_default())
    })
}

/// The text with `between` applied to what is between a star and a slash, if that is only backslashes.
fn ends(text: &str, between: impl Fn(&mut String, &str)) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(star) = rest.find('*') {
        let (before, behind) = rest.split_at(star + 1);
        out.push_str(before);
        let slashes = behind.len() - behind.trim_start_matches('\\').len();
        let (slashes, behind) = behind.split_at(slashes);
        match behind.starts_with('/') {
            true => between(&mut out, slashes),
            false => out.push_str(slashes),
        }
        rest = behind;
    }
    out + rest
}

/// The text with a part replaced by another one.
fn spliced(text: &str, Span { start, end }: Span, new: &str) -> String {
    let (before, behind) = (text.get(..start), text.get(end..));
    joined(&[before.unwrap_or_default(), new, behind.unwrap_or_default()])
}
