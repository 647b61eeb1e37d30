//! Who gains and who loses access between two documents, worked out from docs/policy-language.md#reach.
//! Must not live here: the matrix of one document (tests/policy/access.rs), what changed in the text (tests/policy/verbs.rs).

mod laws;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext, diff_access};

fn changes_in(before: &str, after: &str, context: &PolicyContext) -> Value {
    let (before, after) = (hujson::parse(before), hujson::parse(after));
    let (before, after) = (before.expect("parses"), after.expect("parses"));
    let changes = diff_access(&Policy::read(&before), &Policy::read(&after), context);
    serde_json::to_value(changes).expect("serializes")
}

fn changes(before: &str, after: &str) -> Value {
    changes_in(before, after, &PolicyContext::default())
}

/// Each change in one line: the source, `+` or `-`, the destination and its ports.
fn lines(changes: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut lines = Vec::new();
    for change in changes.as_array().expect("a list") {
        for (list, sign) in [("gained", "+"), ("lost", "-")] {
            for reach in change[list].as_array().expect("a list") {
                let ports: Vec<String> = reach["ports"]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(text)
                    .collect();
                let list = |side: &str| -> Vec<String> {
                    let list = reach["part"][side].as_array();
                    list.into_iter().flatten().map(text).collect()
                };
                let part = match reach["part"].is_null() {
                    true => String::new(),
                    false => format!(" part {}>{}", list("from").join(","), list("to").join(",")),
                };
                let (from, to) = (text(&change["source"]), text(&reach["destination"]));
                lines.push(format!("{from} {sign} {to} {}{part}", ports.join(" ")));
            }
        }
    }
    lines
}

#[track_caller]
fn assert_changes_in(before: &str, after: &str, context: &PolicyContext, expected: &[&str]) {
    assert_eq!(lines(&changes_in(before, after, context)), expected);
}

#[track_caller]
fn assert_changes(before: &str, after: &str, expected: &[&str]) {
    assert_changes_in(before, after, &PolicyContext::default(), expected);
}

fn with_devices(devices: Value) -> PolicyContext {
    serde_json::from_value(json!({"devices": devices})).expect("a context")
}

/// Alice has two devices, bob one; there is a tagged one, and a router to 10.1.0.0/16.
fn devices() -> PolicyContext {
    let device = |id: &str, hostname: &str, owner: (&str, Value), address: &str| {
        let mut device = json!({"id": id, "hostname": hostname, "addresses": [address]});
        device[owner.0] = owner.1;
        device
    };
    let alice = || ("user", json!("alice@example.com"));
    let mut router = device("905", "gate", ("tags", json!(["tag:router"])), "100.64.0.9");
    router["advertisedRoutes"] = json!(["10.1.0.0/16"]);
    router["enabledRoutes"] = json!(["10.1.0.0/16"]);
    with_devices(json!([
        device("901", "laptop", alice(), "100.64.0.1"),
        device("902", "phone", alice(), "100.64.0.2"),
        device(
            "903",
            "desk",
            ("user", json!("bob@example.com")),
            "100.64.0.3"
        ),
        device("904", "web-1", ("tags", json!(["tag:web"])), "100.64.0.4"),
        router,
    ]))
}

const GROUPS: &str =
    r#""groups": {"group:ops": ["alice@example.com"]}, "tagOwners": {"tag:web": []}"#;

fn with_rules(rules: &str) -> String {
    format!("{{{GROUPS}, \"acls\": [{rules}]}}")
}

fn rule(from: &str, to: &str) -> String {
    json!({"action": "accept", "src": [from], "dst": [to]}).to_string()
}

/// A policy with one rule.
fn one(from: &str, to: &str) -> String {
    with_rules(&rule(from, to))
}

#[test]
fn a_change_says_who_where_what_and_by_which_rule() {
    let before = with_rules("");
    let after = with_rules(
        r#"
        {"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:22"]}"#,
    );
    assert_eq!(
        changes(&before, &after),
        json!([{
            "source": "alice@example.com",
            "party": {"kind": "user", "name": "alice@example.com"},
            "gained": [{
                "destination": "tag:web",
                "party": {"kind": "tag", "name": "tag:web"},
                "ports": ["22"],
                "opens": [{"proto": "tcp", "ports": "22"}, {"proto": "udp", "ports": "22"}, {"proto": "ping", "ports": "*"}],
                "because": [{"section": "acls", "index": 0, "line": 2}],
            }],
            "lost": [], "undecided": [],
        }])
    );
}

#[test]
fn a_new_member_gains_and_an_old_one_loses() {
    let text = |member: &str| {
        format!(
            r#"{{"groups": {{"group:ops": ["{member}"]}}, "tagOwners": {{"tag:web": []}},
               "acls": [{{"action": "accept", "src": ["group:ops"], "dst": ["tag:web:22"]}}]}}"#
        )
    };
    assert_changes(
        &text("alice@example.com"),
        &text("bob@example.com"),
        &[
            "alice@example.com - tag:web 22",
            "bob@example.com + tag:web 22",
        ],
    );
}

#[test]
fn ports_are_compared_as_sets() {
    assert_changes(
        &one("alice@example.com", "tag:web:20-30"),
        &one("alice@example.com", "tag:web:25-35"),
        &[
            "alice@example.com + tag:web 31-35",
            "alice@example.com - tag:web 20-24",
        ],
    );
}

// A rule that is widened to everyone takes nothing from those whom it named before, and gives access to all other names.
#[test]
fn access_that_a_wider_rule_still_gives_is_not_lost() {
    assert_changes(
        &one("group:ops", "tag:web:22"),
        &one("*", "tag:web:22"),
        &[
            "tag:web + tag:web 22",
            "* + tag:web 22 part all but alice@example.com>",
        ],
    );
}

#[test]
fn a_change_for_every_destination_is_not_repeated_for_each() {
    assert_changes(
        &one("alice@example.com", "tag:web:22"),
        &with_rules(
            &[
                rule("alice@example.com", "tag:web:22"),
                rule("alice@example.com", "*:22,443"),
            ]
            .join(","),
        ),
        &[
            "alice@example.com + tag:web 443",
            "alice@example.com + * 22 443 part >all but tag:web",
        ],
    );
}

// Contract: `part` says which part of the destination changes, where a part was open before, or stays open.
#[test]
fn everything_is_lost_only_partly_where_a_part_stays() {
    let both = with_rules(
        &[
            rule("alice@example.com", "*:22"),
            rule("alice@example.com", "tag:web:22"),
        ]
        .join(","),
    );
    assert_changes(
        &both,
        &one("alice@example.com", "tag:web:22"),
        &["alice@example.com - * 22 part >all but tag:web"],
    );
    assert_changes(
        &one("alice@example.com", "*:22"),
        &with_rules(""),
        &["alice@example.com - * 22"],
    );
}

#[test]
fn an_alias_that_moves_is_another_destination() {
    let text = |address: &str| {
        format!(
            r#"{{"hosts": {{"db": "{address}"}},
               "acls": [{{"action": "accept", "src": ["alice@example.com"], "dst": ["db:5432"]}}]}}"#
        )
    };
    assert_changes(
        &text("10.0.0.1"),
        &text("10.0.0.2"),
        &[
            "alice@example.com + db (10.0.0.2) 5432",
            "alice@example.com - db (10.0.0.1) 5432",
        ],
    );
}

// A new rule `* -> *:*` with a posture showed as no change.
#[test]
fn a_rule_with_a_posture_is_a_change_and_the_posture_is_named() {
    let text = |rules: &str| {
        format!(r#"{{"postures": {{"posture:new": ["node:os == 'linux'"]}}, "acls": [{rules}]}}"#)
    };
    let after = text(
        r#"{"action": "accept", "src": ["*"], "dst": ["*:*"], "srcPosture": ["posture:new"]}"#,
    );
    let found = changes(&text(""), &after);
    assert_eq!(lines(&found), ["* + * *"]);
    let open = |proto| json!({"proto": proto, "ports": "*", "postures": ["posture:new"]});
    assert_eq!(
        found[0]["gained"][0]["opens"],
        json!([open("tcp"), open("udp"), open("ping")])
    );
}

#[test]
fn a_posture_that_a_rule_no_longer_asks_for_is_a_gain_without_it() {
    let text = |postures: &str| {
        format!(
            r#"{{"postures": {{"posture:new": ["node:os == 'linux'"]}}, "tagOwners": {{"tag:web": []}},
            "acls": [{{"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:22"], "srcPosture": [{postures}]}}]}}"#
        )
    };
    let found = changes(&text(r#""posture:new""#), &text(""));
    assert_eq!(lines(&found), ["alice@example.com + tag:web 22"]);
    let opens = found[0]["gained"][0]["opens"].as_array().expect("a list");
    assert!(
        opens.iter().all(|open| open.get("postures").is_none()),
        "{found}"
    );
}

#[test]
fn conditions_of_a_posture_that_change_are_a_change() {
    let text = |condition: &str| {
        format!(
            r#"{{"postures": {{"posture:new": ["{condition}"]}}, "tagOwners": {{"tag:web": []}},
            "acls": [{{"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:22"], "srcPosture": ["posture:new"]}}]}}"#
        )
    };
    let turned = |before: &str, after: &str| changes(&text(before), &text(after));
    let other = turned("node:os == 'linux'", "node:os == 'macos'");
    let undecided = &other[0]["undecided"][0];
    assert_eq!(undecided["needs"], json!(["attributes"]), "{other}");
    assert_eq!(undecided["opens"][0]["postures"], json!(["posture:new"]));
    let looser = turned("custom:score >= 70", "custom:score >= 20");
    assert_eq!(lines(&looser), ["alice@example.com + tag:web 22"]);
    let tighter = turned("custom:score >= 20", "custom:score >= 70");
    assert_eq!(lines(&tighter), ["alice@example.com - tag:web 22"]);
}

// Contract: ping is ICMP of either family, without ports.
#[test]
fn ping_is_one_word() {
    let text = |entries: &str| {
        format!(
            r#"{{"tagOwners": {{"tag:web": []}}, "grants": [{{"src": ["alice@example.com"], "dst": ["tag:web"], "ip": [{entries}]}}]}}"#
        )
    };
    assert_changes(
        r#"{"tagOwners": {"tag:web": []}, "grants": []}"#,
        &text(r#""icmp:*""#),
        &["alice@example.com + tag:web ping"],
    );
    // A source that reaches a port may already ping.
    assert_changes(
        &text(r#""tcp:22""#),
        &text(r#""tcp:22", "icmp:*", "ipv6-icmp:*""#),
        &[],
    );
    assert_changes(
        &text(r#""icmp:*""#),
        &text(r#""tcp:22""#),
        &["alice@example.com + tag:web tcp:22"],
    );
}

#[test]
fn no_change_is_listed_twice() {
    let after = with_rules(
        &[
            rule("group:ops", "tag:web:22"),
            rule("alice@example.com", "tag:web:22"),
            rule("alice@example.com", "tag:web:20-24"),
        ]
        .join(","),
    );
    assert_changes(
        &with_rules(""),
        &after,
        &["alice@example.com + tag:web 20-24"],
    );
}

// With devices: logins and tags while all their devices change alike, else the device by name.

#[test]
fn a_user_is_named_whose_devices_change_alike() {
    let before = one("alice@example.com", "tag:web:22");
    let after = with_rules(
        &[
            rule("alice@example.com", "tag:web:22"),
            rule("alice@example.com", "10.1.0.0/16:443"),
        ]
        .join(","),
    );
    assert_changes_in(
        &before,
        &after,
        &devices(),
        &["alice@example.com + 10.1.0.0/16 443"],
    );
}

#[test]
fn a_device_is_named_where_another_of_its_user_does_not_change() {
    let found = changes_in(
        &with_rules(""),
        &one("100.64.0.2", "bob@example.com:22"),
        &devices(),
    );
    assert_eq!(lines(&found), ["phone + bob@example.com 22"]);
    assert_eq!(
        found[0]["party"],
        json!({"kind": "device", "name": "phone", "id": "902"})
    );
}

#[test]
fn one_of_two_devices_behind_a_destination_is_listed_by_its_name() {
    assert_changes_in(
        &with_rules(""),
        &one("bob@example.com", "100.64.0.1:22"),
        &devices(),
        &["bob@example.com + laptop 22"],
    );
}

#[test]
fn a_device_is_no_destination_of_its_own() {
    let found = changes_in(
        &with_rules(""),
        &one("autogroup:member", "autogroup:self:*"),
        &devices(),
    );
    assert_eq!(
        lines(&found),
        [
            "alice@example.com + autogroup:self *",
            "bob@example.com + autogroup:self *"
        ]
    );
    let narrower = changes_in(
        &with_rules(""),
        &one("100.64.0.1", "autogroup:self:*"),
        &devices(),
    );
    assert_eq!(lines(&narrower), ["laptop + autogroup:self *"]);
}

#[test]
fn a_tag_is_named_whose_devices_change_alike() {
    assert_changes_in(
        &with_rules(""),
        &one("tag:web", "bob@example.com:22"),
        &devices(),
        &["tag:web + bob@example.com 22"],
    );
}

#[test]
fn destinations_without_device_or_route_say_that_nobody_reaches_them_today() {
    let found = changes_in(
        &with_rules(""),
        &one("alice@example.com", "192.168.7.7:22"),
        &devices(),
    );
    assert_eq!(lines(&found), ["alice@example.com + 192.168.7.7 22"]);
    assert_eq!(
        found[0]["gained"][0]["today"],
        "no device and no approved route has an address of 192.168.7.7"
    );
    let found = changes_in(
        &with_rules(""),
        &one("alice@example.com", "autogroup:internet:443"),
        &devices(),
    );
    assert_eq!(
        lines(&found),
        ["alice@example.com + autogroup:internet 443"]
    );
    assert_eq!(
        found[0]["gained"][0]["today"],
        "no approved route leads there"
    );
}

#[test]
fn the_internet_is_listed_where_an_exit_node_leads_to_it() {
    let both = json!(["0.0.0.0/0", "::/0"]);
    let known = with_devices(json!([
        {"id": "1", "hostname": "laptop", "user": "alice@example.com", "addresses": ["100.64.0.1"]},
        {"id": "2", "hostname": "out", "tags": ["tag:web"], "addresses": ["100.64.0.2"], "advertisedRoutes": both, "enabledRoutes": both},
    ]));
    let found = changes_in(
        &with_rules(""),
        &one("alice@example.com", "autogroup:internet:443"),
        &known,
    );
    assert_eq!(
        lines(&found),
        ["alice@example.com + autogroup:internet 443"]
    );
    assert_eq!(
        found[0]["gained"][0]["party"],
        json!({"kind": "internet", "name": "autogroup:internet", "id": "2"})
    );
}

#[test]
fn a_grant_that_gets_via_is_a_change() {
    let text = |via: &str| {
        format!(
            r#"{{"tagOwners": {{"tag:router": [], "tag:web": []}}, "grants": [
            {{"src": ["bob@example.com"], "dst": ["10.1.0.0/16"], "ip": ["22"], "via": [{via}]}}]}}"#
        )
    };
    assert_changes_in(
        &text(""),
        &text(r#""tag:web""#),
        &devices(),
        &[
            "bob@example.com + 10.1.0.0/16 22",
            "bob@example.com - 10.1.0.0/16 22",
        ],
    );
    let found = changes_in(&text(""), &text(r#""tag:web""#), &devices());
    let gained = &found[0]["gained"][0];
    assert_eq!(gained["opens"][0]["via"], json!(["tag:web"]));
    assert_eq!(
        gained["today"],
        "no device with tag:web has an approved route there"
    );
}

#[test]
fn a_document_compared_with_itself_has_no_changes() {
    let text = with_rules(&[rule("*", "*:*"), rule("group:ops", "tag:web:22")].join(","));
    assert_changes(&text, &text, &[]);
    assert_changes_in(&text, &text, &devices(), &[]);
    let commented = text.replacen('{', "{ // the same\n", 1);
    assert_changes_in(&text, &commented, &devices(), &[]);
}
