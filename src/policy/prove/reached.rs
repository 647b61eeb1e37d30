//! What is reached under one policy, also where a posture leads through another router: by a grant with `via` and that posture.
//! Must not live here: claims.

use crate::policy::language::port_set::Opens;
use crate::policy::tailnet::alike::Classes;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::reach::{Reach, Row};
use crate::policy::tailnet::sets::{PostureNames, Sets};

/// What is reached under one policy.
pub struct Reached<'j, 'a> {
    /// As if no source had a posture.
    pub plain: Reach<'j, 'a>,
    /// The same with a posture that leads through another router, by its number.
    given: Vec<(usize, Reach<'j, 'a>)>,
}

impl<'j, 'a> Reached<'j, 'a> {
    /// Makes one policy ready.
    #[inline(never)]
    pub fn new(
        judge: &'j Judge<'a>,
        document: usize,
        places: (&'j Classes<'a>, &'j Classes<'a>),
        sets: &mut Sets,
        postures: &mut PostureNames<'a>,
    ) -> Reached<'j, 'a> {
        let plain = Reach::new(judge, document, places, sets, postures);
        let mut given = Vec::new();
        for rule in judge.about.rules.iter().filter(|_| judge.has_via) {
            for word in rule.postures {
                let number = postures.place(judge.network.policy, word.name());
                if given.iter().all(|(known, _)| *known != number) {
                    let mut reach = Reach::new(judge, document, places, sets, postures);
                    reach.posture = Some(word.name());
                    given.push((number, reach));
                }
            }
        }
        Reached { plain, given }
    }

    /// Limits the questions to these openings, by index, and to answers of at least this certainty.
    pub fn ask(&mut self, sets: &mut Option<Vec<bool>>, least: Answer) {
        let given = self.given.iter_mut().map(|(_, reach)| reach);
        for reach in given {
            reach.asked.clone_from(sets);
            reach.least = least;
        }
        std::mem::swap(&mut self.plain.asked, sets);
        self.plain.least = least;
    }

    /// What a class of sources reaches at the wanted classes; access that goes through another router with a posture is possible.
    pub fn rows(
        &self,
        class: usize,
        groups: &[Vec<usize>],
        wanted: &dyn Fn(usize) -> bool,
        sets: &mut Sets,
    ) -> Vec<Row> {
        let mut rows = self.plain.row(&[class], groups, wanted, sets);
        for (posture, reach) in &self.given {
            for mut other in reach.row(&[class], groups, wanted, sets) {
                let given = sets.get(other.possible).given(*posture);
                other.possible = sets.place(given);
                let found = rows.binary_search_by(|row| row.group.cmp(&other.group));
                match found.map(|at| rows.get_mut(at)) {
                    Ok(Some(row)) => {
                        row.possible = sets.union(vec![row.possible, other.possible]);
                        row.hits.append(&mut other.hits);
                    }
                    Ok(None) => {}
                    Err(at) => {
                        other.certain = sets.place(Opens::default());
                        rows.insert(at, other);
                    }
                }
            }
        }
        rows
    }
}
