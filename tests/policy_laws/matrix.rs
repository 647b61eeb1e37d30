//! Law: a cell of the access matrix, by names and by devices, holds exactly what the filters of the receiving devices let in: from the part
//! of the source to the part of the destination that it is about, and from all to all where it says no part. Must not live here: what
//! `explain` says (tests/policy_laws/access.rs), logins.

use std::net::IpAddr;

use serde_json::Value;

use crate::access::matrix;
use crate::case::{Case, Found, Judged, Law, each};
use crate::openings::{Probe, hold};
use crate::oracle::document::{protocol, texts};
use crate::oracle::span::{Span, holds, internet, tailnet};
use crate::oracle::{Answer, Oracle, Packet};
use crate::questions::{PROTOCOLS, addresses, port};
use crate::random::dice::Dice;
use crate::random::rules::attributes;

/// A pair of the matrix, an address of each, and the traffic to ask about.
pub struct Asked<By = &'static str> {
    pub by: By,
    pub source: String,
    pub destination: String,
    pub from: IpAddr,
    pub to: IpAddr,
    pub port: u16,
    pub protocol: &'static str,
    pub attributes: Option<Value>,
}

/// Asks many times about the rows and columns of a matrix, if it has both.
pub fn each_pair(matrix: &Value, ask: &mut dyn FnMut(&[&Value], &[&Value])) {
    let [sources, destinations] = ["sources", "destinations"].map(|side| parties(matrix, side));
    if !sources.is_empty() && !destinations.is_empty() {
        (0..60).for_each(|_| ask(&sources, &destinations));
    }
}

/// Whether a party of the matrix has an address; `from` is the other end.
pub fn has(oracle: &Oracle, party: &Value, is_source: bool, at: IpAddr, from: IpAddr) -> bool {
    let name = party["name"].as_str().expect("a name");
    let owner = oracle.tailnet.owner(at);
    match party["kind"].as_str().expect("a kind") {
        "device" => owner.is_some_and(|owner| Some(owner.id.as_str()) == party["id"].as_str()),
        "internet" => holds(&internet(), at),
        "any" if is_source => holds(&oracle.tailnet.sources(&["*".to_owned()]), at),
        "any" => true,
        "autogroup" if name == "autogroup:internet" => holds(&internet(), at),
        "autogroup" if name == "autogroup:danger-all" => true,
        "autogroup" if name == "autogroup:self" => {
            let user = oracle.tailnet.owner(from).and_then(|own| own.user.as_ref());
            user.is_some() && owner.and_then(|own| own.user.as_ref()) == user
        }
        "user" | "tag" | "group" | "autogroup" | "domain" => {
            owner.is_some_and(|owner| oracle.tailnet.takes_in(name, owner) == Some(true))
        }
        "host" | "address" | "prefix" | "range" | "ipset" | "subnet" => {
            holds(&oracle.tailnet.set(name), at)
        }
        _ => false,
    }
}

/// Whether a part, as it is written, has an address.
fn part_has(oracle: &Oracle, text: &str, at: IpAddr) -> bool {
    if let Some(others) = text.strip_prefix("all but ") {
        return !split(others).iter().any(|text| part_has(oracle, text, at));
    }
    if let Some((name, inner)) = text.strip_suffix(')').and_then(|it| it.split_once(" (")) {
        let is_device = oracle.tailnet.devices.iter().any(|it| inner == it.id);
        if !is_device {
            let inner = match inner.starts_with("all but ") {
                true => vec![inner],
                false => split(inner),
            };
            return part_has(oracle, name, at)
                && inner.iter().any(|text| part_has(oracle, text, at));
        }
    }
    if let Some(span) = Span::read(text) {
        return holds(&vec![span], at);
    }
    let owner = oracle.tailnet.owner(at);
    match text {
        "IPv4" => at.is_ipv4(),
        "IPv6" => at.is_ipv6(),
        "addresses that no device has" => owner.is_none(),
        "autogroup:internet" => holds(&internet(), at),
        _ => {
            let set = oracle.tailnet.set(text);
            owner.is_some_and(|owner| {
                owner.name == text || oracle.tailnet.takes_in(text, owner) == Some(true)
            }) || holds(&set, at)
        }
    }
}

/// A list in words, commas within brackets aside.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim());
    parts
}

/// What begins the words about the device that forwards.
const THROUGH: &str = "through ";

/// Whether a cell is about what one device forwards, and not about what others do.
pub fn is_routed(cell: &Value) -> bool {
    let part = texts(cell["part"].get("to"));
    part.iter().any(|text| text.starts_with(THROUGH))
}

/// Whether a cell is about two addresses of its source and its destination, whoever forwards.
pub fn is_about(oracle: &Oracle, cell: &Value, from: IpAddr, to: IpAddr) -> bool {
    let within = |side: &str, at: IpAddr| {
        let mut part = texts(cell["part"].get(side));
        part.retain(|text| !text.starts_with(THROUGH));
        part.is_empty() || part.iter().any(|text| part_has(oracle, text, at))
    };
    cell.get("part").is_none() || within("from", from) && within("to", to)
}

/// The cells of a pair in a list.
pub fn cells_of<'m>(
    matrix: &'m Value,
    list: &str,
    source: usize,
    destination: usize,
) -> impl Iterator<Item = &'m Value> {
    let cells = matrix[list].as_array().into_iter().flatten();
    cells.filter(move |cell| cell["source"] == source && cell["destination"] == destination)
}

/// The names of a side of a matrix with their parties.
pub fn parties<'m>(matrix: &'m Value, side: &str) -> Vec<&'m Value> {
    let parties = matrix["parties"][side].as_array();
    parties.into_iter().flatten().collect()
}

/// Whether somebody may be at an address: nobody is at one of the tailnet that no device has.
pub fn is_somebodys(oracle: &Oracle, at: IpAddr) -> bool {
    oracle.tailnet.owner(at).is_some() || !holds(&tailnet(), at)
}

pub fn draw(case: &Case, dice: &mut Dice) -> Vec<Asked> {
    let oracle = case.oracle();
    let mut asked = Vec::new();
    let mut known = addresses(&oracle);
    known.retain(|at| is_somebodys(&oracle, *at));
    let owned: Vec<IpAddr> = known
        .iter()
        .copied()
        .filter(|at| oracle.tailnet.owner(*at).is_some())
        .collect();
    for by in ["name", "device"] {
        let matrix = matrix(case, by);
        each_pair(&matrix, &mut |sources, destinations| {
            if owned.is_empty() {
                return;
            }
            let one_of = |dice: &mut Dice| match dice.one_in(3) {
                true => *dice.pick(&known),
                false => *dice.pick(&owned),
            };
            let (from, to) = (one_of(dice), one_of(dice));
            let (source, destination) = (*dice.pick(sources), *dice.pick(destinations));
            let is_asked = from.is_ipv4() == to.is_ipv4()
                && has(&oracle, source, true, from, from)
                && has(&oracle, destination, false, to, from);
            if is_asked {
                asked.push(Asked {
                    by,
                    source: source["name"].as_str().expect("a name").to_owned(),
                    destination: destination["name"].as_str().expect("a name").to_owned(),
                    from,
                    to,
                    port: port(dice, &oracle),
                    protocol: PROTOCOLS[dice.below(PROTOCOLS.len())],
                    attributes: attributes(dice),
                });
            }
        });
    }
    asked
}

/// A cell of a pair after another about the same part for the same reason, if there is one.
fn told_twice<'m>(
    matrix: &'m Value,
    list: &'m str,
    source: usize,
    destination: usize,
) -> Option<&'m Value> {
    let cells: Vec<&Value> = cells_of(matrix, list, source, destination).collect();
    let key = |cell: &Value| [cell["part"].clone(), cell["why"].clone()];
    let mut all = cells.iter().enumerate();
    all.find(|(at, cell)| cells[..*at].iter().any(|it| key(it) == key(cell)))
        .map(|(_, cell)| *cell)
}

pub fn agree(case: &Case, matrix: &Value, oracle: &Oracle, asked: &Asked) -> Judged {
    let (from, to) = (asked.from, asked.to);
    let place = |side: &str, name: &str, is_source: bool| {
        let mut places = parties(matrix, side).into_iter().enumerate();
        let own = places.find(|(_, party)| party["name"] == name)?;
        has(
            oracle,
            own.1,
            is_source,
            if is_source { from } else { to },
            from,
        )
        .then_some(own)
    };
    let (source, from_party) = place("sources", &asked.source, true)?;
    let (destination, to_party) = place("destinations", &asked.destination, false)?;
    if !is_somebodys(oracle, from) || !is_somebodys(oracle, to) {
        return None;
    }
    // A posture that sends packets another way is not told by the matrix, which knows no posture of a source.
    let steers =
        |rule: &crate::oracle::document::Rule| !rule.via.is_empty() && !rule.postures.is_empty();
    if oracle.rules.iter().any(steers) {
        return None;
    }
    let packet = Packet {
        from,
        to,
        port: asked.port,
        protocol: protocol(asked.protocol),
    };
    let attributes = Oracle::attributes_at(from, asked.attributes.as_ref());
    let wanted = oracle.passes(packet, attributes);
    let probe = Probe {
        port: asked.port,
        protocol: asked.protocol,
        attributes,
    };
    let open = |list: &str| {
        let mut cells = cells_of(matrix, list, source, destination);
        cells.any(|cell| is_about(oracle, cell, from, to) && hold(case, &cell["opens"], &probe))
    };
    let found = match (open("cells"), open("unknown")) {
        (true, false) => Answer::Allowed,
        (false, true) => Answer::Unknown,
        (false, false) => Answer::Denied,
        (true, true) => return Some(Err("both: certain and undecided".to_owned())),
    };
    if let Some(cell) = ["cells", "unknown"]
        .into_iter()
        .find_map(|list| told_twice(matrix, list, source, destination))
    {
        return Some(Err(format!(
            "{} to {}: two cells are about the same part: {cell}",
            asked.source, asked.destination
        )));
    }
    if found == wanted {
        return Some(Ok(()));
    }
    // Who forwards may depend on a posture that is given in the question alone.
    let rules = || oracle.rules.iter();
    let depends =
        rules().any(|rule| !rule.via.is_empty()) && rules().any(|it| !it.postures.is_empty());
    if found == Answer::Unknown && depends {
        return None;
    }
    let cells: Vec<String> = ["cells", "unknown"]
        .iter()
        .flat_map(|list| cells_of(matrix, list, source, destination).map(ToString::to_string))
        .collect();
    let kinds = format!("{} to {}", from_party["kind"], to_party["kind"]);
    Some(Err(format!(
        "the matrix says {found:?} and the filters {wanted:?} by {} {kinds}: {} ({from}) to {} ({to}) {}/{} with {:?}: {cells:?}",
        asked.by, asked.source, asked.destination, asked.protocol, asked.port, asked.attributes
    )))
}

fn judge(case: &Case, asked: &[Asked]) -> Found {
    let oracle = case.oracle();
    let matrices = ["name", "device"].map(|by| (by, matrix(case, by)));
    each(asked, |asked| {
        let mut matrices = matrices.iter();
        let (_, matrix) = matrices.find(|(by, _)| *by == asked.by).expect("a matrix");
        agree(case, matrix, &oracle, asked)
    })
}

#[test]
fn a_cell_holds_what_the_filters_let_in() {
    Law {
        name: "matrix",
        share: 2,
        draw,
        judge,
    }
    .holds();
}
