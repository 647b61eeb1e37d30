//! References to rules, and the lines they stand on.
//! Must not live here: what the rules mean.

use serde::Serialize;

use crate::hujson::Span;

use super::document::{AclRule, Grant, Policy, Word};
use super::selector::Selector;

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
pub struct RuleRef {
    /// The list it stands in.
    pub section: Section,
    /// Its place in that list, from 0.
    pub index: usize,
    /// The line of its `{`, from 1.
    pub line: usize,
}

/// A rule of `acls` or `grants`, with its place in the list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule<'p> {
    Acl(usize, &'p AclRule<'p>),
    Grant(usize, &'p Grant<'p>),
}

impl<'p> Policy<'p> {
    /// The rules of both sections, acls first.
    #[inline(never)]
    pub(crate) fn rules(&'p self) -> Vec<Rule<'p>> {
        let (acls, grants) = (self.acl_rules(), self.grant_rules());
        let mut rules = Vec::with_capacity(acls.len() + grants.len());
        for (index, rule) in acls.iter().enumerate() {
            rules.push(Rule::Acl(index, rule));
        }
        for (index, grant) in grants.iter().enumerate() {
            rules.push(Rule::Grant(index, grant));
        }
        rules
    }
}

impl<'p> Rule<'p> {
    pub fn span(self) -> Span {
        match self {
            Rule::Acl(_, rule) => rule.span,
            Rule::Grant(_, grant) => grant.span,
        }
    }

    pub fn sources(self) -> &'p [Selector<'p>] {
        match self {
            Rule::Acl(_, rule) => &rule.sources,
            Rule::Grant(_, grant) => &grant.sources,
        }
    }

    pub fn postures(self) -> Option<&'p [Word<'p>]> {
        match self {
            Rule::Acl(_, rule) => rule.postures.as_deref(),
            Rule::Grant(_, grant) => grant.postures.as_deref(),
        }
    }

    /// The reference to it, once its line is known.
    pub fn reference(self, line: usize) -> RuleRef {
        let (section, index) = match self {
            Rule::Acl(index, _) => (Section::Acls, index),
            Rule::Grant(index, _) => (Section::Grants, index),
        };
        RuleRef {
            section,
            index,
            line,
        }
    }
}

/// Counts lines for offsets that mostly ascend: together at most one pass over the text.
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

    /// The line, from 1, of the byte at `offset`. One that lies before the last asked starts over.
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
