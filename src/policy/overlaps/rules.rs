//! The rules that are the same for every node, as sets: those about own devices and through routers do not count.
//! Must not live here: tests.

use crate::cidr::{AddressSet, Range};
use crate::policy::language::ports::{Ports, Protocol};
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::tailnet::addresses::set_of;
use crate::policy::tailnet::party::Side;

use super::sets::{TestSets, add_nets, add_ranges};

/// What a rule lets in at one of its destinations.
pub struct Admission {
    from: AddressSet,
    to: AddressSet,
    protocol: Option<Protocol>,
    ports: Ports,
}

impl Admission {
    /// Whether it leads to some address of a set at a port, by one of the protocols.
    fn leads_to(&self, to: &AddressSet, port: u16, protocols: &[Protocol]) -> bool {
        let is_common = (self.protocol).is_none_or(|own| protocols.contains(&own));
        is_common && self.ports.contains(port) && self.to.overlaps(to)
    }
}

/// Everybody whom some rule lets reach some address of a set at a port, by one of the protocols.
pub fn senders(
    admissions: &[Admission],
    to: &AddressSet,
    port: u16,
    protocols: &[Protocol],
) -> AddressSet {
    let mut from = Vec::new();
    for own in admissions {
        if own.leads_to(to, port, protocols) {
            add_ranges(&own.from, &mut from);
        }
    }
    set_of(from)
}

/// What the rules of a policy let in; nothing where it lets in everything.
pub fn admissions(reader: &TestSets<'_, '_>) -> Option<Vec<Admission>> {
    let policy = reader.network.policy;
    if policy.allows_all() {
        return None;
    }
    let mut admissions = Vec::new();
    for rule in policy.rules().filter(|rule| rule.via.is_empty()) {
        let mut from: Vec<Range> = Vec::new();
        for source in rule.sources {
            add_ranges(&reader.set(source, Side::Source), &mut from);
            if source.kind == Kind::Any {
                add_nets(&reader.network.subnets(), &mut from);
            }
        }
        let from = set_of(from);
        for opening in rule.openings() {
            if opening.to.kind == Kind::Autogroup(Autogroup::Own) {
                continue;
            }
            admissions.push(Admission {
                from: from.clone(),
                to: reader.set(opening.to, Side::Destination),
                protocol: opening.protocol,
                ports: opening.ports.clone(),
            });
        }
    }
    Some(admissions)
}
