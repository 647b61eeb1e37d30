//! Machines of a question that are alike for logins and, by each of their addresses, for the network.
//! Must not live here: which rules admit a login (explain_login.rs).

use super::classes::{Class, Classes};
use super::endpoints::Endpoints;
use super::ids::{ClassId, Id};
use super::pairs::{PairAnswers, PairRow, Sides};
use crate::policy::tailnet::identity::Answer;
use crate::tables::index::Runs;

/// The classes of a machine: for logins, and of each of its addresses for the network.
#[derive(Clone)]
pub struct OfMachine {
    /// For logins.
    pub login: ClassId,
    /// Of its addresses.
    pub network: Vec<ClassId>,
}

/// Machines that are of the same classes for both.
pub struct Joined<'p> {
    /// Their classes.
    pub classes: Classes<'p>,
    each: Vec<OfMachine>,
}

impl<'p> Joined<'p> {
    /// Joins the classes of machines with those of their addresses.
    pub fn new(
        (machines, logins): (&Endpoints<'p>, &Classes<'p>),
        (addresses, flows): (&Endpoints<'_>, &Classes<'_>),
    ) -> Joined<'p> {
        let mut by_unit: Vec<Vec<ClassId>> = Vec::new();
        for (id, class) in flows.list.iter() {
            for unit in class
                .atoms
                .iter()
                .filter_map(|atom| addresses.units.get(*atom))
            {
                if by_unit.len() <= *unit {
                    by_unit.resize(unit + 1, Vec::new());
                }
                if let Some(own) = by_unit.get_mut(*unit)
                    && !own.contains(&id)
                {
                    own.push(id);
                }
            }
        }
        let mut joined = Joined {
            classes: Classes::default(),
            each: Vec::new(),
        };
        let mut known = Runs::default();
        for (login, class) in logins.list.iter() {
            for &atom in &class.atoms {
                let unit = machines.units.get(atom);
                let network = unit.and_then(|unit| by_unit.get(*unit)).cloned();
                let network = network.unwrap_or_default();
                let mut run = vec![login.place() as u64];
                run.extend(network.iter().map(|id| id.place() as u64));
                let place = known.place(&run);
                if place == joined.each.len() {
                    joined.each.push(OfMachine { login, network });
                    joined.classes.list.push(Class {
                        atoms: Vec::new(),
                        ..class.clone()
                    });
                }
                if let Some(class) = joined.classes.list.get_mut(ClassId::at(place)) {
                    class.atoms.push(atom);
                }
            }
        }
        joined
    }

    /// The classes of one of them.
    pub fn of(&self, id: ClassId) -> Option<&OfMachine> {
        self.each.get(id.place())
    }
}

/// The best answer for any two addresses of two machines: a login needs one.
pub fn best(opened: &PairAnswers, from: &OfMachine, to: &OfMachine) -> Answer {
    let mut best = Answer::No;
    for &from in &from.network {
        for &to in &to.network {
            best = best.max(opened.answer(from, to));
        }
    }
    best
}

/// The answers for machines.
pub fn both_of(
    sides: &Sides<'_, '_>,
    [own, other]: &[Joined<'_>; 2],
    answer: &dyn Fn(&OfMachine, &OfMachine) -> Answer,
) -> PairAnswers {
    let mut answers = PairAnswers::default();
    for (id, class) in own.classes.list.iter() {
        let mut row = PairRow {
            from: id,
            asked: sides.asked_about(class),
            yes: Vec::new(),
            open: Vec::new(),
        };
        for &to in &row.asked.clone() {
            if let (Some(from), Some(there)) = (own.of(id), other.of(to)) {
                row.improve(to, answer(from, there));
            }
        }
        answers.rows.push(row);
    }
    answers
}
