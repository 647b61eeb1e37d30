//! Why one flow is allowed or denied: the rules that let it pass, those that nearly do, and where the packet ends.
//! Must not live here: the judgement of a rule (`tailnet/flow`), what the names of a question stand for (`question`), ssh.

use serde::Serialize;

use crate::hujson;
use crate::tables::index::Index;
use crate::tables::sort;

use super::delivery::{Deliveries, Delivery};
use super::findings::words::{joined, quoted};
use super::language::document::Policy;
use super::language::rule::{Lines, Opening, Rule, RuleRef};
use super::language::selector::{Autogroup, Kind, Selector};
use super::question::Flow;
use super::resolve::{Names, Resolved};
use super::tailnet::about::Named;
use super::tailnet::context::PolicyContext;
use super::tailnet::endpoint::Endpoint;
use super::tailnet::flow::{Ends, Judge, Traffic, shares_user};
use super::tailnet::identity::{Answer, Identity};
use super::tailnet::party::Side;
use super::tailnet::routes::Route;
use super::tailnet::way::Given;
use super::verdict::Error;

/// How many near misses are shown.
const NEAREST: usize = 10;

/// Why a rule that lets some of the source through is a miss.
const SOME_ADDRESSES: &str = "address: the rule covers only some addresses of the source";

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// What the rules say.
    pub verdict: Verdict,
    /// The rules that let it pass.
    pub because: Vec<RuleRef>,
    /// Rules that miss in one respect, the nearest first. Only for a flow that is not allowed.
    pub near_misses: Vec<NearMiss>,
    /// Names that neither text nor context define.
    pub unresolved: Vec<String>,
    /// Postures, one of which is all that the source lacks: with it the flow would pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub postures: Vec<String>,
    /// One for each device that may receive; never empty.
    pub delivered: Vec<Delivery>,
    /// Whether devices are known but none of them is the source's.
    pub source_has_no_device: bool,
    /// Which name may be meant in place of an unknown one, or of a login that neither text nor context names, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Whether a flow passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every address of the source may reach the destination.
    Allowed,
    /// Some address of the source may not.
    Denied,
    /// Text and context do not tell.
    Unknown,
}

impl From<Answer> for Verdict {
    fn from(answer: Answer) -> Verdict {
        match answer {
            Answer::Yes => Verdict::Allowed,
            Answer::No => Verdict::Denied,
            Answer::Unknown => Verdict::Unknown,
        }
    }
}

/// A rule that misses in one respect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NearMiss {
    /// The rule.
    pub rule: RuleRef,
    /// What it misses.
    pub why: String,
}

/// One question, with the ends that it is about.
struct Question<'a, 'p> {
    judge: &'a Judge<'p>,
    flow: &'a Flow,
    /// The sources with their destinations: one pair, or for `autogroup:self` one pair for each user.
    parts: Vec<(Ends<'a>, Ends<'a>)>,
    traffic: Traffic<'a>,
}

impl<'p> Policy<'p> {
    /// Explains a flow rule by rule: which rules let every address of the source reach the destination, or which nearly do.
    ///
    /// # Errors
    /// [`Error::Argument`] for a malformed name: an address that is not valid, a device that does not exist or whose name
    /// is not unique.
    #[inline(never)]
    pub fn explain(
        &'p self,
        flow: &Flow,
        context: &'p PolicyContext,
    ) -> Result<Explanation, Error> {
        let judge = Judge::new(self, context);
        judge.explain(flow)
    }
}

impl<'p> Judge<'p> {
    /// Like [`Policy::explain`], for many flows.
    ///
    /// # Errors
    /// The same.
    pub fn explain(&self, flow: &Flow) -> Result<Explanation, Error> {
        let names = Names::of(self.policy(), self.network.context);
        let (from, to) = (flow.from.resolve(&names)?, flow.to.resolve(&names)?);
        let attributes = flow.posture_attributes().map(hujson::parse).transpose()?;
        let protocols = [flow.protocol];
        let traffic = Traffic {
            protocols: &protocols,
            port: flow.port,
            given: Given {
                attributes: attributes.as_ref().map(hujson::Document::root),
                postures: &[],
                device: None,
            },
            as_a_whole: false,
        };
        let mut unresolved = Vec::new();
        let sources = self.asked_ends(&from, &mut unresolved);
        let targets = match is_own(&to) {
            true => Vec::new(),
            false => self.asked_ends(&to, &mut unresolved),
        };
        let parts = match is_own(&to) {
            true => self.own_parts(sources.clone()),
            false => vec![(sources.clone(), targets)],
        };
        let reached: Vec<Endpoint<'_>> = parts.iter().flat_map(|(_, to)| to.clone()).collect();
        let deliveries = Deliveries::new(self, names.devices(), traffic);
        let mut explanation = Explanation {
            verdict: Verdict::Unknown,
            because: Vec::new(),
            near_misses: Vec::new(),
            unresolved,
            postures: Vec::new(),
            delivered: deliveries.of(&sources, &reached),
            source_has_no_device: self.network.context.devices.is_some()
                && sources.iter().all(|end| end.device.is_none()),
            hint: from.hint().or(to.hint()).map(str::to_owned),
        };
        if explanation.unresolved.is_empty() {
            let ready = |(from, to)| {
                let from = self.ends(Side::Source, from);
                (from, self.ends(Side::Destination, to))
            };
            let question = Question {
                judge: self,
                flow,
                parts: parts.into_iter().map(ready).collect(),
                traffic,
            };
            question.answer(&mut explanation);
        }
        Ok(explanation)
    }

    /// The ends behind a name of a question; if there are none, the name is added to the unresolved ones.
    fn asked_ends<'a>(&self, asked: &'a Resolved, unresolved: &mut Vec<String>) -> Vec<Endpoint<'a>>
    where
        'p: 'a,
    {
        let name = match asked {
            Resolved::Device(device) => return self.network.ends_of_device(*device),
            Resolved::Selector { name, .. } => {
                if let Some(ends) = self.network.ends(&name.selector()) {
                    return ends;
                }
                name
            }
            Resolved::Unresolved { name, .. } => name,
        };
        unresolved.push(name.text.clone());
        Vec::new()
    }

    /// For `autogroup:self`: the sources of each user with the devices of that user.
    fn own_parts<'a>(
        &self,
        sources: Vec<Endpoint<'a>>,
    ) -> Vec<(Vec<Endpoint<'a>>, Vec<Endpoint<'a>>)>
    where
        'p: 'a,
    {
        let mut parts: Vec<(Vec<Endpoint<'_>>, Vec<Endpoint<'_>>)> = Vec::new();
        for end in sources {
            match parts.last_mut() {
                Some((own, _)) if own.last().is_some_and(|last| last.identity == end.identity) => {
                    own.push(end);
                }
                _ => {
                    let to = self.own_ends(&end);
                    parts.push((vec![end], to));
                }
            }
        }
        parts
    }

    /// The devices that share a user with an end.
    pub(super) fn own_ends<'a>(&self, end: &Endpoint<'a>) -> Vec<Endpoint<'a>>
    where
        'p: 'a,
    {
        match end.identity {
            Identity::User(login) => {
                let devices = self.network.of_user(login);
                match devices.is_empty() {
                    true => vec![Endpoint::supposed(end.identity)],
                    false => self.network.ends_of_devices(devices),
                }
            }
            Identity::Some(..) => vec![Endpoint::supposed(Identity::OWN)],
            _ => Vec::new(),
        }
    }
}

fn is_own(asked: &Resolved) -> bool {
    let own = Kind::Autogroup(Autogroup::Own);
    matches!(asked, Resolved::Selector { name, .. } if name.selector().kind == own)
}

impl<'p> Question<'_, 'p> {
    fn answer(&self, explanation: &mut Explanation) {
        let mut answer: Option<Answer> = None;
        let mut passing = vec![Answer::No; self.judge.about.rules.len()];
        for (from, to) in &self.parts {
            let part = self.judge.reaches(from, to, self.traffic);
            answer = Some(answer.map_or(part, |answer| answer.min(part)));
            for (id, passes) in self.judge.passing(from, to, self.traffic) {
                if let Some(best) = passing.get_mut(id.0) {
                    *best = passes.max(*best);
                }
            }
        }
        let answer = answer.unwrap_or(Answer::No);
        explanation.verdict = answer.into();
        let mut lines = Lines::new(self.judge.policy().document.text());
        let mut misses = Vec::new();
        for (rule, passes) in self.judge.about.rules.iter().zip(passing) {
            match passes {
                Answer::Yes if answer == Answer::Yes => {
                    let line = lines.line_of(rule.span.start);
                    explanation.because.push(rule.reference(line));
                }
                Answer::Yes => misses.push((0, rule, SOME_ADDRESSES.to_owned())),
                Answer::Unknown if answer == Answer::Unknown => {
                    self.note_open(rule, &mut explanation.unresolved);
                }
                Answer::No if answer != Answer::Yes => misses.extend(self.miss(rule)),
                Answer::Unknown | Answer::No => {}
            }
        }
        if answer == Answer::No {
            explanation.postures = self.postures_that_help();
        }
        sort::sort_by(&mut misses, |(a, _, _), (b, _, _)| a.cmp(b));
        misses.truncate(NEAREST);
        for (_, rule, why) in misses {
            let rule = rule.reference(lines.line_of(rule.span.start));
            explanation.near_misses.push(NearMiss { rule, why });
        }
    }

    /// The postures, each of which alone would let the flow pass.
    fn postures_that_help(&self) -> Vec<String> {
        let judge = self.judge;
        let (mut names, mut seen) = (Vec::new(), Index::default());
        for rule in &judge.about.rules {
            for posture in rule.postures {
                if seen.set(posture.name().into(), 0) {
                    names.push(posture.name());
                }
            }
        }
        names.retain(|name| {
            let traffic = Traffic {
                given: Given {
                    postures: &[name],
                    ..self.traffic.given
                },
                ..self.traffic
            };
            let mut parts = self.parts.iter();
            parts.all(|(from, to)| judge.reaches(from, to, traffic) == Answer::Yes)
        });
        names.into_iter().map(str::to_owned).collect()
    }

    /// Notes the selectors of a rule that text and context leave undecided.
    fn note_open(&self, rule: &Rule<'p>, unresolved: &mut Vec<String>) {
        for source in rule.sources {
            note(source, self.source(source), unresolved);
        }
        for to in rule.destinations() {
            note(to, self.target(to), unresolved);
        }
        if self.posture(rule) == Answer::Unknown {
            for posture in rule.postures {
                note_name(posture.name(), unresolved);
            }
        }
    }

    /// Whether one of our sources has the posture that a rule needs.
    fn posture(&self, rule: &Rule<'p>) -> Answer {
        let given = |device| Given {
            device,
            ..self.traffic.given
        };
        let sources = self.parts.iter().flat_map(|(from, _)| &from.list);
        let answers = sources.map(|end| given(end.device).fits(&self.judge.network, rule));
        answers.max().unwrap_or_default()
    }

    /// Whether a source of a rule includes one of ours.
    fn source(&self, selector: &Selector<'_>) -> Answer {
        let best = |(from, _): &(Ends<'_>, _)| best(&self.judge.about.sources, from, selector);
        self.parts.iter().map(best).max().unwrap_or_default()
    }

    /// Whether a destination of a rule includes one of ours.
    fn target(&self, selector: &Selector<'_>) -> Answer {
        let own = selector.kind == Kind::Autogroup(Autogroup::Own);
        let best = |(from, to): &(Ends<'_>, Ends<'_>)| {
            let best = best(&self.judge.about.destinations, to, selector);
            match own {
                true => best.min(shares_user(from, to)),
                false => best,
            }
        };
        self.parts.iter().map(best).max().unwrap_or_default()
    }

    /// What a rule misses, if it is a single thing; and how nearly.
    fn miss<'r>(&self, rule: &'r Rule<'p>) -> Option<(u8, &'r Rule<'p>, String)> {
        let mut open = Vec::new();
        for opening in rule.openings() {
            if self.target(opening.to) != Answer::No {
                open.push(opening);
            }
        }
        if open.is_empty() {
            return None;
        }
        let traffic = self.traffic;
        let passes = |opening: &Opening<'_>| traffic.passes(opening.protocol, opening.ports);
        let mut sources = rule.sources.iter();
        let source = sources.any(|source| self.source(source) != Answer::No);
        let posture = self.posture(rule) != Answer::No;
        match (source, open.iter().any(passes), posture) {
            (true, true, false) => Some((0, rule, posture_missing(rule))),
            (true, true, true) if !rule.via.is_empty() => {
                Some((1, rule, self.way_missing(rule, &open)))
            }
            (true, false, true) => {
                let (distance, why) = self.traffic_missing(&open);
                Some((distance, rule, why))
            }
            (false, true, true) => Some((3, rule, self.source_missing(rule))),
            _ => None,
        }
    }

    /// What a rule with `via` misses that is about both ends.
    fn way_missing(&self, rule: &Rule<'_>, open: &[Opening<'_>]) -> String {
        let network = &self.judge.network;
        let tagged = network.all_devices_of(rule.via);
        let is_tagged = |route: &&Route| route.routers.iter().any(|at| tagged.contains(at));
        let leads = |end: &Endpoint<'_>| {
            let to = end.address();
            to.is_none_or(|to| network.routes.leading_to(to).iter().any(is_tagged))
        };
        let has_way = |opening: &Opening<'_>| !network.via(rule.via, opening.to).is_empty();
        let mut ends = self.parts.iter().flat_map(|(_, to)| &to.list);
        let tags = listed(rule.via.iter().map(Selector::name), " or ");
        match open.iter().any(has_way) && ends.any(leads) {
            true => joined(&["way: the packets go through no device with ", &tags]),
            false => {
                let end = " has an approved route to the destination";
                joined(&["way: no device with ", &tags, end])
            }
        }
    }

    fn traffic_missing(&self, open: &[Opening<'_>]) -> (u8, String) {
        let port = self.flow.port;
        if let Some(opening) = open.iter().find(|opening| opening.ports.contains(port)) {
            let own = match opening.protocol {
                Some(own) => own.to_string(),
                // `Protocol::DEFAULT` in short.
                None => "tcp, udp and icmp".to_owned(),
            };
            let asked = self.flow.protocol.to_string();
            let why = joined(&["wrong protocol: the rule is for ", &own, ", not ", &asked]);
            return (2, why);
        }
        let mut ports = String::new();
        for opening in open {
            append(&mut ports, ",", &opening.ports.to_string());
        }
        let port = port.to_string();
        (
            1,
            joined(&["wrong port: the rule opens ", &ports, ", not ", &port]),
        )
    }

    fn source_missing(&self, rule: &Rule<'_>) -> String {
        let name = self.flow.from.name();
        let sources = listed(rule.sources.iter().map(Selector::name), ", ");
        let verb = match rule.sources {
            [only] if only.kind == Kind::Group => " is not in ",
            _ => " is none of ",
        };
        joined(&["source ", &quoted(&name), verb, &sources])
    }
}

/// The best answer of a selector of the document for some ends.
fn best(named: &Named<'_>, ends: &Ends<'_>, selector: &Selector<'_>) -> Answer {
    let place = named.place(selector.name());
    place.map_or(Answer::No, |place| ends.best(place))
}

/// Items one after the other.
fn listed<'i>(items: impl Iterator<Item = &'i str>, between: &str) -> String {
    let mut list = String::new();
    for item in items {
        append(&mut list, between, item);
    }
    list
}

/// One more item of a list in words.
fn append(list: &mut String, between: &str, item: &str) {
    if !list.is_empty() {
        list.push_str(between);
    }
    list.push_str(item);
}

fn posture_missing(rule: &Rule<'_>) -> String {
    let names = listed(rule.postures.iter().map(|word| word.name()), " or ");
    joined(&["posture: the source must have ", &names])
}

/// Adds the name of an undecided selector, once.
fn note(selector: &Selector<'_>, answer: Answer, unresolved: &mut Vec<String>) {
    if answer == Answer::Unknown {
        note_name(selector.name(), unresolved);
    }
}

fn note_name(name: &str, unresolved: &mut Vec<String>) {
    if !unresolved.iter().any(|known| known == name) {
        unresolved.push(name.to_owned());
    }
}
