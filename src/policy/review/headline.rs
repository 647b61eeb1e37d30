//! The first line of a summary: what matters most, counted.
//! Must not live here: the parts below it (summary.rs).

use super::answer::Review;
use super::postures::PostureTurn;
use super::reach::Public;
use super::swapped::is_swapped;
use crate::hujson::Severity;
use crate::policy::access_change::{AccessChange, AccessReach, AccessReaches};
use crate::policy::findings::words::joined;
use crate::policy::language::opening::cover;
use crate::policy::powers::{Power, PowerKind};
use crate::policy::prove::Proof;
use crate::policy::relation::item::Besides;
use crate::policy::ssh_change::{Direction, SshReach};

/// How much there is of something, and what it is called: how it begins for one of it and for several, and how it goes on.
type Counted = (usize, &'static str, &'static str, &'static str);

/// The first line: what matters most.
pub fn headline(review: &Review) -> String {
    let mut counted = Vec::from(text(review));
    counted.extend(exposed(review));
    counted.extend(access(review));
    counted.extend(logins(review));
    counted.extend(powers(review));
    counted.extend(rest(review));
    let mut said = Vec::new();
    for (count, one, many, rest) in counted {
        if count > 0 {
            let what = if count == 1 { one } else { many };
            said.push(joined(&[&count.to_string(), " ", what, rest]));
        }
    }
    let said = said.join(", ");
    let is_other = !review.unchanged && is_silent(review);
    let text = match (review.unchanged, said.is_empty()) {
        (true, true) => joined(&[SAME, "."]),
        (true, false) => joined(&[SAME, "; ", &said, "."]),
        (false, true) => joined(&[NOBODY, "; other settings change."]),
        (false, false) if is_other => joined(&[NOBODY, ": ", &said, "."]),
        (false, false) => joined(&["**", &said, "**"]),
    };
    let guard = review.guard.as_ref();
    joined(&[&text, &guard.map_or(String::new(), guard_words)])
}

/// Whether nothing is reported of people, nor of a device that is let in or kept out: what arrives of its access changes, too.
fn is_silent(review: &Review) -> bool {
    review.devices.is_empty()
        && review.access.is_empty()
        && review.ssh.is_empty()
        && review.powers.is_empty()
        && review.conditions.is_empty()
}

fn exposed(review: &Review) -> [Counted; 3] {
    let count = |to| {
        let own = || review.exposed.iter().filter(|it| it.to == to);
        match own().find(|it| it.is_all) {
            Some(all) => 1 + own().filter(|it| !cover(&all.opens, &it.opens)).count(),
            None => own().count(),
        }
    };
    [
        (count(Public::Anyone), "open", "open", " to any address"),
        (count(Public::Outsiders), "open", "open", " to outsiders"),
        (count(Public::Everybody), "open", "open", " to everybody"),
    ]
}

/// How much of what one source gains or loses is a change of its own: all that it reaches there; only some ports; only what
/// goes through some router; nothing that anybody can use today; only conditions.
fn kinds_of(change: &AccessChange, reaches: &AccessReaches) -> [bool; 6] {
    let mut all = reaches.iter().filter(|reach| reach.weight.is_all);
    let is_real = |it: &AccessReach| !it.is_conditional() && !it.is_doubtful();
    let all = all.find(|reach| is_real(reach) && !reach.weight.is_idle);
    let mut real = all.is_some();
    let (mut partial, mut routed, mut today) = Default::default();
    let (mut conditional, mut swapped) = Default::default();
    for reach in reaches.iter() {
        match reach {
            _ if reach.is_doubtful() => {}
            // Whoever gains everything gains each part of it.
            _ if all.is_some_and(|all| all.weight.is_gained && cover(&all.opens, &reach.opens)) => {
            }
            _ if reach.is_conditional() && is_swapped(change, reach) => swapped = true,
            _ if reach.is_conditional() => conditional = true,
            _ if reach.weight.is_idle => today = true,
            _ => match reach.weight.besides {
                Besides::Rerouted => routed = true,
                Besides::Others => partial = true,
                Besides::Nothing => real = true,
            },
        }
    }
    [
        real,
        partial && !real,
        routed && !real && !partial,
        today && !real && !partial && !routed,
        conditional,
        swapped,
    ]
}

fn access(review: &Review) -> [Counted; 14] {
    let (mut gains, mut losses) = ([0; 6], [0; 6]);
    let mut undecided = [0];
    for change in review.access.iter().chain(&review.conditions.access) {
        count(&mut gains, kinds_of(change, &change.gained));
        count(&mut losses, kinds_of(change, &change.lost));
        let is_doubtful = change.lost.iter().any(AccessReach::is_doubtful);
        count(
            &mut undecided,
            [is_doubtful || !change.undecided.is_empty()],
        );
    }
    let [new, more, routed, idle, freed, swapped] = gains;
    let [gone, fewer, unrouted, was_idle, bound, _] = losses;
    let orphaned = review.orphaned.len();
    [
        (new, "gains", "gain", " access"),
        (more, "reaches", "reach", " more ports"),
        (routed, "gains a route", "gain routes", ""),
        (idle, "gains", "gain", " access that nobody can use today"),
        (freed, "needs", "need", " fewer or other conditions"),
        (swapped, "needs", "need", " other postures"),
        (undecided[0], "undecided", "undecided", ""),
        (review.locked_out.len(), "locked", "locked", " out"),
        (orphaned, "reached", "reached", " by nobody any more"),
        (gone, "loses", "lose", " access"),
        (fewer, "reaches", "reach", " fewer ports"),
        (unrouted, "loses a route", "lose routes", ""),
        (was_idle, "loses", "lose", " access that nobody could use"),
        (bound, "needs", "need", " more or other conditions"),
    ]
}

fn logins(review: &Review) -> [Counted; 8] {
    let mut counts = [0; 5];
    for change in review.ssh.iter().chain(&review.conditions.ssh) {
        let some = |list: &[SshReach], free| {
            let mut certain = list.iter().filter(|it| !it.is_doubtful());
            certain.any(|it| it.unless.is_empty() == free)
        };
        let turns = |now| change.checked.iter().any(|checked| checked.now == now);
        let looser = turns(Direction::Looser) || some(&change.gained, false);
        let tighter = turns(Direction::Tighter) || some(&change.lost, false);
        let [gains, loses] = [&change.gained, &change.lost].map(|list| some(list, true));
        let is_doubtful = change.lost.iter().any(SshReach::is_doubtful);
        let undecided = is_doubtful || !change.undecided.is_empty();
        count(&mut counts, [gains, looser, undecided, loses, tighter]);
    }
    let [gains, looser, undecided, loses, tighter] = counts;
    let [opened, closed] = [true, false].map(|is_open| {
        let own = review.network_logins.iter();
        own.filter(|it| it.is_open == is_open && it.may.is_none())
            .count()
    });
    let perhaps = review.network_logins.len() - opened - closed;
    [
        (gains, "gains", "gain", " SSH logins"),
        (
            opened,
            "SSH login",
            "SSH logins",
            " let through by the network",
        ),
        (looser, "logs", "log", " in by SSH on fewer conditions"),
        (undecided, "undecided", "undecided", " by SSH"),
        (
            perhaps,
            "SSH login",
            "SSH logins",
            " undecided by the network",
        ),
        (loses, "loses", "lose", " SSH logins"),
        (closed, "SSH login", "SSH logins", " cut off by the network"),
        (tighter, "logs", "log", " in by SSH on more conditions"),
    ]
}

fn powers(review: &Review) -> [Counted; 5] {
    let mut counts = [0; 5];
    for change in &review.powers {
        let some = |list: &[Power], is_recorder| {
            let mut kinds = list.iter().map(|power| power.kind == PowerKind::Recorder);
            kinds.any(|kind| kind == is_recorder)
        };
        let gains = change.gained.iter().any(|power| !power.records_more());
        let records_more = change.gained.iter().any(Power::records_more);
        let [loses, records_less] = [false, true].map(|kind| some(&change.lost, kind));
        count(
            &mut counts,
            [
                gains,
                loses,
                records_less,
                records_more,
                !change.undecided.is_empty(),
            ],
        );
    }
    let [gains, loses, records_less, records_more, undecided] = counts;
    [
        (gains, "gains", "gain", " powers"),
        (records_less, "records", "record", " fewer sessions"),
        (loses, "loses", "lose", " powers"),
        (records_more, "records", "record", " sessions more strictly"),
        (undecided, "undecided", "undecided", " about powers"),
    ]
}

/// New errors.
fn text(review: &Review) -> [Counted; 1] {
    let errors = review.issues.iter();
    let errors = errors.filter(|issue| issue.severity == Severity::Error);
    [(errors.count(), "new error", "new errors", "")]
}

/// Devices, postures, tests, names and warnings.
fn rest(review: &Review) -> [Counted; 10] {
    let postures = |now| {
        let changed = review.postures.iter().filter(|it| it.is_redefined());
        changed.filter(|it| it.now == now).count()
    };
    let warnings = review.issues.iter();
    let warnings = warnings.filter(|issue| issue.severity != Severity::Error);
    let (removed, less) = (review.tests.removed.len(), review.tests.changed.len());
    let more = review.tests.grown.len();
    let new = review.tests.added.len() - more;
    let looser = postures(PostureTurn::Looser);
    let tighter = postures(PostureTurn::Tighter);
    [
        (
            review.devices.len(),
            "device takes",
            "devices take",
            " part otherwise",
        ),
        (looser, "posture", "postures", " looser"),
        (tighter, "posture", "postures", " tighter"),
        (
            postures(PostureTurn::Other),
            "posture",
            "postures",
            " changed",
        ),
        (review.renamed.len(), "tag", "tags", " renamed"),
        (removed, "test", "tests", " removed"),
        (less, "test checks", "tests check", " less"),
        (more, "test checks", "tests check", " more"),
        (new, "new test", "new tests", ""),
        (warnings.count(), "new warning", "new warnings", ""),
    ]
}

/// For an edit that changes something else.
const NOBODY: &str = "**Nobody gains or loses access, logins or powers**";

/// For an edit without meaning.
const SAME: &str =
    "**Nothing changes in meaning**: access, logins, powers and settings are the same";

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
