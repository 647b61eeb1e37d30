//! All ranges in which two texts differ, and a text with some of its ranges replaced: what an editor needs to keep its
//! cursor and marks. Must not live here: the one range around all of them (`change`), the meaning of a change (`patch`).

use std::ops::Range;

use super::Span;
use super::change::same_ends;
use crate::tables::common::differences;
use crate::tables::sort;

/// A range of a text and its replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Splice {
    /// The bytes of the text to replace; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub insert: String,
}

/// The splices that turn one text into the other, in the order of the text, as small as lines and then characters allow.
pub fn changes(before: &str, after: &str) -> Vec<Splice> {
    let (start, end) = same_lines(before, after);
    let of = |text: &'_ str| start..text.len() - end;
    let mut all = Vec::new();
    let (old, new) = (lines(before, of(before)), lines(after, of(after)));
    let (old_lines, new_lines) = (texts(before, &old), texts(after, &new));
    for (gone, come) in differences(&old_lines, &new_lines) {
        // As many lines as before: each is compared with the one in its place.
        if gone.len() == come.len() {
            for (gone, come) in gone.zip(come) {
                push(
                    before,
                    span(&old, gone..gone + 1, of(before)),
                    after,
                    span(&new, come..come + 1, of(after)),
                    &mut all,
                );
            }
            continue;
        }
        push(
            before,
            span(&old, gone, of(before)),
            after,
            span(&new, come, of(after)),
            &mut all,
        );
    }
    all
}

/// The text with these ranges replaced. They may be in any order; those at the same position are inserted in the order given.
/// None if two overlap, or one is outside of the text or splits a character.
pub fn splice(text: &str, splices: &[Splice]) -> Option<String> {
    let mut order: Vec<&Splice> = splices.iter().collect();
    sort::sort_by(&mut order, |one, other| one.span.cmp(&other.span));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for Splice { span, insert } in order {
        out.push_str(text.get(at..span.start)?);
        text.get(span.start..span.end)?;
        out.push_str(insert);
        at = span.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

/// How many bytes of whole lines at the start and at the end of two texts are the same.
fn same_lines(before: &str, after: &str) -> (usize, usize) {
    let (start, end) = same_ends(before, after);
    let first = before.get(..start).unwrap_or_default();
    let last = before.get(before.len() - end..).unwrap_or_default();
    let feed = last.find('\n').map_or(last.len(), |feed| feed + 1);
    (first.rfind('\n').map_or(0, |feed| feed + 1), end - feed)
}

/// Adds the difference of two ranges, without what they have in common at either end.
fn push(before: &str, old: Range<usize>, after: &str, new: Range<usize>, all: &mut Vec<Splice>) {
    let gone = before.get(old.clone()).unwrap_or_default();
    let come = after.get(new).unwrap_or_default();
    let (start, end) = same_ends(gone, come);
    let insert = come
        .get(start..come.len() - end)
        .unwrap_or_default()
        .to_owned();
    let span = Span {
        start: old.start + start,
        end: old.end - end,
    };
    if span.start < span.end || !insert.is_empty() {
        all.push(Splice { span, insert });
    }
}

/// Where each line in this range ends.
fn lines(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let mut start = within.start;
    let inside = text.get(within).unwrap_or_default();
    let lines = inside.split_inclusive('\n').map(|line| {
        let from = start;
        start += line.len();
        from..start
    });
    lines.collect()
}

fn texts<'t>(text: &'t str, lines: &[Range<usize>]) -> Vec<&'t str> {
    let texts = lines
        .iter()
        .map(|line| text.get(line.clone()).unwrap_or_default());
    texts.collect()
}

/// The range of some lines; if there are none, the position where they would be.
fn span(lines: &[Range<usize>], wanted: Range<usize>, within: Range<usize>) -> Range<usize> {
    let start = lines
        .get(wanted.start)
        .map_or(within.end, |line| line.start);
    let last = wanted.end.checked_sub(1).and_then(|last| lines.get(last));
    let end = last.map_or(start, |line| line.end);
    start..end.max(start)
}
