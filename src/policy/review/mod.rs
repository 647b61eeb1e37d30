//! Everything that a reviewer of a change wants to know, and the same as Markdown.
//! Must not live here: what each part of it says (the verbs, and the files beside this one).

mod answer;
mod issues;
mod meaning;
mod names;
mod reach;
mod summary;
mod tests;

pub use answer::Review;
pub use reach::{Exposure, Public};
pub use summary::Guarded;
pub use tests::{TestRef, Tests};

use super::diff::diff;
use super::diff_access::diff_of;
use super::diff_ssh;
use super::language::document::Policy;
use super::tailnet::flow::Judge;
use super::tailnet::topology::Topology;
use super::verdict::{Check, Error};

/// One of the documents, with what was found in it: both of one tailnet.
#[derive(Clone, Copy)]
pub struct Judged<'p> {
    /// The document.
    pub policy: &'p Policy<'p>,
    /// The whole verdict on it.
    pub check: &'p Check,
}

/// Reviews a change between two documents that have answers. `guard` is how the assertions of a guard ended for the later one, if
/// there is a guard: they stand in the summary.
///
/// # Errors
/// None of documents that were read; the syntax error of a text otherwise.
#[inline(never)]
pub fn review<'p>(
    before: Judged<'p>,
    after: Judged<'p>,
    topology: &'p Topology,
    guard: Option<&[Guarded]>,
) -> Result<Review, Error> {
    let texts = [before, after].map(|judged| judged.policy.document.text());
    let [old, new] = texts;
    let judges = [before, after].map(|judged| Judge::new(judged.policy, topology));
    let judges = [&judges[0], &judges[1]];
    let mut review = Review {
        unchanged: true,
        changes: Vec::new(),
        issues: Vec::new(),
        access: Vec::new(),
        ssh: Vec::new(),
        locked_out: Vec::new(),
        exposed: Vec::new(),
        tests: Tests::default(),
        summary: String::new(),
    };
    if old != new {
        review.changes = diff(old, new)?;
        review.issues = issues::new_issues(
            (before.policy.document, &before.check.issues),
            (after.policy.document, &after.check.issues),
        );
        review.tests = Tests::of(before.policy, after.policy);
        let tests_stay = review.tests == Tests::default();
        review.unchanged =
            tests_stay && meaning::is_same(before.policy, after.policy, &review.changes);
    }
    if !review.unchanged {
        review.access = diff_of(judges);
        review.ssh = diff_ssh::diff_of(judges.map(|judge| &judge.network));
        review.locked_out = reach::locked_out(judges, &review.access, &review.ssh);
        review.exposed = reach::exposed(judges);
    }
    review.summary = summary::of(&review, guard);
    Ok(review)
}
