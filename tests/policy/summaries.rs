//! Summaries that once said too much or too little: whose reader would have acted on what is not so. Must not live here: hints of `check`
//! and older such sentences (worded.rs), which access, logins and powers a change has (silence.rs).

use serde_json::{Value, json};

use crate::silence::reviewed;
use crate::worded::{device, summary, told};

const ANN: &str = "ann@example.com";

/// Two people with one device each, nine servers with tags of their own, a router and an exit node.
fn context() -> Value {
    let mut devices = vec![
        device("mac", ("user", json!(ANN)), 1, &[]),
        device("desk", ("user", json!("bob@example.com")), 2, &[]),
        device("gate", ("tags", json!(["tag:gate"])), 3, &["10.1.0.0/16"]),
        device(
            "exit",
            ("tags", json!(["tag:exit"])),
            4,
            &["0.0.0.0/0", "::/0"],
        ),
    ];
    devices.extend(
        (0..9).map(|at| device(&format!("s{at}"), ("tags", json!([tag(at)])), 10 + at, &[])),
    );
    json!({"devices": devices})
}

fn tag(at: u8) -> String {
    format!("tag:s{at}")
}

fn policy(more: Value) -> String {
    let mut owners = json!({"tag:gate": [], "tag:exit": []});
    (0..9).for_each(|at| owners[tag(at)] = json!([]));
    let policy = json!({"tagOwners": owners, "postures": {"posture:x": ["custom:x == 'on'"]}});
    with(policy, more)
}

/// The text of a policy with more sections, or others.
pub fn with(mut policy: Value, more: Value) -> String {
    for (key, value) in more.as_object().expect("an object") {
        policy[key] = value.clone();
    }
    policy.to_string()
}

/// The acls of a policy, each from one source to one destination.
pub fn rules(rules: &[(&str, &str)]) -> Value {
    let rule = |(from, to): &(&str, &str)| json!({"action": "accept", "src": [from], "dst": [to]});
    json!({"acls": rules.iter().map(rule).collect::<Vec<_>>()})
}

fn acls(list: &[(&str, &str)]) -> String {
    policy(rules(list))
}

// It was a list of destinations that ended with "and 9 more".
#[test]
fn all_addresses_of_a_family_are_everything_over_it() {
    for context in [context(), json!({})] {
        for (prefix, over) in [("0.0.0.0/0:*", "IPv4"), ("::/0:*", "IPv6")] {
            let texts = [acls(&[]), acls(&[(ANN, prefix)])];
            let found = summary(&texts[0], &texts[1], &context);
            let line = format!("`{ANN}` reaches everything over {over} on all ports");
            assert!(found.contains(&line), "{found}");
            let found = summary(&texts[1], &texts[0], &context);
            let line = format!("`{ANN}` no longer reaches everything over {over} on all ports");
            assert!(found.contains(&line), "{found}");
        }
        // What an address of IPv4 is, no address of IPv6 may be.
        let texts = [acls(&[(ANN, "*:*")]), acls(&[(ANN, "0.0.0.0/0:*")])];
        let found = summary(&texts[0], &texts[1], &context);
        assert!(found.contains("everything over IPv6"), "{found}");
        assert!(!found.contains("may lose"), "{found}");
        // Both together, by two rules.
        let both = acls(&[(ANN, "0.0.0.0/0:*"), (ANN, "::/0:*")]);
        let found = summary(&acls(&[]), &both, &context);
        let line = "reaches everything over IPv4, everything over IPv6 on all ports";
        assert!(found.contains(line), "{found}");
    }
}

#[test]
fn what_is_kept_of_a_family_is_an_exception_of_everything() {
    let texts = [
        acls(&[(ANN, "0.0.0.0/0:*")]),
        acls(&[(ANN, "10.0.0.0/8:*"), (ANN, "tag:s1:*")]),
    ];
    let lost = &told(&texts[0], &texts[1], &context())["access"][0]["lost"];
    let all = lost.as_array().expect("a list").iter();
    let any: Vec<&Value> = all.filter(|it| it["destination"] == "*").collect();
    assert_eq!(
        any[0]["part"]["to"],
        json!(["all but IPv6, tag:s1 (IPv4), 10.0.0.0/8"])
    );
}

#[test]
fn nobody_is_locked_out_who_reached_nothing() {
    let reached = ["autogroup:self:*", "192.168.7.0/24:443"];
    for to in reached {
        let review = told(&acls(&[("autogroup:member", to)]), &acls(&[]), &context());
        assert_eq!(review["lockedOut"], json!([]), "{to}");
        assert_ne!(review["access"], json!([]), "{to}");
    }
    let mut two = context();
    let phone = device("phone", ("user", json!(ANN)), 30, &[]);
    two["devices"].as_array_mut().expect("a list").push(phone);
    let review = told(&acls(&[("autogroup:member", reached[0])]), &acls(&[]), &two);
    assert_eq!(review["lockedOut"][0]["name"], ANN);
    assert_eq!(review["lockedOut"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_login_to_own_devices_is_nobodys_where_there_is_one() {
    let rule = json!({"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["root"]});
    let mut two = context();
    let phone = device("phone", ("user", json!(ANN)), 30, &[]);
    two["devices"].as_array_mut().expect("a list").push(phone);
    let review = told(&policy(json!({})), &policy(json!({"ssh": [rule]})), &two);
    let today = |source: &str| {
        let changes = review["ssh"].as_array().expect("changes");
        let own = changes
            .iter()
            .find(|it| it["source"] == source)
            .expect(source);
        own["gained"][0]["today"].clone()
    };
    assert_eq!(today(ANN), Value::Null);
    let bob = "bob@example.com";
    assert_eq!(today(bob), "the user has no other device");
}

#[test]
fn nobody_gains_what_a_route_no_longer_leads_to() {
    let text = acls(&[
        (ANN, "10.1.0.0/16:80"),
        (ANN, "10.1.5.9:9100"),
        (ANN, "10.9.0.0/16:80"),
    ]);
    let mut without = context();
    without["devices"][2]["enabledRoutes"] = json!([]);
    let review = reviewed(&text, &text, [&context(), &without]);
    assert_eq!(review["access"][0]["gained"], json!([]));
    let orphaned = |review: &Value| {
        let all = review["orphaned"].as_array().expect("a list").iter();
        all.map(|party| party["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(orphaned(&review), ["10.1.0.0/16"]);
    // Where no route led before, nobody reached anything.
    let review = reviewed(
        &text,
        &acls(&[(ANN, "10.1.0.0/16:80"), (ANN, "10.1.5.9:9100")]),
        [&context(); 2],
    );
    assert_eq!(orphaned(&review), [""; 0]);
    assert_eq!(
        review["access"][0]["lost"][0]["today"],
        "no device and no approved route has an address of 10.9.0.0/16"
    );
}

// The network was closed to everything but a tag: no sentence said that the logins had gone with it.
#[test]
fn logins_that_only_the_network_cuts_off_are_told_of_a_wider_name_too() {
    let rule =
        json!({"action": "accept", "src": [ANN], "dst": ["tag:s1", "tag:s2"], "users": ["root"]});
    let text = |to: &[&str]| {
        let acl = json!({"action": "accept", "src": [ANN], "dst": to});
        policy(json!({"acls": [acl], "ssh": [rule]}))
    };
    for context in [context(), json!({})] {
        let review = told(&text(&["*:22"]), &text(&["tag:s2:22"]), &context);
        let found = &review["networkLogins"];
        assert_eq!(found[0]["destination"], "tag:s1", "{found}");
        assert_eq!(found[0]["users"], json!(["root"]), "{found}");
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
        let review = told(
            &text(&["tag:s2:22"]),
            &text(&["100.64.0.0/10:22"]),
            &context,
        );
        let found = &review["networkLogins"];
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    }
}

#[test]
fn what_nobody_reaches_any_more_is_told_of_a_part_too() {
    let mut two = context();
    two["devices"][5]["tags"] = json!([tag(0)]);
    let orphaned = |before: &[&str], after: &[&str], context: &Value| {
        let texts = [before, after].map(|all| {
            let rules: Vec<(&str, &str)> = all.iter().map(|to| (ANN, *to)).collect();
            acls(&rules)
        });
        let review = told(&texts[0], &texts[1], context);
        let all = review["orphaned"].as_array().expect("a list").iter();
        let names = all.map(|it| it["name"].as_str().expect("a name").to_owned());
        names.collect::<Vec<_>>()
    };
    // Nobody ever reached the other family of s0, nor s1.
    let other = "tag:s2:22";
    assert_eq!(
        orphaned(&["100.64.0.10:22", other], &[other], &two),
        ["tag:s0"]
    );
    assert_eq!(orphaned(&["tag:s0:22"], &["100.64.0.11:22"], &two), ["s0"]);
    // By its other family it is reached.
    assert_eq!(
        orphaned(&["tag:s0:22"], &["100.64.0.10:22", "100.64.0.11:22"], &two),
        [""; 0]
    );
    // What is cut off a prefix has no name but its addresses.
    assert_eq!(
        orphaned(&["10.1.0.0/16:80"], &["10.1.0.0/17:80"], &json!({})),
        ["10.1.128.0/17"]
    );
    // Of everything, what has a name.
    let found = orphaned(&["*:22"], &["tag:s1:22"], &json!({}));
    assert!(
        found.contains(&tag(2)) && !found.contains(&tag(1)),
        "{found:?}"
    );
}

// A user who reaches the own devices was among those whom nobody reaches.
#[test]
fn whom_the_own_devices_reach_is_reached() {
    let own = json!({"src": ["autogroup:member"], "dst": ["autogroup:self"], "ip": ["*"]});
    let open = json!({"src": ["tag:s0"], "dst": ["*"], "ip": ["*"]});
    let texts = [json!([own, open]), json!([own])].map(|grants| policy(json!({"grants": grants})));
    let is_orphaned = |context: &Value| {
        let review = told(&texts[0], &texts[1], context);
        let mut all = review["orphaned"].as_array().expect("a list").iter();
        all.any(|it| [ANN, "*"].contains(&it["name"].as_str().expect("a name")))
    };
    let mut two = context();
    two["devices"][1]["user"] = json!(ANN);
    assert_eq!(
        [context(), two, json!({})].map(|it| is_orphaned(&it)),
        [true, false, false]
    );
}

// What one device gains, and the other had by a posture, was counted as two that gain access.
#[test]
fn who_had_everything_under_a_condition_is_not_counted_as_gaining_it() {
    let grant = |more: Value| {
        let mut grant = json!({"src": [ANN], "dst": ["*"], "ip": ["*"]});
        if let Some(posture) = more.as_str() {
            grant["srcPosture"] = json!([posture]);
        }
        policy(json!({"grants": [grant]}))
    };
    let mut two = context();
    two["devices"][1]["user"] = json!(ANN);
    two["attributes"] = json!({"mac": {"custom:x": "on"}, "desk": {"custom:x": "off"}});
    let found = summary(&grant(json!("posture:x")), &grant(json!(null)), &two);
    let first = found.lines().next().expect("a line");
    assert!(
        first.contains("1 gains access, 1 needs fewer or other conditions"),
        "{found}"
    );
}

// Whoever is no admin needs the posture from now on: that all devices of today meet it does not make it nothing.
#[test]
fn a_posture_that_only_admins_need_not_meet_is_undecided_though_every_device_meets_it() {
    let context = json!({
        "devices": [device("mac", ("user", json!(ANN)), 1, &[]), device("s0", ("tags", json!(["tag:s0"])), 2, &[])],
        "attributes": {"mac": {"custom:x": "on"}, "s0": {}},
    });
    let needed = json!({"srcPosture": ["posture:x"]});
    let grants = |more: &Value| {
        let grant = |from: &str, more: &Value| {
            with(
                json!({"src": [from], "dst": ["tag:s0"], "ip": ["22"]}),
                more.clone(),
            )
        };
        let list = format!(
            "[{}, {}]",
            grant(ANN, more),
            grant("autogroup:admin", &json!({}))
        );
        policy(json!({"grants": serde_json::from_str::<Value>(&list).expect("grants")}))
    };
    let logins = |more: &Value| {
        let rule = |from: &str, more: &Value| {
            let rule =
                json!({"action": "accept", "src": [from], "dst": ["tag:s0"], "users": ["root"]});
            with(rule, more.clone())
        };
        let list = format!(
            "[{}, {}]",
            rule(ANN, more),
            rule("autogroup:admin", &json!({}))
        );
        let open = rules(&[("*", "tag:s0:22")]);
        policy(
            with(
                open,
                json!({"ssh": serde_json::from_str::<Value>(&list).expect("rules")}),
            )
            .parse()
            .expect("a policy"),
        )
    };
    let why = "who is in autogroup:admin is not known";
    let (free, bound) = (json!({}), needed);
    for (before, after, line) in [
        (
            grants(&free),
            grants(&bound),
            format!("`{ANN}` may lose `tag:s0` on `22` (`{why}`"),
        ),
        (
            grants(&bound),
            grants(&free),
            format!("`{ANN}` may gain `tag:s0` on `22` (`{why}`"),
        ),
        (
            logins(&free),
            logins(&bound),
            format!("`{ANN}` may lose `tag:s0` as `root` (`{why}`"),
        ),
        (
            logins(&bound),
            logins(&free),
            format!("`{ANN}` may gain `tag:s0` as `root` (`{why}`"),
        ),
    ] {
        let summary = summary(&before, &after, &context);
        assert!(summary.contains(&line), "{line}: {summary}");
    }
}
