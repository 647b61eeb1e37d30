//! What all warnings need: the document, its context, and what was found so far.
//! Must not live here: the warnings themselves (`advice` and the files that it names).

use std::cell::OnceCell;

use crate::hujson::Span;

use super::Faults;
use super::empty::Empty;
use super::logins::KnownLogins;
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::Guesses;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::Memo;
use crate::policy::tailnet::context::PolicyContext;

/// Bits of [`Adviser::fine`].
pub(super) const NO_HOST_BITS: usize = 1;
pub(super) const NARROW: usize = 2;

/// Collects warnings about one policy.
pub(super) struct Adviser<'p> {
    pub policy: &'p Policy<'p>,
    pub context: &'p PolicyContext,
    /// Names that mean nobody.
    pub empty: Empty<'p>,
    /// Bits for selectors in which nothing was found.
    pub fine: Memo,
    pub faults: Faults,
    pub guesses: Guesses,
    /// The existing logins, if all are known.
    pub listed: Option<KnownLogins<'p>>,
    /// Those that the document names, once one was needed.
    pub named: OnceCell<KnownLogins<'p>>,
    pub found: Vec<Finding>,
}

impl<'p> Adviser<'p> {
    pub fn of(policy: &'p Policy<'p>, context: &'p PolicyContext) -> Adviser<'p> {
        Adviser {
            policy,
            context,
            empty: Empty::of(policy),
            fine: Memo::default(),
            faults: Faults::of(policy),
            guesses: Guesses::of(policy.document.text()),
            listed: KnownLogins::listed(policy.dialect, context),
            named: OnceCell::new(),
            found: Vec::new(),
        }
    }

    /// Where the document begins: what is said of all of it is said there.
    pub fn brace(&self) -> Span {
        let whole = self.policy.document.root().span();
        Span {
            start: whole.start,
            end: whole.end.min(whole.start.saturating_add(1)),
        }
    }

    #[inline(never)]
    pub fn warn(&mut self, code: &'static str, span: Span, message: String, hint: Option<Hint>) {
        self.found
            .push(Finding::warning(code, span, message.into()).hint(hint));
    }
}
