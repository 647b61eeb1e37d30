//! What may be done about what is defined twice, by a name that cannot be used, or as something that it cannot be.
//! Must not live here: rules (`rules`), tests (`tests`).

use crate::cidr::{Address, AddressSet, Prefix, Range};
use crate::hujson::{self, Edit, Issue, Kind, Span, Value, changes, pointer, splice};
use crate::policy::findings::words::joined;
use crate::policy::language::content::{NameKind, Role};
use crate::policy::language::places::{mentions, walk};
use crate::policy::language::selector;
use crate::policy::validate::RESERVED;

use super::super::spot::spot;
use super::super::tokens::significant;
use super::{Candidate, Fixes, inside, replacement, strings};

/// What is put behind a repeated name to tell it from the first.
const SECOND: &str = " (again)";

impl Fixes<'_> {
    /// All that stands under a repeated name in one place; or what stands there last, which alone would count.
    pub(super) fn merge(&mut self, issue: &Issue) {
        let Some(holder) = self.holder() else { return };
        let mut members = holder.members();
        let Some(later) = members.find(|member| member.name.span() == self.span) else {
            return;
        };
        let name = later.name.as_str().unwrap_or_default();
        let same = |known: &str| known.eq_ignore_ascii_case(name);
        let mut before = holder.members();
        let Some(first) = before.find(|member| same(member.name.as_str().unwrap_or_default()))
        else {
            return;
        };
        let (into, from) = (first.value, later.value);
        let path = issue.pointer.as_deref().and_then(pointer::tokens);
        let Some(mut path) = path.filter(|_| first.name.span() != later.name.span()) else {
            return;
        };
        // Of names that are alike all would be taken out.
        path.pop();
        path.push(joined(&[name, SECOND]));
        let second = replacement(later.name.inside_span(), &inside(&joined(&[name, SECOND])));
        let mut merged = Vec::new();
        if into.kind() == from.kind() && matches!(into.kind(), Kind::Array | Kind::Object) {
            merged.extend(comma(self.document.text(), into));
            let all = from.raw().get(1..from.raw().len() - 1);
            let all = all.unwrap_or_default();
            merged.push(replacement(at(into.span().end - 1), all));
        }
        let alone = vec![replacement(into.span(), from.raw())];
        for (title, mut edits) in [("Merge them", merged), ("Keep the last alone", alone)] {
            let text = self.document.text();
            let remove = [Edit::Remove { path: path.clone() }];
            let is_possible = !edits.is_empty();
            edits.push(second.clone());
            let edited = splice(text, &edits).filter(|_| is_possible);
            if let Some(Ok(edited)) = edited.map(|edited| hujson::edit(&edited, &remove)) {
                let edits = changes(text, &edited);
                self.found.push(Candidate::new(title.to_owned(), edits));
            }
        }
    }

    /// A name that rules can use; where the old one was refused, rules that use it follow.
    pub(super) fn alias(&mut self, issue: &Issue) {
        let name = self.text().to_owned();
        let own = name.strip_prefix(NameKind::of(&name).prefix());
        let letters = own.unwrap_or(&name).chars();
        let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let mut new: String = letters.map(plain).collect();
        if !new.starts_with(char::is_alphabetic) || selector::Kind::of(&new) != selector::Kind::Host
        {
            new = joined(&["host-", new.trim_matches('-')]);
        }
        if self.policy.hosts.contains(&new) {
            return;
        }
        let mut edits = vec![replacement(self.inside(), &new)];
        if issue.code == "invalid_host" {
            walk(self.document, &mut |place, _| {
                use Role::*;
                let takes_aliases = matches!(
                    place.role,
                    Source | Destination | DestinationPorts | TestSource | TestDestination | Target
                );
                let pieces = place.pieces().into_iter();
                let meant = pieces.filter(|part| takes_aliases && part.text == name);
                edits.extend(meant.map(|part| replacement(part.span, &new)));
            });
        }
        self.splice(joined(&["Rename it to ", &new]), edits);
    }

    /// The members of a group in its place: groups do not nest.
    pub(super) fn members(&mut self) {
        let Some(holder) = self.holder() else { return };
        let beside: Vec<&str> = holder.elements().filter_map(Value::as_str).collect();
        let (mut seen, mut logins) = (Vec::new(), Vec::new());
        self.gather(self.text(), &mut seen, &mut logins);
        logins.retain(|login| !beside.contains(login));
        if !logins.is_empty() {
            let all = strings(logins.into_iter());
            self.put("List its members".to_owned(), self.span, &all);
        }
    }

    fn gather<'s>(&'s self, group: &'s str, seen: &mut Vec<&'s str>, logins: &mut Vec<&'s str>) {
        if seen.contains(&group) {
            return;
        }
        seen.push(group);
        for member in self.policy.groups.get(group).into_iter().flatten() {
            match member.kind {
                selector::Kind::Group => self.gather(member.name(), seen, logins),
                selector::Kind::User if !logins.contains(&member.name()) => {
                    logins.push(member.name());
                }
                _ => {}
            }
        }
    }

    /// The prefix that a name lacks, or a set that does not lead back to itself.
    pub(super) fn ipset(&mut self, issue: &Issue) {
        let name = self.text().to_owned();
        let whole = joined(&["ipset:", &name]);
        let Some(operations) = self.policy.ipsets.get(&name) else {
            return;
        };
        if !name.starts_with("ipset:") {
            let mut edits = vec![replacement(self.inside(), &inside(&whole))];
            if !self.policy.hosts.contains(&name) {
                let uses = mentions(self.document, NameKind::Host, &name).into_iter();
                edits.extend(uses.map(|found| replacement(found.span, &inside(&whole))));
            }
            return self.splice(joined(&["Rename it to ", &whole]), edits);
        }
        let path = issue.pointer.as_deref().and_then(pointer::tokens);
        let before = self.found.len();
        for (at, operation) in operations.iter().enumerate() {
            let Some(mut path) = path.clone() else { return };
            if operation.operand.kind == selector::Kind::IpSet && !operation.removes {
                path.push(at.to_string());
                let title = joined(&["Remove ", operation.word.name()]);
                self.edit(title, &[Edit::Remove { path }]);
            }
        }
        self.choices(before);
    }

    /// A prefix, where an address, a range or a length that no address has stands for one.
    pub(super) fn prefix(&mut self) {
        let text = self.text();
        let host = |address: &str| Some(Prefix::host(Address::parse(address).ok()?));
        let range = || Range::parse(text).ok()?.as_prefix();
        let exact = host(text).or_else(range);
        let too_long = || {
            let (address, length) = text.split_once('/')?;
            length.parse::<u32>().ok().filter(|length| *length > 32)?;
            host(address)
        };
        let before = self.found.len();
        if let Some(prefix) = exact.or_else(too_long) {
            let prefix = prefix.to_string();
            self.put(joined(&["Write ", &prefix]), self.inside(), &prefix);
            if exact.is_none() {
                self.choices(before);
            }
        }
    }

    /// A pool without what the service keeps for itself.
    pub(super) fn pool(&mut self) {
        self.prefix();
        let Ok(pool) = Prefix::parse(self.text()) else {
            return;
        };
        let kept = RESERVED.iter().filter_map(|text| Prefix::parse(text).ok());
        let kept: AddressSet = kept.collect();
        let rest = AddressSet::from(pool).minus(&kept);
        let rest: Vec<String> = rest.prefixes().map(|prefix| prefix.to_string()).collect();
        if !rest.is_empty() {
            let rest = strings(rest.iter().map(String::as_str));
            self.put("Leave out what is reserved".to_owned(), self.span, &rest);
        }
    }

    /// The bytes between the quotes.
    fn inside(&self) -> Span {
        let value = spot(self.document, self.span.start + 1).value;
        value.map_or(self.span, Value::inside_span)
    }
}

/// The comma that a list or an object needs before more can follow.
fn comma(text: &str, value: Value<'_>) -> Option<hujson::Splice> {
    let last = value.members().map(|member| member.value).last();
    let end = last.or_else(|| value.elements().last())?.span().end;
    (significant(text, end) != Some(b',')).then(|| replacement(at(end), ","))
}

/// The place before a byte.
fn at(byte: usize) -> Span {
    Span {
        start: byte,
        end: byte,
    }
}
