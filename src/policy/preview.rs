//! Which rules concern one user, or one address and port (policy-language.md 10).
//! Must not live here: whether traffic passes, ssh.

use std::borrow::Cow;

use crate::order;
use serde::Serialize;

use crate::cidr::Address;

use super::document::{Grant, Policy};
use super::identity::Answer;
use super::reference::{Lines, Rule, RuleRef};
use super::select::{AddressTarget, UserSource};
use super::selector::{Destination, Kind};
use super::topology::Topology;

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// Rules with this user among their sources.
    User(String),
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
            Query::User(text) | Query::IpPort { text, .. } => text,
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
}

impl<'p> Policy<'p> {
    /// The rules that concern a user or an address and port, and those of which nobody can tell from what is known.
    pub fn preview(&'p self, query: &'p Query, topology: &'p Topology) -> Preview<'p> {
        let mut rules: Vec<Rule<'p>> = self.rules().collect();
        order::sort_by(&mut rules, |a, b| a.span().start.cmp(&b.span().start));
        let mut lines = Lines::new(self.document.text());
        let mut preview = Preview {
            user: query.text().into(),
            matches: Vec::new(),
            unknown: Vec::new(),
        };
        let answer = self.asker(query, topology);
        for rule in rules {
            match answer(rule) {
                Answer::Yes => {
                    let line = lines.line_of(rule.span().start);
                    preview.matches.push(rule.matched(line));
                }
                Answer::Unknown => {
                    let line = lines.line_of(rule.span().start);
                    preview.unknown.push(rule.reference(line));
                }
                Answer::No => {}
            }
        }
        preview
    }

    /// The question, made ready to be put to each rule.
    fn asker(
        &'p self,
        query: &'p Query,
        topology: &'p Topology,
    ) -> Box<dyn Fn(Rule<'p>) -> Answer + 'p> {
        match query {
            Query::User(login) => {
                let user = UserSource::new(self, topology, login);
                Box::new(move |rule| {
                    Answer::any(rule.sources().iter().map(|s| user.selected_by(s)))
                })
            }
            Query::IpPort { address, port, .. } => {
                let target = AddressTarget::new(self, topology, *address);
                Box::new(move |rule| rule.reaches(&target, *port))
            }
        }
    }
}

impl<'p> Rule<'p> {
    fn reaches(self, target: &AddressTarget<'_>, port: u16) -> Answer {
        match self {
            Rule::Acl(_, rule) => {
                let with_port = |to: &&Destination<'_>| {
                    to.ports.as_ref().is_ok_and(|ports| ports.contains(port))
                };
                let to = rule.destinations.iter().filter(with_port);
                Answer::any(to.map(|to| target.selected_by(&to.host)))
            }
            Rule::Grant(_, grant) => {
                let mut specs = grant.ip.iter().filter_map(|entry| entry.spec.as_ref().ok());
                if !specs.any(|spec| spec.ports.contains(port)) {
                    return Answer::No;
                }
                let to = grant.destinations.iter();
                Answer::any(to.map(|to| target.selected_by(to)))
            }
        }
    }

    fn matched(self, line_number: usize) -> Match<'p> {
        let users = self.sources().iter().map(|s| s.text().into()).collect();
        let ports = match self {
            Rule::Acl(_, rule) => rule.destinations.iter().map(|d| d.text().into()).collect(),
            Rule::Grant(_, grant) => grant_ports(grant),
        };
        Match {
            users,
            ports,
            line_number: Some(line_number),
        }
    }
}

/// `dst:port`, or `dst:proto:port` where it is not TCP and UDP. A grant of capabilities alone opens no port.
fn grant_ports<'p>(grant: &'p Grant<'p>) -> Vec<Cow<'p, str>> {
    let mut ports = Vec::with_capacity(grant.destinations.len() * grant.ip.len());
    for to in &grant.destinations {
        for entry in &grant.ip {
            let name = to.name();
            let written = entry.word.name();
            let entry = written.strip_prefix("*:").unwrap_or(written);
            ports.push(match to.kind {
                Kind::Address if name.contains(':') => format!("[{name}]:{entry}").into(),
                _ => format!("{name}:{entry}").into(),
            });
        }
    }
    ports
}
