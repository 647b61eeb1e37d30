//! Which rules concern one user, tag or alias, or one address and port (policy-language.md 10).
//! Must not live here: whether traffic passes, ssh.

use std::borrow::Cow;

use crate::tables::sort;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::cidr::Address;
use crate::hujson::Span;

use super::language::document::{Policy, Word};
use super::language::rule::{Lines, Rule, RuleRef};
use super::language::selector::Selector;
use super::tailnet::identity::Answer;
use super::tailnet::party::{Party, Side};
use super::tailnet::topology::Topology;

/// What is asked; `parse` reads it from a plain name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// Rules with this user among their sources.
    User(String),
    /// Rules with what carries this tag among their sources or destinations; the `tag:` in front may be left out.
    Tag(String),
    /// Rules with an address of this alias, or of this address or prefix, among their sources or destinations.
    Host(String),
    /// Rules with this address and port among their destinations.
    IpPort {
        /// The address.
        address: Address,
        /// The port.
        port: u16,
        /// The question as it was asked.
        text: String,
    },
}

impl Query {
    /// Reads `IP:PORT`, an IPv6 address in brackets or not. `None` for anything else.
    pub fn ip_port(text: &str) -> Option<Query> {
        let (host, port) = text.trim().rsplit_once(':')?;
        let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
        let address = Address::parse(bare.unwrap_or(host)).ok()?;
        let digits = port.bytes().all(|b| b.is_ascii_digit());
        let port = digits.then(|| port.parse().ok()).flatten()?;
        let text = text.to_owned();
        Some(Query::IpPort {
            address,
            port,
            text,
        })
    }

    /// The question as it was asked.
    pub fn text(&self) -> &str {
        match self {
            Query::User(text) | Query::Tag(text) | Query::Host(text) => text,
            Query::IpPort { text, .. } => text,
        }
    }
}

/// The answer: rules in file order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Preview<'p> {
    /// The question as it was asked, an address and port too.
    pub user: Cow<'p, str>,
    /// The rules that concern it.
    pub matches: Vec<Match<'p>>,
    /// The rules of which text and topology do not tell.
    pub unknown: Vec<RuleRef>,
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
    /// The rules that concern a user, tag, alias, or address and port, and those of which nobody can tell from what is
    /// known. An alias that is not defined concerns no rule.
    pub fn preview(&'p self, query: &'p Query, topology: &'p Topology) -> Preview<'p> {
        let mut preview = Preview {
            user: query.text().into(),
            matches: Vec::new(),
            unknown: Vec::new(),
            postures: Postures::default(),
        };
        let Some(mut party) = self.party(query, topology) else {
            return preview;
        };
        let mut rules = self.rules();
        sort::sort_by(&mut rules, |a, b| a.span.start.cmp(&b.span.start));
        let mut lines = Lines::new(self.document.text());
        for rule in rules {
            let answer = match query {
                Query::User(_) => rule.hears(&mut party),
                Query::IpPort { port, .. } => rule.reaches(&mut party, Some(*port)),
                Query::Tag(_) | Query::Host(_) => {
                    rule.hears(&mut party).max(rule.reaches(&mut party, None))
                }
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
        preview
    }

    /// Who or what the question is about.
    fn party(&'p self, query: &'p Query, topology: &'p Topology) -> Option<Party<'p>> {
        Some(match query {
            Query::User(login) => Party::user(self, topology, login),
            Query::Tag(tag) => Party::tag(self, topology, tag),
            Query::IpPort { address, .. } => Party::place(self, topology, (*address).into()),
            Query::Host(name) => {
                let span = Span { start: 0, end: 0 };
                let range = self.range(&Selector::new(name.as_str(), span))?;
                Party::place(self, topology, range)
            }
        })
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
