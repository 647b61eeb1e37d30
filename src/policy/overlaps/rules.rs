//! The rules that are the same for every node, as sets: those about own devices and through routers do not count.
//! Must not live here: tests.

use crate::cidr::{AddressSet, Range};
use crate::policy::language::ports::{Ports, Protocol};
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::tailnet::addresses::set_of;
use crate::policy::tailnet::party::Side;

use super::sets::TestSets;

/// What a rule lets in at one of its destinations.
pub struct Admission {
    from: AddressSet,
    to: AddressSet,
    protocol: Option<Protocol>,
    ports: Ports,
}

impl Admission {
    /// Whether it lets somebody of a prefix reach some address at a port, by one of the protocols.
    pub fn admits(&self, from: Range, to: &AddressSet, port: u16, protocols: &[Protocol]) -> bool {
        let is_common = (self.protocol).is_none_or(|own| protocols.contains(&own));
        is_common
            && self.ports.contains(port)
            && self.to.overlaps(to)
            && self.from.overlaps(&set_of(vec![from]))
    }
}

/// What the rules of a policy let in; nothing where it lets in everything.
pub fn admissions(reader: &TestSets<'_, '_>) -> Option<Vec<Admission>> {
    let policy = reader.network.policy;
    if policy.allows_all() {
        return None;
    }
    let mut admissions = Vec::new();
    for rule in policy.rules().filter(|rule| rule.via.is_empty()) {
        let mut from = AddressSet::new();
        for source in rule.sources {
            from = from.union(&reader.set(source, Side::Source));
            if source.kind == Kind::Any {
                let routes = reader.network.subnets();
                let routes = routes.iter().filter_map(|net| net.range());
                from = from.union(&set_of(routes.collect()));
            }
        }
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
