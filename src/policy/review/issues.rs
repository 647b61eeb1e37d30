//! Which issues of a document another one does not have, compared by what they say and what they are about, not by line.
//! Must not live here: what is checked.

use crate::hujson::Issue;
use crate::hujson::pointer::{index, tokens};
use crate::policy::diff::{alike, meaning_of_rule, plain};
use crate::policy::findings::words::joined;
use crate::policy::language::document::Policy;
use crate::policy::language::grammar::Content;
use crate::policy::language::json::Json;
use crate::tables::index::Lists;

/// An issue, and what it is about.
struct IssueSubject<'i> {
    issue: &'i Issue,
    /// What it says.
    words: String,
    /// The same with the text of its place.
    exact: String,
    /// The list entry that contains it.
    entry: Option<&'i Json>,
}

/// The issues of the later document that the earlier one does not have, in their order.
#[inline(never)]
pub fn new_issues(before: (&Policy<'_>, &[Issue]), after: (&Policy<'_>, &[Issue])) -> Vec<Issue> {
    if after.1.is_empty() {
        return Vec::new();
    }
    let documents = [before.0, after.0].map(|policy| {
        let content = Content::document(policy.dialect);
        (plain(policy.document.root(), content), content)
    });
    let [old, new] = &documents;
    let (old, new) = (about(old, before.1), about(new, after.1));
    let mut exact = KnownIssue::of(&old, |about| &about.exact);
    let mut left: Vec<&IssueSubject<'_>> = Vec::new();
    for about in &new {
        if exact.take(&about.exact, &|_| true).is_none() {
            left.push(about);
        }
    }
    // What was in a changed entry may still be in it.
    let mut words = KnownIssue::of(&old, |about| &about.words);
    words.taken = exact.taken;
    let same_place = |old: &IssueSubject<'_>, new: &IssueSubject<'_>| match (old.entry, new.entry) {
        (None, None) => true,
        (old, new) => alike(old, new),
    };
    let is_new = |new: &&&IssueSubject<'_>| {
        let is_same = |at: usize| old.get(at).is_some_and(|old| same_place(old, new));
        words.take(&new.words, &is_same).is_none()
    };
    let mut found = Vec::new();
    for new in left.iter().filter(is_new) {
        found.push(new.issue.clone());
    }
    found
}

/// Issues by what they say, each taken once.
struct KnownIssue<'k> {
    lists: Lists<'k>,
    taken: Vec<bool>,
}

impl<'k> KnownIssue<'k> {
    fn of(
        issues: &'k [IssueSubject<'_>],
        key: impl Fn(&'k IssueSubject<'_>) -> &'k str,
    ) -> KnownIssue<'k> {
        let mut lists = Lists::default();
        for (at, about) in issues.iter().enumerate() {
            lists.add(key(about), at);
        }
        KnownIssue {
            lists,
            taken: vec![false; issues.len()],
        }
    }

    /// Takes an issue with these words, if one is left.
    fn take(&mut self, key: &str, is_same: &dyn Fn(usize) -> bool) -> Option<usize> {
        let free = |at: &&usize| self.taken.get(**at) == Some(&false) && is_same(**at);
        let found = self.lists.get(key).iter().find(free).copied()?;
        if let Some(taken) = self.taken.get_mut(found) {
            *taken = true;
        }
        Some(found)
    }
}

fn about<'i>(
    (document, content): &'i (Json, Content),
    issues: &'i [Issue],
) -> Vec<IssueSubject<'i>> {
    let mut all = Vec::with_capacity(issues.len());
    for issue in issues {
        let tokens = tokens(issue.pointer.as_deref().unwrap_or_default()).unwrap_or_default();
        let section = tokens
            .first()
            .and_then(|section| Some(content.key(section)?.name));
        let listed = section.and_then(|section| document.get(section));
        let (entry, place) = match (listed, tokens.get(1)) {
            (Some(Json::List(entries)), Some(at)) => {
                let entry = index(at).and_then(|at| entries.get(at));
                (entry, entry.map_or(String::new(), meaning_of_rule))
            }
            (_, at) => (None, at.cloned().unwrap_or_default()),
        };
        let words = joined(&[
            issue.code,
            " ",
            section.unwrap_or_default(),
            " ",
            // One that names a line changes with what is before that.
            if issue.names_line { "" } else { &issue.message },
        ]);
        all.push(IssueSubject {
            issue,
            exact: joined(&[&words, "\n", &place]),
            words,
            entry,
        });
    }
    all
}
