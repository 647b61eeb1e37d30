//! A review as Markdown to be read from top to bottom: at most 60 lines, however large the change.
//! Must not live here: the results themselves.
//!
//! Names come from whoever proposes the change. They are put in code spans, where Markdown, HTML and mentions have no
//! effect, without characters that could end the span or reverse the text around it.

use super::answer::Review;
use super::guard::{claim, reason};
use super::postures::{PostureChange, PostureTurn};
use super::tests::{ChangedTest, TestRef};
use super::words::{self, Said};
use crate::hujson::{Issue, Severity};
use crate::policy::access_change::AccessReach;
use crate::policy::diff::{Change, ChangeKind};
use crate::policy::findings::words::joined;
use crate::policy::prove::{Proof, ProofResult};
use crate::policy::tailnet::parties::Party;
use crate::policy::test_report::TestSection;
use crate::tables::index::{Index, Numbers, Runs};

/// Lines of a summary.
const LINES: usize = 60;

/// How many things are named in one line, and the longest name in letters.
pub const NAMED: usize = 4;
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

/// Whether nothing changes under some condition.
fn is_conditional(reach: &AccessReach) -> bool {
    reach.opens.iter().any(|opening| !opening.unless.is_empty())
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

/// The first line: what matters most.
fn verdict(review: &Review) -> String {
    let errors = review.issues.iter();
    let errors = errors
        .filter(|issue| issue.severity == Severity::Error)
        .count();
    let (mut access, mut ssh, mut powers) = ([0; 4], [0; 4], [0; 3]);
    for change in &review.access {
        let gains = change.gained.iter().any(|reach| !is_conditional(reach));
        let loses = change.lost.iter().any(|reach| !is_conditional(reach));
        let mut both = change.gained.iter().chain(change.lost.iter());
        let other = both.any(is_conditional);
        count(
            &mut access,
            [gains, loses, other, !change.undecided.is_empty()],
        );
    }
    for change in &review.ssh {
        let lists = [&change.gained, &change.lost, &change.undecided];
        let [gains, loses, undecided] = lists.map(|list| !list.is_empty());
        count(
            &mut ssh,
            [gains, loses, !change.checked.is_empty(), undecided],
        );
    }
    for change in &review.powers {
        let lists = [&change.gained, &change.lost, &change.undecided];
        count(&mut powers, lists.map(|list| !list.is_empty()));
    }
    let looser = review
        .postures
        .iter()
        .filter(|it| it.now == PostureTurn::Looser)
        .count();
    let tighter = review
        .postures
        .iter()
        .filter(|it| it.now == PostureTurn::Tighter)
        .count();
    let counted = [
        (review.exposed.len(), "open to many", "open to many"),
        (access[0], "gains access", "gain access"),
        (access[1], "loses access", "lose access"),
        (access[2], "on other conditions", "on other conditions"),
        (access[3], "undecided", "undecided"),
        (review.locked_out.len(), "locked out", "locked out"),
        (
            review.orphaned.len(),
            "reached by nobody any more",
            "reached by nobody any more",
        ),
        (ssh[0], "gains SSH logins", "gain SSH logins"),
        (ssh[1], "loses SSH logins", "lose SSH logins"),
        (
            ssh[2],
            "logs in by SSH otherwise",
            "log in by SSH otherwise",
        ),
        (ssh[3], "undecided by SSH", "undecided by SSH"),
        (powers[0], "gains powers", "gain powers"),
        (powers[1], "loses powers", "lose powers"),
        (
            powers[2],
            "undecided about powers",
            "undecided about powers",
        ),
        (looser, "posture looser", "postures looser"),
        (tighter, "posture tighter", "postures tighter"),
        (errors, "new error", "new errors"),
        (review.issues.len() - errors, "new warning", "new warnings"),
        (review.tests.removed.len(), "test removed", "tests removed"),
        (
            review.tests.changed.len(),
            "test checks less",
            "tests check less",
        ),
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
            "**Nobody gains or loses access, logins or powers**; other settings change.".to_owned()
        }
        (false, false) => joined(&["**", &said, "**"]),
    };
    let guard = review.guard.as_ref();
    joined(&[&text, &guard.map_or(String::new(), guard_words)])
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
        let key = joined(&[&said.text, &words::rules(said.because)]);
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
            lines.push(joined(&[&sources, verb, &said, &words::rules(&because)]));
        }
        lines
    }
}

/// The first of some things, of which there are `count`, and how many more there are.
pub fn few(things: Vec<String>, count: usize, between: &str) -> String {
    let left = count.saturating_sub(things.len());
    let more = joined(&[" and ", &left.to_string(), " more"]);
    joined(&[&things.join(between), if left > 0 { &more } else { "" }])
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
