//! What `autoApprovers` does with the routes that devices advertise (docs/policy-language.md#approvers).
//! Must not live here: routes that somebody enabled by hand, what a route is used for.

use serde::Serialize;

use super::language::document::Policy;
use super::language::selector::Selector;
use super::tailnet::classes::{Distinct, PartyClasses};
use super::tailnet::context::DeviceIndex;
use super::tailnet::context::PolicyContext;
use super::tailnet::network::Network;
use super::tailnet::prefix_table::PrefixTable;
use crate::cidr::{Prefix, Version};
use crate::tables::index::{Numbers, Runs};
use crate::tables::sort;

/// The routes that one device advertises. Both lists ascend, IPv4 first, and name a route once, without host bits.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct RouteApproval {
    /// Enabled at once.
    pub approved: Vec<Prefix>,
    /// Waiting for approval: neither approved nor enabled by hand.
    pub waiting: Vec<Prefix>,
}

impl Policy<'_> {
    /// The result for the routes that every device advertises, in the context's order.
    ///
    /// A route is approved if it equals a prefix of `routes` or lies inside one, and the user or a tag of the device is
    /// among the approvers there. Default routes are separate: `exitNode` approves both of a device that
    /// advertises both, and nothing approves one alone. Under `routes` they mean the subnets inside them.
    #[inline(never)]
    pub fn approved_routes(&self, context: &PolicyContext) -> Vec<RouteApproval> {
        let network = Network::new(self, context);
        let mut approvers = Approvers::new(&network);
        let mut approvals = Vec::with_capacity(network.devices.len());
        for (index, device) in DeviceIndex::each(network.devices) {
            let mut routes = device.advertised.clone();
            sort::sort(&mut routes);
            routes.dedup();
            let mut approval = approvers.decide(index, routes);
            // What is enabled already does not wait, whoever enabled it.
            let is_enabled = |route: &Prefix| device.routes.contains(route);
            approval.waiting.retain(|route| !is_enabled(route));
            approvals.push(approval);
        }
        approvals
    }
}

/// The approvers: a list of them for each prefix; some of them include a device.
struct Approvers {
    /// Devices by the approvers that include them.
    classes: PartyClasses,
    /// The lists of approvers without repeats, each ascending, as indices of selectors.
    lists: Vec<Vec<usize>>,
    /// The lists of each prefix.
    by_prefix: PrefixTable,
    exit_nodes: usize,
    /// Whether one default route is approved alone.
    one_family: bool,
    /// The indices in `verdicts` of the pairs of class and list that were evaluated.
    asked: Numbers,
    verdicts: Vec<bool>,
}

impl Approvers {
    fn new(network: &Network<'_>) -> Approvers {
        let section = &network.policy.auto_approvers;
        let mut lists = ApproverLists::default();
        let mut pairs = Vec::new();
        for (route, approvers) in &section.routes {
            let list = lists.place(approvers);
            if let Ok(prefix) = Prefix::parse(route.name()) {
                pairs.push((prefix, list));
            }
        }
        let exit_nodes = lists.place(&section.exit_node);
        let places: Vec<usize> = (0..lists.approvers.selectors.len()).collect();
        Approvers {
            classes: PartyClasses::new(network, &lists.approvers.selectors, &places),
            lists: lists.lists,
            by_prefix: PrefixTable::new(pairs),
            exit_nodes,
            one_family: network.policy.dialect.approves_one_family(),
            asked: Numbers::default(),
            verdicts: Vec::new(),
        }
    }

    fn decide(&mut self, device: DeviceIndex, routes: Vec<Prefix>) -> RouteApproval {
        let has_exit = |version| {
            let mut defaults = routes.iter().filter(|route| route.is_default_route());
            defaults.any(|route| route.version() == version)
        };
        let is_exit_node = self.one_family || has_exit(Version::V4) && has_exit(Version::V6);
        let mut approval = RouteApproval::default();
        for route in routes {
            let is_approved = match route.is_default_route() {
                true => is_exit_node && self.takes_in(self.exit_nodes, device),
                false => self.approves(route, device),
            };
            match is_approved {
                true => approval.approved.push(route),
                false => approval.waiting.push(route),
            }
        }
        approval
    }

    fn approves(&mut self, route: Prefix, device: DeviceIndex) -> bool {
        let mut lists = Vec::new();
        for entry in self.by_prefix.holding(route.first()) {
            if entry.prefix.covers(route) {
                lists.extend_from_slice(&entry.numbers);
            }
        }
        lists.iter().any(|&list| self.takes_in(list, device))
    }

    /// Whether one of a list of approvers includes a device.
    fn takes_in(&mut self, list: usize, device: DeviceIndex) -> bool {
        let class = device.of(&self.classes.of_device);
        let class = class.copied().unwrap_or_default();
        let next = self.verdicts.len();
        let pair = (class as u64) << 32 | list as u64;
        let at = self.asked.place(pair, next);
        if at == next {
            let marks = self.classes.marks.get(class).map_or(&[][..], Vec::as_slice);
            let list = self.lists.get(list).map_or(&[][..], Vec::as_slice);
            let verdict = marks.iter().any(|mark| list.binary_search(mark).is_ok());
            self.verdicts.push(verdict);
        }
        self.verdicts.get(at).is_some_and(|verdict| *verdict)
    }
}

/// ApproverLists of approvers under construction.
#[derive(Default)]
struct ApproverLists<'p> {
    approvers: Distinct<'p>,
    runs: Runs,
    lists: Vec<Vec<usize>>,
}

impl<'p> ApproverLists<'p> {
    fn place(&mut self, approvers: &[Selector<'p>]) -> usize {
        let mut list = Vec::with_capacity(approvers.len());
        for approver in approvers {
            list.push(self.approvers.place(approver));
        }
        sort::sort(&mut list);
        list.dedup();
        let place = self.runs.place_of(&list);
        if place == self.lists.len() {
            self.lists.push(list);
        }
        place
    }
}
