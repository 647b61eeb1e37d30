//! The first line of a summary: what matters most, counted.
//! Must not live here: the parts below it (summary.rs).

use super::answer::Review;
use super::postures::PostureTurn;
use crate::hujson::Severity;
use crate::policy::access_change::AccessReach;
use crate::policy::findings::words::joined;
use crate::policy::prove::Proof;

/// Whether nothing changes under some condition.
pub fn is_conditional(reach: &AccessReach) -> bool {
    reach.opens.iter().any(|opening| !opening.unless.is_empty())
}

/// How much there is of something, and what it is called: one of it, and several.
type Counted = (usize, &'static str, &'static str);

/// The first line: what matters most.
pub fn headline(review: &Review) -> String {
    let mut counted = vec![(review.exposed.len(), "open to many", "open to many")];
    counted.extend(access(review));
    counted.extend(logins(review));
    counted.extend(powers(review));
    counted.extend(text(review));
    let mut said = Vec::new();
    for (count, one, many) in counted {
        if count > 0 {
            let what = if count == 1 { one } else { many };
            said.push(joined(&[&count.to_string(), " ", what]));
        }
    }
    let said = said.join(", ");
    let text = match (review.unchanged, said.is_empty()) {
        (true, true) => joined(&[SAME, "."]),
        (true, false) => joined(&[SAME, "; ", &said, "."]),
        (false, true) => {
            "**Nobody gains or loses access, logins or powers**; other settings change.".to_owned()
        }
        (false, false) => joined(&["**", &said, "**"]),
    };
    let guard = review.guard.as_ref();
    joined(&[&text, &guard.map_or(String::new(), guard_words)])
}

fn access(review: &Review) -> [Counted; 6] {
    let mut counts = [0; 4];
    for change in &review.access {
        let gains = change.gained.iter().any(|reach| !is_conditional(reach));
        let loses = change.lost.iter().any(|reach| !is_conditional(reach));
        let mut both = change.gained.iter().chain(change.lost.iter());
        let other = both.any(is_conditional);
        count(
            &mut counts,
            [gains, loses, other, !change.undecided.is_empty()],
        );
    }
    let [gains, loses, other, undecided] = counts;
    let nobody = "reached by nobody any more";
    [
        (gains, "gains access", "gain access"),
        (loses, "loses access", "lose access"),
        (other, "on other conditions", "on other conditions"),
        (undecided, "undecided", "undecided"),
        (review.locked_out.len(), "locked out", "locked out"),
        (review.orphaned.len(), nobody, nobody),
    ]
}

fn logins(review: &Review) -> [Counted; 4] {
    let mut counts = [0; 4];
    for change in &review.ssh {
        let lists = [&change.gained, &change.lost, &change.undecided];
        let [gains, loses, undecided] = lists.map(|list| !list.is_empty());
        count(
            &mut counts,
            [gains, loses, !change.checked.is_empty(), undecided],
        );
    }
    let [gains, loses, other, undecided] = counts;
    [
        (gains, "gains SSH logins", "gain SSH logins"),
        (loses, "loses SSH logins", "lose SSH logins"),
        (other, "logs in by SSH otherwise", "log in by SSH otherwise"),
        (undecided, "undecided by SSH", "undecided by SSH"),
    ]
}

fn powers(review: &Review) -> [Counted; 3] {
    let mut counts = [0; 3];
    for change in &review.powers {
        let lists = [&change.gained, &change.lost, &change.undecided];
        count(&mut counts, lists.map(|list| !list.is_empty()));
    }
    let [gains, loses, undecided] = counts;
    let perhaps = "undecided about powers";
    [
        (gains, "gains powers", "gain powers"),
        (loses, "loses powers", "lose powers"),
        (undecided, perhaps, perhaps),
    ]
}

/// Postures, issues and tests.
fn text(review: &Review) -> [Counted; 6] {
    let postures = |now| review.postures.iter().filter(|it| it.now == now).count();
    let errors = review.issues.iter();
    let errors = errors
        .filter(|issue| issue.severity == Severity::Error)
        .count();
    let warnings = review.issues.len() - errors;
    let (removed, less) = (review.tests.removed.len(), review.tests.changed.len());
    [
        (
            postures(PostureTurn::Looser),
            "posture looser",
            "postures looser",
        ),
        (
            postures(PostureTurn::Tighter),
            "posture tighter",
            "postures tighter",
        ),
        (errors, "new error", "new errors"),
        (warnings, "new warning", "new warnings"),
        (removed, "test removed", "tests removed"),
        (less, "test checks less", "tests check less"),
    ]
}

/// For an edit without meaning.
const SAME: &str = "**Nothing changes in meaning**: layout, order, spelling or names alone";

/// One more of each that is so.
fn count<const N: usize>(counts: &mut [usize; N], is_so: [bool; N]) {
    for (count, is_so) in counts.iter_mut().zip(is_so) {
        *count += usize::from(is_so);
    }
}

fn guard_words(guard: &Proof) -> String {
    let count = |wanted| {
        let results = guard.results.iter();
        results.filter(|result| result.holds == wanted).count()
    };
    let all = guard.results.len().to_string();
    let (broken, undecided) = (count(Some(false)).to_string(), count(None).to_string());
    match (broken.as_str(), undecided.as_str()) {
        ("0", "0") => joined(&[" Guard: all ", &all, " hold."]),
        _ => joined(&[
            " **Guard: ",
            &broken,
            " broken, ",
            &undecided,
            " undecided** of ",
            &all,
            ".",
        ]),
    }
}
