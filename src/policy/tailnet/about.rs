//! The rules of a document by the selectors that they name: which of many may concern an end at all. Each distinct
//! selector is evaluated once, however many rules name it.
//! Must not live here: whether a selector includes an end (party.rs), ports.

use crate::cidr::{Address, AddressSet, Range, Version};
use crate::tables::grouped::Grouped;
use crate::tables::index::Index;
use crate::tables::sort;
use crate::tables::spans::Spans;

use super::addresses::tailnet;
use super::endpoint::{Endpoint, Place};
use super::identity::{Answer, Identity};
use super::network::Network;
use super::party::{Side, is_outsider, never_sends};
use crate::policy::language::rule::{Rule, RuleId, RuleOpening};
use crate::policy::language::selector::{Autogroup, Kind, Numbered, Selector};

/// The rules of a document, from either side.
pub struct About<'p> {
    /// All rules.
    pub rules: Vec<Rule<'p>>,
    /// What they open, rule by rule.
    pub openings: Vec<(RuleId, RuleOpening<'p>)>,
    /// The distinct sources, and the indices of the rules that name each.
    pub sources: NamedSelectors<'p>,
    /// The distinct destinations, and the indices of the openings that name each.
    pub destinations: NamedSelectors<'p>,
}

impl<'p> About<'p> {
    /// Sorts the rules of a policy.
    #[inline(never)]
    pub fn new(network: &Network<'p>) -> About<'p> {
        let rules: Vec<Rule<'p>> = network.policy.rules().collect();
        let mut openings = Vec::with_capacity(rules.len());
        for (at, rule) in rules.iter().enumerate() {
            openings.extend(rule.openings().map(|opening| (RuleId(at), opening)));
        }
        let sources = rules.iter().enumerate();
        let mut sources =
            sources.flat_map(|(at, rule)| rule.sources.iter().map(move |source| (source, at)));
        let places = openings.iter().enumerate();
        let mut destinations = places.map(|(at, (_, opening))| (opening.to, at));
        About {
            sources: NamedSelectors::new(network, Side::Source, &mut sources),
            destinations: NamedSelectors::new(network, Side::Destination, &mut destinations),
            rules,
            openings,
        }
    }

    /// A rule by its index.
    pub fn rule(&self, id: RuleId) -> Option<&Rule<'p>> {
        self.rules.get(id.0)
    }
}

/// The distinct selectors of one side of the rules.
pub struct NamedSelectors<'p> {
    side: Side,
    /// In the order of the text.
    pub selectors: Vec<&'p Selector<'p>>,
    /// The rules or openings that name each selector, by its index.
    uses: Grouped,
    /// The indices by name.
    by_name: Index<'p>,
    /// Address selectors, by their contents.
    by_address: Spans<Address>,
    /// The same in the order of the text.
    numeric: Vec<usize>,
    /// Groups whose members are unknown, and users by another name than their login.
    unknown: Vec<usize>,
    /// All others: `*`, autogroups and domains.
    wide: Vec<usize>,
    /// The answers of the address selectors for a device that is only assumed.
    supposed: Vec<(usize, Answer)>,
}

impl<'p> NamedSelectors<'p> {
    /// Those of some rules or openings, each with its index among them; ascending.
    #[inline(never)]
    pub fn new(
        network: &Network<'p>,
        side: Side,
        named: &mut dyn Iterator<Item = (&'p Selector<'p>, usize)>,
    ) -> NamedSelectors<'p> {
        let (mut selectors, mut uses): (Vec<&Selector<'p>>, Vec<_>) = Default::default();
        let (mut by_name, mut known) = (Index::default(), Numbered::default());
        for (selector, used_by) in named {
            // The number of a text is found sooner than the text.
            let place = known.get(selector).unwrap_or_else(|| {
                let place = by_name.place(selector.name(), selectors.len());
                if place == selectors.len() {
                    selectors.push(selector);
                }
                known.set(selector, place);
                place
            });
            uses.push((place, used_by));
        }
        let uses = Grouped::of(selectors.len(), &uses);
        let mut ends = Vec::new();
        let (mut numeric, mut wide, mut supposed) = (Vec::new(), Vec::new(), Vec::new());
        let mut unknown = Vec::new();
        let nobody = Endpoint::supposed(Identity::Nobody);
        for (at, selector) in selectors.iter().enumerate() {
            match selector.kind {
                Kind::Group if network.groups.is_unknown(selector.name()) => unknown.push(at),
                Kind::User if network.login(selector.name()) != selector.name() => unknown.push(at),
                kind if is_named(kind) => {}
                Kind::Any | Kind::Domain | Kind::Autogroup(_) => wide.push(at),
                _ => {
                    numeric.push(at);
                    for range in network.set_of(selector).iter().flat_map(|set| set.ranges()) {
                        ends.push((range.first(), range.last(), at));
                    }
                    match network.takes_in(selector, side, &nobody) {
                        Answer::No => {}
                        answer => supposed.push((at, answer)),
                    }
                }
            }
        }
        NamedSelectors {
            side,
            selectors,
            uses,
            by_name,
            by_address: Spans::new(ends),
            numeric,
            unknown,
            wide,
            supposed,
        }
    }

    /// The rules or openings that name a selector, by its index: ascending, without repeats.
    pub fn uses(&self, selector: usize) -> &[usize] {
        self.uses.get(selector)
    }

    /// The index of a selector among the distinct ones.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.by_name.find(name)
    }

    /// The selectors that include an end or may do so, as indices, ascending; no other selector does.
    #[inline(never)]
    pub fn takers(&self, network: &Network<'p>, end: &Endpoint<'_>) -> Vec<(usize, Answer)> {
        let mut found = Vec::new();
        if never_sends(self.side, end) {
            return found;
        }
        self.add_by_name(network, end, &mut found);
        for &at in &self.wide {
            self.add(network, at, end, &mut found);
        }
        match &end.place {
            Place::Behind => {}
            Place::Supposed if is_outsider(end.identity) => {}
            Place::Supposed => found.extend_from_slice(&self.supposed),
            Place::At(address) => {
                for at in self.by_address.at(*address) {
                    found.push((at, Answer::Yes));
                }
            }
            Place::All(set) => {
                // What holds all of it holds its first address.
                let first = set.ranges().next();
                for at in first.map_or(Vec::new(), |range| self.by_address.at(range.first())) {
                    self.add(network, at, end, &mut found);
                }
            }
            Place::Some(_) => {
                for &at in &self.numeric {
                    self.add(network, at, end, &mut found);
                }
            }
        }
        sort::sort(&mut found);
        found.dedup();
        found
    }

    /// Whether a selector, by its index, means addresses.
    pub fn is_numeric(&self, at: usize) -> bool {
        self.numeric.binary_search(&at).is_ok()
    }

    /// The selectors of addresses, by their indices, that hold all addresses of one family which machines of the tailnet have.
    pub fn numeric_of_family(&self, network: &Network<'p>, family: u8) -> Vec<(usize, Answer)> {
        let own = of_family(family);
        let mut found = Vec::new();
        for &at in &self.numeric {
            let set = self.selectors.get(at).and_then(|it| network.set_of(it));
            if set.is_some_and(|set| set.covers(&own)) {
                found.push((at, Answer::Yes));
            }
        }
        found
    }

    /// The selectors of addresses, by their indices, that hold some address of a family which machines of the tailnet have; ascending.
    pub fn meeting_family(&self, network: &Network<'p>, family: u8) -> Vec<usize> {
        let own = of_family(family);
        let meets = |at: &&usize| {
            let set = self.selectors.get(**at).and_then(|it| network.set_of(it));
            set.is_some_and(|set| set.overlaps(&own))
        };
        self.numeric.iter().filter(meets).copied().collect()
    }

    fn add_by_name(
        &self,
        network: &Network<'p>,
        end: &Endpoint<'_>,
        found: &mut Vec<(usize, Answer)>,
    ) {
        let mut named = |name: &str| {
            if let Some(at) = self.by_name.find(name) {
                self.add(network, at, end, found);
            }
        };
        match end.identity {
            Identity::User(login) | Identity::Holder(login, _) => {
                named(login);
                network.groups_of(login).for_each(named);
                for &at in &self.unknown {
                    self.add(network, at, end, found);
                }
            }
            Identity::Tag(name) | Identity::Service(name) => named(name),
            Identity::Tags(tags) => tags.iter().for_each(|tag| named(tag.trim())),
            Identity::External | Identity::Unowned | Identity::Nobody => {}
            Identity::Unknown | Identity::Some(..) => {
                for (at, selector) in self.selectors.iter().enumerate() {
                    if is_named(selector.kind) {
                        self.add(network, at, end, found);
                    }
                }
            }
        }
    }

    fn add(
        &self,
        network: &Network<'p>,
        at: usize,
        end: &Endpoint<'_>,
        found: &mut Vec<(usize, Answer)>,
    ) {
        if let Some(selector) = self.selectors.get(at) {
            match network.takes_in(selector, self.side, end) {
                Answer::No => {}
                answer => found.push((at, answer)),
            }
        }
    }

    /// Whether a selector, by its index, is `autogroup:self`.
    pub fn is_own(&self, at: usize) -> bool {
        let selector = self.selectors.get(at);
        selector.is_some_and(|selector| selector.kind == Kind::Autogroup(Autogroup::Own))
    }
}

fn is_named(kind: Kind) -> bool {
    matches!(kind, Kind::User | Kind::Group | Kind::Tag | Kind::Service)
}

/// The addresses of one family, or of both, which machines of the tailnet have.
pub fn of_family(family: u8) -> AddressSet {
    let is_own = |range: &Range| match range.first().version() {
        Version::V4 => family & 1 != 0,
        Version::V6 => family & 2 != 0,
    };
    tailnet().ranges().filter(is_own).collect()
}
