//! Rules by the users, groups and tags among their sources: which of many may be about a machine at all.
//! Must not live here: whether they are.

use crate::order;
use rustc_hash::{FxHashMap, FxHashSet};

use super::document::Policy;
use super::flow::Endpoint;
use super::identity::Identity;
use super::reference::Rule;
use super::selector::Kind;

/// The rules of both sections.
pub(super) struct BySource<'p> {
    rules: Vec<Rule<'p>>,
    /// Rules that name a user, group or tag.
    named: FxHashMap<&'p str, Vec<usize>>,
    /// Rules with any other source.
    wide: Vec<usize>,
    /// The groups of each user.
    groups: FxHashMap<&'p str, Vec<&'p str>>,
}

impl<'p> BySource<'p> {
    /// Sorts the rules of a policy.
    pub fn new(policy: &'p Policy<'p>) -> BySource<'p> {
        let mut index = BySource {
            rules: policy.rules().collect(),
            named: FxHashMap::default(),
            wide: Vec::new(),
            groups: FxHashMap::default(),
        };
        for (at, rule) in index.rules.iter().enumerate() {
            for source in rule.sources() {
                let list = match source.kind {
                    Kind::User | Kind::Group | Kind::Tag => {
                        index.named.entry(source.name()).or_default()
                    }
                    _ => &mut index.wide,
                };
                if list.last() != Some(&at) {
                    list.push(at);
                }
            }
        }
        for (name, members) in policy.groups.iter() {
            for member in members {
                let groups = index.groups.entry(member.name()).or_default();
                groups.push(name.name());
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
        let mut seen = FxHashSet::default();
        for end in sources {
            if seen.insert(end.identity) {
                self.name_places(end.identity, &mut places);
            }
        }
        order::sort(&mut places);
        places.dedup();
        let rules = places.into_iter().filter_map(|at| self.rules.get(at));
        rules.copied().collect()
    }

    fn name_places(&self, identity: Identity<'_>, places: &mut Vec<usize>) {
        let mut add = |name: &str| places.extend(self.named.get(name).into_iter().flatten());
        match identity {
            Identity::User(login) => {
                add(login);
                let groups = self.groups.get(login).into_iter().flatten();
                groups.for_each(|group| add(group));
            }
            Identity::Tag(tag) => add(tag),
            Identity::Tags(tags) => tags.iter().for_each(|tag| add(tag.trim())),
            Identity::Service(_) | Identity::Nobody | Identity::Unknown => {}
        }
    }
}
