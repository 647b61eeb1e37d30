//! Rules by the users, groups and tags among their sources: which of many may be about a machine at all.
//! Must not live here: whether they are.

use crate::tables::sort;

use super::flow::Endpoint;
use super::identity::Identity;
use crate::policy::language::document::Policy;
use crate::policy::language::rule::Rule;
use crate::policy::language::selector::Kind;
use crate::tables::index::Lists;

/// The rules of both sections.
pub(crate) struct BySource<'p> {
    policy: &'p Policy<'p>,
    rules: Vec<Rule<'p>>,
    /// Rules that name a user, group or tag.
    named: Lists<'p>,
    /// Rules with any other source.
    wide: Vec<usize>,
    /// The groups of each user, as places in the table of groups.
    groups: Lists<'p>,
}

impl<'p> BySource<'p> {
    /// Sorts the rules of a policy.
    pub fn new(policy: &'p Policy<'p>) -> BySource<'p> {
        let mut index = BySource {
            policy,
            rules: policy.rules(),
            named: Lists::default(),
            wide: Vec::new(),
            groups: Lists::default(),
        };
        for (at, rule) in index.rules.iter().enumerate() {
            for source in rule.sources {
                match source.kind {
                    Kind::User | Kind::Group | Kind::Tag => index.named.add(source.name(), at),
                    _ if index.wide.last() == Some(&at) => {}
                    _ => index.wide.push(at),
                }
            }
        }
        for (at, (_, members)) in policy.groups.iter().enumerate() {
            for member in members {
                index.groups.add(member.name(), at);
            }
        }
        index
    }

    /// The rules that may be about one of these machines, in the order of the document; no other rule is.
    pub fn about(&self, sources: &[Endpoint<'_>]) -> Vec<Rule<'p>> {
        if sources.iter().any(|end| end.identity == Identity::Unknown) {
            return self.rules.clone();
        }
        let mut places: Vec<usize> = self.wide.clone();
        let mut last = None;
        for end in sources {
            // The addresses of one machine stand together.
            if last != Some(end.identity) {
                self.add_named(end.identity, &mut places);
                last = Some(end.identity);
            }
        }
        sort::sort(&mut places);
        places.dedup();
        let mut rules = Vec::with_capacity(places.len());
        for at in places {
            rules.extend(self.rules.get(at));
        }
        rules
    }

    fn add_named(&self, identity: Identity<'_>, places: &mut Vec<usize>) {
        match identity {
            Identity::User(login) => {
                places.extend_from_slice(self.named.get(login));
                for &group in self.groups.get(login) {
                    if let Some(name) = self.policy.groups.name(group) {
                        places.extend_from_slice(self.named.get(name));
                    }
                }
            }
            Identity::Tag(tag) => places.extend_from_slice(self.named.get(tag)),
            Identity::Tags(tags) => {
                for tag in tags {
                    places.extend_from_slice(self.named.get(tag.trim()));
                }
            }
            Identity::Service(_) | Identity::Nobody | Identity::Unknown => {}
        }
    }
}
