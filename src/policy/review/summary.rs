//! A review as Markdown to be read from top to bottom: at most 60 lines, however large the change.
//! Must not live here: the results themselves, their first line (headline.rs), code spans (markdown.rs).

use super::answer::Review;
use super::devices;
use super::guard::{claim, reason};
use super::headline::headline;
use super::logins::NetworkLogin;
use super::markdown::{NAMED, code, few};
use super::place::{from_of, source_part};
use super::postures::{PostureChange, PostureTurn};
use super::reach::Exposure;
use super::reached::{SourcesAlike, lines_of};
use super::renamed::Renamed;
use super::settings;
use super::swapped::is_swapped;
use super::tests::{TestRef, Tests};
use super::treated;
use super::undecided::{Doubt, UndecidedLines};
use super::words;
use crate::hujson::pointer::{index, tokens};
use crate::hujson::{Issue, Severity};
use crate::policy::access_change::AccessReach;
use crate::policy::findings::words::joined;
use crate::policy::language::document::Policy;
use crate::policy::language::grammar::Content;
use crate::policy::language::opening::cover;
use crate::policy::powers::PowerKind;
use crate::policy::prove::ProofResult;
use crate::policy::ssh_change::SshReach;
use crate::policy::tailnet::parties::Party;
use crate::policy::test_report::TestSection;
use crate::tables::sort;

/// Lines of a summary.
const LINES: usize = 60;

/// Lines that every part keeps while a lighter one can be cut.
const KEPT: usize = 4;

/// A heading with its lines, the worst first.
struct SummaryPart {
    heading: &'static str,
    lines: Vec<String>,
    /// How many of them are shown.
    shown: usize,
}

/// The summary of a review.
#[inline(never)]
pub fn of(review: &Review, after: &Policy<'_>) -> String {
    let mut parts = parts_of(review, after);
    cut(&mut parts);
    let mut text = headline(review);
    text.push('\n');
    for part in &parts {
        let (shown, all) = (part.shown.to_string(), part.lines.len().to_string());
        let cut = joined(&[": ", &shown, " of ", &all]);
        let is_cut = part.shown < part.lines.len();
        text.push_str(&joined(&[
            "\n### ",
            part.heading,
            if is_cut { &cut } else { "" },
            "\n",
        ]));
        for line in part.lines.iter().take(part.shown) {
            text.push_str(&joined(&["- ", line, "\n"]));
        }
    }
    text
}

/// Cuts the lines until they fit: of the lighter parts first, and every part keeps its first.
fn cut(parts: &mut [SummaryPart]) {
    let left = |parts: &[SummaryPart]| {
        let length = parts.iter().map(|part| 2 + part.shown).sum::<usize>();
        (length + 1).saturating_sub(LINES)
    };
    for least in [KEPT, 1] {
        for at in (0..parts.len()).rev() {
            let over = left(parts);
            if let Some(part) = parts.get_mut(at) {
                let most = part.shown.saturating_sub(least);
                part.shown -= over.min(most);
            }
        }
    }
}

/// The parts, the heaviest first.
fn parts_of(review: &Review, after: &Policy<'_>) -> Vec<SummaryPart> {
    let mut parts = Vec::new();
    let guarded = review.guard.iter().flat_map(|proof| &proof.results);
    let shown = guarded.filter(|result| result.holds != Some(true) || result.why.is_some());
    let (holding, broken): (Vec<_>, Vec<_>) = shown.partition(|result| result.holds == Some(true));
    let guarded = broken.into_iter().chain(holding);
    add(&mut parts, "Guard", guarded.map(guard_line).collect());
    add(&mut parts, "New errors", issue_lines(review, after, true));
    if !review.unchanged {
        add_changes(review, &mut parts);
        let warnings = issue_lines(review, after, false);
        add(&mut parts, "New warnings", warnings);
    }
    parts
}

fn add_changes(review: &Review, parts: &mut Vec<SummaryPart>) {
    let is_said = |it: &Exposure| {
        let mut others = review.exposed.iter().filter(|other| other.to == it.to);
        !it.is_all && others.any(|other| other.is_all && cover(&other.opens, &it.opens))
    };
    let exposed = review.exposed.iter().filter(|it| !is_said(it));
    let exposed = exposed.map(words::exposure);
    let mut exposed: Vec<(u8, String)> = exposed.collect();
    sort::sort_by(&mut exposed, |one, other| one.0.cmp(&other.0));
    let [gained, freed, swapped, undecided, lost, bound] = access_lines(review);
    let [logs_in, treated, mut login_undecided, logs_out] = login_lines(review);
    let [by_network, perhaps_by_network] = network_lines(&review.network_logins);
    login_undecided.extend(perhaps_by_network);
    let [may, records_less, perhaps, may_not, records_more] = power_lines(review);
    let parties = |list: &[Party]| {
        let lines = list.chunks(NAMED).map(|names| {
            let names: Vec<String> = names.iter().map(|party| code(&party.name)).collect();
            names.join(", ")
        });
        lines.collect()
    };
    let renamed = review.renamed.iter().map(renamed_line).collect();
    let postures = review.postures.iter().map(posture_line).collect();
    let exposed = exposed.into_iter().map(|(_, line)| line).collect();
    for (heading, lines) in [
        ("Renamed", renamed),
        ("Open to many", exposed),
        ("Gains access", gained),
        ("Gains SSH logins", logs_in),
        ("SSH logins by the network", by_network),
        (
            "Devices",
            review.devices.iter().flat_map(devices::lines).collect(),
        ),
        ("Gains powers", may),
        ("Records fewer sessions", records_less),
        ("Needs fewer or other conditions", freed),
        ("Needs other postures", swapped),
        ("SSH logins treated otherwise", treated),
        ("Undecided", undecided),
        ("SSH logins undecided", login_undecided),
        ("Powers undecided", perhaps),
        ("Has nothing left", parties(&review.locked_out)),
        ("Nobody reaches any more", parties(&review.orphaned)),
        ("Loses access", lost),
        ("Needs more or other conditions", bound),
        ("Loses SSH logins", logs_out),
        ("Loses powers", may_not),
        ("Records sessions more strictly", records_more),
        ("Postures", postures),
        ("Tests", test_lines(&review.tests)),
        ("Other settings", settings::lines(&review.changes)),
    ] {
        add(parts, heading, lines);
    }
}

/// Who gains, has with fewer conditions or with other postures, may gain or lose, loses, or keeps only on conditions which access.
fn access_lines(review: &Review) -> [Vec<String>; 6] {
    let mut reported: [SourcesAlike<'_>; 5] = Default::default();
    let mut perhaps = UndecidedLines::default();
    let [gains, freed, swapped, losses, bound] = &mut reported;
    let is_free = |reach: &&AccessReach| !reach.is_conditional();
    for change in &review.access {
        let source = &change.party;
        let mut gained: Vec<&AccessReach> = change.gained.iter().collect();
        // Whoever gains everything need not be reported of each part of it, but of other ports.
        if let Some(all) = gained.iter().copied().find(|reach| reach.weight.is_all) {
            gains.add(source, std::iter::once(all), words::access_to_all);
            gained.retain(|reach| !cover(&all.opens, &reach.opens));
        }
        let free = gained.iter().copied().filter(is_free);
        gains.add(source, free, words::access);
        let others = gained.iter().copied().filter(|reach| !is_free(reach));
        let others = others.filter(|reach| !is_swapped(change, reach));
        freed.add(source, others, words::access);
    }
    for change in &review.conditions.access {
        let (source, gained) = (&change.party, &change.gained);
        gains.add(source, gained.iter().filter(is_free), words::access_anyhow);
        let others = gained.iter().filter(|reach| !is_free(reach));
        let others = others.filter(|reach| !is_swapped(change, reach));
        freed.add(source, others, words::access_anyhow);
    }
    for (changes, words) in [
        (&review.access, words::access as fn(_) -> _),
        (&review.conditions.access, words::access_anyhow),
    ] {
        for change in changes {
            let source = &change.party;
            let undecided = change.undecided.iter();
            let undecided = undecided.map(|reach| (reach, Doubt::of(reach.may)));
            let lost = || change.lost.iter();
            let doubtful = lost().filter(|reach| reach.is_doubtful());
            let doubtful = doubtful.map(|reach| (reach, Doubt::of_lost(is_free(&reach))));
            perhaps.add(source, undecided.chain(doubtful), words);
            let certain = || lost().filter(|reach| !reach.is_doubtful());
            losses.add(source, certain().filter(is_free), words);
            let others = || certain().filter(|reach| !is_free(reach));
            let other = others().filter(|reach| is_swapped(change, reach));
            swapped.add(source, other, words);
            let more = others().filter(|reach| !is_swapped(change, reach));
            bound.add(source, more, words);
        }
    }
    let [gains, freed, swapped, losses, bound] = lines_of(
        &reported,
        [
            [" reaches ", " reach "],
            [" reaches ", " reach "],
            [" reaches ", " reach "],
            [" no longer reaches ", " no longer reach "],
            [" reaches ", " reach "],
        ],
    );
    let perhaps = perhaps.lines([" perhaps reaches ", " perhaps reach "]);
    [gains, freed, swapped, perhaps, losses, bound]
}

fn login_lines(review: &Review) -> [Vec<String>; 4] {
    let mut reported: [SourcesAlike<'_>; 3] = Default::default();
    let mut perhaps = UndecidedLines::default();
    let [gains, checked, losses] = &mut reported;
    let is_free = |reach: &&SshReach| reach.unless.is_empty();
    for (changes, of_gained, words) in [
        (
            &review.ssh,
            words::gained_login as fn(_) -> _,
            words::login as fn(_) -> _,
        ),
        (
            &review.conditions.ssh,
            words::login_anyhow,
            words::login_anyhow,
        ),
    ] {
        for change in changes {
            let source = &change.party;
            checked.add(source, change.checked.iter(), treated::checked);
            let undecided = change.undecided.iter();
            let undecided = undecided.map(|reach| (reach, Doubt::of(reach.may)));
            let lost = || change.lost.iter();
            let doubtful = lost().filter(|reach| reach.is_doubtful());
            let doubtful = doubtful.map(|reach| (reach, Doubt::of_lost(is_free(&reach))));
            perhaps.add(source, undecided.chain(doubtful), words);
            let gained = || change.gained.iter();
            gains.add(source, gained().filter(is_free), of_gained);
            checked.add(source, gained().filter(|it| !is_free(it)), of_gained);
            let certain = || lost().filter(|reach| !reach.is_doubtful());
            losses.add(source, certain().filter(is_free), words);
            checked.add(source, certain().filter(|it| !is_free(it)), words);
        }
    }
    let [gains, checked, losses] = lines_of(
        &reported,
        [
            [" logs in to ", " log in to "],
            [" at ", " at "],
            [" no longer logs in to ", " no longer log in to "],
        ],
    );
    let perhaps = perhaps.lines([" perhaps logs in to ", " perhaps log in to "]);
    [gains, checked, perhaps, losses]
}

fn power_lines(review: &Review) -> [Vec<String>; 5] {
    let mut reported: [SourcesAlike<'_>; 4] = Default::default();
    let mut perhaps = UndecidedLines::default();
    let [gained, records_less, lost, records_more] = &mut reported;
    for change in &review.powers {
        for (list, is_more) in [(&mut *gained, false), (&mut *records_more, true)] {
            let powers = change.gained.iter();
            let own = powers.filter(|it| it.records_more() == is_more);
            list.add(&change.party, own, words::power);
        }
        let undecided = change.undecided.iter();
        let undecided = undecided.map(|power| (power, Doubt::of(power.may)));
        perhaps.add(&change.party, undecided, words::power);
        for (list, is_recorder) in [(&mut *records_less, true), (&mut *lost, false)] {
            let powers = change.lost.iter();
            let own = powers.filter(|it| (it.kind == PowerKind::Recorder) == is_recorder);
            list.add(&change.party, own, words::power);
        }
    }
    let no_longer = " may no longer ";
    let verbs = [" may now ", no_longer, no_longer, " may now "].map(|verb| [verb, verb]);
    let [gained, records_less, lost, records_more] = lines_of(&reported, verbs);
    let verbs = [
        " perhaps may now ",
        " perhaps may, or no longer may, ",
        " perhaps may no longer ",
        "",
    ];
    let perhaps = lines_of(&perhaps.0, verbs.map(|verb| [verb, verb])).concat();
    [gained, records_less, perhaps, lost, records_more]
}

/// Logins that ssh rules allow before and after, and that only the network lets through or no longer does, for certain and perhaps.
fn network_lines(logins: &[NetworkLogin]) -> [Vec<String>; 2] {
    let (mut certain, mut perhaps) = (Vec::new(), Vec::new());
    for is_open in [true, false] {
        for login in logins.iter().filter(|login| login.is_open == is_open) {
            let users = login.users.iter().take(NAMED).map(|user| code(user));
            let users = few(users.collect(), login.users.len(), ", ");
            let (lines, how) = match (login.may, is_open) {
                (None, true) => (&mut certain, " get through now that port 22 is open"),
                (None, false) => (&mut certain, " no longer get through, as port 22 is closed"),
                (_, true) => (
                    &mut perhaps,
                    " may get through now: whether port 22 is open, or was, is undecided",
                ),
                (_, false) => (
                    &mut perhaps,
                    " may no longer get through: whether port 22 is open, or was, is undecided",
                ),
            };
            let (from, to) = (code(&login.source), code(&login.destination));
            lines.push(joined(&[
                "logins of ",
                &from,
                &source_part(from_of(login.part.as_ref())),
                " to ",
                &to,
                " as ",
                &users,
                how,
            ]));
        }
    }
    [certain, perhaps]
}

fn renamed_line(renamed: &Renamed) -> String {
    let (from, to) = (code(&renamed.from), code(&renamed.to));
    joined(&[
        &from,
        " looks renamed to ",
        &to,
        "; devices keep the old tag until somebody changes it on each",
    ])
}

fn posture_line(change: &PostureChange) -> String {
    let now = match change.now {
        PostureTurn::Tighter => "tighter",
        PostureTurn::Looser => "looser",
        PostureTurn::Same => "written differently",
        PostureTurn::Other => match (&change.before, &change.after) {
            (None, _) => "new",
            (_, None) => "gone",
            _ => "changed",
        },
    };
    let text = |list: &Option<Vec<String>>| {
        list.as_ref()
            .map_or("nothing".to_owned(), |list| code(&list.join(" and ")))
    };
    joined(&[
        &code(&change.name),
        " is ",
        now,
        ": ",
        &text(&change.before),
        " → ",
        &text(&change.after),
    ])
}

fn test_lines(tests: &Tests) -> Vec<String> {
    let mut lines = Vec::new();
    for (verb, list) in [
        (" no longer checks ", &tests.changed),
        (" of the old text is gone; no test checks ", &tests.removed),
        (" now also checks ", &tests.grown),
    ] {
        for changed in list {
            let gone = changed.no_longer.iter().take(NAMED).map(|name| code(name));
            let gone = few(gone.collect(), changed.no_longer.len(), ", ");
            lines.push(joined(&[&test_line(&changed.test), verb, &gone]));
        }
    }
    let is_new = |test: &&TestRef| tests.grown.iter().all(|it| it.test != **test);
    let added = tests.added.iter().filter(is_new);
    lines.extend(added.map(|test| joined(&[&test_line(test), " is new"])));
    lines
}

fn add(parts: &mut Vec<SummaryPart>, heading: &'static str, lines: Vec<String>) {
    if !lines.is_empty() {
        let shown = lines.len();
        parts.push(SummaryPart {
            heading,
            lines,
            shown,
        });
    }
}

fn guard_line(result: &ProofResult) -> String {
    let how = match result.holds {
        Some(true) => "holds: ",
        Some(false) => "broken: ",
        None => "undecided: ",
    };
    let line = result.line.map_or(String::new(), |line| {
        joined(&[" (line ", &line.to_string(), ")"])
    });
    let why = reason(result).map_or(String::new(), |why| joined(&[": ", &code(&why)]));
    let rules = words::rules(&result.because, false);
    joined(&[how, &code(&claim(result)), &line, &why, &rules])
}

/// The issues of one severity; equal words stand once.
fn issue_lines(review: &Review, after: &Policy<'_>, is_error: bool) -> Vec<String> {
    let issues = review.issues.iter();
    let issues = issues.filter(|issue| (issue.severity == Severity::Error) == is_error);
    let mut groups: Vec<(&Issue, Vec<String>)> = Vec::new();
    for issue in issues {
        let line = issue.line.to_string();
        match groups
            .iter_mut()
            .find(|(first, _)| first.message == issue.message)
        {
            Some((_, lines)) => lines.push(line),
            None => groups.push((issue, vec![line])),
        }
    }
    let mut texts = Vec::with_capacity(groups.len());
    for (issue, lines) in groups {
        let tested = tested(issue, after).map_or(String::new(), |src| {
            joined(&["the test of ", &code(src), ", "])
        });
        let count = lines.len();
        let lines = few(lines.into_iter().take(NAMED).collect(), count, ", ");
        let word = if count == 1 { "line " } else { "lines " };
        texts.push(joined(&[
            &tested,
            word,
            &lines,
            ": ",
            &code(&issue.message),
        ]));
    }
    texts
}

/// The source of the test that an issue is about.
fn tested<'p>(issue: &Issue, after: &Policy<'p>) -> Option<&'p str> {
    let tokens = tokens(issue.pointer.as_deref()?)?;
    let at = index(tokens.get(1)?)?;
    let source = match Content::document(after.dialect).key(tokens.first()?)?.name {
        "tests" => after.tests.get(at)?.source,
        "sshTests" => after.ssh_tests.get(at)?.source,
        _ => None,
    };
    source.map(|source| source.text())
}

fn test_line(test: &TestRef) -> String {
    let section = match test.section {
        TestSection::Tests => "tests",
        TestSection::SshTests => "sshTests",
    };
    let (index, line) = (test.index.to_string(), test.line.to_string());
    joined(&[
        "the test of ",
        &code(&test.src),
        " (",
        section,
        "[",
        &index,
        "] line ",
        &line,
        ")",
    ])
}
