//! SSH rules none of whose logins a network rule lets through: a login needs port 22 as well.
//! Must not live here: which login a rule allows, which flow the network does (`tailnet`).
//!
//! Whatever is not known counts as open: roles, members of synced groups, whose an address is. Network rules are indexed by what
//! they open port 22 of; an SSH rule is compared with those of its destinations, in a limited number of steps.

use super::adviser::Adviser;
use crate::hujson::quote;
use crate::policy::findings::hint::{Hint, Write};
use crate::policy::findings::words::joined;
use crate::policy::language::document::{Policy, SshRule};
use crate::policy::language::ports::Protocol;
use crate::policy::language::rule::Rule;
use crate::policy::language::selector::{Autogroup, Kind, Memo, Selector};
use crate::policy::tailnet::addresses::{set_of, tailnet};
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::membership::is_synced;
use crate::tables::index::Lists;

/// The port of SSH.
const SSH: u16 = 22;

/// How many comparisons are made for one rule.
const STEPS: usize = 4096;

/// How many sources and destinations a rule has at most that a hint writes out.
const WRITTEN: usize = 6;

/// What is open on port 22 of devices.
struct SshPorts<'p> {
    policy: &'p Policy<'p>,
    rules: Vec<&'p [Selector<'p>]>,
    /// The index of each rule by the tag whose devices it opens, or by one of the names below.
    by_target: Lists<'p, usize>,
    /// Tags that are on one device with another tag, by that.
    beside: Lists<'p, &'p str>,
    /// Selectors of addresses, and whether a device may have one of them.
    outside: Memo,
    /// How many more openings are looked at: as many as the text has bytes.
    left: usize,
}

/// Facts about selectors of addresses.
const OUTSIDE: usize = 1;
const INSIDE: usize = 2;

/// Names for rules that open devices of users, of all tags, of one tag, of anybody.
const PEOPLE: &str = "people";
const TAGGED: &str = "tagged";
const SOME_TAG: &str = "tag";
const ANYBODY: &str = "*";

impl<'p> Adviser<'p> {
    #[inline(never)]
    pub(super) fn unreached(&mut self) {
        let policy = self.policy;
        if policy.ssh.is_empty() || policy.allows_all() || !self.faults.is_empty() {
            return;
        }
        let ports = SshPorts::of(policy, self.context);
        for rule in &policy.ssh {
            // One without either has a finding of its own.
            let is_whole = !rule.sources.is_empty() && !rule.destinations.is_empty();
            if is_whole && ports.left > 0 && !ports.open(rule) {
                let message = "no network rule opens port 22 for these logins".to_owned();
                let hint = Some(hint(policy, rule));
                self.warn("ssh_without_network", rule.span, message, hint);
            }
        }
    }
}

impl<'p> SshPorts<'p> {
    fn of(policy: &'p Policy<'p>, context: &'p PolicyContext) -> SshPorts<'p> {
        let mut ports = SshPorts {
            policy,
            rules: Vec::new(),
            by_target: Lists::default(),
            beside: Lists::default(),
            outside: Memo::default(),
            left: policy.document.text().len(),
        };
        for device in context.devices.iter().flatten() {
            for tag in device.tags() {
                let others = device.tags().iter().filter(|other| *other != tag);
                for other in others {
                    ports.beside.add(tag, other);
                }
            }
        }
        for rule in policy.rules() {
            ports.add(&rule);
        }
        ports
    }

    /// Notes a rule under what it opens. One with `via` opens no device.
    fn add(&mut self, rule: &Rule<'p>) {
        if !rule.via.is_empty() {
            return;
        }
        let at = self.rules.len();
        for opening in rule.openings() {
            // A grant can open millions of ports with a few lines.
            let Some(left) = self.left.checked_sub(1) else {
                return;
            };
            self.left = left;
            let is_tcp = opening
                .protocol
                .is_none_or(|protocol| protocol == Protocol::TCP);
            if is_tcp
                && opening.ports.contains(SSH)
                && let Some(name) = self.target(opening.to)
            {
                self.by_target.add(name, at);
                if opening.to.kind == Kind::Tag {
                    self.by_target.add(SOME_TAG, at);
                }
            }
        }
        self.rules.push(rule.sources);
        for source in rule.sources {
            self.is_outside(source);
        }
    }

    /// Under which name a rule to this destination is found.
    fn target(&mut self, to: &'p Selector<'p>) -> Option<&'p str> {
        Some(match to.kind {
            Kind::Tag => to.name(),
            Kind::Autogroup(Autogroup::Tagged) => TAGGED,
            Kind::Service | Kind::Autogroup(Autogroup::Internet) => return None,
            kind if is_people(kind) => PEOPLE,
            _ if self.is_outside(to) => return None,
            _ => ANYBODY,
        })
    }

    /// Whether a selector means addresses that no device has.
    fn is_outside(&mut self, selector: &Selector<'p>) -> bool {
        if !selector.kind.is_numeric() && selector.kind != Kind::Host {
            return false;
        }
        if self.outside.get(selector) == 0 {
            let range = self.policy.range(selector);
            let is_inside = range.is_none_or(|range| tailnet().overlaps(&set_of(vec![range])));
            self.outside
                .add(selector, if is_inside { INSIDE } else { OUTSIDE });
        }
        self.outside.get(selector) == OUTSIDE
    }

    /// Whether a network rule may let one of the logins through; true where that takes too many steps to say.
    fn open(&self, rule: &'p SshRule<'p>) -> bool {
        let mut left = STEPS;
        rule.destinations
            .iter()
            .any(|to| self.open_at(to, rule, &mut left))
    }

    fn open_at(&self, to: &'p Selector<'p>, rule: &SshRule<'p>, left: &mut usize) -> bool {
        let mut names = vec![ANYBODY];
        match to.kind {
            Kind::Tag => {
                names.extend([to.name(), TAGGED]);
                names.extend(self.beside.get(to.name()));
            }
            Kind::Autogroup(Autogroup::Tagged) => {
                names.extend([TAGGED, SOME_TAG]);
            }
            _ => names.push(PEOPLE),
        }
        names.into_iter().any(|name| {
            self.by_target.get(name).iter().any(|at| {
                let from = self.rules.get(*at).copied().unwrap_or_default();
                from.iter().any(|from| {
                    let mut sources = rule.sources.iter();
                    sources.any(|source| self.may_meet(source, from, left))
                })
            })
        })
    }

    /// Whether a source of an SSH rule may be one of a network rule.
    fn may_meet(&self, own: &Selector<'_>, of: &Selector<'_>, left: &mut usize) -> bool {
        let Some(rest) = left.checked_sub(1) else {
            return true;
        };
        *left = rest;
        match (own.kind, of.kind) {
            (_, Kind::Service | Kind::Autogroup(Autogroup::Shared)) => false,
            (own, of) if is_people(own) && is_tagged(of) || is_tagged(own) && is_people(of) => {
                false
            }
            (Kind::Tag, Kind::Tag) => {
                own.name() == of.name() || self.beside.get(own.name()).contains(&of.name())
            }
            (Kind::User, Kind::User) => own.name() == of.name(),
            (Kind::User, Kind::Group) => self.has_member(of, own, left),
            (Kind::Group, Kind::User) => self.has_member(own, of, left),
            (Kind::Group, Kind::Group) => {
                let members = self.policy.groups.get(own.name()).into_iter().flatten();
                is_synced(own.name()) || { members }.any(|member| self.has_member(of, member, left))
            }
            _ => self.outside.get(of) != OUTSIDE,
        }
    }

    fn has_member(&self, group: &Selector<'_>, user: &Selector<'_>, left: &mut usize) -> bool {
        let members = self.policy.groups.get(group.name());
        let Some(members) = members else { return true };
        let Some(rest) = left.checked_sub(members.len()) else {
            return true;
        };
        *left = rest;
        members.iter().any(|member| member.name() == user.name())
    }
}

fn is_tagged(kind: Kind) -> bool {
    matches!(kind, Kind::Tag | Kind::Autogroup(Autogroup::Tagged))
}

/// Whether a selector means users.
fn is_people(kind: Kind) -> bool {
    match kind {
        Kind::User | Kind::Group | Kind::Domain => true,
        Kind::Autogroup(autogroup) => matches!(
            autogroup,
            Autogroup::Member | Autogroup::Role(_) | Autogroup::Own
        ),
        _ => false,
    }
}

/// The rule that is missing, in the section that the document uses.
fn hint(policy: &Policy<'_>, rule: &SshRule<'_>) -> Hint {
    if rule.sources.len() + rule.destinations.len() > WRITTEN {
        return Hint::words("add a rule with port 22 for them, or remove this one");
    }
    let list = |selectors: &[Selector<'_>], after: &str| {
        let mut list = String::new();
        for selector in selectors {
            list.push_str(if list.is_empty() { "" } else { ", " });
            quote(&joined(&[selector.name(), after]), &mut list);
        }
        list
    };
    let from = list(&rule.sources, "");
    let is_grant = policy.acl_rules().is_empty() && policy.grants.is_some();
    let (section, start, port, end) = match is_grant {
        true => ("grants", "{\"src\": [", "", "], \"ip\": [\"tcp:22\"]}"),
        false => ("acls", "{\"action\": \"accept\", \"src\": [", ":22", "]}"),
    };
    let to = list(&rule.destinations, port);
    let entry = joined(&[start, &from, "], \"dst\": [", &to, end]);
    Hint {
        text: joined(&["add to ", section, " `", &entry, "`"]),
        write: vec![Write::Entry(section, entry)],
    }
}
