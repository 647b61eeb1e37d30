//! The arguments of one call, which came as the JSON text of a list of them.
//! Must not live here: objects with options, questions about a policy (`asked`).

use crate::error::InvalidArgument;
use tailnet_kit::api::given;
use tailnet_kit::hujson::{Document, Kind, Value};

/// A list of arguments.
pub(crate) struct Arguments<'t>(Document<'t>);

impl<'t> Arguments<'t> {
    #[inline(never)]
    pub fn read(text: &'t str) -> Result<Arguments<'t>, InvalidArgument> {
        Ok(Arguments(given::read(text)?))
    }

    /// The argument at this place; `null` counts as absent.
    #[inline(never)]
    pub fn given(&self, at: usize) -> Option<Value<'_>> {
        let argument = self.0.root().elements().nth(at);
        argument.filter(|argument| argument.kind() != Kind::Null)
    }

    /// An argument that may be absent, read by one of the others.
    pub fn optional<'a, T>(
        &'a self,
        at: usize,
        read: impl FnOnce(&'a Self, usize) -> Result<T, InvalidArgument>,
    ) -> Result<Option<T>, InvalidArgument> {
        self.given(at).map(|_| read(self, at)).transpose()
    }

    #[inline(never)]
    pub fn text(&self, at: usize) -> Result<&str, InvalidArgument> {
        let text = self.given(at).and_then(Value::as_str);
        text.ok_or_else(|| unfit("a string"))
    }

    /// A place in a list or text: a whole number that is not negative.
    #[inline(never)]
    pub fn place(&self, at: usize) -> Result<usize, InvalidArgument> {
        let place = self.given(at).and_then(|place| place.raw().parse().ok());
        place.ok_or_else(|| unfit("a place, counted from 0"))
    }

    #[inline(never)]
    pub fn texts(&self, at: usize) -> Result<Vec<String>, InvalidArgument> {
        let texts = self.given(at).and_then(given::texts);
        texts.ok_or_else(|| unfit("a list of strings"))
    }
}

/// What was given is something else than this.
#[inline(never)]
pub(crate) fn unfit(expected: &str) -> InvalidArgument {
    InvalidArgument(["invalid argument: expected ", expected].concat())
}
