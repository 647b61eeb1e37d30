//! Everything that a reviewer of a change wants to know, also as Markdown.
//! Must not live here: the contents of each part (the verbs, and the files beside this one).

mod answer;
mod guard;
mod issues;
mod meaning;
mod names;
mod reach;
mod summary;
mod tests;

pub use answer::Review;
pub use reach::{Exposure, Public};
pub use tests::{TestRef, Tests};

use super::diff::diff_of;
use super::language::document::Policy;
use super::prove::Proof;
use super::tailnet::context::PolicyContext;
use super::tailnet::flow::Judge;
use super::verdict::Check;
use super::{diff_access, diff_ssh};
use issues::new_issues;

/// One of the documents, with its findings; both are of the same tailnet.
#[derive(Clone, Copy)]
pub struct Judged<'p> {
    /// The document.
    pub policy: &'p Policy<'p>,
    /// The whole verdict on it.
    pub check: &'p Check,
}

/// Reviews a change between two documents that have answers. `guard` has the results of the guard's assertions for the
/// later one, if there is a guard.
#[inline(never)]
pub fn review<'p>(
    before: Judged<'p>,
    after: Judged<'p>,
    context: &'p PolicyContext,
    guard: Option<Proof>,
) -> Review {
    let documents = [before, after].map(|judged| judged.policy.document);
    let [old, new] = documents;
    let mut review = Review {
        unchanged: true,
        changes: Vec::new(),
        issues: Vec::new(),
        access: Vec::new(),
        ssh: Vec::new(),
        locked_out: Vec::new(),
        exposed: Vec::new(),
        tests: Tests::default(),
        guard,
        summary: String::new(),
    };
    if old.text() != new.text() {
        review.changes = diff_of(documents);
        review.issues = new_issues((old, &before.check.issues), (new, &after.check.issues));
        review.tests = Tests::of(before.policy, after.policy);
        review.unchanged = review.tests == Tests::default()
            && meaning::is_same([before.policy, after.policy], &review.changes);
    }
    if !review.unchanged {
        let judges = [before, after].map(|judged| Judge::new(judged.policy, context));
        let judges = judges.each_ref();
        review.access = diff_access::diff_of(judges);
        review.ssh = diff_ssh::diff_of(judges.map(|judge| &judge.network));
        review.locked_out = reach::locked_out(judges, &review.access, &review.ssh);
        review.exposed = reach::exposed(judges);
    }
    review.summary = summary::of(&review);
    review
}
