//! The machines behind the names of a document's tests, as endpoints of one question to all rules.
//! Must not live here: what a name stands for in a test (tailnet/ends.rs), how an entry ends (`run_tests`, `run_ssh_tests`).

use super::language::selector::{Kind, Selector};
use super::relation::classes::Classes;
use super::relation::endpoints::Endpoints;
use super::relation::ids::{AtomId, ClassId, Table};
use super::tailnet::endpoint::{Endpoint, by_identity};
use super::tailnet::ends::Untestable;
use super::tailnet::identity::Identity;
use super::tailnet::network::Network;
use crate::tables::index::Index;
use crate::tables::sort;

/// The machines behind one name.
#[derive(Clone, Debug, Default)]
pub(super) struct Machines {
    /// Those that differ.
    pub atoms: Vec<AtomId>,
    /// Whether there are none at all.
    pub is_empty: bool,
    /// Whether others may be among them: members of a group that nobody tells.
    pub is_open: bool,
}

/// The names of one side of all tests.
#[derive(Default)]
pub(super) struct Tested<'p> {
    /// The machines of all of them.
    pub endpoints: Endpoints<'p>,
    by_name: Index<'p>,
    found: Vec<Result<Machines, Untestable>>,
}

impl<'p> Tested<'p> {
    /// Adds a name; for logins those of its machines that differ in who they are.
    pub fn add(&mut self, network: &Network<'p>, selector: &Selector<'p>, is_login: bool) {
        let next = self.found.len();
        if self.by_name.place(selector.name(), next) != next {
            return;
        }
        let found = network.tested(selector).map(|ends| {
            let is_unknown =
                |end: &Endpoint<'_>| matches!(end.identity, Identity::Some(Kind::Group, _));
            let (is_empty, is_open) = (ends.is_empty(), ends.iter().any(is_unknown));
            let ends = match is_login {
                true => by_identity(ends),
                false => ends,
            };
            Machines {
                atoms: ends.iter().map(|end| self.endpoints.push(end)).collect(),
                is_empty,
                is_open,
            }
        });
        self.found.push(found);
    }

    /// The machines of a name that was added.
    ///
    /// # Errors
    /// Why it is not one that a test may name.
    pub fn get(&self, selector: &Selector<'_>) -> Result<&Machines, Untestable> {
        let place = self.by_name.find(selector.name());
        let found = place.and_then(|place| self.found.get(place));
        match found {
            Some(Ok(machines)) => Ok(machines),
            Some(Err(why)) => Err(why.clone()),
            None => Err(Untestable::no_source()),
        }
    }
}

/// The class of each endpoint.
pub(super) struct ClassOf(Table<AtomId, Option<ClassId>>);

impl ClassOf {
    pub fn new(tested: &Tested<'_>, classes: &Classes<'_>) -> ClassOf {
        let mut of = Table::filled(tested.endpoints.atoms.list.len(), None);
        for (id, class) in classes.list.iter() {
            for &atom in &class.atoms {
                if let Some(of) = of.get_mut(atom) {
                    *of = Some(id);
                }
            }
        }
        ClassOf(of)
    }

    /// The classes of some machines, ascending.
    pub fn of(&self, machines: &Machines) -> Vec<ClassId> {
        let atoms = machines.atoms.iter();
        let mut classes: Vec<ClassId> = atoms
            .filter_map(|atom| self.0.get(*atom).copied().flatten())
            .collect();
        sort::sort(&mut classes);
        classes.dedup();
        classes
    }
}
