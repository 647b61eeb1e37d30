//! Sets of ports by protocol, with the postures that they need, and their text.
//! Must not live here: the form of an opening in answers (opening.rs), the text of a rule's ports, who may use them.

use super::opening::{Opening, ProtocolName, Terms};
use super::ports::{PortRange, Ports, Protocol};
use crate::cidr::intervals::Intervals;
use crate::tables::sort;

/// Ports of several protocols, in ascending order. ICMP of either family is one, [`Protocol::ICMP`]: a source that may reach a
/// device at all may ping it (docs/policy-language.md#pings), so each opening includes it. ICMP, like most, has no ports: such
/// protocols have all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PortSet(Vec<(Protocol, Intervals<u32>)>);

/// The protocols with names, in their order.
const TOLD: [(&str, u8); 13] = [
    ("tcp", 6),
    ("udp", 17),
    ("sctp", 132),
    ("dccp", 33),
    ("igmp", 2),
    ("ipv4", 4),
    ("egp", 8),
    ("igp", 9),
    ("gre", 47),
    ("esp", 50),
    ("ah", 51),
    ("tsmp", 99),
    ("ping", 1),
];

const EVERY_PORT: (u32, u32) = (0, u16::MAX as u32);

impl PortSet {
    /// What one opening of a rule adds.
    #[inline(never)]
    pub fn of(protocol: Option<Protocol>, ports: &Ports) -> PortSet {
        let mut set = PortSet::default();
        let mut add = |protocol: Protocol| {
            let mut ranges = Vec::new();
            match protocol.has_ports() {
                true => ranges.extend(
                    ports
                        .ranges()
                        .iter()
                        .map(|r| (r.first.into(), r.last.into())),
                ),
                false => ranges.push(EVERY_PORT),
            }
            set.0.push((protocol, Intervals::from_any(ranges)));
        };
        add(Protocol::ICMP);
        match protocol {
            None => [Protocol::TCP, Protocol::UDP].into_iter().for_each(add),
            Some(protocol) if protocol.is_ping() => {}
            Some(protocol) => add(protocol),
        }
        set.ascending()
    }

    /// Ports of these protocols only, without the pings that an opening includes.
    #[inline(never)]
    pub fn just(protocols: &[Protocol], ports: &Ports) -> PortSet {
        let mut set = PortSet::default();
        for &protocol in protocols {
            let mut own = PortSet::of(Some(protocol), ports);
            let protocol = match protocol.is_ping() {
                true => Protocol::ICMP,
                false => protocol,
            };
            own.0.retain(|(own, _)| *own == protocol);
            set.0.append(&mut own.0);
        }
        set.0.dedup();
        set.ascending()
    }

    /// Numbers of one protocol, as intervals in any order.
    pub fn of_numbers(protocol: Protocol, numbers: Vec<(u32, u32)>) -> PortSet {
        match numbers.is_empty() {
            true => PortSet::default(),
            false => PortSet(vec![(protocol, Intervals::from_any(numbers))]),
        }
    }

    /// Whether a number is in it, of whichever protocol.
    pub fn has_number(&self, number: u32) -> bool {
        self.0.iter().any(|(_, own)| own.contains(number))
    }

    /// The part of one protocol.
    pub fn part_of(&self, protocol: Protocol) -> PortSet {
        let own = self.get(protocol).cloned();
        PortSet(own.map(|own| vec![(protocol, own)]).unwrap_or_default())
    }

    /// The numbers of one protocol as those of another.
    pub fn moved(&self, from: Protocol, to: Protocol) -> PortSet {
        let own = self.get(from).cloned();
        PortSet(own.map(|own| vec![(to, own)]).unwrap_or_default())
    }

    /// Whether a ping is all that it holds.
    pub fn is_ping(&self) -> bool {
        self.0
            .iter()
            .all(|(protocol, _)| *protocol == Protocol::ICMP)
    }

    /// Numbers that are the same for equal sets only.
    pub fn numbers(&self) -> Vec<u64> {
        let mut run = Vec::new();
        self.number(&mut run);
        run
    }

    /// A protocol in it, the first in their order, with a port that people know, if it has one; else its first: not 0 if it
    /// has another.
    pub fn first(&self) -> Option<(Protocol, u16)> {
        const KNOWN: [u32; 3] = [22, 80, 443];
        let (_, protocol, ports) = self.by_name().into_iter().next()?;
        let &(first, last) = ports.as_slice().first()?;
        let has = |port: &u32| {
            let mut ranges = ports.as_slice().iter();
            ranges.any(|(first, last)| first <= port && port <= last)
        };
        let port = match protocol.has_ports() {
            true => KNOWN
                .into_iter()
                .find(has)
                .unwrap_or(first.max(last.min(1))),
            false => 0,
        };
        Some((protocol, u16::try_from(port).unwrap_or(u16::MAX)))
    }

    fn ascending(mut self) -> PortSet {
        sort::sort_by(&mut self.0, |(a, _), (b, _)| a.cmp(b));
        self
    }

    fn get(&self, protocol: Protocol) -> Option<&Intervals<u32>> {
        let found = self.0.iter().find(|(own, _)| *own == protocol);
        found.map(|(_, ports)| ports)
    }

    /// What is in one of the two.
    #[inline(never)]
    pub fn union(&self, other: &PortSet) -> PortSet {
        let mut all = self.clone();
        for (protocol, ports) in &other.0 {
            match all.0.iter_mut().find(|(own, _)| own == protocol) {
                Some((_, own)) => *own = own.union(ports),
                None => all.0.push((*protocol, ports.clone())),
            }
        }
        all.ascending()
    }

    /// What is in both.
    #[inline(never)]
    pub fn intersect(&self, other: &PortSet) -> PortSet {
        self.each(other, Intervals::intersect, false)
    }

    /// Whether something is in both.
    pub fn meets(&self, other: &PortSet) -> bool {
        !self.intersect(other).is_empty()
    }

    /// What is in this set and not in the other.
    #[inline(never)]
    pub fn minus(&self, other: &PortSet) -> PortSet {
        self.each(other, Intervals::minus, true)
    }

    fn each(
        &self,
        other: &PortSet,
        join: fn(&Intervals<u32>, &Intervals<u32>) -> Intervals<u32>,
        keep_alone: bool,
    ) -> PortSet {
        let mut left = PortSet::default();
        for (protocol, ports) in &self.0 {
            let rest = match other.get(*protocol) {
                Some(other) => join(ports, other),
                None if keep_alone => ports.clone(),
                None => continue,
            };
            if !rest.as_slice().is_empty() {
                left.0.push((*protocol, rest));
            }
        }
        left
    }

    /// Whether nothing is open.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `22`, `80-90` or `*` for what is open for both TCP and UDP; the rest after its protocol, `udp:53`; `ping`
    /// if that is all.
    #[inline(never)]
    pub fn texts(&self) -> Vec<String> {
        let (tcp, udp) = (self.get(Protocol::TCP), self.get(Protocol::UDP));
        let common = match (tcp, udp) {
            (Some(tcp), Some(udp)) => tcp.intersect(udp),
            _ => Intervals::default(),
        };
        let mut texts: Vec<String> = ranges(&common).map(|range| range.to_string()).collect();
        for (name, protocol, ports) in self.by_name() {
            let own = match protocol {
                Protocol::TCP | Protocol::UDP => ports.minus(&common),
                Protocol::ICMP => continue,
                _ => ports.clone(),
            };
            for range in ranges(&own) {
                texts.push(match &name {
                    ProtocolName::Named(name) => format!("{name}:{range}"),
                    ProtocolName::Number(number) => format!("{number}:{range}"),
                });
            }
        }
        if texts.is_empty() && !self.is_empty() {
            texts.push("ping".to_owned());
        }
        texts
    }

    /// The protocols in their order, those without a name last.
    fn by_name(&self) -> Vec<(ProtocolName, Protocol, &Intervals<u32>)> {
        let mut words = Vec::with_capacity(self.0.len());
        for (name, number) in TOLD {
            let protocol = Protocol(number);
            if let Some(ports) = self.get(protocol) {
                words.push((ProtocolName::Named(name), protocol, ports));
            }
        }
        for (protocol, ports) in &self.0 {
            if !TOLD.iter().any(|(_, number)| *number == protocol.0) {
                words.push((ProtocolName::Number(protocol.0), *protocol, ports));
            }
        }
        words
    }

    /// Adds one entry for each protocol.
    pub fn openings(&self, terms: &Terms, words: &mut Vec<Opening>) {
        for (proto, _, ports) in self.by_name() {
            let mut list = String::new();
            for range in ranges(ports) {
                if !list.is_empty() {
                    list.push(',');
                }
                list.push_str(&range.to_string());
            }
            words.push(Opening {
                proto,
                ports: list,
                postures: terms.postures.clone(),
                unless: terms.unless.clone(),
                via: terms.via.clone(),
            });
        }
    }

    fn number(&self, run: &mut Vec<u64>) {
        for (protocol, ports) in &self.0 {
            run.push(u64::from(protocol.0) << 32 | ports.as_slice().len() as u64);
            for &(first, last) in ports.as_slice() {
                run.push(u64::from(first) << 32 | u64::from(last));
            }
        }
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
