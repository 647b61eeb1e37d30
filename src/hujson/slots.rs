//! The places of a composite: each member or element with all extra around it.
//!
//! What lies between two values is divided at the colon and at the comma here and nowhere else.
//! Must not live here: what the extra means or how it is laid out.

use super::extra::Extra;
use super::tree::Elements;
use super::{Kind, Value};

/// A member or element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot<'d> {
    /// From the opening bracket or the comma on.
    pub before: Extra<'d>,
    /// The name, in an object.
    pub name: Option<Name<'d>>,
    pub value: Value<'d>,
    /// Up to the comma. Without one there is none: it is the composite's then.
    pub after: Extra<'d>,
    pub comma: bool,
}

/// What stands before the value of a member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'d> {
    pub value: Value<'d>,
    /// Up to the colon.
    pub after: Extra<'d>,
    /// From the colon on.
    pub before_value: Extra<'d>,
}

/// The slots of one composite, in order.
pub(super) struct Slots<'d> {
    text: &'d str,
    object: bool,
    parts: Elements<'d>,
    at: usize,
    /// The extra behind a last value that no comma follows.
    rest: Option<Extra<'d>>,
}

impl<'d> Slots<'d> {
    /// The slots of a value of this text; none for a literal.
    pub fn of(text: &'d str, value: Value<'d>) -> Self {
        Self {
            text,
            object: value.kind() == Kind::Object,
            parts: value.parts(),
            at: value.span().start + 1,
            rest: None,
        }
    }

    /// What stands before the closing bracket, behind a trailing comma if there is one.
    /// To be asked when all slots are through.
    pub fn tail(&self) -> Extra<'d> {
        self.rest.unwrap_or_else(|| Extra::at(self.text, self.at))
    }

    fn name(&self, value: Value<'d>) -> Name<'d> {
        let end = value.span().end;
        let after = Extra::at(self.text, end);
        let colon = end + after.raw.len();
        Name {
            value,
            after,
            before_value: Extra::at(self.text, colon + 1),
        }
    }
}

impl<'d> Iterator for Slots<'d> {
    type Item = Slot<'d>;

    fn next(&mut self) -> Option<Slot<'d>> {
        let part = self.parts.next()?;
        let before = Extra::at(self.text, self.at);
        let (name, value) = if self.object {
            (Some(self.name(part)), self.parts.next()?)
        } else {
            (None, part)
        };
        let end = value.span().end;
        let after = Extra::at(self.text, end);
        let behind = end + after.raw.len();
        let comma = self.text.as_bytes().get(behind) == Some(&b',');
        self.at = behind + 1;
        self.rest = (!comma).then_some(after);
        Some(Slot {
            before,
            name,
            value,
            after: if comma { after } else { Extra::NONE },
            comma,
        })
    }
}
