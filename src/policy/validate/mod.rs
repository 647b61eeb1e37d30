//! What the service refuses, section by section and in its order; and what it accepts though it is probably not meant.
//! Must not live here: reading (`language`), running tests.
//!
//! The service names one problem, the first it finds. The order here: what its decoder cannot read, in the
//! order of the text; then the definitions (hosts, groups, tags, ipsets, postures), acls, grants, ssh, approvers,
//! node attributes, the shape of ssh tests; the tests themselves run last of all.

mod acls;
mod advice;
mod adviser;
mod attrs;
mod conditions;
mod cover;
mod cycles;
mod definitions;
mod empty;
mod grants;
mod headscale;
mod hints;
mod logins;
mod names;
mod nothing;
mod open;
mod shadowed;
mod ssh;
mod takers;
mod today;
mod unreached;
mod unused;
mod warnings;

use std::cell::OnceCell;

pub use warnings::NOT_SYNCED;

use crate::hujson::Span;
use crate::policy::findings::finding::Finding;
use crate::policy::findings::words::Guesses;
use crate::policy::language::dialect::Dialect;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::Memo;
use crate::policy::tailnet::context::PolicyContext;
use crate::tables::sort;

use logins::KnownLogins;

/// Collects problems about one policy.
struct Checker<'p> {
    policy: &'p Policy<'p>,
    context: &'p PolicyContext,
    found: Vec<Finding>,
    /// The uses in rules for which a selector was found valid.
    fine: Memo,
    faults: Faults,
    guesses: Guesses,
    /// KnownLogins of the document and the context, once one was searched by the part before its `@`.
    logins: OnceCell<KnownLogins<'p>>,
}

/// Where something could not be read: what is missing there is not reported again.
#[derive(Default)]
struct Faults {
    /// Ascending.
    starts: Vec<usize>,
}

impl Faults {
    fn of(policy: &Policy<'_>) -> Faults {
        let mut starts = Vec::with_capacity(policy.faults.len());
        starts.extend(policy.faults.iter().map(|fault| fault.span.start));
        sort::sort(&mut starts);
        Faults { starts }
    }

    /// Whether there is one anywhere.
    fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Whether there is one in a span.
    fn are_in(&self, span: Span) -> bool {
        let next = self.starts.partition_point(|start| *start < span.start);
        self.starts.get(next).is_some_and(|start| *start < span.end)
    }
}

impl Policy<'_> {
    /// Everything for which the service would refuse the document, tests aside; the first is its message.
    #[inline(never)]
    pub fn problems(&self, context: &PolicyContext) -> Vec<Finding> {
        match self.dialect {
            Dialect::Tailscale => self.problems_of_service(context),
            Dialect::Headscale => match headscale::HEADSCALE_CHECKER.get() {
                Some(problems) => problems(self, context),
                None => Vec::new(),
            },
        }
    }

    fn problems_of_service(&self, context: &PolicyContext) -> Vec<Finding> {
        let mut checker = Checker {
            policy: self,
            context,
            found: self.faults.clone(),
            fine: Memo::default(),
            faults: Faults::of(self),
            guesses: Guesses::of(self.document.text()),
            logins: OnceCell::new(),
        };
        checker.definitions();
        checker.acls();
        checker.grants();
        checker.ssh_rules();
        checker.auto_approvers();
        checker.node_attrs();
        checker.ssh_tests();
        checker.found
    }
}
