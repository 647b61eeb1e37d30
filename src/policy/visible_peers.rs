//! Which devices see each other (docs/policy-language.md#visibility).
//! Must not live here: how filters are made.

use std::rc::Rc;

use super::filters::FilterRule;
use super::language::document::Policy;
use super::tailnet::addresses::{internet, set_of};
use super::tailnet::classes::PartyClasses;
use super::tailnet::context::DeviceIndex;
use super::tailnet::context::{Device, PolicyContext};
use super::tailnet::net::Net;
use super::tailnet::network::Network;
use super::tailnet::prefix_table::PrefixTable;
use crate::cidr::{Address, AddressSet, Prefix, Range};
use crate::tables::shared::Shared;
use crate::tables::sort;

impl Policy<'_> {
    /// The devices that each device sees, as indices in the context's order, ascending; seeing is mutual.
    ///
    /// One of the two has a rule, of the network or of a capability, whose sources include an address of the other
    /// or one of its approved subnet routes. A router of a `via` grant counts as having one, even if the
    /// grant opens no port.
    ///
    /// Devices with the same sources in their rules are one class: for each class the senders are found once, and for each
    /// set of classes that lets a device in, their devices. What is left for each device is to merge two lists.
    #[inline(never)]
    pub fn visible_peers(&self, context: &PolicyContext) -> Vec<Vec<DeviceIndex>> {
        let devices = context.devices.as_deref().unwrap_or_default();
        let mut sources = Shared::default();
        let mut held = Vec::new();
        held.resize(devices.len(), Vec::new());
        for ((held, device), filter) in held.iter_mut().zip(devices).zip(&self.filters(context)) {
            for rule in filter {
                if self.dialect.sees_exits_by_all_alone() && !is_aimed_at(device, rule) {
                    continue;
                }
                held.push(sources.place(&rule.src));
            }
        }
        for (router, from) in self.routers(context) {
            if let Some(held) = router.of_mut(&mut held) {
                held.push(sources.place(&from));
            }
        }
        let whereabouts = Whereabouts::new(devices);
        let mut senders = Vec::with_capacity(sources.lists.len());
        for nets in &sources.lists {
            senders.push(whereabouts.senders(nets));
        }
        seen(&PartyClasses::of(held), &senders)
    }

    /// The routers of `via` grants, each with the sources of the grant.
    fn routers(&self, context: &PolicyContext) -> Vec<(DeviceIndex, Rc<[Net]>)> {
        let network = Network::new(self, context);
        let mut routers = Vec::new();
        for grant in self.grant_rules() {
            let opens = !grant.ip.is_empty() || self.dialect.routes_all_by_via();
            if grant.via.is_empty() || !opens {
                continue;
            }
            let sources: Rc<[Net]> = network.sources(&grant.sources).into();
            for to in &grant.destinations {
                for (router, _) in network.via(&grant.via, to) {
                    routers.push((router, sources.clone()));
                }
            }
        }
        routers
    }
}

/// Whether a rule leads to a device itself, to the subnets behind it, or to all of the internet and so to an exit node. A part of
/// the internet does not show who leads there.
fn is_aimed_at(device: &Device, rule: &FilterRule) -> bool {
    let mut ranges = Vec::with_capacity(rule.dst.len());
    for target in &rule.dst {
        match target.net.range() {
            Some(range) => ranges.push(range),
            None => return true,
        }
    }
    let set = set_of(ranges);
    let mut subnets = (device.routes.iter()).filter(|route| !route.is_default_route());
    let leads_to = |route: &Prefix| set.overlaps(&set_of(vec![Range::from(*route)]));
    let mut all = AddressSet::everything()
        .ranges()
        .collect::<Vec<_>>()
        .into_iter();
    device.addresses.iter().any(|own| set.contains(*own))
        || subnets.any(leads_to)
        || all.any(|family| set.covers_range(family))
        || set.covers(internet())
}

/// The devices that each device sees, from the classes of those with the same sources and the senders of each source.
fn seen(classes: &PartyClasses, senders: &[Vec<DeviceIndex>]) -> Vec<Vec<DeviceIndex>> {
    let count = classes.of_device.len();
    let (mut holders, mut heard_by) = (Vec::new(), Vec::new());
    holders.resize(classes.marks.len(), Vec::new());
    heard_by.resize(count, Vec::new());
    for (device, &class) in DeviceIndex::each(&classes.of_device) {
        if let Some(holders) = holders.get_mut(class) {
            holders.push(device);
        }
    }
    let mut heard = Vec::with_capacity(classes.marks.len());
    for (class, marks) in classes.marks.iter().enumerate() {
        let all = merged_lists(marks, senders);
        for &sender in &all {
            if let Some(heard_by) = sender.of_mut(&mut heard_by) {
                heard_by.push(class);
            }
        }
        heard.push(all);
    }
    let hearing = PartyClasses::of(heard_by);
    let mut listeners = Vec::with_capacity(hearing.marks.len());
    for marks in &hearing.marks {
        listeners.push(merged_lists(marks, &holders));
    }
    let mut seen = Vec::with_capacity(count);
    let of_device = DeviceIndex::each(&classes.of_device).zip(&hearing.of_device);
    for ((device, &class), &hearing) in of_device {
        if let (Some(heard), Some(listeners)) = (heard.get(class), listeners.get(hearing)) {
            let mut both = merged(heard, listeners);
            if let Ok(own) = both.binary_search(&device) {
                both.remove(own);
            }
            seen.push(both);
        }
    }
    seen
}

/// Several ascending lists as one ascending list: always merges two of similar length.
fn merged_lists(places: &[usize], lists: &[Vec<DeviceIndex>]) -> Vec<DeviceIndex> {
    match places {
        [] => Vec::new(),
        [place] => lists.get(*place).cloned().unwrap_or_default(),
        _ => {
            let (left, right) = places.split_at(places.len() / 2);
            merged(&merged_lists(left, lists), &merged_lists(right, lists))
        }
    }
}

/// Two ascending lists as one.
fn merged(left: &[DeviceIndex], right: &[DeviceIndex]) -> Vec<DeviceIndex> {
    let mut both = Vec::with_capacity(left.len().max(right.len()));
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(&&a), Some(&&b)) = (left.peek(), right.peek()) {
        both.push(a.min(b));
        left.next_if(|_| a <= b);
        right.next_if(|_| b <= a);
    }
    both.extend(left.chain(right));
    both
}

/// The addresses that devices send from: their own, and those behind their approved subnet routes.
struct Whereabouts {
    /// Ascending.
    by_address: Vec<(Address, DeviceIndex)>,
    /// The indices of devices by their routes.
    routes: PrefixTable,
}

impl Whereabouts {
    fn new(devices: &[Device]) -> Whereabouts {
        let (mut by_address, mut routes) = (Vec::new(), Vec::new());
        let own = DeviceIndex::each(devices).filter(|(_, device)| !device.is_external());
        for (index, device) in own {
            for &address in &device.addresses {
                by_address.push((address, index));
            }
            for &route in &device.routes {
                if !route.is_default_route() {
                    routes.push((route, index.0));
                }
            }
        }
        sort::sort(&mut by_address);
        Whereabouts {
            by_address,
            routes: PrefixTable::new(routes),
        }
    }

    /// The devices whose traffic a list of sources includes, ascending.
    fn senders(&self, sources: &[Net]) -> Vec<DeviceIndex> {
        let mut ranges = Vec::with_capacity(sources.len());
        for net in sources {
            ranges.extend(net.range());
        }
        let set = match ranges.len() == sources.len() {
            true => set_of(ranges),
            false => AddressSet::everything(),
        };
        let mut found = Vec::new();
        for range in set.ranges() {
            self.add_senders(range, &mut found);
        }
        sort::sort(&mut found);
        found.dedup();
        found
    }

    fn add_senders(&self, range: Range, found: &mut Vec<DeviceIndex>) {
        let from = self.by_address.partition_point(|(a, _)| *a < range.first());
        let to = self.by_address.partition_point(|(a, _)| *a <= range.last());
        for &(_, device) in self.by_address.get(from..to).unwrap_or_default() {
            found.push(device);
        }
        for entry in self.routes.meeting(range) {
            for &place in &entry.numbers {
                found.push(DeviceIndex(place));
            }
        }
    }
}
