//! What a strict reading leaves of a text that turned out to be none, as the state in which a tolerant one goes on: what is right up
//! to there need not be read again, which saves half the time where a text breaks off.
//!
//! Must not live here: what becomes of the rest.

use super::reading::{Awaits, Frame, Reading};
use super::token::Tokens;
use crate::hujson::Kind;
use crate::hujson::gap::{Gap, Gaps};
use crate::hujson::tree::Node;

/// How many values are read again. Behind the last one stands what is wrong, and may belong to it; and a reading looks back as far
/// as two tokens.
const AGAIN: usize = 2;

/// The state before the last values of these, which stand at the start of a text; nothing if a line of it ends something by its
/// indent, or begins with a comma or colon: then both readings are needed from its start.
pub(super) fn start<'t>(text: &'t str, mut nodes: Vec<Node>) -> Option<(Reading, Tokens<'t>)> {
    let rest = *nodes.get(nodes.len().checked_sub(AGAIN)?)?;
    nodes.truncate(nodes.len() - AGAIN);
    let mut passed = Passed {
        bytes: text.as_bytes(),
        open: Vec::new(),
        line: 0,
        indent: None,
    };
    for (at, node) in nodes.iter_mut().enumerate() {
        passed.value(at, node)?;
        node.gaps = Gaps::leading(Gap::NONE);
    }
    passed.up_to(nodes.len(), &rest)?;
    let awaits = match passed.open.last() {
        None => Awaits::Top,
        Some(open) if open.frame.kind == Kind::Array => Awaits::Element,
        Some(open) if open.parts % 2 == 0 => Awaits::Name,
        Some(_) => Awaits::MemberValue,
    };
    let open: Vec<Frame> = passed.open.into_iter().map(|open| open.frame).collect();
    let reading = Reading {
        arrays: open
            .iter()
            .filter(|frame| frame.kind == Kind::Array)
            .count(),
        nodes,
        faults: Vec::new(),
        open,
        awaits,
        has_ended: false,
        last: 0,
        before_last: 0,
        closed: None,
    };
    let is_first = rest.gaps.lead().breaks() > 0;
    let indent = passed.indent.filter(|_| !is_first);
    let tokens = Tokens::going_on(text, rest.start as usize, passed.line, indent);
    Some((reading, tokens))
}

/// Where the values that were passed leave one.
struct Passed<'t> {
    bytes: &'t [u8],
    open: Vec<Open>,
    /// Where the line at hand starts, and how many blanks stand before its first token.
    line: usize,
    indent: Option<usize>,
}

/// A composite that has not ended yet.
struct Open {
    frame: Frame,
    /// How many names and values stood in it so far.
    parts: usize,
    /// Behind which node it ends, if it does, where its closing bracket stands, and whether that is the first of its line.
    until: usize,
    close: usize,
    closes_line: bool,
}

impl Passed<'_> {
    /// Passes the value at a place among all.
    fn value(&mut self, at: usize, node: &Node) -> Option<()> {
        self.up_to(at, node)?;
        if let Some(open) = self.open.last_mut() {
            open.parts += 1;
        }
        if node.gaps.behind().breaks() > 0 {
            return None;
        }
        if let Kind::Object | Kind::Array = node.kind {
            let start = node.start as usize;
            let has_end = node.end > node.start + 1;
            self.open.push(Open {
                frame: Frame {
                    node: at,
                    kind: node.kind,
                    start,
                    indent: self.indent.unwrap_or_default(),
                },
                parts: 0,
                until: if has_end {
                    at + node.size as usize
                } else {
                    usize::MAX
                },
                close: node.end as usize - 1,
                closes_line: node.gaps.tail().breaks() > 0,
            });
        }
        Some(())
    }

    /// Passes what ends before a value, and goes to the line of that.
    fn up_to(&mut self, at: usize, node: &Node) -> Option<()> {
        while let Some(open) = self.open.last().filter(|open| open.until <= at) {
            if open.closes_line {
                let (close, indent) = (open.close, open.frame.indent);
                let is_dedent = self.first(close) < indent;
                if is_dedent && self.open.len() > 1 {
                    return None;
                }
            }
            self.open.pop();
        }
        let start = node.start as usize;
        if node.gaps.lead().breaks() == 0 {
            self.indent.get_or_insert(start);
            return Some(());
        }
        let indent = self.first(start);
        match self.open.as_slice() {
            [_, .., open] if indent <= open.frame.indent => None,
            _ => Some(()),
        }
    }

    /// The indent of the line whose first token stands here.
    fn first(&mut self, at: usize) -> usize {
        let before = self.bytes.get(..at).unwrap_or_default();
        self.line = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
        *self.indent.insert(at - self.line)
    }
}
