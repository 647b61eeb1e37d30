//! The names of a document's tests as one question to the rules, and the machines behind each name.
//! Must not live here: what a name means in a test (tailnet/selected.rs), how an entry ends (`run_tests`, `run_ssh_tests`).

use super::language::port_set::PortSet;
use super::language::selector::{Kind, Selector};
use super::relation::classes::Classes;
use super::relation::endpoints::Endpoints;
use super::relation::ids::{AtomId, ClassId, IdTable};
use super::relation::pairs::{PairQuestion, PairRow, Sides};
use super::relation::reach::{Reach, Shared};
use super::relation::reading::Reading;
use super::tailnet::endpoint::{Endpoint, by_identity};
use super::tailnet::identity::Identity;
use super::tailnet::network::Network;
use super::tailnet::next_hop::Given;
use super::tailnet::party::Side;
use super::tailnet::selected::Untestable;
use crate::hujson::Value;
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
        let found = network.tested(selector).map(|endpoints| {
            let is_unknown =
                |end: &Endpoint<'_>| matches!(end.identity, Identity::Some(Kind::Group, _));
            let (is_empty, is_open) = (endpoints.is_empty(), endpoints.iter().any(is_unknown));
            let endpoints = match is_login {
                true => by_identity(endpoints),
                false => endpoints,
            };
            Machines {
                atoms: endpoints
                    .iter()
                    .map(|end| self.endpoints.push(end))
                    .collect(),
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

/// The rules of a reading, ready for every test of a section: all names of its tests are one question, and each test is a part of it.
pub(super) struct Running<'c, 'p> {
    /// The names of both sides.
    pub names: [&'c Tested<'p>; 2],
    /// What is shared by all answers.
    pub shared: Shared<'p>,
    sides: Sides<'c, 'p>,
    reach: Reach<'c, 'p>,
    classes: [IdTable<AtomId, Option<ClassId>>; 2],
}

impl<'p> Running<'_, 'p> {
    /// Runs all tests of a section.
    pub fn each(
        reading: &Reading<'p>,
        names: [&Tested<'p>; 2],
        then: impl FnOnce(&mut Running<'_, 'p>),
    ) {
        let question = PairQuestion::new(reading, names.map(|tested| &tested.endpoints));
        let sides = question.sides(false);
        let mut shared = Shared::default();
        let mut reach = question.reach(Given::default(), &mut shared);
        reach.as_a_whole = true;
        then(&mut Running {
            names,
            classes: [
                classes_of(sides.from, sides.senders),
                classes_of(sides.to, sides.receivers),
            ],
            shared,
            sides,
            reach,
        });
    }

    /// The classes of the machines of a source or of a destination, ascending.
    pub fn classes(&self, side: Side, machines: &Machines) -> Vec<ClassId> {
        let [from, to] = &self.classes;
        let of = match side {
            Side::Source => from,
            Side::Destination => to,
        };
        let atoms = machines.atoms.iter();
        let mut classes: Vec<ClassId> = atoms
            .filter_map(|atom| of.get(*atom).copied().flatten())
            .collect();
        sort::sort(&mut classes);
        classes.dedup();
        classes
    }

    /// What a class of sources with these posture attributes, an object's text, reaches of some destinations.
    pub fn row(
        &mut self,
        attributes: Option<Value<'p>>,
        (from, to): (ClassId, &[ClassId]),
        wanted: &PortSet,
    ) -> PairRow {
        self.reach.given = Some(Given {
            attributes,
            ..Given::default()
        });
        let asked = (from, to.to_vec());
        self.sides
            .row(&self.reach, asked, wanted, &mut self.shared, &mut [])
    }
}

/// The class of each endpoint.
fn classes_of(
    endpoints: &Endpoints<'_>,
    classes: &Classes<'_>,
) -> IdTable<AtomId, Option<ClassId>> {
    let mut of = IdTable::filled(endpoints.atoms.list.len(), None);
    for (id, class) in classes.list.iter() {
        for &atom in &class.atoms {
            if let Some(of) = of.get_mut(atom) {
                *of = Some(id);
            }
        }
    }
    of
}
