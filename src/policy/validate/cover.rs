//! Rules that another rule makes superfluous.
//! Must not live here: refusals, what rules resolve to in a topology.
//!
//! Judged by the text alone: selectors cover one another by what they mean in every tailnet.

use crate::cidr::Address;
use crate::hujson::Span;
use crate::tables::sort;

use crate::policy::findings::finding::Finding;
use crate::policy::findings::words::joined;
use crate::policy::language::document::Policy;
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::policy::language::rule::{self, Lines, Rule};
use crate::policy::language::selector::{Autogroup, Kind, Numbered, Selector};
use crate::policy::tailnet::addresses::tailnet;
use crate::policy::tailnet::identity::in_domain;
use crate::tables::index::{Index, Lists, Numbers};

/// How many rules that share a source and a destination are compared with one: keeps strange documents linear.
const COMPARED: usize = 64;

/// How many distinct wide sources are compared with one another.
const WIDE: usize = 64;

/// One destination with the ports that come with it.
struct Opening<'p> {
    to: &'p Selector<'p>,
    protocol: Option<Protocol>,
    ports: &'p Ports,
}

/// A rule made ready for comparison.
struct Entry<'p> {
    rule: Rule<'p>,
    /// Where its openings stand among those of all.
    openings: (usize, usize),
    /// The numbers of the source and the destination by which rules that cover this one are looked for: such a rule has
    /// one that takes in the source, and the destination itself or `*`.
    first: Option<(usize, usize)>,
}

/// Rules by each pair of a source and a destination they name.
struct Pairs<'p> {
    policy: &'p Policy<'p>,
    /// Numbers of the names, of either side. Names of one single address have one number.
    names: Index<'p>,
    count: usize,
    /// The same of selectors, by the numbers of their texts.
    known: Numbered,
    pairs: Numbers,
    /// Of each pair how many rules name it, and the place of the last of them in `rules`.
    last: Vec<(usize, usize)>,
    /// A rule, and the place of the one before it of the same pair.
    rules: Vec<(usize, Option<usize>)>,
    /// Distinct sources that can take in others, groups aside.
    wide: Vec<(usize, &'p Selector<'p>)>,
    /// The groups of each user, as places in the table of groups.
    groups: Lists<'p>,
    /// The number of `*`, if anything is called so.
    anywhere: Option<usize>,
    /// By the number of a source those of all that take it in, itself among them, once they were asked for.
    takers: Vec<Option<Vec<usize>>>,
}

impl<'p> Pairs<'p> {
    fn new(
        policy: &'p Policy<'p>,
        entries: &mut [Entry<'p>],
        openings: &[Opening<'p>],
    ) -> Pairs<'p> {
        let mut pairs = Pairs {
            policy,
            names: Index::default(),
            count: 0,
            known: Numbered::default(),
            pairs: Numbers::default(),
            last: Vec::new(),
            rules: Vec::new(),
            wide: Vec::new(),
            groups: Lists::default(),
            anywhere: None,
            takers: Vec::new(),
        };
        for (at, (_, members)) in policy.groups.iter().enumerate() {
            for member in members {
                pairs.groups.add(member.name(), at);
            }
        }
        let mut targets = Vec::new();
        for (at, entry) in entries.iter_mut().enumerate() {
            targets.clear();
            for opening in entry.opened(openings) {
                targets.push(pairs.number(opening.to));
            }
            for source in entry.rule.sources {
                let source = pairs.source(source);
                for &target in &targets {
                    pairs.add(source, target, at);
                    entry.first.get_or_insert((source, target));
                }
            }
        }
        pairs.anywhere = pairs.names.find("*");
        pairs.takers.resize(pairs.count, None);
        pairs
    }

    /// The number of a name.
    fn number(&mut self, selector: &'p Selector<'p>) -> usize {
        if let Some(known) = self.known.get(selector) {
            return known;
        }
        let number = self.number_of_name(selector);
        self.known.set(selector, number);
        number
    }

    fn number_of_name(&mut self, selector: &'p Selector<'p>) -> usize {
        if let Some(known) = self.names.find(selector.name()) {
            return known;
        }
        let mut number = self.count;
        if let Some(address) = self.single(selector) {
            let address = address.to_string();
            match self.names.find(&address) {
                Some(known) => number = known,
                None => {
                    self.names.set(address.into(), number);
                }
            }
        }
        self.names.set(selector.name().into(), number);
        self.count = self.count.max(number + 1);
        number
    }

    /// The one address that a selector stands for.
    fn single(&self, selector: &Selector<'_>) -> Option<Address> {
        match selector.kind {
            Kind::Address | Kind::Host | Kind::Prefix => {
                let range = self.policy.range(selector)?;
                (range.first() == range.last()).then_some(range.first())
            }
            _ => None,
        }
    }

    fn source(&mut self, source: &'p Selector<'p>) -> usize {
        let number = self.number(source);
        if self.wide.len() < WIDE
            && is_wide(source.kind)
            && !self.wide.iter().any(|(known, _)| *known == number)
            && self.single(source).is_none()
        {
            self.wide.push((number, source));
        }
        number
    }

    fn add(&mut self, source: usize, target: usize, rule: usize) {
        let at = self.pairs.place(pair(source, target), self.last.len());
        let next = self.rules.len();
        match self.last.get_mut(at) {
            Some((COMPARED.., _)) => {}
            Some((count, last)) => {
                self.rules.push((rule, Some(*last)));
                (*count, *last) = (*count + 1, next);
            }
            None => {
                self.rules.push((rule, None));
                self.last.push((1, next));
            }
        }
    }

    /// The rules that may cover one, ascending; itself among them.
    fn candidates(&mut self, entry: &Entry<'p>, found: &mut Vec<usize>) {
        found.clear();
        let (Some((number, target)), Some(source)) = (entry.first, entry.rule.sources.first())
        else {
            return;
        };
        if self.takers.get(number).is_some_and(Option::is_none) {
            let takers = self.takers_of(source, number);
            if let Some(known) = self.takers.get_mut(number) {
                *known = Some(takers);
            }
        }
        for &taker in self.takers.get(number).into_iter().flatten().flatten() {
            self.collect(pair(taker, target), found);
            if let Some(anywhere) = self.anywhere {
                self.collect(pair(taker, anywhere), found);
            }
        }
        // Those of one pair come in descending order.
        found.reverse();
        sort::sort(found);
        found.dedup();
    }

    /// Adds the rules of a pair.
    fn collect(&self, pair: u64, found: &mut Vec<usize>) {
        let at = self.pairs.find(pair).and_then(|at| self.last.get(at));
        let mut place = at.map(|(_, last)| *last);
        while let Some(&(rule, before)) = place.and_then(|place| self.rules.get(place)) {
            found.push(rule);
            place = before;
        }
    }

    fn takers_of(&self, source: &Selector<'_>, number: usize) -> Vec<usize> {
        let mut takers = vec![number];
        if source.kind == Kind::User {
            for &group in self.groups.get(source.name()) {
                let name = self.policy.groups.name(group).unwrap_or_default();
                takers.extend(self.names.find(name));
            }
        }
        for (taker, wide) in &self.wide {
            if *taker != number && self.policy.includes(wide, source, Side::Source) {
                takers.push(*taker);
            }
        }
        takers
    }
}

fn pair(source: usize, target: usize) -> u64 {
    (source as u64) << 32 | target as u64
}

/// Whether a selector can take in selectors of another name; of groups their members tell.
fn is_wide(kind: Kind) -> bool {
    match kind {
        Kind::User | Kind::Group | Kind::Tag | Kind::Service => false,
        Kind::Autogroup(autogroup) => matches!(
            autogroup,
            Autogroup::Member | Autogroup::Tagged | Autogroup::DangerAll
        ),
        _ => true,
    }
}

impl Policy<'_> {
    /// A warning for each rule that opens nothing another one does not. Of two equal rules the later is named.
    pub(super) fn covered(&self) -> Vec<Finding> {
        let (mut entries, mut openings) = (Vec::new(), Vec::new());
        for rule in self.rules() {
            if is_plain(rule) {
                let start = openings.len();
                add_openings(rule, &mut openings);
                entries.push(Entry {
                    rule,
                    openings: (start, openings.len()),
                    first: None,
                });
            }
        }
        let mut pairs = Pairs::new(self, &mut entries, &openings);
        let covers = |outer: &Entry<'_>, inner: &Entry<'_>| {
            self.covers(
                outer,
                inner,
                outer.opened(&openings),
                inner.opened(&openings),
            )
        };
        let (mut covered, mut others) = (Vec::new(), Vec::new());
        for (at, entry) in entries.iter().enumerate() {
            pairs.candidates(entry, &mut others);
            for &other in &others {
                let Some(by) = entries.get(other).filter(|_| other != at) else {
                    continue;
                };
                if !covers(by, entry) || (other > at && covers(entry, by)) {
                    continue;
                }
                covered.push((entry.rule.span, by.rule.span.start));
                break;
            }
        }
        self.covered_by(covered)
    }

    /// A warning for each rule, told with the place of the one that covers it.
    fn covered_by(&self, mut covered: Vec<(Span, usize)>) -> Vec<Finding> {
        // By those places, so that the lines of all are counted in one pass.
        sort::sort_by(&mut covered, |a, b| a.1.cmp(&b.1));
        let mut lines = Lines::new(self.document.text());
        let mut found = Vec::new();
        for (span, by) in covered {
            let line = lines.line_of(by).to_string();
            let message = joined(&["the rule at line ", &line, " already allows all of this"]);
            let finding = Finding::warning("covered_rule", span, message);
            found.push(finding.hint(Some("remove one of them".to_owned())));
        }
        sort::sort_by(&mut found, |a, b| a.span.start.cmp(&b.span.start));
        found
    }

    fn covers(
        &self,
        outer: &Entry<'_>,
        inner: &Entry<'_>,
        outer_openings: &[Opening<'_>],
        inner_openings: &[Opening<'_>],
    ) -> bool {
        let source = |wanted: &Selector<'_>| {
            let mut sources = outer.rule.sources.iter();
            sources.any(|source| self.includes(source, wanted, Side::Source))
        };
        let opening = |wanted: &Opening<'_>| {
            outer_openings.iter().any(|opening| {
                opening.opens(wanted) && self.includes(opening.to, wanted.to, Side::Target)
            })
        };
        inner.rule.sources.iter().all(source) && inner_openings.iter().all(opening)
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
    let opens = rule.openings().next().is_some();
    let plain = rule.app.is_empty() && rule.via.is_empty() && !rule.names_postures;
    opens && plain && !rule.sources.is_empty()
}

impl Entry<'_> {
    fn opened<'o, 'p>(&self, all: &'o [Opening<'p>]) -> &'o [Opening<'p>] {
        let (start, end) = self.openings;
        all.get(start..end).unwrap_or_default()
    }
}

fn add_openings<'p>(rule: Rule<'p>, openings: &mut Vec<Opening<'p>>) {
    for rule::Opening {
        to,
        protocol,
        ports,
    } in rule.openings()
    {
        openings.push(Opening {
            to,
            protocol,
            ports,
        });
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
