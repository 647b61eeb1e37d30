//! Who reaches what: the matrix, worked out from docs/policy-language.md#reach.
//! Must not live here: what changes between two documents (tests/policy/diff_access.rs), packet filters
//! (tests/recorded/network.rs), previews.

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{By, Flow, Policy, PolicyContext, Verdict};

const EXAMPLE: &str = include_str!("../../src/sandbox/example/organisation.hujson");

fn matrix_in(text: &str, context: &PolicyContext, by: By) -> Value {
    let document = hujson::parse(text).expect("a policy parses");
    let matrix = Policy::read(&document).access(context, by);
    serde_json::to_value(matrix.expect("a matrix")).expect("serializes")
}

fn matrix(text: &str) -> Value {
    matrix_in(text, &PolicyContext::default(), By::Name)
}

fn context(context: Value) -> PolicyContext {
    serde_json::from_value(context).expect("a context")
}

/// Protocols with their ports, as the declarations list them.
fn opens(list: &[(&str, &str)]) -> Value {
    let open = |&(proto, ports): &(&str, &str)| json!({"proto": proto, "ports": ports});
    list.iter().map(open).collect()
}

fn place(matrix: &Value, side: &str, name: &str) -> Option<usize> {
    let names = matrix[side].as_array().expect("a list");
    names.iter().position(|own| own == name)
}

/// The entry for a pair in a list of cells; null where there is none.
#[track_caller]
fn cell<'m>(matrix: &'m Value, list: &str, source: &str, destination: &str) -> &'m Value {
    let at =
        |side, name| place(matrix, side, name).unwrap_or_else(|| panic!("no {name} in {side}"));
    let (source, destination) = (at("sources", source), at("destinations", destination));
    let mut cells = matrix[list].as_array().expect("a list").iter();
    let found = cells.find(|cell| cell["source"] == source && cell["destination"] == destination);
    found.unwrap_or(&Value::Null)
}

#[track_caller]
fn ports(matrix: &Value, source: &str, destination: &str) -> Value {
    cell(matrix, "cells", source, destination)["ports"].clone()
}

/// The cells of a pair in a list: the ports of each, and the part that it is about.
#[track_caller]
fn parts(matrix: &Value, list: &str, source: &str, destination: &str) -> Value {
    let (source, destination) = (
        place(matrix, "sources", source),
        place(matrix, "destinations", destination),
    );
    let cells = matrix[list].as_array().expect("a list").iter();
    let own = cells.filter(|cell| {
        cell["source"] == json!(source) && cell["destination"] == json!(destination)
    });
    own.map(|cell| json!([cell["ports"], cell.get("part")]))
        .collect()
}

fn rule(section: &str, index: usize, line: usize) -> Value {
    json!({"section": section, "index": index, "line": line})
}

fn is_allowed(text: &str, from: &str, to: &str) -> bool {
    let document = hujson::parse(text).expect("parses");
    let from = from.parse().expect("a subject");
    let flow = Flow::new(&from, to, None).expect("a flow");
    let explanation = Policy::read(&document).explain(&flow, &PolicyContext::default());
    explanation.expect("an answer").verdict == Verdict::Allowed
}

// Contract: sources are users (groups taken apart), tags and other selectors; destinations without port.
#[test]
fn the_matrix_takes_groups_apart_and_unites_ports() {
    let text = r#"{
  "groups": {"group:ops": ["alice@example.com", "bob@example.com"]},
  "tagOwners": {"tag:web": []},
  "acls": [
    {"action": "accept", "src": ["group:ops"], "dst": ["tag:web:22,80"]},
    {"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:81", "10.0.0.1:*"]},
    {"action": "accept", "src": ["tag:web"], "proto": "udp", "dst": ["10.0.0.1:53"]},
  ],
  "grants": [{"src": ["bob@example.com"], "dst": ["10.0.0.1"], "ip": ["tcp:443"]}],
}"#;
    let (alice, bob) = (
        json!({"kind": "user", "name": "alice@example.com"}),
        json!({"kind": "user", "name": "bob@example.com"}),
    );
    let web = json!({"kind": "tag", "name": "tag:web"});
    let address = json!({"kind": "address", "name": "10.0.0.1"});
    let both = |ports| opens(&[("tcp", ports), ("udp", ports), ("ping", "*")]);
    let cell = |at: [usize; 2], ports: &[&str], opens: Value, because: &[Value]| json!({"source": at[0], "destination": at[1], "ports": ports, "opens": opens, "because": because});
    assert_eq!(
        matrix(text),
        json!({
            "by": "name",
            "sources": ["alice@example.com", "bob@example.com", "tag:web"],
            "destinations": ["alice@example.com", "bob@example.com", "tag:web", "10.0.0.1"],
            "parties": {"sources": [alice, bob, web], "destinations": [alice, bob, web, address]},
            "cells": [
                cell([0, 2], &["22", "80-81"], both("22,80-81"), &[rule("acls", 0, 5), rule("acls", 1, 6)]),
                cell([0, 3], &["*"], both("*"), &[rule("acls", 1, 6)]),
                cell([1, 2], &["22", "80"], both("22,80"), &[rule("acls", 0, 5)]),
                cell([1, 3], &["tcp:443"], opens(&[("tcp", "443"), ("ping", "*")]), &[rule("grants", 0, 9)]),
                cell([2, 3], &["udp:53"], opens(&[("udp", "53"), ("ping", "*")]), &[rule("acls", 2, 7)]),
            ],
            "unknown": [],
        })
    );
}

// docs/policy-language.md#no-rules-at-all: neither key present allows all; a present empty one allows nothing.
#[test]
fn without_rules_everyone_reaches_everything_and_with_an_empty_list_nobody_anything() {
    let all = matrix("{}");
    assert_eq!(
        (&all["sources"], &all["destinations"]),
        (&json!(["*"]), &json!(["*"]))
    );
    let open = opens(&[("tcp", "*"), ("udp", "*"), ("ping", "*")]);
    assert_eq!(
        all["cells"],
        json!([{"source": 0, "destination": 0, "ports": ["*"], "opens": open, "because": []}])
    );
    let none = matrix(r#"{"grants": []}"#);
    assert_eq!(none["cells"], json!([]));
    assert_eq!(
        (&none["sources"], &none["destinations"]),
        (&json!([]), &json!([]))
    );
}

#[test]
fn a_document_without_rules_opens_everything_between_those_that_it_names() {
    let all =
        matrix(r#"{"groups": {"group:ops": ["alice@example.com"]}, "tagOwners": {"tag:web": []}}"#);
    let found = cell(&all, "cells", "alice@example.com", "tag:web");
    assert_eq!(
        (&found["ports"], &found["wider"]),
        (&json!(["*"]), &json!("*"))
    );
}

// alice has `*:*` and dave is one of `autogroup:member`; their cells at these tags were empty.
#[test]
fn access_through_a_wider_selector_is_in_the_cells_of_all_whom_it_covers() {
    let found = matrix(EXAMPLE);
    let admin = cell(&found, "cells", "alice@example.com", "tag:db");
    assert_eq!(
        (&admin["ports"], &admin["wider"]),
        (&json!(["*"]), &json!("*"))
    );
    assert_eq!(admin["because"], json!([rule("acls", 0, 25)]));
    let dave = cell(&found, "cells", "dave@example.com", "tag:web");
    assert_eq!(
        (&dave["ports"], &dave["wider"]),
        (&json!(["80", "443"]), &json!("autogroup:member"))
    );
    assert_eq!(ports(&found, "dave@example.com", "tag:db"), Value::Null);
}

#[test]
fn no_cell_of_the_example_is_empty_where_explain_says_allowed() {
    let found = matrix(EXAMPLE);
    let names = |side: &str| -> Vec<String> {
        let parties = found["parties"][side].as_array().expect("a list").iter();
        let known = ["user", "tag"];
        let named = parties.filter(|party| known.iter().any(|kind| party["kind"] == *kind));
        named
            .map(|party| party["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    let (sources, destinations) = (names("sources"), names("destinations"));
    assert_eq!(
        (sources.len(), destinations.len()),
        (8, 8),
        "four users, four tags"
    );
    for source in &sources {
        for destination in &destinations {
            let open = cell(&found, "cells", source, destination);
            for port in [22, 80, 443, 5432, 6000] {
                let holds = open["ports"].as_array().into_iter().flatten().any(|own| {
                    let own = own.as_str().expect("ports");
                    own == "*" || own == port.to_string() || own == format!("tcp:{port}")
                });
                let to = format!("{destination}:{port}");
                assert_eq!(holds, is_allowed(EXAMPLE, source, &to), "{source} to {to}");
            }
        }
    }
}

// Contract: the selector that covers the pair where no rule names it; that of the destination, if it is wider.
#[test]
fn a_pair_that_one_rule_names_is_covered_by_no_wider_selector() {
    let found = matrix(
        r#"{"groups": {"group:ops": ["alice@example.com", "bob@example.com"]}, "tagOwners": {"tag:web": []}, "acls": [
      {"action": "accept", "src": ["group:ops"], "dst": ["tag:web:22"]},
      {"action": "accept", "src": ["*"], "dst": ["*:*"]},
      {"action": "accept", "src": ["autogroup:member"], "dst": ["group:ops:80"]},
    ]}"#,
    );
    let wider = |from, to| cell(&found, "cells", from, to)["wider"].clone();
    assert_eq!(
        wider("alice@example.com", "tag:web"),
        Value::Null,
        "a member stands for its group"
    );
    assert_eq!(wider("tag:web", "tag:web"), "*");
    assert_eq!(wider("*", "*"), Value::Null);
    assert_eq!(wider("autogroup:member", "bob@example.com"), Value::Null);
}

#[test]
fn names_are_sorted_by_kind_and_then_by_text() {
    let found = matrix(
        r#"{"groups": {"group:ops": ["zoe@example.com", "al@example.com"]}, "tagOwners": {"tag:web": [], "tag:db": []},
        "hosts": {"zed": "10.0.0.9", "box": "10.0.0.1"}, "ipsets": {"ipset:lab": ["10.9.0.0/16"]},
        "grants": [{"src": ["*", "10.0.0.0/8", "group:ops", "autogroup:member", "10.0.0.1-10.0.0.5", "10.0.0.7", "user:*@example.com"],
            "dst": ["*", "autogroup:internet", "group:ops", "ipset:lab", "svc:printer", "10.2.0.0/16"], "ip": ["*"]}]}"#,
    );
    assert_eq!(
        found["sources"],
        json!([
            "al@example.com",
            "zoe@example.com",
            "tag:db",
            "tag:web",
            "autogroup:member",
            "box",
            "zed",
            "10.0.0.7",
            "10.0.0.0/8",
            "10.0.0.1-10.0.0.5",
            "ipset:lab",
            "user:*@example.com",
            "*"
        ])
    );
    assert_eq!(
        found["destinations"],
        json!([
            "al@example.com",
            "zoe@example.com",
            "tag:db",
            "tag:web",
            "group:ops",
            "autogroup:internet",
            "box",
            "zed",
            "10.2.0.0/16",
            "ipset:lab",
            "svc:printer",
            "*"
        ])
    );
}

// Contract: `*`, a prefix, a range and an ipset have the access that all of their addresses have.
#[test]
fn a_set_of_addresses_has_the_access_that_all_of_it_has() {
    let found = matrix(
        r#"{"tagOwners": {"tag:web": []}, "acls": [
      {"action": "accept", "src": ["tag:web"], "dst": ["10.0.0.0/8:22", "10.1.0.0/16:80", "10.0.0.0-10.0.0.9:443"]},
      {"action": "accept", "src": ["10.1.0.0/16"], "dst": ["tag:web:22"]},
      {"action": "accept", "src": ["10.0.0.0/8"], "dst": ["tag:web:80"]},
    ]}"#,
    );
    assert_eq!(ports(&found, "tag:web", "10.0.0.0/8"), json!(["22"]));
    assert_eq!(ports(&found, "tag:web", "10.1.0.0/16"), json!(["22", "80"]));
    assert_eq!(
        ports(&found, "tag:web", "10.0.0.0-10.0.0.9"),
        json!(["22", "443"])
    );
    // Without devices it is not known whether the address is behind a route: the access is open, not denied.
    let open = |from| cell(&found, "unknown", from, "tag:web")["ports"].clone();
    assert_eq!(ports(&found, "10.1.0.0/16", "tag:web"), json!(["22", "80"]));
    assert_eq!(ports(&found, "10.0.0.0/8", "tag:web"), json!(["80"]));
    assert_eq!(open("10.0.0.0/8"), Value::Null);
}

#[test]
fn access_with_a_posture_is_a_separate_entry() {
    let found = matrix(
        r#"{"tagOwners": {"tag:web": []}, "postures": {"posture:new": ["node:os == 'linux'"]}, "acls": [
      {"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:22"]},
      {"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:22,80"], "srcPosture": ["posture:new"]},
    ]}"#,
    );
    let found = cell(&found, "cells", "alice@example.com", "tag:web");
    assert_eq!(found["ports"], json!(["22", "80"]), "given the posture");
    assert_eq!(
        found["opens"],
        json!([
            {"proto": "tcp", "ports": "22"},
            {"proto": "udp", "ports": "22"},
            {"proto": "ping", "ports": "*"},
            {"proto": "tcp", "ports": "80", "postures": ["posture:new"]},
            {"proto": "udp", "ports": "80", "postures": ["posture:new"]},
        ])
    );
}

// docs/policy-language.md#pings: a device lets an echo in if any rule lets its source reach that address at all.
#[test]
fn ping_is_one_word_and_in_the_short_form_only_where_nothing_else_is_open() {
    let found = matrix(
        r#"{"tagOwners": {"tag:web": [], "tag:db": []}, "grants": [
      {"src": ["tag:web"], "dst": ["tag:db"], "ip": ["icmp:*"]},
      {"src": ["tag:db"], "dst": ["tag:web"], "ip": ["gre:*", "udp:53", "53", "sctp:9", "200:*"]},
    ]}"#,
    );
    let ping = cell(&found, "cells", "tag:web", "tag:db");
    assert_eq!(
        (&ping["ports"], &ping["opens"]),
        (&json!(["ping"]), &opens(&[("ping", "*")]))
    );
    let more = cell(&found, "cells", "tag:db", "tag:web");
    assert_eq!(more["ports"], json!(["53", "sctp:9", "gre:*", "200:*"]));
    assert_eq!(
        more["opens"],
        json!([
            {"proto": "tcp", "ports": "53"}, {"proto": "udp", "ports": "53"}, {"proto": "sctp", "ports": "9"},
            {"proto": "gre", "ports": "*"}, {"proto": "ping", "ports": "*"}, {"proto": 200, "ports": "*"},
        ])
    );
}

fn tailnet() -> PolicyContext {
    context(
        json!({"users": [{"loginName": "alice@example.com", "role": "admin"}, {"loginName": "carol@example.com", "role": "member"}], "devices": [
            {"id": "3", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.3"]},
            {"id": "1", "name": "laptop.tail.ts.net", "user": "alice@example.com", "addresses": ["100.64.0.1"]},
            {"id": "2", "name": "phone.tail.ts.net", "user": "alice@example.com", "addresses": ["100.64.0.2"]},
            {"id": "9", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.9"]},
        ]}),
    )
}

#[test]
fn by_device_each_device_has_a_row_and_a_column() {
    let text = r#"{"tagOwners": {"tag:web": []}, "acls": [
      {"action": "accept", "src": ["100.64.0.1"], "dst": ["tag:web:22"]},
      {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:*"]},
    ]}"#;
    let found = matrix_in(text, &tailnet(), By::Device);
    assert_eq!(found["by"], "device");
    // Two devices are called `web`: each name is in its list once.
    assert_eq!(
        found["sources"],
        json!(["laptop", "phone", "web (3)", "web (9)"])
    );
    assert_eq!(found["destinations"], found["sources"]);
    assert_eq!(
        found["parties"]["sources"][0],
        json!({"kind": "device", "name": "laptop", "id": "1"})
    );
    assert_eq!(ports(&found, "laptop", "web (9)"), json!(["22"]));
    assert_eq!(ports(&found, "phone", "web (9)"), Value::Null);
    assert_eq!(ports(&found, "laptop", "phone"), json!(["*"]));
    assert_eq!(ports(&found, "web (3)", "laptop"), Value::Null);
}

/// A rule names a device by its user, a group of that user, a tag or an address.
#[test]
fn by_device_a_wider_selector_names_neither_its_user_nor_its_tag_nor_its_address() {
    let text = r#"{"groups": {"group:ops": ["alice@example.com"]}, "tagOwners": {"tag:web": []}, "hosts": {"laptop": "10.0.0.1"}, "acls": [
      {"action": "accept", "src": ["group:ops"], "dst": ["tag:web:22"]},
      {"action": "accept", "src": ["100.64.0.3"], "dst": ["100.64.0.9:80"]},
      {"action": "accept", "src": ["tag:web"], "dst": ["autogroup:member:80"]},
      {"action": "accept", "src": ["laptop", "autogroup:member"], "dst": ["alice@example.com:9"]},
    ]}"#;
    let found = matrix_in(text, &tailnet(), By::Device);
    let wider = |from, to| cell(&found, "cells", from, to)["wider"].clone();
    assert_eq!(wider("laptop", "web (3)"), Value::Null);
    assert_eq!(wider("web (3)", "web (9)"), Value::Null);
    assert_eq!(wider("web (3)", "laptop"), "autogroup:member");
    // The alias of the same name is another destination.
    assert_eq!(wider("laptop", "phone"), "autogroup:member");
}

#[test]
fn by_device_without_devices_there_is_no_answer() {
    let document = hujson::parse("{}").expect("parses");
    let error = Policy::read(&document).access(&PolicyContext::default(), By::Device);
    assert_eq!(error.expect_err("an error").code(), "invalid_argument");
}

#[test]
fn by_name_all_devices_of_a_name_count_and_the_users_of_the_context_are_there() {
    let text = r#"{"tagOwners": {"tag:web": []}, "acls": [
      {"action": "accept", "src": ["100.64.0.1"], "dst": ["tag:web:22"]},
      {"action": "accept", "src": ["alice@example.com"], "dst": ["100.64.0.9:80"]},
      {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:5000"]},
    ]}"#;
    let found = matrix_in(text, &tailnet(), By::Name);
    assert_eq!(
        found["sources"],
        json!([
            "alice@example.com",
            "carol@example.com",
            "tag:web",
            "autogroup:member",
            "100.64.0.1"
        ])
    );
    // The phone has no access to 22, and one of two devices has 80.
    assert_eq!(
        parts(&found, "cells", "100.64.0.1", "tag:web"),
        json!([[["22"], null], [["80"], {"to": ["web (9)"]}]])
    );
    assert_eq!(
        parts(&found, "cells", "alice@example.com", "tag:web"),
        json!([[["22"], {"from": ["laptop"]}], [["80"], {"to": ["web (9)"]}]])
    );
    assert_eq!(ports(&found, "carol@example.com", "tag:web"), Value::Null);
    assert_eq!(
        ports(&found, "alice@example.com", "autogroup:self"),
        json!(["5000"])
    );
    assert_eq!(
        ports(&found, "alice@example.com", "alice@example.com"),
        json!(["5000"])
    );
    assert_eq!(
        ports(&found, "carol@example.com", "alice@example.com"),
        Value::Null
    );
}

#[test]
fn access_that_text_and_context_leave_open_is_listed_beside_the_cells() {
    let text = r#"{"tagOwners": {"tag:web": []}, "acls": [
      {"action": "accept", "src": ["autogroup:admin"], "dst": ["tag:web:22"]},
      {"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:80"]},
    ]}"#;
    let found = matrix(text);
    assert_eq!(ports(&found, "alice@example.com", "tag:web"), json!(["80"]));
    let open = cell(&found, "unknown", "alice@example.com", "tag:web");
    assert_eq!(open["ports"], json!(["22"]));
    assert_eq!(open["because"], json!([rule("acls", 0, 2)]));
    let known = matrix_in(text, &tailnet(), By::Name);
    assert_eq!(
        ports(&known, "alice@example.com", "tag:web"),
        json!(["22", "80"])
    );
    assert_eq!(known["unknown"], json!([]));
}

// docs/policy-language.md#via: a grant through an exit node reaches the internet, and no device.
#[test]
fn a_via_grant_through_an_exit_node_reaches_only_the_internet() {
    let text = r#"{"tagOwners": {"tag:exit": [], "tag:web": []}, "grants": [
      {"src": ["alice@example.com"], "dst": ["autogroup:internet", "tag:web", "10.0.0.0/8"], "ip": ["*"], "via": ["tag:exit"]},
    ]}"#;
    let exit = json!({"id": "5", "hostname": "exit", "tags": ["tag:exit"], "addresses": ["100.64.0.5"],
        "advertisedRoutes": ["0.0.0.0/0", "::/0"], "enabledRoutes": ["0.0.0.0/0", "::/0"]});
    let known = context(json!({"devices": [
        exit,
        {"id": "1", "hostname": "laptop", "user": "alice@example.com", "addresses": ["100.64.0.1"]},
        {"id": "3", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.3"]},
    ]}));
    let found = matrix_in(text, &known, By::Name);
    assert_eq!(
        ports(&found, "alice@example.com", "autogroup:internet"),
        json!(["*"])
    );
    assert_eq!(ports(&found, "alice@example.com", "tag:web"), Value::Null);
    assert_eq!(
        ports(&found, "alice@example.com", "10.0.0.0/8"),
        Value::Null
    );
}

#[test]
fn an_ipset_that_is_only_a_part_of_another_has_its_own_addresses() {
    let text = r#"{"ipsets": {"ipset:part": ["10.0.0.0/24"], "ipset:whole": ["ipset:part", "10.0.1.0/24"]}, "acls": [
      {"action": "accept", "src": ["alice@example.com"], "dst": ["ipset:whole:22"]},
    ]}"#;
    let found = matrix(text);
    assert_eq!(
        ports(&found, "alice@example.com", "ipset:part"),
        json!(["22"])
    );
}
