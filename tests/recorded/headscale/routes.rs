//! Which routes of its peers a node is offered, and what `via` does to them, as Headscale recorded it for pairs of nodes.
//! Must not live here: which routes are approved, what a router lets in (tests/recorded/headscale/network.rs).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tailnet_kit::cidr::Prefix;
use tailnet_kit::policy::OfferedRoutes;

use super::{Case, ids, of_accepted, replay};

/// The answers for pairs of nodes by `viewer>peer`, as far as there is anything to say.
type ByPair = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The same lists from our answers; `lists` gives those of one pair, with their names.
fn ours(
    case: &Case,
    lists: impl Fn(OfferedRoutes) -> Vec<(&'static str, Vec<Prefix>)>,
) -> Option<ByPair> {
    of_accepted(case, |policy, context| {
        let ids = ids(context);
        let mut found = ByPair::new();
        for (viewer, offered) in ids.iter().zip(policy.offered_routes(context)) {
            for (peer, offered) in ids.iter().zip(offered) {
                let named = lists(offered).into_iter();
                let named = named.filter(|(_, routes)| !routes.is_empty());
                let own: BTreeMap<_, _> = named
                    .map(|(name, routes)| {
                        let routes = routes.iter().map(ToString::to_string);
                        (name.to_owned(), routes.collect())
                    })
                    .collect();
                if !own.is_empty() {
                    found.insert(format!("{viewer}>{peer}"), own);
                }
            }
        }
        found
    })
}

/// What was recorded: a case without the answer has nothing to say for any pair.
fn theirs(answer: &Value) -> ByPair {
    serde_json::from_value(answer.clone()).unwrap_or_default()
}

fn differs(case: &Case, ours: &ByPair, theirs: &ByPair) -> Option<String> {
    (ours != theirs).then(|| format!("{}\n  ours {ours:?}\n  theirs {theirs:?}", case.policy()))
}

#[test]
fn the_routes_of_peers_are_open_to_whom_headscale_opens_them() {
    replay("routes of peers", |case| {
        let ours = ours(case, |offered| vec![("open", offered.open)])?;
        let pairs = case.case["routes"].as_object().cloned().unwrap_or_default();
        let pairs = pairs.into_iter();
        let all: Value = pairs
            .map(|(pair, routes)| (pair, json!({"open": routes})))
            .collect();
        Some(differs(case, &ours, &theirs(&all)))
    });
}

#[test]
fn via_leads_through_the_routers_that_headscale_chooses() {
    replay("via", |case| {
        let ours = ours(case, |offered| {
            vec![
                ("include", offered.included),
                ("exclude", offered.excluded),
                ("usePrimary", offered.by_primary),
            ]
        })?;
        Some(differs(case, &ours, &theirs(&case.case["via"])))
    });
}
