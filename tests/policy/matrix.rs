//! Which part of a row and a column a cell of the access matrix is about, why it is undecided, and what is behind devices. Must not live
//! here: ports, rules, wider selectors (access.rs), logins.

use crate::cells;
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{AccessOptions, By, Policy, PolicyContext};

fn matrix(text: &str, context: &Value, by: By) -> Value {
    let context: PolicyContext = serde_json::from_value(context.clone()).expect("a context");
    let document = hujson::parse(text).expect("a policy parses");
    let matrix = Policy::read(&document).access(&context, by);
    json!(matrix.expect("a matrix"))
}

/// The cells of a pair as text: ports, then the part, then the reason.
#[track_caller]
fn told(matrix: &Value, list: &str, source: &str, destination: &str) -> Vec<String> {
    let place = |side: &str, name: &str| {
        let names = matrix[side].as_array().expect("names");
        let place = names.iter().position(|own| own == name);
        json!(place.unwrap_or_else(|| panic!("no {name} in {side}: {names:?}")))
    };
    let (source, destination) = (place("sources", source), place("destinations", destination));
    let cells = matrix[list].as_array().expect("cells").iter();
    let own = cells.filter(|cell| cell["source"] == source && cell["destination"] == destination);
    own.map(|cell| cells::texts(&cell["ports"]) + &cells::part(cell) + &cells::why(cell))
        .collect()
}

fn network() -> Value {
    let last = json!({"id": "5", "hostname": "web-2", "tags": ["tag:web"], "addresses": ["100.64.0.5", "fd7a:115c:a1e0::5"]});
    let router = json!({"id": "6", "hostname": "gate", "tags": ["tag:gate"], "addresses": ["100.64.0.6"],
        "advertisedRoutes": ["10.0.0.0/16", "0.0.0.0/0", "::/0"], "enabledRoutes": ["10.0.0.0/16", "0.0.0.0/0", "::/0"]});
    cells::network(&last, &[router])
}

const TAGS: &str = r#""tagOwners": {"tag:web": [], "tag:gate": [], "tag:pay": []}"#;

fn policy(rules: &str) -> String {
    format!(
        "{{{TAGS}, \"groups\": {{\"group:all\": [\"ann@example.com\", \"bob@example.com\"]}}, \"acls\": [{rules}]}}"
    )
}

fn accept(from: &str, to: &str) -> String {
    format!(r#"{{"action": "accept", "src": ["{from}"], "dst": ["{to}"]}}"#)
}

// Finding 2 of access by an address or one family: what one address of a device has is a part, and not nothing.
#[test]
fn an_address_of_a_device_is_a_part_of_it() {
    let found = matrix(
        &policy(&accept("100.64.0.1", "tag:web:5432")),
        &network(),
        By::Name,
    );
    assert_eq!(
        told(&found, "cells", "100.64.0.1", "tag:web"),
        ["5432"],
        "to every device, over the family that the address has"
    );
    let cells = told(&found, "cells", "ann@example.com", "tag:web");
    assert_eq!(cells, ["5432 from laptop (IPv4)"]);
    assert!(told(&found, "cells", "bob@example.com", "tag:web").is_empty());
    let found = matrix(
        &policy(&accept("100.64.0.0/10", "tag:web:5432")),
        &network(),
        By::Device,
    );
    assert_eq!(told(&found, "cells", "desk", "web-1"), ["5432 from IPv4"]);
    assert_eq!(
        told(&found, "cells", "gate", "web-1"),
        ["5432"],
        "it has no IPv6"
    );
}

// Finding 3: `tag:web:443` became one address of one device.
#[test]
fn one_of_two_devices_is_a_part_of_a_tag_and_a_family_of_a_device() {
    let found = matrix(
        &policy(&accept("group:all", "100.64.0.4:443")),
        &network(),
        By::Name,
    );
    let cells = told(&found, "cells", "ann@example.com", "tag:web");
    assert_eq!(cells, ["443 to web-1 (IPv4)"]);
    let found = matrix(
        &policy(&accept("group:all", "100.64.0.4:443")),
        &network(),
        By::Device,
    );
    assert_eq!(told(&found, "cells", "laptop", "web-1"), ["443 to IPv4"]);
}

// Decision 3: without a part every device of the source reaches every one of the destination, over a family that both have.
#[test]
fn who_of_a_group_reaches_what_of_a_set() {
    let rules = [
        accept("ann@example.com", "10.0.1.0/24:22"),
        accept("group:all", "10.0.0.0/16:443"),
        accept("group:all", "tag:gate:80"),
    ];
    let text = policy(&rules.join(", "));
    let found = matrix(&text, &network(), By::Name);
    let to_all = told(&found, "cells", "ann@example.com", "10.0.0.0/16");
    assert_eq!(to_all, ["443", "22 to 10.0.1.0/24"]);
    // `tag:gate` has no IPv6, which takes nothing from those who have.
    assert_eq!(told(&found, "cells", "bob@example.com", "tag:gate"), ["80"]);
    let rules = [
        accept("autogroup:member", "tag:web:80"),
        accept("bob@example.com", "tag:web:22"),
    ];
    let found = matrix(&policy(&rules.join(", ")), &network(), By::Name);
    assert_eq!(
        told(&found, "cells", "autogroup:member", "tag:web"),
        ["80", "22 from bob@example.com"]
    );
}

#[test]
fn addresses_of_different_families_never_meet() {
    let text = format!(
        r#"{{"hosts": {{"four": "10.0.0.1", "six": "2001:db8::1"}}, {TAGS}, "acls": [{}]}}"#,
        accept("*", "*:*")
    );
    let found = matrix(&text, &network(), By::Name);
    assert!(told(&found, "cells", "four", "six").is_empty());
    assert_eq!(told(&found, "cells", "four", "tag:gate"), ["*"]);
    assert!(told(&found, "cells", "six", "tag:gate").is_empty());
}

// Finding 51: by device there were no subnets, no internet and no reasons.
#[test]
fn by_device_subnets_and_the_internet_are_destinations() {
    let rules = [
        accept("ann@example.com", "10.0.0.0/16:22"),
        accept("group:all", "autogroup:internet:443"),
    ];
    let found = matrix(&policy(&rules.join(", ")), &network(), By::Device);
    let names = json!([
        "desk",
        "gate",
        "laptop",
        "phone",
        "web-1",
        "web-2",
        "10.0.0.0/16",
        "autogroup:internet"
    ]);
    assert_eq!(found["destinations"], names);
    assert_eq!(found["sources"].as_array().map(Vec::len), Some(6));
    let behind = json!([{"kind": "subnet", "name": "10.0.0.0/16", "id": "6"}, {"kind": "internet", "name": "autogroup:internet", "id": "6"}]);
    assert_eq!(
        json!([
            found["parties"]["destinations"][6],
            found["parties"]["destinations"][7]
        ]),
        behind
    );
    assert_eq!(told(&found, "cells", "laptop", "10.0.0.0/16"), ["22"]);
    assert!(told(&found, "cells", "desk", "10.0.0.0/16").is_empty());
    assert_eq!(told(&found, "cells", "desk", "autogroup:internet"), ["443"]);
}

#[test]
fn what_is_undecided_says_why() {
    let rules = [
        accept("autogroup:admin", "tag:web:22"),
        accept("group:ops@example.com", "tag:web:80"),
    ];
    let text = policy(&rules.join(", "));
    let found = matrix(&text, &json!(null), By::Name);
    assert_eq!(
        told(&found, "unknown", "ann@example.com", "tag:web"),
        [
            "22: who is in autogroup:admin is not known",
            "80: the members of group:ops@example.com are not known"
        ]
    );
    let found = matrix(&text, &network(), By::Device);
    assert_eq!(told(&found, "cells", "desk", "web-1"), ["22"]);
    assert_eq!(
        told(&found, "unknown", "laptop", "web-1"),
        ["80: the members of group:ops@example.com are not known"]
    );
    let mut known = network();
    known["groups"] = json!({"group:ops@example.com": ["ann@example.com"]});
    let found = matrix(&text, &known, By::Name);
    assert_eq!(found["unknown"], json!([]));
    assert_eq!(told(&found, "cells", "ann@example.com", "tag:web"), ["80"]);
}

// Finding 4: without devices nobody knows whether a device with the tag forwards.
#[test]
fn routers_by_tag_are_a_condition_and_without_devices_undecided() {
    let text = format!(
        r#"{{{TAGS}, "grants": [{{"src": ["ann@example.com"], "dst": ["10.0.0.0/16"], "ip": ["443"], "via": ["tag:gate"]}}]}}"#
    );
    let found = matrix(&text, &json!(null), By::Name);
    assert_eq!(
        told(&found, "unknown", "ann@example.com", "10.0.0.0/16"),
        ["443: which router forwards it is not known"]
    );
    assert_eq!(found["unknown"][0]["opens"][0]["via"], json!(["tag:gate"]));
    let found = matrix(&text, &network(), By::Name);
    assert_eq!(
        told(&found, "cells", "ann@example.com", "10.0.0.0/16"),
        ["443"]
    );
    assert_eq!(found["cells"][0]["opens"][0]["via"], json!(["tag:gate"]));
}

// A ping that is open without condition was left out beside ports that are open with a posture.
#[test]
fn a_ping_on_fewer_conditions_than_ports_is_told_by_itself() {
    let text = r#"{"ipsets": {"ipset:out": ["203.0.113.0/24"]}, "postures": {"posture:mac": ["node:os == 'macos'"]},
        "acls": [{"action": "accept", "proto": "icmp", "src": ["ann@example.com"], "dst": ["ipset:out:*"]}],
        "grants": [{"src": ["*"], "dst": ["ipset:out"], "ip": ["udp:1-65535"], "srcPosture": ["posture:mac"]}]}"#;
    let found = matrix(text, &network(), By::Device);
    let place = |side: &str, name: &str| {
        let names = found[side].as_array().expect("names");
        names.iter().position(|own| own == name).expect(name)
    };
    let (source, destination) = (
        place("sources", "laptop"),
        place("destinations", "autogroup:internet"),
    );
    let mut cells = found["cells"].as_array().expect("cells").iter();
    let is_own = |cell: &&Value| cell["source"] == source && cell["destination"] == destination;
    let cell = cells.find(is_own).expect("a cell");
    assert_eq!(cell["part"], json!({"to": ["203.0.113.0/24"]}));
    assert!(cells.all(|cell| !is_own(&cell)), "all of it in one cell");
    let opens = cell["opens"].as_array().expect("openings");
    for opened in [
        json!({"proto": "ping", "ports": "*"}),
        json!({"proto": "udp", "ports": "1-65535", "postures": ["posture:mac"]}),
    ] {
        assert!(opens.contains(&opened), "{opened} is not in {opens:?}");
    }
}

// A part of a matrix once had the same cells in another order.
#[test]
fn cells_for_several_reasons_stand_in_one_order_whatever_is_asked() {
    let text = r#"{"groups": {"group:three": ["cyd@example.com"]}, "acls": [
        {"action": "accept", "proto": "89", "src": ["user:*@other.org"], "dst": ["group:three:*"]},
        {"action": "accept", "src": ["*"], "dst": ["autogroup:auditor:443", "user:*@example.com:22"]}]}"#;
    let context = json!({"users": [{"loginName": "dee@other.org"}]});
    let context: PolicyContext = serde_json::from_value(context).expect("a context");
    let document = hujson::parse(text).expect("a policy parses");
    let policy = Policy::read(&document);
    let asked = |from: Option<Vec<String>>| {
        let options = AccessOptions {
            by: By::Name,
            from,
            to: Some(vec!["autogroup:auditor".to_owned()]),
        };
        json!(policy.access(&context, options).expect("a matrix"))
    };
    let one = "dee@other.org";
    let (whole, part) = (asked(None), asked(Some(vec![one.to_owned()])));
    let cells = told(&part, "unknown", one, "autogroup:auditor");
    assert!(cells.len() > 1, "{cells:?}");
    assert_eq!(told(&whole, "unknown", one, "autogroup:auditor"), cells);
}

// What was found for `*` was once taken for every row and column of the same addresses, whichever of them one machine has.
#[test]
fn a_cell_says_the_same_part_whatever_else_is_asked() {
    let text = r#"{"hosts": {"box": "100.64.0.8"},
        "acls": [{"action": "accept", "src": ["box"], "dst": ["100.64.0.4-100.64.0.6:1-65535"]}],
        "grants": [{"src": ["*"], "dst": ["autogroup:admin"], "ip": ["1-65535"]}]}"#;
    let context = json!({"devices": [
        {"id": "103", "user": "ann@example.com", "addresses": ["fd7a:115c:a1e0::3"]},
        {"id": "104", "user": "bob@example.com", "addresses": ["100.64.0.4", "fd7a:115c:a1e0::4"]}],
        "users": [{"loginName": "ann@example.com", "role": "owner"}, {"loginName": "bob@example.com", "role": "owner"}]});
    let context: PolicyContext = serde_json::from_value(context).expect("a context");
    let document = hujson::parse(text).expect("a policy parses");
    let policy = Policy::read(&document);
    let asked = |to: Option<Vec<String>>| {
        let options = AccessOptions {
            by: By::Name,
            from: Some(vec!["box".to_owned()]),
            to,
        };
        let found = policy.access(&context, options);
        told(
            &json!(found.expect("a matrix")),
            "cells",
            "box",
            "autogroup:admin",
        )
    };
    let part = asked(Some(vec!["autogroup:admin".to_owned()]));
    assert_eq!(part, ["1-65535 to IPv4"], "one admin has no IPv4");
    assert_eq!(asked(None), part);
}

#[test]
fn names_stand_in_their_natural_order() {
    let rules: Vec<String> = ["u10", "u2", "u0", "u02", "U1"]
        .iter()
        .map(|name| accept(&format!("{name}@example.com"), "tag:web:22"))
        .collect();
    let found = matrix(
        &format!("{{{TAGS}, \"acls\": [{}]}}", rules.join(", ")),
        &json!(null),
        By::Name,
    );
    assert_eq!(
        found["sources"],
        json!([
            "U1@example.com",
            "u0@example.com",
            "u02@example.com",
            "u2@example.com",
            "u10@example.com",
            "tag:gate",
            "tag:pay",
            "tag:web"
        ])
    );
}

// docs/policy-language.md#pings: what one rule opens to a ping on no condition stays so beside ports that need a posture.
#[test]
fn a_ping_on_no_condition_is_not_lost_beside_ports_with_a_posture() {
    let text = format!(
        r#"{{{TAGS}, "ipsets": {{"ipset:outside": ["203.0.113.0/24"]}}, "postures": {{"posture:mac": ["node:os == 'macos'"]}},
        "acls": [{{"action": "accept", "proto": "icmp", "src": ["ann@example.com"], "dst": ["ipset:outside:*"]}}],
        "grants": [{{"src": ["*"], "dst": ["ipset:outside"], "ip": ["udp:1-65535"], "srcPosture": ["posture:mac"]}}]}}"#
    );
    let found = matrix(&text, &network(), By::Device);
    let cells = found["cells"].as_array().expect("cells").iter();
    let is_ping =
        |opening: &&Value| opening["proto"] == "ping" && opening.get("postures").is_none();
    let pings = cells.filter(|cell| {
        let opens = cell["opens"].as_array().expect("openings").iter();
        opens.filter(is_ping).count() == 1
    });
    let sources = pings.filter_map(|cell| found["sources"].get(cell["source"].as_u64()? as usize));
    // Both devices of hers, to the internet by the gate.
    assert_eq!(
        json!(sources.collect::<Vec<_>>()),
        json!(["laptop", "phone"])
    );
}

// What nobody has is no exception of everything, so that a ping and the ports that it comes along with are at the same part in words.
#[test]
fn parts_that_are_called_the_same_are_one_cell() {
    let device =
        |at: u8| json!({"id": at.to_string(), "addresses": [format!("fd7a:115c:a1e0::{at}")]});
    let mut devices = json!({"devices": [device(1), device(2), device(3)]});
    devices["devices"][0]["user"] = json!("ann@example.com");
    let text = r#"{"postures": {"posture:mac": ["node:os == 'macos'"]}, "acls": [
        {"action": "accept", "src": ["*"], "dst": ["2001:db8::/64:80-90"]},
        {"action": "accept", "src": ["*"], "dst": ["fd00:1::/32:85-443"]},
        {"action": "accept", "src": ["autogroup:member"], "dst": ["*:80"], "srcPosture": ["posture:mac"]}]}"#;
    let found = matrix(text, &devices, By::Name);
    assert_eq!(
        told(&found, "cells", "*", "*"),
        [
            "80 from ann@example.com to IPv6",
            "80-84 to 2001:db8::/64",
            "85-90 to 2001:db8::/64, fd00:1::/32",
            "91-443 to fd00:1::/32"
        ]
    );
}

// What a grant of capabilities alone names is a column as well: everything includes it.
#[test]
fn everything_includes_what_only_a_grant_of_capabilities_names() {
    let text = r#"{"tagOwners": {"tag:web": []}, "acls": [{"action": "accept", "src": ["tag:web"], "dst": ["*:443"]}],
        "grants": [{"src": ["tag:web"], "dst": ["100.64.0.3", "zoe@example.com"], "app": {"example.com/cap/reader": [{}]}}]}"#;
    let found = matrix(text, &json!({}), By::Name);
    for to in ["100.64.0.3", "zoe@example.com"] {
        assert_eq!(told(&found, "cells", "tag:web", to), ["443"], "{to}");
    }
}

// Either router has one of the tags of the rule: whichever forwards, it lets all through.
#[test]
fn what_every_router_lets_through_by_one_tag_is_not_undecided_by_another() {
    let router = |id: &str, tags: Value| json!({"id": id, "tags": tags, "advertisedRoutes": ["10.1.0.0/16"], "enabledRoutes": ["10.1.0.0/16"]});
    let network = json!({"devices": [
        router("one", json!(["tag:a", "tag:d"])),
        router("two", json!(["tag:d"])),
        {"id": "pc", "user": "ann@example.com", "addresses": ["100.64.0.5"]},
    ]});
    let text = json!({
        "tagOwners": {"tag:a": [], "tag:d": []},
        "grants": [{"src": ["*"], "dst": ["10.1.2.0/24"], "ip": ["443"], "via": ["tag:a", "tag:d"]}],
    });
    let matrix = matrix(&text.to_string(), &network, By::Name);
    assert_eq!(told(&matrix, "cells", "*", "10.1.2.0/24"), ["443"]);
    assert_eq!(matrix["unknown"], json!([]));
}
