//! The packet filter of each device: what it lets in, from whom (docs/policy-language.md#which-devices-receive-a-rule).
//! Must not live here: which devices a selector means, ssh.

use std::rc::Rc;

use crate::tables::sort;
use serde::{Serialize, Serializer};

use super::language::document::{Capability, Policy};
use super::language::json::{Json, PlainJson};
use super::language::known::returned;
use super::language::ports::{PortRange, Ports, Protocol};
use super::language::rule::{Rule, RuleOpening};
use super::language::selector::{Autogroup, Kind, Selector};
use super::tailnet::context::{Device, DeviceIndex, PolicyContext};
use super::tailnet::identity::Answer;
use super::tailnet::net::Net;
use super::tailnet::network::{Network, sorted};
use super::tailnet::receivers::{Targets, without_own};
use super::tailnet::sources::Sources;
use crate::tables::index::{Index, Lists, Numbers};

/// One rule of a device's packet filter: these sources may reach these destinations, or hold these capabilities there.
/// The order of rules and of their lists has no meaning.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct FilterRule {
    /// Who may send; sorted, without repeats.
    #[serde(serialize_with = "serialize_nets")]
    pub src: Rc<[Net]>,
    /// The destinations; for a capability, the addresses of the device that have it, with all ports.
    pub dst: Vec<FilterTarget>,
    /// Protocol numbers, always written out; empty for a capability.
    pub proto: Vec<u8>,
    /// The capability with its values, `null` if the service gives it by itself.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "serialize_app"
    )]
    pub app: Option<Rc<(String, PlainJson)>>,
}

/// One destination of a filter rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct FilterTarget {
    /// The addresses.
    pub net: Net,
    /// The ports.
    #[serde(serialize_with = "serialize_ports")]
    pub ports: PortRange,
}

fn serialize_nets<S: Serializer>(nets: &Rc<[Net]>, serializer: S) -> Result<S::Ok, S::Error> {
    nets.serialize(serializer)
}

fn serialize_app<S: Serializer>(
    app: &Option<Rc<(String, PlainJson)>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(app.as_deref().map(|(name, values)| (name, values)))
}

fn serialize_ports<S: Serializer>(ports: &PortRange, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(ports)
}

impl Policy<'_> {
    /// The packet filter of every device of the context, in the context's order; an empty one lets nothing in.
    ///
    /// Takes time in rules × distinct destinations and in the size of the answer, not in pairs of devices.
    #[inline(never)]
    pub fn filters(&self, context: &PolicyContext) -> Vec<Vec<FilterRule>> {
        let network = Network::new(self, context);
        let mut filters = Filters::new(&network);
        if self.allows_all() {
            let anyone = match self.dialect.no_rules_let_in_all() {
                true => vec![Net::All],
                false => network.anyone(),
            };
            let anyone = filters.sources.place(anyone);
            filters.everyone(Grade::network(anyone, None), Net::All, PortRange::ALL);
        }
        for rule in self.rules() {
            filters.add(&rule);
        }
        filters.finish()
    }
}

/// What one filter rule has in common: entries that agree in it are one rule.
#[derive(Clone, Copy)]
struct Grade {
    /// The place of the sources among the interned ones.
    sources: usize,
    kind: GradeKind,
}

#[derive(Clone, Copy)]
enum GradeKind {
    Network(Option<Protocol>),
    /// A capability and the place of its values among the interned ones.
    App(usize),
}

impl Grade {
    fn network(sources: usize, protocol: Option<Protocol>) -> Grade {
        Grade {
            sources,
            kind: GradeKind::Network(protocol),
        }
    }

    fn app(sources: usize, app: usize) -> Grade {
        Grade {
            sources,
            kind: GradeKind::App(app),
        }
    }

    /// A number of its own: a capability has an odd lower half.
    fn number(self) -> u64 {
        let kind = match self.kind {
            GradeKind::Network(None) => 0,
            GradeKind::Network(Some(protocol)) => 2 + 2 * u64::from(protocol.0),
            GradeKind::App(app) => 1 + 2 * app as u64,
        };
        (self.sources as u64) << 32 | kind
    }
}

/// The filters under construction.
struct Filters<'n, 'p> {
    network: &'n Network<'p>,
    devices: Vec<DeviceFilter>,
    sources: Sources<'n, 'p>,
    apps: Vec<Rc<(String, PlainJson)>>,
    /// What a destination selector means, asked once for each text.
    targets: Vec<Rc<Targets>>,
    by_target: Index<'p>,
    /// The same for capabilities.
    capable: Vec<Rc<[(DeviceIndex, Net)]>>,
    by_capable: Index<'p>,
}

#[derive(Default)]
struct DeviceFilter {
    grades: Numbers,
    rules: Vec<(Grade, Vec<FilterTarget>)>,
}

impl DeviceFilter {
    #[inline(never)]
    fn add(&mut self, grade: Grade, target: FilterTarget) {
        let at = self.grades.place(grade.number(), self.rules.len());
        match self.rules.get_mut(at) {
            Some((_, targets)) => targets.push(target),
            None => self.rules.push((grade, vec![target])),
        }
    }
}

impl<'n, 'p> Filters<'n, 'p> {
    fn new(network: &'n Network<'p>) -> Self {
        let mut devices = Vec::new();
        devices.resize_with(network.devices.len(), DeviceFilter::default);
        Filters {
            network,
            devices,
            sources: Sources::new(network),
            apps: Vec::new(),
            targets: Vec::new(),
            by_target: Index::default(),
            capable: Vec::new(),
            by_capable: Index::default(),
        }
    }

    fn intern_app(&mut self, name: &str, values: &Json) -> usize {
        let app = (name.to_owned(), values.plain());
        let known = self.apps.iter().position(|known| **known == app);
        known.unwrap_or_else(|| {
            self.apps.push(Rc::new(app));
            self.apps.len() - 1
        })
    }

    fn add(&mut self, rule: &Rule<'p>) {
        let sources = match rule.postures {
            [] => self.sources.of(rule.sources),
            wanted => {
                let nets = self.network.sources_with(rule.sources, wanted);
                // Nobody is known to have the posture: the service sends what it knows of attributes.
                if nets.is_empty() {
                    return;
                }
                self.sources.place(nets)
            }
        };
        // A rule of the network without sources reaches no device, one of capabilities does.
        if !self.sources.get(sources).is_empty() {
            self.add_openings(rule, sources);
        }
        if rule.via.is_empty() && !rule.sources.is_empty() {
            for capability in rule.app {
                self.add_capability(rule, sources, capability);
            }
        }
    }

    fn add_openings(&mut self, rule: &Rule<'p>, sources: usize) {
        for opening in rule.openings() {
            if rule.via.is_empty() {
                self.reach(rule, sources, opening);
            } else {
                let receivers = self.network.via(rule.via, opening.to);
                let grade = Grade::network(sources, opening.protocol);
                self.each(grade, &receivers, opening.ports);
            }
        }
    }

    /// What one destination of a rule adds.
    fn reach(&mut self, rule: &Rule<'p>, sources: usize, opening: RuleOpening<'p>) {
        let RuleOpening {
            to,
            protocol,
            ports,
        } = opening;
        if to.kind == Kind::Autogroup(Autogroup::Own) {
            for own in self.own_devices(rule) {
                let sources = self.sources.place(own.sources);
                let receivers = self.network.each_own(&own.devices);
                self.each(Grade::network(sources, protocol), &receivers, ports);
            }
            return;
        }
        let grade = Grade::network(sources, protocol);
        match &*self.targets_of(to) {
            Targets::Everyone(net) => {
                for range in ports.ranges() {
                    self.everyone(grade, *net, *range);
                }
            }
            Targets::Some(receivers) => self.each(grade, receivers, ports),
        }
    }

    fn targets_of(&mut self, to: &'p Selector<'p>) -> Rc<Targets> {
        let at = self.by_target.place(to.name(), self.targets.len());
        if let Some(known) = self.targets.get(at) {
            return known.clone();
        }
        let targets = Rc::new(self.network.targets(to));
        self.targets.push(targets.clone());
        targets
    }

    fn everyone(&mut self, grade: Grade, net: Net, ports: PortRange) {
        for device in &mut self.devices {
            device.add(grade, FilterTarget { net, ports });
        }
    }

    #[inline(never)]
    fn each(&mut self, grade: Grade, receivers: &[(DeviceIndex, Net)], ports: &Ports) {
        for &(device, net) in receivers {
            if let Some(device) = device.of_mut(&mut self.devices) {
                for &ports in ports.ranges() {
                    device.add(grade, FilterTarget { net, ports });
                }
            }
        }
    }

    /// The devices that get a capability receive it, and if the service returns one, so do the sources, with
    /// the directions swapped.
    fn add_capability(&mut self, rule: &Rule<'p>, sources: usize, capability: &Capability<'p>) {
        let name = capability.name.name();
        let to: Vec<Selector<'p>> = rule.destinations().copied().collect();
        let (mut others, own) = without_own(&to);
        others.retain(|to| self.network.may_be_capable(to));
        let app = self.intern_app(name, &Json::of(capability.values));
        let grade = Grade::app(sources, app);
        for to in &others {
            let receivers = self.capable(to);
            self.each(grade, &receivers, &Ports::One(PortRange::ALL));
        }
        if own {
            self.own_app(rule, app);
        }
        let Some(returned) = returned(name) else {
            return;
        };
        let app = self.intern_app(returned, &Json::Literal("null".to_owned()));
        if !others.is_empty() {
            let grade = Grade::app(self.sources.of(&others), app);
            for sender in rule.sources {
                let mut receivers = self.capable(sender).to_vec();
                receivers.retain(|(device, _)| self.has_posture(*device, rule));
                self.each(grade, &receivers, &Ports::One(PortRange::ALL));
            }
        }
        if own {
            self.own_app(rule, app);
        }
    }

    /// Whether a device certainly has the posture that a rule asks of its sources.
    fn has_posture(&self, device: DeviceIndex, rule: &Rule<'_>) -> bool {
        self.network.attributes.has_posture(device, rule.postures) == Answer::Yes
    }

    fn own_app(&mut self, rule: &Rule<'p>, app: usize) {
        for own in self.own_devices(rule) {
            let grade = Grade::app(self.sources.place(own.sources), app);
            let receivers = self.network.each_own(&own.devices);
            self.each(grade, &receivers, &Ports::One(PortRange::ALL));
        }
    }

    fn capable(&mut self, to: &Selector<'p>) -> Rc<[(DeviceIndex, Net)]> {
        let at = self.by_capable.place(to.name(), self.capable.len());
        if let Some(known) = self.capable.get(at) {
            return known.clone();
        }
        let receivers: Rc<[_]> = self.network.capable(to).into();
        self.capable.push(receivers.clone());
        receivers
    }

    /// For `autogroup:self`: each user's devices, and those of them that the sources select.
    fn own_devices(&self, rule: &Rule<'_>) -> Vec<OwnDevices> {
        let mut asking = Lists::default();
        let mut senders = self.network.all_devices_of(rule.sources);
        senders.retain(|device| self.has_posture(*device, rule));
        for device in senders {
            if let Some(login) = device.of(self.network.devices).and_then(Device::user) {
                asking.add(login, device);
            }
        }
        let mut own = Vec::with_capacity(asking.all().len());
        for asking in asking.all() {
            let first = asking
                .first()
                .and_then(|device| device.of(self.network.devices));
            let devices = first
                .and_then(Device::user)
                .map(|login| self.network.of_user(login));
            own.push(OwnDevices {
                sources: sorted(self.network.own_nets(asking)),
                devices: devices.unwrap_or_default().to_vec(),
            });
        }
        own
    }

    fn finish(self) -> Vec<Vec<FilterRule>> {
        let mut filters = Vec::with_capacity(self.devices.len());
        for device in self.devices {
            let mut rules = Vec::with_capacity(device.rules.len());
            for (grade, mut dst) in device.rules {
                sort::sort(&mut dst);
                dst.dedup();
                let (proto, app) = match grade.kind {
                    GradeKind::Network(protocol) => (numbers(protocol), None),
                    GradeKind::App(app) => (Vec::new(), self.apps.get(app).cloned()),
                };
                rules.push(FilterRule {
                    src: self.sources.get(grade.sources),
                    dst,
                    proto,
                    app,
                });
            }
            filters.push(rules);
        }
        filters
    }
}

/// The devices of one user, and the addresses of those that a rule selects.
struct OwnDevices {
    sources: Vec<Net>,
    devices: Vec<DeviceIndex>,
}

fn numbers(protocol: Option<Protocol>) -> Vec<u8> {
    let own = protocol.as_ref().map(std::slice::from_ref);
    let all = own.unwrap_or(&Protocol::DEFAULT).iter();
    all.map(|protocol| protocol.0).collect()
}
