//! The addresses of a tailnet: which are in use, and which are next. Must not live here: who gets one.

use std::net::Ipv4Addr;

use super::state::Tailnet;

/// The first address given, counted from 100.64.0.0: those before it are reserved.
const FIRST: u32 = 10;
/// How many addresses are in 100.64.0.0/10.
const ALL: u32 = 1 << 22;

impl Tailnet {
    /// The addresses of all devices and services, as written.
    pub(super) fn addresses(&self) -> impl Iterator<Item = String> {
        let devices = self.devices.iter();
        let devices = devices.flat_map(|device| device.list("addresses"));
        let services = self.services.iter();
        devices.chain(services.flat_map(|service| service.addrs.clone()))
    }

    /// The next free IPv4 address, and the matching IPv6 address.
    pub(super) fn free_addresses(&self) -> Option<[String; 2]> {
        let places = self.addresses().filter_map(|text| place_of(&text));
        let taken = places.filter_map(|place| place.checked_sub(FIRST).map(|past| past as usize));
        let place = FIRST + u32::try_from(first_free(taken)).ok()?;
        (place < ALL).then(|| [v4(place), v6(place)])
    }
}

/// An IPv4 address of a tailnet and the matching IPv6 address; None for any other text.
pub(super) fn paired(text: &str) -> Option<[String; 2]> {
    place_of(text).map(|place| [text.to_owned(), v6(place)])
}

/// The least number, from zero on, that is not among these.
pub(super) fn first_free(taken: impl Iterator<Item = usize>) -> usize {
    let taken: Vec<usize> = taken.collect();
    let mut used = vec![false; taken.len()];
    for number in &taken {
        if let Some(used) = used.get_mut(*number) {
            *used = true;
        }
    }
    let free = used.iter().position(|used| !used);
    free.unwrap_or(taken.len())
}

/// The place of an IPv4 address in 100.64.0.0/10; None for any other text.
fn place_of(text: &str) -> Option<u32> {
    let address: Ipv4Addr = text.parse().ok()?;
    let first = Ipv4Addr::new(100, 64, 0, 0);
    let place = u32::from(address).checked_sub(u32::from(first))?;
    (place < ALL).then_some(place)
}

/// One of the addresses of 100.64.0.0/10.
fn v4(place: u32) -> String {
    let [_, b, c, d] = place.to_be_bytes();
    format!("100.{}.{c}.{d}", 64 + u32::from(b))
}

fn v6(place: u32) -> String {
    match (place >> 16, place & 0xffff) {
        (0, low) => format!("fd7a:115c:a1e0::{low:x}"),
        (high, low) => format!("fd7a:115c:a1e0::{high:x}:{low:x}"),
    }
}
