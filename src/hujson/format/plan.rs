//! What the formatter decides before it writes: which composites are expanded, which values
//! are moved to a column.
//!
//! Writer and plan meet the same values in the same order, so a plan is a plain list of numbers.
//! Must not live here: output.

use super::super::extra::{Extra, Lines};
use super::super::slots::{Slot, Slots};
use super::super::{Kind, Value};
use super::literals::Literals;

/// The longest line that a composite on one line may fill, in bytes.
const WIDTH: usize = 80;

/// What the writer has to know beforehand, in the order in which it will ask: for a composite
/// whether it is expanded (1 or 0), for a member how many blanks move its value to its column.
pub(super) struct Plan<'d> {
    pub text: &'d str,
    pub literals: Literals,
    pub steps: Vec<u32>,
    /// The members of the objects that are being measured, innermost last.
    rows: Vec<Row>,
    /// No comment and no trailing comma was met so far.
    pub standard: bool,
}

/// A member as a candidate for alignment.
struct Row {
    step: usize,
    /// From the start of the name to the value; nothing if the member breaks over lines.
    width: Option<usize>,
    /// A blank line or a comment is above.
    apart: bool,
}

/// The measurements of a value.
struct Extent {
    lines: Lines,
    /// There is a line feed around something inside, so the value is not a cell of a column.
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
    /// Measures a value, without the extra around it.
    pub fn of(value: Value<'d>, literals: Literals) -> Self {
        let mut plan = Self {
            text: value.text(),
            literals,
            steps: Vec::with_capacity(value.raw().len() / 32),
            rows: Vec::new(),
            standard: true,
        };
        plan.value(value);
        plan
    }

    fn value(&mut self, value: Value<'d>) -> Extent {
        if !matches!(value.kind(), Kind::Object | Kind::Array) {
            return Extent {
                lines: Lines::one(self.literals.length(value)),
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
        let mut slots = Slots::of(value);
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
                first: 1 + lead.unwrap_or(tail).lines(self.text).first,
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

    /// Measures a member or element; true if a line feed follows its beginning.
    fn slot(&mut self, slot: &Slot<'d>, lengths: &mut Lengths) -> bool {
        lengths.add(slot.before.lines(self.text));
        let (mut step, mut broken) = (None, false);
        let mut width = 0;
        self.standard &= !slot.before.commented && !slot.after.commented;
        if let Some(name) = slot.name {
            step = Some(self.step());
            let after = name.after.comments_only();
            self.standard &= !after.commented && !name.before_value.commented;
            broken = after.breaks + name.before_value.breaks > 0;
            let length = self.literals.length(name.value);
            let (behind, before_value) =
                (after.lines(self.text), name.before_value.lines(self.text));
            width = length + behind.first + ":".len() + before_value.first.max(1);
            lengths.current += length;
            lengths.add(behind);
            lengths.current += ": ".len();
            lengths.add(before_value);
        }
        let extent = self.value(slot.value);
        let after = slot.after.comments_only();
        lengths.add(extent.lines);
        lengths.add(after.lines(self.text));
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
                    *step = (widest - width) as u32;
                }
            }
        }
    }

    /// Keeps a place for an answer.
    fn step(&mut self) -> usize {
        self.steps.push(0);
        self.steps.len() - 1
    }

    fn set(&mut self, step: usize, answer: u32) {
        if let Some(place) = self.steps.get_mut(step) {
            *place = answer;
        }
    }
}
