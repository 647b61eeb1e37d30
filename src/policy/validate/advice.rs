//! What the service takes although it is hardly meant: warnings.
//! Must not live here: refusals.

use super::super::document::Policy;
use super::super::issue::Finding;
use super::super::topology::Topology;

impl Policy<'_> {
    /// Everything worth saying that is no refusal.
    pub fn advice(&self, _topology: &Topology) -> Vec<Finding> {
        Vec::new()
    }
}
