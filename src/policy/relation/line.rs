//! A row or column of a matrix: its endpoints by the classes that they are of.
//! Must not live here: what is open between two (matrix.rs), names (parts.rs).

use super::atoms::Atoms;
use super::classes::Classes;
use super::ids::{AtomId, ClassId, Id, IdTable};
use crate::policy::tailnet::parties::{Listed, PartyKind};
use crate::policy::tailnet::party::Side;
use crate::tables::sort;

/// The classes of both sides.
pub type BothClasses<'r, 'p> = (&'r Classes<'p>, &'r Classes<'p>);

/// A row or column: its endpoints by class, ascending.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its classes.
    pub classes: Vec<OfClass>,
    /// How many classes there are of each combination of families.
    families: [usize; 4],
    /// Whether it has a machine of each combination of families; a set of addresses counts as one machine.
    machines: [bool; 4],
    /// Whether it means the source's own devices.
    pub is_own: bool,
    /// Whether it is `*`, of which every part is named by its name.
    pub is_any: bool,
}

/// The endpoints of a line that are of one class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OfClass {
    /// The class.
    pub class: ClassId,
    /// Their families; the class may have more.
    pub family: u8,
    /// The endpoints.
    pub atoms: Vec<AtomId>,
}

impl Line {
    /// The line of some endpoints, ascending, which are of these classes.
    pub fn new(ids: Vec<AtomId>, of: &ClassByAtom, atoms: &Atoms<'_>, is_set: bool) -> Line {
        let mut by_class: Vec<(ClassId, AtomId)> = Vec::with_capacity(ids.len());
        for atom in ids {
            if let Some(Some(class)) = of.get(atom) {
                by_class.push((*class, atom));
            }
        }
        sort::sort(&mut by_class);
        let mut all = Vec::new();
        for alike in by_class.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(class, _)) = alike.first() else {
                continue;
            };
            let (mut family, mut own) = (0, Vec::with_capacity(alike.len()));
            for &(_, id) in alike {
                family |= atoms.list.get(id).map_or(0, |atom| atom.family);
                own.push(id);
            }
            all.push(OfClass {
                class,
                family,
                atoms: own,
            });
        }
        Line {
            machines: machines(&all, atoms, is_set),
            ..Line::of_classes(all)
        }
    }

    /// The line of a row or column that means these endpoints.
    pub fn of_listed(
        (listed, side): (&Listed<'_>, Side),
        ids: Vec<AtomId>,
        of: &ClassByAtom,
        atoms: &Atoms<'_>,
    ) -> Line {
        Line {
            is_any: listed.party.kind == PartyKind::Any,
            is_own: side == Side::Destination && listed.party.name == "autogroup:self",
            ..Line::new(ids, of, atoms, listed.is_set())
        }
    }

    /// The line of some classes, ascending.
    pub fn of_classes(classes: Vec<OfClass>) -> Line {
        let mut families = [0; 4];
        for own in &classes {
            if let Some(count) = families.get_mut(usize::from(own.family)) {
                *count += 1;
            }
        }
        Line {
            classes,
            families,
            ..Line::default()
        }
    }

    /// What it has of some classes.
    pub fn narrowed(&self, own: &[ClassId]) -> Line {
        let own = own.iter().filter_map(|class| self.of(*class));
        Line::of_classes(own.cloned().collect())
    }

    /// Numbers that are the same for lines of the same classes and families, whose machines have the same families.
    pub fn run(&self) -> Vec<u64> {
        let machines = self
            .machines
            .iter()
            .fold(0, |all, has| all << 1 | u64::from(*has));
        let classes = self.classes.iter();
        let classes = classes.map(|own| (own.class.place() as u64) << 2 | u64::from(own.family));
        classes.chain([machines]).collect()
    }

    /// All its endpoints.
    pub fn atoms(&self) -> impl Iterator<Item = AtomId> {
        let classes = self.classes.iter();
        classes.flat_map(|own| own.atoms.iter().copied())
    }

    /// What it has of a class.
    pub fn of(&self, class: ClassId) -> Option<&OfClass> {
        let found = self.classes.binary_search_by(|own| own.class.cmp(&class));
        self.classes.get(found.ok()?)
    }

    /// How many pairs of a class of these families with one of this line have a family in common.
    pub fn meeting(&self, family: u8) -> usize {
        let own = (0u8..).zip(self.families);
        let meeting = own.filter(|(own, _)| own & family != 0);
        meeting.map(|(_, count)| count).sum()
    }

    /// Whether each machine of both has a family in common with the other line.
    pub fn meets_all(&self, other: &Line) -> bool {
        self.is_met_by(other) && other.is_met_by(self)
    }

    fn is_met_by(&self, other: &Line) -> bool {
        let mut own = (0u8..).zip(self.machines);
        own.all(|(family, has)| !has || other.meeting(family) > 0)
    }

    /// Its endpoints of some classes; none if these are all that have a family in common with the other line.
    pub fn part(&self, own: &[ClassId], other: &Line) -> Option<Vec<AtomId>> {
        let mut left = self.families;
        let mut atoms = Vec::new();
        for own in own.iter().filter_map(|class| self.of(*class)) {
            if let Some(left) = left.get_mut(usize::from(own.family)) {
                *left -= 1;
            }
            atoms.extend_from_slice(&own.atoms);
        }
        let mut rest = (0u8..).zip(left);
        let is_all = rest.all(|(family, left)| left == 0 || other.meeting(family) == 0);
        (!is_all || !self.is_met_by(other)).then_some(atoms)
    }
}

/// The class of each endpoint.
pub type ClassByAtom = IdTable<AtomId, Option<ClassId>>;

/// The class of each endpoint.
pub fn class_of(classes: &Classes<'_>, atoms: usize) -> ClassByAtom {
    let mut of = IdTable::filled(atoms, None);
    for (id, class) in classes.list.iter() {
        for &atom in &class.atoms {
            if let Some(of) = of.get_mut(atom) {
                *of = Some(id);
            }
        }
    }
    of
}

/// The combinations of families that the machines of some classes have.
fn machines(classes: &[OfClass], atoms: &Atoms<'_>, is_set: bool) -> [bool; 4] {
    let own = classes.iter().flat_map(|own| &own.atoms);
    let own = own.filter_map(|id| atoms.list.get(*id));
    let mut own: Vec<(usize, u8)> = own
        .map(|atom| (if is_set { 0 } else { atom.machine }, atom.family))
        .collect();
    sort::sort(&mut own);
    let mut machines = [false; 4];
    for alike in own.chunk_by(|a, b| a.0 == b.0) {
        let family = alike.iter().fold(0, |all, (_, family)| all | family);
        if let Some(has) = machines.get_mut(usize::from(family)) {
            *has = true;
        }
    }
    machines
}
