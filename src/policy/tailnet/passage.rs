//! Whether what a rule opens leads to a destination: past the routes, exit nodes and `via` tags on the way.
//! Must not live here: who receives (way.rs), ports, sources.

use crate::cidr::{Address, AddressSet, Prefix};

use super::addresses::internet;
use super::context::DeviceIndex;
use super::endpoint::{Endpoint, Place};
use super::flow::Judge;
use super::identity::{Answer, Identity};
use super::receivers::Targets;
use super::way::{Given, Way};
use crate::policy::language::rule::{Opening, Rule};
use crate::policy::language::selector::{Autogroup, Kind};

impl<'p> Judge<'p> {
    /// The devices that may receive, for one source with these postures, and one address that no device has; none if the rules as a whole
    /// decide.
    pub fn way_to(&self, from: &Endpoint<'_>, to: &Endpoint<'_>, postures: &[&str]) -> Option<Way> {
        let given = Given {
            postures,
            ..Given::default()
        };
        match (to.device, to.address()) {
            (None, Some(address)) => Some(self.about.way(&self.network, from, address, given)),
            _ => None,
        }
    }

    /// What an opening that includes a destination counts for, by the way to it: the answer at each device that may
    /// receive, or one answer if the rules as a whole decide.
    pub fn admits(
        &self,
        rule: &Rule<'p>,
        opening: &Opening<'p>,
        to: &Endpoint<'_>,
        way: Option<&Way>,
    ) -> Vec<Answer> {
        let (Some(way), Some(address)) = (way, to.address()) else {
            return vec![self.goes(rule, opening, std::slice::from_ref(to))];
        };
        let passes = |&device: &DeviceIndex| match (way, rule.via) {
            // A router receives every set that holds an address behind it.
            (Way::Owner(_) | Way::Routers(..), []) => Answer::Yes,
            _ => self.is_received(rule, opening, device, address).into(),
        };
        if !way.devices().is_empty() {
            return way.devices().iter().map(passes).collect();
        }
        // The rules as a whole decide where no device receives (docs/policy-language.md#tests).
        vec![match (rule.via, way) {
            ([], _) => Answer::Yes,
            (_, Way::Unknown) if to.identity == Identity::Nobody => Answer::Unknown,
            _ => Answer::No,
        }]
    }

    /// Whether a rule is about a destination that no single route decides: a device, or a set of addresses.
    pub fn goes(&self, rule: &Rule<'p>, opening: &Opening<'p>, to: &[Endpoint<'_>]) -> Answer {
        if rule.via.is_empty() {
            return match to {
                [end] => self.leaves_by_exits(opening, end),
                _ => Answer::Yes,
            };
        }
        // What a device has for itself is never reached by way of another.
        let [end] = to else {
            return Answer::No;
        };
        match &end.place {
            Place::All(_) if self.network.context.devices.is_none() => Answer::Unknown,
            Place::All(set) => self.goes_through(rule, opening, set),
            _ => Answer::No,
        }
    }

    /// Whether the exit nodes, if any, let through the part of a set that lies in the internet: they receive only sets that
    /// lie there as a whole.
    fn leaves_by_exits(&self, opening: &Opening<'p>, end: &Endpoint<'_>) -> Answer {
        let network = &self.network;
        let Place::All(set) = &end.place else {
            return Answer::Yes;
        };
        let is_received = matches!(
            opening.to.kind,
            Kind::Any | Kind::Autogroup(Autogroup::Internet)
        );
        if is_received || network.routes.exits.is_empty() || !set.overlaps(internet()) {
            return Answer::Yes;
        }
        let outside = set.intersect(internet()).minus(&network.inside);
        let mut nets = network.written(opening.to).unwrap_or_default().into_iter();
        let fits = nets.all(|net| {
            let range = net.range();
            range.is_none_or(|range| network.is_internet(range) || !outside.overlaps(&range.into()))
        });
        fits.into()
    }

    /// Whether all of a set is reached through devices with one of the tags of a rule: an address that a device itself has
    /// never is; if a route of another device leads to a part, it is unknown.
    fn goes_through(&self, rule: &Rule<'p>, opening: &Opening<'p>, set: &AddressSet) -> Answer {
        let network = &self.network;
        let tagged = network.all_devices_of(rule.via);
        let is_tagged = |device: &DeviceIndex| tagged.binary_search(device).is_ok();
        let internet = opening.to.kind == Kind::Autogroup(Autogroup::Internet);
        let (mut whole, mut others) = (false, false);
        for range in set.ranges() {
            if !network.holders(range).is_empty() {
                return Answer::No;
            }
            network.routes.overlapping(range, &mut |route| {
                let covers = AddressSet::from(route.prefix).covers(set);
                whole |= covers && !internet && route.routers.iter().any(is_tagged);
                for router in &route.routers {
                    // Devices without the tag lose the route, except for sources that another rule covers.
                    others |= match is_tagged(router) {
                        true => internet && network.routes.exits.binary_search(router).is_err(),
                        false => self.covers_without_via(route.prefix),
                    };
                }
            });
        }
        whole |= internet && network.routes.exits.iter().any(is_tagged);
        match (whole, others) {
            (false, _) => Answer::No,
            (true, true) => Answer::Unknown,
            (true, false) => Answer::Yes,
        }
    }

    /// Whether a rule without `via` leads to all of a prefix.
    fn covers_without_via(&self, prefix: Prefix) -> bool {
        let mut openings = self.about.openings.iter();
        openings.any(|(id, opening)| {
            let is_plain = self.about.rule(*id).is_some_and(|rule| rule.via.is_empty());
            let covers = || match opening.to.kind {
                Kind::Any => true,
                _ => self
                    .network
                    .set_of(opening.to)
                    .is_some_and(|set| set.covers_range(prefix)),
            };
            is_plain && covers()
        })
    }

    /// Whether a device receives an address through an opening, as in its packet filter.
    fn is_received(
        &self,
        rule: &Rule<'p>,
        opening: &Opening<'p>,
        device: DeviceIndex,
        address: Address,
    ) -> bool {
        let receivers = match rule.via {
            [] => match self.network.targets(opening.to) {
                Targets::Everyone(_) => return true,
                Targets::Some(receivers) => receivers,
            },
            tags => self.network.via(tags, opening.to),
        };
        let mut receivers = receivers.iter();
        receivers.any(|(own, net)| *own == device && net.contains(address))
    }
}
