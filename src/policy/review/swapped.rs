//! Access whose postures are others now: what was enough no longer is, and what is now was not. It is gained by some and lost by others, and
//! said once. Must not live here: the words (words.rs).

use crate::policy::access_change::{AccessChange, AccessReach};
use crate::policy::language::opening::Opening;

/// Whether something that a source gains or loses is lost or gained on the postures that are no longer, or were not yet, enough.
pub fn is_swapped(change: &AccessChange, reach: &AccessReach) -> bool {
    let list = match reach.weight.is_gained {
        true => &change.lost,
        false => &change.gained,
    };
    list.iter().any(|other| {
        let is_there = (&other.party, &other.part) == (&reach.party, &reach.part);
        is_there
            && !reach.is_doubtful()
            && !other.is_doubtful()
            && other.opens.len() == reach.opens.len()
            && reach.opens.iter().all(|own| has_swap(&other.opens, own))
    })
}

/// Whether some openings have the ports of one where its postures are not enough, and need those that are.
fn has_swap(others: &[Opening], own: &Opening) -> bool {
    let is_swap = |other: &Opening| {
        (&other.proto, &other.ports, &other.via) == (&own.proto, &own.ports, &own.via)
            && enough(other) == Some(&own.postures)
            && enough(own) == Some(&other.postures)
    };
    others.iter().any(is_swap)
}

/// The postures with which alone nothing changes, through the same devices.
fn enough(own: &Opening) -> Option<&Vec<String>> {
    let unless = &own.unless;
    let has_more = own.postures.is_empty() || !unless.via.is_empty() || unless.is_perhaps;
    match (own.via.is_empty(), unless.both.as_slice()) {
        _ if has_more => None,
        (true, []) => Some(&unless.postures),
        (false, [both]) if unless.postures.is_empty() && both.via == own.via => {
            Some(&both.postures)
        }
        _ => None,
    }
}
