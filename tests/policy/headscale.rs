//! Policies in Headscale's language: verdicts and messages, by docs that quote its own words.
//! Must not live here: what recordings of Headscale show (tests/recorded/headscale.rs).

use serde_json::{Value, json};
use tailnet_kit::policy::{Check, PolicyContext, check};

/// Two users whose devices are a laptop and a phone, two of one name, and a server that has a tag and was made by a user.
fn network() -> Value {
    json!({
        "dialect": "headscale",
        "users": [
            {"loginName": "ann", "id": "1", "email": "ann@example.com"},
            {"loginName": "bob", "id": "2", "providerId": "https://idp.example.com/bob"},
            {"loginName": "eve", "id": "3"},
            {"loginName": "eve", "id": "4", "email": "eve@example.com"},
        ],
        "devices": [
            {"id": "1", "hostname": "laptop", "user": "1", "addresses": ["100.64.0.1"]},
            {"id": "2", "hostname": "phone", "user": "2", "addresses": ["100.64.0.2"]},
            {"id": "3", "hostname": "server", "user": "2", "tags": ["tag:web"], "addresses": ["100.64.0.3"]},
        ],
    })
}

fn context() -> PolicyContext {
    serde_json::from_value(network()).expect("a context")
}

fn judged(policy: &str) -> Check {
    check(policy, &context())
}

#[track_caller]
fn says(policy: &str, message: &str) {
    assert_eq!(judged(policy).message.as_deref(), Some(message), "{policy}");
}

#[track_caller]
fn accepts(policy: &str) {
    let check = judged(policy);
    assert_eq!((check.accepted, check.message), (true, None), "{policy}");
}

#[test]
fn the_first_fault_of_the_decoder_is_the_refusal() {
    says(
        r#"{"acls": {}}"#,
        r#"parsing policy from bytes: json: cannot unmarshal JSON object into Go []v2.ACL within "/acls""#,
    );
    says(
        r#"{"ACLs": [{"action": "drop"}], "groups": 1}"#,
        r#"parsing policy from bytes: json: cannot unmarshal JSON string into Go v2.Action within "/ACLs/0/action": action="drop" is not supported: invalid ACL action"#,
    );
    says(r#"{"postures": {}}"#, r#"unknown field: "postures""#);
    says(
        r#"{"tagOwners": {}, "tag_owners": {}}"#,
        r#"parsing policy from bytes: jsontext: duplicate object member name "tag_owners""#,
    );
    says(
        "{",
        "parsing HuJSON: hujson: line 1, column 2: parsing value: unexpected EOF",
    );
}

#[test]
fn all_faults_of_the_document_are_told() {
    says(
        r#"{"acls": [{"src": ["tag:a"], "dst": ["b:22", "tag:c:*"]}]}"#,
        "multiple errors:\n\tsrc=tag not found: \"tag:a\"\n\thost not defined in policy: \"b\"\n\tdst=\"tag:c\": tag not found: \"tag:c\"",
    );
    says(
        r#"{"tests": [{"src": "ann@"}, {"src": "ann@", "proto": "icmp", "deny": ["*:*"]}]}"#,
        "test(s) failed:\nmultiple errors:\n\ttest 0: test entry must have at least one of \"accept\" or \"deny\"\n\t\
         test 1: test protocol must be tcp, udp, sctp, or empty: \"icmp\"\n\ttest 1, deny \"*:*\": test destination port must be a single port",
    );
}

#[test]
fn what_it_takes_is_wider_than_the_service() {
    accepts("");
    accepts("null");
    accepts(
        r##"{"a-C_l-S": [{"#note": "of a user interface", "src": ["*"], "dst": ["*:0-10,+80,1--5"]}]}"##,
    );
    accepts(
        r#"{"acls": [{"proto": 6, "src": ["autogroup:danger-all"], "dst": ["[fd7a::1]:22"]}]}"#,
    );
    accepts(
        r#"{"grants": [{"src": ["*"], "dst": ["*"], "ip": [":80", "tcp:80,443", "icmp:80", "fc:*"]}]}"#,
    );
    accepts(r#"{"tagOwners": {"tag:a.b c": ["tag:a.b c"]}, "hosts": {"": "fe80::1%eth0"}}"#);
}

#[test]
fn a_token_that_fits_two_users_refuses_the_policy() {
    let two = r#"multiple users found: token "eve@" found: [ 3: eve, 4: eve,  ]"#;
    says(r#"{"acls": [{"src": ["eve@"], "dst": ["*:*"]}]}"#, two);
    says(
        r#"{"groups": {"group:g": ["eve@"]}, "tagOwners": {"tag:web": ["eve@"]}}"#,
        &format!("multiple errors:\n\t{two}\n\t{two}"),
    );
    // One of them has a mail address, which fits her alone; grants are not judged for it.
    accepts(r#"{"acls": [{"src": ["eve@example.com"], "dst": ["*:*"]}]}"#);
    accepts(r#"{"grants": [{"src": ["eve@"], "dst": ["*"], "ip": ["*"]}]}"#);
    says(
        r#"{"nodeAttrs": [{"target": ["zoe@"], "attr": ["x"]}]}"#,
        r#"compiling nodeAttrs: nodeAttrs target [zoe@]: user not found: token "zoe@""#,
    );
}

#[test]
fn without_a_dialect_the_text_is_one_of_the_service() {
    let text = r#"{"acls": [{"src": ["*"], "dst": ["*:0-10"]}]}"#;
    accepts(text);
    assert!(!check(text, &PolicyContext::default()).accepted);
}
