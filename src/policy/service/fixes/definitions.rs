//! Fixes of definitions: defined twice, with an invalid name, or with an invalid value.
//! Must not live here: rules (`rules`), tests (`tests`).

use crate::cidr::{Address, Prefix};
use crate::hujson::{self, Edit, Issue, Kind, Span, Value, changes, inside_of, splice};
use crate::policy::findings::words::joined;
use crate::policy::language::content::{NameKind, StringRole};
use crate::policy::language::places::{mentions, walk};
use crate::policy::language::selector;

use super::super::spot::spot;
use super::super::tokens::significant;
use super::{Fixes, path_of, replacement, strings};

/// The suffix that distinguishes a repeated name from the first.
const SECOND: &str = " (again)";

impl Fixes<'_> {
    /// Merges the lists under a repeated name; of other values only the last stays, which is the one that counts.
    #[inline(never)]
    pub(super) fn merge(&mut self, issue: &Issue) {
        let Some(holder) = self.holder() else { return };
        let (mut first, mut later) = (None, None);
        for member in holder.members() {
            let name = member.name.as_str().unwrap_or_default();
            if member.name.span() == self.span {
                later = Some(member);
            } else if name.eq_ignore_ascii_case(self.text()) && first.is_none() {
                first = Some(member);
            }
        }
        let (Some(first), Some(later)) = (first, later) else {
            return;
        };
        let (text, into, from) = (self.document.text(), first.value, later.value);
        // An edit would remove all members of the same name.
        let second = joined(&[self.text(), SECOND]);
        let mut edits = vec![replacement(later.name.inside_span(), &inside_of(&second))];
        let is_list = into.kind() == from.kind() && from.kind() != Kind::String;
        if is_list {
            let last = into.members().map(|member| member.value).last();
            let end = last.or_else(|| into.elements().last());
            let end = end.map_or(0, |value| value.span().end);
            if end > 0 && significant(text, end) != Some(b',') {
                edits.push(replacement(at(end), ","));
            }
            let all = from.raw().get(1..from.raw().len() - 1);
            edits.push(replacement(
                at(into.span().end - 1),
                all.unwrap_or_default(),
            ));
        } else {
            edits.push(replacement(into.span(), from.raw()));
        }
        let mut path = path_of(issue);
        path.pop();
        path.push(second);
        let merged = splice(text, &edits).unwrap_or_default();
        if let Ok(edited) = hujson::edit(&merged, &[Edit::Remove { path }]) {
            let title = if is_list {
                "Merge them"
            } else {
                "Keep the last alone"
            };
            self.splice(title, changes(text, &edited));
        }
    }

    /// Writes a name that rules can use; where the old name was refused, rules that use it change too.
    #[inline(never)]
    pub(super) fn alias(&mut self, issue: &Issue) {
        let name = self.text().to_owned();
        let own = name.strip_prefix(NameKind::of(&name).prefix());
        let mut new = String::new();
        for letter in own.unwrap_or(&name).chars() {
            new.push(if matches!(letter, '@' | '.' | ':' | '/' | '*') {
                '-'
            } else {
                letter
            });
        }
        let is_taken = name == new;
        let is_no_host = selector::Kind::of(&new) != selector::Kind::Host;
        if is_taken || is_no_host || new.starts_with(['-', '1', '2']) {
            new.insert_str(0, "host-");
        }
        if self.policy.hosts.contains(&new) {
            return;
        }
        let mut edits = vec![replacement(self.inside(), &inside_of(&new))];
        if is_taken || issue.code == "invalid_host" {
            walk(self.document, self.policy.dialect, &mut |place, _| {
                use StringRole::*;
                if !matches!(
                    place.role,
                    Source | Destination | DestinationPorts | TestSource | TestDestination | Target
                ) {
                    return;
                }
                for part in place.pieces() {
                    if part.text == name {
                        edits.push(replacement(part.span, &inside_of(&new)));
                    }
                }
            });
        }
        self.splice(&joined(&["Rename it to ", &new]), edits);
    }

    /// Replaces a group by its members, as groups do not nest.
    #[inline(never)]
    pub(super) fn members(&mut self) {
        let Some(holder) = self.holder() else { return };
        let mut logins = Vec::new();
        for member in self.policy.groups.get(self.text()).into_iter().flatten() {
            let mut beside = holder.elements();
            if !beside.any(|other| other.as_str() == Some(member.text())) {
                logins.push(member.text());
            }
        }
        if !logins.is_empty() {
            self.put("List its members", self.span, &strings(&logins));
        }
    }

    /// Adds the prefix that a name lacks, or removes an entry by which a set contains itself.
    #[inline(never)]
    pub(super) fn ipset(&mut self, issue: &Issue) {
        let name = self.text().to_owned();
        let Some(operations) = self.policy.ipsets.get(&name) else {
            return;
        };
        if !name.starts_with("ipset:") {
            let whole = joined(&["ipset:", &name]);
            let mut edits = vec![replacement(self.inside(), &inside_of(&whole))];
            if !self.policy.hosts.contains(&name) {
                for found in mentions(self.document, self.policy.dialect, NameKind::Host, &name) {
                    edits.push(replacement(found.span, &inside_of(&whole)));
                }
            }
            return self.splice(&joined(&["Rename it to ", &whole]), edits);
        }
        let before = self.found.len();
        for (at, operation) in operations.iter().enumerate() {
            if operation.operand.kind == selector::Kind::IpSet && !operation.removes {
                let mut path = path_of(issue);
                path.push(at.to_string());
                let title = joined(&["Remove ", operation.word.name()]);
                self.edit(&title, &[Edit::Remove { path }]);
            }
        }
        self.choices(before);
    }

    /// Writes the prefix of one address, where the address is written for it.
    #[inline(never)]
    pub(super) fn prefix(&mut self) {
        if let Ok(address) = Address::parse(self.text()) {
            let prefix = Prefix::host(address).to_string();
            self.put(&joined(&["Write ", &prefix]), self.inside(), &prefix);
        }
    }

    /// The bytes between the quotes.
    #[inline(never)]
    fn inside(&self) -> Span {
        let value = spot(self.document, self.policy.dialect, self.span.start + 1).value;
        value.map_or(self.span, Value::inside_span)
    }
}

/// The place before a byte.
fn at(byte: usize) -> Span {
    Span {
        start: byte,
        end: byte,
    }
}
