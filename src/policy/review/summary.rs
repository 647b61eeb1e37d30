//! A review as Markdown to be read from top to bottom: at most 60 lines, however large the change.
//! Must not live here: the results themselves, their first line (headline.rs), code spans (markdown.rs).

use super::answer::Review;
use super::guard::{claim, reason};
use super::headline::{headline, is_conditional};
use super::markdown::{NAMED, code, few};
use super::postures::{PostureChange, PostureTurn};
use super::reached::Reached;
use super::tests::{ChangedTest, TestRef};
use super::words;
use crate::hujson::{Issue, Severity};
use crate::policy::access_change::AccessReach;
use crate::policy::diff::{Change, ChangeKind};
use crate::policy::findings::words::joined;
use crate::policy::prove::ProofResult;
use crate::policy::tailnet::parties::Party;
use crate::policy::test_report::TestSection;

/// Lines of a summary.
const LINES: usize = 60;

/// A heading with its lines.
struct Part {
    heading: &'static str,
    lines: Vec<String>,
}

/// The summary of a review.
#[inline(never)]
pub fn of(review: &Review) -> String {
    let mut parts = Vec::new();
    if !review.unchanged {
        parts = parts_of(review);
    }
    let guarded = review.guard.iter().flat_map(|proof| &proof.results);
    let broken = guarded.filter(|result| result.holds != Some(true));
    add(&mut parts, "Guard", broken.map(guard_line).collect());
    let mut text = headline(review);
    text.push('\n');
    let mut shown = LINES;
    while length(&parts, shown) + 1 > LINES && shown > 0 {
        shown -= 1;
    }
    for part in &parts {
        text.push_str(&joined(&["\n### ", part.heading, "\n"]));
        let left = part.lines.len().saturating_sub(shown);
        for line in part.lines.iter().take(shown) {
            text.push_str(&joined(&["- ", line, "\n"]));
        }
        if left > 0 {
            text.push_str(&joined(&["- and ", &left.to_string(), " more\n"]));
        }
    }
    text
}

fn parts_of(review: &Review) -> Vec<Part> {
    let mut parts = Vec::new();
    let exposed = review.exposed.iter().map(words::exposure);
    add(&mut parts, "Open to many", exposed.collect());
    add_access(review, &mut parts);
    let code_of = |party: &Party| code(&party.name);
    add(
        &mut parts,
        "Has nothing left",
        review.locked_out.iter().map(code_of).collect(),
    );
    add(
        &mut parts,
        "Nobody reaches any more",
        review.orphaned.iter().map(code_of).collect(),
    );
    add_logins(review, &mut parts);
    add_powers(review, &mut parts);
    add(
        &mut parts,
        "Postures",
        review.postures.iter().map(posture_line).collect(),
    );
    add(
        &mut parts,
        "New issues",
        review.issues.iter().map(issue_line).collect(),
    );
    let tests = &review.tests;
    let mut lines: Vec<String> = Vec::new();
    lines.extend(tests.changed.iter().map(changed_test_line));
    lines.extend(tests.removed.iter().map(|test| test_line("removed", test)));
    lines.extend(tests.added.iter().map(|test| test_line("added", test)));
    add(&mut parts, "Tests", lines);
    add(
        &mut parts,
        "In the text",
        review.changes.iter().map(change_line).collect(),
    );
    parts
}

/// Who gains, loses or keeps on other conditions which access.
fn add_access(review: &Review, parts: &mut Vec<Part>) {
    let (mut gains, mut losses) = (Reached::default(), Reached::default());
    let (mut freed, mut bound) = (Reached::default(), Reached::default());
    let mut undecided = Reached::default();
    let is_free = |reach: &&AccessReach| !is_conditional(reach);
    for change in &review.access {
        let source = change.source.as_str();
        gains.add(source, change.gained.iter().filter(is_free), words::access);
        freed.add(
            source,
            change.gained.iter().filter(|it| !is_free(it)),
            words::access,
        );
        losses.add(source, change.lost.iter().filter(is_free), words::access);
        bound.add(
            source,
            change.lost.iter().filter(|it| !is_free(it)),
            words::access,
        );
        undecided.add(source, change.undecided.iter(), words::access);
    }
    add(parts, "Gains access", gains.lines([" reaches ", " reach "]));
    add(
        parts,
        "Loses access",
        losses.lines([" no longer reaches ", " no longer reach "]),
    );
    let mut lines = freed.lines([
        " reaches with fewer conditions ",
        " reach with fewer conditions ",
    ]);
    lines.extend(bound.lines([
        " now reaches only on conditions ",
        " now reach only on conditions ",
    ]));
    add(parts, "Reaches on other conditions", lines);
    let lines = undecided.lines([" may gain or lose ", " may gain or lose "]);
    add(parts, "Undecided", lines);
}

fn add_logins(review: &Review, parts: &mut Vec<Part>) {
    let (mut gains, mut losses) = (Reached::default(), Reached::default());
    let (mut checked, mut undecided) = (Reached::default(), Reached::default());
    for change in &review.ssh {
        let source = change.source.as_str();
        gains.add(source, change.gained.iter(), words::login);
        losses.add(source, change.lost.iter(), words::login);
        checked.add(source, change.checked.iter(), words::checked);
        undecided.add(source, change.undecided.iter(), words::login);
    }
    add(
        parts,
        "Gains SSH logins",
        gains.lines([" logs in to ", " log in to "]),
    );
    let losses = losses.lines([" no longer logs in to ", " no longer log in to "]);
    add(parts, "Loses SSH logins", losses);
    add(
        parts,
        "SSH logins treated otherwise",
        checked.lines([" at ", " at "]),
    );
    let undecided = undecided.lines([" may gain or lose ", " may gain or lose "]);
    add(parts, "SSH logins undecided", undecided);
}

fn add_powers(review: &Review, parts: &mut Vec<Part>) {
    let mut lines = [Vec::new(), Vec::new(), Vec::new()];
    for change in &review.powers {
        let lists = [&change.gained, &change.lost, &change.undecided];
        for ((powers, verb), lines) in lists
            .into_iter()
            .zip([" may now: ", " may no longer: ", " perhaps: "])
            .zip(&mut lines)
        {
            for power in powers {
                lines.push(joined(&[&code(&change.who), verb, &words::power(power)]));
            }
        }
    }
    let [gained, lost, undecided] = lines;
    add(parts, "Gains powers", gained);
    add(parts, "Loses powers", lost);
    add(parts, "Powers undecided", undecided);
}

fn posture_line(change: &PostureChange) -> String {
    let now = match change.now {
        PostureTurn::Tighter => "tighter",
        PostureTurn::Looser => "looser",
        PostureTurn::Same => "written differently",
        PostureTurn::Other => match (&change.before, &change.after) {
            (None, _) => "new",
            (_, None) => "gone",
            _ => "other",
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

fn changed_test_line(changed: &ChangedTest) -> String {
    let shown = changed
        .no_longer
        .iter()
        .take(NAMED)
        .map(|name| code(name))
        .collect();
    let gone = few(shown, changed.no_longer.len(), ", ");
    joined(&[
        &test_line("changed", &changed.test),
        ", no longer checks ",
        &gone,
    ])
}

fn add(parts: &mut Vec<Part>, heading: &'static str, lines: Vec<String>) {
    if !lines.is_empty() {
        parts.push(Part { heading, lines });
    }
}

/// The lines of some parts, limited to so many each: a heading, a blank line before it, and how many are left out.
fn length(parts: &[Part], shown: usize) -> usize {
    let lines = |part: &Part| 2 + part.lines.len().min(shown + 1);
    parts.iter().map(lines).sum()
}

fn guard_line(result: &ProofResult) -> String {
    let how = match result.holds {
        Some(false) => "broken: ",
        _ => "undecided: ",
    };
    let line = result.line.map_or(String::new(), |line| {
        joined(&[" (line ", &line.to_string(), ")"])
    });
    let why = reason(result).map_or(String::new(), |why| joined(&[": ", &code(&why)]));
    let rules = words::rules(&result.because);
    joined(&[how, &code(&claim(result)), &line, &why, &rules])
}

fn issue_line(issue: &Issue) -> String {
    let severity = match issue.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let line = issue.line.to_string();
    joined(&[severity, " at line ", &line, ": ", &code(&issue.message)])
}

fn test_line(what: &str, test: &TestRef) -> String {
    let section = match test.section {
        TestSection::Tests => "tests",
        TestSection::SshTests => "sshTests",
    };
    let (index, line) = (test.index.to_string(), test.line.to_string());
    joined(&[
        what,
        " ",
        section,
        "[",
        &index,
        "] line ",
        &line,
        ": ",
        &code(&test.src),
    ])
}

fn change_line(change: &Change) -> String {
    let kind = match change.kind {
        ChangeKind::Added => "added ",
        ChangeKind::Removed => "removed ",
        ChangeKind::Changed => "changed ",
    };
    joined(&[kind, &code(&change.pointer)])
}
