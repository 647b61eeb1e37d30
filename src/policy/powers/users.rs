//! What somebody has as a user of the tailnet, whatever a text says: who has left has nothing, an admin has every tag.
//! Must not live here: who differs between two networks (movers.rs), what a text gives (holders.rs).

use super::holders::Who;
use super::power::PowerKind;
use super::statements::Combination;
use crate::policy::language::selector::Kind;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;

/// Whether a user whom one network knows and another does not has a power of some kind in the first by himself: what he has by his devices,
/// these have.
pub fn has_left(who: &Who<'_>, kind: PowerKind, [network, other]: [&Network<'_>; 2]) -> bool {
    let knows = |network: &Network<'_>| network.knows_user(who.name());
    who.selector.kind == Kind::User
        && !who.is_device()
        && [network, other].map(knows) == [Some(true), Some(false)]
        && (kind == PowerKind::Tag || network.of_user(who.name()).is_empty())
}

/// Leaves out who is an admin in both networks and owns a tag.
pub fn leave_admins(cases: &mut Vec<Combination<'_, '_>>, networks: [&Network<'_>; 2]) {
    cases.retain(|case| {
        let mut networks = networks.iter();
        !networks.all(|network| takes_all(network, case.statement.kind, case.who))
    });
}

/// Whether somebody has a power of some kind as an admin, whoever else the text names: admins may take every tag
/// (docs/policy-language.md#tags).
pub fn takes_all(network: &Network<'_>, kind: PowerKind, who: &Who<'_>) -> bool {
    let admins = || Who::of_user(network, "autogroup:admin").selector;
    kind == PowerKind::Tag
        && !who.is_device()
        && network.takes_in(&admins(), Side::Source, &who.supposed()) == Answer::Yes
}

/// Whether whoever a combination is about is an admin in the other network alone, and keeps every tag that its text declares.
pub fn becomes_admin(networks: [&Network<'_>; 2], case: &Combination<'_, '_>) -> bool {
    networks.map(|network| takes_all(network, case.statement.kind, case.who)) == [false, true]
}
