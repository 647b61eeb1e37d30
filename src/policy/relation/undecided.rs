//! The facts on which it depends whether a selector includes an endpoint, each made once.
//! Must not live here: whether it does (tailnet/party.rs), what else access depends on (condition.rs).

use super::condition::Why;
use super::ids::FactId;
use super::reach::{Reach, Shared};
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::Identity;
use crate::policy::tailnet::party::Side;

impl<'p> Reach<'_, 'p> {
    /// The fact on which it depends whether a selector of one side includes an endpoint.
    pub(super) fn undecided(
        &self,
        side: Side,
        selector: usize,
        end: &Endpoint<'p>,
        shared: &mut Shared<'p>,
    ) -> FactId {
        let mut known = self.undecided.borrow_mut();
        let [sources, destinations] = &mut *known;
        let (facts, mark) = match side {
            Side::Source => (sources, "from "),
            Side::Destination => (destinations, "to "),
        };
        // Why it is undecided is another thing for somebody of whom nothing is known.
        let place = 2 * selector + usize::from(end.identity == Identity::Unknown);
        if facts.len() <= place {
            facts.resize(place + 1, None);
        }
        if let Some(Some(fact)) = facts.get(place) {
            return *fact;
        }
        let fact = self.fact(side, mark, selector, end, shared);
        if let Some(known) = facts.get_mut(place) {
            *known = Some(fact);
        }
        fact
    }

    fn fact(
        &self,
        side: Side,
        mark: &str,
        selector: usize,
        end: &Endpoint<'p>,
        shared: &mut Shared<'p>,
    ) -> FactId {
        let named = self.reading.named(side);
        let Some(selector) = named.selectors.get(selector) else {
            return shared.conditions.undecided(Why::Address, "");
        };
        let why = match (selector.kind, end.identity) {
            (Kind::Any, _) => Why::Routes,
            (_, Identity::Unknown) => Why::Address,
            (Kind::Autogroup(Autogroup::Role(_)), _) => Why::Role,
            (Kind::Autogroup(Autogroup::Own), _) => Why::User,
            (Kind::Group, _) => Why::Members,
            _ => Why::Address,
        };
        let key = match self.reading.network.set_of(selector) {
            // Equal sets are equal facts, whatever their names.
            Some(set) if selector.kind != Kind::Any => {
                let ranges = set.ranges().map(|range| range.to_string());
                ranges.collect::<Vec<_>>().join(",")
            }
            _ => selector.name().to_owned(),
        };
        shared.conditions.undecided(why, &[mark, &key].concat())
    }
}
