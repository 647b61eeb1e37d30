//! Fixes of a failing test: the name that it means, or what the rules do.
//! Must not live here: changes of rules. Only the writer knows whether a test or a rule is wrong, and no fix gives access.

use crate::hujson::{Edit, Issue, Span, Value, pointer};
use crate::policy::findings::finding::Finding;
use crate::policy::language::document::Policy;
use crate::policy::language::grammar::Content;

use super::{Fixes, path_of};

impl Fixes<'_> {
    /// Writes a test as it is meant, or as the rules are; removes a test without effect.
    #[inline(never)]
    pub(super) fn expected(&mut self, finding: &Finding, issue: &Issue) {
        let before = self.found.len();
        let path = path_of(issue);
        let pointer = issue.pointer.as_deref().unwrap_or_default();
        if let Some(entry) = pointer::find(self.document, pointer) {
            let edits = as_it_is(self.policy, entry, &path, &finding.failed);
            if edits.is_empty() && is_vacant(entry, content_of(self.policy, &path)) {
                self.edit("Remove it", &[Edit::Remove { path }]);
            } else if !edits.is_empty() {
                self.edit("Expect what the rules do", &edits);
            }
        }
        self.choices(before);
    }
}

fn content_of(policy: &Policy<'_>, path: &[String]) -> Content {
    let section = path.first().map_or("", String::as_str);
    Content::document(policy.dialect).member(section).element()
}

/// The expectation that a key of a test means, in the modern spelling.
fn list_of(content: Content, name: Value<'_>) -> Option<&'static str> {
    let key = content.key(name.as_str().unwrap_or_default())?;
    matches!(key.name, "accept" | "check" | "deny").then_some(key.name)
}

/// Whether a test has no expectation at all.
fn is_vacant(entry: Value<'_>, content: Content) -> bool {
    let mut members = entry.members();
    members.all(|member| {
        list_of(content, member.name).is_none() || member.value.elements().next().is_none()
    })
}

/// Moves each failing expectation to the key for what the rules do: a login without its check to `accept`.
fn as_it_is(policy: &Policy<'_>, entry: Value<'_>, path: &[String], failed: &[Span]) -> Vec<Edit> {
    let content = content_of(policy, path);
    let way = |more: &[&str]| {
        let mut path = path.to_vec();
        path.extend(more.iter().map(|token| (*token).to_owned()));
        path
    };
    let (mut edits, mut emptied, mut taken) = (Vec::new(), Vec::new(), Vec::new());
    for member in entry.members() {
        let Some(key) = list_of(content, member.name) else {
            continue;
        };
        let name = member.name.as_str().unwrap_or_default();
        let wanted = if key == "accept" { "deny" } else { "accept" };
        let mut others = entry.members();
        let known = others.find(|other| list_of(content, other.name) == Some(wanted));
        let to = known
            .and_then(|known| known.name.as_str())
            .unwrap_or(wanted);
        let elements: Vec<Value<'_>> = member.value.elements().collect();
        let mut left = elements.len();
        // From the end, so that earlier indexes stay valid.
        for (at, value) in elements.iter().enumerate().rev() {
            if !failed.contains(&value.span()) {
                continue;
            }
            if known.is_none() && !taken.contains(&to) {
                let value = "[]".to_owned();
                edits.push(Edit::Put {
                    path: way(&[to]),
                    value,
                });
            }
            taken.push(to);
            left -= 1;
            let from = way(&[name, &at.to_string()]);
            edits.push(Edit::Move {
                from,
                path: way(&[to, "-"]),
            });
        }
        if left == 0 {
            emptied.push(name);
        }
    }
    for name in emptied {
        if !taken.is_empty() && !taken.contains(&name) {
            edits.push(Edit::Remove { path: way(&[name]) });
        }
    }
    edits
}
