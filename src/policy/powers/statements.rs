//! The entries of a document that give powers, in one form.
//! Must not live here: whom a selector includes (holders.rs), what the entries are compared with (difference.rs).

use super::extent::{Extent, ExtentTerms};
use super::holders::{Included, SelectorList, Who};
use super::power::PowerKind;
use super::recorded::{Earlier, accounts, places};
use crate::cidr::Prefix;
use crate::hujson::pointer::escape;
use crate::policy::findings::words::joined;
use crate::policy::language::document::Capability;
use crate::policy::language::json::{Json, PlainJson};
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::network::Network;

/// One entry: these have this power, as far as it goes, on these terms.
pub struct Statement<'p> {
    pub kind: PowerKind,
    /// The name of what it is about; empty where `on` says that.
    pub what: String,
    pub holders: SelectorList<'p>,
    /// The destinations at which it counts, of a grant or of ssh sessions.
    pub on: Option<SelectorList<'p>>,
    /// The sources of ssh sessions.
    pub from: Option<SelectorList<'p>>,
    pub extent: Extent,
    pub terms: ExtentTerms<'p>,
    /// The rules that decide sessions before it.
    pub earlier: Vec<Earlier<'p>>,
    pub pointer: String,
}

impl<'p> Statement<'p> {
    fn new(
        network: &Network<'p>,
        (kind, what): (PowerKind, &str),
        holders: &[Selector<'p>],
        pointer: &[&str],
    ) -> Statement<'p> {
        let mut path = String::new();
        for token in pointer {
            path.push('/');
            path.push_str(&escape(token));
        }
        Statement {
            kind,
            what: what.to_owned(),
            holders: SelectorList::of(network, holders),
            on: None,
            from: None,
            extent: Extent::whole(),
            terms: ExtentTerms::default(),
            earlier: Vec::new(),
            pointer: path,
        }
    }

    /// The name under which it is compared: routes are compared with all routes, recorders with all recorders.
    pub fn key(&self) -> String {
        match self.kind {
            PowerKind::Route | PowerKind::Recorder => self.kind.name().to_owned(),
            _ => joined(&[self.kind.name(), " ", &self.what]),
        }
    }
}

impl Statement<'_> {
    /// Whether a device has a posture that the entry needs of those who have the capability, or whose sessions are recorded; nothing
    /// is said of anybody else.
    pub fn allows(&self, network: &Network<'_>, who: &Who<'_>) -> Option<Included> {
        let is_needed = matches!(self.kind, PowerKind::Capability | PowerKind::Recorder)
            && !self.terms.postures.is_empty();
        let (at, _) = who.device_in(network).filter(|_| is_needed)?;
        Some(self.terms.met_by(network, Some(at)))
    }

    /// All of it but its place, in a form that does not depend on order and on names of groups, aliases, sets and postures.
    pub fn canonical(&self) -> String {
        let mut text = joined(&[&self.key(), "\0", &self.holders.canonical()]);
        for named in [&self.on, &self.from].into_iter().flatten() {
            text.push_str(&joined(&["\0", &named.canonical()]));
        }
        text.push_str(&joined(&["\0", &self.extent.canonical()]));
        text.push_str(&joined(&["\0", &self.terms.canonical()]));
        text.push_str(&Earlier::canonical_of(&self.earlier));
        text
    }

    /// How far it goes in its own network where another combination, or its own, counts.
    pub fn extent_at(&self, network: &Network<'_>, case: &Combination<'_, '_>) -> Extent {
        self.extents_at(network, case, self).0
    }

    /// How far it goes for certain in its own network where another combination, or its own, counts; and, as long as it is not known what a rule
    /// before it decides, how far with that, and why. What rules of another statement leave unknown as well is no difference.
    pub fn extents_at(
        &self,
        network: &Network<'_>,
        case: &Combination<'_, '_>,
        of_other: &Statement<'_>,
    ) -> (Extent, Option<(Extent, String)>) {
        let (mut certain, mut whole, mut why) = (self.extent.clone(), self.extent.clone(), None);
        if let (Some(from), Some(on)) = (case.from, case.on) {
            for earlier in &self.earlier {
                let decides = earlier.decides(network, (from, on), &self.terms);
                if decides == Included::Yes {
                    (certain, whole) = (earlier.leaves(certain), earlier.leaves(whole));
                }
                if let Included::Unknown(words) = decides
                    && !of_other.earlier.iter().any(|it| it.is_like(earlier))
                {
                    (certain, why) = (earlier.leaves(certain), why.or(Some(words)));
                }
            }
        }
        (certain, why.map(|why| (whole, why)))
    }
}

/// One combination of a statement: a party, and where it counts.
#[derive(Clone, Copy)]
pub struct Combination<'s, 'p> {
    pub statement: &'s Statement<'p>,
    pub who: &'s Who<'p>,
    pub on: Option<&'s Who<'p>>,
    pub from: Option<&'s Who<'p>>,
}

impl<'s, 'p> Combination<'s, 'p> {
    /// All combinations of a statement; a tag is no step to itself.
    pub fn all(statement: &'s Statement<'p>) -> Vec<Combination<'s, 'p>> {
        Combination::with(statement, statement.holders.parties.iter())
    }

    /// The same for other holders than those that it names.
    pub fn with(
        statement: &'s Statement<'p>,
        holders: impl Iterator<Item = &'s Who<'p>>,
    ) -> Vec<Combination<'s, 'p>> {
        let sources = parties_of(&statement.from);
        Combination::between(statement, holders, (&parties_of(&statement.on), &sources))
    }

    /// The same at other destinations than those that it names.
    pub fn at_places(
        statement: &'s Statement<'p>,
        places: impl Iterator<Item = &'s Who<'p>>,
    ) -> Vec<Combination<'s, 'p>> {
        let places: Vec<_> = places.map(Some).collect();
        let sources = parties_of(&statement.from);
        Combination::between(
            statement,
            statement.holders.parties.iter(),
            (&places, &sources),
        )
    }

    /// The same for other sources of sessions than those that it names, at other destinations, and both.
    pub fn of_parts(
        statement: &'s Statement<'p>,
        [sources, places]: &'s [Vec<Who<'p>>; 2],
    ) -> [Vec<Combination<'s, 'p>>; 3] {
        let sources: Vec<_> = sources.iter().map(Some).collect();
        let places: Vec<_> = places.iter().map(Some).collect();
        let (on, from) = (parties_of(&statement.on), parties_of(&statement.from));
        [(&on, &sources), (&places, &from), (&places, &sources)].map(|(on, from)| {
            let holders = statement.holders.parties.iter();
            Combination::between(statement, holders, (on, from))
        })
    }

    /// The same for other sources of sessions than those that it names.
    pub fn of_sources(
        statement: &'s Statement<'p>,
        sources: impl Iterator<Item = &'s Who<'p>>,
    ) -> Vec<Combination<'s, 'p>> {
        let sources: Vec<_> = sources.map(Some).collect();
        let places = parties_of(&statement.on);
        Combination::between(
            statement,
            statement.holders.parties.iter(),
            (&places, &sources),
        )
    }

    fn between(
        statement: &'s Statement<'p>,
        holders: impl Iterator<Item = &'s Who<'p>>,
        (places, sources): (&[Option<&'s Who<'p>>], &[Option<&'s Who<'p>>]),
    ) -> Vec<Combination<'s, 'p>> {
        let mut cases = Vec::new();
        for who in holders {
            let is_step = statement.terms.through.contains(&who.name());
            if statement.kind == PowerKind::Tag && (who.has_tag(&statement.what) || is_step) {
                continue;
            }
            for &on in places {
                let own = sources.iter().filter(|from| !has_no_own(on, **from));
                cases.extend(own.map(|&from| Combination {
                    statement,
                    who,
                    on,
                    from,
                }));
            }
        }
        cases
    }

    /// Of whom the postures of the statement are asked.
    pub fn subject(&self) -> Option<&'s Who<'p>> {
        match self.statement.kind {
            PowerKind::Recorder => self.from,
            _ => Some(self.who),
        }
    }
}

/// Whether somebody would have to have devices of their own: a tag has none.
fn has_no_own(on: Option<&Who<'_>>, from: Option<&Who<'_>>) -> bool {
    let is_own = on.is_some_and(|on| on.selector.kind == Kind::Autogroup(Autogroup::Own));
    is_own && from.is_some_and(|from| from.selector.kind == Kind::Tag)
}

fn parties_of<'s, 'p>(named: &'s Option<SelectorList<'p>>) -> Vec<Option<&'s Who<'p>>> {
    match named {
        Some(named) => named.parties.iter().map(Some).collect(),
        None => vec![None],
    }
}

/// All entries of a document, where rules of ssh name some accounts.
#[inline(never)]
pub fn of<'p>(network: &Network<'p>, named: &[PlainJson]) -> Vec<Statement<'p>> {
    let mut list = Vec::new();
    tags(network, &mut list);
    approvers(network, &mut list);
    node_attributes(network, &mut list);
    grants(network, &mut list);
    recorders(network, named, &mut list);
    list
}

/// The owners of each tag; and those who get there by tags that own it, in as few steps as they can.
fn tags<'p>(network: &Network<'p>, list: &mut Vec<Statement<'p>>) {
    let owners_of = &network.policy.tag_owners;
    for (tag, owners) in owners_of.iter() {
        let tag = tag.name();
        let path = ["tagOwners", tag];
        if network.policy.dialect.inherits_tags() {
            let holders = inherited(network, tag);
            list.push(Statement::new(
                network,
                (PowerKind::Tag, tag),
                &holders,
                &path,
            ));
            continue;
        }
        list.push(Statement::new(
            network,
            (PowerKind::Tag, tag),
            owners,
            &path,
        ));
        let mut seen = vec![tag];
        let mut steps = vec![(owners, Vec::new())];
        let mut at = 0;
        while let Some((owners, chain)) = steps.get(at).cloned() {
            at += 1;
            for owner in owners.iter().filter(|owner| owner.kind == Kind::Tag) {
                if seen.contains(&owner.name()) {
                    continue;
                }
                seen.push(owner.name());
                let Some(owners) = owners_of.get(owner.name()) else {
                    continue;
                };
                let mut through = vec![owner.name()];
                through.extend_from_slice(&chain);
                let mut statement = Statement::new(network, (PowerKind::Tag, tag), owners, &path);
                statement.terms.through = through.clone();
                list.push(statement);
                steps.push((owners, through));
            }
        }
    }
}

/// The users and groups that own a tag, or a tag that owns it: devices that have such a tag do not.
fn inherited<'p>(network: &Network<'p>, tag: &'p str) -> Vec<Selector<'p>> {
    let (mut holders, mut open, mut at) = (Vec::new(), vec![tag], 0);
    while let Some(tag) = open.get(at) {
        at += 1;
        for owner in network.policy.tag_owners.get(tag).into_iter().flatten() {
            match owner.kind {
                Kind::Tag if open.contains(&owner.name()) => {}
                Kind::Tag => open.push(owner.name()),
                _ => holders.push(*owner),
            }
        }
    }
    holders
}

fn approvers<'p>(network: &Network<'p>, list: &mut Vec<Statement<'p>>) {
    let section = &network.policy.auto_approvers;
    for (route, approvers) in &section.routes {
        let Ok(prefix) = Prefix::parse(route.name()) else {
            continue;
        };
        let what = prefix.masked().to_string();
        let path = ["autoApprovers", "routes", route.text];
        let mut statement = Statement::new(network, (PowerKind::Route, &what), approvers, &path);
        statement.extent = Extent {
            routes: prefix.masked().into(),
            ..Extent::default()
        };
        list.push(statement);
    }
    let path = ["autoApprovers", "exitNode"];
    let what = (PowerKind::ExitNode, "exit-node");
    list.push(Statement::new(network, what, &section.exit_node, &path));
    for (service, approvers) in &section.services {
        let path = ["autoApprovers", "services", service.text];
        let what = (PowerKind::Service, service.name());
        list.push(Statement::new(network, what, approvers, &path));
    }
}

fn node_attributes<'p>(network: &Network<'p>, list: &mut Vec<Statement<'p>>) {
    for (at, entry) in network.policy.node_attrs.iter().enumerate() {
        let at = at.to_string();
        for (place, word) in entry.attributes.iter().enumerate() {
            let path = ["nodeAttrs", &at, "attr", &place.to_string()];
            let what = (PowerKind::Attribute, word.name());
            list.push(Statement::new(network, what, &entry.targets, &path));
        }
        for capability in &entry.app {
            let path = ["nodeAttrs", &at, "app", capability.name.text];
            let what = (PowerKind::Capability, capability.name.name());
            let mut statement = Statement::new(network, what, &entry.targets, &path);
            statement.extent.values = values(capability);
            list.push(statement);
        }
    }
}

/// Capabilities of grants. Those of a grant with `via` are dropped (docs/policy-language.md#via).
fn grants<'p>(network: &Network<'p>, list: &mut Vec<Statement<'p>>) {
    let policy = network.policy;
    for (at, grant) in policy.grant_rules().iter().enumerate() {
        if !grant.via.is_empty() {
            continue;
        }
        for capability in &grant.app {
            let path = ["grants", &at.to_string(), "app", capability.name.text];
            let what = (PowerKind::Capability, capability.name.name());
            let mut statement = Statement::new(network, what, &grant.sources, &path);
            statement.extent.values = values(capability);
            let mut to = grant.destinations.clone();
            to.retain(|to| network.may_be_capable(to));
            statement.on = Some(SelectorList::of(network, &to));
            let names = policy.postures_of(grant.postures.as_deref());
            statement.terms = ExtentTerms::of_postures(policy, names);
            list.push(statement);
        }
    }
}

fn values(capability: &Capability<'_>) -> Vec<PlainJson> {
    let mut values = Vec::new();
    for value in capability.values.elements() {
        let value = Json::of(value).plain();
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Whoever records the sessions of an ssh rule.
fn recorders<'p>(network: &Network<'p>, named: &[PlainJson], list: &mut Vec<Statement<'p>>) {
    let policy = network.policy;
    for (at, rule) in policy.ssh.iter().enumerate() {
        if rule.recorders.is_empty() {
            continue;
        }
        let path = ["ssh", &at.to_string()];
        let mut statement =
            Statement::new(network, (PowerKind::Recorder, ""), &rule.recorders, &path);
        statement.extent = Extent {
            values: accounts(rule, named),
            ..Extent::default()
        };
        statement.on = Some(places(network, rule));
        statement.from = Some(SelectorList::of(network, &rule.sources));
        let names = policy.postures_of(rule.postures.as_deref());
        statement.earlier = Earlier::of(network, at, named);
        statement.terms = ExtentTerms {
            is_enforced: rule.enforces_recorder,
            ..ExtentTerms::of_postures(policy, names)
        };
        list.push(statement);
    }
}
