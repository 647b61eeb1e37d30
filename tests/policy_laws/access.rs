//! Law: what `explain` calls *allowed* or *partly* is in a cell of the matrix, *partly* in none that is about all of both; what it calls
//! *denied* is in none, and *unknown* is undecided there too. And a part of the matrix is the whole, cut. Must not live here: what filters let in
//! (tests/policy_laws/matrix.rs), what changes between two documents.

use serde_json::{Value, json};
use tailnet_kit::policy::{AccessOptions, By, Subject};

use crate::case::{Case, Found, Judged, Law, each};
use crate::explain::verdict;
use crate::matrix::{cells_of, is_somebodys};
use crate::openings::{Probe, hold};
use crate::oracle::Oracle;
use crate::oracle::span::{self, Set, holds as contains};
use crate::questions::{PROTOCOLS, port};
use crate::random::dice::Dice;
use crate::random::rules::attributes;

/// A pair of the matrix, by its names, and the traffic to ask about.
struct Asked {
    by: &'static str,
    source: String,
    destination: String,
    /// Which of several addresses to ask about.
    which: usize,
    port: u16,
    protocol: &'static str,
    attributes: Option<Value>,
}

/// The matrix as JavaScript sees it.
pub fn matrix(case: &Case, by: &'static str) -> Value {
    if by == "device" && case.context.devices.is_none() {
        return json!({"sources": [], "destinations": []});
    }
    let by = if by == "device" { By::Device } else { By::Name };
    case.ask(|policy| json!(policy.access(&case.context, by).expect("a matrix")))
}

fn names<'m>(matrix: &'m Value, side: &str) -> Vec<&'m str> {
    matrix[side]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn draw(case: &Case, dice: &mut Dice) -> Vec<Asked> {
    let oracle = case.oracle();
    let mut asked = Vec::new();
    for by in ["name", "device"] {
        let matrix = matrix(case, by);
        let (sources, destinations) = (names(&matrix, "sources"), names(&matrix, "destinations"));
        for _ in 0..25 {
            if sources.is_empty() || destinations.is_empty() {
                break;
            }
            asked.push(Asked {
                by,
                source: (*dice.pick(&sources)).to_owned(),
                destination: (*dice.pick(&destinations)).to_owned(),
                which: dice.below(64),
                port: port(dice, &oracle),
                protocol: PROTOCOLS[dice.below(PROTOCOLS.len())],
                attributes: attributes(dice),
            });
        }
    }
    asked
}

/// The names to ask `explain` about for a party of the matrix, and whether these are all of it.
fn end(oracle: &Oracle, party: &Value, asked: &Asked) -> Option<(Subject, bool)> {
    let name = party["name"].as_str()?.to_owned();
    let some = |mut addresses: Vec<String>| {
        let at = asked.which % addresses.len().max(1);
        (!addresses.is_empty()).then(|| (Subject::Ip(addresses.swap_remove(at)), false))
    };
    let spans = |set: Set| {
        let mut devices = oracle.tailnet.devices.iter();
        let has_device = devices.any(|it| it.addresses.iter().any(|at| contains(&set, *at)));
        let ends = set.iter().flat_map(|span| [span.first, span.last]);
        // Nobody is at an address of the tailnet that no device has: the matrix tells of one only where a set has nobody else.
        let ends = ends.filter(|at| !has_device || is_somebodys(oracle, *at));
        some(ends.map(|at| at.to_string()).collect())
    };
    match party["kind"].as_str()? {
        "device" => Some((Subject::Device(party["id"].as_str()?.to_owned()), true)),
        "host" if oracle.tailnet.addresses(&name).is_none() => spans(oracle.tailnet.set(&name)),
        "autogroup" if name == "autogroup:internet" => spans(span::internet()),
        "autogroup" if ["autogroup:self", "autogroup:danger-all"].contains(&name.as_str()) => None,
        "user" | "tag" | "group" | "autogroup" | "host" | "address" => {
            Some((Subject::Plain(name), true))
        }
        "prefix" | "range" | "ipset" => spans(oracle.tailnet.set(&name)),
        "any" => some(
            oracle
                .tailnet
                .devices
                .iter()
                .flat_map(|device| &device.addresses)
                .map(ToString::to_string)
                .collect(),
        ),
        _ => None,
    }
}

/// Whether a cell of a pair in this list contains the probe; `whole` asks only for cells about all of both.
fn holds(case: &Case, matrix: &Value, list: &str, asked: &Asked, whole: bool) -> Option<bool> {
    let place = |side: &str, name: &str| names(matrix, side).iter().position(|own| *own == name);
    let (source, destination) = (
        place("sources", &asked.source)?,
        place("destinations", &asked.destination)?,
    );
    let probe = Probe {
        port: asked.port,
        protocol: asked.protocol,
        attributes: asked.attributes.as_ref(),
    };
    let mut cells = cells_of(matrix, list, source, destination);
    let is_meant = |cell: &Value| !whole || cell.get("part").is_none();
    Some(cells.any(|cell| is_meant(cell) && hold(case, &cell["opens"], &probe)))
}

/// Whether a cell and `explain` agree; nothing where `explain` cannot be asked about a party, or allows only a part of it.
fn agree(case: &Case, matrix: &Value, oracle: &Oracle, asked: &Asked) -> Judged {
    let party = |side: &str, name: &str| {
        let at = names(matrix, side).iter().position(|own| *own == name)?;
        Some(&matrix["parties"][side][at])
    };
    let (from, to) = (
        party("sources", &asked.source)?,
        party("destinations", &asked.destination)?,
    );
    let (source, whole_source) = end(oracle, from, asked)?;
    let (target, whole_target) = end(oracle, to, asked)?;
    let said = verdict(
        case,
        &source,
        &target,
        asked.port,
        asked.protocol,
        asked.attributes.as_ref(),
    )?;
    let held = |list, whole| holds(case, matrix, list, asked, whole);
    let (open, unknown) = (held("cells", false)?, held("unknown", false)?);
    let exact = whole_source && whole_target;
    let whole = held("cells", true)?;
    // Who forwards may depend on a posture that is given in the question alone.
    let rules = || oracle.rules.iter();
    let depends =
        rules().any(|rule| !rule.via.is_empty()) && rules().any(|it| !it.postures.is_empty());
    let wrong = match said.as_str() {
        _ if depends && unknown => false,
        "allowed" => !open,
        "partly" => !open || exact && whole,
        // One address of many says nothing about all of them.
        _ if !exact => false,
        "unknown" => open || !unknown,
        _ => open || unknown,
    };
    let kinds = format!("{} to {}", from["kind"].as_str()?, to["kind"].as_str()?);
    let question = format!(
        "{source:?} to {target:?} {}/{} with {:?}",
        asked.protocol, asked.port, asked.attributes
    );
    let by = asked.by;
    Some(match wrong {
        true => Err(format!(
            "cell {open}, unknown {unknown}, explain {said}, by {by} {kinds}: {question}"
        )),
        false => Ok(()),
    })
}

fn judge(case: &Case, asked: &[Asked]) -> Found {
    let oracle = case.oracle();
    let matrices = ["name", "device"].map(|by| (by, matrix(case, by)));
    each(asked, |asked| {
        let mut matrices = matrices.iter();
        let (_, matrix) = matrices.find(|(by, _)| *by == asked.by).expect("a matrix");
        if matrix.get("parties").is_none() {
            let says = "no parties: the matrix does not say what its names are";
            return Some(Err(says.to_owned()));
        }
        agree(case, matrix, &oracle, asked)
    })
}

#[test]
fn a_cell_holds_what_explain_allows() {
    Law {
        name: "access",
        share: 2,
        draw,
        judge,
    }
    .holds();
}

/// Names of some rows and columns.
struct Part {
    from: Vec<String>,
    to: Vec<String>,
}

fn draw_parts(case: &Case, dice: &mut Dice) -> Vec<Part> {
    let whole = matrix(case, "name");
    let mut some = |side: &str| {
        let names = names(&whole, side).into_iter();
        names
            .filter(|_| dice.below(3) == 0)
            .map(str::to_owned)
            .collect()
    };
    vec![Part {
        from: some("sources"),
        to: some("destinations"),
    }]
}

/// A cell without the places of its row and column, by their names.
fn named_cells(matrix: &Value, list: &str) -> Vec<(String, String, Value)> {
    let name = |side: &str, at: &Value| {
        let at = usize::try_from(at.as_u64().expect("an index")).expect("small");
        matrix[side][at].as_str().expect("a name").to_owned()
    };
    let cells = matrix[list].as_array().into_iter().flatten();
    let named = cells.map(|cell| {
        let mut rest = cell.clone();
        (rest["source"], rest["destination"]) = (Value::Null, Value::Null);
        (
            name("sources", &cell["source"]),
            name("destinations", &cell["destination"]),
            rest,
        )
    });
    named.collect()
}

fn judge_parts(case: &Case, asked: &[Part]) -> Found {
    let whole = matrix(case, "name");
    each(asked, |asked| {
        // A case that is made smaller has fewer names.
        let still = |asked: &[String], side| {
            let names = names(&whole, side);
            let known = asked.iter().filter(|name| names.contains(&name.as_str()));
            known.cloned().collect()
        };
        let asked = Part {
            from: still(&asked.from, "sources"),
            to: still(&asked.to, "destinations"),
        };
        let options = AccessOptions {
            by: By::Name,
            from: Some(asked.from.clone()),
            to: Some(asked.to.clone()),
        };
        let part =
            case.ask(|policy| json!(policy.access(&case.context, options).expect("a matrix")));
        let (sources, destinations) = (names(&part, "sources"), names(&part, "destinations"));
        let has_all = |asked: &[String], names: &[&str]| {
            asked.iter().all(|name| names.contains(&name.as_str()))
        };
        if !has_all(&asked.from, &sources) || !has_all(&asked.to, &destinations) {
            return Some(Err("missing: a row or column that was asked for".to_owned()));
        }
        for list in ["cells", "unknown"] {
            let mut cut = named_cells(&whole, list);
            cut.retain(|(from, to, _)| {
                sources.contains(&from.as_str()) && destinations.contains(&to.as_str())
            });
            let own = named_cells(&part, list);
            let other = own.iter().zip(&cut).find(|(own, cut)| own != cut);
            if own.len() != cut.len() || other.is_some() {
                let (own, cut) = (own.len(), cut.len());
                return Some(Err(format!("{list}: {own} and not {cut}, {other:?}")));
            }
        }
        Some(Ok(()))
    })
}

#[test]
fn a_part_of_the_matrix_is_the_whole_cut() {
    Law {
        name: "parts of access",
        share: 10,
        draw: draw_parts,
        judge: judge_parts,
    }
    .holds();
}
