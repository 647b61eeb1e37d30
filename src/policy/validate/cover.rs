//! Rules that another rule makes superfluous.
//! Must not live here: refusals, what rules resolve to in a topology.
//!
//! Judged by the text alone: selectors cover one another by what they mean in every tailnet.

use rustc_hash::FxHashMap;

use super::super::addresses::tailnet;
use super::super::document::Policy;
use super::super::hint::joined;
use super::super::identity::in_domain;
use super::super::issue::Finding;
use super::super::ports::{PortRange, Ports, Protocol};
use super::super::reference::{Lines, Rule};
use super::super::selector::{Autogroup, Kind, Selector};

/// How many rules with a destination in common are compared with one: keeps large documents linear.
const COMPARED: usize = 32;

/// One destination with the ports that come with it.
struct Opening<'p> {
    to: &'p Selector<'p>,
    protocol: Option<Protocol>,
    ports: &'p Ports,
}

/// A rule made ready for comparison.
struct Entry<'p> {
    rule: Rule<'p>,
    openings: Vec<Opening<'p>>,
    /// What its sources may take in.
    offers: Marks,
    /// For each source, by which marks a rule that takes it in can be known.
    needs: Vec<Marks>,
}

/// A bit for each name, as hashes have it, and for each kind of wide selector: a quick no for most pairs of rules.
#[derive(Clone, Copy, Default)]
struct Marks(u64);

impl Marks {
    const ANY: Marks = Marks(1 << 63);
    const MEMBER: Marks = Marks(1 << 62);
    const TAGGED: Marks = Marks(1 << 61);
    const ADDRESSES: Marks = Marks(1 << 60);

    /// FNV-1a, folded to one of the lower sixty bits.
    fn name(name: &str) -> Marks {
        let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
        Marks(1 << ((hash ^ (hash >> 32)) % 60))
    }

    fn with(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    fn meets(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    /// The wide marks that a selector bears.
    fn offered(selector: &Selector<'_>) -> Marks {
        let wide = match selector.kind {
            Kind::Any | Kind::Autogroup(Autogroup::DangerAll) => Marks::ANY,
            Kind::Autogroup(Autogroup::Member) | Kind::Domain => Marks::MEMBER,
            Kind::Autogroup(Autogroup::Tagged) => Marks::TAGGED,
            Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet => {
                Marks::ADDRESSES
            }
            _ => Marks::default(),
        };
        wide.with(Marks::name(selector.name()))
    }
}

impl Policy<'_> {
    /// A warning for each rule that opens nothing another one does not. Of two equal rules the later is named.
    pub(super) fn covered(&self) -> Vec<Finding> {
        let groups = self.group_marks();
        let plain = self.rules().filter(|rule| is_plain(*rule));
        let entries: Vec<Entry<'_>> = plain.map(|rule| Entry::new(rule, &groups)).collect();
        let mut by_target: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, entry) in entries.iter().enumerate() {
            for opening in &entry.openings {
                let list = by_target.entry(opening.to.name()).or_default();
                if list.last() != Some(&at) && list.len() < COMPARED {
                    list.push(at);
                }
            }
        }
        let mut lines = Lines::new(self.document.text());
        let mut found = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let Some(first) = entry.openings.first() else {
                continue;
            };
            let same = by_target.get(first.to.name()).into_iter().flatten();
            let all = by_target.get("*").into_iter().flatten();
            let others = same.chain(all).filter(|other| **other != at);
            let mut others = others.filter_map(|&other| Some((other, entries.get(other)?)));
            let covering = others.find(|&(other, by)| {
                self.covers(by, entry) && (other < at || !self.covers(entry, by))
            });
            if let Some((_, by)) = covering {
                let line = lines.line_of(by.rule.span().start);
                let line = line.to_string();
                let message = joined(&["the rule at line ", &line, " already allows all of this"]);
                let finding = Finding::warning("covered_rule", entry.rule.span(), message);
                found.push(finding.hint(Some("remove one of them".to_owned())));
            }
        }
        found
    }

    /// For each member of a group the marks of its groups.
    fn group_marks(&self) -> FxHashMap<&str, Marks> {
        let mut marks: FxHashMap<&str, Marks> = FxHashMap::default();
        for (name, members) in self.groups.iter() {
            for member in members {
                let of_member = marks.entry(member.name()).or_default();
                *of_member = of_member.with(Marks::name(name.name()));
            }
        }
        marks
    }

    fn covers(&self, outer: &Entry<'_>, inner: &Entry<'_>) -> bool {
        let source = |wanted: &Selector<'_>| {
            let mut sources = outer.rule.sources().iter();
            sources.any(|source| self.includes(source, wanted, Side::Source))
        };
        let opening = |wanted: &Opening<'_>| {
            outer.openings.iter().any(|opening| {
                opening.opens(wanted) && self.includes(opening.to, wanted.to, Side::Target)
            })
        };
        inner.needs.iter().all(|need| need.meets(outer.offers))
            && inner.rule.sources().iter().all(source)
            && inner.openings.iter().all(opening)
    }

    /// Whether one selector takes in all that another does, in every tailnet.
    fn includes(&self, outer: &Selector<'_>, inner: &Selector<'_>, side: Side) -> bool {
        if outer.kind == inner.kind && outer.name() == inner.name() {
            return true;
        }
        let name = inner.name();
        match outer.kind {
            Kind::Autogroup(Autogroup::DangerAll) => true,
            Kind::Any if side == Side::Target => true,
            Kind::Any => match self.addresses(inner) {
                Some(set) => tailnet().covers(&set),
                None => true,
            },
            Kind::Autogroup(Autogroup::Member) => matches!(
                inner.kind,
                Kind::User
                    | Kind::Group
                    | Kind::Domain
                    | Kind::Autogroup(Autogroup::Role(_) | Autogroup::Member)
            ),
            Kind::Autogroup(Autogroup::Tagged) => inner.kind == Kind::Tag,
            Kind::Group if inner.kind == Kind::User => {
                let members = self.groups.get(outer.name()).into_iter().flatten();
                members.into_iter().any(|member| member.name() == name)
            }
            Kind::Domain if inner.kind == Kind::User => in_domain(name, outer),
            Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet => {
                let (outer, inner) = (self.addresses(outer), self.addresses(inner));
                outer
                    .zip(inner)
                    .is_some_and(|(outer, inner)| outer.covers(&inner))
            }
            _ => false,
        }
    }
}

/// Where a selector stands: `*` is narrower as a source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Source,
    Target,
}

/// Whether the rule is about ports alone: postures, capabilities and ways make rules hard to compare.
fn is_plain(rule: Rule<'_>) -> bool {
    let postured = rule.postures().is_some();
    let plain = match rule {
        Rule::Acl(..) => true,
        Rule::Grant(_, grant) => grant.app.is_empty() && grant.via.is_empty(),
    };
    plain && !postured && !rule.sources().is_empty()
}

impl<'p> Entry<'p> {
    fn new(rule: Rule<'p>, groups: &FxHashMap<&str, Marks>) -> Entry<'p> {
        let offered = rule.sources().iter().map(Marks::offered);
        let need = |source: &Selector<'_>| {
            let own = Marks::name(source.name()).with(Marks::ANY);
            own.with(match source.kind {
                Kind::User => {
                    let groups = groups.get(source.name()).copied().unwrap_or_default();
                    groups.with(Marks::MEMBER)
                }
                Kind::Group | Kind::Domain | Kind::Autogroup(_) => Marks::MEMBER,
                Kind::Tag => Marks::TAGGED,
                _ => Marks::ADDRESSES,
            })
        };
        Entry {
            rule,
            openings: openings(rule),
            offers: offered.fold(Marks::default(), Marks::with),
            needs: rule.sources().iter().map(need).collect(),
        }
    }
}

fn openings(rule: Rule<'_>) -> Vec<Opening<'_>> {
    match rule {
        Rule::Acl(_, rule) => {
            let protocol = rule.protocol.as_ref();
            let protocol = protocol.and_then(|p| p.protocol.as_ref().ok()).copied();
            let openings = rule.destinations.iter().filter_map(|to| {
                Some(Opening {
                    to: &to.host,
                    protocol,
                    ports: to.ports.as_ref().ok()?,
                })
            });
            openings.collect()
        }
        Rule::Grant(_, grant) => {
            let specs = || grant.ip.iter().filter_map(|entry| entry.spec.as_ref().ok());
            let each = |to| {
                specs().map(move |spec| Opening {
                    to,
                    protocol: spec.protocol,
                    ports: &spec.ports,
                })
            };
            grant.destinations.iter().flat_map(each).collect()
        }
    }
}

impl Opening<'_> {
    fn opens(&self, wanted: &Opening<'_>) -> bool {
        let protocol = match (self.protocol, wanted.protocol) {
            (None, None) => true,
            (None, Some(protocol)) => Protocol::DEFAULT.contains(&protocol),
            (own, wanted) => own == wanted,
        };
        let ports = |wanted: &PortRange| self.ports.ranges().iter().any(|own| own.covers(*wanted));
        protocol && wanted.ports.ranges().iter().all(ports)
    }
}
