//! What a policy lets somebody do besides reaching: put tags on devices, approve routes, exit nodes and services, use attributes
//! and capabilities, record ssh sessions.
//! Must not live here: how the text is read (statements.rs), the form of an entry (power.rs), whom a selector includes (holders.rs), what changed (difference.rs).

mod difference;
mod extent;
mod holders;
mod movers;
#[cfg(feature = "bindings")]
mod packed;
mod power;
mod recorded;
mod rest;
mod rows;
mod statements;
mod tags;
mod today;
mod users;

use super::language::document::Policy;
use super::tailnet::context::PolicyContext;
use super::tailnet::network::Network;

pub(super) use difference::diff_powers_between;
pub use difference::{PowerChange, diff_powers};
#[cfg(feature = "bindings")]
pub use packed::{packed_power_changes, packed_powers};
pub use power::{Power, PowerKind};

impl Policy<'_> {
    /// What somebody may do besides reaching, one entry for each party that the text names: users, tags and other selectors.
    /// A `tagOwners` entry with an empty list has no entry: admins may take every tag, whoever owns it.
    #[inline(never)]
    pub fn powers(&self, context: &PolicyContext) -> Vec<Power> {
        let network = Network::new(self, context);
        let mut powers = Vec::new();
        let named = recorded::named_accounts(&[self]);
        for statement in statements::of(&network, &named) {
            rows::add_all(&network, &statement, &mut powers);
        }
        let mut powers = power::distinct(powers);
        tags::add_reach(self, context, &mut powers);
        powers
    }
}
