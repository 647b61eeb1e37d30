//! Which rules concern one user, tag or alias, or one address and port (policy-language.md 10).
//! Must not live here: whether traffic passes, ssh.

use std::borrow::Cow;

use crate::tables::sort;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::check::Error;
use super::language::document::{Policy, Word};
use super::language::rule::{Lines, Rule, RuleRef};
use super::language::selector::{Kind, Selector};
use super::question::{Names, Query, Resolved};
use super::tailnet::identity::Answer;
use super::tailnet::party::{Party, Side};
use super::tailnet::topology::Topology;

/// The answer: rules in file order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Preview<'p> {
    /// The question as it was asked, an address and port too.
    pub user: Cow<'p, str>,
    /// The rules that concern it.
    pub matches: Vec<Match<'p>>,
    /// The rules of which text and topology do not tell.
    pub unknown: Vec<RuleRef>,
    /// The name that was asked about, where neither text nor topology know it.
    pub unresolved: Vec<String>,
    /// Which name may be meant instead of that one, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The postures that the matches name.
    #[serde(skip_serializing_if = "Postures::is_empty")]
    pub postures: Postures<'p>,
}

/// Conditions by the name of their posture, in the order of the text. Serialises as an object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Postures<'p>(pub Vec<(&'p str, Vec<&'p str>)>);

impl Postures<'_> {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Postures<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, conditions) in &self.0 {
            map.serialize_entry(name, conditions)?;
        }
        map.end()
    }
}

impl Preview<'_> {
    /// The same for a document that came as an object: lines of a text nobody wrote mean nothing.
    pub fn without_lines(mut self) -> Self {
        for found in &mut self.matches {
            found.line_number = None;
        }
        self
    }
}

/// One rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Match<'p> {
    /// All its sources as written.
    pub users: Vec<Cow<'p, str>>,
    /// All its destinations as written; of a grant each with each of its ports.
    pub ports: Vec<Cow<'p, str>>,
    /// The line of its `{` in the text; `None` for a document that never was a text.
    pub line_number: Option<usize>,
    /// The tags of a grant's `via` as written: it holds only by way of devices that carry one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<&'p str>,
    /// The names of the postures of which the source must have one; those of `defaultSrcPosture` where the rule names none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub postures: Vec<&'p str>,
}

impl<'p> Policy<'p> {
    /// The rules that concern somebody or something, and those of which nobody can tell from what is known. A name that is
    /// not defined concerns no rule.
    ///
    /// # Errors
    /// [`Error::Argument`] for a name that makes no sense: an address that is none, a device that is not there or not the
    /// only one of its name.
    pub fn preview(
        &'p self,
        query: &'p Query,
        topology: &'p Topology,
    ) -> Result<Preview<'p>, Error> {
        let mut preview = Preview {
            user: query.text().into(),
            matches: Vec::new(),
            unknown: Vec::new(),
            unresolved: Vec::new(),
            hint: None,
            postures: Postures::default(),
        };
        let asked = match query {
            Query::Of(subject) => Some(subject.resolve(&Names::of(self, topology))?),
            Query::IpPort { .. } => None,
        };
        let port = match query {
            Query::IpPort { port, .. } => Some(*port),
            Query::Of(_) => None,
        };
        if let Some(Resolved::Unresolved { name, hint }) = &asked {
            preview.unresolved.push(name.text.clone());
            preview.hint = hint.clone();
        }
        let party = match (query, &asked) {
            (Query::IpPort { address, .. }, _) => {
                Some(Party::place(self, topology, (*address).into()))
            }
            (_, asked) => asked.as_ref().and_then(|asked| self.party(asked, topology)),
        };
        let Some(mut party) = party else {
            return Ok(preview);
        };
        let is_user = asked.as_ref().is_some_and(Resolved::is_user);
        let mut rules = self.rules();
        sort::sort_by(&mut rules, |a, b| a.span.start.cmp(&b.span.start));
        let mut lines = Lines::new(self.document.text());
        for rule in rules {
            let answer = match port {
                Some(_) => rule.reaches(&mut party, port),
                None if is_user => rule.hears(&mut party),
                None => rule.hears(&mut party).max(rule.reaches(&mut party, None)),
            };
            if answer == Answer::No {
                continue;
            }
            let line = lines.line_of(rule.span.start);
            match answer {
                Answer::Yes => preview.matches.push(rule.matched(line)),
                _ => preview.unknown.push(rule.reference(line)),
            }
        }
        for (name, conditions) in self.postures.iter() {
            let name = name.name();
            if preview.matches.iter().any(|m| m.postures.contains(&name)) {
                let conditions = conditions.iter().map(Word::name).collect();
                preview.postures.0.push((name, conditions));
            }
        }
        Ok(preview)
    }

    /// Who or what the question is about.
    fn party<'a>(&'a self, asked: &'a Resolved, topology: &'a Topology) -> Option<Party<'a>> {
        let selector = match asked {
            // Rules for anyone concern a stranger, too.
            Resolved::Selector(name) | Resolved::Unresolved { name, .. } => name.selector(),
            Resolved::Device(place) => {
                let device = topology.devices.iter().flatten().nth(*place)?;
                let address = device.addresses.first()?;
                return Some(Party::place(self, topology, (*address).into()));
            }
        };
        match selector.kind {
            Kind::User => Some(Party::user(self, topology, selector.name())),
            Kind::Tag => Some(Party::tag(self, topology, selector.name())),
            _ => Some(Party::place(self, topology, self.range(&selector)?)),
        }
    }
}

impl<'p> Rule<'p> {
    /// Whether one of its sources takes in the party.
    fn hears(self, party: &mut Party<'_>) -> Answer {
        let mut best = Answer::No;
        for source in self.sources {
            best = best.max(party.selected_by(source, Side::Source));
        }
        best
    }

    /// Whether one of its destinations takes in the party, with this port if one is asked for.
    fn reaches(self, party: &mut Party<'_>, port: Option<u16>) -> Answer {
        let mut best = Answer::No;
        match port {
            None => {
                for to in self.destinations() {
                    best = best.max(party.selected_by(to, Side::Destination));
                }
            }
            Some(port) => {
                for opening in self.openings() {
                    if opening.ports.contains(port) {
                        best = best.max(party.selected_by(opening.to, Side::Destination));
                    }
                }
            }
        }
        best
    }

    fn matched(self, line_number: usize) -> Match<'p> {
        Match {
            users: self.sources.iter().map(|s| s.text().into()).collect(),
            ports: self.ports_as_written(),
            line_number: Some(line_number),
            via: self.via.iter().map(Selector::name).collect(),
            postures: self.postures.iter().map(Word::name).collect(),
        }
    }
}
