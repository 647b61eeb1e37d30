//! Flows, the matrix and logins of devices, against the filters and ssh rules that Headscale recorded.
//! Must not live here: filters and ssh rules themselves (tests/recorded/headscale/network.rs).

use std::collections::BTreeSet;
use std::net::IpAddr;

use serde_json::{Value, json};
use tailnet_kit::policy::{By, Device, Flow, Judge, Subject, Verdict};

use super::network::{accounts, in_our_words, logins};
use super::{Case, ids, of_accepted, replay};
use crate::oracle::compare::read_filter;
use crate::oracle::span::Span;
use crate::oracle::{Packet, Received};

/// The flows between two nodes that are asked about.
const ASKED: [(u16, &str, u8); 4] = [
    (22, "tcp", 6),
    (443, "udp", 17),
    (53, "tcp", 6),
    (1, "sctp", 132),
];

/// The protocol that stands for any capability.
const CAPABILITY: u8 = 255;

/// The filter of a node as it was recorded.
fn recorded(case: &Case, node: &Device) -> Vec<Received> {
    let place = case.case["filterOf"][&node.id].as_u64().expect("a filter");
    let filter = &case.case["filters"][usize::try_from(place).expect("an index")];
    read_filter(&in_our_words(filter, &mut |_| CAPABILITY))
}

/// The pairs of addresses of two nodes: no packet has addresses of both families.
fn pairs(from: &Device, to: &Device) -> Vec<(IpAddr, IpAddr)> {
    let all = |device: &Device| -> Vec<IpAddr> {
        let own = device.addresses.iter();
        own.map(|own| own.to_string().parse().expect("an address"))
            .collect()
    };
    let (from, to) = (all(from), all(to));
    let pairs = from
        .iter()
        .flat_map(|from| to.iter().map(move |to| (*from, *to)));
    pairs
        .filter(|(from, to)| from.is_ipv4() == to.is_ipv4())
        .collect()
}

/// What differs in the explanations of flows from one node to another.
fn misjudged(
    judge: &Judge<'_>,
    filter: &[Received],
    (from, to): (&Device, &Device),
    asked: (u16, &str, u8),
) -> Option<String> {
    let (port, name, protocol) = asked;
    for (source, target) in pairs(from, to) {
        let packet = Packet {
            from: source,
            to: target,
            port,
            protocol,
        };
        let theirs = filter.iter().any(|received| received.admits(packet));
        let host = match target {
            IpAddr::V4(target) => format!("{target}:{port}"),
            IpAddr::V6(target) => format!("[{target}]:{port}"),
        };
        let subject: Subject = source.to_string().parse().expect("a subject");
        let flow = Flow::new(&subject, &host, Some(name)).expect("a flow");
        let ours = judge.explain(&flow).expect("an answer").verdict;
        let wanted = if theirs {
            Verdict::Allowed
        } else {
            Verdict::Denied
        };
        if ours != wanted {
            return Some(format!("{packet:?}: theirs {theirs}, ours {ours:?}"));
        }
    }
    None
}

#[test]
fn a_flow_between_nodes_is_explained_as_headscale_lets_it_in() {
    replay("flows", |case| {
        case.case.get("filterOf")?;
        of_accepted(case, |policy, context| {
            let judge = Judge::new(policy, context);
            let devices = context.devices.as_deref().unwrap_or_default();
            for (at, to) in devices.iter().enumerate() {
                let filter = recorded(case, to);
                for (place, from) in devices.iter().enumerate().filter(|(place, _)| *place != at) {
                    let asked = ASKED[(at + place) % ASKED.len()];
                    if let Some(line) = misjudged(&judge, &filter, (from, to), asked) {
                        return Some(format!("{}\n  {line}", case.policy()));
                    }
                }
            }
            None
        })
    });
}

/// The pairs of devices that a matrix has a cell for, by ids.
fn cells(matrix: &Value, ids: &[String]) -> BTreeSet<(String, String)> {
    let of = |side: &str, cell: &Value| {
        let at = usize::try_from(cell[side].as_u64()?).ok()?;
        let party = &matrix["parties"][format!("{side}s")][at];
        let id = party["id"].as_str().or(party["name"].as_str())?;
        ids.iter().find(|own| *own == id).cloned()
    };
    let cells = matrix["cells"].as_array().expect("cells").iter();
    let cells = cells.filter_map(|cell| Some((of("source", cell)?, of("destination", cell)?)));
    cells.filter(|(from, to)| from != to).collect()
}

/// What only one of two sets of pairs has.
fn unlike(
    case: &Case,
    ours: &BTreeSet<(String, String)>,
    theirs: &BTreeSet<(String, String)>,
) -> String {
    let [more, less] =
        [ours.difference(theirs), theirs.difference(ours)].map(|own| own.collect::<Vec<_>>());
    format!("{}\n  ours {more:?}\n  theirs {less:?}", case.policy())
}

/// Whether a filter lets in anything at all from one node at another, capabilities aside.
fn lets_in(filter: &[Received], from: &Device, to: &Device) -> bool {
    let holds =
        |set: &[Span], own: IpAddr| set.iter().any(|span| span.first <= own && own <= span.last);
    let is_traffic = |it: &Received| {
        it.opens
            .iter()
            .any(|open| !open.protocols.contains(&CAPABILITY))
    };
    pairs(from, to).into_iter().any(|(from, to)| {
        filter
            .iter()
            .any(|it| is_traffic(it) && holds(&it.src, from) && holds(&it.dst, to))
    })
}

#[test]
fn the_matrix_of_devices_has_the_pairs_that_headscale_lets_through() {
    replay("access", |case| {
        case.case.get("filterOf")?;
        of_accepted(case, |policy, context| {
            let devices = context.devices.as_deref().unwrap_or_default();
            let matrix = json!(policy.access(context, By::Device).expect("a matrix"));
            let ours = cells(&matrix, &ids(context));
            let mut theirs = BTreeSet::new();
            for to in devices {
                let filter = recorded(case, to);
                for from in devices.iter().filter(|from| from.id != to.id) {
                    if lets_in(&filter, from, to) {
                        theirs.insert((from.id.clone(), to.id.clone()));
                    }
                }
            }
            // The networks behind a device are in its column too.
            let leads_on = |id: &String| {
                devices
                    .iter()
                    .any(|own| own.id == *id && !own.routes.is_empty())
            };
            let mut more = ours.difference(&theirs).filter(|(_, to)| !leads_on(to));
            let agrees = more.next().is_none() && theirs.is_subset(&ours);
            (!agrees).then(|| unlike(case, &ours, &theirs))
        })
    });
}

#[test]
fn the_logins_of_devices_are_those_that_headscale_lets_in() {
    replay("logins", |case| {
        case.case.get("sshOf")?;
        of_accepted(case, |policy, context| {
            let devices = context.devices.as_deref().unwrap_or_default();
            let matrix = json!(policy.logins(context, By::Device).expect("a matrix"));
            let ours = cells(&matrix, &ids(context));
            let mut theirs = BTreeSet::new();
            for to in devices {
                let Some(place) = case.case["sshOf"][&to.id].as_u64() else {
                    continue;
                };
                let rules = &case.case["ssh"][usize::try_from(place).expect("an index")];
                let logins = logins(rules, &accounts(&[rules]));
                for from in devices.iter().filter(|from| from.id != to.id) {
                    let own: Vec<String> = from.addresses.iter().map(ToString::to_string).collect();
                    if logins.keys().any(|(source, _)| own.contains(source)) {
                        theirs.insert((from.id.clone(), to.id.clone()));
                    }
                }
            }
            (ours != theirs).then(|| unlike(case, &ours, &theirs))
        })
    });
}
