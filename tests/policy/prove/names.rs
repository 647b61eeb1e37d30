//! Names and values in a guard: devices, names that mean nothing, bases, accounts. Must not live here: what holds (`mod.rs`).

use serde_json::{Value, json};
use tailnet_kit::policy::Error;

use super::{POLICY, proof, prove, prove_in};

/// The result of one assertion beside one that holds.
#[track_caller]
fn beside_one_that_holds(assertion: &str, context: &Value) -> Value {
    let other = r#"{"never": {"from": "tag:web", "to": "tag:db"}}"#;
    let mut proof = prove_in(&format!("[{assertion}, {other}]"), context);
    assert_eq!(proof["results"][1]["holds"], true, "{proof}");
    let first = proof["results"][0].take();
    let whole = match &first["holds"] {
        Value::Bool(true) => json!(true),
        other => other.clone(),
    };
    assert_eq!(proof["holds"], whole, "{first}");
    first
}

/// An assertion that says nothing is false, and says why; the others are judged all the same.
#[track_caller]
fn says_nothing(assertion: &str, context: &Value, why: &str) {
    let found = beside_one_that_holds(assertion, context);
    assert_eq!(found["holds"], false, "{found}");
    assert_eq!(found["why"], why);
    assert_eq!(found.get("counterexample"), None);
    assert_eq!(found["because"], json!([]));
}

// An empty group is known, and protects nothing all the same: whoever reads that it holds reads why.
#[test]
fn what_is_claimed_of_an_empty_name_holds_and_says_so() {
    let policy = r#"{
        "groups": {"group:none": []}, "tagOwners": {"tag:db": []},
        "hosts": {"nas": "10.0.0.1"}, "ipsets": {"ipset:none": ["add host:nas", "remove 10.0.0.1"]},
        "acls": [{"action": "accept", "src": ["*"], "dst": ["*:*"]}],
    }"#;
    let empty = |guard: &str| proof(policy, guard, &json!({}), &[]).expect("a proof");
    let group = "nobody is meant by `group:none`, which has no members";
    let ipset = "nobody is meant by `ipset:none`, which has no addresses";
    for (assertion, why) in [
        (
            r#"{"never": {"from": "group:none", "to": "tag:db"}}"#,
            group,
        ),
        (r#"{"never": {"from": "*", "to": "ipset:none"}}"#, ipset),
        (
            r#"{"always": {"from": "group:none", "to": "tag:db", "users": "root"}}"#,
            group,
        ),
        (
            r#"{"always": {"from": ["tag:db", "group:none"], "to": "nas"}}"#,
            group,
        ),
    ] {
        let found = &empty(&format!("[{assertion}]"))["results"][0];
        assert_eq!(
            (&found["holds"], &found["why"]),
            (&json!(true), &json!(why)),
            "{assertion}"
        );
    }
    let false_one = r#"[{"never": {"from": ["*", "group:none"], "to": "tag:db"}}]"#;
    let found = &empty(false_one)["results"][0];
    assert_eq!((&found["holds"], found.get("why")), (&json!(false), None));
}

// A guard about nothing protects nothing: a misspelt name never holds.
#[test]
fn a_name_that_means_nothing_makes_its_assertion_false() {
    let nothing = json!({});
    for (assertion, why) in [
        (
            r#"{"never": {"from": "group:deb", "to": "tag:db"}}"#,
            "`group:deb` is not defined; did you mean `group:dev`?",
        ),
        (
            r#"{"never": {"from": "tag:wbe", "to": "tag:db"}}"#,
            "`tag:wbe` is not defined; did you mean `tag:web`?",
        ),
        (
            r#"{"always": {"from": "group:ops", "to": "nass"}}"#,
            "`nass` is not defined; did you mean `nas`?",
        ),
        (
            r#"{"never": {"from": "*", "to": "ipset:none"}}"#,
            "`ipset:none` is not defined",
        ),
        (
            r#"{"only": {"from": ["group:dev", "group:opps"], "to": "tag:db"}}"#,
            "`group:opps` is not defined; did you mean `group:ops`?",
        ),
        (
            r#"{"never": {"from": "autogroup:mamber", "to": "tag:db"}}"#,
            "`autogroup:mamber` is not defined; did you mean `autogroup:member`?",
        ),
        (
            r#"{"never": {"from": "autogroup:self", "to": "tag:db"}}"#,
            "`autogroup:self` is no source",
        ),
        (
            r#"{"never": {"from": "group:x", "to": "tag:nowhere", "users": "root"}}"#,
            "`group:x` is not defined; `tag:nowhere` is not defined",
        ),
    ] {
        says_nothing(assertion, &nothing, why);
    }
    let users = json!({"users": [{"loginName": "ann@example.com", "role": "member"}, {"loginName": "cyd@example.com", "role": "admin"}]});
    says_nothing(
        r#"{"never": {"from": "amn@example.com", "to": "tag:db"}}"#,
        &users,
        "`amn@example.com` is no user of the tailnet; did you mean `ann@example.com`?",
    );
}

#[test]
fn a_destination_with_a_port_says_where_ports_go() {
    for (name, host) in [
        ("tag:db:5432", "tag:db"),
        ("*:*", "*"),
        ("nas:22", "nas"),
        ("10.0.0.9:22", "10.0.0.9"),
        ("group:dev:22", "group:dev"),
        ("svc:pay:443", "svc:pay"),
    ] {
        says_nothing(
            &format!(r#"{{"never": {{"from": "group:dev", "to": "{name}"}}}}"#),
            &json!({}),
            &format!("`{name}` has a port: write `{host}` and `ports`"),
        );
    }
}

// docs/policy-language.md#assertions: nobody says who is in a group that an identity provider fills.
#[test]
fn a_group_whose_members_are_unknown_leaves_its_assertion_undecided() {
    let found = beside_one_that_holds(
        r#"{"never": {"from": "group:contractors@acme.com", "to": "tag:db"}}"#,
        &json!({}),
    );
    assert_eq!(found["holds"], Value::Null, "{found}");
    assert_eq!(
        found["why"],
        "nobody says who the members of `group:contractors@acme.com` are"
    );
}

#[test]
fn a_value_that_means_nothing_makes_its_assertion_false() {
    for (assertion, why) in [
        (
            r#"{"never": {"from": "*", "to": "tag:db", "users": "*"}}"#,
            "\"*\" is no account; all but root are `autogroup:nonroot`",
        ),
        (
            r#"{"never": {"from": "*", "to": "tag:db", "users": ["root", "autogroup:nobody"]}}"#,
            "\"autogroup:nobody\" is no account; all but root are `autogroup:nonroot`",
        ),
        (
            r#"{"never": {"from": "*", "to": "tag:db", "users": "localpart:ann"}}"#,
            "\"localpart:ann\" is no account; all but root are `autogroup:nonroot`",
        ),
        (
            r#"{"never": {"from": "*", "to": "*", "ports": "http"}}"#,
            "port range \"http\": invalid first integer",
        ),
        (
            r#"{"never": {"from": "*", "to": "*", "proto": "tpc"}}"#,
            "proto name \"tpc\" not known; use protocol number 0-255",
        ),
    ] {
        says_nothing(assertion, &json!({}), why);
    }
}

#[test]
fn a_base_that_there_is_not_makes_its_assertion_false() {
    let bases = [("main", POLICY), ("bad", r#"{"acls": 3}"#), ("torn", "{")];
    let guard = r#"[{"noMoreThan": "mian"}, {"sameAs": "{\"acls\": []}"}, {"sameAs": "bad"}, {"sameAs": "torn"}, {"sameAs": "main"}]"#;
    let found = proof(POLICY, guard, &json!({}), &bases).expect("a proof");
    let each = found["results"].as_array().expect("results");
    let holds: Vec<&Value> = each.iter().map(|result| &result["holds"]).collect();
    assert_eq!(json!(holds), json!([false, false, false, false, true]));
    assert_eq!(
        each[0]["why"],
        "no base is called `mian`; there are `main`, `bad`, `torn`"
    );
    assert_eq!(
        each[1]["why"],
        "another policy is given as an object or by the name of a base, not as a text"
    );
    for (result, base) in [(&each[2], "bad"), (&each[3], "torn")] {
        let why = result["why"].as_str().expect("why");
        assert!(why.starts_with(&format!("the base `{base}`: ")), "{why}");
    }
}

fn network() -> Value {
    json!({"devices": [
        {"id": "11", "nodeId": "nA", "name": "laptop.tail.ts.net", "user": "ann@example.com", "addresses": ["100.64.0.1", "fd7a:115c:a1e0::1"]},
        {"id": "16", "name": "tablet.tail.ts.net", "user": "ann@example.com", "addresses": ["100.64.0.6"]},
        {"id": "12", "name": "phone.tail.ts.net", "user": "bob@example.com", "addresses": ["100.64.0.2"]},
        {"id": "13", "name": "db-1.tail.ts.net", "hostname": "postgres", "tags": ["tag:db"], "addresses": ["100.64.0.3", "fd7a:115c:a1e0::3"]},
        {"id": "14", "name": "web-1.tail.ts.net", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.4"]},
        {"id": "15", "name": "web-2.tail.ts.net", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.5"]},
    ]})
}

#[test]
fn devices_may_be_named() {
    for (name, wanted) in [
        ("laptop", false),
        ("laptop.tail.ts.net", false),
        ("nA", false),
    ] {
        let guard = format!(r#"[{{"never": {{"from": "{name}", "to": "db-1"}}}}]"#);
        let found = prove_in(&guard, &network());
        assert_eq!(found["holds"], wanted, "{found}");
        assert_eq!(
            found["results"][0]["counterexample"]["flow"],
            json!({"from": "laptop", "to": "db-1:5432", "proto": "tcp"})
        );
    }
    for (guard, wanted) in [
        (r#"[{"never": {"from": "web-1", "to": "db-1"}}]"#, true),
        (
            r#"[{"always": {"from": "phone", "to": "postgres", "ports": "5432"}}]"#,
            true,
        ),
        (
            r#"[{"only": {"from": ["laptop", "tablet", "phone", "group:ops"], "to": "13"}}]"#,
            true,
        ),
        (
            r#"[{"only": {"from": ["laptop", "group:ops"], "to": "13"}}]"#,
            false,
        ),
        (
            r#"[{"never": {"from": "laptop", "to": "web-2", "users": "root"}}]"#,
            true,
        ),
        (
            r#"[{"never": {"from": "laptop", "to": "web-2", "users": "deploy"}}]"#,
            false,
        ),
    ] {
        let found = prove_in(guard, &network());
        assert_eq!(found["holds"], wanted, "{found}");
    }
    let found = prove_in(r#"[{"never": {"from": "laptob", "to": "*"}}]"#, &network());
    assert_eq!(
        found["results"][0]["why"],
        "`laptob` is not defined; did you mean `laptop`?"
    );
}

// As in a question.
#[test]
fn a_name_that_two_devices_have_is_refused() {
    let guard = r#"[{"never": {"from": "*", "to": "web"}}]"#;
    match proof(POLICY, guard, &network(), &[]) {
        Err(Error::Argument(said)) => assert_eq!(
            said,
            "line 1, column 12: several devices are called `web`: web-1.tail.ts.net (id 14), web-2.tail.ts.net (id 15)"
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn false_wins_over_undecided() {
    let proof = prove(
        r#"[{"never": {"from": "group:x@acme.com", "to": "tag:db"}}, {"never": {"from": "group:dev", "to": "tag:db"}}]"#,
    );
    assert_eq!(proof["holds"], false);
}

// A group that an identity provider fills, in a rule: whoever is in it may get there.
#[test]
fn a_rule_of_a_group_whose_members_are_unknown_leaves_undecided() {
    let opened = |rule: &str| {
        POLICY.replace(
            r#""acls": ["#,
            &format!(r#""acls": [{{"action": "accept", {rule}}},"#),
        )
    };
    let policy = opened(r#""src": ["group:guests@acme.com"], "dst": ["tag:db:5432"]"#);
    let devices = network();
    let users = json!({"users": [{"loginName": "ann@example.com", "role": "member"}, {"loginName": "dee@example.com", "role": "member"}]});
    let ask = |policy: &str, guard: &str, context: &Value| {
        let found = proof(policy, &format!("[{guard}]"), context, &[("main", POLICY)]);
        found.expect("a proof")
    };
    let only = r#"{"only": {"from": ["group:ops", "group:dev"], "to": "tag:db"}}"#;
    for context in [&json!({}), &devices, &users] {
        let found = ask(&policy, only, context);
        assert_eq!(found["holds"], Value::Null, "{found}");
        let why = found["results"][0]["why"].as_str().expect("why");
        assert!(why.contains("group:guests@acme.com"), "{why}");
        assert_eq!(ask(POLICY, only, context)["holds"], true);
        for compared in [r#"{"noMoreThan": "main"}"#, r#"{"sameAs": "main"}"#] {
            let found = ask(&policy, compared, context);
            assert_eq!(found["holds"], Value::Null, "{found}");
        }
        // Tagged devices are in no group.
        let tagged = r#"{"never": {"from": "tag:web", "to": "tag:db"}}"#;
        assert_eq!(ask(&policy, tagged, context)["holds"], true);
    }
    // The context says who is in it.
    let mut known = users.clone();
    known["groups"] = json!({"group:guests@acme.com": ["dee@example.com"]});
    let found = ask(&policy, only, &known);
    assert_eq!(found["holds"], false, "{found}");
    assert_eq!(
        found["results"][0]["counterexample"]["flow"]["from"],
        "dee@example.com"
    );
    let guests = r#"{"never": {"from": "group:guests@acme.com", "to": "tag:db"}}"#;
    assert_eq!(ask(&policy, guests, &known)["holds"], false);
    known["groups"] = json!({});
    assert_eq!(ask(&policy, only, &known)["holds"], true);
    let found = ask(&policy, guests, &known);
    assert_eq!(
        found["results"][0]["why"],
        "`group:guests@acme.com` is not defined"
    );
    // What two policies leave open in the same way is no difference.
    let wider = opened(r#""src": ["group:guests@acme.com"], "dst": ["tag:db:5432"]"#)
        .replace("tag:web:80,443", "tag:web:80,443,8080");
    let same = proof(
        &policy,
        r#"[{"noMoreThan": "wider"}]"#,
        &json!({}),
        &[("wider", &wider)],
    );
    assert_eq!(same.expect("a proof")["holds"], true);
}

#[test]
fn a_login_of_a_group_whose_members_are_unknown_is_undecided() {
    let policy = POLICY.replace(
        r#""ssh": ["#,
        r#""ssh": [{"action": "accept", "src": ["group:guests@acme.com"], "dst": ["tag:db"], "users": ["root"]},"#,
    );
    for context in [json!({}), network()] {
        let found = proof(
            &policy,
            r#"[{"only": {"from": "group:ops", "to": "tag:db", "users": "root"}}, {"noMoreThan": "main"}]"#,
            &context,
            &[("main", POLICY)],
        )
        .expect("a proof");
        assert_eq!(found["results"][0]["holds"], Value::Null, "{found}");
        assert_eq!(found["results"][1]["holds"], Value::Null, "{found}");
    }
}
