//! Laws of a matrix that is compared with another document: a cell is marked exactly where the filters of both documents differ between two of
//! its addresses; no cell is marked only where nothing changes at all; and a cell of it holds what the document lets in.
//! Must not live here: what one document says (tests/policy_laws/matrix.rs), what changes by as few names as say it.

use std::net::IpAddr;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{AccessOptions, By, Judge, Policy, PolicyContext, diff_access, diff_ssh};

use crate::case::{Case, Fault, Found, Judged, Law, each, nothing};
use crate::matrix::{
    self, Asked, cells_of, each_pair, has, is_about, is_routed, is_somebodys, parties,
};
use crate::openings::{Probe, hold, postures};
use crate::oracle::document::{protocol, texts};
use crate::oracle::{Answer, Oracle, Packet};
use crate::questions::{PROTOCOLS, addresses, port};
use crate::random::dice::Dice;
use crate::random::rules::attributes;

/// The matrices of ports and of logins of the changed document, compared with the one before, if rows are as asked.
fn compared(case: &Case, by: By, context: &PolicyContext) -> [Value; 2] {
    let later = case.changed();
    let [before, after] =
        [&case.text, &later.text].map(|text| hujson::parse(text).expect("HuJSON"));
    let (before, after) = (Policy::read(&before), Policy::read(&after));
    let [base, text] = [&before, &after].map(|policy| Judge::new(policy, context));
    let options = AccessOptions::from(by);
    [
        json!(text.access_since(Some(&base), &options).expect("a matrix")),
        json!(text.logins_since(Some(&base), &options).expect("a matrix")),
    ]
}

/// What rows may be: without devices, none are devices.
fn rows(case: &Case) -> impl Iterator<Item = By> {
    let are_known = case.context.devices.is_some();
    let all = [By::Name, By::Device].into_iter();
    all.filter(move |by| *by == By::Name || are_known)
}

fn draw(case: &Case, dice: &mut Dice) -> Vec<Asked<By>> {
    let (before, after) = (case.oracle(), case.changed().oracle());
    let mut known = addresses(&before);
    known.extend(addresses(&after));
    known.retain(|at| is_somebodys(&before, *at));
    let mut asked = Vec::new();
    if known.is_empty() {
        return asked;
    }
    for by in rows(case) {
        let [matrix, _] = compared(case, by, &case.context);
        each_pair(&matrix, &mut |sources, destinations| {
            let (source, destination) = (*dice.pick(sources), *dice.pick(destinations));
            let own: Vec<IpAddr> = known
                .iter()
                .copied()
                .filter(|at| {
                    has(&before, source, true, *at, *at) || has(&after, source, true, *at, *at)
                })
                .collect();
            if own.is_empty() {
                return;
            }
            let from = *dice.pick(&own);
            let places: Vec<IpAddr> = known
                .iter()
                .copied()
                .filter(|at| {
                    has(&before, destination, false, *at, from)
                        || has(&after, destination, false, *at, from)
                })
                .collect();
            if places.is_empty() {
                return;
            }
            asked.push(Asked {
                by,
                source: source["name"].as_str().expect("a name").to_owned(),
                destination: destination["name"].as_str().expect("a name").to_owned(),
                from,
                to: *dice.pick(&places),
                port: port(dice, &after),
                protocol: PROTOCOLS[dice.below(PROTOCOLS.len())],
                attributes: attributes(dice),
            });
        });
    }
    asked
}

/// Whether something of a list of a marked cell is about a probe, and not said to be of no use to anybody today, or else whether anything is.
fn marks(
    case: &Case,
    oracles: [&Oracle; 2],
    cell: &Value,
    (side, is_used, is_one_route): (&str, bool, bool),
    asked: &Asked<By>,
) -> bool {
    let probe = Probe {
        port: asked.port,
        protocol: asked.protocol,
        attributes: asked.attributes.as_ref(),
    };
    let held = postures(case, probe.attributes);
    cell[side].as_array().into_iter().flatten().any(|reach| {
        let mut oracles = oracles.iter();
        let about = oracles.any(|oracle| is_about(oracle, reach, asked.from, asked.to));
        let opens = reach["opens"].as_array().into_iter().flatten();
        let mut opens = opens.filter(|opening| {
            let both = opening["unless"]["both"].as_array().into_iter().flatten();
            let each = both.chain([&opening["unless"]]);
            let mut unless = each.flat_map(|it| texts(it.get("postures")));
            !unless.any(|posture| held.contains(&posture))
        });
        let is_idle = reach.get("today").is_some();
        about
            && is_routed(reach) == is_one_route
            && !(is_used && is_idle)
            && opens.any(|opening| hold(case, &json!([opening]), &probe))
    })
}

fn agree(
    case: &Case,
    later: &Case,
    matrix: &Value,
    oracles: [&Oracle; 2],
    asked: &Asked<By>,
) -> Judged {
    let [before, after] = oracles;
    let place = |side: &str, name: &str| {
        let mut all = parties(matrix, side).into_iter();
        all.position(|party| party["name"] == name)
    };
    let (source, destination) = (
        place("sources", &asked.source)?,
        place("destinations", &asked.destination)?,
    );
    let attributes = asked.attributes.as_ref();
    let (held, held_after) = (postures(case, attributes), postures(later, attributes));
    let is_clear = attributes.is_none() || held.len() == 1 && held == held_after;
    let steers =
        |rule: &crate::oracle::document::Rule| !rule.via.is_empty() && !rule.postures.is_empty();
    let is_steered = oracles.iter().any(|it| it.rules.iter().any(steers));
    // Ports bring a ping along.
    if asked.from.is_ipv4() != asked.to.is_ipv4()
        || asked.protocol == "icmp"
        || !is_clear
        || is_steered
        || !is_somebodys(after, asked.to)
    {
        return None;
    }
    let packet = Packet {
        from: asked.from,
        to: asked.to,
        port: asked.port,
        protocol: protocol(asked.protocol),
    };
    let attributes = Oracle::attributes_at(asked.from, attributes);
    let [was, is] = [before, after].map(|oracle| oracle.passes(packet, attributes));
    let cells: Vec<&Value> = cells_of(matrix, "changes", source, destination).collect();
    let is_marked = |how| {
        cells
            .iter()
            .any(|cell| marks(case, oracles, cell, how, asked))
    };
    let [gained, lost, undecided] =
        ["gained", "lost", "undecided"].map(|side| is_marked((side, true, false)));
    let found = [gained, lost, undecided];
    let marked = |side| is_marked((side, false, false));
    // Where several devices may forward, one of them may let in more, or less, and the others not.
    let by_route = |side| is_marked((side, false, true));
    let is_right = match (was, is) {
        (Answer::Denied, Answer::Allowed) => {
            (marked("gained") || by_route("gained")) && !lost && !undecided
        }
        (Answer::Allowed, Answer::Denied) => {
            (marked("lost") || by_route("lost")) && !gained && !undecided
        }
        (Answer::Unknown, Answer::Unknown) => !gained && !lost,
        (was, is) if was == is => found == [false; 3],
        (was, is) => {
            let turn = if was < is { "gained" } else { "lost" };
            let is_told = marked("undecided") || by_route("undecided") || by_route(turn);
            is_told && !gained && !lost
        }
    };
    if is_right {
        return Some(Ok(()));
    }
    // What is behind a device it has without the network, whoever else forwards it.
    let is_behind = |oracle: &&Oracle| {
        let own = oracle.tailnet.owner(asked.from);
        own.is_some_and(|own| own.subnets.iter().any(|it| it.contains(asked.to)))
    };
    if oracles.iter().any(is_behind) {
        return None;
    }
    Some(Err(format!(
        "gained, lost, undecided are {found:?}, the filters said {was:?} and say {is:?}: {} ({}) to {} ({}) {}/{} by {:?} with {:?}: {cells:?}",
        asked.source,
        asked.from,
        asked.destination,
        asked.to,
        asked.protocol,
        asked.port,
        asked.by,
        asked.attributes
    )))
}

fn judge(case: &Case, asked: &[Asked<By>]) -> Found {
    let later = case.changed();
    let (before, after) = (case.oracle(), later.oracle());
    let matrices = rows(case).map(|by| (by, compared(case, by, &case.context)));
    let matrices: Vec<_> = matrices.collect();
    each(asked, |asked| {
        let (_, [matrix, _]) = matrices.iter().find(|(by, _)| *by == asked.by)?;
        agree(case, &later, matrix, [&before, &after], asked)
    })
}

#[test]
fn a_cell_is_marked_where_the_filters_differ() {
    Law {
        name: "marked cells",
        share: 2,
        draw,
        judge,
    }
    .holds();
}

fn contexts(case: &Case) -> [PolicyContext; 2] {
    let nothing = PolicyContext {
        dialect: case.context.dialect,
        ..PolicyContext::default()
    };
    [case.context.clone(), nothing]
}

/// Whether nobody can use today what is reported: an address of one family at one of the other is in no cell.
fn is_idle(changes: &Value) -> bool {
    let mut changes = changes.as_array().into_iter().flatten();
    changes.all(|change| {
        let lists = ["gained", "lost", "undecided", "checked"];
        let mut reaches = lists
            .iter()
            .flat_map(|list| change[*list].as_array().into_iter().flatten());
        reaches.all(|reach| reach.get("today").is_some())
    })
}

fn judge_silence(case: &Case, _: &[()]) -> Found {
    let later = case.changed();
    let [before, after] =
        [&case.text, &later.text].map(|text| hujson::parse(text).expect("HuJSON"));
    let (before, after) = (Policy::read(&before), Policy::read(&after));
    for context in contexts(case) {
        let [ports, logins] = compared(case, By::Name, &context);
        let access = json!(diff_access(&before, &after, &context));
        let ssh = json!(diff_ssh(&before, &after, &context));
        for (what, matrix, changes) in [("ports", ports, access), ("logins", logins, ssh)] {
            let are_none = matrix["changes"] == json!([]);
            let is_right = match are_none {
                true => is_idle(&changes),
                false => changes != json!([]),
            };
            if !is_right {
                let says = format!(
                    "{what}: marked are {}, reported is {changes}",
                    matrix["changes"]
                );
                return Err(Fault::new(0, says));
            }
        }
    }
    Ok(4)
}

#[test]
fn no_cell_is_marked_only_where_nothing_changes() {
    Law {
        name: "marked cells and silence",
        share: 10,
        draw: nothing,
        judge: judge_silence,
    }
    .holds();
}

fn judge_own(case: &Case, asked: &[Asked]) -> Found {
    let later = case.changed();
    let oracle = later.oracle();
    let matrices: Vec<_> = rows(case)
        .map(|by| (by, compared(case, by, &case.context)))
        .collect();
    each(asked, |asked| {
        let is_own = |by: By| json!(by) == json!(asked.by);
        let (_, [own, _]) = matrices.iter().find(|(by, _)| is_own(*by))?;
        matrix::agree(&later, own, &oracle, asked)
    })
}

#[test]
fn a_compared_cell_holds_what_the_filters_let_in() {
    Law {
        name: "compared cells",
        share: 4,
        draw: |case, dice| matrix::draw(&case.changed(), dice),
        judge: judge_own,
    }
    .holds();
}
