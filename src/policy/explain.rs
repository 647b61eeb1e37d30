//! Why one flow is allowed or denied: the rules that let it pass, and those that nearly do.
//! Must not live here: the judgement of a rule (`flow`), ssh.

use crate::order;
use serde::Serialize;

use super::check::Error;
use super::document::{AclRule, Grant, Policy};
use super::flow::{Endpoint, Judge, Traffic};
use super::hint::quoted;
use super::identity::{Answer, Identity};
use super::ports::{PortSpec, Ports, Protocol};
use super::reference::{Lines, Rule, RuleRef};
use super::selector::{Destination, Kind, Selector};
use super::topology::Topology;

/// How many near misses are worth reading.
const NEAREST: usize = 10;

/// Why a rule that lets some of the source through is a miss.
const SOME_ADDRESSES: &str = "address: the rule takes in only some addresses of the source";

/// A flow somebody asks about.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Who sends.
    pub from: Selector<'static>,
    /// Where to, as a test has it: a host and one port.
    pub to: Destination<'static>,
    /// The protocol; TCP where none is named.
    pub protocol: Protocol,
    port: u16,
}

/// Who sends, as the public surface names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A login name.
    User(String),
    /// `group:name`; the prefix may be left out.
    Group(String),
    /// `tag:name`; the prefix may be left out.
    Tag(String),
    /// An alias of the hosts section.
    Host(String),
    /// An address.
    Ip(String),
}

impl Flow {
    /// Reads a flow.
    ///
    /// # Errors
    /// [`Error::Argument`] if an address is none, `to` has no single port, or the protocol is unknown.
    pub fn new(from: &Subject, to: &str, protocol: Option<&str>) -> Result<Flow, Error> {
        let argument =
            |text: &str, wanted: &str| Error::Argument(format!("`{text}` is not {wanted}"));
        let span = crate::hujson::Span { start: 0, end: 0 };
        let selector = |text: String, kind| {
            let mut selector = Selector::new(text.into(), span);
            selector.kind = kind;
            selector
        };
        let from = match from {
            Subject::User(login) => selector(login.clone(), Kind::User),
            Subject::Group(name) => selector(with_prefix("group:", name), Kind::Group),
            Subject::Tag(name) => selector(with_prefix("tag:", name), Kind::Tag),
            Subject::Host(alias) => selector(alias.clone(), Kind::Host),
            Subject::Ip(address) => match Kind::of(address.trim()) {
                Kind::Address => selector(address.clone(), Kind::Address),
                _ => return Err(argument(address, "an address")),
            },
        };
        let to = Destination::new(to.to_owned().into(), span);
        let Some(port) = to.single_port() else {
            return Err(argument(to.text(), "a host with one port"));
        };
        let protocol = match protocol {
            None => Protocol::TCP,
            Some(name) => Protocol::parse(name).map_err(|_| argument(name, "a protocol"))?,
        };
        Ok(Flow {
            from,
            to,
            protocol,
            port,
        })
    }
}

fn with_prefix(prefix: &str, name: &str) -> String {
    let name = name.trim();
    match name.starts_with(prefix) {
        true => name.to_owned(),
        false => format!("{prefix}{name}"),
    }
}

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
    sources: Vec<Endpoint<'a>>,
    targets: Vec<Endpoint<'a>>,
    protocols: [Protocol; 1],
}

impl Policy<'_> {
    /// Explains a flow by rule: which rules let every address of the source reach the destination, or which nearly do.
    pub fn explain(&self, flow: &Flow, topology: &Topology) -> Explanation {
        let mut unresolved = Vec::new();
        let sources = self.machines(&flow.from, topology, &mut unresolved);
        let targets = self.machines(&flow.to.host, topology, &mut unresolved);
        let question = Question {
            judge: Judge::new(self, topology),
            flow,
            sources,
            targets,
            protocols: [flow.protocol],
        };
        if !unresolved.is_empty() {
            return Explanation {
                verdict: Verdict::Unknown,
                because: Vec::new(),
                near_misses: Vec::new(),
                unresolved,
            };
        }
        question.explain()
    }

    /// The machines behind one end. A user or tag without devices is asked about as if it had one.
    fn machines<'a>(
        &'a self,
        selector: &'a Selector<'a>,
        topology: &'a Topology,
        unresolved: &mut Vec<String>,
    ) -> Vec<Endpoint<'a>> {
        let machines = self.endpoints(selector, topology).unwrap_or_else(|_| {
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
        let answer = self
            .judge
            .reaches(&self.sources, &self.targets, self.traffic(), None);
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
        };
        let mut misses = Vec::new();
        for rule in policy.rules() {
            let passes =
                self.judge
                    .passes(rule, &self.sources, &self.targets, self.traffic(), None);
            match Answer::any(passes) {
                Answer::Yes if answer == Answer::Yes => {
                    let line = lines.line_of(rule.span().start);
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
        order::sort_by(&mut misses, |(a, _, _), (b, _, _)| a.cmp(b));
        misses.truncate(NEAREST);
        let near = misses.into_iter().map(|(_, rule, why)| NearMiss {
            rule: rule.reference(lines.line_of(rule.span().start)),
            why,
        });
        explanation.near_misses = near.collect();
        explanation
    }

    /// The selectors of a rule that neither text nor topology settle.
    fn open(&self, rule: Rule<'_>, unresolved: &mut Vec<String>) {
        let mut note = |selector: &Selector<'_>, answer: Answer| {
            let known = unresolved.iter().any(|name| name == selector.name());
            if answer == Answer::Unknown && !known {
                unresolved.push(selector.name().to_owned());
            }
        };
        for source in rule.sources() {
            let ends = self.sources.iter();
            note(
                source,
                Answer::any(ends.map(|end| self.judge.source(source, *end))),
            );
        }
        for to in targets(rule) {
            note(to, self.target(rule, to));
        }
    }

    /// Whether a destination of a rule takes in one of ours, for one of our sources.
    fn target(&self, rule: Rule<'_>, selector: &Selector<'_>) -> Answer {
        let from = |from: &Endpoint<'_>| {
            let to = |to: &Endpoint<'_>| self.judge.target(rule, selector, *from, *to);
            Answer::any(self.targets.iter().map(to))
        };
        Answer::any(self.sources.iter().map(from))
    }

    /// In which respect a rule misses, if it is one alone; with how far that is.
    fn miss<'r>(&self, rule: Rule<'r>) -> Option<(u8, Rule<'r>, String)> {
        let policy = self.judge.policy;
        let is_source = |end: &Endpoint<'_>| {
            let sources = rule.sources().iter();
            Answer::any(sources.map(|source| self.judge.source(source, *end)))
        };
        let source = Answer::any(self.sources.iter().map(is_source)) != Answer::No;
        let reached = |to: &Selector<'_>| self.target(rule, to) != Answer::No;
        let open = openings(rule, reached);
        let traffic = open.iter().any(|spec| spec.opens(self.traffic()));
        let posture = policy.posture_holds(rule.postures(), None);
        match (source, traffic, posture) {
            _ if open.is_empty() => None,
            (true, true, false) => Some((0, rule, posture_missing(policy, rule))),
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
        if let Some(PortSpec {
            protocol: Some(own),
            ..
        }) = by_port
        {
            let asked = self.flow.protocol;
            return (
                2,
                format!("wrong protocol: the rule is for {own}, not {asked}"),
            );
        }
        let ports: Vec<String> = open.iter().map(|spec| spec.ports.to_string()).collect();
        let ports = ports.join(",");
        (1, format!("wrong port: the rule opens {ports}, not {port}"))
    }

    fn source_missing(&self, rule: Rule<'_>) -> String {
        let name = self.flow.from.name();
        let sources: Vec<&str> = rule.sources().iter().map(Selector::name).collect();
        match (&sources[..], rule.sources().first().map(|s| s.kind)) {
            ([group], Some(Kind::Group)) => format!("source {} is not in {group}", quoted(name)),
            _ => format!("source {} is none of {}", quoted(name), sources.join(", ")),
        }
    }
}

fn posture_missing(policy: &Policy<'_>, rule: Rule<'_>) -> String {
    let wanted = rule.postures().unwrap_or(&policy.default_src_posture);
    let names: Vec<&str> = wanted.iter().map(|word| word.name()).collect();
    format!("posture: the source must have {}", names.join(" or "))
}

fn targets<'p>(rule: Rule<'p>) -> Vec<&'p Selector<'p>> {
    match rule {
        Rule::Acl(_, AclRule { destinations, .. }) => {
            destinations.iter().map(|d| &d.host).collect()
        }
        Rule::Grant(_, Grant { destinations, .. }) => destinations.iter().collect(),
    }
}

/// What a rule opens on those of its destinations that are wanted.
fn openings(rule: Rule<'_>, wanted: impl Fn(&Selector<'_>) -> bool) -> Vec<PortSpec> {
    match rule {
        Rule::Acl(_, rule) => {
            let protocol = rule.protocol.as_ref();
            let protocol = protocol.and_then(|p| p.protocol.as_ref().ok()).copied();
            let reached = rule.destinations.iter().filter(|to| wanted(&to.host));
            let ports = reached.filter_map(|to| to.ports.as_ref().ok());
            let spec = |ports: &Ports| PortSpec {
                protocol,
                ports: ports.clone(),
            };
            ports.map(spec).collect()
        }
        Rule::Grant(_, grant) if grant.destinations.iter().any(wanted) => {
            let specs = grant.ip.iter().filter_map(|entry| entry.spec.as_ref().ok());
            specs.cloned().collect()
        }
        Rule::Grant(..) => Vec::new(),
    }
}
