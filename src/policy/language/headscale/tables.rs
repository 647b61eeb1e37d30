//! The sections of named entries: groups, hosts, tag owners, approvers. Their faults are those of the whole section.
//! Must not live here: rules.

use crate::cidr::{Address, Prefix};
use crate::hujson::{Kind, Value};
use crate::policy::findings::words::{filled, owned};
use crate::policy::language::document::{AutoApprovers, Table, Word};
use crate::policy::language::grammar::Key;
use crate::policy::language::selector::{self, Selector};
use crate::tables::find::{has, rsplit_once};
use crate::tables::index::Index;

use super::decode::{Decoder, go_type, kind_name};
use super::fields::APPROVERS;
use super::selectors::{is_tag, kind_of, no_tag, without_zone};

impl<'t> Decoder<'t> {
    /// Passes on each name of a section and what it means; names that are repeated are faults. Returns whether it is a section.
    #[inline(never)]
    fn names(
        &mut self,
        (section, go): (Value<'t>, &str),
        take: &mut dyn FnMut(&mut Self, Word<'t>, Value<'t>),
    ) -> bool {
        let is_section = self.want(section, Kind::Object, go);
        let mut seen = Index::default();
        for member in section.members() {
            let text = member.name.as_str().unwrap_or_default();
            let span = member.name.span();
            if !seen.set(text.into(), 0) {
                self.repeated_name(member, text);
            }
            let outside = self.enter(text);
            take(self, Word { text, span }, member.value);
            self.leave(outside);
        }
        is_section
    }

    pub fn groups(&mut self, value: Value<'t>) -> Table<'t, Vec<Selector<'t>>> {
        let mut groups = Table::default();
        let section = (value, "map[string]interface {}");
        let is_section = self.names(section, &mut |decoder, name, value| {
            let mut members = Vec::new();
            for element in value.elements() {
                let text = element.as_str().unwrap_or_default();
                members.push(decoder.selector(text, element.span()));
            }
            groups.insert(name, members);
        });
        if let Some((at, cause)) = group_fault(value).filter(|_| is_section) {
            let place = (at.span(), kind_name(value.kind()));
            self.misfit_at("invalid_member", place, "v2.Groups", &cause);
        }
        groups
    }

    pub fn hosts(&mut self, value: Value<'t>) -> Table<'t, Selector<'t>> {
        let (mut hosts, mut cause) = (Table::default(), None);
        self.names((value, "map[string]string"), &mut |decoder, name, value| {
            let text = decoder.text(value, "string");
            let address = text.unwrap_or_default();
            if text.is_some() && cause.is_none() {
                cause = host_fault(name.text, address).map(|cause| (value.span(), cause));
            }
            hosts.insert(name, decoder.selector(without_zone(address), value.span()));
        });
        if let Some((span, cause)) = cause {
            let place = (span, kind_name(value.kind()));
            self.misfit_at("invalid_host", place, "v2.Hosts", &cause);
        }
        hosts
    }

    pub fn tag_owners(&mut self, value: Value<'t>) -> Table<'t, Vec<Selector<'t>>> {
        let mut tag_owners = Table::default();
        self.names((value, "v2.TagOwners"), &mut |decoder, tag, value| {
            let place = (tag.span, "string");
            if !tag.text.starts_with("tag:") {
                let cause = filled("tag must start with 'tag:', got: %q", &[tag.text]);
                decoder.misfit_at("invalid_tag", place, "v2.Tag", &cause);
            } else if !is_tag(tag.text) {
                decoder.whole("invalid_tag", tag.span, &no_tag(tag.text));
            }
            let owners = decoder.parties(value, ("[]v2.OwnerEnc", "v2.OwnerEnc"), "owner");
            tag_owners.insert(tag, owners);
        });
        tag_owners
    }

    /// Users, groups and tags: who may own a tag or approve a route.
    fn parties(
        &mut self,
        value: Value<'t>,
        (list, each): (&str, &str),
        what: &str,
    ) -> Vec<Selector<'t>> {
        self.list(value, list, |decoder, element| {
            let text = decoder.text(element, "string")?;
            let kind = kind_of(text);
            use selector::Kind::{Group, Tag, User};
            if !matches!(kind, Some(User | Group | Tag)) {
                let cause = filled("invalid %s format: %q", &[what, text]);
                decoder.misfit("invalid_owner", element, each, &cause);
            }
            Some(decoder.selector(text, element.span()))
        })
    }

    pub fn auto_approvers(&mut self, value: Value<'t>) -> AutoApprovers<'t> {
        const APPROVER: (&str, &str) = ("[]v2.AutoApproverEnc", "v2.AutoApproverEnc");
        let mut approvers = AutoApprovers::default();
        self.fields(value, &APPROVERS, &mut |decoder, key, value| match key {
            Key::Routes => {
                let section = (value, "map[netip.Prefix]v2.AutoApprovers");
                decoder.names(section, &mut |decoder, prefix, value| {
                    if let Some(cause) = prefix_fault(prefix.text) {
                        let place = (prefix.span, "string");
                        decoder.misfit_at("invalid_address", place, "netip.Prefix", &cause);
                    }
                    let own = decoder.parties(value, APPROVER, "auto approver");
                    approvers.routes.push((prefix, own));
                });
            }
            _ => approvers.exit_node = decoder.parties(value, APPROVER, "auto approver"),
        });
        approvers
    }

    /// A list of prefixes, as texts.
    pub fn pools(&mut self, value: Value<'t>) -> Vec<Word<'t>> {
        self.list(value, "[]netip.Prefix", |decoder, element| {
            let text = element.as_str();
            let span = element.span();
            let cause = match text {
                None => Some(owned("JSON value must be string type")),
                Some(text) => prefix_fault(text),
            };
            if let Some(cause) = cause {
                decoder.misfit("invalid_pool", element, "netip.Prefix", &cause);
            }
            let text = text.unwrap_or_default();
            Some(Word { text, span })
        })
    }
}

/// A fault of the section of groups: of which look of the decoder, where, and the words with their names.
type GroupFault<'t> = (GroupCheck, Value<'t>, &'static str, [&'t str; 2]);

/// What the decoder looks for, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum GroupCheck {
    Names,
    Types,
    Groups,
    Users,
}

/// The first fault of the section of groups, in the order in which its decoder looks; of groups in groups that of the last name.
fn group_fault<'t>(value: Value<'t>) -> Option<(Value<'t>, String)> {
    let mut found: Option<GroupFault<'t>> = None;
    for member in value.members() {
        let name = member.name.as_str().unwrap_or_default();
        let mut note = |fault: GroupFault<'t>| {
            let is_first = found.is_none_or(|(look, _, _, [last, _])| {
                fault.0 < look || fault.0 == look && look == GroupCheck::Groups && last <= name
            });
            if is_first {
                found = Some(fault);
            }
        };
        if !name.starts_with("group:") {
            let words = "group must start with 'group:', got: %q";
            note((GroupCheck::Names, member.name, words, [name, ""]));
        }
        if member.value.kind() != Kind::Array {
            let (words, got) = match member.value.as_str() {
                Some(text) => (
                    "group value must be an array of users: group %q got string: %q",
                    text,
                ),
                None => (
                    "group value must be an array of users: group %q got %s",
                    go_type(member.value.kind()),
                ),
            };
            note((GroupCheck::Types, member.value, words, [name, got]));
        }
        let mut has_group = false;
        for element in member.value.elements() {
            let text = element.as_str().unwrap_or_default();
            note(if element.kind() != Kind::String {
                let words = "invalid group member type: group %q expected string but got %s";
                let got = go_type(element.kind());
                (GroupCheck::Types, element, words, [name, got])
            } else if has(text, b'@') {
                continue;
            } else if text.starts_with("group:") && !has_group {
                has_group = true;
                let words = "groups[%q]: %q: group members cannot be recursive";
                (GroupCheck::Groups, element, words, [name, text])
            } else {
                let words = "username must contain @, got: %q";
                (GroupCheck::Users, element, words, [text, ""])
            });
        }
    }
    let (_, at, words, names) = found?;
    Some((at, filled(words, &names)))
}

fn host_fault(name: &str, address: &str) -> Option<String> {
    if has(name, b'@') || has(name, b':') {
        return Some(filled("invalid hostname: %q", &[name]));
    }
    let is_fine = Prefix::parse(address).is_ok() || Address::parse(without_zone(address)).is_ok();
    (!is_fine).then(|| {
        let words = "hostname contains invalid IP address: hostname %q address %q";
        filled(words, &[name, address])
    })
}

/// Why a text is no prefix.
fn prefix_fault(text: &str) -> Option<String> {
    let fault = match rsplit_once(text, b'/') {
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
    Some(filled("netip.ParsePrefix(%q): %s", &[text, fault]))
}
