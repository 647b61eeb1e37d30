//! What Headscale refuses, stage by stage: the first stage with a fault ends it, and tells all of its faults.
//! Must not live here: reading (`language::headscale`), running tests, the other dialect.

mod names;
mod rules;
mod ssh;
mod tests;
mod users;

use crate::hujson::Span;
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::{Hint, recorded};
use crate::policy::language::document::Policy;
use crate::policy::tailnet::context::PolicyContext;

pub(super) use crate::policy::findings::words::quoted;
use crate::tables::apart::Apart;

/// Collects the faults of a stage.
pub(super) struct Stage<'p> {
    policy: &'p Policy<'p>,
    found: Vec<Finding>,
}

impl Stage<'_> {
    fn say(&mut self, code: &'static str, span: Span, parts: &[&str]) {
        self.advise(code, span, parts, None);
    }

    /// The same, and what to do about it.
    fn advise(&mut self, code: &'static str, span: Span, parts: &[&str], words: Option<&str>) {
        let fault = Finding::error(code, span, recorded(parts));
        self.found.push(fault.hint(words.map(Hint::words)));
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
        stage.users(context);
    }
    if stage.found.is_empty() {
        stage.node_attributes(context);
    }
    stage.found
}
