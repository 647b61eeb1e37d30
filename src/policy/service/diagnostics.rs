//! The issues of a text with their places and what removes each.
//! Must not live here: what an issue is (`check`), how it could be removed (`fixes`).

use crate::hujson::{self, Document, Issue, Span};
use crate::policy::findings::finding;
use crate::policy::language::document::Policy;
use crate::policy::tailnet::topology::Topology;

use super::answer::{Action, ActionKind, Diagnostic, TextEdit, TextRange};
use super::fixes::{Candidate, candidates, of_syntax};

/// How many bytes are judged to see which candidates remove an issue: a text full of issues is told of them at once, and
/// its later ones are fixed when somebody asks for the actions there.
const JUDGED: usize = 4 << 20;

/// All there is to say about a text, in its order.
#[inline(never)]
pub fn diagnostics(text: &str, topology: &Topology) -> Vec<Diagnostic> {
    let mut left = JUDGED;
    found(text, topology, &mut left, &|_| true)
}

/// What removes the issues that touch a range.
pub(super) fn fixes_in(text: &str, range: TextRange, topology: &Topology) -> Vec<Action> {
    let mut left = JUDGED * 4;
    let touches = |span: Span| span.start <= range.to && range.from <= span.end;
    let found = found(text, topology, &mut left, &touches);
    found
        .into_iter()
        .flat_map(|diagnostic| diagnostic.fixes)
        .collect()
}

/// The issues that are wanted, with fixes as far as it goes.
fn found(
    text: &str,
    topology: &Topology,
    left: &mut usize,
    is_wanted: &dyn Fn(Span) -> bool,
) -> Vec<Diagnostic> {
    let document = match hujson::parse(text) {
        Ok(document) => document,
        Err(error) => return vec![syntax(text, &error)],
    };
    let issues = issues(&document, topology);
    let before = codes(&issues);
    let mut found = Vec::new();
    for (span, issue) in issues {
        if !is_wanted(span) {
            continue;
        }
        let mut fixes = Vec::new();
        for candidate in candidates(&document, span, &issue) {
            let edited = candidate.of(text);
            let Some(rest) = left.checked_sub(edited.len()) else {
                break;
            };
            *left = rest;
            if removes(&edited, issue.code, &before, candidate.defines, topology) {
                let is_first = fixes.is_empty();
                fixes.push(action(candidate, issue.code, is_first));
            }
        }
        found.push(Diagnostic {
            from: span.start,
            to: span.end,
            issue,
            fixes,
        });
    }
    found
}

/// The issues of a document and their bytes.
fn issues(document: &Document<'_>, topology: &Topology) -> Vec<(Span, Issue)> {
    let policy = Policy::read(document);
    let judgement = policy.judge(topology);
    let findings = policy.findings(judgement.problems, &judgement.tests, topology);
    let spans: Vec<Span> = findings.iter().map(|finding| finding.span).collect();
    let issues = finding::locate(document, findings);
    spans.into_iter().zip(issues).collect()
}

/// How often each code is among the issues.
fn codes(issues: &[(Span, Issue)]) -> Vec<(&'static str, usize)> {
    let mut codes: Vec<(&'static str, usize)> = Vec::new();
    for (_, issue) in issues {
        match codes.iter_mut().find(|(code, _)| *code == issue.code) {
            Some((_, count)) => *count += 1,
            None => codes.push((issue.code, 1)),
        }
    }
    codes
}

/// Whether a text has fewer issues of a code, and of no other more; what is newly defined may be empty.
fn removes(
    text: &str,
    code: &str,
    before: &[(&'static str, usize)],
    defines: bool,
    topology: &Topology,
) -> bool {
    let Ok(document) = hujson::parse(text) else {
        return false;
    };
    let after = codes(&issues(&document, topology));
    let count = |codes: &[(&'static str, usize)], code: &str| {
        let found = codes.iter().find(|(known, _)| *known == code);
        found.map_or(0, |(_, count)| *count)
    };
    let is_no_more = |(other, now): &(&'static str, usize)| {
        *now <= count(before, other) || defines && *other == "never_matches"
    };
    count(&after, code) < count(before, code) && after.iter().all(is_no_more)
}

/// Whether a text has fewer issues than another, or as many: what an action may do that fixes none.
pub(super) fn adds_none(before: &str, after: &str, topology: &Topology) -> bool {
    let (Ok(before), Ok(after)) = (hujson::parse(before), hujson::parse(after)) else {
        return false;
    };
    let before = codes(&issues(&before, topology));
    let mut after = codes(&issues(&after, topology)).into_iter();
    after.all(|(code, now)| {
        before
            .iter()
            .any(|(known, count)| *known == code && now <= *count)
    })
}

/// The one issue of a text that is no HuJSON.
fn syntax(text: &str, error: &hujson::Error) -> Diagnostic {
    let issue = finding::syntax(error);
    let byte = |offset| hujson::byte_offset(text, offset).unwrap_or(text.len());
    let (from, to) = (byte(issue.offset), byte(issue.offset + issue.length));
    let fixes = of_syntax(text).into_iter().enumerate();
    let fixes = fixes.map(|(at, candidate)| action(candidate, issue.code, at == 0));
    Diagnostic {
        from,
        to,
        fixes: fixes.collect(),
        issue,
    }
}

fn action(candidate: Candidate, code: &'static str, preferred: bool) -> Action {
    Action {
        title: candidate.title,
        kind: ActionKind::Fix,
        edits: candidate.edits.into_iter().map(TextEdit::from).collect(),
        fixes: Some(code),
        preferred,
    }
}
