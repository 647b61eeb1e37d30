//! What a change of the text opens or closes that nobody can use in the network of today: the source has no address of the family of the
//! destination, or a group has no member. It is found in a network that has these.
//! Must not live here: what differs in one network (diff_access.rs, diff_ssh.rs).

use super::access_change::{self, AccessChange};
use super::findings::words::joined;
use super::language::rule::{RuleRef, Section};
use super::language::selector::{Kind, Selector};
use super::relation::cuts::{V4, V6, family_of};
use super::relation::part_of::family_text;
use super::ssh_change::{SshChange, SshReach};
use super::tailnet::context::{Device, PolicyContext};
use super::tailnet::flow::Judge;
use super::tailnet::membership::is_synced;
use super::tailnet::parties::{Party, PartyKind};
use crate::cidr::{Address, Version};
use crate::tables::sort;

/// The access that changes, `usable` being what can be used, with what the rules open or close that nobody can use in this network, of rules that are not shown otherwise.
pub fn access(
    judges: [&Judge<'_>; 2],
    mut found: Vec<AccessChange>,
    usable: &dyn Fn([&Judge<'_>; 2]) -> Vec<AccessChange>,
) -> Vec<AccessChange> {
    let Some(completed) = Completed::of(judges) else {
        return found;
    };
    let mut more = Vec::new();
    completed.ask(&mut |judges| more = usable(judges));
    let shown = RulesShown::of(found.iter().flat_map(|change| {
        let sure = change.gained.iter().chain(change.lost.iter());
        let sure = sure.map(|reach| (false, reach));
        let undecided = change.undecided.iter();
        let all = sure.chain(undecided.map(|reach| (reach.may.is_none(), reach)));
        all.map(|(is_either, reach)| {
            let turn = (is_either, reach.weight.is_earlier);
            (turn, reach.because.as_slice())
        })
    }));
    for change in more {
        let lists = [
            (&change.gained, false),
            (&change.lost, false),
            (&change.undecided, true),
        ];
        let lists = lists.map(|(list, is_undecided)| {
            let idle = list.iter().filter_map(|reach| {
                let is_either = is_undecided && reach.may.is_none();
                let turn = (is_either, reach.weight.is_earlier);
                let rules = shown.others(turn, &reach.because)?;
                let parties = [&change.party, &reach.party];
                let why = completed.why(parties, reach.weight.families, rules)?;
                let mut reach = reach.clone();
                reach.party = completed.meant(&reach.party);
                (reach.today, reach.weight.is_idle) = (Some(why), true);
                Some(reach)
            });
            idle.collect::<Vec<_>>()
        });
        if lists.iter().any(|list| !list.is_empty()) {
            access_change::add(&mut found, completed.meant(&change.party), lists);
        }
    }
    found
}

/// The logins that change, with those that the rules give or take and that nobody has in this network, of rules that are not shown otherwise.
pub fn logins(
    judges: [&Judge<'_>; 2],
    mut found: Vec<SshChange>,
    usable: &dyn Fn([&Judge<'_>; 2]) -> Vec<SshChange>,
) -> Vec<SshChange> {
    let Some(completed) = Completed::of(judges).filter(Completed::has_groups) else {
        return found;
    };
    let mut more = Vec::new();
    completed.ask(&mut |judges| more = usable(judges));
    let shown = RulesShown::of(found.iter().flat_map(|change| {
        let checked = change.checked.iter().map(|checked| &checked.reach);
        let sure = change.gained.iter().chain(&change.lost).chain(checked);
        let sure = sure.map(|reach| (false, reach));
        let undecided = change.undecided.iter();
        let all = sure.chain(undecided.map(|reach| (reach.may.is_none(), reach)));
        all.map(|(is_either, reach)| ((is_either, reach.is_earlier), reach.because.as_slice()))
    }));
    for mut change in more {
        let party = change.party.clone();
        let is_idle = |reach: &mut SshReach, is_either: bool| {
            let why = shown.others((is_either, reach.is_earlier), &reach.because);
            let why = why.and_then(|rules| completed.why([&party, &reach.party], 0, rules));
            let is_idle = why.is_some();
            (reach.today, reach.network) = (why, None);
            reach.party = completed.meant(&reach.party);
            is_idle
        };
        let undecided = &mut change.undecided;
        undecided.retain_mut(|reach| is_idle(reach, reach.may.is_none()));
        for list in [&mut change.gained, &mut change.lost] {
            list.retain_mut(|reach| is_idle(reach, false));
        }
        let checked = &mut change.checked;
        checked.retain_mut(|checked| is_idle(&mut checked.reach, false));
        change.party = completed.meant(&party);
        if !change.is_empty() {
            found.push(change);
        }
    }
    found
}

/// The networks of two documents as they would be if each device had addresses of both families, and each group of unknown members that
/// nobody is in a member of its own name.
struct Completed<'p> {
    contexts: [PolicyContext; 2],
    groups: Vec<String>,
    judges: [&'p Judge<'p>; 2],
}

impl<'p> Completed<'p> {
    /// Those of two documents with different texts; none where the networks lack nothing.
    #[inline(never)]
    fn of(judges: [&'p Judge<'p>; 2]) -> Option<Completed<'p>> {
        let [before, after] = judges.map(|judge| judge.policy().document.text());
        let groups = empty_groups(judges);
        let lacks = !groups.is_empty() || are_apart(judges);
        (before != after && lacks).then(|| Completed {
            contexts: judges.map(|judge| completed(judge.network.context, &groups)),
            groups,
            judges,
        })
    }

    /// Whether a group has no member.
    fn has_groups(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Asks about both documents in them.
    fn ask(&self, ask: &mut dyn FnMut([&Judge<'_>; 2])) {
        let [before, after] = &self.judges;
        let [old, new] = &self.contexts;
        ask([
            &Judge::new(before.policy(), old),
            &Judge::new(after.policy(), new),
        ]);
    }

    /// The same party: of a group not the member that it was given.
    fn meant(&self, party: &Party) -> Party {
        let kind = match self.groups.contains(&party.name) {
            true => PartyKind::Group,
            false => party.kind,
        };
        Party {
            kind,
            ..party.clone()
        }
    }

    /// Why nobody can use today what rules of one document open to a source at a destination with addresses of these families.
    fn why(
        &self,
        [source, to]: [&Party; 2],
        families: u8,
        rules: (&[RuleRef], usize),
    ) -> Option<String> {
        for party in [source, to] {
            if self.groups.contains(&party.name) && self.names(rules, &party.name) {
                return Some(joined(&["nobody is in ", &party.name]));
            }
        }
        let judge = self.judges.get(rules.1)?;
        let own = families_of(judge, source)?;
        let other = families_of(judge, to).unwrap_or(families);
        let word = |families: u8| match families {
            V4 => family_text(Version::V4),
            _ => family_text(Version::V6),
        };
        (own & other == 0 && own != 0 && other != 0).then(|| {
            let (source, to) = (&source.name, &to.name);
            joined(&[source, " has ", word(own), " alone, ", to, " ", word(other)])
        })
    }

    /// Whether a rule names a group.
    fn names(&self, (rules, at): (&[RuleRef], usize), group: &str) -> bool {
        let policy = self.judges.get(at).map(|judge| judge.policy());
        let is_it = |selector: &Selector<'_>| selector.name() == group;
        let of_ssh = policy.into_iter().flat_map(|policy| {
            let rules = policy.ssh.iter().enumerate();
            rules.map(|(at, rule)| ((Section::Ssh, at), rule.sources.iter()))
        });
        let mut all = policy.into_iter().flat_map(|policy| policy.rules());
        let is_meant = |section, index| {
            let mut rules = rules.iter();
            rules.any(|rule| (rule.section, rule.index) == (section, index))
        };
        all.any(|rule| {
            is_meant(rule.section, rule.index)
                && (rule.sources.iter().any(is_it) || rule.destinations().any(is_it))
        }) || of_ssh
            .into_iter()
            .any(|((section, at), mut sources)| is_meant(section, at) && sources.any(is_it))
    }
}

/// Whether a device has addresses of one family alone, and another, or a destination of a rule, of the other alone.
fn are_apart(judges: [&Judge<'_>; 2]) -> bool {
    let has_device = |family: u8| {
        let mut devices = judges.iter().flat_map(|judge| judge.network.devices);
        devices.any(|device| families(device) == family)
    };
    let has_set = |family: u8| {
        judges.iter().any(|judge| {
            let named = judge.about.destinations.selectors.iter();
            let mut sets = named.filter_map(|selector| judge.network.set_of(selector));
            sets.any(|set| {
                let mut ranges = set.ranges();
                !set.is_empty() && ranges.all(|range| family_of(range.first()) == family)
            })
        })
    };
    [(V4, V6), (V6, V4)]
        .into_iter()
        .any(|(own, other)| has_device(own) && (has_device(other) || has_set(other)))
}

/// The families of the addresses that the devices of a party have.
fn families_of(judge: &Judge<'_>, party: &Party) -> Option<u8> {
    let is_own = |device: &&Device| match party.kind {
        PartyKind::User => device.user() == Some(&party.name),
        PartyKind::Tag => device.tags().iter().any(|tag| tag.trim() == party.name),
        PartyKind::Device => party.id.as_ref() == Some(&device.id),
        _ => false,
    };
    let mut own = judge.network.devices.iter().filter(is_own).peekable();
    own.peek()?;
    Some(own.fold(0, |all, device| all | families(device)))
}

/// A context with an address of the other family for each device with one alone, and with these groups.
fn completed(context: &PolicyContext, groups: &[String]) -> PolicyContext {
    let mut context = context.clone();
    for device in context.devices.iter_mut().flatten() {
        let other = match (families(device), device.addresses.first()) {
            (V4, Some(Address::V4(own))) => Some(Address::V6(FREE_V6 | u128::from(*own))),
            (V6, Some(Address::V6(own))) => Some(Address::V4(FREE_V4 | *own as u32 & 0xffff)),
            _ => None,
        };
        device.addresses.extend(other);
    }
    if !groups.is_empty() {
        let known = context.groups.get_or_insert_default();
        known.retain(|(name, _)| !groups.contains(name));
        let member = |name: &String| (name.clone(), vec![name.clone()]);
        known.extend(groups.iter().map(member));
    }
    context
}

/// Whether something may go either way, of which the rules of one document are shown, though it is of both; else whether its rules are
/// those of the earlier document.
type TurnOfRules = (bool, bool);

/// The rules that differences are shown with.
struct RulesShown(Vec<(TurnOfRules, RuleRef)>);

impl RulesShown {
    /// Those of some differences.
    fn of<'r>(differences: impl Iterator<Item = (TurnOfRules, &'r [RuleRef])>) -> RulesShown {
        let mut rules = Vec::new();
        for (turn, own) in differences {
            rules.extend(own.iter().map(|rule| (turn, *rule)));
        }
        sort::sort(&mut rules);
        rules.dedup();
        RulesShown(rules)
    }

    /// Some rules with the place of their document, if none of them is shown with what has the same turn.
    fn others<'r>(
        &self,
        turn: TurnOfRules,
        rules: &'r [RuleRef],
    ) -> Option<(&'r [RuleRef], usize)> {
        let is_shown = |rule: &RuleRef| self.0.binary_search(&(turn, *rule)).is_ok();
        (!rules.iter().any(is_shown)).then_some((rules, usize::from(!turn.1)))
    }
}

/// Before addresses of the tailnet that hardly a device has: `fd7a:115c:a1e0:ffff::` and `100.126.0.0`.
const FREE_V6: u128 = 0xfd7a_115c_a1e0_ffff << 64;
const FREE_V4: u32 = 0x647e_0000;

/// The families of a device's addresses.
fn families(device: &Device) -> u8 {
    let addresses = device.addresses.iter();
    addresses.fold(0, |all, address| all | family_of(*address))
}

/// The groups that rules name, and of which the context knows no member.
fn empty_groups(judges: [&Judge<'_>; 2]) -> Vec<String> {
    let mut groups = Vec::new();
    for judge in judges {
        let (about, ssh) = (&judge.about, &judge.policy().ssh);
        let named = [&about.sources, &about.destinations];
        let named = named.into_iter().flat_map(|named| &named.selectors);
        let of_ssh = ssh.iter().flat_map(|rule| &rule.sources);
        for selector in named.copied().chain(of_ssh) {
            let name = selector.name();
            let is_empty = selector.kind == Kind::Group
                && is_synced(name)
                && judges.iter().all(|judge| {
                    let own = &judge.network.groups;
                    !judge.policy().groups.contains(name)
                        && !own.is_unknown(name)
                        && own.of(name).is_empty()
                });
            if is_empty && !groups.iter().any(|known| known == name) {
                groups.push(name.to_owned());
            }
        }
    }
    groups
}
