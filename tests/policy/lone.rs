//! What is told of few: of the one device of somebody, of those of an autogroup who have names of their own, of a recorder that is
//! there already. Must not live here: other changes (silence.rs).

use serde_json::{Value, json};

use crate::silence::reviewed;

/// Bob has one device; a device has `tag:db`.
fn context() -> Value {
    json!({"devices": [
        {"id": "desk", "name": "desk.example.ts.net", "user": "bob@example.com", "addresses": ["100.64.0.3", "fd7a:115c:a1e0::3"]},
        {"id": "db", "name": "db.example.ts.net", "tags": ["tag:db"], "addresses": ["100.64.0.10", "fd7a:115c:a1e0::10"]},
        {"id": "rec", "name": "rec.example.ts.net", "tags": ["tag:rec"], "addresses": ["100.64.0.11", "fd7a:115c:a1e0::11"]},
    ]})
}

fn policy(acls: &[(&str, &str)], ssh: Value) -> String {
    let rule = |(from, to): &(&str, &str)| json!({"action": "accept", "src": [from], "dst": [to]});
    let acls: Vec<Value> = acls.iter().map(rule).collect();
    json!({
        "tagOwners": {"tag:db": [], "tag:web": [], "tag:rec": []},
        "groups": {"group:eng": ["ann@example.com", "bob@example.com"]},
        "acls": acls,
        "ssh": ssh,
    })
    .to_string()
}

fn login(from: &str, to: &str, more: &Value) -> Value {
    let mut rule = json!({"action": "accept", "src": [from], "dst": [to], "users": ["root"]});
    for (key, value) in more.as_object().expect("an object") {
        rule[key] = value.clone();
    }
    json!([rule])
}

#[test]
fn what_the_one_device_of_somebody_opens_to_itself_is_told_as_what_nobody_uses_today() {
    let open = [("*", "*:*")];
    for (who, why) in [
        ("bob@example.com", "the user has no other device"),
        ("tag:db", "no other device has the tag"),
    ] {
        let texts = [
            policy(&open, json!([])),
            policy(&open, login(who, who, &json!({}))),
        ];
        let [before, after] = [[0, 1], [1, 0]]
            .map(|[one, other]| reviewed(&texts[one], &texts[other], [&context(), &context()]));
        for (found, list) in [(before, "gained"), (after, "lost")] {
            assert_eq!(found["unchanged"], false);
            assert_eq!(found["ssh"][0]["source"], who);
            let told = &found["ssh"][0][list][0];
            assert_eq!(told["destination"], who);
            assert_eq!(told["today"], why);
        }
        let known = [("ann@example.com", "tag:web:*")];
        let own = format!("{who}:22");
        let more = [known[0], (who, own.as_str())];
        let found = reviewed(
            &policy(&known, json!([])),
            &policy(&more, json!([])),
            [&context(), &context()],
        );
        assert_eq!(found["unchanged"], false);
        let told = &found["access"][0]["gained"][0];
        assert_eq!(told["destination"], who);
        assert_eq!(told["today"], why);
    }
}

// By text alone: the group keeps what all members had.
#[test]
fn those_of_an_autogroup_who_keep_what_it_loses_are_named() {
    let kept = ("group:eng", "tag:db:5432");
    let texts = [
        policy(&[("autogroup:member", "tag:db:5432"), kept], json!([])),
        policy(&[kept], json!([])),
    ];
    for ([one, other], list) in [([0, 1], "lost"), ([1, 0], "gained")] {
        let found = reviewed(&texts[one], &texts[other], [&json!({}), &json!({})]);
        assert_eq!(found["access"].as_array().map(Vec::len), Some(1));
        let told = &found["access"][0][list][0];
        assert_eq!(
            told["part"]["from"],
            json!(["all but ann@example.com, bob@example.com"])
        );
        assert_eq!(found["lockedOut"], json!([]));
    }
}

#[test]
fn an_autogroup_of_which_somebody_reaches_something_else_is_not_locked_out() {
    for everybody in ["autogroup:member", "autogroup:admin"] {
        let other = ("group:eng", "tag:web:443");
        let found = reviewed(
            &policy(&[(everybody, "tag:db:5432"), other], json!([])),
            &policy(&[other], json!([])),
            [&json!({}), &json!({})],
        );
        assert_eq!(found["lockedOut"], json!([]));
        let found = reviewed(
            &policy(
                &[(everybody, "tag:db:5432"), ("tag:rec", "tag:web:443")],
                json!([]),
            ),
            &policy(&[("tag:rec", "tag:web:443")], json!([])),
            [&json!({}), &json!({})],
        );
        let parties = found["lockedOut"].as_array().expect("a list");
        assert!(parties.iter().any(|party| party["name"] == everybody));
    }
}

// Silence is a promise, point 2: what is tightened is no gain.
#[test]
fn a_recorder_without_which_nobody_logs_in_any_more_gains_no_power() {
    let open = [("*", "*:*")];
    let recorded = |more: Value| policy(&open, login("bob@example.com", "tag:db", &more));
    let found = reviewed(
        &recorded(json!({"recorder": ["tag:rec"]})),
        &recorded(json!({"recorder": ["tag:rec"], "enforceRecorder": true})),
        [&context(), &context()],
    );
    let summary = found["summary"].as_str().expect("a text");
    assert!(
        summary.contains("records sessions more strictly"),
        "{summary}"
    );
    assert!(!summary.contains("gains powers"), "{summary}");
}

// Bob's desk is the only exit node: nobody else forwards what he sends to the internet.
#[test]
fn what_only_the_device_itself_has_or_forwards_is_told_as_what_nobody_uses_today() {
    let mut context = context();
    for name in ["advertisedRoutes", "enabledRoutes"] {
        context["devices"][0][name] = json!(["0.0.0.0/0", "::/0"]);
    }
    let known = ("bob@example.com", "tag:db:5432");
    for (to, why) in [
        ("autogroup:internet", "only the device itself forwards it"),
        ("autogroup:self", "the user has no other device"),
    ] {
        let ports = format!("{to}:443");
        let texts = [
            policy(&[], json!([])),
            policy(&[known, ("bob@example.com", &ports)], json!([])),
        ];
        for ([one, other], list) in [([0, 1], "gained"), ([1, 0], "lost")] {
            let found = reviewed(&texts[one], &texts[other], [&context, &context]);
            let told = found["access"][0][list].as_array().expect("a list");
            let today = |to: &str| {
                let mut own = told.iter().filter(|it| it["destination"] == to);
                own.next().map(|it| it["today"].clone())
            };
            assert_eq!(today(to), Some(json!(why)));
            assert_eq!(today("tag:db"), Some(Value::Null));
        }
    }
}

// docs/policy-language.md#selectors: whatever device gets the tag has an address of the tailnet.
#[test]
fn a_tag_without_device_is_still_reached_by_all_addresses_of_the_tailnet() {
    let texts =
        |[before, after]: [(&str, &str); 2]| [before, after].map(|rule| policy(&[rule], json!([])));
    let narrowed = [
        [
            ("bob@example.com", "*:22"),
            ("bob@example.com", "100.64.0.0/10:22"),
        ],
        [("*", "tag:web:22"), ("100.64.0.0/10", "100.64.0.0/10:22")],
        [("*", "tag:web:22"), ("100.64.0.0/10", "tag:web:22")],
    ];
    for rules in narrowed {
        let [before, after] = texts(rules);
        let found = reviewed(&before, &after, [&context(), &context()]);
        assert_eq!(found["orphaned"], json!([]), "{rules:?}");
        assert_eq!(found["lockedOut"], json!([]), "{rules:?}");
    }
    // One address is none that the device need have.
    let [before, after] = texts([("*", "tag:web:22"), ("bob@example.com", "100.64.0.77:22")]);
    let found = reviewed(&before, &after, [&context(), &context()]);
    assert_eq!(found["orphaned"][0]["name"], "tag:web");
}
