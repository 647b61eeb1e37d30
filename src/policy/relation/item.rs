//! What can differ between two readings, and where: differences, each once.
//! Must not live here: how they are found (compare.rs, cell.rs, checks.rs).

use super::condition::Why;
use super::ids::{ClassId, Id, IdTable, ItemId, SetId, TermId};
use crate::policy::tailnet::prospect::Prospect;
use crate::tables::index::Runs;
use crate::tables::sort;

/// What happens to some access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Turn {
    /// Only the later reading has it.
    Gained,
    /// Only the earlier reading has it.
    Lost,
    /// A login that now needs a check, or one more often, or passes on less.
    Tighter,
    /// A login that no longer needs a check, or needs one less often, or passes on more.
    Looser,
    /// Text and context do not decide whether both have it.
    Undecided,
}

impl Turn {
    /// What may become of it, where it is not certain: of what is only treated otherwise, neither.
    pub fn prospect(self) -> Option<Prospect> {
        match self {
            Turn::Gained => Some(Prospect::Gained),
            Turn::Lost => Some(Prospect::Lost),
            _ => None,
        }
    }
}

/// One difference between two cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// What happens.
    pub turn: Turn,
    /// What may become of it, if it is undecided; none where it may be gained as well as lost.
    pub may: Option<Prospect>,
    /// To what.
    pub set: SetId,
    /// Where what holds.
    pub term: TermId,
    /// Where one of these holds, nothing changes.
    pub unless: Vec<TermId>,
    /// Whether it is not known whether nothing changes there.
    pub is_perhaps: bool,
    /// Why it is undecided; of what is lost by name, why a wider name may still have it.
    pub why: Vec<(Why, String)>,
    /// The rules, by their indices: of the later reading for what is gained, of the earlier one for what is lost; of both, the earlier
    /// first, for what is undecided.
    pub rules: [Vec<usize>; 2],
    /// Whether nobody receives it today.
    pub is_vacant: bool,
    /// The device that forwards, by its id, where only some of those that may do so change.
    pub through: Option<String>,
}

impl Item {
    /// Makes it undecided: nothing is certain on any condition then.
    pub fn doubt(&mut self, may: Option<Prospect>) {
        (self.turn, self.may) = (Turn::Undecided, may);
        (self.unless, self.is_perhaps) = (Vec::new(), false);
    }

    /// Whether it is lost for certain.
    pub fn is_lost(&self) -> bool {
        self.turn == Turn::Lost && self.why.is_empty()
    }

    /// The reading that has it, of two.
    pub fn reading(&self) -> usize {
        usize::from(!self.is_by_earlier())
    }

    /// Whether the rules to be shown are those of the earlier reading.
    pub fn is_by_earlier(&self) -> bool {
        let [_, after] = &self.rules;
        match (self.turn, self.may) {
            (Turn::Undecided, None) => after.is_empty(),
            (turn, may) => turn == Turn::Lost || may == Some(Prospect::Lost),
        }
    }
}

/// Where something changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum To {
    /// The source's own devices.
    Own,
    /// A class of destinations.
    Class(ClassId),
}

/// What the reading that does not have a difference opens at its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Besides {
    /// Nothing.
    #[default]
    Nothing,
    /// Something else.
    Others,
    /// All of it, through another router.
    Rerouted,
}

/// A difference at one place, before it is known whether all own devices of the source have it.
#[derive(Clone, Copy, Debug)]
pub struct PlacedItem {
    /// What changes.
    pub item: ItemId,
    /// Where.
    pub to: ClassId,
    /// Whether it is so because both are devices of one user.
    pub is_own: bool,
    /// What the reading that does not have the item opens there.
    pub besides: Besides,
}

/// What changes for one class of sources: each item with a place, ascending, and what the reading that does not have the item opens there.
pub type SourceChange = Vec<(ItemId, To, Besides)>;

/// What differs between two readings.
#[derive(Default)]
pub struct Differences {
    /// The distinct items.
    pub items: IdTable<ItemId, Item>,
    /// The distinct changes.
    pub changes: Vec<SourceChange>,
    /// The changes of each class of sources, by their indices in `changes`: of one that other hands have in the later reading, what the
    /// earlier reading has apart from the rest.
    pub of: Vec<Vec<usize>>,
    runs: Runs,
    change_runs: Runs,
}

impl Differences {
    /// What changes for a class of sources.
    pub fn of_class(&self, source: ClassId) -> impl Iterator<Item = &(ItemId, To, Besides)> {
        let changes = self.of.get(source.place()).into_iter().flatten();
        changes.filter_map(|at| self.changes.get(*at)).flatten()
    }

    /// Adds a change of some class of sources, unless it is known. Returns its index.
    pub fn add(&mut self, mut change: SourceChange) -> usize {
        sort::sort(&mut change);
        change.dedup();
        let mut run = Vec::with_capacity(change.len() * 3);
        for (item, to, besides) in &change {
            run.push(*besides as u64);
            run.push(item.place() as u64);
            run.push(match to {
                To::Own => 0,
                To::Class(class) => 1 + class.place() as u64,
            });
        }
        let place = self.change_runs.place(&run);
        if place == self.changes.len() {
            self.changes.push(change);
        }
        place
    }

    /// Adds an item, unless it is known. Returns its id.
    pub fn item(&mut self, item: Item) -> ItemId {
        let may = item.may.map_or(0, |may| 1 + may as u64);
        let flags = u64::from(item.is_vacant) << 8 | u64::from(item.is_perhaps) << 16;
        let turn = item.turn as u64 | flags | may << 9;
        let mut run = vec![turn, item.set.place() as u64, item.term.place() as u64];
        let mut list = |numbers: &mut dyn Iterator<Item = u64>| {
            run.push(u64::MAX);
            run.extend(numbers);
        };
        list(&mut item.unless.iter().map(|term| term.place() as u64));
        for rules in &item.rules {
            list(&mut rules.iter().map(|rule| *rule as u64));
        }
        for (why, key) in &item.why {
            list(&mut std::iter::once(*why as u64).chain(key.bytes().map(u64::from)));
        }
        if let Some(through) = &item.through {
            list(&mut std::iter::once(u64::MAX - 1).chain(through.bytes().map(u64::from)));
        }
        let place = self.runs.place(&run);
        if place == self.items.len() {
            self.items.push(item);
        }
        ItemId::at(place)
    }
}
