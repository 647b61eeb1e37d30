//! What the service refuses, section by section and in its order; and what it takes though it is hardly meant.
//! Must not live here: reading (`lower`), running tests.
//!
//! The service names one problem, the first it meets. The order kept here: what its decoder cannot read, in the
//! order of the text; then the definitions (hosts, groups, tags, ipsets, postures), acls, grants, ssh, approvers,
//! node attributes, the shape of ssh tests; the tests themselves run last of all.

mod acls;
mod advice;
mod attrs;
mod cover;
mod definitions;
mod grants;
mod names;
mod ssh;
mod warnings;

pub use warnings::NOT_SYNCED;

use crate::policy::findings::finding::Finding;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::Memo;
use crate::policy::tailnet::topology::Topology;

/// Collects problems about one policy.
struct Checker<'p> {
    policy: &'p Policy<'p>,
    topology: &'p Topology,
    found: Vec<Finding>,
    /// As what a selector may stand in rules, once it did.
    fine: Memo,
}

impl Policy<'_> {
    /// Everything for which the service would refuse the document, tests aside; the first is what it would say.
    #[inline(never)]
    pub fn problems(&self, topology: &Topology) -> Vec<Finding> {
        let mut checker = Checker {
            policy: self,
            topology,
            found: self.faults.clone(),
            fine: Memo::default(),
        };
        checker.definitions();
        checker.acls();
        checker.grants();
        checker.ssh_rules();
        checker.auto_approvers();
        checker.node_attrs();
        checker.ssh_tests();
        checker.found
    }
}
