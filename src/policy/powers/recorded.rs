//! Which sessions a rule with a recorder decides: the first rule that allows a login does, and one with a check before the others
//! (docs/policy-language.md#ssh-rules), so what a rule before it decides is not recorded by it.
//! Must not live here: who records (statements.rs).

use super::extent::{Extent, ExtentTerms};
use super::holders::{Included, SelectorList, Who};
use crate::policy::findings::words::joined;
use crate::policy::language::document::SshRule;
use crate::policy::language::json::{Json, PlainJson};
use crate::policy::language::login::SshAction;
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::device_names::DeviceNames;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
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
    pub fn of(network: &Network<'p>, at: usize) -> Vec<Earlier<'p>> {
        let policy = network.policy;
        let Some(own) = policy.ssh.get(at) else {
            return Vec::new();
        };
        let rank = |rule: &SshRule<'_>| {
            let action = rule.action.and_then(|word| SshAction::parse(word.text));
            action.unwrap_or(SshAction::Accept)
        };
        let wanted = accounts(own);
        let mut found = Vec::new();
        for (place, rule) in policy.ssh.iter().enumerate() {
            let left = without(&wanted, &accounts(rule));
            if (rank(rule), place) < (rank(own), at) && left.len() < wanted.len() {
                let names = policy.postures_of(rule.postures.as_deref());
                found.push(Earlier {
                    from: SelectorList::of(network, &rule.sources),
                    on: SelectorList::of(network, &rule.destinations),
                    accounts: accounts(rule),
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

/// Accounts but others, of which `autogroup:nonroot` is all but `root`.
fn without(accounts: &[PlainJson], others: &[PlainJson]) -> Vec<PlainJson> {
    let is_named = |name: &str| others.iter().any(|it| it.as_str() == name);
    let is_any = is_named("\"autogroup:nonroot\"");
    let mut left = accounts.to_vec();
    left.retain(|it| !is_named(it.as_str()) && (!is_any || it.as_str() == "\"root\""));
    left
}

/// The accounts of a rule, each once.
pub fn accounts(rule: &SshRule<'_>) -> Vec<PlainJson> {
    let mut accounts = Vec::new();
    for user in &rule.users {
        let account = Json::Text(user.name().to_owned()).plain();
        if !accounts.contains(&account) {
            accounts.push(account);
        }
    }
    accounts
}
