//! Random networks: one to eight devices of users and tags, with routes that overlap and exit nodes. Must not live here:
//! policies.

use serde_json::{Value, json};

use super::dice::Dice;

pub const USERS: [&str; 4] = [
    "ann@example.com",
    "bob@example.com",
    "cyd@example.com",
    "dee@other.org",
];
pub const TAGS: [&str; 4] = ["tag:a", "tag:b", "tag:c", "tag:d"];
pub const DOMAINS: [&str; 2] = ["example.com", "other.org"];
const ROLES: [&str; 7] = [
    "owner",
    "admin",
    "it-admin",
    "network-admin",
    "billing-admin",
    "auditor",
    "member",
];

/// Subnets inside and beside one another, in private and in public space.
pub const ROUTES: [&str; 11] = [
    "10.0.0.0/8",
    "10.1.0.0/16",
    "10.1.2.0/24",
    "10.1.2.128/25",
    "10.2.0.0/16",
    "192.168.1.0/24",
    "203.0.113.0/24",
    "203.0.113.128/25",
    "2001:db8:1::/48",
    "2001:db8:1:2::/64",
    "fd00:1::/32",
];

/// The addresses of the device with this number.
pub fn addresses(number: usize) -> [String; 2] {
    [
        format!("100.64.0.{number}"),
        format!("fd7a:115c:a1e0::{number:x}"),
    ]
}

fn device(dice: &mut Dice, number: usize) -> Value {
    let tagged = dice.one_in(2);
    let mut advertised: Vec<&str> = Vec::new();
    if dice.one_in(2) {
        advertised = dice.some(&ROUTES, 1, 4);
    }
    if dice.one_in(4) {
        // Most exit nodes have both families.
        advertised.extend(dice.some(&["0.0.0.0/0", "::/0", "0.0.0.0/0", "::/0"], 1, 4));
    }
    let mut enabled = advertised.clone();
    if dice.one_in(4) {
        enabled.retain(|route| !route.contains("10."));
    }
    if dice.one_in(8) {
        enabled.push("172.16.0.0/24");
    }
    let mut own = addresses(number).to_vec();
    if dice.one_in(5) {
        own.remove(dice.below(2));
    }
    json!({
        "id": format!("{}", 100 + number),
        "nodeId": format!("n{number}"),
        "name": format!("box{number}.tail.ts.net"),
        "hostname": format!("box{number}"),
        "user": dice.pick(&USERS),
        "tags": if tagged { dice.some(&TAGS, 1, 3) } else { vec![] },
        "addresses": own,
        "advertisedRoutes": advertised,
        "enabledRoutes": enabled,
    })
}

/// A context with devices, users and domains.
pub fn tailnet(dice: &mut Dice) -> Value {
    let devices = dice.between(1, 8);
    let devices: Vec<Value> = (1..=devices).map(|number| device(dice, number)).collect();
    let users: Vec<Value> = USERS
        .iter()
        .map(|login| json!({"loginName": login, "role": dice.pick(&ROLES)}))
        .collect();
    json!({"devices": devices, "users": users, "domains": DOMAINS})
}
