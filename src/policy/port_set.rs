//! Sets of ports by protocol, and how they are told.
//! Must not live here: the text of a rule's ports.

use std::collections::BTreeMap;

use crate::cidr::intervals::Intervals;

use super::ports::{PortRange, Protocol};

/// Ports of several protocols.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PortSet(BTreeMap<Protocol, Intervals<u32>>);

/// What a rule opens: ports of one protocol, or of those that a rule covers which names none.
pub(super) type Opening = (Option<Protocol>, PortRange);

impl FromIterator<Opening> for PortSet {
    fn from_iter<I: IntoIterator<Item = Opening>>(openings: I) -> PortSet {
        let mut ports: BTreeMap<Protocol, Vec<(u32, u32)>> = BTreeMap::new();
        for (protocol, range) in openings {
            let own = protocol.as_ref().map(std::slice::from_ref);
            for &protocol in own.unwrap_or(&Protocol::DEFAULT) {
                let ranges = ports.entry(protocol).or_default();
                ranges.push((range.first.into(), range.last.into()));
            }
        }
        let joined = ports
            .into_iter()
            .map(|(protocol, ranges)| (protocol, Intervals::from_any(ranges)));
        PortSet(joined.collect())
    }
}

impl PortSet {
    /// What is in this set and not in the other.
    pub fn minus(&self, other: &PortSet) -> PortSet {
        let rest = |(protocol, ports): (&Protocol, &Intervals<u32>)| {
            let rest = match other.0.get(protocol) {
                Some(taken) => ports.minus(taken),
                None => ports.clone(),
            };
            (!rest.as_slice().is_empty()).then_some((*protocol, rest))
        };
        PortSet(self.0.iter().filter_map(rest).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `22`, `80-90` or `*` for what is open in all protocols that a rule without `proto` covers; the rest with its
    /// protocol in front, `udp:53`. Ascending.
    pub fn texts(&self) -> Vec<String> {
        let common = self.common();
        let mut texts: Vec<String> = ranges(&common).map(|range| range.to_string()).collect();
        for (protocol, ports) in &self.0 {
            let own = match Protocol::DEFAULT.contains(protocol) {
                true => ports.minus(&common),
                false => ports.clone(),
            };
            texts.extend(ranges(&own).map(|range| format!("{protocol}:{range}")));
        }
        texts
    }

    fn common(&self) -> Intervals<u32> {
        let mut sets = Protocol::DEFAULT
            .iter()
            .map(|protocol| self.0.get(protocol));
        let Some(Some(first)) = sets.next() else {
            return Intervals::default();
        };
        sets.fold(first.clone(), |common, ports| match ports {
            Some(ports) => common.intersect(ports),
            None => Intervals::default(),
        })
    }
}

fn ranges(ports: &Intervals<u32>) -> impl Iterator<Item = PortRange> + '_ {
    let port = |number| u16::try_from(number).unwrap_or(u16::MAX);
    let range = move |&(first, last): &(u32, u32)| PortRange {
        first: port(first),
        last: port(last),
    };
    ports.as_slice().iter().map(range)
}
