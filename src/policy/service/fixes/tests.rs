//! What may be done about a test that fails: the names and ports that it means, or what the rules do.
//! Must not live here: rules that nearly let something through: whether a test or a rule is wrong is for the writer to say,
//! and no edit opens what a rule keeps closed.

use crate::hujson::{Edit, Issue, Value, pointer};
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::keys::Shape;
use crate::policy::language::pieces::host_and_ports;
use crate::policy::language::port_hints;

use super::{Fixes, inside, quoted_parts, replacement, strings};

/// A list of a test.
struct List<'d> {
    /// Its key today, and as it is written.
    key: &'static str,
    name: &'d str,
    value: Value<'d>,
}

impl Fixes<'_> {
    /// A test as it is meant, or as the rules have it.
    pub(super) fn expected(&mut self, issue: &Issue) {
        let pointer = issue.pointer.as_deref().unwrap_or_default();
        let (Some(path), Some(entry)) = (
            pointer::tokens(pointer),
            pointer::find(self.document, pointer),
        ) else {
            return;
        };
        let section = path.first().and_then(|name| Shape::Document.key(name));
        let lists = lists(entry, section.unwrap_or_default());
        let before = self.found.len();
        if lists
            .iter()
            .all(|list| list.value.elements().next().is_none())
        {
            self.edit("Remove it".to_owned(), &[Edit::Remove { path }]);
            return self.choices(before);
        }
        self.known(entry, issue);
        self.single_ports(&lists);
        let before = self.found.len();
        self.as_it_is(&path, &lists, issue, "accept");
        if lists.iter().any(|list| list.key == "check") {
            self.as_it_is(&path, &lists, issue, "deny");
        }
        self.choices(before);
    }

    /// The name that a hint says is meant.
    fn known(&mut self, entry: Value<'_>, issue: &Issue) {
        let hint = issue.hint.as_deref().unwrap_or_default();
        let parts: Vec<&str> = quoted_parts(hint).collect();
        let [unknown, meant] = parts[..] else { return };
        let strings = entry.members().flat_map(|member| {
            let own = Some(member.value).filter(|value| value.as_str().is_some());
            own.into_iter().chain(member.value.elements())
        });
        let mut edits = Vec::new();
        for value in strings {
            let text = value.as_str().unwrap_or_default();
            let (host, ports) = host_and_ports(text.trim());
            if host == unknown {
                let ports = ports.map(|ports| joined(&[":", ports]));
                let whole = joined(&[meant, &ports.unwrap_or_default()]);
                edits.push(replacement(value.inside_span(), &inside(&whole)));
            }
        }
        self.splice(joined(&["Write ", meant]), edits);
    }

    /// An entry for each port of a list, the number of one that is named.
    fn single_ports(&mut self, lists: &[List<'_>]) {
        let mut edits = Vec::new();
        for value in lists.iter().flat_map(|list| list.value.elements()) {
            let (host, ports) = host_and_ports(value.as_str().unwrap_or_default().trim());
            let Some(Some(Ok(entries))) = ports.map(port_hints::entries) else {
                continue;
            };
            let each = entries.iter().map(|port| joined(&[host, ":", port]));
            let each: Vec<String> = each.collect();
            let all = strings(each.iter().map(String::as_str));
            if all != value.raw() {
                edits.push(replacement(value.span(), &all));
            }
        }
        self.splice("Write one port in each".to_owned(), edits);
    }

    /// Each expectation that fails under what the rules do; an account that gets in unchecked under `unchecked`.
    fn as_it_is(&mut self, path: &[String], lists: &[List<'_>], issue: &Issue, unchecked: &str) {
        let way = |more: &[&str]| {
            let more = more.iter().map(|token| (*token).to_owned());
            path.iter().cloned().chain(more).collect::<Vec<String>>()
        };
        let (mut edits, mut taken) = (Vec::new(), Vec::new());
        let mut left = Vec::new();
        for list in lists {
            let key = match list.key {
                "accept" => "deny",
                "deny" => "accept",
                _ => unchecked,
            };
            let known = lists.iter().find(|other| other.key == key);
            let to = known.map_or(key, |known| known.name);
            let elements: Vec<Value<'_>> = list.value.elements().collect();
            let wrong = |at: &usize| {
                elements
                    .get(*at)
                    .is_some_and(|value| fails(*value, list, issue))
            };
            // From the end, so that the places before stay as they are.
            let moved: Vec<usize> = (0..elements.len()).rev().filter(wrong).collect();
            if moved.is_empty() {
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
            for &at in &moved {
                let from = way(&[list.name, &at.to_string()]);
                let text = elements.get(at).and_then(|value| value.as_str());
                let stands = |list: &List<'_>| {
                    let mut others = list.value.elements();
                    others.any(|other| other.as_str() == text)
                };
                edits.push(match known.is_some_and(stands) {
                    true => Edit::Remove { path: from },
                    false => Edit::Move {
                        from,
                        path: way(&[to, "-"]),
                    },
                });
            }
            if moved.len() == elements.len() {
                left.push(list.name);
            }
        }
        let empty = left.into_iter().filter(|name| !taken.contains(name));
        edits.extend(empty.map(|name| Edit::Remove { path: way(&[name]) }));
        if !edits.is_empty() {
            self.edit("Expect what the rules do".to_owned(), &edits);
        }
    }
}

/// Whether a message says of an entry of a list that it does not end so.
fn fails(entry: Value<'_>, list: &List<'_>, issue: &Issue) -> bool {
    let text = quoted(entry.as_str().unwrap_or_default());
    let destination = joined(&["address ", &text]);
    let account = joined(&["(user ", &text, ")"]);
    let wanted = match list.key {
        "accept" => "want: Accept",
        "deny" => "want: Drop",
        _ => "want: Check",
    };
    let mut errors = issue.message.split("; ");
    errors.any(|error| {
        error.contains(wanted) && (error.contains(&destination) || error.contains(&account))
    })
}

/// What a test lists.
fn lists<'d>(entry: Value<'d>, section: &str) -> Vec<List<'d>> {
    let shape = Shape::Document.member(section).element();
    let mut found = Vec::new();
    for member in entry.members() {
        let name = member.name.as_str().unwrap_or_default();
        if let Some(key @ ("accept" | "check" | "deny")) = shape.key(name) {
            let value = member.value;
            found.push(List { key, name, value });
        }
    }
    found
}
