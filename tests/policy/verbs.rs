//! Explaining, comparing, converting and editing policies. Must not live here: files of tests that a verb has of its own.

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    Explanation, Flow, Policy, PolicyContext, Subject, Verdict, check, diff, edit, to_json,
};

const POLICY: &str = r#"{
  // People.
  "groups": {
    "group:dev": ["ann@example.com"], // the first
  },
  "tagOwners": {"tag:web": [], "tag:db": []},
  "hosts": {"vault": "10.9.0.1"},
  "postures": {"posture:new": ["node:os == 'linux'"]},
  "acls": [
    // Everyone who develops.
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:80,443", "vault:8200"]},
    {"action": "accept", "proto": "udp", "src": ["group:dev"], "dst": ["tag:db:53"]},
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:db:22"], "srcPosture": ["posture:new"]},
  ],
  "grants": [
    {"src": ["tag:web"], "dst": ["tag:db"], "ip": ["tcp:5432"]},
    {"src": ["100.64.0.1"], "dst": ["vault"], "ip": ["9000"]},
  ],
}
"#;

#[track_caller]
fn explain(from: Subject, to: &str, proto: Option<&str>, context: &str) -> Explanation {
    let document = hujson::parse(POLICY).expect("the text is HuJSON");
    let context: PolicyContext = serde_json::from_str(context).expect("a context");
    let flow = Flow::new(&from, to, proto).expect("a flow");
    Policy::read(&document)
        .explain(&flow, &context)
        .expect("an answer")
}

fn user(login: &str) -> Subject {
    Subject::User(login.to_owned())
}

/// Section, index and line of each rule.
fn rules(explanation: &Explanation) -> Value {
    json!(explanation.because)
}

fn misses(explanation: &Explanation) -> Vec<(usize, &str)> {
    explanation
        .near_misses
        .iter()
        .map(|miss| (miss.rule.line, miss.why.as_str()))
        .collect()
}

#[test]
fn an_allowed_flow_names_its_rules() {
    let allowed = explain(user("ann@example.com"), "tag:web:443", None, "{}");
    assert_eq!(allowed.verdict, Verdict::Allowed);
    assert_eq!(
        rules(&allowed),
        json!([{"section": "acls", "index": 0, "line": 11}])
    );
    assert_eq!(misses(&allowed), []);
    let by_tag = explain(
        Subject::Tag("web".to_owned()),
        "tag:db:5432",
        Some("TCP"),
        "{}",
    );
    assert_eq!(
        rules(&by_tag),
        json!([{"section": "grants", "index": 0, "line": 16}])
    );
    let by_address = explain(user("ann@example.com"), "10.9.0.1:8200", None, "{}");
    assert_eq!(by_address.verdict, Verdict::Allowed);
}

#[test]
fn a_denied_flow_names_the_rules_that_nearly_fit() {
    let port = explain(user("ann@example.com"), "tag:web:22", None, "{}");
    assert_eq!(port.verdict, Verdict::Denied);
    assert_eq!(
        misses(&port),
        [(11, "wrong port: the rule opens ports 80 and 443, not 22")]
    );
    let source = explain(user("bob@example.com"), "tag:web:80", None, "{}");
    assert_eq!(
        misses(&source),
        [(11, "source \"bob@example.com\" is not in group:dev")]
    );
    let protocol = explain(user("ann@example.com"), "tag:db:53", None, "{}");
    assert_eq!(
        misses(&protocol)[0],
        (12, "wrong protocol: the rule is for udp, not tcp")
    );
    let unnamed = explain(user("ann@example.com"), "tag:web:80", Some("sctp"), "{}");
    assert_eq!(
        misses(&unnamed),
        [(
            11,
            "wrong protocol: the rule is for tcp, udp and icmp, not sctp"
        )]
    );
    let posture = explain(user("ann@example.com"), "tag:db:22", None, "{}");
    assert_eq!(
        misses(&posture)[0],
        (13, "posture: the source must have posture:new")
    );
}

#[test]
fn a_verdict_that_the_text_leaves_open_is_unknown() {
    let open = explain(user("ann@example.com"), "vault:9000", None, "{}");
    assert_eq!(open.verdict, Verdict::Unknown);
    assert_eq!(open.unresolved, ["100.64.0.1"]);
    let devices =
        r#"{"devices": [{"id": "1", "user": "ann@example.com", "addresses": ["100.64.0.1"]}]}"#;
    assert_eq!(
        explain(user("ann@example.com"), "vault:9000", None, devices).verdict,
        Verdict::Allowed
    );
    let both = r#"{"devices": [{"id": "1", "user": "ann@example.com", "addresses": ["100.64.0.1", "fd7a:115c:a1e0::1"]}]}"#;
    let half = explain(user("ann@example.com"), "vault:9000", None, both);
    // The destination has IPv4 alone, and there her device is allowed.
    assert_eq!(half.verdict, Verdict::Allowed);
    let nobody = explain(
        Subject::Host("nowhere".to_owned()),
        "vault:9000",
        None,
        "{}",
    );
    assert_eq!(
        (nobody.verdict, &nobody.unresolved[..]),
        (Verdict::Unknown, &["nowhere".to_owned()][..])
    );
}

#[test]
fn a_malformed_flow_is_refused() {
    for (to, proto) in [
        ("tag:web", None),
        ("tag:web:*", None),
        ("tag:web:80,81", None),
        ("tag:web:80", Some("http")),
    ] {
        let flow = Flow::new(&user("ann@example.com"), to, proto);
        assert_eq!(
            flow.map(|_| ()).unwrap_err().code(),
            "invalid_argument",
            "{to}"
        );
    }
    assert!(Flow::new(&Subject::Ip("10.0.0.0/8".to_owned()), "vault:1", None).is_err());
}

/// The changes as pointer, kind, before and after.
#[track_caller]
fn changes(before: &str, after: &str) -> Value {
    json!(diff(before, after).expect("both are HuJSON"))
}

#[test]
fn spelling_layout_and_order_are_no_change() {
    assert_eq!(changes(POLICY, POLICY), json!([]));
    let old = r#"{"ACLs": [{"Action": "accept", "Users": ["b@x", " a@x"], "Ports": ["h:80,443"], "proto": "tcp"}], "hosts": {}, "tests": null}"#;
    let new = r#"{"acls": [{"proto": "6", "dst": ["h:443,80"], "src": ["a@x", "b@x", "a@x"], /* c */ "action": "accept"}]}"#;
    assert_eq!(changes(old, new), json!([]));
    let rules = [
        r#"{"src": ["a@x"], "dst": ["*"], "ip": ["1"]}"#,
        r#"{"src": ["b@x"], "dst": ["*"], "ip": ["2"]}"#,
    ];
    let one = format!(r#"{{"grants": [{}, {}]}}"#, rules[0], rules[1]);
    let other = format!(r#"{{"grants": [{}, {}]}}"#, rules[1], rules[0]);
    assert_eq!(changes(&one, &other), json!([]));
}

#[test]
fn changes_have_pointers_in_modern_keys() {
    let before = r#"{"Hosts": {"a": "10.0.0.1", "gone": "10.0.0.2"}, "ACLs": [{"Action": "accept", "Users": ["a@x"], "Ports": ["a:1"]}]}"#;
    let after = r#"{"hosts": {"a": "10.0.0.9"}, "groups": {"group:g": ["a@x"]}, "acls": [{"action": "accept", "src": ["a@x", "b@x"], "dst": ["a:1"]}]}"#;
    assert_eq!(
        changes(before, after),
        json!([
            {"pointer": "/acls/0/src", "kind": "changed", "before": ["a@x"], "after": ["a@x", "b@x"]},
            {"pointer": "/groups", "kind": "added", "after": {"group:g": ["a@x"]}},
            {"pointer": "/hosts/a", "kind": "changed", "before": "10.0.0.1", "after": "10.0.0.9"},
            {"pointer": "/hosts/gone", "kind": "removed", "before": "10.0.0.2"},
        ])
    );
}

#[test]
fn an_empty_list_of_rules_is_not_the_same_as_none() {
    assert_eq!(
        changes("{}", r#"{"acls": []}"#),
        json!([{"pointer": "/acls", "kind": "added", "after": []}])
    );
    let (one, two) = (
        r#"{"ssh": [{"action": "check"}, {"action": "accept"}]}"#,
        r#"{"ssh": [{"action": "accept"}, {"action": "check"}]}"#,
    );
    assert_eq!(
        changes(one, two).as_array().map(Vec::len),
        Some(2),
        "the order of ssh rules counts"
    );
}

#[test]
fn a_rule_that_comes_or_goes_is_one_change() {
    let rule =
        |n: u16| format!(r#"{{"action": "accept", "src": ["u{n}@x"], "dst": ["10.0.0.{n}:1"]}}"#);
    let list = |rules: &[u16]| {
        format!(
            r#"{{"acls": [{}]}}"#,
            rules.iter().map(|n| rule(*n)).collect::<Vec<_>>().join(",")
        )
    };
    let parsed = |n| serde_json::from_str::<Value>(&rule(n)).expect("JSON");
    assert_eq!(
        changes(&list(&[1, 2]), &list(&[3, 1, 2])),
        json!([{"pointer": "/acls/0", "kind": "added", "after": parsed(3)}])
    );
    assert_eq!(
        changes(&list(&[1, 2, 3]), &list(&[3, 1])),
        json!([{"pointer": "/acls/1", "kind": "removed", "before": parsed(2)}])
    );
}

#[test]
fn the_parsed_form_spells_acl_rules_as_the_service_does() {
    let json = to_json(POLICY).expect("HuJSON");
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        value["acls"][1],
        json!({"action": "accept", "proto": "udp", "users": ["group:dev"], "ports": ["tag:db:53"]})
    );
    assert_eq!(
        value["grants"][0],
        json!({"src": ["tag:web"], "dst": ["tag:db"], "ip": ["tcp:5432"]})
    );
    assert!(
        json.starts_with(r#"{"groups":{"group:dev":["ann@example.com"]},"tagOwners""#),
        "{json}"
    );
    let old =
        r#"{"Tests": [{"User": "a@x", "Allow": ["h:1"]}], "SomethingNew": {"Users": [1e3, null]}}"#;
    assert_eq!(
        to_json(old).as_deref(),
        Ok(r#"{"tests":[{"src":"a@x","accept":["h:1"]}],"SomethingNew":{"Users":[1e3,null]}}"#)
    );
}

#[test]
fn the_parsed_form_has_a_key_once_where_its_other_spelling_is_null() {
    let text = r#"{
        "acls": [{"action": "accept", "src": ["*"], "users": null, "ports": null, "dst": ["*:1"]}],
        "tests": [{"user": null, "src": "100.64.0.1", "accept": ["100.64.0.2:1"], "allow": null}]
    }"#;
    assert_eq!(check(text, &PolicyContext::default()).message, None);
    assert_eq!(
        to_json(text).as_deref(),
        Ok(concat!(
            r#"{"acls":[{"action":"accept","users":["*"],"ports":["*:1"]}],"#,
            r#""tests":[{"src":"100.64.0.1","accept":["100.64.0.2:1"]}]}"#
        ))
    );
}

#[test]
fn edits_keep_comments() {
    let rule = r#"{"action": "accept", "src": ["bob@example.com"], "dst": ["vault:1"]}"#;
    let added = edit::add_rule(POLICY, rule, Some(1)).expect("an edit");
    assert!(
        added.contains("// Everyone who develops.") && added.contains("// the first"),
        "{added}"
    );
    assert!(added.contains(rule), "keys in the order given: {added}");
    assert_eq!(diff(POLICY, &added).expect("HuJSON").len(), 1);
    assert_eq!(edit::remove_rule(&added, 1).as_deref().ok(), Some(POLICY));
    let grant = edit::add_rule(
        POLICY,
        r#"{"src": ["*"], "dst": ["vault"], "ip": ["1"]}"#,
        None,
    )
    .expect("an edit");
    assert_eq!(changes(POLICY, &grant)[0]["pointer"], "/grants/2");
    let group = edit::set_group(
        POLICY,
        "dev",
        Some(&["bob@example.com".to_owned(), "ann@example.com".to_owned()]),
    )
    .expect("an edit");
    assert!(group.contains("// the first"), "{group}");
    let value: Value = serde_json::from_str(&to_json(&group).expect("HuJSON")).expect("JSON");
    assert_eq!(
        value["groups"]["group:dev"],
        json!(["bob@example.com", "ann@example.com"])
    );
    let host = edit::set_host(POLICY, "vault", Some("10.9.0.2")).expect("an edit");
    assert_eq!(host, POLICY.replace("10.9.0.1", "10.9.0.2"));
}

#[test]
fn edits_add_missing_sections_and_find_old_names() {
    let made = edit::set_group("{}", "group:a", Some(&["a@x".to_owned()])).expect("an edit");
    assert_eq!(
        changes("{}", &made),
        json!([{"pointer": "/groups", "kind": "added", "after": {"group:a": ["a@x"]}}])
    );
    let old = r#"{"Hosts": {"a": "10.0.0.1"}, "ACLs": []}"#;
    let changed = edit::set_host(old, "b", Some("10.0.0.2")).expect("an edit");
    assert_eq!(
        changes(old, &changed),
        json!([{"pointer": "/hosts/b", "kind": "added", "after": "10.0.0.2"}])
    );
    assert!(
        edit::add_rule(old, r#"{"action": "accept"}"#, None)
            .expect("an edit")
            .contains(r#""ACLs""#)
    );
    assert_eq!(
        edit::set_host(old, "nothing", None).as_deref().ok(),
        Some(old)
    );
    assert_eq!(
        edit::set_group(old, "nothing", None).as_deref().ok(),
        Some(old)
    );
}

#[test]
fn edits_fill_a_section_that_is_null_under_the_name_it_has() {
    let text = r#"{"ACLs": null, "GROUPS": null, "Hosts": null}"#;
    let rule = r#"{"action": "accept", "src": ["*"], "dst": ["*:1"]}"#;
    let edited = [
        edit::add_rule(text, rule, Some(0)),
        edit::set_group(text, "dev", Some(&["ann@example.com".to_owned()])),
        edit::set_host(text, "a", Some("10.0.0.1")),
    ];
    for after in edited.map(|edited| edited.expect("an edit")) {
        // The service refuses a second section in another spelling.
        assert_eq!(
            check(&after, &PolicyContext::default()).message,
            None,
            "{after}"
        );
        assert_eq!(changes(text, &after).as_array().map(Vec::len), Some(1));
    }
}

#[test]
fn an_edit_that_cannot_be_made_says_so() {
    let code = |result: Result<String, edit::EditError>| {
        result.map_err(|error| error.code()).expect_err("an error")
    };
    assert_eq!(code(edit::remove_rule(POLICY, 3)), "invalid_argument");
    assert_eq!(
        code(edit::add_rule(POLICY, "{}", Some(9))),
        "invalid_argument"
    );
    assert_eq!(code(edit::add_rule(POLICY, "7", None)), "invalid_argument");
    assert_eq!(code(edit::add_rule("[]", "{}", None)), "invalid_argument");
    assert_eq!(code(edit::add_rule("{", "{}", None)), "hujson_syntax");
    for nameless in ["", " ", "group:"] {
        assert_eq!(
            code(edit::set_group("{}", nameless, Some(&[]))),
            "invalid_argument"
        );
    }
    assert_eq!(
        code(edit::set_host("{}", "", Some("10.0.0.1"))),
        "invalid_argument"
    );
}

/// A section of another type has what somebody wrote: an edit must not delete it, nor take a name for an index of a list.
#[test]
fn an_edit_replaces_no_section_of_another_type() {
    let text = r#"{"acls": {"a": 1}, "grants": "x", "groups": [], "hosts": ["10.0.0.1"]}"#;
    let edits = [
        edit::add_rule(text, r#"{"action": "accept"}"#, None),
        edit::add_rule(text, r#"{"ip": ["*"]}"#, None),
        edit::remove_rule(text, 0),
        edit::set_group(text, "0", Some(&[])),
        edit::set_host(text, "0", Some("10.0.0.2")),
        edit::set_host(text, "0", None),
    ];
    for edited in edits {
        assert_eq!(edited.expect_err("an error").code(), "invalid_argument");
    }
}

/// The service has no such rule, so the result of a test must not depend on it.
#[test]
fn a_rule_with_another_action_lets_nothing_through() {
    let text = r#"{
        "acls": [{"action": "drop", "src": ["*"], "dst": ["*:*"]}],
        "tests": [{"src": "ann@example.com", "accept": ["bob@example.com:22"]}]
    }"#;
    let verdict = check(text, &PolicyContext::default());
    assert_eq!(
        verdict.message.as_deref(),
        Some("action=\"drop\" is not supported")
    );
    assert_eq!(verdict.tests.results[0].passed, Some(false));
    let codes: Vec<_> = verdict.issues.iter().map(|issue| issue.code).collect();
    assert!(!codes.contains(&"broad_rule"), "{codes:?}");
}

#[test]
fn a_number_spelled_otherwise_is_no_change() {
    let (old, new) = (
        r#"{"derpMap": {"a": [1.0, 1e2, -0, 1.5]}}"#,
        r#"{"derpMap": {"a": [1, 100, 0, 15e-1]}}"#,
    );
    assert_eq!(changes(old, new), json!([]));
    assert_eq!(
        changes(old, &old.replace("1e2", "101"))[0]["after"],
        json!({"a": [1, 101, 0, 1.5]})
    );
}

/// The service ignores white space around names (docs/policy-language.md#blanks-and-case).
#[test]
fn an_edit_finds_a_group_by_a_padded_name() {
    let text = r#"{"groups": {"group:a": ["x@y"]}}"#;
    assert_eq!(
        edit::set_group(text, " group:a\t", None).as_deref().ok(),
        Some(r#"{"groups": {}}"#)
    );
}

/// Lines and columns count bytes, as the reference does; offsets count UTF-16 units, as editors do; pointers have names as written.
#[test]
fn an_issue_has_its_place_in_every_count() {
    let text = "{\n  \"ACLs\": [\n    /* gr\u{fc}n \u{1f600} */ {\"action\": \"accept\", \"src\": [\"*\"], \"dst\": [\"h\u{f6}st:80\"]},\n  ],\n  \"hosts\": {\"a/b~c\": \"nowhere\"},\n  \"grup\": {},\n}\n";
    let issues = check(text, &PolicyContext::default()).issues;
    let place = |code: &str| {
        let issue = issues
            .iter()
            .find(|issue| issue.code == code)
            .expect("an issue");
        let pointer = issue.pointer.as_deref().expect("a pointer");
        let units: Vec<u16> = text.encode_utf16().collect();
        let selected =
            String::from_utf16(&units[issue.offset..issue.offset + issue.length]).expect("text");
        (pointer.to_owned(), issue.line, issue.column, selected)
    };
    assert_eq!(
        place("unknown_host"),
        (
            "/ACLs/0/dst/0".to_owned(),
            3,
            65,
            "\"h\u{f6}st:80\"".to_owned()
        )
    );
    assert_eq!(
        place("invalid_address"),
        ("/hosts/a~1b~0c".to_owned(), 5, 22, "\"nowhere\"".to_owned())
    );
    assert_eq!(
        place("unknown_field"),
        ("/grup".to_owned(), 6, 3, "\"grup\"".to_owned())
    );
    let hint = issues
        .iter()
        .find(|issue| issue.code == "unknown_field")
        .and_then(|issue| issue.hint.clone());
    assert_eq!(hint.as_deref(), Some("did you mean `groups`?"));
}

/// A rule that covers another is found however many rules name the same destination (docs/policy-language.md#advice).
#[test]
fn a_covered_rule_is_found_among_many_of_one_destination() {
    let rule = |user: usize| json!({"action": "accept", "src": [format!("u{user}@example.com")], "dst": ["10.0.0.1:22"]});
    let mut acls: Vec<Value> = (0..500).map(rule).collect();
    acls.push(rule(499));
    let check = check(
        &json!({ "acls": acls }).to_string(),
        &PolicyContext::default(),
    );
    let covered = check.issues.iter().filter(|i| i.code == "covered_rule");
    let pointers: Vec<_> = covered.map(|issue| issue.pointer.as_deref()).collect();
    assert_eq!(pointers, [Some("/acls/500")]);
}
