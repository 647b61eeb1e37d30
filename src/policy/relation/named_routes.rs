//! By the texts alone: which routes there may be, and whether a `via` grant takes one of them away from a rule without it
//! (docs/policy-language.md#via). Must not live here: the routes of known devices (perhaps.rs), what differs (compare.rs).

use super::condition::Why;
use super::hit::Hit;
use super::ids::ClassId;
use super::pair::Pair;
use super::postures::fits;
use super::reach::Shared;
use super::reading::Reading;
use crate::cidr::{AddressSet, Prefix, Range};
use crate::policy::findings::words::joined;
use crate::policy::tailnet::addresses::{internet, tailnet};
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::next_hop::Given;
use crate::policy::tailnet::party::Side;
use crate::tables::sort;

impl<'p> Pair<'_, 'p> {
    /// The routes that either text names, as the destination of a rule or to be approved; none where devices are known, or no rule has `via`.
    pub fn named_routes(&self) -> Vec<Range> {
        let mut routes = Vec::new();
        let readings = self.reaches.map(|reach| reach.reading);
        let is_asked = |it: &&_| Self::is_by_text(it);
        if !readings.iter().all(is_asked) || !readings.iter().any(|it| it.judge.has_via) {
            return routes;
        }
        for reading in readings {
            let network = reading.network;
            let named = reading.named(Side::Destination).selectors.iter();
            let sets = named.filter_map(|selector| network.set_of(selector));
            routes.extend(sets.flat_map(|set| set.ranges().collect::<Vec<_>>()));
            let approved = network.policy.auto_approvers.routes.iter();
            let approved = approved.filter_map(|(prefix, _)| prefix.name().parse::<Prefix>().ok());
            routes.extend(approved.map(Range::from));
        }
        // No route leads to addresses of the tailnet, and a default route is an exit node's.
        routes.retain(|route| {
            let is_all = AddressSet::everything().ranges().any(|all| all == *route);
            !is_all && !tailnet().overlaps(&(*route).into())
        });
        sort::sort_by(&mut routes, |a, b| {
            (a.first(), a.last()).cmp(&(b.first(), b.last()))
        });
        routes.dedup();
        routes
    }

    fn is_by_text(reading: &Reading<'p>) -> bool {
        !reading.knows_devices()
            && !reading.is_ssh
            && !reading.network.policy.dialect.steers_by_overlap()
    }

    /// Leaves undecided what rules without `via` open where a `via` grant may lead the source another way.
    pub fn leave_to_routes(
        &self,
        (at, source): (usize, ClassId),
        routes: &[Range],
        hits: &mut [Hit],
        shared: &mut Shared<'p>,
    ) {
        let (Some(reach), Some(class)) = (self.reaches.get(at), self.from.list.get(source)) else {
            return;
        };
        let (reading, end) = (reach.reading, class.endpoints.get(at));
        let Some(from) = end.and_then(Option::as_ref).filter(|_| !routes.is_empty()) else {
            return;
        };
        let (network, about) = (reading.network, &reading.judge.about);
        let steering = about.steering(network, from, &|rule| {
            fits(network, from, Given::default(), rule)
        });
        for hit in hits {
            let rule = hit.rule.and_then(|rule| about.rules.get(rule));
            let place = self.to.list.get(hit.to);
            let place = place.and_then(|place| place.endpoints.get(at)?.as_ref());
            let is_free = rule.is_some_and(|rule| rule.via.is_empty());
            let address = place.and_then(|place| place.address()).filter(|_| is_free);
            let Some(address) = address else {
                continue;
            };
            let mut ways = String::new();
            for route in routes
                .iter()
                .filter(|route| route.first() <= address && address <= route.last())
            {
                add(
                    &mut ways,
                    &Net::Range(*route).to_string(),
                    steering.tags_to(*route),
                );
            }
            if internet().contains(address) {
                add(&mut ways, "", steering.tags_to_exits());
            }
            if !ways.is_empty() {
                let key = joined(&["by route\0", &ways]);
                let fact = shared.conditions.undecided(Why::Routes, &key);
                let way = shared.conditions.term(vec![fact]);
                hit.term = shared.conditions.both(hit.term, way);
            }
        }
    }
}

/// Adds a route that only devices with some tags may lead to.
fn add(ways: &mut String, route: &str, tags: Vec<&str>) {
    if !tags.is_empty() {
        ways.push_str(&joined(&[route, " ", &tags.join(","), "\n"]));
    }
}
