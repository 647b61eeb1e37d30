//! Whether rules let traffic pass from some machines to others, as far as text and topology tell.
//! Judged by rule, not by device: `tests` and `explain` ask this. Must not live here: packet filters, ssh.

use crate::cidr::{Address, AddressSet, Range};
use crate::hujson::Value;

use super::addresses::{of_some_device, set_of, tailnet};
use super::by_source::BySource;
use super::identity::{Answer, Identity};
use super::topology::{Device, Topology};
use crate::policy::language::document::Policy;
use crate::policy::language::ports::{PortRange, PortSpec, Ports, Protocol};
use crate::policy::language::rule::Rule;
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// One end of a flow: an address where it is known, and who has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Endpoint<'a> {
    /// `None` for a device of the tailnet that is only supposed.
    pub address: Option<Address>,
    /// Who has it.
    pub identity: Identity<'a>,
}

/// What is to pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Traffic<'a> {
    /// One of these is enough.
    pub protocols: &'a [Protocol],
    /// The port; of no account for ICMP.
    pub port: u16,
}

impl Traffic<'_> {
    /// A device answers pings of whoever may reach it at all (policy-language.md 4).
    fn is_ping(&self) -> bool {
        let ping = |protocol| matches!(protocol, &Protocol::ICMP | &Protocol::ICMPV6);
        self.protocols.iter().all(ping)
    }
}

/// Judges flows under one policy in one topology.
pub(crate) struct Judge<'p> {
    pub policy: &'p Policy<'p>,
    pub topology: &'p Topology,
    /// Approved routes of all devices, which `*` as a source takes in; `None` without devices.
    routes: Option<AddressSet>,
    rules: BySource<'p>,
}

impl<'p> Judge<'p> {
    #[inline(never)]
    pub fn new(policy: &'p Policy<'p>, topology: &'p Topology) -> Judge<'p> {
        let routes = topology.devices.as_ref().map(|devices| {
            let mut routes = Vec::new();
            for device in devices {
                for &route in &device.routes {
                    // Exit routes are no subnets.
                    if route.length() > 0 {
                        routes.push(Range::from(route));
                    }
                }
            }
            set_of(routes)
        });
        Judge {
            policy,
            topology,
            routes,
            rules: BySource::new(policy),
        }
    }

    /// Whether every source may reach some target.
    pub fn reaches(
        &self,
        sources: &[Endpoint<'_>],
        targets: &[Endpoint<'_>],
        traffic: Traffic<'_>,
        attributes: Option<Value<'_>>,
    ) -> Answer {
        if self.policy.allows_all() {
            // As if one rule said so, which without a protocol is about the default ones.
            let passes = opens(None, &Ports::One(PortRange::ALL), traffic);
            let mut all = Answer::from(passes && !targets.is_empty());
            for source in sources {
                all = all.min(self.in_tailnet(*source));
            }
            return all;
        }
        let mut best = vec![Answer::No; sources.len()];
        for rule in self.rules.about(sources) {
            let passes = self.passes(rule, sources, targets, traffic, attributes);
            for (best, passes) in best.iter_mut().zip(passes) {
                *best = passes.max(*best);
            }
        }
        best.into_iter().min().unwrap_or(Answer::No)
    }

    /// For each source, whether one rule lets it reach some target; nothing for a rule that is about none of them.
    pub fn passes(
        &self,
        rule: Rule<'_>,
        sources: &[Endpoint<'_>],
        targets: &[Endpoint<'_>],
        traffic: Traffic<'_>,
        attributes: Option<Value<'_>>,
    ) -> Vec<Answer> {
        let mut about = Vec::with_capacity(sources.len());
        for end in sources {
            about.push(self.selects(rule, *end));
        }
        // Most rules end here.
        if about.iter().all(|about| *about == Answer::No) {
            return Vec::new();
        }
        let posture = Answer::from(self.policy.posture_holds(rule.postures, attributes));
        let mut passes = Vec::new();
        passes.resize(sources.len(), Answer::No);
        for selector in rule.opened(traffic) {
            // Only `autogroup:self` depends on the source; what does not is asked once.
            let own = selector.kind == Kind::Autogroup(Autogroup::Own);
            let mut same = None;
            for ((source, about), passes) in sources.iter().zip(&about).zip(&mut passes) {
                let target = match same {
                    Some(same) if !own => same,
                    _ => self.some_target(rule, selector, *source, targets),
                };
                same = Some(target);
                *passes = target.min(*about).min(posture).max(*passes);
            }
        }
        passes
    }

    /// Whether some source of a rule takes in this end.
    fn selects(&self, rule: Rule<'_>, end: Endpoint<'_>) -> Answer {
        let mut best = Answer::No;
        for source in rule.sources {
            best = best.max(self.source(source, end));
            if best == Answer::Yes {
                break;
            }
        }
        best
    }

    fn some_target(
        &self,
        rule: Rule<'_>,
        selector: &Selector<'_>,
        from: Endpoint<'_>,
        targets: &[Endpoint<'_>],
    ) -> Answer {
        let mut best = Answer::No;
        for to in targets {
            best = best.max(self.target(rule, selector, from, *to));
            if best == Answer::Yes {
                break;
            }
        }
        best
    }

    /// Whether a selector read as a source takes in this end.
    pub fn source(&self, selector: &Selector<'_>, end: Endpoint<'_>) -> Answer {
        match selector.kind {
            Kind::Any => self.in_tailnet(end),
            Kind::Autogroup(Autogroup::DangerAll) => Answer::Yes,
            Kind::Autogroup(Autogroup::Internet | Autogroup::Own) => Answer::No,
            _ => self.either(selector, end),
        }
    }

    /// `*` as a source: devices, and what stands behind their approved routes (policy-language.md 6).
    fn in_tailnet(&self, end: Endpoint<'_>) -> Answer {
        let Some(address) = end.address else {
            return Answer::Yes;
        };
        match &self.routes {
            _ if tailnet().contains(address) => Answer::Yes,
            Some(routes) => routes.contains(address).into(),
            None => Answer::Unknown,
        }
    }

    /// Whether a selector of a rule, read as a destination, takes in this end for traffic from that one.
    pub fn target(
        &self,
        rule: Rule<'_>,
        selector: &Selector<'_>,
        from: Endpoint<'_>,
        to: Endpoint<'_>,
    ) -> Answer {
        let via = match rule.via {
            [] => Answer::Yes,
            tags => self.via(tags, to),
        };
        let selected = match selector.kind {
            Kind::Any => Answer::Yes,
            Kind::Autogroup(Autogroup::Own) => own(from.identity, to.identity),
            _ => self.either(selector, to),
        };
        selected.min(via)
    }

    /// A grant with `via` reaches what lies behind an approved route of a device with one of the tags.
    fn via(&self, tags: &[Selector<'_>], to: Endpoint<'_>) -> Answer {
        let (Some(devices), Some(address)) = (&self.topology.devices, to.address) else {
            return Answer::Unknown;
        };
        let passes = |device: &Device| {
            let identity = Identity::from(device);
            let mut tags = tags.iter();
            let tagged = tags
                .any(|tag| identity.selected_by(tag, self.policy, self.topology) == Answer::Yes);
            tagged && device.routes.iter().any(|route| route.contains(address))
        };
        devices.iter().any(passes).into()
    }

    /// By identity, or by address where the selector stands for addresses.
    fn either(&self, selector: &Selector<'_>, end: Endpoint<'_>) -> Answer {
        let held = match end.address {
            Some(address) => self.policy.holds(selector, address).map(Answer::from),
            None => self
                .policy
                .addresses(selector)
                .map(|set| of_some_device(&set)),
        };
        let by_identity = || {
            end.identity
                .selected_by(selector, self.policy, self.topology)
        };
        held.unwrap_or_else(by_identity)
    }
}

/// `autogroup:self`: both ends are untagged devices of one user.
pub(crate) fn own(from: Identity<'_>, to: Identity<'_>) -> Answer {
    match (from, to) {
        (Identity::User(from), Identity::User(to)) => (from == to).into(),
        (Identity::Unknown, Identity::Unknown | Identity::User(_))
        | (Identity::User(_), Identity::Unknown) => Answer::Unknown,
        _ => Answer::No,
    }
}

impl<'p> Rule<'p> {
    /// The destinations that come with some traffic.
    fn opened(self, traffic: Traffic<'_>) -> Vec<&'p Selector<'p>> {
        let mut opened: Vec<&Selector<'_>> = Vec::new();
        for opening in self.openings() {
            if opens(opening.protocol, opening.ports, traffic) {
                opened.push(opening.to);
            }
        }
        opened
    }
}

impl PortSpec {
    /// Whether the traffic passes.
    pub(crate) fn opens(&self, traffic: Traffic<'_>) -> bool {
        opens(self.protocol, &self.ports, traffic)
    }
}

/// Whether ports of a protocol, or of the default ones, let the traffic pass.
fn opens(protocol: Option<Protocol>, ports: &Ports, traffic: Traffic<'_>) -> bool {
    if traffic.is_ping() {
        return true;
    }
    let own = protocol.as_ref().map(std::slice::from_ref);
    let own = own.unwrap_or(&Protocol::DEFAULT);
    let mut wanted = traffic.protocols.iter();
    wanted.any(|wanted| own.contains(wanted)) && ports.contains(traffic.port)
}
