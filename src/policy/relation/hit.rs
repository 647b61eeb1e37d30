//! What one row opens for a class of sources at a class of destinations.
//! Must not live here: how it is found (reach.rs), what several add up to (cell.rs, region.rs).

use super::condition::{Conditions, Fact};
use super::ids::{ClassId, SetId, TermId};
use crate::policy::language::selector::Selector;
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::next_hop::NextHop;

/// What one row opens for a class of sources at a class of destinations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hit {
    /// The destination.
    pub to: ClassId,
    /// The device that forwards it, where one must; none where the destination itself receives.
    pub through: Option<DeviceIndex>,
    /// What must hold.
    pub term: TermId,
    /// What is open.
    pub set: SetId,
    /// Whether it is open because both are devices of one user.
    pub is_own: bool,
    /// Whether nobody receives it today, though devices are known.
    pub is_vacant: bool,
    /// The rule, by its index; none if a document without rules allows everything.
    pub rule: Option<usize>,
    /// The destination by which the rule includes it, by its index among the distinct ones.
    pub by: usize,
    /// How many devices may forward, all of which must let it pass.
    pub among: usize,
    /// On what it depends whether this one may, where that is not decided.
    pub way: Option<TermId>,
}

impl Hit {
    /// What is open at a class, by no rule, whichever device receives.
    pub fn of(to: ClassId, term: TermId, set: SetId) -> Hit {
        Hit {
            to,
            through: None,
            term,
            set,
            is_own: false,
            is_vacant: false,
            rule: None,
            by: 0,
            among: 1,
            way: None,
        }
    }
}

/// How many devices must let a packet pass: of several routers it is unknown which forwards, among exit nodes the source chooses.
pub fn among(next_hop: Option<&NextHop>) -> usize {
    match next_hop {
        Some(NextHop::Routers(_, devices) | NextHop::PerhapsRouters(_, devices)) => devices.len(),
        _ => 1,
    }
}

/// Whether a device has the tag through which a term goes: of several tags in `via` each has a term of its own.
pub fn is_through(
    network: &Network<'_>,
    device: DeviceIndex,
    term: TermId,
    conditions: &Conditions<'_>,
) -> bool {
    let own = device.of(network.devices);
    let own = own.map_or(&[][..], |device| device.tags());
    conditions.facts(term).all(|fact| match fact {
        Fact::Via(tag) => own.iter().any(|own| own.trim() == *tag),
        _ => true,
    })
}

/// Whether some device with each tag through which a term goes has an approved route to a destination.
pub fn is_routed(
    network: &Network<'_>,
    (via, to): (&[Selector<'_>], &Selector<'_>),
    term: TermId,
    conditions: &Conditions<'_>,
) -> bool {
    let has_route = |tag: &str| {
        let is_own = |own: &&[Selector<'_>]| own.iter().any(|own| own.name() == tag);
        let mut own = via.chunks(1).filter(is_own);
        own.any(|own| !network.via(own, to).is_empty())
    };
    let mut facts = conditions.facts(term);
    facts.all(|fact| !matches!(fact, Fact::Via(tag) if !has_route(tag)))
}
