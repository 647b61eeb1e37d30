//! Whether rules let traffic pass from some machines to others, as far as text and topology tell.
//! Judged by rule, not by device: `tests` and `explain` ask this. Must not live here: packet filters, ssh.

use crate::cidr::{Address, AddressSet};
use crate::hujson::Value;

use super::addresses::{of_some_device, tailnet};
use super::by_source::BySource;
use super::document::Policy;
use super::identity::{Answer, Identity};
use super::ports::{PortSpec, Ports, Protocol};
use super::reference::Rule;
use super::selector::{Autogroup, Kind, Selector};
use super::topology::{Device, Topology};

/// One end of a flow: an address where it is known, and who has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Endpoint<'a> {
    /// `None` for a device of the tailnet that is only supposed.
    pub address: Option<Address>,
    /// Who has it.
    pub identity: Identity<'a>,
}

/// What is to pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Traffic<'a> {
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
pub(super) struct Judge<'p> {
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
            let routes = devices.iter().flat_map(|device| &device.routes);
            // Exit routes are no subnets.
            routes.filter(|route| route.length() > 0).copied().collect()
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
            return (!targets.is_empty()).into();
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
        let selects =
            |end: &Endpoint<'_>| Answer::any(rule.sources().iter().map(|s| self.source(s, *end)));
        // Most rules end here.
        if Answer::any(sources.iter().map(selects)) == Answer::No {
            return Vec::new();
        }
        let posture = Answer::from(self.policy.posture_holds(rule.postures(), attributes));
        let about: Vec<Answer> = sources
            .iter()
            .map(|end| selects(end).min(posture))
            .collect();
        let mut passes = vec![Answer::No; sources.len()];
        rule.each_target(|selector, fits| {
            if !fits(traffic) {
                return;
            }
            let from = |source: Endpoint<'_>| {
                let to = |target: &Endpoint<'_>| self.target(rule, selector, source, *target);
                Answer::any(targets.iter().map(to))
            };
            // Only `autogroup:self` depends on the source; what does not is asked once.
            let own = selector.kind == Kind::Autogroup(Autogroup::Own);
            let same = sources.first().filter(|_| !own).map(|source| from(*source));
            for ((source, about), passes) in sources.iter().zip(&about).zip(&mut passes) {
                let target = same.unwrap_or_else(|| from(*source));
                *passes = target.min(*about).max(*passes);
            }
        });
        passes
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
        let via = match rule {
            Rule::Grant(_, grant) if !grant.via.is_empty() => self.via(&grant.via, to),
            _ => Answer::Yes,
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
pub(super) fn own(from: Identity<'_>, to: Identity<'_>) -> Answer {
    match (from, to) {
        (Identity::User(from), Identity::User(to)) => (from == to).into(),
        (Identity::Unknown, Identity::Unknown | Identity::User(_))
        | (Identity::User(_), Identity::Unknown) => Answer::Unknown,
        _ => Answer::No,
    }
}

impl<'p> Rule<'p> {
    /// Hands over each destination, with a question whether it comes with some traffic.
    fn each_target(self, mut take: impl FnMut(&Selector<'p>, &dyn Fn(Traffic<'_>) -> bool)) {
        match self {
            Rule::Acl(_, rule) => {
                let protocol = rule.protocol.as_ref().map(|p| p.protocol.as_ref().ok());
                for destination in &rule.destinations {
                    let Ok(ports) = &destination.ports else {
                        continue;
                    };
                    take(&destination.host, &|traffic| match protocol {
                        None => opens(None, ports, traffic),
                        Some(known) => known.is_some_and(|p| opens(Some(*p), ports, traffic)),
                    });
                }
            }
            Rule::Grant(_, grant) => {
                for destination in &grant.destinations {
                    take(destination, &|traffic| {
                        let mut specs =
                            grant.ip.iter().filter_map(|entry| entry.spec.as_ref().ok());
                        specs.any(|spec| spec.opens(traffic))
                    });
                }
            }
        }
    }
}

impl PortSpec {
    /// Whether the traffic passes.
    pub(super) fn opens(&self, traffic: Traffic<'_>) -> bool {
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
