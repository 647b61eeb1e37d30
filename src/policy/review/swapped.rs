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
        let is_there = (&other.party, &other.part, &other.forwarder)
            == (&reach.party, &reach.part, &reach.forwarder);
        is_there
            && !reach.is_doubtful()
            && !other.is_doubtful()
            && other.opens.len() == reach.opens.len()
            && reach.opens.iter().all(|own| has_swap(&other.opens, own))
    })
}

/// Whether some openings have the ports of one where its postures are not enough, and need those that are.
fn has_swap(others: &[Opening], own: &Opening) -> bool {
    let is_plain = |it: &Opening| {
        let unless = &it.unless;
        !it.postures.is_empty()
            && it.via.is_empty()
            && unless.via.is_empty()
            && unless.both.is_empty()
            && !unless.is_perhaps
    };
    is_plain(own)
        && others.iter().any(|other| {
            is_plain(other)
                && (&other.proto, &other.ports) == (&own.proto, &own.ports)
                && other.postures == own.unless.postures
                && own.postures == other.unless.postures
        })
}
