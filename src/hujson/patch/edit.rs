//! Adds, removes and replaces members and elements of a composite, so that the layout around them stays
//! and their own matches that of their neighbours.
//!
//! Must not live here: finding the place; which operations are allowed.

use std::borrow::Cow;

use super::super::extra::Extra;
use super::super::format::layout;
use super::super::slots::Slots;
use super::super::{Document, Kind, Value, is_standard, parse};
use super::overlay::{Child, Composite, Content, around_colon};
use super::owner::{has_comment, line_indent, owners};
use super::space::{indented, is_space, join, moved, reindented, relaid};
use crate::tables::find;

/// The style of the whole document, for places without neighbours.
#[derive(Clone, Debug)]
pub(super) struct Style {
    /// One level of indentation.
    unit: String,
    /// Expanded composites end in a comma.
    pub commas: bool,
    /// No blank after colons.
    compact: bool,
}

/// A composite as the place of a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'s> {
    /// The white space at the start of the line on which the composite begins.
    pub indent: &'s str,
    pub style: &'s Style,
}

/// What is added: a value with the comments that belong to it.
#[derive(Clone, Debug)]
pub(super) struct Item<'d> {
    /// The comments directly above, and those around the colon, up to what they are above.
    pub above: String,
    pub value: Content<'d>,
    /// The comments before the comma.
    pub after: Cow<'d, str>,
    /// The comments on the same line after the comma, and those directly below.
    pub behind: String,
    /// The indentation of the line it comes from; nothing for a value of the operations, which
    /// is laid out for its place.
    pub indent: Option<String>,
}

/// Where exactly a new child goes.
struct Place {
    /// On a line of its own.
    lines: bool,
    /// The white space before that line.
    indent: String,
}

impl Style {
    pub fn of(document: &Document<'_>) -> Self {
        let root = document.root();
        let text = root.text();
        let mut slots = Slots::of(root);
        let first = slots.next();
        let last = slots.last().or(first);
        let unit = first.and_then(|first| line_indent(first.before.raw(text)));
        let compact = first_name(root).is_some_and(|name| {
            let colon = Extra::at(text, name.span().end).end();
            !text
                .get(colon + 1..)
                .unwrap_or_default()
                .starts_with(is_space)
        });
        let commas = match last {
            Some(last) if unit.is_some() => last.comma,
            _ => !compact && !is_standard(text),
        };
        Self {
            unit: unit
                .filter(|unit| !unit.is_empty())
                .unwrap_or("\t")
                .to_owned(),
            commas,
            compact,
        }
    }
}

/// The name that comes first in the text, as far as only first values are looked into.
fn first_name(mut value: Value<'_>) -> Option<Value<'_>> {
    while value.kind() == Kind::Array {
        value = value.elements().next()?;
    }
    value.members().next().map(|member| member.name)
}

impl<'d> Item<'d> {
    /// The top value, to be added elsewhere.
    pub fn top(value: Content<'d>) -> Self {
        Self {
            above: String::new(),
            value,
            after: Cow::Borrowed(""),
            behind: String::new(),
            indent: Some(String::new()),
        }
    }

    /// The child at this position with its comments, to be added elsewhere; `value`
    /// takes or copies what is in it.
    pub fn of(
        composite: &mut Composite<'d>,
        position: usize,
        site: Site<'_>,
        value: impl FnOnce(&mut Content<'d>) -> Content<'d>,
    ) -> Option<Self> {
        let (before, behind) = (composite.ends(position), composite.ends(position + 1));
        let next = composite.gap(position + 1);
        let behind = next.get(..owners(next, behind).behind)?.to_owned();
        let child = composite.child_mut(position)?;
        let above = child.lead.get(owners(&child.lead, before).above..)?;
        let mut above = above.to_owned();
        if has_comment(&child.colon) {
            above.push_str(around_colon(&child.colon).trim_start_matches(is_space));
        }
        let indent = child.indent();
        let indent = indent.unwrap_or(site.indent).to_owned();
        Some(Self {
            above,
            value: value(&mut child.value),
            after: comments(&child.after),
            behind,
            indent: Some(indent),
        })
    }

    fn breaks(&self) -> bool {
        self.above.contains('\n')
            || self.behind.contains(['\n'])
            || find::find(self.behind.as_bytes(), b"//").is_some()
    }

    fn source(&self) -> &str {
        self.indent.as_deref().unwrap_or_default()
    }
}

fn comments<'d>(extra: &Cow<'d, str>) -> Cow<'d, str> {
    if has_comment(extra) {
        extra.clone()
    } else {
        Cow::Borrowed("")
    }
}

/// Adds a new child; `name` as it is to be written, empty in an array.
pub(super) fn insert<'d>(
    composite: &mut Composite<'d>,
    position: usize,
    name: String,
    item: Item<'d>,
    site: Site<'_>,
) {
    if composite.len() == 0 && fill(composite, &name, &item, site).is_some() {
        return;
    }
    let place = Place::of(composite, position, &item, site);
    let (mut lead, rest) = divided(composite, position, &place, site);
    let above = relaid(&item.above, item.source(), &place.indent);
    let behind = relaid(&item.behind, item.source(), &place.indent);
    let commas = commas(composite, &place, site);
    let source = item.indent.as_deref();
    let value = fitted(item.value, source, &place.indent, commas, site.style);
    let colon = colon(composite, position, &name, &value, &lead, site);
    lead.push_str(&above);
    let rest = join(behind, &rest, site.indent);
    let child = Child {
        lead: Cow::Owned(lead),
        name: Cow::Owned(name),
        colon: Cow::Owned(colon),
        value,
        after: item.after,
    };
    composite.insert(position, child);
    *composite.gap(position + 1) = Cow::Owned(rest);
}

/// Which part of the present text goes before a new child and which after it.
fn divided(
    composite: &mut Composite<'_>,
    position: usize,
    place: &Place,
    site: Site<'_>,
) -> (String, String) {
    let (empty, ends) = (composite.len() == 0, composite.ends(position));
    let gap = composite.gap(position).clone().into_owned();
    let cut = if empty {
        gap.trim_end_matches(is_space).len()
    } else {
        let owners = owners(&gap, ends);
        let header = owners.header.filter(|_| place.lines);
        header.unwrap_or(owners.behind)
    };
    let (behind, rest) = gap.split_at_checked(cut).unwrap_or((&gap, ""));
    let inside = rest.trim_start_matches(is_space);
    let blank = separator(composite, site);
    if place.lines {
        let lead = indented(behind.to_owned(), &place.indent);
        if empty {
            composite.trailing_comma |= !composite.emptied() && site.style.commas;
            return (lead, indented(String::new(), site.indent));
        }
        return (lead, rest.to_owned());
    }
    if empty {
        let lead = if behind.is_empty() { "" } else { " " };
        return ([behind, lead].concat(), String::new());
    }
    if position == 0 {
        let padding = rest.strip_suffix(inside).unwrap_or_default();
        return (padding.to_owned(), [blank, inside].concat());
    }
    if behind.is_empty() {
        return (blank.to_owned(), rest.to_owned());
    }
    if composite.trailing_comma {
        return ([behind, " "].concat(), rest.to_owned());
    }
    // The new comma goes after the comments, so that they stay with what they follow.
    let lead = blank.to_owned();
    let padded = composite
        .child(0)
        .is_some_and(|first| first.lead.starts_with(' '));
    if let Some(last) = composite.child_mut(position - 1) {
        last.after = Cow::Owned([&*last.after, &gap].concat());
    }
    (lead, String::from(if padded { " " } else { "" }))
}

/// Gives an empty composite its first child, both in canonical layout: only if nothing but blanks
/// is inside and the child comes from the operations without comments.
fn fill<'d>(
    composite: &mut Composite<'d>,
    name: &str,
    item: &Item<'d>,
    site: Site<'_>,
) -> Option<()> {
    let plain = composite
        .tail
        .chars()
        .all(|space| is_space(space) && space != '\n')
        && item.above.is_empty()
        && item.behind.is_empty()
        && item.after.is_empty();
    if !plain || item.indent.is_some() || site.style.compact {
        return None;
    }
    let value = item.value.text();
    let text = match composite.kind {
        Kind::Object => format!("{{{name}:{value}}}"),
        _ => format!("[{value}]"),
    };
    let document = parse(&text).ok()?;
    let style = site.style;
    let laid_out = layout(document.root(), style.commas);
    *composite = Composite::parse(&reindented(&laid_out, &style.unit, site.indent))?;
    Some(())
}

impl Place {
    fn of(composite: &Composite<'_>, position: usize, item: &Item<'_>, site: Site<'_>) -> Self {
        let below = || [site.indent, &site.style.unit].concat();
        let before = position
            .checked_sub(1)
            .and_then(|above| composite.child(above));
        let behind = composite.child(position);
        let neighbours = [before, behind].into_iter().flatten();
        let lines = neighbours.clone().any(|child| child.lead.contains('\n'))
            || behind.is_none() && composite.tail.contains('\n')
            || item.breaks();
        // If no members are on lines of their own, comments show how they would be laid out.
        let comments = line_indent(composite.tail.trim_end_matches(is_space));
        let mut indents = neighbours
            .chain(composite.child(0))
            .filter_map(|child| line_indent(&child.lead))
            .chain(comments);
        let indent = match indents.next() {
            Some(indent) if lines => indent.to_owned(),
            _ if lines => below(),
            _ => site.indent.to_owned(),
        };
        Self { lines, indent }
    }
}

fn commas(composite: &Composite<'_>, place: &Place, site: Site<'_>) -> bool {
    if place.lines {
        composite.trailing_comma
    } else {
        site.style.commas
    }
}

/// The value as it is to be written on a line with this indentation; `source` is that of the
/// line it comes from.
pub(super) fn fitted<'d>(
    value: Content<'d>,
    source: Option<&str>,
    indent: &str,
    commas: bool,
    style: &Style,
) -> Content<'d> {
    match (source, &value) {
        (None, Content::Raw(raw)) => {
            let composite = matches!(raw.kind(), Kind::Object | Kind::Array);
            if !composite || style.compact {
                return value;
            }
            Content::Text(reindented(&layout(*raw, commas), &style.unit, indent))
        }
        (Some(source), _) if source != indent && value.text().contains('\n') => {
            let mut text = String::new();
            moved(&value.text(), source, indent, &mut text);
            Content::Text(text)
        }
        _ => value,
    }
}

/// What separates the elements of one line from each other.
fn separator<'s>(composite: &'s Composite<'_>, site: Site<'s>) -> &'s str {
    let habit = if site.style.compact { "" } else { " " };
    match composite.child(1) {
        Some(second)
            if second
                .lead
                .chars()
                .all(|space| is_space(space) && space != '\n') =>
        {
            &second.lead
        }
        _ => habit,
    }
}

/// What is between a new name and its value, as in its neighbours.
fn colon(
    composite: &Composite<'_>,
    position: usize,
    name: &str,
    value: &Content<'_>,
    lead: &str,
    site: Site<'_>,
) -> String {
    if composite.kind != Kind::Object {
        return String::new();
    }
    let habit = if site.style.compact { ":" } else { ": " };
    let Some(neighbour) = composite.child(position.saturating_sub(1)) else {
        return habit.to_owned();
    };
    if neighbour.colon.contains(['/', '\n']) {
        return habit.to_owned();
    }
    let tight = neighbour.colon.trim_end_matches(is_space);
    let blanks = if tight.len() == neighbour.colon.len() {
        0
    } else {
        1
    };
    let single = lead.matches('\n').count() == 1 && !value.text().contains('\n');
    let column = single.then(|| column(composite, position)).flatten();
    let padding = column.map_or(blanks, |column| {
        column.saturating_sub(name.len() + tight.len()).max(1)
    });
    [tight, &" ".repeat(padding)].concat()
}

/// The column in which the values of the members above are aligned, if they are.
fn column(composite: &Composite<'_>, position: usize) -> Option<usize> {
    let above = cell(composite.child(position.checked_sub(1)?)?)?;
    let second = position
        .checked_sub(2)
        .and_then(|position| cell(composite.child(position)?));
    let aligned =
        above.1 > 1 || second.is_some_and(|second| second.0 == above.0 && second.1 != above.1);
    aligned.then_some(above.0)
}

/// The column of the value of a member on a line of its own, and the number of
/// blanks that bring it there.
fn cell(child: &Child<'_>) -> Option<(usize, usize)> {
    let whole = has_comment(&child.lead)
        || child.lead.matches('\n').count() != 1
        || child.colon.contains(['/', '\n'])
        || child.value.text().contains('\n');
    let blanks = child.colon.len() - child.colon.trim_end_matches(' ').len();
    (!whole).then_some((child.name.len() + child.colon.len(), blanks))
}

/// Removes a child, with the comments that belong to it, and closes the gap.
pub(super) fn remove(composite: &mut Composite<'_>, position: usize) {
    let (before, behind) = (composite.ends(position), composite.ends(position + 1));
    let lead = composite.gap(position).clone();
    let next = composite.gap(position + 1).clone();
    let head = lead.get(..owners(&lead, before).above).unwrap_or_default();
    let rest = next.get(owners(&next, behind).behind..).unwrap_or_default();
    let gap = closed_up(head, rest, before.after_open, behind.before_close);
    if composite.len() == 1 && !gap.contains('\n') {
        composite.trailing_comma = false;
    }
    composite.remove(position);
    let goes = position == composite.len() && !composite.trailing_comma;
    *composite.gap(position) = Cow::Owned(gap);
    // With the comma behind the new last child goes the space before it.
    if goes
        && let Some(last) = position.checked_sub(1)
        && let Some(child) = composite.child_mut(last)
        && !has_comment(&child.after)
    {
        child.after = Cow::Borrowed("");
    }
}

/// What is left between two neighbours when the part between `head` and `rest` is removed: of two blank
/// lines that meet only one; at the brackets none.
fn closed_up(head: &str, rest: &str, first: bool, last: bool) -> String {
    let tight = head.trim_end_matches(is_space);
    let inside = rest.trim_start_matches(is_space);
    let (_, above) = head.split_at(tight.len());
    let (below, _) = rest.split_at(rest.len() - inside.len());
    match (above.matches('\n').count(), below.matches('\n').count()) {
        (_, 0) if !last => [head, inside].concat(),
        (2.., 1) if !(first && tight.is_empty() || last && inside.is_empty()) => {
            [tight, "\n", rest].concat()
        }
        (1.., 2..) if first && tight.is_empty() => {
            let line = below.rfind('\n').unwrap_or_default();
            rest.get(line..).unwrap_or_default().to_owned()
        }
        _ => join(tight.to_owned(), rest, ""),
    }
}

/// Replaces a value; the comments of the old one stay if the new one
/// brings none.
pub(super) fn replace<'d>(
    composite: &mut Composite<'d>,
    position: usize,
    item: Item<'d>,
    site: Site<'_>,
) {
    let (before, behind) = (composite.ends(position), composite.ends(position + 1));
    let commas = composite.trailing_comma;
    let Some(child) = composite.child_mut(position) else {
        return;
    };
    let line = line_indent(&child.lead).map(str::to_owned);
    let commas = if line.is_some() {
        commas
    } else {
        site.style.commas
    };
    let indent = line.clone().unwrap_or_else(|| site.indent.to_owned());
    let column = child.indent().unwrap_or(&indent).to_owned();
    let source = item.indent.clone();
    child.value = fitted(item.value, source.as_deref(), &column, commas, site.style);
    let source = source.unwrap_or_default();
    if !item.above.is_empty() {
        let cut = owners(&child.lead, before).above;
        let mut lead = child.lead.get(..cut).unwrap_or_default().to_owned();
        let mut inner = indent.clone();
        if line.is_none() && item.above.contains('\n') {
            inner.push_str(&site.style.unit);
            lead = indented(lead.trim_end_matches(is_space).to_owned(), &inner);
        }
        lead.push_str(&relaid(&item.above, &source, &inner));
        child.lead = Cow::Owned(lead);
    }
    if !item.after.is_empty() {
        child.after = item.after.clone();
    }
    if !item.behind.is_empty() {
        let gap = composite.gap(position + 1);
        let rest = gap.get(owners(gap, behind).behind..).unwrap_or_default();
        *gap = Cow::Owned(join(relaid(&item.behind, &source, &indent), rest, &indent));
    }
}
