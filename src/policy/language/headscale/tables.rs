//! The sections of named entries: groups, hosts, tag owners, approvers. Their faults are those of the whole section.
//! Must not live here: rules.

use crate::cidr::{Address, Prefix};
use crate::hujson::{Kind, Value};
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::document::{AutoApprovers, Table, Word};
use crate::policy::language::grammar::Key;
use crate::policy::language::selector::{self, Selector};

use super::decode::{Decoder, go_type, kind_name};
use super::fields::APPROVERS;
use super::selectors::{is_tag, kind_of, no_tag, without_zone};

impl<'t> Decoder<'t> {
    /// A section of names, each with what it means; names that are repeated are faults.
    fn table<T>(
        &mut self,
        value: Value<'t>,
        mut read: impl FnMut(&mut Self, Word<'t>, Value<'t>) -> T,
    ) -> Table<'t, T> {
        let mut table = Table::default();
        for member in value.members() {
            let text = member.name.as_str().unwrap_or_default();
            let span = member.name.span();
            if table.contains(text) {
                self.repeated_name(member, text);
            }
            let word = Word { text, span };
            let content = self.inside(text, |decoder| read(decoder, word, member.value));
            table.insert(word, content);
        }
        table
    }

    pub fn groups(&mut self, value: Value<'t>) -> Table<'t, Vec<Selector<'t>>> {
        if !self.want(value, Kind::Object, "map[string]interface {}") {
            return Table::default();
        }
        let groups = self.table(value, |decoder, _, value| {
            let mut members = Vec::new();
            for element in value.elements() {
                let text = element.as_str().unwrap_or_default();
                members.push(decoder.selector(text, element.span()));
            }
            members
        });
        if let Some((at, cause)) = group_fault(value) {
            let place = (at.span(), kind_name(value.kind()));
            self.misfit_at("invalid_member", place, "v2.Groups", &cause);
        }
        groups
    }

    pub fn hosts(&mut self, value: Value<'t>) -> Table<'t, Selector<'t>> {
        if !self.want(value, Kind::Object, "map[string]string") {
            return Table::default();
        }
        let mut cause = None;
        let hosts = self.table(value, |decoder, name, value| {
            let text = decoder.text(value, "string");
            let address = text.unwrap_or_default();
            if text.is_some() && cause.is_none() {
                cause = host_fault(name.text, address).map(|cause| (value.span(), cause));
            }
            decoder.selector(without_zone(address), value.span())
        });
        if let Some((span, cause)) = cause {
            let place = (span, kind_name(value.kind()));
            self.misfit_at("invalid_host", place, "v2.Hosts", &cause);
        }
        hosts
    }

    pub fn tag_owners(&mut self, value: Value<'t>) -> Table<'t, Vec<Selector<'t>>> {
        if !self.want(value, Kind::Object, "v2.TagOwners") {
            return Table::default();
        }
        self.table(value, |decoder, tag, value| {
            let place = (tag.span, "string");
            if !tag.text.starts_with("tag:") {
                let cause = joined(&["tag must start with 'tag:', got: ", &quoted(tag.text)]);
                decoder.misfit_at("invalid_tag", place, "v2.Tag", &cause);
            } else if !is_tag(tag.text) {
                decoder.whole("invalid_tag", tag.span, &no_tag(tag.text));
            }
            decoder.parties(value, ("[]v2.OwnerEnc", "v2.OwnerEnc"), "owner")
        })
    }

    /// Users, groups and tags: who may own a tag or approve a route.
    fn parties(
        &mut self,
        value: Value<'t>,
        (list, each): (&str, &str),
        what: &str,
    ) -> Vec<Selector<'t>> {
        let parties = self.list(value, list, |decoder, element| {
            let text = decoder.text(element, "string")?;
            let kind = kind_of(text);
            use selector::Kind::{Group, Tag, User};
            if !matches!(kind, Some(User | Group | Tag)) {
                let cause = joined(&["invalid ", what, " format: ", &quoted(text)]);
                decoder.misfit("invalid_owner", element, each, &cause);
            }
            Some(decoder.selector(text, element.span()))
        });
        parties.into_iter().flatten().flatten().collect()
    }

    pub fn auto_approvers(&mut self, value: Value<'t>) -> AutoApprovers<'t> {
        const APPROVER: (&str, &str) = ("[]v2.AutoApproverEnc", "v2.AutoApproverEnc");
        let mut approvers = AutoApprovers::default();
        self.fields(value, &APPROVERS, &mut |decoder, key, value| match key {
            Key::Routes => {
                if decoder.want(value, Kind::Object, "map[netip.Prefix]v2.AutoApprovers") {
                    let routes = decoder.table(value, |decoder, prefix, value| {
                        if let Some(cause) = prefix_fault(prefix.text) {
                            let place = (prefix.span, "string");
                            decoder.misfit_at("invalid_address", place, "netip.Prefix", &cause);
                        }
                        decoder.parties(value, APPROVER, "auto approver")
                    });
                    let routes = routes.iter();
                    approvers.routes = routes.map(|(name, own)| (*name, own.clone())).collect();
                }
            }
            _ => approvers.exit_node = decoder.parties(value, APPROVER, "auto approver"),
        });
        approvers
    }

    /// A list of prefixes, as texts.
    pub fn pools(&mut self, value: Value<'t>) -> Vec<Word<'t>> {
        let pools = self.list(value, "[]netip.Prefix", |decoder, element| {
            let text = element.as_str();
            let span = element.span();
            let cause = match text {
                None => Some("JSON value must be string type".to_owned()),
                Some(text) => prefix_fault(text),
            };
            if let Some(cause) = cause {
                decoder.misfit("invalid_pool", element, "netip.Prefix", &cause);
            }
            let text = text.unwrap_or_default();
            Word { text, span }
        });
        pools.unwrap_or_default()
    }
}

/// The first fault of the section of groups, in the order in which its decoder looks.
fn group_fault(value: Value<'_>) -> Option<(Value<'_>, String)> {
    let name =
        |member: &crate::hujson::Member<'_>| quoted(member.name.as_str().unwrap_or_default());
    for member in value.members() {
        let text = member.name.as_str().unwrap_or_default();
        if !text.starts_with("group:") {
            let words = "group must start with 'group:', got: ";
            return Some((member.name, joined(&[words, &quoted(text)])));
        }
    }
    for member in value.members() {
        if member.value.kind() != Kind::Array {
            let got = match member.value.as_str() {
                Some(text) => joined(&["string: ", &quoted(text)]),
                None => go_type(member.value.kind()).to_owned(),
            };
            let words = "group value must be an array of users: group ";
            return Some((
                member.value,
                joined(&[words, &name(&member), " got ", &got]),
            ));
        }
        for element in member.value.elements() {
            if element.kind() != Kind::String {
                let words = "invalid group member type: group ";
                let got = go_type(element.kind());
                let words = [words, &name(&member), " expected string but got ", got];
                return Some((element, joined(&words)));
            }
        }
    }
    let recursive = value.members().filter_map(|member| {
        let first = member.value.elements().find(|element| is_group(*element))?;
        Some((member.name.as_str().unwrap_or_default(), first))
    });
    if let Some((name, first)) = recursive.max_by(|a, b| a.0.cmp(b.0)) {
        let own = quoted(first.as_str().unwrap_or_default());
        let words = [
            "groups[",
            &quoted(name),
            "]: ",
            &own,
            ": group members cannot be recursive",
        ];
        return Some((first, joined(&words)));
    }
    for element in value.members().flat_map(|member| member.value.elements()) {
        let text = element.as_str().unwrap_or_default();
        if !text.contains('@') {
            let words = "username must contain @, got: ";
            return Some((element, joined(&[words, &quoted(text)])));
        }
    }
    None
}

fn is_group(element: Value<'_>) -> bool {
    let text = element.as_str().unwrap_or_default();
    text.starts_with("group:") && !text.contains('@')
}

fn host_fault(name: &str, address: &str) -> Option<String> {
    if name.contains(['@', ':']) {
        return Some(joined(&["invalid hostname: ", &quoted(name)]));
    }
    let is_fine = Prefix::parse(address).is_ok() || Address::parse(without_zone(address)).is_ok();
    (!is_fine).then(|| {
        let words = "hostname contains invalid IP address: hostname ";
        joined(&[words, &quoted(name), " address ", &quoted(address)])
    })
}

/// Why a text is no prefix.
fn prefix_fault(text: &str) -> Option<String> {
    let fault = match text.rsplit_once('/') {
        None => "no '/'",
        _ if Prefix::parse(text).is_ok() => return None,
        Some((address, _)) if Address::parse(address).is_err() => {
            "ParseAddr(\"...\"): unable to parse IP"
        }
        Some((_, length)) if length.bytes().all(|byte| byte.is_ascii_digit()) => {
            "prefix length out of range"
        }
        Some(_) => "bad bits after slash",
    };
    let words = ["netip.ParsePrefix(", &quoted(text), "): ", fault];
    Some(joined(&words))
}
