//! What access depends on besides who and where: conditions that a rule names (postures, `via`), and facts that text and
//! context leave undecided. Access under several of them is a list of terms; a term holds where all its facts hold.
//! Must not live here: which rules depend on them (rows.rs), words for people (diff_access.rs, diff_ssh.rs).

use super::ids::{FactId, Id, IdTable, TermId};
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
    /// Whether a device is one of a user.
    Owner,
    /// Which mail address a user has.
    Mail,
    /// Whether there is a device of a name.
    Presence,
}

/// That it is unknown by which device a packet goes.
pub fn router() -> (Why, String) {
    (Why::Routes, "which router".to_owned())
}

/// Something on which access depends.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact<'p> {
    /// The source device has this posture.
    Posture {
        /// Its name in each reading; none where no rule of one names it.
        names: [Option<&'p str>; 2],
        /// Its conditions; `None` if one is malformed or it is not defined, and then no device has it.
        conditions: Option<Vec<Condition<'p>>>,
    },
    /// The packet goes through a device with this tag.
    Via(&'p str),
    /// The packet goes through an exit node with this tag: a text presumes that whatever forwards is one.
    Exit(&'p str),
    /// One of the destinations of a rule has a device: a text presumes that there is one.
    Presence(String),
    /// What text and context do not say.
    Undecided(Why, String),
}

impl<'p> Fact<'p> {
    /// The name of a posture in one reading, else in the other.
    pub fn name(&self, at: usize) -> Option<&'p str> {
        match self {
            Fact::Posture { names, .. } => {
                let own = names.get(at).copied().flatten();
                own.or_else(|| names.iter().copied().flatten().next())
            }
            _ => None,
        }
    }
}

/// The facts and terms of a comparison, each once.
#[derive(Default)]
pub struct Conditions<'p> {
    facts: IdTable<FactId, Fact<'p>>,
    by_key: Index<'static>,
    terms: IdTable<TermId, Vec<FactId>>,
    runs: Runs,
    /// The term without facts, once it was asked for.
    always: Option<TermId>,
}

impl<'p> Conditions<'p> {
    /// The term without facts: access that depends on nothing.
    pub fn always(&mut self) -> TermId {
        self.term(Vec::new())
    }

    /// The term of some facts.
    pub fn term(&mut self, mut facts: Vec<FactId>) -> TermId {
        if let (true, Some(always)) = (facts.is_empty(), self.always) {
            return always;
        }
        sort::sort(&mut facts);
        facts.dedup();
        let run: Vec<u64> = facts.iter().map(|fact| fact.place() as u64).collect();
        let place = self.runs.place(&run);
        if place == self.terms.len() {
            self.always = self.always.or(facts.is_empty().then(|| TermId::at(place)));
            self.terms.push(facts);
        }
        TermId::at(place)
    }

    /// The term of the facts of two terms.
    pub fn both(&mut self, one: TermId, other: TermId) -> TermId {
        // Nearly always one of them is that which always holds: no list is made then.
        if one == other || Some(other) == self.always {
            return one;
        }
        if Some(one) == self.always {
            return other;
        }
        let facts = [self.terms.of(one), self.terms.of(other)].concat();
        self.term(facts)
    }

    /// The facts of a term.
    pub fn facts(&self, term: TermId) -> impl Iterator<Item = &Fact<'p>> {
        let facts = self.terms.of(term).iter();
        facts.filter_map(|fact| self.facts.get(*fact))
    }

    /// A posture of the document of one reading. Postures with equal conditions are one, whatever their names.
    pub fn posture(&mut self, policy: &Policy<'p>, name: &'p str, at: usize) -> FactId {
        let words = policy.postures.get(name);
        let mut conditions = words.map(|words| Vec::with_capacity(words.len()));
        let mut texts = Vec::new();
        for word in words.into_iter().flatten() {
            let condition = Condition::parse(word.name());
            texts.push(match &condition {
                Some(condition) => condition.spelling(),
                None => word.name().to_owned(),
            });
            conditions = conditions.zip(condition).map(|(mut all, condition)| {
                all.push(condition);
                all
            });
        }
        if texts.is_empty() {
            texts.push(["undefined ", name].concat());
        }
        let names = [None, None];
        let posture = Fact::Posture { names, conditions };
        let id = self.fact(posture_key(texts), posture);
        if let Some(Fact::Posture { names, .. }) = self.facts.get_mut(id)
            && let Some(known) = names.get_mut(at)
        {
            known.get_or_insert(name);
        }
        id
    }

    /// The postures of a term of another comparison as a term of this one.
    pub fn adopted(&mut self, term: TermId, of: &Conditions<'p>) -> TermId {
        let mut facts = Vec::new();
        for fact in of.facts(term) {
            if let Fact::Posture {
                conditions: Some(conditions),
                ..
            } = fact
            {
                let texts: Vec<String> = conditions.iter().map(Condition::spelling).collect();
                if !texts.is_empty() {
                    facts.push(self.fact(posture_key(texts), fact.clone()));
                }
            }
        }
        self.term(facts)
    }

    /// The tag of a router that a rule names.
    pub fn via(&mut self, tag: &'p str) -> FactId {
        self.fact(["v ", tag].concat(), Fact::Via(tag))
    }

    /// The tag of an exit node that a rule names, where no devices are known.
    pub fn exit(&mut self, tag: &'p str) -> FactId {
        self.fact(["e ", tag].concat(), Fact::Exit(tag))
    }

    /// That one of some destinations has a device, where no devices are known.
    pub fn presence(&mut self, of: String) -> FactId {
        self.fact(["d ", &of].concat(), Fact::Presence(of))
    }

    /// The term with what a text presumes: that devices with a tag forward in any way, and that there are some.
    pub fn presumed(&mut self, term: TermId) -> TermId {
        let is_presumed = |fact: &Fact<'_>| matches!(fact, Fact::Exit(_) | Fact::Presence(_));
        if !self.facts(term).any(is_presumed) {
            return term;
        }
        let mut facts = Vec::new();
        for id in self.terms.of(term).to_vec() {
            match self.facts.get(id) {
                Some(Fact::Exit(tag)) => facts.push(self.via(tag)),
                Some(Fact::Presence(_)) => {}
                _ => facts.push(id),
            }
        }
        self.term(facts)
    }

    /// Why it is not certain that the first term holds wherever the second does, though a text presumes it.
    pub fn presumptions(&mut self, term: TermId, by: TermId) -> Vec<(Why, String)> {
        let mut reasons = Vec::new();
        let [all, all_by] = [term, by].map(|it| self.presumed(it));
        if self.implied(all, all_by) && !self.implied(term, by) {
            for fact in [self.terms.of(term), self.terms.of(by)].concat() {
                match self.facts.get(fact) {
                    Some(Fact::Presence(of)) => {
                        reasons.push((Why::Presence, ["of ", of].concat()));
                    }
                    Some(Fact::Exit(_)) => reasons.push(router()),
                    _ => {}
                }
            }
        }
        reasons
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

    /// The conditions of a posture that somebody may have.
    fn conditions(&self, fact: FactId) -> Option<&[Condition<'p>]> {
        match self.facts.get(fact) {
            Some(Fact::Posture { conditions, .. }) => conditions.as_deref(),
            _ => None,
        }
    }

    /// Whether a posture holds wherever another does: each of its conditions follows from one of the other's. Who is an owner counts as an
    /// admin.
    fn follows(&self, fact: FactId, from: FactId) -> bool {
        if let (Some(Fact::Undecided(Why::Role, key)), Some(Fact::Undecided(Why::Role, other))) =
            (self.facts.get(fact), self.facts.get(from))
        {
            let owner = other.strip_suffix("autogroup:owner");
            return owner.is_some() && owner == key.strip_suffix("autogroup:admin");
        }
        match (self.conditions(fact), self.conditions(from)) {
            (Some(conditions), Some(of)) => Condition::all_follow(conditions, of),
            _ => false,
        }
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

    /// Whether a term of one reading and one of the other name the same postures, of which one has other conditions.
    pub fn is_redefined(&self, term: TermId, at: usize, other: TermId) -> bool {
        let names = |term, at| {
            let mut names = Vec::new();
            for fact in self.facts(term) {
                match fact {
                    Fact::Posture { .. } => names.extend(fact.name(at)),
                    Fact::Via(tag) | Fact::Exit(tag) => names.push(tag),
                    Fact::Presence(_) | Fact::Undecided(..) => {}
                }
            }
            sort::sort(&mut names);
            names
        };
        let (own, others) = (names(term, at), names(other, 1 - at));
        let comparable = self.implied(term, other) || self.implied(other, term);
        !own.is_empty() && own == others && !comparable
    }

    /// The term without the facts that are undecided.
    pub fn certain_part(&mut self, term: TermId) -> TermId {
        self.without(term, &|_, fact| matches!(fact, Fact::Undecided(..)))
    }

    /// The term without some of its facts.
    pub fn without(&mut self, term: TermId, drops: &dyn Fn(FactId, &Fact<'p>) -> bool) -> TermId {
        let facts = self.terms.of(term).iter().copied();
        let kept = facts.filter(|id| self.facts.get(*id).is_some_and(|fact| !drops(*id, fact)));
        let kept = kept.collect();
        self.term(kept)
    }
}

/// What two postures with the same conditions have in common, in whatever order these stand.
fn posture_key(mut texts: Vec<String>) -> String {
    sort::sort(&mut texts);
    texts.dedup();
    ["p ", &texts.join("\n")].concat()
}
