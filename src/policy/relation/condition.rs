//! What access depends on besides who and where: conditions that a rule names (postures, `via`), and facts that text and
//! context leave undecided. Access under several of them is a list of terms; a term holds where all its facts hold.
//! Must not live here: which rules depend on them (rows.rs), words for people (diff_access.rs, diff_ssh.rs).

use super::ids::{FactId, Id, Table, TermId};
use crate::policy::language::document::Policy;
use crate::policy::language::posture::Condition;
use crate::tables::index::{Index, Runs};
use crate::tables::sort;

/// Why something is undecided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Why {
    /// Who holds a role.
    Role,
    /// Who is in a group that an identity provider fills.
    Members,
    /// Which address a device has, or who has an address.
    Address,
    /// Which routes there are.
    Routes,
    /// Whether two devices are of one user.
    User,
}

/// Something on which access depends.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact<'p> {
    /// The source device has this posture.
    Posture {
        /// Its name.
        name: &'p str,
        /// Its conditions; none if one is malformed or it is not defined.
        conditions: Vec<Condition<'p>>,
    },
    /// The packet goes through a device with this tag.
    Via(&'p str),
    /// What text and context do not say.
    Undecided(Why, String),
}

/// The facts and terms of a comparison, each once.
#[derive(Default)]
pub struct Conditions<'p> {
    facts: Table<FactId, Fact<'p>>,
    by_key: Index<'static>,
    terms: Table<TermId, Vec<FactId>>,
    runs: Runs,
}

impl<'p> Conditions<'p> {
    /// The term without facts: access that depends on nothing.
    pub fn always(&mut self) -> TermId {
        self.term(Vec::new())
    }

    /// The term of some facts.
    pub fn term(&mut self, mut facts: Vec<FactId>) -> TermId {
        sort::sort(&mut facts);
        facts.dedup();
        let run: Vec<u64> = facts.iter().map(|fact| fact.place() as u64).collect();
        let place = self.runs.place(&run);
        if place == self.terms.len() {
            self.terms.push(facts);
        }
        TermId::at(place)
    }

    /// The term of the facts of two terms.
    pub fn both(&mut self, one: TermId, other: TermId) -> TermId {
        let facts = [self.terms.of(one), self.terms.of(other)].concat();
        self.term(facts)
    }

    /// The facts of a term.
    pub fn facts(&self, term: TermId) -> impl Iterator<Item = &Fact<'p>> {
        let facts = self.terms.of(term).iter();
        facts.filter_map(|fact| self.facts.get(*fact))
    }

    /// A posture of a document. Postures with equal conditions are one, whatever their names.
    pub fn posture(&mut self, policy: &Policy<'p>, name: &'p str) -> FactId {
        let mut conditions = Vec::new();
        let mut texts = Vec::new();
        for word in policy.postures.get(name).into_iter().flatten() {
            let condition = Condition::parse(word.name());
            texts.push(match &condition {
                Some(condition) => format!("{condition:?}"),
                None => word.name().to_owned(),
            });
            conditions.extend(condition);
        }
        sort::sort(&mut texts);
        texts.dedup();
        if texts.is_empty() {
            texts.push(["undefined ", name].concat());
        }
        self.fact(
            ["p ", &texts.join("\n")].concat(),
            Fact::Posture { name, conditions },
        )
    }

    /// The tag of a router that a rule names.
    pub fn via(&mut self, tag: &'p str) -> FactId {
        self.fact(["v ", tag].concat(), Fact::Via(tag))
    }

    /// A fact that text and context do not decide. Equal keys are the same fact.
    pub fn undecided(&mut self, why: Why, key: &str) -> FactId {
        let fact = Fact::Undecided(why, key.to_owned());
        self.fact(["u ", key].concat(), fact)
    }

    fn fact(&mut self, key: String, fact: Fact<'p>) -> FactId {
        match self.by_key.find(&key) {
            Some(place) => FactId::at(place),
            None => {
                self.by_key.set(key.into(), self.facts.len());
                self.facts.push(fact)
            }
        }
    }

    /// Whether the first term holds wherever the second does.
    pub fn implied(&self, term: TermId, by: TermId) -> bool {
        term == by
            || self.terms.of(term).iter().all(|fact| {
                let mut own = self.terms.of(by).iter();
                own.any(|other| fact == other || self.follows(*fact, *other))
            })
    }

    /// Whether a posture holds wherever another does: each of its conditions follows from one of the other's.
    fn follows(&self, fact: FactId, from: FactId) -> bool {
        let Some(Fact::Posture { conditions, .. }) = self.facts.get(fact) else {
            return false;
        };
        let Some(Fact::Posture { conditions: of, .. }) = self.facts.get(from) else {
            return false;
        };
        !conditions.is_empty() && Condition::all_follow(conditions, of)
    }

    /// Whether a term holds for certain where its postures and `via` do.
    pub fn is_certain(&self, term: TermId) -> bool {
        let mut facts = self.facts(term);
        !facts.any(|fact| matches!(fact, Fact::Undecided(..)))
    }

    /// The facts of a term that are undecided.
    pub fn reasons(&self, term: TermId) -> Vec<(Why, String)> {
        let mut reasons = Vec::new();
        for fact in self.facts(term) {
            if let Fact::Undecided(why, key) = fact {
                reasons.push((*why, key.clone()));
            }
        }
        reasons
    }

    /// Whether two terms name the same postures, of which one has other conditions.
    pub fn is_redefined(&self, term: TermId, other: TermId) -> bool {
        let names = |term| {
            let mut names = Vec::new();
            for fact in self.facts(term) {
                match fact {
                    Fact::Posture { name, .. } => names.push(*name),
                    Fact::Via(tag) => names.push(tag),
                    Fact::Undecided(..) => {}
                }
            }
            sort::sort(&mut names);
            names
        };
        let (own, others) = (names(term), names(other));
        let comparable = self.implied(term, other) || self.implied(other, term);
        !own.is_empty() && own == others && !comparable
    }

    /// The term without the facts that are undecided.
    pub fn certain_part(&mut self, term: TermId) -> TermId {
        let facts = self.terms.of(term).iter().copied();
        let kept = facts.filter(|fact| !matches!(self.facts.get(*fact), Some(Fact::Undecided(..))));
        let kept = kept.collect();
        self.term(kept)
    }
}
