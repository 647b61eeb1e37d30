//! What one source gains and loses: the form in which it is reported, and shared.
//! Must not live here: how it is found (relation/compare.rs), the words (diff_access.rs).

use std::rc::Rc;

use serde::{Serialize, Serializer};

use super::findings::words::joined;
use super::language::opening::Opening;
use super::language::rule::RuleRef;
use super::relation::ids::AtomId;
use super::relation::item::Besides;
use super::relation::part_of::PartOf;
use super::tailnet::parties::Party;
use super::tailnet::prospect::Prospect;
use crate::tables::index::Lists;
use crate::tables::shared::Shared;
use crate::tables::sort;

/// What changes for one source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct AccessChange {
    /// A login, tag or selector as written; a device by its name if the devices of its user or tag do not all change alike.
    pub source: String,
    /// The same with its kind.
    pub party: Party,
    /// What it reaches only in the later reading.
    pub gained: AccessReaches,
    /// What it reached only in the earlier reading.
    pub lost: AccessReaches,
    /// What text and context do not decide before or after.
    pub undecided: AccessReaches,
}

/// Adds what is gained, lost and undecided for a source to its change, or one of its own.
pub(super) fn add(changes: &mut Vec<AccessChange>, party: Party, more: [Vec<AccessReach>; 3]) {
    let known = changes.iter().position(|change| change.party == party);
    let at = known.unwrap_or_else(|| {
        let none = || AccessReaches::of(&Vec::new().into(), None);
        changes.push(AccessChange {
            source: party.name.clone(),
            party,
            gained: none(),
            lost: none(),
            undecided: none(),
        });
        changes.len() - 1
    });
    if let Some(change) = changes.get_mut(at) {
        let lists = [&mut change.gained, &mut change.lost, &mut change.undecided];
        for (list, more) in lists
            .into_iter()
            .zip(more)
            .filter(|(_, more)| !more.is_empty())
        {
            let all: Vec<AccessReach> = list.iter().cloned().chain(more).collect();
            *list = AccessReaches::of(&all.into(), None);
        }
    }
}

/// What one source reaches, one entry for each destination: a list that all sources share of which the same is true, but for
/// themselves.
#[derive(Clone, Debug)]
pub struct AccessReaches {
    all: Rc<[AccessReach]>,
    /// The place of the source itself: a device is not a destination of its own.
    own: Option<usize>,
}

impl AccessReaches {
    /// The list without one destination, if it has that.
    pub(super) fn of(all: &Rc<[AccessReach]>, own: Option<&Party>) -> AccessReaches {
        let mut all = all.clone();
        let is_own = |reach: &AccessReach| own == Some(&reach.party);
        // One entry that does not count is named; several are left out.
        if all.iter().filter(|reach| is_own(reach)).count() > 1 {
            all = all.iter().filter(|reach| !is_own(reach)).cloned().collect();
        }
        let own = all.iter().position(is_own);
        AccessReaches { all, own }
    }

    /// The entries by the names of their destinations.
    pub fn iter(&self) -> impl Iterator<Item = &AccessReach> {
        let before = self.own.unwrap_or(self.all.len());
        let (before, rest) = self.all.split_at_checked(before).unwrap_or_default();
        before.iter().chain(rest.iter().skip(1))
    }

    /// The index of the shared list among `lists`, and the place in it that does not count.
    pub(super) fn packed(&self, lists: &mut Shared<AccessReach>) -> (usize, Option<usize>) {
        (lists.place(&self.all), self.own)
    }

    /// Whether nothing is reached.
    pub fn is_empty(&self) -> bool {
        self.all.len() == usize::from(self.own.is_some())
    }
}

impl PartialEq for AccessReaches {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for AccessReaches {}

impl Serialize for AccessReaches {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// What is open at one destination.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct AccessReach {
    /// A login, tag or selector; a device by its name, a subnet, or the internet.
    pub destination: String,
    /// The same with its kind.
    pub party: Party,
    /// In short, as in the access matrix.
    pub ports: Vec<String>,
    /// One entry for each protocol, and for each list of conditions.
    pub opens: Vec<Opening>,
    /// The rules of the document that gives the access; for what is undecided, those of the later one, or else of the earlier one.
    pub because: Vec<RuleRef>,
    /// Which part of source and destination is meant, where not all of it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Of what is undecided: what may become of it. Absent where it may be gained as well as lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may: Option<Prospect>,
    /// Why it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The members of a context that would decide it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<&'static str>,
    /// Why nobody can use it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub today: Option<String>,
    /// What is not open, where that is less to say.
    #[serde(skip)]
    pub closed: Vec<String>,
    /// The addresses of an alias or a set, by which an exception may name it.
    #[serde(skip)]
    pub addresses: Vec<String>,
    /// What it is to a reviewer.
    #[serde(skip)]
    pub weight: Weight,
}

impl AccessReach {
    /// Whether nothing changes under some condition.
    pub fn is_conditional(&self) -> bool {
        self.opens.iter().any(|opening| !opening.unless.is_empty())
    }

    /// The device that forwards, where it is about what goes through it alone.
    pub fn forwarder(&self) -> Option<&str> {
        self.part.as_ref()?.through.as_deref()
    }

    /// Whether it is lost by name, and a wider name may keep it. That somebody may have had it already is no reason to doubt a gain.
    pub(super) fn is_doubtful(&self) -> bool {
        self.why.is_some() && !self.weight.is_gained
    }

    /// Whether another one reads the same, whatever may become of it and by whichever rules.
    fn reads_as(&self, other: &AccessReach) -> bool {
        let texts = [&self.ports, &self.closed, &self.addresses];
        self.party == other.party
            && texts == [&other.ports, &other.closed, &other.addresses]
            && (&self.opens, &self.part, &self.needs) == (&other.opens, &other.part, &other.needs)
            && (&self.why, &self.today) == (&other.why, &other.today)
    }

    /// Adds the rules of what reads the same otherwise; of those of two documents the later one's stay.
    pub(super) fn add_rules(&mut self, mut because: Vec<RuleRef>, is_earlier: bool) {
        if self.weight.is_earlier == is_earlier {
            self.because.append(&mut because);
            sort::sort(&mut self.because);
            self.because.dedup();
        } else if !is_earlier {
            (self.because, self.weight.is_earlier) = (because, is_earlier);
        }
    }
}

/// What reads the same but for what may become of it and by which rules, each once.
pub(super) fn merged(reaches: &[AccessReach]) -> Vec<AccessReach> {
    let mut all: Vec<AccessReach> = Vec::with_capacity(reaches.len());
    let mut places = Lists::default();
    for reach in reaches {
        let is_alike = |at: &usize| all.get(*at).is_some_and(|known| known.reads_as(reach));
        let mut known = places.get(&reach.destination).iter().copied();
        match known.find(is_alike).and_then(|at| all.get_mut(at)) {
            Some(known) => {
                known.may = Prospect::of_both(known.may, reach.may);
                known.add_rules(reach.because.clone(), reach.weight.is_earlier);
            }
            None => {
                places.add(&reach.destination, all.len());
                all.push(reach.clone());
            }
        }
    }
    all
}

/// What is gained, lost and undecided.
pub(super) type ReachLists = [Rc<[AccessReach]>; 3];

/// What holds for several parts of a source, each once with all of its endpoints.
pub(super) fn alike(
    turn: usize,
    own: &[(usize, Vec<AtomId>)],
    lists: &[ReachLists],
) -> Vec<(AccessReach, Vec<AtomId>)> {
    let mut all: Vec<(AccessReach, Vec<AtomId>)> = Vec::new();
    let mut places = Lists::default();
    for (list, part) in own {
        let reaches = lists.get(*list).and_then(|lists| lists.get(turn));
        for reach in reaches.into_iter().flat_map(|reaches| reaches.iter()) {
            let is_alike = |at: &usize| {
                all.get(*at).is_some_and(|(known, _)| {
                    let is_like = known.weight.is_like(reach.weight) && known.may == reach.may;
                    is_like && known.reads_as(reach)
                })
            };
            let mut known = places.get(&reach.destination).iter().copied();
            match known.find(is_alike).and_then(|at| all.get_mut(at)) {
                Some((known, atoms)) => {
                    known.add_rules(reach.because.clone(), known.weight.is_earlier);
                    let besides = &mut known.weight.besides;
                    *besides = reach.weight.besides.min(*besides);
                    atoms.extend_from_slice(part);
                }
                None => {
                    places.add(&reach.destination, all.len());
                    all.push((reach.clone(), part.clone()));
                }
            }
        }
    }
    all
}

/// The endpoints of a source to which rules open everything alike, of which parts had something else before.
pub(super) fn sources_of_all(
    all: &[(AccessReach, Vec<AtomId>)],
    reach: &AccessReach,
) -> Vec<AtomId> {
    let is_alike = |it: &AccessReach| it.weight.is_all && it.opens == reach.opens;
    let alike = all.iter().filter(|(it, _)| is_alike(it));
    let mut atoms = Vec::from_iter(alike.flat_map(|(_, atoms)| atoms.iter().copied()));
    sort::sort(&mut atoms);
    atoms.dedup();
    atoms
}

/// What a difference at one destination is to a reviewer, beside what it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Weight {
    /// What the other reading opens there.
    pub besides: Besides,
    /// Whether a rule opens everything to the source, so that nothing but this need be said.
    pub is_all: bool,
    /// Whether nobody can use it today.
    pub is_idle: bool,
    /// Whether it is gained, or only undecided or lost.
    pub is_gained: bool,
    /// Whether the rules are those of the earlier document.
    pub is_earlier: bool,
    /// The families of the destination, or of the part of it.
    pub families: u8,
    /// The place of the difference among those of its comparison.
    pub item: Option<usize>,
    /// For how many endpoints the rules of the earlier document are that are about the destination.
    pub popularity: usize,
}

impl Weight {
    /// Whether another one weighs as much, whichever difference it is of and whatever the other reading opens there.
    fn is_like(self, other: Weight) -> bool {
        let of_any = |it: Weight| Weight {
            besides: Besides::default(),
            item: None,
            ..it
        };
        of_any(self) == of_any(other)
    }
}

/// Which part of a source or destination is meant, where not all of it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[non_exhaustive]
pub struct Part {
    /// The part of the source.
    pub from: PartOf,
    /// The part of the destination.
    pub to: PartOf,
    /// The device that forwards, where only what goes through it is meant: written as one more text of the destination.
    pub through: Option<String>,
}

impl Part {
    /// The part, unless all of both is meant.
    pub(super) fn of(from: PartOf, to: PartOf) -> Option<Part> {
        Part {
            from,
            to,
            through: None,
        }
        .unless_all()
    }

    /// The same, unless all of both is meant.
    pub(super) fn unless_all(self) -> Option<Part> {
        let is_all = self.from.is_all() && self.to.is_all() && self.through.is_none();
        (!is_all).then_some(self)
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut to = self.to.texts();
        to.extend(self.through.iter().map(|name| joined(&["through ", name])));
        let lists = [("from", self.from.texts()), ("to", to)];
        serializer.collect_map(lists.into_iter().filter(|(_, texts)| !texts.is_empty()))
    }
}
