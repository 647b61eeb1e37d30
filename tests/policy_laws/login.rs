//! Law: a login from one device to another is allowed exactly if an ssh packet of the receiving device admits it, and its network
//! filter lets a packet to port 22 in. Must not live here: logins between names.

use serde_json::{Value, json};
use tailnet_kit::policy::{Flow, Subject};

use crate::case::{Case, Found, Judged, Law, each};
use crate::oracle::{Answer, Oracle, Packet};
use crate::random::dice::Dice;
use crate::silence::{ACCOUNTS, action};

/// A login between two devices, by their ids.
struct Asked {
    from: String,
    to: String,
    user: &'static str,
}

fn draw(case: &Case, dice: &mut Dice) -> Vec<Asked> {
    let devices = case.oracle().tailnet.devices;
    let ids: Vec<&String> = devices.iter().map(|device| &device.id).collect();
    if case.context.devices.is_none() || ids.len() < 2 {
        return Vec::new();
    }
    let mut asked = Vec::new();
    for _ in 0..25 {
        let (from, to) = (dice.pick(&ids).to_string(), dice.pick(&ids).to_string());
        let user = ACCOUNTS[dice.below(ACCOUNTS.len())];
        if from != to {
            asked.push(Asked { from, to, user });
        }
    }
    asked
}

fn judged(case: &Case, oracle: &Oracle, packets: &Value, asked: &Asked) -> Judged {
    let device = |id: &str| {
        let mut devices = oracle.tailnet.devices.iter();
        devices.find(|device| device.id == id)
    };
    let (from, to) = (device(&asked.from)?, device(&asked.to)?);
    let source = Subject::Device(asked.from.clone());
    let flow = Flow::login(&source, &asked.to, asked.user).expect("a login");
    let said = case.ask(|policy| json!(policy.explain(&flow, &case.context).ok()));
    let verdict = said["verdict"].as_str()?;
    if verdict == "unknown" {
        return None;
    }
    let is_open = from.addresses.iter().any(|&from| {
        let mut own = to.addresses.iter();
        own.any(|&to| {
            let packet = Packet {
                from,
                to,
                port: 22,
                protocol: 6,
            };
            from.is_ipv4() == to.is_ipv4() && oracle.passes(packet, None) == Answer::Allowed
        })
    });
    let own = from.addresses.first()?.to_string();
    let action = action(&packets[&asked.to], &own, asked.user);
    let wanted = match action.filter(|_| is_open) {
        Some(action) => ("allowed", json!(action)),
        None => ("denied", Value::Null),
    };
    let found = (verdict, said["action"].clone());
    Some(match found == wanted {
        true => Ok(()),
        false => Err(format!(
            "explain says {found:?}, packets and filter {wanted:?}: {} to {} as {}, network {is_open}; packets {}",
            asked.from, asked.to, asked.user, packets[&asked.to]
        )),
    })
}

fn judge(case: &Case, asked: &[Asked]) -> Found {
    if case.context.devices.is_none() {
        return Ok(0);
    }
    // Few random rules open port 22.
    let opened = case.with_rule(json!({"src": ["*"], "dst": ["*"], "ip": ["tcp:22"]}));
    let mut count = 0;
    for case in [case, &opened] {
        let oracle = case.oracle();
        let packets = case.ask(|policy| json!(policy.ssh_rules(&case.context)));
        count += each(asked, |asked| judged(case, &oracle, &packets, asked))?;
    }
    Ok(count)
}

#[test]
fn a_login_is_allowed_exactly_if_packets_and_filter_admit_it() {
    Law {
        name: "login",
        share: 4,
        draw,
        judge,
    }
    .holds();
}
