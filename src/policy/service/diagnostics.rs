//! The issues of a text with their places and fixes.
//! Must not live here: what an issue is (`check`), candidates for its fixes (`fixes`).

use crate::hujson::{self, Span};
use crate::policy::findings::finding::{self, Finding};
use crate::policy::language::document::Policy;
use crate::policy::tailnet::context::PolicyContext;

use super::answer::{Action, ActionKind, Diagnostic, TextEdit, TextRange};
use super::fixes::{Candidate, candidates, of_syntax};

/// How many bytes are checked to find which candidates remove an issue. So a text full of issues gets them at once; the fixes of
/// its later ones come when somebody asks for the actions there.
const JUDGED: usize = 4 << 20;

/// How many bytes are checked for the fixes of a range, and as many for its refactorings.
pub(super) const JUDGED_IN_RANGE: usize = JUDGED * 4;

/// The diagnostics of a text, in its order.
#[inline(never)]
pub fn diagnostics(text: &str, context: &PolicyContext) -> Vec<Diagnostic> {
    let dialect = context.dialect_of(text);
    let context = &*context.known_for(text);
    match hujson::parse(dialect.document(text)) {
        Ok(document) => {
            let policy = Policy::read_as(&document, dialect);
            JudgedText::of(&policy, context).reported(JUDGED, &|_| true)
        }
        Err(error) => vec![syntax(text, &error)],
    }
}

/// A document with its issues, with which a text after an edit is compared.
pub(super) struct JudgedText<'p> {
    policy: &'p Policy<'p>,
    context: &'p PolicyContext,
    findings: Vec<Finding>,
    codes: Vec<(&'static str, usize)>,
}

impl<'p> JudgedText<'p> {
    pub fn of(policy: &'p Policy<'p>, context: &'p PolicyContext) -> JudgedText<'p> {
        let findings = findings(policy, context);
        JudgedText {
            policy,
            context,
            codes: codes(&findings),
            findings,
        }
    }

    /// The fixes of the issues that touch a range.
    pub fn fixes_in(&self, range: TextRange) -> Vec<Action> {
        let found = self.reported(JUDGED_IN_RANGE, &|span| range.touches(span));
        let found = found.into_iter();
        found.flat_map(|diagnostic| diagnostic.fixes).collect()
    }

    /// The wanted issues, with fixes until `left` bytes are checked.
    fn reported(&self, mut left: usize, is_wanted: &dyn Fn(Span) -> bool) -> Vec<Diagnostic> {
        let document = self.policy.document;
        let wanted = self.findings.iter();
        let wanted: Vec<Finding> = wanted
            .filter(|found| is_wanted(found.span))
            .cloned()
            .collect();
        let issues = finding::locate(document, wanted.clone());
        let mut found = Vec::new();
        for (finding, issue) in wanted.iter().zip(issues) {
            let mut fixes = Vec::new();
            // Making the edits of a large text takes as long as checking them.
            let candidates = match left {
                0 => Vec::new(),
                _ => candidates(self.policy, self.context, finding, &issue),
            };
            for candidate in candidates {
                // Nobody could tell apart two fixes with the same title.
                if fixes
                    .iter()
                    .any(|fix: &Action| fix.title == candidate.title)
                {
                    continue;
                }
                let edited = candidate.of(document.text());
                let rest = left.checked_sub(edited.len());
                left = rest.unwrap_or_default();
                if rest.is_none() {
                    break;
                }
                if self.removes(&edited, issue.code, candidate.defines) {
                    let is_first = fixes.is_empty();
                    fixes.push(action(candidate, issue.code, is_first));
                }
            }
            found.push(Diagnostic {
                from: finding.span.start,
                to: finding.span.end,
                issue,
                fixes,
            });
        }
        found
    }

    /// Whether a text has fewer issues of a code, and not more of any other; a new definition may be empty, and what was named
    /// in a removed place alone is unused.
    fn removes(&self, text: &str, code: &str, defines: bool) -> bool {
        self.is_no_worse(text, &|known, now, before| match known == code {
            true => now < before,
            false => {
                let is_empty = matches!(known, "never_matches" | "tag_without_device");
                now <= before || known == "unused_name" || defines && is_empty
            }
        })
    }

    /// Whether a text has no more issues, as an action that fixes none must not add any.
    pub fn adds_none(&self, text: &str) -> bool {
        self.is_no_worse(text, &|_, now, before| now <= before)
    }

    /// Whether `may_be` accepts the change of the number of issues, for each code of this document or of the text.
    fn is_no_worse(&self, text: &str, may_be: &dyn Fn(&str, usize, usize) -> bool) -> bool {
        let Ok(document) = hujson::parse(text) else {
            return false;
        };
        let after = codes(&findings(
            &Policy::read_as(&document, self.policy.dialect),
            self.context,
        ));
        let of = |codes: &[(&'static str, usize)], code: &str| {
            let found = codes.iter().find(|(known, _)| *known == code);
            found.map_or(0, |(_, count)| *count)
        };
        let mut both = self.codes.iter().chain(&after);
        both.all(|(code, _)| may_be(code, of(&after, code), of(&self.codes, code)))
    }
}

/// All findings about a document.
fn findings(policy: &Policy<'_>, context: &PolicyContext) -> Vec<Finding> {
    let judgement = policy.judge(context);
    policy.findings(judgement.problems, &judgement.tests, context)
}

/// How often each code is among the findings.
fn codes(findings: &[Finding]) -> Vec<(&'static str, usize)> {
    let mut codes: Vec<(&'static str, usize)> = Vec::new();
    for found in findings {
        match codes.iter_mut().find(|(code, _)| *code == found.code) {
            Some((_, count)) => *count += 1,
            None => codes.push((found.code, 1)),
        }
    }
    codes
}

/// The fixes that turn a text into HuJSON.
pub(super) fn of_no_document(text: &str, error: &hujson::Error) -> Vec<Action> {
    syntax(text, error).fixes
}

/// The one issue of a text that is not HuJSON.
fn syntax(text: &str, error: &hujson::Error) -> Diagnostic {
    let issue = finding::syntax(error);
    let byte = |offset| hujson::byte_offset(text, offset).unwrap_or(text.len());
    let (from, to) = (byte(issue.offset), byte(issue.offset + issue.length));
    let fixes = of_syntax(text).map(|candidate| action(candidate, issue.code, true));
    Diagnostic {
        from,
        to,
        fixes: fixes.into_iter().collect(),
        issue,
    }
}

fn action(candidate: Candidate, code: &'static str, preferred: bool) -> Action {
    Action {
        preferred: preferred && !candidate.is_choice,
        title: candidate.title,
        kind: ActionKind::Fix,
        edits: candidate.edits.into_iter().map(TextEdit::from).collect(),
        fixes: Some(code),
    }
}
