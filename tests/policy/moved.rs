//! What differs between two networks or by what devices report: who has a device, which postures it meets, to which family an exit node
//! leads; and in which direction something undecided may go. Must not live here: whole summaries (tests/policy/changes).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    Flow, Judge, Policy, PolicyContext, diff_access_between, diff_powers, diff_ssh_between,
};

use crate::silence::reviewed;

fn context(value: &Value) -> PolicyContext {
    serde_json::from_value(value.clone()).expect("a context")
}

/// The differences of access, logins and powers.
fn differences(policies: [&Value; 2], contexts: [&Value; 2]) -> [Value; 3] {
    let texts = policies.map(Value::to_string);
    let documents = texts
        .each_ref()
        .map(|text| hujson::parse(text).expect("HuJSON"));
    let policies = documents.each_ref().map(Policy::read);
    let contexts = contexts.map(context);
    let judges = [0, 1].map(|at| Judge::new(&policies[at], &contexts[at]));
    [
        json!(diff_access_between(judges.each_ref())),
        json!(diff_ssh_between(judges.each_ref())),
        json!(diff_powers(&policies[0], &policies[1], contexts.each_ref())),
    ]
}

/// `who`, what becomes of it, where or what.
fn lines(answer: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for change in answer.as_array().expect("changes") {
        for (list, sign) in [
            ("gained", "+"),
            ("lost", "-"),
            ("undecided", "?"),
            ("checked", "~"),
        ] {
            for one in change[list].as_array().into_iter().flatten() {
                let who = change["source"].as_str().or(change["who"].as_str());
                let what = one["destination"].as_str().or(one["what"].as_str());
                let may = one["may"].as_str().unwrap_or_default();
                lines.push(format!(
                    "{} {sign}{may} {}",
                    who.expect("a name"),
                    what.expect("a name")
                ));
            }
        }
    }
    lines.sort();
    lines
}

fn device(id: &str, owner: Value, address: &str) -> Value {
    let mut device = json!({"id": id, "name": id, "addresses": [address]});
    for (key, value) in owner.as_object().expect("members") {
        device[key] = value.clone();
    }
    device
}

fn of(user: &str) -> Value {
    json!({"user": format!("{user}@example.com")})
}

#[test]
fn a_device_in_other_hands_is_lost_by_one_and_gained_by_the_other() {
    let policy = json!({
        "acls": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:22"]}],
        "ssh": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["root"]}],
    });
    let network = |owner| {
        json!({"devices": [
            device("laptop", of("bob"), "100.64.0.1"), device("spare", of(owner), "100.64.0.2"),
            device("mac", of("cyd"), "100.64.0.3"),
        ]})
    };
    let [access, logins, _] = differences([&policy, &policy], [&network("bob"), &network("cyd")]);
    let expected = [
        "laptop - spare",
        "mac + spare",
        "spare + mac",
        "spare - laptop",
    ];
    assert_eq!(
        (lines(&access), lines(&logins)),
        (
            expected.map(str::to_owned).into(),
            expected.map(str::to_owned).into()
        )
    );
}

// It was said that nobody loses anything, as one device has the tag that it got.
#[test]
fn a_device_that_gets_a_tag_loses_the_devices_of_its_user() {
    let policy = json!({
        "acls": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:22"]}],
        "ssh": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["root"]}],
    });
    let db = json!({"tags": ["tag:db"]});
    let network = |owner: Value| {
        json!({"devices": [
            device("laptop", of("bob"), "100.64.0.1"), device("desk", of("bob"), "100.64.0.2"),
            device("spare", owner, "100.64.0.3"),
        ]})
    };
    let [access, logins, _] = differences([&policy; 2], [&network(of("bob")), &network(db)]);
    for found in [&access, &logins] {
        let changes = found.as_array().expect("changes");
        let spare = changes
            .iter()
            .find(|it| it["source"] == "spare")
            .expect("the device");
        for lost in spare["lost"].as_array().expect("a list") {
            assert_ne!(lost["destination"], "autogroup:self", "{lost}");
            assert_eq!(lost.get("today"), None, "{lost}");
        }
        assert_ne!(spare["lost"], json!([]));
    }
}

// It was said that bob, who had no device, no longer reaches what the device of ann reached.
#[test]
fn what_is_lost_is_told_by_the_names_of_before_and_what_is_gained_by_those_of_after() {
    let rule = |from: &str, to: &str| json!({"action": "accept", "src": [from], "dst": [to]});
    let policy = json!({
        "tagOwners": {"tag:db": [], "tag:web": []},
        "acls": [
            rule("ann@example.com", "tag:db:22"), rule("bob@example.com", "tag:web:443"),
            rule("cyd@example.com", "ann@example.com:80"), rule("tag:web", "bob@example.com:25"),
        ],
        "ssh": [{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:db"], "users": ["root"]}],
    });
    let network = |owner| {
        json!({"devices": [
            device("mac", owner, "100.64.0.1"), device("pc", of("cyd"), "100.64.0.2"),
            device("db", json!({"tags": ["tag:db"]}), "100.64.0.3"),
            device("web", json!({"tags": ["tag:web"]}), "100.64.0.4"),
        ]})
    };
    let [access, logins, _] = differences([&policy; 2], [&network(of("ann")), &network(of("bob"))]);
    let expected = [
        "ann@example.com - tag:db",
        "bob@example.com + tag:web",
        "cyd@example.com - ann@example.com",
        "tag:web + bob@example.com",
    ];
    assert_eq!(lines(&access), expected);
    assert_eq!(lines(&logins), ["ann@example.com - tag:db"]);
    // A user who had another device, too, loses nothing by name: the device does.
    let network = |owner| {
        let mut network = network(owner);
        let devices = network["devices"].as_array_mut().expect("devices");
        devices.push(device("phone", of("ann"), "100.64.0.5"));
        network
    };
    let [access, ..] = differences([&policy; 2], [&network(of("ann")), &network(of("bob"))]);
    let expected = [
        "bob@example.com + tag:web",
        "cyd@example.com - mac",
        "mac - tag:db",
        "tag:web + bob@example.com",
    ];
    assert_eq!(lines(&access), expected);
}

// The number of its new user was read as that of a selector that the others had met before.
#[test]
fn a_device_of_nobody_that_gets_a_user_is_not_treated_as_those_that_had_one() {
    let policy = json!({"acls": [], "ssh": [
        {"action": "check", "src": ["autogroup:member"], "dst": ["autogroup:member"], "users": ["deploy"]},
    ]});
    let network = |owner| {
        json!({"devices": [
            device("spare", owner, "100.64.0.1"),
            device("laptop", of("ann"), "100.64.0.2"), device("desk", of("ann"), "100.64.0.3"),
        ]})
    };
    let [_, logins, _] = differences([&policy; 2], [&network(json!({})), &network(of("eve"))]);
    let expected = [
        "ann@example.com + eve@example.com",
        "eve@example.com + ann@example.com",
    ];
    assert_eq!(lines(&logins), expected);
}

// Both addresses were said to be those of the first alias, whichever rule names it.
#[test]
fn aliases_that_swap_their_addresses_are_named_as_each_policy_does() {
    let rule = |from: &str, to: &str| json!({"action": "accept", "src": [from], "dst": [to]});
    let policy = |alpha: &str, beta: &str| {
        json!({
            "hosts": {"alpha": alpha, "beta": beta},
            "acls": [rule("ann@example.com", "alpha:22"), rule("bob@example.com", "beta:443")],
        })
    };
    let (before, after) = (
        policy("10.0.0.1", "10.0.0.2"),
        policy("10.0.0.2", "10.0.0.1"),
    );
    let [access, ..] = differences([&before, &after], [&json!({}); 2]);
    let expected = [
        "ann@example.com + alpha (10.0.0.2)",
        "ann@example.com - alpha (10.0.0.1)",
        "bob@example.com + beta (10.0.0.1)",
        "bob@example.com - beta (10.0.0.2)",
    ];
    assert_eq!(lines(&access), expected);
}

#[test]
fn own_devices_that_nobody_had_are_nobodys_today() {
    let policy = json!({
        "acls": [{"action": "accept", "src": ["*"], "dst": ["*:22"]}],
        "ssh": [{"action": "accept", "src": ["autogroup:member"], "dst": ["tag:db"], "users": ["localpart:*@example.com"]}],
    });
    let network = |owner: Value| json!({"devices": [device("laptop", of("bob"), "100.64.0.1"), device("spare", owner, "100.64.0.2")]});
    let db = json!({"tags": ["tag:db"]});
    let [_, logins, _] = differences([&policy; 2], [&network(db), &network(of("bob"))]);
    let lost = logins[0]["lost"].as_array().expect("a list").iter();
    let mut own = lost.filter(|it| it["destination"] == "autogroup:self");
    let own = own.next().expect("the own devices");
    assert_eq!(own["today"], "the user has no other device");
}

#[test]
fn own_devices_that_stay_open_are_not_told() {
    let rule = |from: &str, to: &str| json!({"action": "accept", "src": [from], "dst": [to]});
    let own = rule("autogroup:member", "autogroup:self:22");
    let desk = rule("bob@example.com", "100.64.0.2:22");
    let network = json!({"devices": [
        device("laptop", of("bob"), "100.64.0.1"), device("desk", of("bob"), "100.64.0.2"),
        device("phone", of("bob"), "100.64.0.3"),
    ]});
    let (before, after) = (json!({"acls": [own, desk]}), json!({"acls": [desk]}));
    let [access, ..] = differences([&before, &after], [&network, &network]);
    assert_eq!(
        lines(&access),
        ["bob@example.com - laptop", "bob@example.com - phone"]
    );
}

#[test]
fn of_another_user_nothing_is_known_either() {
    let policy =
        json!({"acls": [{"action": "accept", "src": ["*"], "dst": ["autogroup:admin:22"]}]});
    let network = |owner| json!({"devices": [device("one", of(owner), "100.64.0.1"), device("two", json!({"tags": ["tag:two"]}), "100.64.0.2")]});
    let [access, ..] = differences([&policy, &policy], [&network("cyd"), &network("dee")]);
    assert_eq!(lines(&access), ["tag:two ? dee@example.com"]);
    let members = json!({"acls": [{"action": "accept", "src": ["group:ops@example.com"], "dst": ["bob@example.com:80"]}]});
    let network = |owner| json!({"devices": [device("desk", of("bob"), "100.64.0.1"), device("spare", of(owner), "100.64.0.2")]});
    let [access, ..] = differences([&members, &members], [&network("bob"), &network("cyd")]);
    assert!(
        lines(&access).contains(&"cyd@example.com ? desk".to_owned()),
        "{access}"
    );
}

#[test]
fn what_is_undecided_says_which_way_it_may_go() {
    let policy = |from: &str| json!({"tagOwners": {"tag:db": []}, "acls": [{"action": "accept", "src": [from], "dst": ["tag:db:22"]}]});
    let network = json!({"devices": [
        device("laptop", of("bob"), "100.64.0.1"), device("db", json!({"tags": ["tag:db"]}), "100.64.0.2"),
    ]});
    let nobody = json!({"tagOwners": {"tag:db": []}, "acls": []});
    let both = [&network, &network];
    let [access, ..] = differences([&nobody, &policy("autogroup:admin")], both);
    assert!(
        lines(&access).contains(&"bob@example.com ?gained tag:db".to_owned()),
        "{access}"
    );
    let [access, ..] = differences([&policy("autogroup:admin"), &nobody], both);
    assert!(
        lines(&access).contains(&"bob@example.com ?lost tag:db".to_owned()),
        "{access}"
    );
    let [access, ..] = differences(
        [&policy("autogroup:admin"), &policy("autogroup:it-admin")],
        both,
    );
    assert!(
        lines(&access).contains(&"bob@example.com ? tag:db".to_owned()),
        "{access}"
    );
}

#[test]
fn an_exit_node_leads_to_the_families_of_its_routes() {
    let policy = json!({"acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["autogroup:internet:*"]}]});
    let network = |routes: Value| {
        let exit =
            json!({"tags": ["tag:exit"], "advertisedRoutes": routes, "enabledRoutes": routes});
        json!({"devices": [
            {"id": "mac", "name": "mac", "user": "ann@example.com", "addresses": ["100.64.0.1", "fd7a:115c:a1e0::1"]},
            device("exit", exit, "100.64.0.2"),
        ]})
    };
    let (both, six) = (
        network(json!(["0.0.0.0/0", "::/0"])),
        network(json!(["::/0"])),
    );
    let [access, ..] = differences([&policy, &policy], [&both, &six]);
    assert_eq!(access[0]["lost"][0]["destination"], "autogroup:internet");
    assert_eq!(access[0]["lost"][0]["part"], json!({"to": ["IPv4"]}));
    let text = policy.to_string();
    let document = hujson::parse(&text).expect("HuJSON");
    let policy = Policy::read(&document);
    let ends = |to: &str| {
        let flow = Flow::new(&"ann@example.com".parse().expect("a name"), to, None);
        let flow = flow.expect("a flow");
        json!(policy.explain(&flow, &context(&six)).expect("an answer"))["delivered"].clone()
    };
    assert_eq!(ends("8.8.8.8:443")[0]["kind"], "nobody");
    assert_eq!(ends("[2600::1]:443")[0]["route"], "::/0");
}

fn capability(posture: &str) -> Value {
    json!({
        "tagOwners": {"tag:x": []}, "postures": {"posture:p": [posture]},
        "grants": [{"src": ["ann@example.com"], "dst": ["tag:x"], "app": {"example.com/cap/a": [1]}, "srcPosture": ["posture:p"]}],
    })
}

#[test]
fn a_capability_whose_posture_is_redefined_is_told_by_device() {
    let mut network = json!({"devices": [
        device("mac", of("ann"), "100.64.0.1"), device("phone", of("ann"), "100.64.0.2"),
        device("x", json!({"tags": ["tag:x"]}), "100.64.0.3"),
    ]});
    let (before, after) = (capability("custom:a == 1"), capability("custom:a == 2"));
    let [.., powers] = differences([&before, &after], [&network, &network]);
    assert_eq!(lines(&powers), ["ann@example.com ? example.com/cap/a"]);
    network["attributes"] = json!({"mac": {"custom:a": 2}, "phone": {"custom:a": 1}, "x": {}});
    let [.., powers] = differences([&before, &after], [&network, &network]);
    assert_eq!(
        lines(&powers),
        ["mac + example.com/cap/a", "phone - example.com/cap/a"]
    );
    network["attributes"] = json!({"mac": {"custom:a": 3}, "phone": {}, "x": {}});
    let [.., powers] = differences([&before, &after], [&network, &network]);
    assert_eq!(powers, json!([]));
}

// A tag set on a device is what the capabilities of a grant at that tag count on from then on.
#[test]
fn a_device_that_gets_a_tag_is_one_at_which_capabilities_count() {
    let policy = json!({
        "tagOwners": {"tag:k8s": [], "tag:idle": []},
        "grants": [{
            "src": ["ann@example.com"],
            "dst": ["tag:k8s"],
            "app": {"example.com/cap/admin": [{"as": "root"}]},
        }],
    });
    let network = |tag: &str| {
        json!({"devices": [
            device("mac", of("ann"), "100.64.0.1"),
            device("api", json!({"tags": [tag]}), "100.64.0.2"),
        ]})
    };
    let (before, after) = (network("tag:idle"), network("tag:k8s"));
    let [access, _, gained] = differences([&policy, &policy], [&before, &after]);
    assert_eq!(lines(&access), [""; 0]);
    assert_eq!(
        lines(&gained),
        ["ann@example.com + example.com/cap/admin"],
        "{gained}"
    );
    let power = &gained[0]["gained"][0];
    assert_eq!(power["value"]["on"], "api");
    assert_eq!(power["today"], Value::Null);
    let [.., lost] = differences([&policy, &policy], [&after, &before]);
    assert_eq!(
        lines(&lost),
        ["ann@example.com - example.com/cap/admin"],
        "{lost}"
    );
}

// docs/policy-language.md#destinations: `autogroup:self` is the devices of the same user, so a device that bob gets is none of ann's.
#[test]
fn capabilities_at_own_devices_count_at_those_of_the_same_user() {
    let policy = json!({
        "tagOwners": {"tag:idle": []},
        "grants": [{
            "src": ["ann@example.com", "bob@example.com"],
            "dst": ["autogroup:self"],
            "app": {"example.com/cap/drive": [{}]},
        }],
    });
    let network = |spare: Value| {
        json!({"devices": [
            device("mac", of("ann"), "100.64.0.1"),
            device("desk", of("bob"), "100.64.0.2"),
            device("spare", spare, "100.64.0.3"),
        ]})
    };
    let own = |answer: &Value, list: &str| {
        let mut found = Vec::new();
        for change in answer.as_array().expect("changes") {
            for power in change[list].as_array().expect("a list") {
                let name = |value: &Value| value.as_str().expect("a name").to_owned();
                found.push([name(&change["who"]), name(&power["value"]["on"])].join(" at "));
            }
        }
        found
    };
    let (idle, bobs, anns) = (
        network(json!({"tags": ["tag:idle"]})),
        network(of("bob")),
        network(of("ann")),
    );
    let bob = ["bob@example.com at spare", "spare at autogroup:self"];
    let [.., powers] = differences([&policy, &policy], [&idle, &bobs]);
    assert_eq!(own(&powers, "gained"), bob, "{powers}");
    let [.., powers] = differences([&policy, &policy], [&bobs, &idle]);
    assert_eq!(own(&powers, "lost"), bob, "{powers}");
    let [.., powers] = differences([&policy, &policy], [&anns, &bobs]);
    assert_eq!(own(&powers, "gained"), ["bob@example.com at spare"]);
    assert_eq!(own(&powers, "lost"), ["ann@example.com at spare"]);
    // The only device of its user has no other to go to.
    let alone = json!({"devices": [device("mac", of("ann"), "100.64.0.1")]});
    let nobody = json!({"devices": []});
    let [.., powers] = differences([&policy, &policy], [&nobody, &alone]);
    assert_eq!(own(&powers, "gained"), ["mac at autogroup:self"]);
}

#[test]
fn a_capability_of_a_device_is_another_than_one_at_a_destination() {
    let mut policy = json!({
        "tagOwners": {"tag:c": []}, "grants": [],
        "nodeAttrs": [{"target": ["tag:c"], "app": {"example.com/cap/a": []}}],
    });
    let before = policy.clone();
    policy["grants"] =
        json!([{"src": ["tag:c"], "dst": ["tag:c"], "app": {"example.com/cap/a": []}}]);
    let [.., powers] = differences([&before, &policy], [&json!({}), &json!({})]);
    assert_eq!(lines(&powers), ["tag:c + example.com/cap/a"]);
}

#[test]
fn a_rule_before_it_decides_how_a_login_is_treated() {
    let policy = |users: Value| {
        json!({
            "postures": {"posture:p": ["custom:a == 1"]},
            "ssh": [
                {"action": "accept", "src": ["bob@example.com"], "dst": ["autogroup:self"], "users": ["autogroup:nonroot"], "acceptEnv": ["LANG"], "srcPosture": ["posture:p"]},
                {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:member"], "users": users},
            ],
        })
    };
    let (before, after) = (
        policy(json!(["deploy", "bob"])),
        policy(json!(["bob", "deploy"])),
    );
    let [_, logins, _] = differences([&before, &after], [&json!({}), &json!({})]);
    assert_eq!(logins, json!([]));
}

#[test]
fn the_postures_of_a_login_are_named_in_one_order_both_ways() {
    let policy = |from: &str, name: &str, conditions: Value| {
        json!({
            "tagOwners": {"tag:d": []}, "postures": {(name): conditions},
            "ssh": [{"action": "check", "src": [from], "dst": ["tag:d"], "srcPosture": [name], "users": ["root"]}],
        })
    };
    let fresh = policy(
        "cyd@example.com",
        "posture:fresh",
        json!(["custom:score >= 3"]),
    );
    let any = policy("group:eng@example.com", "posture:any", json!([]));
    let network = json!({"devices": []});
    for policies in [[&fresh, &any], [&any, &fresh]] {
        let [_, logins, _] = differences(policies, [&network; 2]);
        let changes = logins.as_array().expect("changes").iter();
        let undecided = changes.flat_map(|change| change["undecided"].as_array().expect("a list"));
        let both: Vec<&Value> = undecided
            .map(|login| &login["postures"])
            .filter(|names| names.as_array().is_some_and(|names| names.len() == 2))
            .collect();
        assert_eq!(both, [&json!(["posture:any", "posture:fresh"])]);
    }
}

#[test]
fn a_tag_that_is_owned_directly_was_taken_in_two_steps_before() {
    let policy = |owners: Value| json!({"acls": [], "tagOwners": {"tag:a": [], "tag:b": owners, "tag:d": ["tag:a"]}});
    let [.., powers] = differences(
        [
            &policy(json!(["tag:d"])),
            &policy(json!(["tag:d", "tag:a"])),
        ],
        [&json!({}), &json!({})],
    );
    assert_eq!(lines(&powers), ["tag:a + tag:b"]);
    assert_eq!(powers[0]["gained"][0]["why"], "before only through tag:d");
}

#[test]
fn of_a_set_with_devices_what_nobody_has_is_told_by_its_own_address() {
    let policy = |to: &str, range: &[&str]| {
        json!({
            "acls": [{"action": "accept", "src": range, "dst": ["100.64.0.1:443"]}],
            "grants": [{"src": ["100.64.0.9"], "dst": [to], "ip": ["22"]}],
        })
    };
    let network = json!({"devices": [
        device("laptop", of("dee"), "100.64.0.1"), device("spare", of("bob"), "100.64.0.2"),
    ]});
    let (before, after) = (
        policy("100.64.0.1", &["100.64.0.0/10"]),
        policy("100.64.0.2", &["100.64.0.0/10"]),
    );
    let [access, ..] = differences([&before, &after], [&network, &network]);
    assert_eq!(
        lines(&access),
        [
            "100.64.0.9 + bob@example.com",
            "100.64.0.9 - dee@example.com"
        ]
    );
    let nobody = "no device and no approved route has an address of 100.64.0.9";
    assert_eq!(access[0]["gained"][0]["today"], nobody);
}

// It was said that nothing changes in meaning.
#[test]
fn a_device_that_is_let_in_or_kept_out_is_told_though_the_rules_say_the_same() {
    let policy =
        json!({"acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["*:22"]}]})
            .to_string();
    let network = |more: Value| {
        let nas = device("nas", more, "100.64.0.2");
        json!({"devices": [device("mac", of("ann"), "100.64.0.1"), nas]})
    };
    let told = |before: Value, after: Value| {
        let review = reviewed(&policy, &policy, [&network(before), &network(after)]);
        assert_eq!(review["access"], json!([]));
        let summary = review["summary"].as_str().expect("a text").to_owned();
        (
            review["unchanged"] == true,
            review["devices"].clone(),
            summary,
        )
    };
    let kept_out = json!({"authorized": false, "expires": "2026-11-01T00:00:00Z"});
    let let_in = json!({"authorized": true, "expires": "2027-11-01T00:00:00Z"});
    let (unchanged, devices, summary) = told(kept_out.clone(), let_in.clone());
    assert!(!unchanged);
    let state = |authorized: bool, expires: &str| json!({"authorized": authorized, "expires": expires, "blocksIncomingConnections": false, "user": null});
    let expected = json!([{
        "device": "nas", "id": "nas",
        "before": state(false, "2026-11-01T00:00:00Z"), "after": state(true, "2027-11-01T00:00:00Z"),
    }]);
    assert_eq!(devices, expected);
    for line in [
        "1 device takes part otherwise",
        "- `nas` is authorized now, without which nothing from it or to it arrived",
        "- the key of `nas` expires `2027-11-01T00:00:00Z`, where it expired `2026-11-01T00:00:00Z`",
    ] {
        assert!(summary.contains(line), "{summary}");
    }
    // What the rules allow the device arrives now, so it would be false that nobody gains access.
    assert!(!summary.contains("Nobody"), "{summary}");
    let shields = json!({"authorized": true, "expires": "2027-11-01T00:00:00Z", "blocksIncomingConnections": true});
    let (_, _, summary) = told(let_in.clone(), shields);
    let line = "- `nas` takes in no connections any more: its shields are up";
    assert!(summary.contains(line), "{summary}");
    // A key of which no expiry is known is not one that never expires.
    for (before, line) in [
        (json!({}), "where it expired at a time that is not known"),
        (json!({"keyExpiryDisabled": true}), "where it never expired"),
        (
            json!({"expires": "0001-01-01T00:00:00Z"}),
            "where it never expired",
        ),
    ] {
        let (_, _, summary) = told(before, let_in.clone());
        let line = format!("- the key of `nas` expires `2027-11-01T00:00:00Z`, {line}\n");
        assert!(summary.contains(&line), "{summary}");
    }
    // Nobody waits for a key that never expires, and a device of which nothing is said may take part.
    let renamed =
        json!({"authorized": true, "expires": "2027-11-01T00:00:00Z", "keyExpiryDisabled": true});
    assert_eq!(told(json!({}), renamed), told(json!({}), json!({})));
}

// The device reaches what it reached, but who sits at it is somebody else: it was said that nothing changes in meaning.
#[test]
fn a_device_that_changes_hands_is_told_though_it_reaches_the_same() {
    let rule = json!({
        "action": "accept",
        "src": ["ann@example.com", "bob@example.com"],
        "dst": ["tag:db:22"],
    });
    let policy = json!({"tagOwners": {"tag:db": []}, "acls": [rule]}).to_string();
    let network = |owner: Value| {
        let db = device("db", json!({"tags": ["tag:db"]}), "100.64.0.2");
        json!({"devices": [device("mac", owner, "100.64.0.1"), db]})
    };
    let review = reviewed(&policy, &policy, [&network(of("ann")), &network(of("bob"))]);
    let summary = review["summary"].as_str().expect("a text");
    assert_eq!(review["unchanged"], false, "{summary}");
    for line in [
        "1 device takes part otherwise",
        "- `mac` belongs to `bob@example.com` now, before to `ann@example.com`",
    ] {
        assert!(summary.contains(line), "{summary}");
    }
}

// A device of Headscale may have the id, the name or the mail address of its user.
#[test]
fn a_user_by_another_name_is_no_other_user() {
    let policy =
        json!({"acls": [{"action": "accept", "src": ["bob@"], "dst": ["*:22"]}]}).to_string();
    let network = |user: &str| {
        json!({
            "dialect": "headscale",
            "users": [{"loginName": "bob", "id": "2", "email": "bob@example.com"}],
            "devices": [device("mac", json!({"user": user}), "100.64.0.1")],
        })
    };
    let review = reviewed(&policy, &policy, [&network("2"), &network("bob")]);
    assert_eq!(review["devices"], json!([]), "{review}");
    assert_eq!(review["unchanged"], true, "{review}");
}

// It was said that she loses everything, and not that she has nothing left: what the device reaches by its tag was taken for hers.
#[test]
fn whose_only_device_gets_a_tag_has_nothing_left() {
    let rule = |from: &str, to: &str| json!({"action": "accept", "src": [from], "dst": [to]});
    let policy = json!({
        "tagOwners": {"tag:db": [], "tag:web": []},
        "acls": [rule("ann@example.com", "tag:web:80"), rule("tag:db", "tag:web:443")],
    })
    .to_string();
    let locked_out = |other: &str| {
        let networks = [of("ann"), json!({"tags": ["tag:db"]})].map(|owner| {
            json!({"devices": [
                device("mac", owner, "100.64.0.1"), device("phone", of(other), "100.64.0.2"),
                device("web", json!({"tags": ["tag:web"]}), "100.64.0.3"),
            ]})
        });
        let review = reviewed(&policy, &policy, networks.each_ref());
        let parties = review["lockedOut"].as_array().expect("a list").iter();
        parties.map(|it| it["name"].clone()).collect::<Value>()
    };
    assert_eq!(locked_out("bob"), json!(["ann@example.com"]));
    assert_eq!(locked_out("ann"), json!([]));
}

// The text still names them: whoever is no user of the tailnet any more has nothing of it, and whoever comes gets it.
#[test]
fn a_user_who_leaves_loses_the_powers_that_a_text_gives_them() {
    let policy = json!({
        "groups": {"group:dev": ["ann@example.com", "bob@example.com"]},
        "tagOwners": {"tag:web": ["group:dev"]},
        "autoApprovers": {"routes": {"10.0.0.0/8": ["bob@example.com"]}},
        "acls": [],
    });
    let users = |names: &[&str]| {
        let users = names.iter();
        let users =
            users.map(|name| json!({"loginName": format!("{name}@example.com"), "role": "member"}));
        json!({"devices": [device("mac", of("ann@example.com"), "100.64.0.1")], "users": users.collect::<Vec<_>>()})
    };
    let (both, left) = (users(&["ann", "bob"]), users(&["ann"]));
    for (list, contexts) in [("lost", [&both, &left]), ("gained", [&left, &both])] {
        let [.., powers] = differences([&policy, &policy], contexts);
        let powers = powers.as_array().expect("a list");
        assert_eq!(powers.len(), 1);
        assert_eq!(powers[0]["who"], "bob@example.com");
        let own = powers[0][list].as_array().expect("a list").iter();
        let own: Vec<String> = own
            .map(|it| format!("{} {}", it["kind"], it["what"]))
            .collect();
        assert_eq!(
            own,
            ["\"tag\" \"tag:web\"", "\"route\" \"10.0.0.0/8\""],
            "{list}"
        );
    }
}

// The text names one device of the tag from now on, and the other one gets another tag: the tag has what it had where it is.
#[test]
fn a_tag_whose_device_keeps_a_capability_does_not_lose_it_where_another_gets_another_tag() {
    let policy = |from: &str| {
        json!({
            "tagOwners": {"tag:db": [], "tag:r": []},
            "grants": [{"src": [from], "dst": ["tag:r"], "app": {"example.com/cap/a": [{"v": 1}]}}],
        })
    };
    let network = |tag: &str| {
        json!({"attributes": {}, "devices": [
            device("db-1", json!({"tags": ["tag:db"]}), "100.64.0.1"),
            device("db-2", json!({"tags": [tag]}), "100.64.0.2"),
            device("gw", json!({"tags": ["tag:r"]}), "100.64.0.3"),
        ]})
    };
    let policies = [&policy("tag:db"), &policy("100.64.0.1")];
    let [.., powers] = differences(policies, [&network("tag:db"), &network("tag:r")]);
    let lost: Vec<String> = lines(&powers)
        .into_iter()
        .filter(|line| line.contains(" - "))
        .collect();
    assert_eq!(lost, ["db-2 - example.com/cap/a"], "{powers}");
}

// docs/policy-language.md#without-devices: a user stands for a device of theirs, as long as they are one of the tailnet.
#[test]
fn a_user_who_leaves_loses_what_the_text_gives_them_also_without_devices() {
    let policy = json!({
        "groups": {"group:dev": ["ann@example.com", "bob@example.com"]},
        "tagOwners": {"tag:web": []},
        "acls": [
            {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:22"]},
            {"action": "accept", "src": ["ann@example.com"], "dst": ["bob@example.com:80"]},
        ],
        "ssh": [
            {"action": "accept", "src": ["group:dev"], "dst": ["tag:web"], "users": ["localpart:*@example.com"]},
            {"action": "check", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["autogroup:nonroot"]},
        ],
    });
    let users = |names: &[&str]| {
        let users = names
            .iter()
            .map(|name| json!({"loginName": name, "role": "member"}));
        json!({"users": users.collect::<Vec<_>>()})
    };
    let both = users(&["ann@example.com", "bob@example.com"]);
    let left = users(&["ann@example.com"]);
    for (sign, contexts) in [("-", [&both, &left]), ("+", [&left, &both])] {
        let [access, ssh, _] = differences([&policy, &policy], contexts);
        let expected = [
            format!("ann@example.com {sign} bob@example.com"),
            format!("bob@example.com {sign} tag:web"),
        ];
        assert_eq!(lines(&access), expected);
        let mut found = lines(&ssh);
        found.dedup();
        let at = |to: &str| format!("bob@example.com {sign} {to}");
        assert_eq!(found, [at("autogroup:self"), at("tag:web")]);
    }
    // Who is in neither network is one who may come.
    let [access, ..] = differences(
        [&policy, &policy],
        [&left, &users(&["ann@example.com", "cyd@example.com"])],
    );
    assert_eq!(lines(&access), [""; 0]);
}
