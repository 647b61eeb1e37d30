//! Addresses in pieces: the ranges between the ends of others, and the families of addresses.
//! Must not live here: who has an address (atoms.rs, reading.rs).

use crate::cidr::{Address, AddressSet, Range, Version};
use crate::policy::findings::words::joined;
use crate::policy::tailnet::addresses::tailnet;
use crate::policy::tailnet::net::Net;
use crate::tables::sort;

/// Families of addresses as bits: packets of one do not reach endpoints of the other.
pub const V4: u8 = 1;
/// IPv6.
pub const V6: u8 = 2;

/// The smallest ranges between the ends of some ranges, ascending.
pub fn pieces(cuts: &[Range]) -> Vec<Range> {
    let mut starts = Vec::with_capacity(cuts.len().saturating_mul(2));
    for cut in cuts {
        starts.push(cut.first());
        starts.extend(after(cut.last()));
    }
    sort::sort(&mut starts);
    starts.dedup();
    let mut pieces = Vec::with_capacity(starts.len());
    for (at, &first) in starts.iter().enumerate() {
        let next = starts
            .get(at + 1)
            .filter(|next| next.version() == first.version());
        let last = match next {
            Some(next) => before(*next),
            None => match first.version() {
                Version::V4 => Address::V4(u32::MAX),
                Version::V6 => Address::V6(u128::MAX),
            },
        };
        pieces.extend(Range::new(first, last));
    }
    pieces
}

/// The address after one, if there is one.
pub fn after(address: Address) -> Option<Address> {
    match address {
        Address::V4(bits) => bits.checked_add(1).map(Address::V4),
        Address::V6(bits) => bits.checked_add(1).map(Address::V6),
    }
}

/// The address before one.
pub fn before(address: Address) -> Address {
    match address {
        Address::V4(bits) => Address::V4(bits.saturating_sub(1)),
        Address::V6(bits) => Address::V6(bits.saturating_sub(1)),
    }
}

/// Whether a range lies among the addresses that devices have, or in the part of them that is reserved.
pub fn is_for_devices(range: Range) -> bool {
    let (first, last) = (Address::V4(0x6440_0000), Address::V4(0x647f_ffff));
    first <= range.first() && range.last() <= last || tailnet().covers_range(range)
}

/// The family of an address, as a bit.
pub fn family_of(address: Address) -> u8 {
    match address.version() {
        Version::V4 => V4,
        Version::V6 => V6,
    }
}

/// How many of its addresses are shown with a name.
const SHOWN: usize = 3;

/// A name that means other addresses in the other reading, with those that it means in this one: of many, those that differ come first.
pub fn with_addresses(name: &str, set: &AddressSet, other: &AddressSet) -> String {
    let mut ranges: Vec<Range> = set.ranges().collect();
    if ranges.len() > SHOWN {
        sort::sort_by(&mut ranges, |a, b| {
            other.covers_range(*a).cmp(&other.covers_range(*b))
        });
    }
    let nets = ranges.into_iter().take(SHOWN);
    let nets: Vec<String> = nets.map(|range| Net::Range(range).to_string()).collect();
    let more = if set.ranges().count() > SHOWN {
        ", …"
    } else {
        ""
    };
    joined(&[name, " (", &nets.join(", "), more, ")"])
}

/// The addresses of a device in two networks, each with what it is in the other one. An address in the place of another of its family is
/// the same endpoint: who is behind it has not changed.
pub fn paired([before, after]: &[Vec<Address>; 2]) -> Vec<[Option<Address>; 2]> {
    let (mut pairs, mut new) = (Vec::new(), after.clone());
    new.retain(|address| !before.contains(address));
    for &old in before {
        let later = match after.contains(&old) {
            true => Some(old),
            false => {
                let mut free = new.iter();
                let at = free.position(|it| family_of(*it) == family_of(old));
                at.map(|at| new.remove(at))
            }
        };
        pairs.push([Some(old), later]);
    }
    pairs.extend(new.into_iter().map(|address| [None, Some(address)]));
    pairs
}
