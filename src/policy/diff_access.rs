//! Who gains and who loses access between two readings: two documents, two networks, or both.
//! Must not live here: the form of the answer (access_change.rs), how differences are found (relation/).

use super::access_change::{
    AccessChange, AccessReach, AccessReaches, Part, ReachLists, Weight, alike, merged,
    sources_of_all,
};
use super::language::document::Policy;
use super::language::opening::{Terms, Unless};
use super::language::port_set::PortSet;
use super::language::ports::{PortRange, Ports};
use super::language::rule::RuleRef;
use super::language::selector::Kind;
use super::relation::among::Member;
use super::relation::comparison::{self, Compared};
use super::relation::ids::{AtomId, Id, IdTable, ItemId, NameId, TermId};
use super::relation::item::{Besides, Item, Turn};
use super::relation::itself::is_of_devices;
use super::relation::part_of::PartOf;
use super::relation::reading::Reading;
use super::relation::reported::{
    Reported, ReportedSource, lone, names_of, part_of, party_of, reasons, vacancy, vacancy_of_part,
};
use super::relation::rows::Opens;
use super::tailnet::context::PolicyContext;
use super::tailnet::flow::Judge;
use super::tailnet::parties::PartyKind;
use super::tailnet::party::Side;
use super::tailnet::prospect::Prospect;
use super::unusable;
use crate::tables::sort;

/// Who gains and who loses what between two documents in one network: see [`diff_access_between`].
#[inline(never)]
pub fn diff_access<'p>(
    before: &'p Policy<'p>,
    after: &'p Policy<'p>,
    context: &'p PolicyContext,
) -> Vec<AccessChange> {
    diff_access_between([&Judge::new(before, context), &Judge::new(after, context)])
}

/// Who gains and who loses what between two documents, two networks, or both. One entry for each source of which anything
/// changes: a login or tag while all its devices change alike, else a device; a selector where no device is meant. Nothing at
/// all only where no network that text and context allow differs.
///
/// Both networks are known in the same members, as in `PolicyContext { groups, ..before.clone() }`: devices that only one of them
/// lists are not there in the other.
#[inline(never)]
pub fn diff_access_between<'p>(judges: [&'p Judge<'p>; 2]) -> Vec<AccessChange> {
    let [before, after] = judges;
    let is_one = std::ptr::eq(before.network.context, after.network.context);
    if is_one && before.policy().document.text() == after.policy().document.text() {
        return Vec::new();
    }
    unusable::access(judges, usable(judges), &usable)
}

/// The same of what can be used in these networks.
pub(super) fn usable(judges: [&Judge<'_>; 2]) -> Vec<AccessChange> {
    comparison::answer(&judges.map(Reading::of_network), |it| changes(it))
}

/// The changes of a comparison.
pub(super) fn changes(comparison: &Compared<'_, '_>) -> Vec<AccessChange> {
    let reporter = AccessReporter {
        comparison,
        popularity: match comparison.reported.sources.is_empty() {
            true => IdTable::default(),
            false => comparison.popularity(),
        },
    };
    let reported = &comparison.reported;
    let lists: Vec<ReachLists> = reported
        .lists
        .iter()
        .map(|list| reporter.lists(list))
        .collect();
    let mut changes = Vec::with_capacity(reported.sources.len());
    // A device is not a destination of its own; but where nothing else is reported, what a second device would have is.
    for is_to_itself in [false, true] {
        if is_to_itself && !changes.is_empty() {
            break;
        }
        for source in &reported.sources {
            let is_one = comparison.naming.0.is_one_machine(source.name);
            changes.extend(reporter.change(source, is_one, is_to_itself, &lists));
        }
    }
    changes
}

/// Differences that are reported as one: the first of them, what may become of them, the terms each of one reading, and what else is
/// open there.
type Group<'g> = (
    &'g Reported,
    &'g Item,
    Option<Prospect>,
    Vec<(TermId, usize)>,
    Besides,
);

/// Puts differences into the form of the answer.
pub(super) struct AccessReporter<'c, 'a, 'p> {
    pub comparison: &'c Compared<'a, 'p>,
    /// For how many endpoints the earlier rules are about each destination, where that counts.
    pub popularity: IdTable<AtomId, usize>,
}

impl AccessReporter<'_, '_, '_> {
    /// The entries of one list of differences, by destination.
    pub(super) fn lists(&self, list: &[Reported]) -> ReachLists {
        [Turn::Gained, Turn::Lost, Turn::Undecided].map(|turn| {
            let mut groups: Vec<Group<'_>> = Vec::new();
            for reported in list {
                let Some(item) = self.comparison.differences.items.get(reported.item) else {
                    continue;
                };
                if item.turn != turn {
                    continue;
                }
                let alike = groups.iter_mut().find(|(other, known, ..)| {
                    (other.to, &other.part) == (reported.to, &reported.part)
                        && is_alike(known, item)
                });
                match alike {
                    Some((.., may, terms, besides)) => {
                        *may = Prospect::of_both(*may, item.may);
                        terms.push((item.term, item.reading()));
                        *besides = reported.besides.min(*besides);
                    }
                    None => {
                        groups.push((
                            reported,
                            item,
                            item.may,
                            vec![(item.term, item.reading())],
                            reported.besides,
                        ));
                    }
                }
            }
            let mut reaches = Vec::with_capacity(groups.len());
            for (reported, item, may, terms, besides) in groups {
                let mut reach = self.reach((list, reported), item, &terms);
                reach.may = may.filter(|_| turn == Turn::Undecided);
                reach.weight.besides = besides;
                reach.weight.item = Some(reported.item.place());
                reach.weight.is_idle = reach.today.is_some();
                reach.weight.is_all &= reach.party.kind == PartyKind::Any;
                reaches.push(reach);
            }
            sort::sort_by(&mut reaches, |a, b| {
                let order = |it: &AccessReach| (it.party.kind, it.party.name.clone());
                order(a).cmp(&order(b))
            });
            reaches.into()
        })
    }

    fn reach(
        &self,
        (list, reported): (&[Reported], &Reported),
        item: &Item,
        terms: &[(TermId, usize)],
    ) -> AccessReach {
        let party = party_of(reported.to, &self.comparison.naming.1);
        let sets = &self.comparison.shared.sets;
        let set = sets.get(item.set).cloned().unwrap_or_default();
        let mut own = Terms::default();
        let at = item.reading();
        for &(term, at) in terms {
            let (postures, via) = names_of(term, at, self.comparison.shared);
            own.postures.extend(postures);
            own.via.extend(via);
        }
        let others = item.unless.iter();
        own.unless =
            Unless::any(others.map(|term| names_of(*term, 1 - at, self.comparison.shared)));
        own.unless.is_perhaps = item.is_perhaps;
        for names in [&mut own.postures, &mut own.via] {
            sort::sort(names);
            names.dedup();
        }
        let mut opens = Vec::new();
        set.openings(&own, &mut opens);
        let (why, mut needs) = match item.turn == Turn::Undecided || !item.why.is_empty() {
            true => reasons(&item.why),
            false => (None, Vec::new()),
        };
        // Devices that are given decide no more.
        needs.retain(|need| *need != "devices" || !self.knows_devices());
        let to = &reported.part;
        let part = Part {
            to: self.comparison.without_places(to, list, reported),
            through: item.through.as_deref().map(|id| self.shown(id)),
            ..Part::default()
        };
        let all = PortSet::of(None, &Ports::One(PortRange::ALL));
        let mut closed = all.minus(&set).texts();
        closed.retain(|_| set.minus(&all).is_empty());
        AccessReach {
            destination: party.name.clone(),
            party,
            ports: set.texts(),
            opens,
            because: self.because(item),
            part: part.unless_all(),
            may: None,
            why,
            needs,
            today: self.today(reported.to, item, &own.via),
            closed,
            addresses: self.addresses(reported),
            weight: self.weight(reported, item),
        }
    }

    /// The addresses of an alias or a set.
    fn addresses(&self, reported: &Reported) -> Vec<String> {
        let naming = &self.comparison.naming.1;
        let name = reported.to.and_then(|to| naming.get(to));
        let name = name.filter(|it| it.party.kind.is_of_addresses());
        name.map_or(Vec::new(), |name| naming.nets(&name.atoms))
    }

    fn knows_devices(&self) -> bool {
        let mut readings = self.comparison.reaches.iter().map(|reach| reach.reading);
        readings.all(Reading::knows_devices)
    }

    fn weight(&self, reported: &Reported, item: &Item) -> Weight {
        let name = reported
            .to
            .and_then(|to| self.comparison.places.names.get(to));
        let atoms = name.into_iter().flat_map(|name| &name.atoms);
        let popularity = atoms.filter_map(|atom| self.popularity.get(*atom));
        Weight {
            is_all: self.opens_all(item),
            is_gained: item.turn == Turn::Gained,
            families: reported.families,
            is_earlier: item.is_by_earlier(),
            popularity: popularity.max().copied().unwrap_or_default(),
            ..Weight::default()
        }
    }

    /// Whether one of the rules opens everything on no condition.
    fn opens_all(&self, item: &Item) -> bool {
        let at = usize::from(!item.is_by_earlier());
        let (Some(reach), Some(rules)) = (self.comparison.reaches.get(at), item.rules.get(at))
        else {
            return false;
        };
        let named = reach.reading.named(Side::Destination);
        let mut rows = rules.iter().flat_map(|rule| reach.rows.of(*rule));
        reach.reading.allows_all()
            || rows.any(|(_, row)| {
                let to = named.selectors.get(row.to);
                let is_any = to.is_some_and(|to| to.kind == Kind::Any);
                let is_always = row.terms.contains(&TermId::at(0));
                is_any && is_always && matches!(row.opens, Opens::Set(set) if set == item.set)
            })
    }

    /// Why nobody can use it now.
    fn today(&self, to: Option<NameId>, item: &Item, via: &[String]) -> Option<String> {
        vacancy(to, self.comparison.places).or_else(|| {
            let is_routed = via.is_empty();
            item.is_vacant.then(|| match is_routed {
                true if self.has_route(to, item) => {
                    "a rule with via asks for a tag that no router there has".to_owned()
                }
                true => "no approved route leads there".to_owned(),
                false => [
                    "no device with ",
                    &via.join(" or "),
                    " has an approved route there",
                ]
                .concat(),
            })
        })
    }

    /// Whether approved routes lead to each address of a destination.
    fn has_route(&self, to: Option<NameId>, item: &Item) -> bool {
        let reach = self.comparison.reaches.get(item.reading());
        let name = to.and_then(|to| self.comparison.places.names.get(to));
        let (Some(reach), Some(name)) = (reach, name) else {
            return false;
        };
        name.atoms.iter().all(|atom| {
            let atom = self.comparison.places.list.get(*atom);
            let mut is_routed = false;
            if let Some(range) = atom.and_then(|atom| atom.range) {
                let routes = &reach.reading.network.routes;
                routes.overlapping(range, &mut |_| is_routed = true);
            }
            is_routed
        })
    }

    /// The name of a device that forwards.
    fn shown(&self, id: &str) -> String {
        let names = self.comparison.places.names.iter();
        let mut names = names.filter(|(_, name)| name.party.id.as_deref() == Some(id));
        let name = names.next().map(|(_, name)| name.party.name.as_str());
        name.unwrap_or(id).to_owned()
    }

    fn because(&self, item: &Item) -> Vec<RuleRef> {
        let at = usize::from(!item.is_by_earlier());
        let own = item.rules.get(at);
        let rules = self
            .comparison
            .reaches
            .get(at)
            .map_or(&[][..], |it| &it.rows.rules);
        let own = own.into_iter().flatten();
        own.filter_map(|rule| rules.get(*rule).copied()).collect()
    }

    /// What changes for one source.
    fn change(
        &self,
        source: &ReportedSource,
        is_one: bool,
        is_to_itself: bool,
        lists: &[ReachLists],
    ) -> Option<AccessChange> {
        let (name, own) = (source.name, source.lists.as_slice());
        let party = self.comparison.sources.names.get(name)?.party.clone();
        let lone = lone(&party).filter(|_| is_one && is_to_itself);
        let is_one = is_one && lone.is_none();
        // Of an autogroup, those with a name of their own may keep what it loses.
        let members = self.comparison.members(name);
        let is_plain = members.is_empty() && !self.may_be_to_itself(source, is_one);
        let today = lone.or_else(|| vacancy(Some(name), self.comparison.sources));
        let [gained, lost, undecided] = [0, 1, 2].map(|turn| {
            let whole = match own {
                [(list, atoms)] if today.is_none() && is_plain && self.is_all(name, atoms) => {
                    lists.get(*list).and_then(|lists| lists.get(turn)).cloned()
                }
                _ => None,
            };
            let all = whole.unwrap_or_else(|| {
                self.joined((turn, name), (own, &members), lists, today.as_deref())
                    .into()
            });
            AccessReaches::of(&all, Some(&party).filter(|_| is_one))
        });
        let is_empty = gained.is_empty() && lost.is_empty() && undecided.is_empty();
        (!is_empty).then(|| AccessChange {
            source: party.name.clone(),
            party,
            gained,
            lost,
            undecided,
        })
    }

    fn is_all(&self, name: NameId, atoms: &[AtomId]) -> bool {
        let name = self.comparison.sources.names.get(name);
        name.is_some_and(|name| name.atoms.len() == atoms.len())
    }

    /// Whether something may change between own devices that cannot use it, or for one machine at itself alone.
    fn may_be_to_itself(&self, source: &ReportedSource, is_one: bool) -> bool {
        let lists = source.lists.iter();
        let mut reported = lists
            .filter_map(|(list, _)| self.comparison.reported.lists.get(*list))
            .flatten();
        reported.any(|reported| match reported.to {
            None => true,
            Some(to) => is_one && self.comparison.has_sender(to, source.name),
        }) || is_one && self.comparison.is_forwarder(source.name)
    }

    /// Why a source has no use for what differs: each machine would have it from itself.
    fn to_itself(
        &self,
        (own, atoms): (&[(usize, Vec<AtomId>)], &[AtomId]),
        reach: &AccessReach,
    ) -> Option<String> {
        let item = ItemId::at(reach.weight.item?);
        if reach.party.name == "autogroup:self" {
            let item = self.comparison.differences.items.get(item)?;
            return self.comparison.lacks_second(atoms, (item, None));
        }
        let to = self.comparison.places.named(&reach.party);
        let to = to.filter(|_| reach.party.kind != PartyKind::Any)?;
        let part = reach.part.as_ref().map_or(&PartOf::All, |part| &part.to);
        let is_it = |reported: &Reported| reported.item == item && reported.is_at(to, part);
        let lists = own.iter().map(|(list, _)| *list);
        let is_to_itself = self.comparison.is_to_itself(atoms, lists, &is_it);
        is_to_itself.then(|| match is_of_devices(reach.party.kind) {
            true => "only the device itself is meant".to_owned(),
            false => "only the device itself forwards it".to_owned(),
        })
    }

    /// The entries about parts of a source: what holds for several parts is reported once, of all of them.
    fn joined(
        &self,
        (turn, name): (usize, NameId),
        (own, members): (&[(usize, Vec<AtomId>)], &[Member]),
        lists: &[ReachLists],
        today: Option<&str>,
    ) -> Vec<AccessReach> {
        let mut all = alike(turn, own, lists);
        all.retain(|(_, atoms)| !self.comparison.are_members(name, atoms));
        let whole = all.iter().map(|(reach, _)| {
            reach.weight.is_all && self.is_all(name, &sources_of_all(&all, reach))
        });
        let whole: Vec<bool> = whole.collect();
        let mut joined = Vec::with_capacity(all.len());
        let naming = &self.comparison.naming.0;
        for ((mut reach, atoms), is_whole) in all.into_iter().zip(whole) {
            let from = part_of(name, atoms.clone(), naming, reach.weight.families);
            let are_known = self.knows_devices().then_some(self.comparison.sources);
            let nobody = are_known.and_then(|sources| vacancy_of_part(&from, &atoms, sources));
            let today = nobody.or_else(|| today.map(str::to_owned));
            let today = today.or_else(|| self.to_itself((own, &atoms), &reach));
            let is_part = !from.is_all();
            let to = self.comparison.places.named(&reach.party);
            let from = match reach.weight.item.map(ItemId::at) {
                Some(item) => {
                    let own = (name, members);
                    self.comparison.without_members(&from, own, item, to)
                }
                None => from,
            };
            reach.weight.is_all &= from.is_all() || is_part && is_whole;
            let part = reach.part.take().unwrap_or_default();
            reach.part = Part { from, ..part }.unless_all();
            if let (None, Some(today)) = (&reach.today, today) {
                reach.today = Some(today);
                reach.weight.is_idle = true;
            }
            joined.push(reach);
        }
        match turn {
            UNDECIDED => merged(&joined),
            _ => joined,
        }
    }
}

/// The index of what is undecided among the lists of a change.
const UNDECIDED: usize = 2;

/// Whether two differences are the same but for the conditions, one of which must hold.
fn is_alike(one: &Item, other: &Item) -> bool {
    one.set == other.set
        && one.unless == other.unless
        && one.why == other.why
        && one.rules == other.rules
        && one.is_vacant == other.is_vacant
        && one.through == other.through
}
