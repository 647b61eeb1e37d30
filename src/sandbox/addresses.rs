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
        let used: Vec<String> = self.addresses().collect();
        let place = (FIRST..ALL).find(|place| !used.contains(&v4(*place)))?;
        Some([v4(place), v6(place)])
    }
}

/// An IPv4 address of a tailnet and the matching IPv6 address; None for any other text.
pub(super) fn paired(text: &str) -> Option<[String; 2]> {
    let address: Ipv4Addr = text.parse().ok()?;
    let first = Ipv4Addr::new(100, 64, 0, 0);
    let place = u32::from(address).checked_sub(u32::from(first))?;
    (place < ALL).then(|| [text.to_owned(), v6(place)])
}

/// One of the addresses of 100.64.0.0/10.
fn v4(place: u32) -> String {
    let [_, b, c, d] = place.to_be_bytes();
    format!("100.{}.{c}.{d}", 64 + u32::from(b))
}

fn v6(place: u32) -> String {
    format!("fd7a:115c:a1e0::{:x}:{:x}", place >> 16, place & 0xffff)
}
