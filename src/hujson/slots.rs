//! The places of a composite: each member or element with all extra around it.
//!
//! Only this file divides the extra between two values, at the colon and at the comma.
//! Must not live here: what the extra means or how it is laid out.

use super::extra::Extra;
use super::gap::Gap;
use super::tree::Elements;
use super::{Kind, Value};

/// A member or element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot<'d> {
    /// From the opening bracket or the comma on.
    pub before: Extra,
    /// The name, in an object.
    pub name: Option<Name<'d>>,
    pub value: Value<'d>,
    /// Up to the comma. Without a comma it is empty: the extra then belongs to the composite.
    pub after: Extra,
    pub comma: bool,
}

/// What precedes the value of a member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'d> {
    pub value: Value<'d>,
    /// Up to the colon.
    pub after: Extra,
    /// From the colon on.
    pub before_value: Extra,
}

/// The slots of one composite, in order.
pub(super) struct Slots<'d> {
    text: &'d str,
    object: bool,
    parts: Elements<'d>,
    /// The byte after the opening bracket, the last comma or the last value.
    at: usize,
    close: usize,
    tail: Gap,
}

impl<'d> Slots<'d> {
    /// The slots of a value; none for a literal.
    #[inline(always)]
    pub fn of(value: Value<'d>) -> Self {
        let span = value.span();
        Self {
            text: value.text(),
            object: value.kind() == Kind::Object,
            parts: value.parts(),
            at: span.start + 1,
            close: span.end - 1,
            tail: value.gaps().tail(),
        }
    }

    /// What precedes the closing bracket, after a trailing comma if there is one.
    /// Call it when all slots have been read.
    #[inline(always)]
    pub fn tail(&self) -> Extra {
        Extra::known(self.at, self.close, self.tail)
    }

    #[inline(always)]
    fn name(&self, name: Value<'d>, value: Value<'d>) -> Name<'d> {
        let after = Extra::behind(self.text, name);
        Name {
            value: name,
            after,
            before_value: Extra::known(after.end() + 1, value.span().start, value.gaps().lead()),
        }
    }
}

impl<'d> Iterator for Slots<'d> {
    type Item = Slot<'d>;

    #[inline(always)]
    fn next(&mut self) -> Option<Slot<'d>> {
        let part = self.parts.next()?;
        let before = Extra::known(self.at, part.span().start, part.gaps().lead());
        let (name, value) = if self.object {
            let value = self.parts.next()?;
            (Some(self.name(part, value)), value)
        } else {
            (None, part)
        };
        let after = Extra::behind(self.text, value);
        self.at = value.span().end;
        let comma = self.text.as_bytes().get(after.end()) == Some(&b',');
        if comma {
            self.at = after.end() + 1;
        }
        Some(Slot {
            before,
            name,
            value,
            after: if comma { after } else { Extra::NONE },
            comma,
        })
    }
}
