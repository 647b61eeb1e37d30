//! Law: a cell of the matrix of logins, by names and by devices, holds exactly what the ssh rules of the devices let in, and says whether
//! their filters let port 22 in. Must not live here: network access (tests/policy_laws/matrix.rs).

use std::net::IpAddr;

use serde_json::{Value, json};
use tailnet_kit::policy::By;

use crate::case::{Case, Found, Judged, Law, each};
use crate::matrix::{cells_of, each_pair, has, is_about, parties};
use crate::oracle::tailnet::Device;
use crate::oracle::{Answer, Oracle, Packet};
use crate::random::dice::Dice;
use crate::silence::{ACCOUNTS, action};

/// A pair of the matrix, a device of each, and the account to ask about.
struct Asked {
    by: &'static str,
    source: String,
    destination: String,
    from: usize,
    to: usize,
    account: &'static str,
}

fn matrix(case: &Case, by: &'static str) -> Value {
    let by = if by == "device" { By::Device } else { By::Name };
    case.ask(|policy| json!(policy.logins(&case.context, by).expect("a matrix")))
}

fn draw(case: &Case, dice: &mut Dice) -> Vec<Asked> {
    let oracle = case.oracle();
    let devices = &oracle.tailnet.devices;
    let mut asked = Vec::new();
    if case.context.devices.is_none() || devices.len() < 2 {
        return asked;
    }
    for by in ["name", "device"] {
        let matrix = matrix(case, by);
        each_pair(&matrix, &mut |sources, destinations| {
            let (from, to) = (dice.below(devices.len()), dice.below(devices.len()));
            let (source, destination) = (*dice.pick(sources), *dice.pick(destinations));
            let name = |party: &Value| party["name"].as_str().expect("a name").to_owned();
            if from != to
                && are_of(
                    &oracle,
                    (source, destination),
                    (&devices[from], &devices[to]),
                )
            {
                asked.push(Asked {
                    by,
                    source: name(source),
                    destination: name(destination),
                    from,
                    to,
                    account: ACCOUNTS[dice.below(ACCOUNTS.len())],
                });
            }
        });
    }
    asked
}

/// Whether a pair of devices is of a pair of parties.
fn are_of(oracle: &Oracle, parties: (&Value, &Value), (from, to): (&Device, &Device)) -> bool {
    let (Some(&source), Some(&destination)) = (from.addresses.first(), to.addresses.first()) else {
        return false;
    };
    has(oracle, parties.0, true, source, source)
        && has(oracle, parties.1, false, destination, source)
}

/// Whether the accounts of a cell include one.
fn includes(users: &Value, account: &str) -> bool {
    let users = users.as_array().expect("accounts").iter();
    users
        .filter_map(Value::as_str)
        .any(|user| match user.strip_prefix("autogroup:nonroot") {
            Some("") => account != "root",
            Some(but) => {
                let but = but.strip_prefix(" but ").expect("some accounts");
                account != "root" && !but.split(", ").any(|name| name == account)
            }
            None => user == account,
        })
}

/// Whether the filter of a device lets port 22 of another in, over some pair of addresses.
fn network(oracle: &Oracle, from: &Device, to: &Device) -> Value {
    let pairs = from
        .addresses
        .iter()
        .flat_map(|from| to.addresses.iter().map(move |to| (*from, *to)));
    let pairs = pairs.filter(|(from, to): &(IpAddr, IpAddr)| from.is_ipv4() == to.is_ipv4());
    let answers = pairs.map(|(from, to)| {
        let packet = Packet {
            from,
            to,
            port: 22,
            protocol: 6,
        };
        oracle.passes(packet, None)
    });
    match answers.max() {
        Some(Answer::Allowed) => json!(true),
        Some(Answer::Unknown) => Value::Null,
        Some(Answer::Denied) | None => json!(false),
    }
}

fn agree(matrix: &Value, oracle: &Oracle, rules: &Value, asked: &Asked) -> Judged {
    let place = |side: &str, name: &str| {
        let mut places = parties(matrix, side).into_iter().enumerate();
        places.find(|(_, party)| party["name"] == name)
    };
    let (source, from_party) = place("sources", &asked.source)?;
    let (destination, to_party) = place("destinations", &asked.destination)?;
    let devices = &oracle.tailnet.devices;
    let (from, to) = (devices.get(asked.from)?, devices.get(asked.to)?);
    if !are_of(oracle, (from_party, to_party), (from, to)) {
        return None;
    }
    let (start, end) = (*from.addresses.first()?, *to.addresses.first()?);
    let about = |list: &str| -> Vec<&Value> {
        let cells = cells_of(matrix, list, source, destination);
        let own = cells.filter(|cell| {
            is_about(oracle, cell, start, end) && includes(&cell["users"], asked.account)
        });
        own.collect()
    };
    let (cells, unknown) = (about("cells"), about("unknown"));
    // What depends on a posture is in no rule of a device, as nothing is known of its attributes.
    let is_free = |cell: &&&Value| cell.get("postures").is_none();
    if !unknown.is_empty() || cells.iter().any(|cell| !is_free(&cell)) {
        return None;
    }
    let says = |what: String| {
        Some(Err(format!(
            "{what}: {} ({}) to {} ({}) as {} by {}: {cells:?}",
            asked.source, from.id, asked.destination, to.id, asked.account, asked.by
        )))
    };
    let wanted = action(&rules[&to.id], &start.to_string(), asked.account);
    let found: Vec<&str> = cells
        .iter()
        .filter_map(|cell| cell["action"].as_str())
        .collect();
    match (&wanted, found.as_slice()) {
        (None, []) => return Some(Ok(())),
        (Some(wanted), [found]) if wanted == found => {}
        _ => return says(format!("logins: {found:?} and the device says {wanted:?}")),
    }
    let has_postures = oracle.rules.iter().any(|rule| !rule.postures.is_empty());
    let network = network(oracle, from, to);
    // A rule with a posture may open it to some devices; it is in no filter of today.
    let is_so = |cell: &&Value| match &cell["network"] {
        Value::Null if has_postures => network != json!(true),
        own => *own == network,
    };
    match cells.iter().all(is_so) {
        true => Some(Ok(())),
        false => says(format!("network: the filter says {network}")),
    }
}

fn judge(case: &Case, asked: &[Asked]) -> Found {
    if case.context.devices.is_none() {
        return Ok(0);
    }
    let oracle = case.oracle();
    let rules = case.ask(|policy| json!(policy.ssh_rules(&case.context)));
    let matrices = ["name", "device"].map(|by| (by, matrix(case, by)));
    each(asked, |asked| {
        let mut matrices = matrices.iter();
        let (_, matrix) = matrices.find(|(by, _)| *by == asked.by).expect("a matrix");
        agree(matrix, &oracle, &rules, asked)
    })
}

#[test]
fn a_cell_holds_the_logins_that_devices_let_in() {
    Law {
        name: "logins",
        share: 2,
        draw,
        judge,
    }
    .holds();
}
