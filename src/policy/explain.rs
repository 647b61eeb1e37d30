//! Why one flow is allowed or denied: the rules that let it pass, and those that nearly do.
//! Must not live here: the judgement of a rule (`flow`), ssh.

use crate::tables::sort;
use serde::Serialize;

use crate::hujson;

use super::check::Error;
use super::findings::words::{joined, quoted};
use super::language::document::Policy;
use super::language::ports::{PortSpec, Protocol};
use super::language::rule::{Lines, Rule, RuleRef};
use super::language::selector::{Kind, Selector};
use super::question::{Flow, Names, Resolved};
use super::tailnet::endpoint;
use super::tailnet::flow::{Endpoint, Judge, Traffic};
use super::tailnet::identity::{Answer, Identity};
use super::tailnet::topology::Topology;

/// How many near misses are worth reading.
const NEAREST: usize = 10;

/// Why a rule that lets some of the source through is a miss.
const SOME_ADDRESSES: &str = "address: the rule takes in only some addresses of the source";

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Whether the flow passes.
    pub verdict: Verdict,
    /// The rules that let it pass.
    pub because: Vec<RuleRef>,
    /// Rules that miss in one respect, the nearest first. Only for a flow that is not allowed.
    pub near_misses: Vec<NearMiss>,
    /// What neither text nor topology say.
    pub unresolved: Vec<String>,
    /// Which name may be meant instead of one that nothing is known of, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Whether a flow passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every address of the source may reach the destination.
    Allowed,
    /// Some address may not.
    Denied,
    /// Text and topology do not say.
    Unknown,
}

/// A rule that misses in one respect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NearMiss {
    /// The rule.
    pub rule: RuleRef,
    /// The respect.
    pub why: String,
}

/// One question, with the machines it is about.
struct Question<'a> {
    judge: Judge<'a>,
    flow: &'a Flow,
    /// The name of the source.
    from: &'a str,
    sources: Vec<Endpoint<'a>>,
    targets: Vec<Endpoint<'a>>,
    protocols: [Protocol; 1],
    attributes: Option<hujson::Value<'a>>,
}

impl Policy<'_> {
    /// Explains a flow by rule: which rules let every address of the source reach the destination, or which nearly do.
    ///
    /// # Errors
    /// [`Error::Argument`] for a name that makes no sense: an address that is none, a device that is not there or not the
    /// only one of its name.
    pub fn explain(&self, flow: &Flow, topology: &Topology) -> Result<Explanation, Error> {
        let names = Names::of(self, topology);
        let (from, to) = (flow.from.resolve(&names)?, flow.to.resolve(&names)?);
        let attributes = flow.posture_attributes().map(hujson::parse).transpose()?;
        let mut unresolved = Vec::new();
        let question = Question {
            judge: Judge::new(self, topology),
            flow,
            from: flow.from.text().trim(),
            sources: self.machines(&from, topology, &mut unresolved),
            targets: self.machines(&to, topology, &mut unresolved),
            protocols: [flow.protocol],
            attributes: attributes.as_ref().map(hujson::Document::root),
        };
        if !unresolved.is_empty() {
            return Ok(Explanation {
                verdict: Verdict::Unknown,
                because: Vec::new(),
                near_misses: Vec::new(),
                unresolved,
                hint: from.hint().or(to.hint()).map(str::to_owned),
            });
        }
        Ok(question.explain())
    }

    /// The machines behind one end. A user or tag without devices is asked about as if it had one.
    fn machines<'a>(
        &'a self,
        end: &'a Resolved,
        topology: &'a Topology,
        unresolved: &mut Vec<String>,
    ) -> Vec<Endpoint<'a>> {
        let selector = match end {
            Resolved::Selector(name) => name.selector(),
            Resolved::Unresolved { name, .. } => {
                unresolved.push(name.text.clone());
                return Vec::new();
            }
            Resolved::Device(place) => {
                let device = topology.devices.iter().flatten().nth(*place);
                return device.map(endpoint::of_device).unwrap_or_default();
            }
        };
        let machines = self.endpoints(&selector, topology).unwrap_or_else(|_| {
            unresolved.push(selector.name().to_owned());
            Vec::new()
        });
        let identity = match selector.kind {
            Kind::User => Identity::User(selector.name()),
            Kind::Tag => Identity::Tag(selector.name()),
            _ => return machines,
        };
        match machines.is_empty() {
            true => vec![Endpoint {
                address: None,
                identity,
            }],
            false => machines,
        }
    }
}

impl<'a> Question<'a> {
    fn traffic(&self) -> Traffic<'_> {
        Traffic {
            protocols: &self.protocols,
            port: self.flow.port,
        }
    }

    fn explain(&self) -> Explanation {
        let policy = self.judge.policy;
        let answer = self.judge.reaches(
            &self.sources,
            &self.targets,
            self.traffic(),
            self.attributes,
        );
        let mut lines = Lines::new(policy.document.text());
        let mut explanation = Explanation {
            verdict: match answer {
                Answer::Yes => Verdict::Allowed,
                Answer::No => Verdict::Denied,
                Answer::Unknown => Verdict::Unknown,
            },
            because: Vec::new(),
            near_misses: Vec::new(),
            unresolved: Vec::new(),
            hint: None,
        };
        let mut misses = Vec::new();
        for rule in policy.rules() {
            let passes = self.judge.passes(
                rule,
                &self.sources,
                &self.targets,
                self.traffic(),
                self.attributes,
            );
            match Answer::any(passes) {
                Answer::Yes if answer == Answer::Yes => {
                    let line = lines.line_of(rule.span.start);
                    explanation.because.push(rule.reference(line));
                }
                Answer::Yes => misses.push((0, rule, SOME_ADDRESSES.to_owned())),
                Answer::Unknown if answer == Answer::Unknown => {
                    self.open(rule, &mut explanation.unresolved);
                }
                Answer::Unknown => {}
                Answer::No if answer != Answer::Yes => misses.extend(self.miss(rule)),
                Answer::No => {}
            }
        }
        sort::sort_by(&mut misses, |(a, _, _), (b, _, _)| a.cmp(b));
        misses.truncate(NEAREST);
        for (_, rule, why) in misses {
            let rule = rule.reference(lines.line_of(rule.span.start));
            explanation.near_misses.push(NearMiss { rule, why });
        }
        explanation
    }

    /// The selectors of a rule that neither text nor topology settle.
    fn open(&self, rule: Rule<'_>, unresolved: &mut Vec<String>) {
        for source in rule.sources {
            note(source, self.source(source), unresolved);
        }
        for to in rule.destinations() {
            note(to, self.target(rule, to), unresolved);
        }
    }

    /// Whether a source of a rule takes in one of ours.
    fn source(&self, selector: &Selector<'_>) -> Answer {
        let mut best = Answer::No;
        for end in &self.sources {
            best = best.max(self.judge.source(selector, *end));
        }
        best
    }

    /// Whether a destination of a rule takes in one of ours, for one of our sources.
    fn target(&self, rule: Rule<'_>, selector: &Selector<'_>) -> Answer {
        let mut best = Answer::No;
        for from in &self.sources {
            for to in &self.targets {
                best = best.max(self.judge.target(rule, selector, *from, *to));
            }
        }
        best
    }

    /// In which respect a rule misses, if it is one alone; with how far that is.
    fn miss<'r>(&self, rule: Rule<'r>) -> Option<(u8, Rule<'r>, String)> {
        let policy = self.judge.policy;
        let mut sources = rule.sources.iter();
        let source = sources.any(|source| self.source(source) != Answer::No);
        let open = self.openings(rule);
        let traffic = open.iter().any(|spec| spec.opens(self.traffic()));
        let posture = policy.posture_holds(rule.postures, self.attributes);
        match (source, traffic, posture) {
            _ if open.is_empty() => None,
            (true, true, false) => Some((0, rule, posture_missing(rule))),
            (true, false, true) => {
                let (distance, why) = self.traffic_missing(&open);
                Some((distance, rule, why))
            }
            (false, true, true) => Some((3, rule, self.source_missing(rule))),
            _ => None,
        }
    }

    fn traffic_missing(&self, open: &[PortSpec]) -> (u8, String) {
        let port = self.flow.port;
        let by_port = open.iter().find(|spec| spec.ports.contains(port));
        if let Some(spec) = by_port {
            let own = match spec.protocol {
                Some(own) => own.to_string(),
                // `Protocol::DEFAULT` in short.
                None => "tcp, udp and icmp".to_owned(),
            };
            let asked = self.flow.protocol.to_string();
            let why = joined(&["wrong protocol: the rule is for ", &own, ", not ", &asked]);
            return (2, why);
        }
        let mut ports = String::new();
        for spec in open {
            append(&mut ports, ",", &spec.ports.to_string());
        }
        let port = port.to_string();
        (
            1,
            joined(&["wrong port: the rule opens ", &ports, ", not ", &port]),
        )
    }

    fn source_missing(&self, rule: Rule<'_>) -> String {
        let name = self.from;
        let mut sources = String::new();
        for source in rule.sources {
            append(&mut sources, ", ", source.name());
        }
        let verb = match rule.sources {
            [only] if only.kind == Kind::Group => " is not in ",
            _ => " is none of ",
        };
        joined(&["source ", &quoted(name), verb, &sources])
    }

    /// What a rule opens on those of its destinations that take in one of ours.
    fn openings(&self, rule: Rule<'_>) -> Vec<PortSpec> {
        let mut open = Vec::new();
        for opening in rule.openings() {
            if self.target(rule, opening.to) != Answer::No {
                open.push(PortSpec {
                    protocol: opening.protocol,
                    ports: opening.ports.clone(),
                });
            }
        }
        open
    }
}

/// One more item of a list in words.
fn append(list: &mut String, between: &str, item: &str) {
    if !list.is_empty() {
        list.push_str(between);
    }
    list.push_str(item);
}

fn posture_missing(rule: Rule<'_>) -> String {
    let mut names = String::new();
    for word in rule.postures {
        append(&mut names, " or ", word.name());
    }
    joined(&["posture: the source must have ", &names])
}

/// Adds the name of a selector that is not settled, once.
fn note(selector: &Selector<'_>, answer: Answer, unresolved: &mut Vec<String>) {
    let known = unresolved.iter().any(|name| name == selector.name());
    if answer == Answer::Unknown && !known {
        unresolved.push(selector.name().to_owned());
    }
}
