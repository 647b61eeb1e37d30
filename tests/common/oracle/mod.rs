//! The meaning of a policy in a network by brute force: the packet filter of each device, who receives a packet, and whether it
//! may pass. Written from the text of the language and not from the engine, of which it uses nothing; slow, and as simple as
//! possible. Must not live here: laws, random policies.
// Each test file uses the part it compares.
#![allow(dead_code)]

pub mod compare;
pub mod document;
pub mod posture;
pub mod span;
pub mod tailnet;

use std::net::IpAddr;

use serde_json::Value;

use document::{Opening, Rule, member, texts};
use span::{Set, Span, everything, holds, internet};
use tailnet::{Device, Tailnet};

/// Whether something passes; `Unknown` where its possible receivers disagree. A greater value lets more through.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Answer {
    Denied,
    Unknown,
    Allowed,
}

impl From<bool> for Answer {
    fn from(passes: bool) -> Answer {
        if passes {
            Answer::Allowed
        } else {
            Answer::Denied
        }
    }
}

/// What a device receives of one destination of one rule.
#[derive(Clone, Debug)]
pub struct Received {
    pub rule: usize,
    /// The destination as the rule has it.
    pub to: String,
    pub src: Set,
    pub dst: Set,
    pub opens: Vec<Opening>,
}

impl Received {
    /// Whether the line lets a packet in.
    pub fn admits(&self, packet: Packet) -> bool {
        self.touches(packet)
            && self
                .opens
                .iter()
                .any(|opening| opening.opens(packet.port, packet.protocol))
    }

    /// Whether it lets this source reach this address at all.
    fn touches(&self, packet: Packet) -> bool {
        holds(&self.src, packet.from) && holds(&self.dst, packet.to)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packet {
    pub from: IpAddr,
    pub to: IpAddr,
    pub port: u16,
    pub protocol: u8,
}

impl Packet {
    fn is_ping(self) -> bool {
        [1, 58].contains(&self.protocol)
    }
}

/// How a packet comes to a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Device,
    Router(Span),
    Exit,
}

pub struct Oracle {
    pub tailnet: Tailnet,
    pub rules: Vec<Rule>,
    pub postures: Value,
    /// By device.
    received: Vec<Vec<Received>>,
}

impl Oracle {
    /// Reads a policy and its context from plain JSON.
    pub fn new(policy: &Value, context: &Value) -> Oracle {
        let mut oracle = Oracle {
            tailnet: Tailnet::new(policy, context),
            rules: document::rules(policy),
            postures: member(policy, &["postures"]).cloned().unwrap_or_default(),
            received: Vec::new(),
        };
        let received = |device| {
            (0..oracle.rules.len())
                .flat_map(|rule| oracle.told_by(rule, device))
                .collect()
        };
        oracle.received = oracle.tailnet.devices.iter().map(received).collect();
        oracle
    }

    /// The attributes of a sender of which a question supposes some: only devices have any, and those have addresses of the tailnet
    /// (docs/policy-language.md#postures).
    pub fn attributes_at(from: IpAddr, supposed: Option<&Value>) -> Option<&Value> {
        supposed.filter(|_| holds(&span::tailnet(), from))
    }

    /// docs/policy-language.md#tests: without attributes a rule with a posture does not match.
    pub fn matches(&self, rule: usize, attributes: Option<&Value>) -> bool {
        let names = &self.rules[rule].postures;
        let meets =
            |name: &String, attributes| posture::meets(&texts(self.postures.get(name)), attributes);
        names.is_empty()
            || attributes.is_some_and(|attributes| names.iter().any(|name| meets(name, attributes)))
    }

    /// docs/policy-language.md#which-devices-receive-a-rule, for a resolved destination. A rule whose sources resolve to nothing has no receiver.
    fn told_by(&self, at: usize, device: &Device) -> Vec<Received> {
        let rule = &self.rules[at];
        let mut received = Vec::new();
        for (to, opens) in &rule.dst {
            let (src, dst) = match to.as_str() {
                "autogroup:self" => (self.own_sources(rule, device), own_addresses(device)),
                _ if !rule.via.is_empty() => (
                    self.tailnet.sources(&rule.src),
                    self.told_via(&rule.via, to, device),
                ),
                _ => (
                    self.tailnet.sources(&rule.src),
                    self.told_plainly(to, device),
                ),
            };
            if !src.is_empty() && !dst.is_empty() && !opens.is_empty() {
                received.push(Received {
                    rule: at,
                    to: to.clone(),
                    src,
                    dst,
                    opens: opens.clone(),
                });
            }
        }
        received
    }

    /// `autogroup:self`: the untagged devices of the user that some source selects.
    fn own_sources(&self, rule: &Rule, device: &Device) -> Set {
        let mut src = Set::new();
        for own in self
            .tailnet
            .devices
            .iter()
            .filter(|own| own.user.is_some() && own.user == device.user)
        {
            let selects = |selector: &String| {
                selector == "*" || self.tailnet.takes_in(selector, own) == Some(true)
            };
            if rule.src.iter().any(selects) {
                src.extend(own_addresses(own));
            }
        }
        src
    }

    fn told_plainly(&self, to: &str, device: &Device) -> Set {
        match to {
            "*" => everything(),
            "autogroup:internet" if device.exit => internet(),
            _ => match self.tailnet.takes_in(to, device) {
                Some(true) => own_addresses(device),
                Some(false) if to != "autogroup:internet" => Set::new(),
                _ => {
                    let concerns = |span: &Span| {
                        let own = device
                            .addresses
                            .iter()
                            .any(|address| span.contains(*address));
                        let public = internet().iter().any(|public| span.is_inside(*public));
                        own || overlaps_route(*span, device) || (device.exit && public)
                    };
                    self.destination(to).into_iter().filter(concerns).collect()
                }
            },
        }
    }

    /// docs/policy-language.md#via: a device with the tag and an approved route that overlaps; exit routes count only for the internet.
    fn told_via(&self, tags: &[String], to: &str, device: &Device) -> Set {
        if !device.tags.iter().any(|tag| tags.contains(tag)) {
            return Set::new();
        }
        if to == "autogroup:internet" {
            return if device.exit { internet() } else { Set::new() };
        }
        let overlapping = self.destination(to).into_iter();
        overlapping
            .filter(|span| overlaps_route(*span, device))
            .collect()
    }

    /// The addresses of a destination; `autogroup:self` itself has none.
    pub fn destination(&self, to: &str) -> Set {
        match to {
            "*" => everything(),
            "autogroup:internet" => internet(),
            "autogroup:self" => Set::new(),
            _ => {
                let mut set = self.tailnet.set(to);
                for device in &self.tailnet.devices {
                    if self.tailnet.takes_in(to, device) == Some(true) {
                        set.extend(own_addresses(device));
                    }
                }
                set
            }
        }
    }

    /// The sources and destinations that rules name, with repeats.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for rule in &self.rules {
            names.extend(rule.src.iter().cloned());
            names.extend(rule.dst.iter().map(|(to, _)| to.clone()));
        }
        names
    }

    /// What a device receives, regardless of postures.
    pub fn received(&self, device: usize) -> &[Received] {
        &self.received[device]
    }

    /// The packet filter of a device.
    pub fn filter<'o>(
        &'o self,
        device: usize,
        attributes: Option<&'o Value>,
    ) -> impl Iterator<Item = &'o Received> {
        self.received[device]
            .iter()
            .filter(move |received| self.matches(received.rule, attributes))
    }

    /// docs/policy-language.md#where-a-packet-ends: the device that owns the address; else the routers that share the longest approved route to it; else,
    /// for a public address, exit nodes.
    pub fn receivers(
        &self,
        from: IpAddr,
        to: IpAddr,
        attributes: Option<&Value>,
    ) -> Vec<(usize, Way)> {
        let devices = || self.tailnet.devices.iter().enumerate();
        let owner = devices().find(|(_, device)| device.addresses.contains(&to));
        if let Some((owner, _)) = owner {
            return vec![(owner, Way::Device)];
        }
        let mut routers = Vec::new();
        for (at, device) in devices() {
            for &route in &device.subnets {
                if route.contains(to) && !self.loses(from, device, Some(route), attributes) {
                    routers.push((at, Way::Router(route), route.length()));
                }
            }
        }
        if let Some(shortest) = routers.iter().map(|(.., length)| *length).min() {
            let longest_prefix = routers
                .into_iter()
                .filter(|(.., length)| *length == shortest);
            return longest_prefix.map(|(at, way, _)| (at, way)).collect();
        }
        if !holds(&internet(), to) {
            return Vec::new();
        }
        let leads = |device: &Device| device.exits[usize::from(to.is_ipv6())];
        let exits = devices()
            .filter(|(_, device)| leads(device) && !self.loses(from, device, None, attributes));
        exits.map(|(at, _)| (at, Way::Exit)).collect()
    }

    /// docs/policy-language.md#via: for the sources of a via grant, devices without its tag lose the routes that overlap its destination,
    /// unless a plain rule covers the whole route as well. No route means the exit routes. The section does not say what two
    /// via grants do that name different tags: a device with either tag keeps its route, else neither would be of use.
    fn loses(
        &self,
        from: IpAddr,
        device: &Device,
        route: Option<Span>,
        attributes: Option<&Value>,
    ) -> bool {
        let about = |at: usize, rule: &Rule, whole: bool| {
            let leads = |(to, opens): &(String, Vec<Opening>)| match route {
                _ if opens.is_empty() => false,
                None => to == "autogroup:internet" || whole && to == "*",
                Some(route) if whole => self
                    .destination(to)
                    .iter()
                    .any(|span| span.contains(route.first) && span.contains(route.last)),
                Some(route) => self.destination(to).iter().any(|span| span.overlaps(route)),
            };
            rule.dst.iter().any(leads) && self.matches(at, attributes) && self.covers(rule, from)
        };
        let has_tag = |rule: &Rule| device.tags.iter().any(|tag| rule.via.contains(tag));
        let rules = || self.rules.iter().enumerate();
        let mut ways = rules()
            .filter(|(at, rule)| !rule.via.is_empty() && about(*at, rule, false))
            .peekable();
        ways.peek().is_some()
            && !ways.any(|(_, rule)| has_tag(rule))
            && !rules().any(|(at, rule)| rule.via.is_empty() && about(at, rule, true))
    }

    /// Whether a rule's sources include the sender, by any address of the device.
    pub fn covers(&self, rule: &Rule, from: IpAddr) -> bool {
        let sources = self.tailnet.sources(&rule.src);
        let addresses = self
            .tailnet
            .owner(from)
            .map_or(vec![from], |device| device.addresses.clone());
        addresses.iter().any(|address| holds(&sources, *address))
    }

    /// Whether a device lets a packet in. Pings come in wherever a rule lets their source in at all (docs/policy-language.md#pings); a via
    /// grant never reaches an address that a device owns (docs/policy-language.md#via).
    pub fn admits(&self, device: usize, packet: Packet, attributes: Option<&Value>) -> bool {
        !self.because(device, packet, attributes).is_empty()
    }

    /// The rules by which a device lets a packet in.
    pub fn because(&self, device: usize, packet: Packet, attributes: Option<&Value>) -> Vec<usize> {
        let owned = self.tailnet.owner(packet.to).is_some();
        let lets = |received: &&Received| {
            let passes = received.admits(packet) || packet.is_ping() && received.touches(packet);
            passes && (!owned || self.rules[received.rule].via.is_empty())
        };
        self.filter(device, attributes)
            .filter(lets)
            .map(|received| received.rule)
            .collect()
    }

    /// Whether a packet passes: its possible receivers decide; where there is none, the rules do.
    pub fn passes(&self, packet: Packet, attributes: Option<&Value>) -> Answer {
        let receivers = self.receivers(packet.from, packet.to, attributes);
        let admitting = receivers
            .iter()
            .filter(|(device, _)| self.admits(*device, packet, attributes))
            .count();
        match receivers.len() {
            0 => self.rules_pass(packet, attributes).into(),
            // Of several exit nodes the source chooses one.
            _ if admitting > 0 && receivers.iter().all(|(_, way)| *way == Way::Exit) => {
                Answer::Allowed
            }
            all if all == admitting => Answer::Allowed,
            _ if admitting == 0 => Answer::Denied,
            _ => Answer::Unknown,
        }
    }

    /// Whether a packet passes in a test: by the policy as a whole, and by a via grant only where it goes through a device with
    /// the grant's tag.
    pub fn passes_test(&self, packet: Packet, attributes: Option<&Value>) -> bool {
        let receivers = self.receivers(packet.from, packet.to, attributes);
        let through = receivers
            .iter()
            .any(|(device, _)| self.admits(*device, packet, attributes));
        through || self.rules_pass(packet, attributes)
    }

    /// docs/policy-language.md#tests: by the policy as a whole, whoever receives. A via grant needs a device to go through.
    pub fn rules_pass(&self, packet: Packet, attributes: Option<&Value>) -> bool {
        let takes_in = |rule: &Rule, (to, opens): &(String, Vec<Opening>)| {
            let port = opens
                .iter()
                .any(|opening| opening.opens(packet.port, packet.protocol));
            let port = port || packet.is_ping() && !opens.is_empty();
            let reached = match to.as_str() {
                "autogroup:self" => self.own(rule, packet),
                _ => {
                    holds(&self.destination(to), packet.to)
                        && holds(&self.tailnet.sources(&rule.src), packet.from)
                }
            };
            port && reached
        };
        let mut rules = self.rules.iter().enumerate();
        rules.any(|(at, rule)| {
            rule.via.is_empty()
                && self.matches(at, attributes)
                && rule.dst.iter().any(|to| takes_in(rule, to))
        })
    }

    fn own(&self, rule: &Rule, packet: Packet) -> bool {
        let owner = self.tailnet.owner(packet.to);
        owner.is_some_and(|owner| holds(&self.own_sources(rule, owner), packet.from))
    }

    /// Whether every address of a source may reach some address of a destination (docs/policy-language.md#tests); nothing where either has none.
    pub fn reaches(
        &self,
        from: &[IpAddr],
        to: &[IpAddr],
        port: u16,
        protocol: u8,
        attributes: Option<&Value>,
    ) -> Option<Answer> {
        let one = |from: IpAddr| {
            let packets = to.iter().map(|to| Packet {
                from,
                to: *to,
                port,
                protocol,
            });
            packets.map(|packet| self.passes(packet, attributes)).max()
        };
        let each: Option<Vec<Answer>> = from.iter().map(|from| one(*from)).collect();
        each?.into_iter().min()
    }
}

fn own_addresses(device: &Device) -> Set {
    device.addresses.iter().copied().map(Span::one).collect()
}

fn overlaps_route(span: Span, device: &Device) -> bool {
    device.subnets.iter().any(|route| route.overlaps(span))
}
