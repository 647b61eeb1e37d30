//! The one form of a rule: who, and what is open where. Every verb uses this and not the sections of the document, so
//! that an acl and a grant that say the same are the same. Also references to rules, and their lines.
//! Must not live here: the meaning of a selector, what the service refuses.

use std::borrow::Cow;

use serde::Serialize;

use crate::hujson::Span;
use crate::policy::findings::words::joined;

use super::document::{AclRule, Capability, Grant, IpEntry, Policy, Word};
use super::ports::{Ports, Protocol};
use super::selector::{Destination, Kind, Selector};

/// A section of rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Section {
    /// `acls`
    Acls,
    /// `grants`
    Grants,
    /// `ssh`
    Ssh,
}

/// Names one rule of a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct RuleRef {
    /// The list that contains it.
    pub section: Section,
    /// Its index in that list, from 0.
    pub index: usize,
    /// The line of its `{`, from 1.
    pub line: usize,
}

/// The index of a rule in [`Policy::rules`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RuleId(pub usize);

/// A rule of `acls` or `grants`, in one form.
#[derive(Clone, Copy, Debug)]
pub struct Rule<'p> {
    /// The list that contains it.
    pub section: Section,
    /// Its index in that list, from 0.
    pub index: usize,
    /// The whole rule in its text.
    pub span: Span,
    /// The sources.
    pub sources: &'p [Selector<'p>],
    /// The tags, one of which a router must have; empty if any will do.
    pub via: &'p [Selector<'p>],
    /// The postures, one of which the source must have, those of the document if the rule names none; empty if
    /// none is needed.
    pub postures: &'p [Word<'p>],
    /// Whether the rule itself names postures.
    pub names_postures: bool,
    /// The capabilities that it gives.
    pub app: &'p [Capability<'p>],
    opens: RuleOpens<'p>,
}

/// What a rule opens, in the form of its grammar. Only this file distinguishes the two.
#[derive(Clone, Copy, Debug)]
enum RuleOpens<'p> {
    /// Each destination has ports of its own; the protocol is the rule's. `None` if the service refuses the rule.
    Own(&'p [Destination<'p>], Option<Option<Protocol>>),
    /// Every entry of `ip` on every destination.
    Each(&'p [Selector<'p>], &'p [IpEntry<'p>]),
}

/// Ports of one protocol at one destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleOpening<'p> {
    /// The destination.
    pub to: &'p Selector<'p>,
    /// The protocol; `None` means [`Protocol::DEFAULT`].
    pub protocol: Option<Protocol>,
    /// The ports.
    pub ports: &'p Ports,
}

impl<'p> Policy<'p> {
    /// The rules of both sections, acls first. The index of each is its `RuleId`.
    pub fn rules(&'p self) -> impl Iterator<Item = Rule<'p>> {
        let acls = self.acl_rules().iter().enumerate();
        let acls = acls.map(|(index, rule)| Rule::of_acl(self, index, rule));
        let grants = self.grant_rules().iter().enumerate();
        acls.chain(grants.map(|(index, grant)| Rule::of_grant(self, index, grant)))
    }
}

impl<'p> Rule<'p> {
    #[inline(never)]
    fn of_acl(policy: &'p Policy<'p>, index: usize, rule: &'p AclRule<'p>) -> Rule<'p> {
        Rule {
            section: Section::Acls,
            index,
            span: rule.span,
            sources: &rule.sources,
            via: &[],
            postures: policy.postures_of(rule.postures.as_deref()),
            names_postures: rule.postures.is_some(),
            app: &[],
            opens: RuleOpens::Own(&rule.destinations, rule.named_protocol().ok()),
        }
    }

    #[inline(never)]
    fn of_grant(policy: &'p Policy<'p>, index: usize, grant: &'p Grant<'p>) -> Rule<'p> {
        Rule {
            section: Section::Grants,
            index,
            span: grant.span,
            sources: &grant.sources,
            via: &grant.via,
            postures: policy.postures_of(grant.postures.as_deref()),
            names_postures: grant.postures.is_some(),
            app: &grant.app,
            opens: RuleOpens::Each(&grant.destinations, &grant.ip),
        }
    }

    /// The destinations in the order of the text, whether or not anything is open there.
    pub fn destinations(&self) -> impl Iterator<Item = &'p Selector<'p>> {
        let (own, each) = match self.opens {
            RuleOpens::Own(own, _) => (own, &[][..]),
            RuleOpens::Each(each, _) => (&[][..], each),
        };
        own.iter().map(|to| &to.host).chain(each)
    }

    /// What it opens, in the order of the text. Empty if ports or protocol are malformed, or the service would
    /// refuse the action; a grant of capabilities only opens nothing.
    pub fn openings(&self) -> impl Iterator<Item = RuleOpening<'p>> + use<'p> {
        let opens = self.opens;
        let count = match opens {
            RuleOpens::Own(_, None) => 0,
            RuleOpens::Own(own, _) => own.len(),
            RuleOpens::Each(each, ip) => each.len() * ip.len(),
        };
        (0..count).filter_map(move |at| opens.at(at))
    }

    /// Its destinations with their ports as written; for a grant each destination with each entry of `ip`.
    pub fn ports_as_written(&self) -> Vec<Cow<'p, str>> {
        let (each, ip) = match self.opens {
            RuleOpens::Own(own, _) => return own.iter().map(|to| to.text().into()).collect(),
            RuleOpens::Each(each, ip) => (each, ip),
        };
        let mut ports = Vec::with_capacity(each.len() * ip.len());
        for to in each {
            for entry in ip {
                ports.push(with_ports(to, entry.word.name()).into());
            }
        }
        ports
    }

    /// The reference to it, once its line is known.
    pub fn reference(&self, line: usize) -> RuleRef {
        RuleRef {
            section: self.section,
            index: self.index,
            line,
        }
    }
}

impl<'p> RuleOpens<'p> {
    fn at(self, at: usize) -> Option<RuleOpening<'p>> {
        match self {
            RuleOpens::Own(own, protocol) => {
                let to = own.get(at)?;
                Some(RuleOpening {
                    to: &to.host,
                    protocol: protocol?,
                    ports: to.ports.as_ref().ok()?,
                })
            }
            RuleOpens::Each(each, ip) => {
                let spec = ip.get(at % ip.len())?.spec.as_ref().ok()?;
                Some(RuleOpening {
                    to: each.get(at / ip.len())?,
                    protocol: spec.protocol,
                    ports: &spec.ports,
                })
            }
        }
    }
}

/// `dst:port`, or `dst:proto:port` if it is not TCP and UDP (docs/policy-language.md#preview).
fn with_ports(to: &Selector<'_>, entry: &str) -> String {
    let (name, entry) = (to.name(), entry.strip_prefix("*:").unwrap_or(entry));
    match to.kind {
        Kind::Address if name.contains(':') => joined(&["[", name, "]:", entry]),
        _ => joined(&[name, ":", entry]),
    }
}

/// Counts lines for mostly ascending offsets: together at most one pass over the text.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Lines<'t> {
    /// Starts at the top.
    pub fn new(text: &'t str) -> Lines<'t> {
        Lines {
            text,
            at: 0,
            line: 1,
        }
    }

    /// The 1-based line of the byte at `offset`. An offset before the last one starts over.
    #[inline(never)]
    pub fn line_of(&mut self, offset: usize) -> usize {
        if offset < self.at {
            (self.at, self.line) = (0, 1);
        }
        let between = self.text.as_bytes().get(self.at..offset);
        self.line += memchr::memchr_iter(b'\n', between.unwrap_or_default()).count();
        self.at = offset;
        self.line
    }
}
