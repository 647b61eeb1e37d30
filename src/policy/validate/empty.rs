//! Groups and ipsets of a document that mean nothing, whatever the tailnet.
//! Must not live here: what is said of them (`nothing`).

use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Kind, Selector};
use crate::tables::index::Index;

/// Their names.
#[derive(Default)]
pub(super) struct Empty<'p>(Index<'p>);

impl<'p> Empty<'p> {
    pub fn of(policy: &'p Policy<'p>) -> Empty<'p> {
        let mut empty = Empty::default();
        let groups = policy.groups.iter();
        for (name, _) in groups.filter(|(_, members)| members.is_empty()) {
            empty.0.set(name.text.into(), 0);
        }
        // Only what is removed, or nothing at all, can leave one empty.
        let may_be = policy.ipsets.iter().any(|(_, operations)| {
            operations.is_empty() || operations.iter().any(|operation| operation.removes)
        });
        if may_be {
            let names: Vec<&str> = policy.ipsets.names().collect();
            let sets = policy.ipsets_of(&names);
            for name in names {
                if sets.get(name).is_some_and(|set| set.is_empty()) {
                    empty.0.set(name.into(), 0);
                }
            }
        }
        empty
    }

    pub fn has(&self, selector: &Selector<'_>) -> bool {
        matches!(selector.kind, Kind::Group | Kind::IpSet)
            && self.0.len() > 0
            && self.0.find(selector.name()).is_some()
    }
}
