//! The canonical layout, that of the reference formatter.
//!
//! Two walks over the index, each linear and without a string per value: [`Plan`] measures and
//! decides (which composites are expanded, which values are moved to a column), [`Writer`] writes.
//! Both meet the same values in the same order, so a plan is a plain list of numbers.
//! Must not live here: the layout of a change (`patch`).

use super::extra::{Extra, Lines, Token, Tokens, is_space, without_returns};
use super::slots::{Name, Slot, Slots};
use super::{Error, Kind, Value, literal, parse, quote};

/// The longest line that a composite on one line may fill, in bytes.
const WIDTH: usize = 80;

/// Lays a text out as the reference formatter does: tabs, one blank after a colon, composites on
/// one line or fully expanded, values of neighbouring members in one column. Comments stay,
/// standard JSON stays standard, and the result is its own canonical layout.
///
/// # Errors
/// When the text is no HuJSON.
pub fn format(text: &str) -> Result<String, Error> {
    let document = parse(text)?;
    let root = document.root();
    let (before, after) = (Extra::at(text, 0), Extra::at(text, root.span().end));
    let mut plan = Plan::new(text);
    plan.standard = !before.commented && !after.commented;
    plan.value(root);
    let mut writer = Writer {
        text,
        out: String::with_capacity(text.len() + text.len() / 8),
        plan: plan.steps.into_iter(),
        commas: !plan.standard,
    };
    writer.extra(before, 0, Rules::default());
    let blank = writer.out.len() - writer.out.trim_start().len();
    writer.out.drain(..blank);
    writer.value(root, 0);
    writer.extra(after, 0, Rules::default());
    writer.out.truncate(writer.out.trim_end().len());
    writer.out.push('\n');
    Ok(writer.out)
}

/// A literal as it is written: a string with escapes gets the shortest ones.
fn with_literal<T>(value: Value<'_>, then: impl FnOnce(&str) -> T) -> T {
    let raw = value.raw();
    if value.kind() != Kind::String || !raw.contains('\\') {
        return then(raw);
    }
    let mut shortest = String::with_capacity(raw.len());
    quote(&literal::unescape(raw), &mut shortest);
    then(&shortest)
}

/// What the writer has to know beforehand, in the order in which it will ask: for a composite
/// whether it is expanded (1 or 0), for a member how many blanks move its value to its column.
struct Plan<'d> {
    text: &'d str,
    steps: Vec<usize>,
    /// The members of the objects that are being measured, innermost last.
    rows: Vec<Row>,
    /// No comment and no trailing comma was met so far.
    standard: bool,
}

/// A member as a candidate for alignment.
struct Row {
    step: usize,
    /// From the start of the name to the value; nothing if the member breaks over lines.
    width: Option<usize>,
    /// A blank line or a comment stands above.
    apart: bool,
}

/// What a value comes to.
struct Extent {
    lines: Lines,
    /// A line feed stands around something inside, so the value is no cell of a column.
    broken: bool,
}

/// The lines that one composite fills, as they grow.
#[derive(Default)]
struct Lengths {
    first: Option<usize>,
    longest: usize,
    current: usize,
}

impl Lengths {
    fn add(&mut self, part: Lines) {
        self.current += part.first;
        if part.several {
            self.end_line();
            self.current = part.last;
        }
    }

    fn end_line(&mut self) {
        self.first.get_or_insert(self.current);
        self.longest = self.longest.max(self.current);
    }

    /// Ends the last line: the lines of a composite that is not expanded.
    fn end(&mut self) -> Lines {
        let several = self.first.is_some();
        self.end_line();
        Lines {
            first: self.first.unwrap_or(self.current),
            last: self.current,
            several,
        }
    }
}

impl<'d> Plan<'d> {
    fn new(text: &'d str) -> Self {
        Self {
            text,
            steps: Vec::with_capacity(text.len() / 32),
            rows: Vec::new(),
            standard: true,
        }
    }

    fn value(&mut self, value: Value<'d>) -> Extent {
        if !matches!(value.kind(), Kind::Object | Kind::Array) {
            return Extent {
                lines: Lines::one(with_literal(value, str::len)),
                broken: false,
            };
        }
        let step = self.step();
        let rows = self.rows.len();
        let mut lengths = Lengths {
            current: 1,
            ..Lengths::default()
        };
        let (mut expand, mut broken) = (false, false);
        let mut lead = None;
        let mut last = Extra::NONE;
        let mut trailing_comma = false;
        let mut slots = Slots::of(self.text, value);
        for slot in slots.by_ref() {
            lead.get_or_insert(slot.before);
            expand |= slot.before.breaks > 0;
            broken |= self.slot(&slot, &mut lengths) | expand;
            (last, trailing_comma) = (slot.after.comments_only(), slot.comma);
        }
        let mut tail = slots.tail();
        if lead.is_none() {
            tail = tail.comments_only();
        }
        self.standard &= !trailing_comma && !tail.commented;
        lengths.current += 1;
        let mut lines = lengths.end();
        expand |= last.breaks > 0 || tail.breaks > 0 || lengths.longest > WIDTH;
        if expand {
            self.set(step, 1);
            self.align(rows);
            lines = Lines {
                first: 1 + lead.unwrap_or(tail).lines().first,
                last: 1,
                several: true,
            };
        }
        self.rows.truncate(rows);
        Extent {
            lines,
            broken: broken || expand && lead.is_some(),
        }
    }

    /// Measures a member or element; true if a line feed stands behind its beginning.
    fn slot(&mut self, slot: &Slot<'d>, lengths: &mut Lengths) -> bool {
        lengths.add(slot.before.lines());
        let (mut step, mut broken) = (None, false);
        let mut width = 0;
        self.standard &= !slot.before.commented && !slot.after.commented;
        if let Some(name) = slot.name {
            step = Some(self.step());
            let after = name.after.comments_only();
            self.standard &= !after.commented && !name.before_value.commented;
            broken = after.breaks + name.before_value.breaks > 0;
            let length = with_literal(name.value, str::len);
            let (behind, before_value) = (after.lines(), name.before_value.lines());
            width = length + behind.first + ":".len() + before_value.first.max(1);
            lengths.current += length;
            lengths.add(behind);
            lengths.current += ": ".len();
            lengths.add(before_value);
        }
        let extent = self.value(slot.value);
        let after = slot.after.comments_only();
        lengths.add(extent.lines);
        lengths.add(after.lines());
        lengths.current += ", ".len();
        broken |= extent.broken || after.breaks > 0;
        if let Some(step) = step {
            self.rows.push(Row {
                step,
                width: (!broken).then_some(width),
                apart: slot.before.breaks > 1,
            });
        }
        broken
    }

    /// Brings the values of neighbouring members, from this row on, to one column.
    fn align(&mut self, from: usize) {
        let rows = self.rows.get(from..).unwrap_or_default();
        let together =
            |above: &Row, row: &Row| above.width.is_some() && row.width.is_some() && !row.apart;
        for run in rows.chunk_by(together) {
            let widest = run.iter().filter_map(|row| row.width).max();
            for row in run {
                if let (Some(widest), Some(width), Some(step)) =
                    (widest, row.width, self.steps.get_mut(row.step))
                {
                    *step = widest - width;
                }
            }
        }
    }

    /// Keeps a place for an answer.
    fn step(&mut self) -> usize {
        self.steps.push(0);
        self.steps.len() - 1
    }

    fn set(&mut self, step: usize, answer: usize) {
        if let Some(place) = self.steps.get_mut(step) {
            *place = answer;
        }
    }
}

/// How a stretch of extra is laid out, apart from its depth.
#[derive(Clone, Copy, Default)]
struct Rules {
    /// A line feed in front, unless there is one somewhere.
    starts_line: bool,
    /// A line feed at the end.
    ends_line: bool,
    /// No blank line in front.
    tight_start: bool,
    /// No blank line at the end.
    tight_end: bool,
    /// What follows is indented one level less.
    closing: bool,
    /// A blank where there is nothing else.
    blank: bool,
}

/// Between a name, its colon, its value and its comma.
const INSIDE: Rules = Rules {
    starts_line: false,
    ends_line: false,
    tight_start: true,
    tight_end: true,
    closing: false,
    blank: false,
};

struct Writer<'d> {
    text: &'d str,
    out: String,
    plan: std::vec::IntoIter<usize>,
    /// Whether expanded composites get a trailing comma.
    commas: bool,
}

impl<'d> Writer<'d> {
    fn value(&mut self, value: Value<'d>, depth: usize) {
        let brackets = match value.kind() {
            Kind::Object => ('{', '}'),
            Kind::Array => ('[', ']'),
            _ => return with_literal(value, |literal| self.out.push_str(literal)),
        };
        let expand = self.step() == 1;
        self.out.push(brackets.0);
        let mut slots = Slots::of(self.text, value);
        let mut above: Option<Slot<'d>> = None;
        for slot in slots.by_ref() {
            if let Some(above) = above {
                self.extra(above.after.comments_only(), depth + 2, INSIDE);
                self.out.push(',');
            }
            let before = Rules {
                starts_line: expand,
                tight_start: above.is_none(),
                blank: above.is_some(),
                ..Rules::default()
            };
            self.extra(slot.before, depth + 1, before);
            let moved = slot.name.is_some_and(|name| self.name(&name, depth + 2));
            let depth = depth + usize::from(expand) + usize::from(moved);
            self.value(slot.value, depth);
            above = Some(slot);
        }
        self.end(above, slots.tail(), expand, depth);
        self.out.push(brackets.1);
    }

    /// Writes what stands between the last value and the closing bracket.
    fn end(&mut self, last: Option<Slot<'d>>, tail: Extra<'d>, expand: bool, depth: usize) {
        let after = last.map_or(Extra::NONE, |last| last.after.comments_only());
        let tail = if last.is_none() {
            tail.comments_only()
        } else {
            tail
        };
        self.extra(after, depth + 2, INSIDE);
        let comma = if expand {
            self.commas
        } else {
            after.commented && tail.commented
        };
        if comma && last.is_some() {
            self.out.push(',');
        }
        let rules = Rules {
            ends_line: expand,
            tight_start: last.is_none(),
            tight_end: true,
            closing: true,
            ..Rules::default()
        };
        self.extra(tail, depth + 1, rules);
    }

    /// Writes a name up to its value; true if the value begins on a later line.
    fn name(&mut self, name: &Name<'d>, depth: usize) -> bool {
        let blanks = self.step();
        let after = name.after.comments_only();
        with_literal(name.value, |literal| self.out.push_str(literal));
        self.extra(after, depth, INSIDE);
        self.out.push(':');
        let before_value = Rules {
            blank: true,
            ..INSIDE
        };
        self.extra(name.before_value, depth, before_value);
        self.repeat(' ', BLANKS, blanks);
        after.breaks + name.before_value.breaks > 0
    }

    fn extra(&mut self, extra: Extra<'_>, depth: usize, rules: Rules) {
        if extra.commented {
            return self.comments(extra, depth, rules);
        }
        let most = if rules.tight_start || rules.tight_end {
            1
        } else {
            2
        };
        let least = usize::from(rules.starts_line || rules.ends_line);
        let breaks = extra.breaks.min(most).max(least);
        for _ in 0..breaks {
            self.out.push('\n');
        }
        if breaks > 0 {
            self.indent(depth - usize::from(rules.closing));
        } else if rules.blank {
            self.out.push(' ');
        }
    }

    fn comments(&mut self, extra: Extra<'_>, depth: usize, rules: Rules) {
        let raw = without_returns(extra.raw);
        let start = self.out.len();
        if rules.starts_line && extra.breaks == 0 {
            self.out.push('\n');
        }
        for token in Tokens(&raw) {
            if let Token::Space(space) = token {
                let tight = rules.tight_start && self.out.len() == start;
                let breaks = space.bytes().filter(|byte| *byte == b'\n').count();
                for _ in 0..breaks.min(if tight { 1 } else { 2 }) {
                    self.out.push('\n');
                }
                continue;
            }
            if self.out.len() > start && self.out.ends_with('\n') {
                self.indent(depth);
            } else {
                self.out.push(' ');
            }
            self.comment(token.text().trim_end(), depth);
        }
        if rules.ends_line && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        if rules.tight_end && self.out.ends_with("\n\n") {
            self.out.pop();
        }
        if self.out.ends_with('\n') {
            self.indent(depth - usize::from(rules.closing));
        } else {
            self.out.push(' ');
        }
    }

    /// Writes a comment; the lines of a block are brought to the indentation of the place.
    fn comment(&mut self, comment: &str, depth: usize) {
        let mut lines = comment.split('\n').map(str::trim_end);
        self.out.push_str(lines.next().unwrap_or_default());
        let Some(first) = lines.clone().find(|line| !line.is_empty()) else {
            return;
        };
        let mut common = first;
        let mut stars = true;
        for line in lines.clone() {
            stars &= !line.is_empty();
            if !line.is_empty() && line.trim_start_matches(is_space) != "*/" {
                common = common_start(common, line);
            }
        }
        let margin = common.len() - common.trim_start_matches(is_space).len();
        stars &= common
            .get(margin..)
            .is_some_and(|rest| rest.starts_with('*'));
        for line in lines {
            self.out.push('\n');
            if line.is_empty() {
                continue;
            }
            self.indent(depth);
            if stars {
                self.out.push(' ');
            }
            // A closing mark alone on its line may stand further left than the others.
            let alone = line.trim_start_matches(is_space);
            let line = if alone == "*/" {
                alone
            } else {
                line.get(margin..).unwrap_or_default()
            };
            self.out.push_str(line);
        }
    }

    fn indent(&mut self, depth: usize) {
        self.repeat('\t', TABS, depth);
    }

    /// Writes the character that often; `stock` holds some of it.
    fn repeat(&mut self, character: char, stock: &str, count: usize) {
        match stock.get(..count) {
            Some(run) => self.out.push_str(run),
            None => self.out.extend(std::iter::repeat_n(character, count)),
        }
    }

    fn step(&mut self) -> usize {
        self.plan.next().unwrap_or_default()
    }
}

const TABS: &str = "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t";
const BLANKS: &str = "                                ";

/// What both start with, cut at a character.
fn common_start<'t>(one: &'t str, other: &str) -> &'t str {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let length = same.map(|(character, _)| character.len_utf8()).sum();
    one.get(..length).unwrap_or_default()
}
