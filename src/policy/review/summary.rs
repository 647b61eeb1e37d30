//! A review as Markdown to be read from top to bottom: at most 60 lines, however large the change.
//! Must not live here: the results themselves.
//!
//! Names come from whoever proposes the change. They are put in code spans, where Markdown, HTML and mentions have no
//! effect, without characters that could end the span or reverse the text around it.

use super::answer::Review;
use super::guard::{claim, reason};
use super::reach::{Exposure, Public};
use super::tests::TestRef;
use crate::hujson::{Issue, Severity};
use crate::policy::access_change::AccessReach;
use crate::policy::diff::{Change, ChangeKind};
use crate::policy::diff_ssh::SshReach;
use crate::policy::findings::words::joined;
use crate::policy::language::login::SshAction;
use crate::policy::language::port_set::Opening;
use crate::policy::language::rule::{RuleRef, Section};
use crate::policy::prove::{Proof, ProofResult};
use crate::policy::test_report::TestSection;
use crate::tables::index::{Index, Numbers, Runs};
use crate::tables::sort;

/// Lines of a summary.
const LINES: usize = 60;

/// How many things are named in one line, and the longest name in letters.
const NAMED: usize = 4;
const LETTERS: usize = 120;

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
    let mut text = verdict(review);
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
    let (mut gains, mut losses) = (Reached::default(), Reached::default());
    for change in &review.access {
        gains.add(&change.source, change.gained.iter(), access_words);
        losses.add(&change.source, change.lost.iter(), access_words);
    }
    let gains = gains.lines([" reaches ", " reach "]);
    let losses = losses.lines([" no longer reaches ", " no longer reach "]);
    add(&mut parts, "Gains access", gains);
    add(&mut parts, "Loses access", losses);
    let out = review.locked_out.iter().map(|party| code(&party.name));
    add(&mut parts, "Has nothing left", out.collect());
    let exposed = review.exposed.iter().map(exposure_line);
    add(&mut parts, "Open to many", exposed.collect());
    let (mut gains, mut losses) = (Reached::default(), Reached::default());
    for change in &review.ssh {
        gains.add(&change.source, change.gained.iter(), ssh_words);
        losses.add(&change.source, change.lost.iter(), ssh_words);
    }
    let gains = gains.lines([" logs in to ", " log in to "]);
    let losses = losses.lines([" no longer logs in to ", " no longer log in to "]);
    add(&mut parts, "Gains SSH logins", gains);
    add(&mut parts, "Loses SSH logins", losses);
    add(
        &mut parts,
        "New issues",
        review.issues.iter().map(issue_line).collect(),
    );
    let removed = review
        .tests
        .removed
        .iter()
        .map(|test| test_line("removed", test));
    let added = review
        .tests
        .added
        .iter()
        .map(|test| test_line("added", test));
    add(&mut parts, "Tests", removed.chain(added).collect());
    add(
        &mut parts,
        "In the text",
        review.changes.iter().map(change_line).collect(),
    );
    parts
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

/// The first line: what matters most.
fn verdict(review: &Review) -> String {
    let errors = review.issues.iter();
    let errors = errors
        .filter(|issue| issue.severity == Severity::Error)
        .count();
    let (mut access, mut ssh) = ([0; 2], [0; 2]);
    for change in &review.access {
        access = added(access, [change.gained.is_empty(), change.lost.is_empty()]);
    }
    for change in &review.ssh {
        ssh = added(ssh, [change.gained.is_empty(), change.lost.is_empty()]);
    }
    let counted = [
        (access[0], "gains access", "gain access"),
        (access[1], "loses access", "lose access"),
        (review.locked_out.len(), "locked out", "locked out"),
        (review.exposed.len(), "open to many", "open to many"),
        (ssh[0], "gains SSH logins", "gain SSH logins"),
        (ssh[1], "loses SSH logins", "lose SSH logins"),
        (errors, "new error", "new errors"),
        (review.issues.len() - errors, "new warning", "new warnings"),
        (review.tests.removed.len(), "test removed", "tests removed"),
    ];
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
            "**Nobody gains or loses access or logins**; other settings change.".to_owned()
        }
        (false, false) => joined(&["**", &said, "**"]),
    };
    let guard = review.guard.as_ref();
    joined(&[&text, &guard.map_or(String::new(), guard_words)])
}

/// For an edit without meaning.
const SAME: &str = "**Nothing changes in meaning**: layout, order, spelling or names alone";

/// One more of each list that is not empty.
fn added(counts: [usize; 2], is_empty: [bool; 2]) -> [usize; 2] {
    [
        counts[0] + usize::from(!is_empty[0]),
        counts[1] + usize::from(!is_empty[1]),
    ]
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

fn guard_line(result: &ProofResult) -> String {
    let how = match result.holds {
        Some(false) => "broken: ",
        _ => "undecided: ",
    };
    let line = result.line.map_or(String::new(), |line| {
        joined(&[" (line ", &line.to_string(), ")"])
    });
    let why = reason(result).map_or(String::new(), |why| joined(&[": ", &code(&why)]));
    let rules = rules_words(&result.because);
    joined(&[how, &code(&claim(result)), &line, &why, &rules])
}

/// What is open at one destination, in words.
struct Said<'r> {
    text: String,
    because: &'r [RuleRef],
}

/// Sources by what is said of them. Sources share what they reach, so that it is put into words once.
#[derive(Default)]
struct Reached<'r> {
    /// The statement about each address in memory that was seen.
    addresses: Numbers,
    statements: Vec<usize>,
    /// The distinct statements.
    known: Index<'static>,
    said: Vec<Said<'r>>,
    /// What is said of some sources, each once.
    runs: Runs,
    alike: Vec<Alike<'r>>,
}

/// Sources of which the same is said.
struct Alike<'r> {
    sources: Vec<&'r str>,
    /// The first statements, and how many there are.
    said: Vec<usize>,
    count: usize,
}

impl<'r> Reached<'r> {
    fn add<R>(
        &mut self,
        source: &'r str,
        reaches: impl Iterator<Item = &'r R>,
        words: fn(&'r R) -> Said<'r>,
    ) {
        let mut run = Vec::new();
        for reach in reaches {
            let next = self.statements.len();
            let address = std::ptr::from_ref(reach).addr() as u64;
            let at = self.addresses.place(address, next);
            if at == next {
                let statement = self.statement(words(reach));
                self.statements.push(statement);
            }
            run.extend(self.statements.get(at).copied());
        }
        if run.is_empty() {
            return;
        }
        let (at, count) = (self.runs.place_of(&run), run.len());
        run.truncate(NAMED);
        match self.alike.get_mut(at) {
            Some(alike) => alike.sources.push(source),
            None => self.alike.push(Alike {
                sources: vec![source],
                said: run,
                count,
            }),
        }
    }

    /// The index of a statement.
    fn statement(&mut self, said: Said<'r>) -> usize {
        let key = joined(&[&said.text, &rules_words(said.because)]);
        self.known.find(&key).unwrap_or_else(|| {
            self.known.set(key.into(), self.said.len());
            self.said.push(said);
            self.said.len() - 1
        })
    }

    /// One line for all sources of which the same is said.
    fn lines(&self, [one, many]: [&str; 2]) -> Vec<String> {
        let mut lines = Vec::with_capacity(self.alike.len());
        for alike in &self.alike {
            let (mut said, mut because) = (Vec::new(), Vec::new());
            for statement in alike.said.iter().filter_map(|&at| self.said.get(at)) {
                said.push(statement.text.clone());
                because.extend_from_slice(statement.because);
            }
            let count = alike.sources.len();
            let verb = if count == 1 { one } else { many };
            let sources = alike.sources.iter().take(NAMED).map(|name| code(name));
            let sources = few(sources.collect(), count, ", ");
            let said = few(said, alike.count, "; ");
            lines.push(joined(&[&sources, verb, &said, &rules_words(&because)]));
        }
        lines
    }
}

/// The first of some things, of which there are `count`, and how many more there are.
fn few(things: Vec<String>, count: usize, between: &str) -> String {
    let left = count.saturating_sub(things.len());
    let more = joined(&[" and ", &left.to_string(), " more"]);
    joined(&[&things.join(between), if left > 0 { &more } else { "" }])
}

fn access_words(reach: &AccessReach) -> Said<'_> {
    let (to, ports) = (code(&reach.destination), code(&reach.ports.join(" ")));
    let asked = posture_words(&reach.opens);
    Said {
        text: joined(&[&to, " ", &ports, asked, part_words(reach.partly)]),
        because: &reach.because,
    }
}

fn ssh_words(reach: &SshReach) -> Said<'_> {
    let users = reach.users.iter().take(NAMED).map(|user| code(user));
    let users = few(users.collect(), reach.users.len(), ", ");
    let how = match reach.action {
        SshAction::Check => " after a check",
        SshAction::Accept => "",
    };
    let to = code(&reach.destination);
    Said {
        text: joined(&[&to, " as ", &users, how, part_words(reach.partly)]),
        because: &reach.because,
    }
}

fn part_words(partly: bool) -> &'static str {
    if partly { " (in part)" } else { "" }
}

fn posture_words(opens: &[Opening]) -> &'static str {
    match opens.iter().all(|opening| !opening.postures.is_empty()) {
        true => " with a posture",
        false => "",
    }
}

/// The rules that open it, as positions in the text of their document.
fn rules_words(because: &[RuleRef]) -> String {
    let mut rules = because.to_vec();
    sort::sort(&mut rules);
    rules.dedup();
    let mut named = Vec::new();
    for rule in rules.iter().take(NAMED) {
        let section = match rule.section {
            Section::Acls => "acls",
            Section::Grants => "grants",
            Section::Ssh => "ssh",
        };
        let (index, line) = (rule.index.to_string(), rule.line.to_string());
        named.push(joined(&[section, "[", &index, "] line ", &line]));
    }
    match named.is_empty() {
        true => String::new(),
        false => joined(&[" — ", &few(named, rules.len(), ", ")]),
    }
}

fn exposure_line(exposure: &Exposure) -> String {
    let who = match exposure.to {
        Public::Anyone => "any address reaches ",
        Public::Outsiders => "outsiders reach ",
        Public::Everybody => "everybody reaches ",
    };
    let (to, ports) = (code(&exposure.destination), code(&exposure.ports.join(" ")));
    let asked = posture_words(&exposure.opens);
    joined(&[
        who,
        &to,
        " ",
        &ports,
        asked,
        &rules_words(&exposure.because),
    ])
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

/// A code span of any text (CommonMark 6.1): its fence is longer than any run of backticks in it.
pub fn code(text: &str) -> String {
    let (mut clean, mut letters) = (String::new(), 0);
    for letter in text.chars() {
        letters += 1;
        if letters > LETTERS {
            clean.push('…');
            break;
        }
        clean.push(match letter {
            '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' => '\u{fffd}',
            letter if u32::from(letter) < 0x20 || ('\u{7f}'..='\u{9f}').contains(&letter) => ' ',
            // In a table a bar ends a cell even there.
            '|' => '¦',
            letter => letter,
        });
    }
    let (mut longest, mut run) = (0, 0);
    for byte in clean.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = run.max(longest);
    }
    let fence = "`".repeat(longest + 1);
    let edge = clean.is_empty() || clean.starts_with(['`', ' ']) || clean.ends_with(['`', ' ']);
    let space = if edge { " " } else { "" };
    joined(&[&fence, space, &clean, space, &fence])
}
