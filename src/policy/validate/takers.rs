//! Which of the selectors that rules name include all that another one does, in every tailnet: judged by the text only.
//! Must not live here: rules, what selectors resolve to in a context.

use crate::cidr::Range;

use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Autogroup, Kind, Numbered, Selector};
use crate::policy::tailnet::addresses::{internet, tailnet};
use crate::policy::tailnet::party::Side;
use crate::tables::index::Index;
use crate::tables::sort;

/// How many wider sets of addresses, and how many groups, are considered for one selector. Prefixes around one address are
/// nested, so that there are no more of them than this in any real document.
const MOST: usize = 64;

/// The distinct selectors of some rules, each with an index.
#[derive(Default)]
pub(super) struct SelectorNames<'p> {
    places: Numbered,
    selectors: Vec<&'p Selector<'p>>,
}

impl<'p> SelectorNames<'p> {
    /// The index of a selector, by its name.
    pub fn place(&mut self, selector: &'p Selector<'p>) -> usize {
        self.places.get(selector).unwrap_or_else(|| {
            let next = self.selectors.len();
            self.places.set(selector, next);
            self.selectors.push(selector);
            next
        })
    }
}

/// The selectors that include each one, by index.
pub(super) struct Inclusions {
    /// The representative of each index: names of the same addresses share one.
    same: Vec<usize>,
    of_source: Vec<Vec<usize>>,
    of_target: Vec<Vec<usize>>,
}

impl Inclusions {
    /// Computes them: groups by their members, addresses by a sweep over their ranges, the rest by kind.
    pub fn of<'p>(policy: &'p Policy<'p>, names: &SelectorNames<'p>) -> Inclusions {
        let count = names.selectors.len();
        let mut wide = Wide::of(policy, names);
        let same = wide.ranges(policy, names);
        let mut takers = Inclusions {
            same,
            of_source: Vec::with_capacity(count),
            of_target: Vec::with_capacity(count),
        };
        for (at, selector) in names.selectors.iter().enumerate() {
            let own = takers.same(at);
            let of_source = wide.takers(selector, at, own, Side::Source);
            takers.of_source.push(of_source);
            let of_target = wide.takers(selector, at, own, Side::Destination);
            takers.of_target.push(of_target);
        }
        takers
    }

    /// How many selectors there are.
    pub fn count(&self) -> usize {
        self.same.len()
    }

    /// The representative of this one.
    pub fn same(&self, place: usize) -> usize {
        self.same.get(place).copied().unwrap_or(place)
    }

    /// Those that include the selector at an index, itself among them.
    pub fn get(&self, side: Side, place: usize) -> &[usize] {
        let all = match side {
            Side::Source => &self.of_source,
            Side::Destination => &self.of_target,
        };
        all.get(place).map_or(&[], Vec::as_slice)
    }
}

/// The selectors that can include others, by what they include.
#[derive(Default)]
struct Wide<'p> {
    any: Option<usize>,
    danger_all: Option<usize>,
    tagged: Option<usize>,
    /// By either of its names.
    members: Vec<usize>,
    domains: Index<'p>,
    /// The user of each index.
    groups: Vec<Vec<usize>>,
    /// The addresses of each index: their range, and the wider ones.
    addresses: Vec<Option<Range>>,
    wider: Vec<Vec<usize>>,
}

impl<'p> Wide<'p> {
    fn of(policy: &'p Policy<'p>, names: &SelectorNames<'p>) -> Wide<'p> {
        let mut wide = Wide {
            groups: vec![Vec::new(); names.selectors.len()],
            ..Wide::default()
        };
        for (at, selector) in names.selectors.iter().enumerate() {
            match selector.kind {
                Kind::Any => wide.any = Some(at),
                Kind::Autogroup(Autogroup::DangerAll) => wide.danger_all = Some(at),
                Kind::Autogroup(Autogroup::Tagged) => wide.tagged = Some(at),
                Kind::Autogroup(Autogroup::Member) => wide.members.push(at),
                Kind::Domain => {
                    if let Some(domain) = selector.domain() {
                        wide.domains.set(domain.into(), at);
                    }
                }
                Kind::Group => {
                    let members = policy.groups.get(selector.name());
                    for member in members.into_iter().flatten() {
                        let user = names.places.get(member);
                        match user.and_then(|user| wide.groups.get_mut(user)) {
                            Some(groups) if groups.len() < MOST => groups.push(at),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        wide
    }

    /// Finds the ranges around each range, and for every index the first one with the same range. The ranges are
    /// swept from the left, wider ones first; those that have begun and may not have ended are kept on a stack.
    fn ranges(&mut self, policy: &'p Policy<'p>, names: &SelectorNames<'p>) -> Vec<usize> {
        let mut sorted = Vec::new();
        for (at, selector) in names.selectors.iter().enumerate() {
            let range = policy.range(selector);
            sorted.extend(range.map(|range| (range, at)));
            self.addresses.push(range);
        }
        sort::sort_by(&mut sorted, |(a, _), (b, _)| {
            a.first().cmp(&b.first()).then(b.last().cmp(&a.last()))
        });
        let mut same: Vec<usize> = (0..names.selectors.len()).collect();
        self.wider.resize(same.len(), Vec::new());
        let mut begun: Vec<(Range, usize)> = Vec::new();
        for (range, at) in sorted {
            while begun
                .pop_if(|(top, _)| top.last() < range.first())
                .is_some()
            {}
            if let Some((top, first)) = begun.last()
                && *top == range
            {
                if let Some(same) = same.get_mut(at) {
                    *same = *first;
                }
                continue;
            }
            let around = begun.iter().rev().take(MOST);
            let around = around.filter(|(wider, _)| range.last() <= wider.last());
            if let Some(wider) = self.wider.get_mut(at) {
                wider.extend(around.map(|(_, at)| *at));
            }
            begun.push((range, at));
        }
        same
    }

    /// Those that include the selector at an index; `own` is its representative.
    fn takers(&self, selector: &Selector<'_>, at: usize, own: usize, side: Side) -> Vec<usize> {
        let range = self.addresses.get(own).copied().flatten();
        let mut takers = vec![own];
        if side == Side::Source {
            takers.extend(self.danger_all);
        }
        if side == Side::Destination || is_of_tailnet(selector.kind, range) {
            takers.extend(self.any);
        }
        match selector.kind {
            Kind::User => {
                takers.extend(self.groups.get(at).into_iter().flatten());
                let domain = selector.name().rsplit_once('@').map(|(_, domain)| domain);
                takers.extend(domain.and_then(|domain| self.domains.find(domain)));
                takers.extend(&self.members);
            }
            Kind::Group
            | Kind::Domain
            | Kind::Autogroup(Autogroup::Member | Autogroup::Role(_)) => {
                takers.extend(&self.members);
            }
            Kind::Tag => takers.extend(self.tagged),
            _ => {}
        }
        // Public addresses go to exit nodes only where a destination is public as a whole (docs/policy-language.md#advice).
        let is_public = |range: Range| side == Side::Destination && internet().covers_range(range);
        let needs_public = range.is_some_and(is_public);
        for &wider in self.wider.get(own).into_iter().flatten() {
            let around = self.addresses.get(wider).copied().flatten();
            if !needs_public || around.is_some_and(is_public) {
                takers.push(wider);
            }
        }
        takers
    }
}

/// Whether `*` as a source includes it: devices of the tailnet, and addresses that only they have.
fn is_of_tailnet(kind: Kind, range: Option<Range>) -> bool {
    match kind {
        Kind::User | Kind::Group | Kind::Tag | Kind::Domain => true,
        Kind::Autogroup(autogroup) => matches!(
            autogroup,
            Autogroup::Member | Autogroup::Tagged | Autogroup::Role(_)
        ),
        _ => range.is_some_and(|range| tailnet().covers_range(range)),
    }
}
