//! Every flow of a network at once: one address for each class that rules and claims tell apart, the traffic between two of
//! them as bits, for each set of postures. It is checked against the oracle's answers, packet by packet.
//! Must not live here: claims.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;

use serde_json::{Value, json};

use super::claims::{TRAFFIC, has_ports};
use super::open::outsider;
use crate::oracle::document::Opening;
use crate::oracle::span::{Set, Span, after, everything, holds, internet, tailnet};
use crate::oracle::{Oracle, Packet, Way};

/// Traffic as bits, by the indexes of [`Traffic::atoms`].
pub type Bits = u64;

/// Protocols and ports that no rule and no claim tells apart.
pub struct Traffic {
    pub atoms: Vec<(u8, u16)>,
}

impl Traffic {
    /// Divides the traffic at the ports where rules and claims begin and end.
    pub fn new(oracles: &[&Oracle]) -> Traffic {
        let mut starts = BTreeSet::from([0, 1, 22, 23, 80, 81, 91, 443, 444]);
        for oracle in oracles {
            let openings = oracle.rules.iter().flat_map(|rule| &rule.dst);
            for opening in openings.flat_map(|(_, opens)| opens) {
                starts.insert(opening.first);
                starts.extend(opening.last.checked_add(1));
            }
        }
        let mut atoms = Vec::new();
        for protocol in TRAFFIC {
            match has_ports(protocol) {
                true => atoms.extend(starts.iter().map(|port| (protocol, *port))),
                false => atoms.push((protocol, 0)),
            }
        }
        assert!(atoms.len() <= 64, "too many ports for the bits");
        Traffic { atoms }
    }

    pub fn bits(&self, is_in: impl Fn((u8, u16)) -> bool) -> Bits {
        let each = self.atoms.iter().enumerate();
        each.filter(|(_, atom)| is_in(**atom))
            .fold(0, |bits, (at, _)| bits | 1 << at)
    }

    /// The traffic that some openings let in, and pings with it (docs/policy-language.md#pings).
    fn opened(&self, opens: &[Opening]) -> Bits {
        self.bits(|(protocol, port)| {
            let open = opens.iter().any(|opening| opening.opens(port, protocol));
            open || protocol == 1 && !opens.is_empty()
        })
    }
}

/// One address of each class: every address of a device, and among all others one for each combination of sets that contain it.
pub fn ends(oracles: &[&Oracle], named: &[&str]) -> Vec<IpAddr> {
    let mut spans: Vec<Span> = [everything(), tailnet(), internet()].concat();
    for oracle in oracles {
        spans.extend(oracle.tailnet.subnets());
        for rule in &oracle.rules {
            let targets = rule.dst.iter().map(|(to, _)| to);
            for selector in rule.src.iter().chain(targets) {
                spans.extend(oracle.tailnet.set(selector));
            }
        }
        spans.extend(named.iter().flat_map(|name| oracle.tailnet.set(name)));
    }
    spans.sort_unstable();
    spans.dedup();
    let mut starts: BTreeSet<IpAddr> = spans.iter().map(|span| span.first).collect();
    starts.extend(spans.iter().filter_map(|span| after(span.last)));
    let devices = || oracles[0].tailnet.devices.iter();
    let owned: BTreeSet<IpAddr> = devices()
        .flat_map(|device| device.addresses.clone())
        .collect();
    starts.extend(owned.iter().filter_map(|own| after(*own)));
    let mut known = BTreeSet::new();
    let mut ends: Vec<IpAddr> = owned.iter().copied().collect();
    ends.push(outsider());
    for start in starts.into_iter().filter(|start| !owned.contains(start)) {
        let lies: Vec<bool> = spans.iter().map(|span| span.contains(start)).collect();
        if known.insert((start.is_ipv4(), lies)) {
            ends.push(start);
        }
    }
    ends
}

/// The sets of postures that a sender may meet, the empty one first, each by attributes that meet exactly these of the rules' postures.
pub fn postures(oracles: &[&Oracle], of_ssh: &[String]) -> Vec<Option<Value>> {
    let mut named: BTreeSet<&str> = of_ssh.iter().map(String::as_str).collect();
    for oracle in oracles {
        let rules = oracle.rules.iter();
        named.extend(rules.flat_map(|rule| rule.postures.iter().map(String::as_str)));
    }
    let all = [
        ("", json!({})),
        ("m", json!({"node:os": "macos", "custom:score": 4})),
        ("f", json!({"custom:score": 5, "custom:tier": "prod"})),
        ("a", json!({"node:os": "linux", "custom:score": 1})),
        (
            "mf",
            json!({"node:os": "macos", "custom:score": 4, "custom:tier": "prod"}),
        ),
        ("ma", json!({"node:os": "macos", "custom:score": 1})),
        (
            "fa",
            json!({"node:os": "linux", "custom:score": 5, "custom:tier": "prod"}),
        ),
        (
            "mfa",
            json!({"node:os": "macos", "custom:score": 5, "custom:tier": "prod"}),
        ),
    ];
    let is_asked = |first: char| named.iter().any(|name| name[8..].starts_with(first));
    let asked = all.into_iter().filter(|(met, _)| met.chars().all(is_asked));
    asked.map(|(_, attributes)| Some(attributes)).collect()
}

/// A destination of a rule as one device receives it, or as in the rules as a whole.
struct Line {
    rule: usize,
    from: Vec<bool>,
    to: Vec<bool>,
    bits: Bits,
    has_via: bool,
}

/// The traffic of one sender to one address, for each possible receiver: each router, and all exit nodes together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    pub receivers: Vec<usize>,
    pub bits: Vec<Bits>,
}

impl Reached {
    /// The traffic that passes whoever receives.
    pub fn least(&self) -> Bits {
        self.bits.iter().fold(Bits::MAX, |all, bits| all & bits)
    }

    /// The traffic that passes with some receiver.
    pub fn most(&self) -> Bits {
        self.bits.iter().fold(0, |all, bits| all | bits)
    }
}

/// The rules of one policy in one network.
pub struct Field<'o> {
    oracle: &'o Oracle,
    ends: &'o [IpAddr],
    /// By device.
    told: Vec<Vec<Line>>,
    whole: Vec<Line>,
    owners: Vec<Option<usize>>,
    /// For each set of postures and each end, the rules about a sender there, as bits.
    about: Vec<Vec<u32>>,
    receivers: HashMap<(usize, u32), (bool, Vec<usize>)>,
}

impl<'o> Field<'o> {
    pub fn new(
        oracle: &'o Oracle,
        ends: &'o [IpAddr],
        traffic: &Traffic,
        postures: &'o [Option<Value>],
    ) -> Field<'o> {
        let within = |set: &Set| {
            ends.iter()
                .map(|end| holds(set, *end))
                .collect::<Vec<bool>>()
        };
        let devices = 0..oracle.tailnet.devices.len();
        let told = devices.map(|device| {
            let lines = oracle.received(device).iter().map(|told| Line {
                rule: told.rule,
                from: within(&told.src),
                to: within(&told.dst),
                bits: traffic.opened(&told.opens),
                has_via: !oracle.rules[told.rule].via.is_empty(),
            });
            lines.collect()
        });
        let owner = |end: &IpAddr| {
            let mut devices = oracle.tailnet.devices.iter();
            devices.position(|device| device.addresses.contains(end))
        };
        Field {
            oracle,
            ends,
            told: told.collect(),
            whole: whole(oracle, &within, traffic),
            owners: ends.iter().map(owner).collect(),
            about: about(oracle, ends, postures),
            receivers: HashMap::new(),
        }
    }

    /// The traffic of a sender with a set of postures.
    pub fn reached(
        &mut self,
        from: usize,
        to: usize,
        postures: (usize, Option<&Value>),
    ) -> Reached {
        let about = self.about[postures.0][from];
        let lets = |lines: &[Line], owned: bool| {
            let meant = lines.iter().filter(|line| {
                line.from[from]
                    && line.to[to]
                    && about & matching(line.rule) != 0
                    && !(owned && line.has_via)
            });
            meant.fold(0, |bits, line| bits | line.bits)
        };
        if let Some(owner) = self.owners[to] {
            return Reached {
                receivers: vec![owner],
                bits: vec![lets(&self.told[owner], true)],
            };
        }
        let (oracle, ends) = (self.oracle, self.ends);
        let attributes = Oracle::attributes_at(ends[from], postures.1);
        let key = about >> 16;
        let (is_exit, receivers) = self.receivers.entry((to, key)).or_insert_with(|| {
            let found = oracle.receivers(ends[from], ends[to], attributes);
            let is_exit = found.first().is_some_and(|(_, way)| *way == Way::Exit);
            (
                is_exit,
                found.into_iter().map(|(device, _)| device).collect(),
            )
        });
        let each = receivers
            .iter()
            .map(|device| lets(&self.told[*device], false));
        let bits = match (receivers.is_empty(), is_exit) {
            (true, _) => vec![lets(&self.whole, false)],
            (_, true) => vec![each.fold(0, |all, bits| all | bits)],
            _ => each.collect(),
        };
        Reached {
            receivers: receivers.clone(),
            bits,
        }
    }

    /// The same for one packet, by the oracle alone: whether it passes whoever receives, and with some receiver.
    pub fn by_packet(
        &self,
        (from, to): (usize, usize),
        (protocol, port): (u8, u16),
        attributes: Option<&Value>,
    ) -> crate::oracle::Answer {
        let packet = Packet {
            from: self.ends[from],
            to: self.ends[to],
            port,
            protocol,
        };
        self.oracle.passes(packet, attributes)
    }
}

/// The bit of a rule whose postures a sender meets.
fn matching(rule: usize) -> u32 {
    1 << rule
}

/// For each set of postures and each end: which rules match the sender, and in the higher bits which of those cover its device.
fn about(oracle: &Oracle, ends: &[IpAddr], postures: &[Option<Value>]) -> Vec<Vec<u32>> {
    assert!(oracle.rules.len() <= 16, "too many rules for the bits");
    let has_via = oracle.rules.iter().any(|rule| !rule.via.is_empty());
    let covers = |end: &IpAddr| {
        let covering = oracle.rules.iter().enumerate();
        let covering = covering.filter(|(_, rule)| has_via && oracle.covers(rule, *end));
        covering.fold(0, |bits, (at, _)| bits | matching(at))
    };
    let covering: Vec<u32> = ends.iter().map(covers).collect();
    let met = |attributes: Option<&Value>| {
        let rules = (0..oracle.rules.len()).filter(|at| oracle.matches(*at, attributes));
        rules.fold(0, |bits, at| bits | matching(at))
    };
    let of = |attributes: &Option<Value>| {
        let of_sender = |(end, own): (&IpAddr, &u32)| {
            let met = met(Oracle::attributes_at(*end, attributes.as_ref()));
            met | (own & met) << 16
        };
        ends.iter().zip(&covering).map(of_sender).collect()
    };
    postures.iter().map(of).collect()
}

/// The rules as a whole, whoever receives; without `autogroup:self`, which only devices receive.
fn whole(oracle: &Oracle, within: &dyn Fn(&Set) -> Vec<bool>, traffic: &Traffic) -> Vec<Line> {
    let mut lines = Vec::new();
    for (at, rule) in oracle.rules.iter().enumerate() {
        for (to, opens) in rule.dst.iter().filter(|_| rule.via.is_empty()) {
            lines.push(Line {
                rule: at,
                from: within(&oracle.tailnet.sources(&rule.src)),
                to: within(&oracle.destination(to)),
                bits: traffic.opened(opens),
                has_via: false,
            });
        }
    }
    lines
}
