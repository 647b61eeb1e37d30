//! Whether a device on the path to an address receives what a rule opens there.
//! Must not live here: who receives at all (next_hop.rs), ports, sources.

use crate::cidr::Address;

use super::context::DeviceIndex;
use super::flow::Judge;
use super::next_hop::NextHop;
use super::receivers::Targets;
use crate::policy::language::rule::{Rule, RuleOpening};

impl<'p> Judge<'p> {
    /// Whether a device on the path to an address receives it through an opening, as in its packet filter.
    pub fn admits(
        &self,
        (rule, opening): (&Rule<'p>, &RuleOpening<'p>),
        (next_hop, address): (&NextHop, Address),
        device: DeviceIndex,
    ) -> bool {
        // A router receives every set that holds an address behind it.
        let is_router = matches!(
            next_hop,
            NextHop::Owner(_) | NextHop::Routers(..) | NextHop::PerhapsRouters(..)
        );
        if rule.via.is_empty() && is_router {
            return true;
        }
        let receivers = match rule.via {
            [] => match self.network.targets(opening.to) {
                Targets::Everyone(_) => return true,
                Targets::Some(receivers) => receivers,
            },
            tags => self.network.via(tags, opening.to),
        };
        let mut receivers = receivers.iter();
        receivers.any(|(own, net)| *own == device && net.contains(address))
    }
}
