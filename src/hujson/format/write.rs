//! Writes the canonical layout that a plan decided.
//!
//! Must not live here: measuring.

use std::iter::repeat_n;

use super::super::extra::{Extra, Token, Tokens, common_start, is_space, without_returns};
use super::super::slots::{Name, Slots};
use super::super::{Kind, Value};
use super::literals::{Literals, shortest};
use super::output::Output;
use super::plan::Plan;

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

pub(super) struct Writer<'d> {
    text: &'d str,
    literals: Literals,
    out: Output<'d>,
    plan: std::vec::IntoIter<u32>,
    /// Whether expanded composites get a trailing comma.
    commas: bool,
}

impl<'d> Writer<'d> {
    /// `room` is the expected length of the result in bytes.
    pub fn new(plan: Plan<'d>, room: usize) -> Self {
        Self {
            text: plan.text,
            literals: plan.literals,
            out: Output::new(plan.text, room),
            commas: !plan.standard,
            plan: plan.steps.into_iter(),
        }
    }

    /// The whole text: no space in front, one line feed at the end.
    pub fn document(mut self, before: Extra, root: Value<'d>, after: Extra) -> String {
        self.extra(before, 0, Rules::default());
        let written = self.out.written();
        let blank = written.len() - written.trim_start().len();
        written.drain(..blank);
        self.value(root, 0);
        self.extra(after, 0, Rules::default());
        let mut out = self.out.finish();
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }

    /// The value alone, without a line feed at the end.
    pub fn alone(mut self, value: Value<'d>) -> String {
        self.value(value, 0);
        self.out.finish()
    }

    fn value(&mut self, value: Value<'d>, depth: usize) {
        let brackets = match value.kind() {
            Kind::Object => (b'{', b'}'),
            Kind::Array => (b'[', b']'),
            _ => return self.literal(value),
        };
        let expand = self.step() == 1;
        self.out.push(brackets.0);
        let mut slots = Slots::of(value);
        let mut above: Option<Extra> = None;
        for slot in slots.by_ref() {
            if let Some(after) = above {
                self.extra(after, depth + 2, INSIDE);
                self.out.push(b',');
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
            above = Some(slot.after.comments_only());
        }
        self.end(above, slots.tail(), expand, depth);
        self.out.push(brackets.1);
    }

    /// Writes what is between the last value and the closing bracket.
    fn end(&mut self, last: Option<Extra>, tail: Extra, expand: bool, depth: usize) {
        let after = last.unwrap_or(Extra::NONE);
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
            self.out.push(b',');
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
        self.literal(name.value);
        self.extra(after, depth, INSIDE);
        self.out.push(b':');
        let before_value = Rules {
            blank: true,
            ..INSIDE
        };
        self.extra(name.before_value, depth, before_value);
        for _ in 0..blanks {
            self.out.push(b' ');
        }
        after.breaks + name.before_value.breaks > 0
    }

    #[inline(always)]
    fn literal(&mut self, value: Value<'d>) {
        if self.literals.keeps(value) {
            let span = value.span();
            return self.out.keep(span.start, span.end);
        }
        self.out.push_str(&shortest(value));
    }

    #[inline(always)]
    fn extra(&mut self, extra: Extra, depth: usize, rules: Rules) {
        if extra.commented {
            return self.comments(extra, depth, rules);
        }
        let most = if rules.tight_start || rules.tight_end {
            1
        } else {
            2
        };
        let least = u32::from(rules.starts_line || rules.ends_line);
        let breaks = extra.breaks.min(most).max(least);
        if breaks > 0 {
            self.lines(breaks as usize, depth - usize::from(rules.closing));
        } else if rules.blank {
            self.out.push(b' ');
        }
    }

    #[cold]
    fn comments(&mut self, extra: Extra, depth: usize, rules: Rules) {
        let raw = without_returns(extra.raw(self.text));
        let out = self.out.written();
        let start = out.len();
        if rules.starts_line && extra.breaks == 0 {
            out.push('\n');
        }
        for token in Tokens(&raw) {
            if let Token::Space(space) = token {
                let tight = rules.tight_start && out.len() == start;
                let breaks = space.bytes().filter(|byte| *byte == b'\n').count();
                for _ in 0..breaks.min(if tight { 1 } else { 2 }) {
                    out.push('\n');
                }
                continue;
            }
            if out.len() > start && out.ends_with('\n') {
                indent(out, depth);
            } else {
                out.push(' ');
            }
            match token {
                Token::Block(text) if text.contains('\n') => block(out, text, depth),
                _ => out.push_str(token.text().trim_end()),
            }
        }
        if rules.ends_line && !out.ends_with('\n') {
            out.push('\n');
        }
        if rules.tight_end && out.ends_with("\n\n") {
            out.pop();
        }
        if out.ends_with('\n') {
            indent(out, depth - usize::from(rules.closing));
        } else {
            out.push(' ');
        }
    }

    /// Writes one or two line feeds and the indentation.
    #[inline(always)]
    fn lines(&mut self, breaks: usize, depth: usize) {
        match LINES.get(2 - breaks..2 + depth) {
            Some(run) => self.out.push_str(run),
            None => {
                let out = self.out.written();
                out.extend(repeat_n('\n', breaks));
                indent(out, depth);
            }
        }
    }

    fn step(&mut self) -> usize {
        self.plan.next().unwrap_or_default() as usize
    }
}

/// Writes a block comment, its lines brought to the indentation of the place.
fn block(out: &mut String, comment: &str, depth: usize) {
    let mut lines = comment.split('\n').map(str::trim_end);
    out.push_str(lines.next().unwrap_or_default());
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
        out.push('\n');
        if line.is_empty() {
            continue;
        }
        indent(out, depth);
        if stars {
            out.push(' ');
        }
        // A closing mark on a line of its own may be indented less than the others.
        let alone = line.trim_start_matches(is_space);
        let line = if alone == "*/" {
            alone
        } else {
            line.get(margin..).unwrap_or_default()
        };
        out.push_str(line);
    }
}

fn indent(out: &mut String, depth: usize) {
    match LINES.get(2..2 + depth) {
        Some(run) => out.push_str(run),
        None => out.extend(repeat_n('\t', depth)),
    }
}

const LINES: &str = "\n\n\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t";
