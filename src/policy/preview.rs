//! Which rules concern one user, tag or alias, or one address and port (docs/policy-language.md#preview).
//! Must not live here: whether traffic passes, ssh.

use std::borrow::Cow;

use crate::tables::{index::Index, sort};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::language::document::{Policy, Word};
use super::language::rule::{Lines, Rule, RuleId, RuleRef};
use super::language::selector::{Kind, Selector};
use super::question::Query;
use super::resolve::{Names, Resolved};
use super::tailnet::context::PolicyContext;
use super::tailnet::endpoint::{Endpoint, Place};
use super::tailnet::flow::Judge;
use super::tailnet::identity::{Answer, Identity};
use super::tailnet::party::Side;
use super::verdict::Error;

/// The answer: rules in file order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Preview<'p> {
    /// The question as it was asked, also for an address and port.
    pub user: Cow<'p, str>,
    /// The rules that concern it.
    pub matches: Vec<Match<'p>>,
    /// The rules that text and context leave undecided.
    pub unknown: Vec<RuleRef>,
    /// The name in the question, if neither text nor context define it.
    pub unresolved: Vec<String>,
    /// Which name may be meant in place of that one, or of a login that neither text nor context names, in words.
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
    /// The same for a document given as an object, whose text nobody wrote, so that lines mean nothing.
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
#[non_exhaustive]
pub struct Match<'p> {
    /// All its sources as written.
    pub users: Vec<Cow<'p, str>>,
    /// All its destinations as written; those of a grant each with each of its ports.
    pub ports: Vec<Cow<'p, str>>,
    /// The line of its `{` in the text; `None` for a document given as an object.
    pub line_number: Option<usize>,
    /// The tags of a grant's `via` as written: only devices with one of them forward.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<&'p str>,
    /// Names of postures, one of which the source must have; those of `defaultSrcPosture` if the rule names none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub postures: Vec<&'p str>,
}

impl<'p> Policy<'p> {
    /// The rules that concern somebody or something, and those that are undecided. An undefined name concerns no
    /// rule.
    ///
    /// # Errors
    /// [`Error::Argument`] for a malformed name: an address that is not valid, a device that does not exist or whose name
    /// is not unique.
    pub fn preview(
        &'p self,
        query: &'p Query,
        context: &'p PolicyContext,
    ) -> Result<Preview<'p>, Error> {
        Judge::new(self, context).preview(query)
    }
}

impl<'p> Judge<'p> {
    /// Like [`Policy::preview`].
    ///
    /// # Errors
    /// The same.
    pub fn preview(&self, query: &'p Query) -> Result<Preview<'p>, Error> {
        let mut preview = Preview {
            user: query.text().into(),
            matches: Vec::new(),
            unknown: Vec::new(),
            unresolved: Vec::new(),
            hint: None,
            postures: Postures::default(),
        };
        let names = Names::of(self.policy(), self.network.context);
        let asked = match query {
            Query::Of(subject) => Some(subject.resolve(&names)?),
            Query::IpPort { .. } => None,
        };
        if let Some(Resolved::Unresolved { name, .. }) = &asked {
            preview.unresolved.push(name.text.clone());
        }
        let hint = asked.as_ref().and_then(Resolved::hint);
        preview.hint = hint.map(str::to_owned);
        let (endpoints, port) = match (query, &asked) {
            (Query::IpPort { address, port, .. }, _) => {
                (vec![self.network.end_at(*address)], Some(*port))
            }
            (_, Some(asked)) => (self.concerned(asked), None),
            (_, None) => (Vec::new(), None),
        };
        // A port is only of a destination, a user only a source.
        let (from, to) = match &asked {
            None => (Vec::new(), endpoints),
            Some(asked) if asked.is_user() => (endpoints, Vec::new()),
            Some(_) => (endpoints.clone(), endpoints),
        };
        let concerned = Concerned {
            from: self.best(Side::Source, &from),
            to: self.best(Side::Destination, &to),
            endpoints: to,
            judge: self,
            port,
        };
        concerned.note_in(&mut preview);
        Ok(preview)
    }

    /// The endpoints that a question is about, any of which is enough. Rules for everyone concern an unknown user, too.
    fn concerned<'a>(&self, asked: &'a Resolved) -> Vec<Endpoint<'a>>
    where
        'p: 'a,
    {
        let selector = match asked {
            Resolved::Device(device) => return self.network.endpoints_of_device(*device),
            Resolved::Selector { name, .. } | Resolved::Unresolved { name, .. } => name.selector(),
        };
        let mut endpoints = self.network.endpoints(&selector).unwrap_or_else(|| {
            let devices = self.network.devices_of(&selector);
            match (selector.kind, devices.is_empty()) {
                (Kind::User, true) => {
                    let login = self.network.login(selector.name());
                    vec![Endpoint::supposed(Identity::User(login))]
                }
                (Kind::Tag, true) => vec![Endpoint::supposed(Identity::Tag(selector.name()))],
                _ => self.network.endpoints_of_devices(&devices),
            }
        });
        for end in &mut endpoints {
            if let Place::All(set) = &end.place {
                end.place = Place::Some(set.clone());
            }
        }
        endpoints
    }
}

/// What the rules of a document have to do with some endpoints.
struct Concerned<'a, 'p> {
    judge: &'a Judge<'p>,
    /// The best answer of each selector of a source, by its index.
    from: Vec<Answer>,
    /// The same of a destination.
    to: Vec<Answer>,
    /// The endpoints that may be destinations.
    endpoints: Vec<Endpoint<'a>>,
    /// The port that a rule must open, if one is asked for.
    port: Option<u16>,
}

impl<'p> Concerned<'_, 'p> {
    /// Notes the rules in the order of the text, and the postures that the matches name.
    fn note_in(&self, preview: &mut Preview<'p>) {
        let policy = self.judge.policy();
        let mut rules: Vec<(&Rule<'_>, Answer)> = Vec::new();
        for (rule, answer) in self.judge.about.rules.iter().zip(self.answers()) {
            if answer != Answer::No {
                rules.push((rule, answer));
            }
        }
        sort::sort_by(&mut rules, |(a, _), (b, _)| a.span.start.cmp(&b.span.start));
        let mut lines = Lines::new(policy.document.text());
        for (rule, answer) in rules {
            let line = lines.line_of(rule.span.start);
            match answer {
                Answer::Yes => preview.matches.push(rule.matched(line)),
                _ => preview.unknown.push(rule.reference(line)),
            }
        }
        let mut named = Index::default();
        for posture in preview.matches.iter().flat_map(|m| &m.postures) {
            named.set((*posture).into(), 0);
        }
        for (name, conditions) in policy.postures.iter() {
            let name = name.name();
            if named.find(name).is_some() {
                let conditions = conditions.iter().map(Word::name).collect();
                preview.postures.0.push((name, conditions));
            }
        }
    }

    /// The answer of each rule, by its place.
    fn answers(&self) -> Vec<Answer> {
        let about = &self.judge.about;
        let mut best = vec![Answer::No; about.rules.len()];
        let mut add = |rule: usize, answer: Answer| {
            if let Some(best) = best.get_mut(rule) {
                *best = answer.max(*best);
            }
        };
        for (selector, answer) in self.from.iter().enumerate() {
            for &rule in about.sources.uses(selector) {
                add(rule, *answer);
            }
        }
        for (selector, answer) in self.to.iter().enumerate() {
            for &at in about.destinations.uses(selector) {
                if let Some((RuleId(rule), opening)) = about.openings.get(at)
                    && self.port.is_none_or(|port| opening.ports.contains(port))
                {
                    add(*rule, *answer);
                }
            }
        }
        if self.port.is_none() {
            // A grant of capabilities only opens no port, yet it concerns those whom it names.
            for (at, rule) in about.rules.iter().enumerate() {
                if !rule.app.is_empty() {
                    let answers = rule.destinations().map(|to| self.names(to));
                    add(at, answers.max().unwrap_or_default());
                }
            }
        }
        best
    }

    /// Whether a destination includes one of the endpoints, whether or not anything is open there.
    fn names(&self, to: &Selector<'_>) -> Answer {
        if let Some(known) = self.judge.about.destinations.place(to.name()) {
            return self.to.get(known).copied().unwrap_or_default();
        }
        let network = &self.judge.network;
        let answers = self
            .endpoints
            .iter()
            .map(|end| network.takes_in(to, Side::Destination, end));
        answers.max().unwrap_or_default()
    }
}

impl<'p> Rule<'p> {
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
