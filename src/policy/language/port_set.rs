//! Sets of ports by protocol, and how they are told.
//! Must not live here: the text of a rule's ports.

use crate::cidr::intervals::Intervals;

use super::ports::{PortRange, Protocol};

/// Ports of several protocols, which ascend.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PortSet(Vec<(Protocol, Intervals<u32>)>);

/// What a rule opens: ports of one protocol, or of those that a rule covers which names none.
pub(crate) type Opening = (Option<Protocol>, PortRange);

impl PortSet {
    /// The union of what some rules open.
    #[inline(never)]
    pub fn of(openings: &[Opening]) -> PortSet {
        let mut protocols = Vec::new();
        for (protocol, _) in openings {
            for &protocol in opened(protocol) {
                if let Err(at) = protocols.binary_search(&protocol) {
                    protocols.insert(at, protocol);
                }
            }
        }
        let mut set = PortSet::default();
        for wanted in protocols {
            let mut ranges = Vec::new();
            for (protocol, range) in openings {
                if opened(protocol).contains(&wanted) {
                    ranges.push((range.first.into(), range.last.into()));
                }
            }
            set.0.push((wanted, Intervals::from_any(ranges)));
        }
        set
    }

    fn get(&self, protocol: Protocol) -> Option<&Intervals<u32>> {
        let found = self.0.iter().find(|(own, _)| *own == protocol);
        found.map(|(_, ports)| ports)
    }

    /// What is in this set and not in the other.
    #[inline(never)]
    pub fn minus(&self, other: &PortSet) -> PortSet {
        let mut left = PortSet::default();
        for (protocol, ports) in &self.0 {
            let rest = match other.get(*protocol) {
                Some(taken) => ports.minus(taken),
                None => ports.clone(),
            };
            if !rest.as_slice().is_empty() {
                left.0.push((*protocol, rest));
            }
        }
        left
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `22`, `80-90` or `*` for what is open in all protocols that a rule without `proto` covers; the rest with its
    /// protocol in front, `udp:53`. Ascending.
    #[inline(never)]
    pub fn texts(&self) -> Vec<String> {
        let common = self.common();
        let mut texts = Vec::new();
        for range in ranges(&common) {
            texts.push(range.to_string());
        }
        for (protocol, ports) in &self.0 {
            let own = match Protocol::DEFAULT.contains(protocol) {
                true => ports.minus(&common),
                false => ports.clone(),
            };
            for range in ranges(&own) {
                texts.push(format!("{protocol}:{range}"));
            }
        }
        texts
    }

    /// What every protocol has that a rule without one covers.
    fn common(&self) -> Intervals<u32> {
        let mut common: Option<Intervals<u32>> = None;
        for protocol in Protocol::DEFAULT {
            let Some(ports) = self.get(protocol) else {
                return Intervals::default();
            };
            common = Some(match common {
                Some(common) => common.intersect(ports),
                None => ports.clone(),
            });
        }
        common.unwrap_or_default()
    }
}

/// The protocols of one opening.
fn opened(protocol: &Option<Protocol>) -> &[Protocol] {
    let own = protocol.as_ref().map(std::slice::from_ref);
    own.unwrap_or(&Protocol::DEFAULT)
}

fn ranges(ports: &Intervals<u32>) -> impl Iterator<Item = PortRange> + '_ {
    let port = |number| u16::try_from(number).unwrap_or(u16::MAX);
    let range = move |&(first, last): &(u32, u32)| PortRange {
        first: port(first),
        last: port(last),
    };
    ports.as_slice().iter().map(range)
}
