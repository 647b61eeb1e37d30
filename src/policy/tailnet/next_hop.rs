//! Where a packet ends: the device that has the address, the routers that lead to it, or an exit node
//! (docs/policy-language.md#where-a-packet-ends), for sources that no `via` grant sends another way (docs/policy-language.md#via).
//! Must not live here: whether the packet is let in.

use crate::cidr::{Address, AddressSet, Prefix, Range};

use super::about::About;
use super::addresses::{internet, tailnet};
use super::context::DeviceIndex;
use super::endpoint::Endpoint;
use super::identity::Answer;
use super::network::{Network, ascending};
use super::routes::{Route, Routes};
use crate::hujson::Value;
use crate::policy::language::rule::{Rule, RuleId};
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::tables::sort;

/// Who receives what is sent to an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NextHop {
    /// Unknown: no devices are known.
    Unknown,
    /// The device that has the address.
    Owner(DeviceIndex),
    /// One of these, unknown which: they share the longest approved route, or it is unknown whether the source may use that one
    /// or must use a shorter one, and then all are listed under the longest.
    Routers(Prefix, Vec<DeviceIndex>),
    /// The same if it is unknown whether the source may use any of them, or any other device.
    PerhapsRouters(Prefix, Vec<DeviceIndex>),
    /// One of the exit nodes.
    Exits(Vec<DeviceIndex>),
    /// The same if it is unknown which of them the source may use.
    PerhapsExits(Vec<DeviceIndex>),
    /// No device leads there.
    Nobody,
}

impl NextHop {
    /// The answer for all that may receive: it is unknown which of some routers does, so they must agree; among several exit
    /// nodes the source chooses one.
    pub fn answer(&self, answers: impl Iterator<Item = Answer>) -> Answer {
        match self {
            NextHop::Exits(_) => answers.max().unwrap_or_default(),
            _ => Answer::agreed(answers),
        }
    }

    /// Whether it is unknown which devices the source may use, and whether any.
    pub fn is_perhaps(&self) -> bool {
        matches!(self, NextHop::PerhapsRouters(..) | NextHop::PerhapsExits(_))
    }

    /// Whether it is unknown which of several devices receives, or whether any.
    pub fn is_one_of(&self) -> bool {
        self.is_perhaps() || self.devices().len() > 1
    }

    /// The devices of which one receives.
    pub fn devices(&self) -> &[DeviceIndex] {
        match self {
            NextHop::Owner(device) => std::slice::from_ref(device),
            NextHop::Routers(_, devices)
            | NextHop::PerhapsRouters(_, devices)
            | NextHop::Exits(devices)
            | NextHop::PerhapsExits(devices) => devices,
            NextHop::Unknown | NextHop::Nobody => &[],
        }
    }
}

/// The assumed postures of a source device.
#[derive(Clone, Copy, Default, Debug)]
pub struct Given<'a> {
    /// Its posture attributes.
    pub attributes: Option<Value<'a>>,
    /// Additional postures that it has.
    pub postures: &'a [&'a str],
    /// The device that it is, whose own attributes count if none are given here.
    pub device: Option<DeviceIndex>,
}

impl Given<'_> {
    /// Whether it has one of the postures that a rule needs, if it needs any.
    pub fn fits(&self, network: &Network<'_>, rule: &Rule<'_>) -> Answer {
        let answers = rule
            .postures
            .iter()
            .map(|word| self.has(network, word.name()));
        answers.max().unwrap_or(Answer::Yes)
    }

    /// Whether it has a posture.
    pub fn has(&self, network: &Network<'_>, posture: &str) -> Answer {
        if self.postures.contains(&posture) {
            return Answer::Yes;
        }
        match (self.attributes, self.device) {
            (Some(attributes), _) => network.policy.has_posture(posture, attributes).into(),
            (None, Some(device)) => match network.attributes.posture_of(device, posture) {
                // Where nobody gives attributes, answers name the posture as what is missing.
                Answer::Unknown if network.context.attributes.is_none() => Answer::No,
                answer => answer,
            },
            (None, None) => Answer::No,
        }
    }
}

/// What the rules that may be about one source say about ways: destinations of `via` grants, and of all others, each with whether it
/// is about that source.
pub struct Steering<'a, 'p> {
    network: &'a Network<'p>,
    via: Vec<(&'a Rule<'p>, &'p Selector<'p>, Answer)>,
    plain: Vec<(&'p Selector<'p>, Answer)>,
}

/// What the rules say about one source and one route of a router.
#[derive(Clone, Copy, Default, Debug)]
pub struct Steered {
    /// Whether a `via` grant leads this way.
    pub here: Answer,
    /// Whether one leads another way.
    pub elsewhere: Answer,
    /// Whether a rule without `via` leads there by any router.
    pub freely: Answer,
}

impl Steered {
    /// Whether the source may use the router.
    pub fn is_kept(self) -> Answer {
        let kept = self.here.max(self.freely);
        kept.max(self.elsewhere.negated())
    }
}

impl<'p> About<'p> {
    /// Whether some rule has `via`.
    pub fn has_via(&self) -> bool {
        self.rules.iter().any(|rule| !rule.via.is_empty())
    }

    /// Who receives what an endpoint sends to an address.
    pub fn next_hop(
        &self,
        network: &Network<'p>,
        from: &Endpoint<'_>,
        to: Address,
        given: Given<'_>,
    ) -> NextHop {
        self.next_hop_of(network, from, to, &|rule| given.fits(network, rule))
    }

    /// The same for a source of which `fits` says whether it has a posture that a rule needs.
    #[inline(never)]
    pub fn next_hop_of(
        &self,
        network: &Network<'p>,
        from: &Endpoint<'_>,
        to: Address,
        fits: &dyn Fn(&Rule<'p>) -> Answer,
    ) -> NextHop {
        self.next_hop_by(network, &network.routes, from, to, fits)
    }

    /// The same if these routes were the ones that are approved.
    pub fn next_hop_by(
        &self,
        network: &Network<'p>,
        routes: &Routes,
        from: &Endpoint<'_>,
        to: Address,
        fits: &dyn Fn(&Rule<'p>) -> Answer,
    ) -> NextHop {
        if network.context.devices.is_none() {
            return NextHop::Unknown;
        }
        if let Some(owner) = network.device_at(to) {
            return NextHop::Owner(owner);
        }
        let steering = self.steering(network, from, fits);
        let mut found: Option<(Prefix, Vec<DeviceIndex>)> = None;
        let mut is_certain = false;
        for route in routes.leading_to(to) {
            let mut kept = Answer::No;
            for &router in &route.routers {
                let keeps = steering.of_route(router, route).is_kept();
                if keeps != Answer::No {
                    let (_, routers) = found.get_or_insert((route.prefix, Vec::new()));
                    routers.push(router);
                }
                kept = kept.max(keeps);
            }
            // If it is unknown whether any is kept, those of shorter routes may receive as well.
            is_certain = kept == Answer::Yes;
            if is_certain {
                break;
            }
        }
        let (mut exits, mut are_certain, mut is_served) = (Vec::new(), true, is_certain);
        let is_public = !is_certain && internet().contains(to);
        for exit in routes.exits_to(to).into_iter().filter(|_| is_public) {
            let keeps = steering.of_exit(exit, to).is_kept();
            are_certain &= keeps != Answer::Unknown;
            is_served |= keeps == Answer::Yes;
            if keeps != Answer::No {
                exits.push(exit);
            }
        }
        if let Some((prefix, mut routers)) = found {
            routers.append(&mut exits);
            let routers = ascending(routers);
            return match is_served {
                true => NextHop::Routers(prefix, routers),
                false => NextHop::PerhapsRouters(prefix, routers),
            };
        }
        match (exits.is_empty(), are_certain) {
            (true, _) => NextHop::Nobody,
            (_, true) => NextHop::Exits(exits),
            _ => NextHop::PerhapsExits(exits),
        }
    }

    /// The selectors that include a source by any address of its device: routes depend on the device.
    pub fn takers_of_sender(
        &self,
        network: &Network<'p>,
        from: &Endpoint<'_>,
    ) -> Vec<(usize, Answer)> {
        let Some(device) = from.device else {
            return self.sources.takers(network, from);
        };
        let mut takers = Vec::new();
        for mut end in network.endpoints_of_device(device) {
            end.identity = from.identity;
            takers.append(&mut self.sources.takers(network, &end));
        }
        sort::sort(&mut takers);
        takers.dedup();
        takers
    }

    /// What the rules say about the ways of one source; `fits` says whether it has a posture that a rule needs.
    pub fn steering<'a>(
        &'a self,
        network: &'a Network<'p>,
        from: &Endpoint<'_>,
        fits: &dyn Fn(&Rule<'p>) -> Answer,
    ) -> Steering<'a, 'p> {
        let mut steering = Steering {
            network,
            via: Vec::new(),
            plain: Vec::new(),
        };
        if !self.has_via() {
            return steering;
        }
        for (selector, answer) in self.takers_of_sender(network, from) {
            for &at in self.sources.uses(selector) {
                let Some(rule) = self.rule(RuleId(at)) else {
                    continue;
                };
                let answer = answer.min(fits(rule));
                if answer == Answer::No {
                    continue;
                }
                let mut add = |to| match rule.via.is_empty() {
                    true => steering.plain.push((to, answer)),
                    false => steering.via.push((rule, to, answer)),
                };
                match network.policy.dialect.steers_by_overlap() {
                    true => rule.destinations().for_each(add),
                    false => rule.openings().for_each(|opening| add(opening.to)),
                }
            }
        }
        steering
    }
}

impl Steering<'_, '_> {
    /// What is said about a route of a router. Sources covered by a `via` grant to an overlapping set use devices with its tag, unless
    /// a rule without `via` covers the whole route, too; for Headscale one that overlaps it is enough, and of several such devices
    /// the first alone leads.
    pub fn of_route(&self, router: DeviceIndex, route: &Route) -> Steered {
        let prefix = route.prefix;
        if self.network.policy.dialect.steers_by_overlap() {
            let set = AddressSet::from(prefix);
            let touches = |to: &Selector<'_>| self.overlaps(to, &set);
            let mut steered = self.decides(router, &touches, &touches);
            let mut moved = Answer::No;
            for (rule, to, answer) in &self.via {
                let mut routers = route.routers.iter();
                let first = routers.find(|own| self.has_tag(**own, rule.via));
                if first.is_some_and(|first| *first != router) && touches(to) {
                    moved = moved.max(*answer);
                }
            }
            steered.elsewhere = steered.elsewhere.max(moved.min(steered.here));
            steered.here = steered.here.min(moved.negated());
            return steered;
        }
        let set = |to: &Selector<'_>| self.network.set_of(to);
        let touches = |to: &Selector<'_>| {
            to.kind == Kind::Any || set(to).is_some_and(|set| set.overlaps(&prefix.into()))
        };
        let covers = |to: &Selector<'_>| {
            to.kind == Kind::Any || set(to).is_some_and(|set| set.covers_range(prefix))
        };
        self.decides(router, &touches, &covers)
    }

    /// The same for an exit node and the internet, in the family of an address.
    pub fn of_exit(&self, exit: DeviceIndex, address: Address) -> Steered {
        let all: AddressSet = Prefix::new(address, 0).into_iter().collect();
        let internet = |to: &Selector<'_>| to.kind == Kind::Autogroup(Autogroup::Internet);
        let frees = |to: &Selector<'_>| match self.network.policy.dialect.steers_by_overlap() {
            true => self.overlaps(to, &all),
            false => internet(to) || to.kind == Kind::Any,
        };
        self.decides(exit, &internet, &frees)
    }

    /// Whether a destination has an address of a route, for Headscale: `*` is the tailnet, and the internet leads to exit nodes alone.
    fn overlaps(&self, to: &Selector<'_>, route: &AddressSet) -> bool {
        let has = |device: &DeviceIndex| {
            let mut own = self.network.addresses(*device).iter();
            own.any(|own| route.contains(*own))
        };
        match to.kind {
            Kind::Any => route.overlaps(tailnet()),
            Kind::Autogroup(Autogroup::Internet | Autogroup::Own) => false,
            _ => match self.network.set_of(to) {
                Some(set) => set.overlaps(route),
                None => self.network.devices_of(to).iter().any(has),
            },
        }
    }

    /// The tags of the devices that alone lead the source to a range, where it is a route; none where every device may.
    pub fn tags_to(&self, route: Range) -> Vec<&str> {
        let set = |to: &Selector<'_>| self.network.set_of(to);
        let touches = |to: &Selector<'_>| {
            to.kind == Kind::Any || set(to).is_some_and(|set| set.overlaps(&route.into()))
        };
        let covers = |to: &Selector<'_>| {
            to.kind == Kind::Any || set(to).is_some_and(|set| set.covers_range(route))
        };
        self.tags(&touches, &covers)
    }

    /// The same of exit nodes and the internet.
    pub fn tags_to_exits(&self) -> Vec<&str> {
        let internet = |to: &Selector<'_>| to.kind == Kind::Autogroup(Autogroup::Internet);
        self.tags(&internet, &|to| internet(to) || to.kind == Kind::Any)
    }

    fn tags(
        &self,
        touches: &dyn Fn(&Selector<'_>) -> bool,
        frees: &dyn Fn(&Selector<'_>) -> bool,
    ) -> Vec<&str> {
        let mut plain = self.plain.iter();
        if plain.any(|(to, answer)| *answer == Answer::Yes && frees(to)) {
            return Vec::new();
        }
        let via = self.via.iter().filter(|(_, to, _)| touches(to));
        let tags = via.flat_map(|(rule, ..)| rule.via);
        let mut tags: Vec<&str> = tags.map(Selector::name).collect();
        sort::sort(&mut tags);
        tags.dedup();
        tags
    }

    /// Whether a source may certainly send to an address by a device, and by none with a longer route to it.
    pub fn leads(&self, routes: &Routes, to: Address, device: DeviceIndex) -> bool {
        for route in routes.leading_to(to) {
            let keeps = |router: &DeviceIndex| self.of_route(*router, route).is_kept();
            match route.routers.contains(&device) {
                true => return keeps(&device) == Answer::Yes,
                false if route.routers.iter().any(|it| keeps(it) != Answer::No) => return false,
                false => {}
            }
        }
        routes.exits_to(to).contains(&device) && self.of_exit(device, to).is_kept() == Answer::Yes
    }

    fn decides(
        &self,
        device: DeviceIndex,
        touches: &dyn Fn(&Selector<'_>) -> bool,
        frees: &dyn Fn(&Selector<'_>) -> bool,
    ) -> Steered {
        let mut steered = Steered::default();
        for (rule, to, answer) in &self.via {
            if touches(to) {
                let decided = match self.has_tag(device, rule.via) {
                    true => &mut steered.here,
                    false => &mut steered.elsewhere,
                };
                *decided = (*decided).max(*answer);
            }
        }
        for (to, answer) in &self.plain {
            if frees(to) {
                steered.freely = steered.freely.max(*answer);
            }
        }
        steered
    }

    fn has_tag(&self, device: DeviceIndex, tags: &[Selector<'_>]) -> bool {
        let own = device.of(self.network.devices);
        let own = own.map_or(&[][..], |device| device.tags());
        let mut tags = tags.iter();
        tags.any(|tag| own.iter().any(|own| own.trim() == tag.name()))
    }
}
