//! What Headscale refuses, stage by stage: the first stage with a fault ends it, and tells all of its faults.
//! Must not live here: reading (`language::headscale`), running tests, the other dialect.

mod names;
mod rules;
mod ssh;
mod tests;
mod users;

use crate::hujson::Span;
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::Hint;
use crate::policy::language::document::Policy;
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::users::TokenWords;

use crate::policy::findings::words::said;
use crate::tables::apart::Apart;

/// Collects the faults of a stage.
pub(super) struct Stage<'p> {
    policy: &'p Policy<'p>,
    found: Vec<Finding>,
}

impl Stage<'_> {
    /// Notes a fault in these words, filled with these names.
    #[inline(never)]
    fn say(&mut self, code: &'static str, span: Span, words: &str, names: &[&str]) {
        self.advise(code, span, words, names, None);
    }

    /// The same, and what to do about it.
    #[inline(never)]
    fn advise(
        &mut self,
        code: &'static str,
        span: Span,
        words: &str,
        names: &[&str],
        hint: Option<Hint>,
    ) {
        let fault = Finding::error(code, span, said(words, names));
        self.found.push(fault.hint(hint));
    }
}

/// Everything for which Headscale would refuse the document, tests aside: the faults of the first stage that has any.
pub(super) static HEADSCALE_CHECKER: Apart<fn(&Policy<'_>, &PolicyContext) -> Vec<Finding>> =
    Apart::new(problems);

fn problems(policy: &Policy<'_>, context: &PolicyContext) -> Vec<Finding> {
    if !policy.faults.is_empty() {
        return policy.faults.clone();
    }
    let mut stage = Stage {
        policy,
        found: Vec::new(),
    };
    stage.validate();
    if stage.found.is_empty() {
        let tokens = TokenWords::new(context);
        stage.users(&tokens);
        if stage.found.is_empty() && context.users.is_some() {
            stage.node_attributes(&tokens);
        }
    }
    stage.found
}
