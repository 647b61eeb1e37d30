//! Which sessions a rule with a recorder decides: the first rule that allows a login does, and one with a check before the others
//! (docs/policy-language.md#ssh-rules), so what a rule before it decides is not recorded by it.
//! Must not live here: who records (statements.rs).

use super::extent::{Extent, ExtentTerms};
use super::holders::{Included, SelectorList, Who};
use crate::policy::findings::words::joined;
use crate::policy::language::document::{Policy, SshRule};
use crate::policy::language::json::{Json, PlainJson};
use crate::policy::language::login::SshAction;
use crate::policy::language::selector::Selector;
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::device_names::DeviceNames;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::receivers::own_place;
use crate::tables::sort;

/// A rule that comes before another.
pub struct Earlier<'p> {
    from: SelectorList<'p>,
    on: SelectorList<'p>,
    accounts: Vec<PlainJson>,
    terms: ExtentTerms<'p>,
}

impl<'p> Earlier<'p> {
    /// The rules before one of a policy that allow an account that it allows.
    pub fn of(network: &Network<'p>, at: usize, named: &[PlainJson]) -> Vec<Earlier<'p>> {
        let policy = network.policy;
        let Some(own) = policy.ssh.get(at) else {
            return Vec::new();
        };
        let rank = |rule: &SshRule<'_>| {
            let action = rule.action.and_then(|word| SshAction::parse(word.text));
            action.unwrap_or(SshAction::Accept)
        };
        let wanted = accounts(own, named);
        let mut found = Vec::new();
        for (place, rule) in policy.ssh.iter().enumerate() {
            let accounts = accounts(rule, named);
            let left = without(&wanted, &accounts);
            if (rank(rule), place) < (rank(own), at) && left.len() < wanted.len() {
                let names = policy.postures_of(rule.postures.as_deref());
                found.push(Earlier {
                    from: SelectorList::of(network, &rule.sources),
                    on: places(network, rule),
                    accounts,
                    terms: ExtentTerms::of_postures(policy, names),
                });
            }
        }
        found
    }

    /// Whether it decides the sessions from somebody at a place that are there on some terms.
    pub fn decides(
        &self,
        network: &Network<'_>,
        (from, on): (&Who<'_>, &Who<'_>),
        terms: &ExtentTerms<'_>,
    ) -> Included {
        let has_posture = match from.device_in(network) {
            _ if self.terms.cover_postures(terms) => Included::Yes,
            // Some of the devices of a name may have it.
            device => self.terms.met_by(network, device.map(|(at, _)| at)),
        };
        let on = self.on.includes(network, Side::Destination, on);
        let included = on.and(|| self.from.includes(network, Side::Source, from));
        included.and(|| has_posture)
    }

    /// What it leaves of an extent whose sessions it decides.
    pub fn leaves(&self, mut extent: Extent) -> Extent {
        extent.values = without(&extent.values, &self.accounts);
        extent
    }

    /// Whether it is the same rule as another.
    pub fn is_like(&self, other: &Earlier<'_>) -> bool {
        self.canonical() == other.canonical()
    }

    /// Some of them in a form that does not depend on names and order.
    pub fn canonical_of(all: &[Earlier<'_>]) -> String {
        let mut texts: Vec<String> = all.iter().map(Earlier::canonical).collect();
        sort::sort(&mut texts);
        texts.dedup();
        texts.concat()
    }

    fn canonical(&self) -> String {
        let extent = Extent {
            values: self.accounts.clone(),
            ..Extent::default()
        };
        joined(&[
            "\0",
            &self.from.canonical(),
            "\0",
            &self.on.canonical(),
            "\0",
            &extent.canonical(),
            "\0",
            &self.terms.canonical(),
        ])
    }
}

/// The sources and places of some sessions that rules before them decide, where these are a part of a name alone: those whom such a rule
/// names, and the devices at which it counts.
pub fn parts<'p>(
    network: &Network<'p>,
    [from, on]: [&SelectorList<'p>; 2],
    earlier: &[&Earlier<'p>],
) -> [Vec<Who<'p>>; 2] {
    let mut sources: Vec<Who<'p>> = Vec::new();
    for who in earlier.iter().flat_map(|it| &it.from.parties) {
        let is_new = |known: &Who<'p>| known.name() != who.name();
        if from.includes(network, Side::Source, who) != Included::No
            && from.parties.iter().chain(&sources).all(is_new)
        {
            sources.push(who.clone());
        }
    }
    let mut places = Vec::new();
    let names = DeviceNames::of(network.context);
    for (at, device) in DeviceIndex::each(network.devices) {
        let who = Who::of_device(network, device, names.shown(at));
        let is_in = |list: &SelectorList<'p>| {
            list.includes(network, Side::Destination, &who) != Included::No
        };
        if is_in(on) && earlier.iter().any(|it| is_in(&it.on)) {
            places.push(who);
        }
    }
    [sources, places]
}

/// Accounts but others.
fn without(accounts: &[PlainJson], others: &[PlainJson]) -> Vec<PlainJson> {
    let mut left = accounts.to_vec();
    left.retain(|it| !others.contains(it));
    left
}

/// Where a rule counts: one by the own name at the own devices, too.
pub fn places<'p>(network: &Network<'p>, rule: &SshRule<'p>) -> SelectorList<'p> {
    let own = own_place(network, rule).into_iter().copied();
    let places: Vec<Selector<'p>> = rule.destinations.iter().copied().chain(own).collect();
    SelectorList::of(network, &places)
}

const NONROOT: &str = "autogroup:nonroot";

/// The accounts that `autogroup:nonroot` takes in and that rules of some policies name: a rule before another may decide these alone.
pub fn named_accounts(policies: &[&Policy<'_>]) -> Vec<PlainJson> {
    let mut named = Vec::new();
    for user in policies
        .iter()
        .flat_map(|it| &it.ssh)
        .flat_map(|it| &it.users)
    {
        let account = plain(user.name());
        if !["root", NONROOT].contains(&user.name()) && !named.contains(&account) {
            named.push(account);
        }
    }
    named
}

/// The accounts of a rule, each once, of all but root those that are named as well.
pub fn accounts(rule: &SshRule<'_>, named: &[PlainJson]) -> Vec<PlainJson> {
    let mut accounts = Vec::new();
    let written = rule.users.iter().map(|user| plain(user.name()));
    let is_any = rule.users.iter().any(|user| user.name() == NONROOT);
    let implied = named.iter().filter(|_| is_any).cloned();
    for account in written.chain(implied) {
        if !accounts.contains(&account) {
            accounts.push(account);
        }
    }
    accounts
}

/// Some of the accounts of a rule as they are written: all but root without those that it takes in, and with those that it does not.
pub fn written(some: &[PlainJson], all: &[PlainJson]) -> Vec<PlainJson> {
    let [any, root] = [NONROOT, "root"].map(plain);
    if !some.contains(&any) {
        return some.to_vec();
    }
    let missing = without(all, some);
    let names = missing.iter().filter(|it| **it != root);
    let names: Vec<&str> = names.map(|it| it.as_str().trim_matches('"')).collect();
    let but = if names.is_empty() { "" } else { " but " };
    let shown = joined(&["\"", NONROOT, but, &names.join(", "), "\""]);
    let kept = some.iter().filter(|it| [&any, &root].contains(it));
    kept.map(|it| match *it == any {
        true => Json::Literal(shown.clone()).plain(),
        false => it.clone(),
    })
    .collect()
}

fn plain(account: &str) -> PlainJson {
    Json::Text(account.to_owned()).plain()
}
