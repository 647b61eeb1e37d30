//! What a change of the text opens or closes that nobody can use today, for want of an address of the same family or of a member of a group.
//! Must not live here: what only one device has (lone.rs), other changes (silence.rs).

use serde_json::{Value, json};

use crate::worded::told;

const V4: &str = "100.64.0.3";
const V6: &str = "fd7a:115c:a1e0::10";

/// Bob has a device with IPv4 alone, `tag:six` one with IPv6 alone, `tag:db` one with both. Nobody is in `group:art@example.com`.
fn context() -> Value {
    let device = |id: &str, owner: (&str, Value), addresses: &[&str]| {
        let mut device =
            json!({"id": id, "name": format!("{id}.example.ts.net"), "addresses": addresses});
        device[owner.0] = owner.1;
        device
    };
    json!({
        "devices": [
            device("desk", ("user", json!("bob@example.com")), &[V4]),
            device("six", ("tags", json!(["tag:six"])), &[V6]),
            device("db", ("tags", json!(["tag:db"])), &["100.64.0.11", "fd7a:115c:a1e0::11"]),
        ],
        "users": [{"loginName": "bob@example.com", "role": "member"}],
        "groups": {"group:art@example.com": []},
    })
}

fn policy(acls: &[(&str, &str)], ssh: Value) -> String {
    let rule = |(from, to): &(&str, &str)| json!({"action": "accept", "src": [from], "dst": [to]});
    let acls: Vec<Value> = acls.iter().map(rule).collect();
    json!({"tagOwners": {"tag:db": [], "tag:six": []}, "acls": acls, "ssh": ssh}).to_string()
}

/// Adds rules to a policy, and takes them away again: who has what alone in the longer one, and why nobody uses it.
#[track_caller]
fn assert_idle(
    acls: &[(&str, &str)],
    ssh: &Value,
    list: &str,
    expected: &[(&str, &str, &str)],
    context: &Value,
) {
    let known = [("bob@example.com", "tag:db:443")];
    let texts = [
        policy(&known, json!([])),
        policy(&[&known, acls].concat(), ssh.clone()),
    ];
    for (turn, [one, other]) in [("gained", [0, 1]), ("lost", [1, 0])] {
        let review = told(&texts[one], &texts[other], context);
        assert_eq!(review["unchanged"], false, "{turn}");
        let changes = review[list].as_array().expect("changes").iter();
        let found: Vec<(String, String, String)> = changes
            .flat_map(|change| {
                let reaches = change[turn].as_array().expect("a list").iter();
                reaches.map(|reach| {
                    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                    let source = text(&change["source"]);
                    (source, text(&reach["destination"]), text(&reach["today"]))
                })
            })
            .collect();
        let found: Vec<(&str, &str, &str)> = found
            .iter()
            .map(|(from, to, why)| (from.as_str(), to.as_str(), why.as_str()))
            .collect();
        assert_eq!(found, expected, "{turn}");
    }
}

#[test]
fn devices_of_different_families_reach_each_other_by_no_rule_and_it_is_said() {
    let why = "bob@example.com has IPv4 alone, tag:six IPv6";
    assert_idle(
        &[("bob@example.com", "tag:six:443")],
        &json!([]),
        "access",
        &[("bob@example.com", "tag:six", why)],
        &context(),
    );
    let why = "tag:six has IPv6 alone, 10.1.0.0/16 IPv4";
    let mut routed = context();
    routed["devices"][2]["enabledRoutes"] = json!(["10.1.0.0/16"]);
    routed["devices"][2]["advertisedRoutes"] = json!(["10.1.0.0/16"]);
    assert_idle(
        &[("tag:six", "10.1.0.0/16:443")],
        &json!([]),
        "access",
        &[("tag:six", "10.1.0.0/16", why)],
        &routed,
    );
}

#[test]
fn what_a_group_without_members_reaches_or_is_reached_at_is_said() {
    let why = "nobody is in group:art@example.com";
    let art = "group:art@example.com";
    for context in [
        context(),
        json!({"groups": {art: []}}),
        json!({"groups": {}}),
    ] {
        assert_idle(
            &[
                (art, "tag:db:22"),
                ("bob@example.com", "group:art@example.com:22"),
            ],
            &json!([]),
            "access",
            &[("bob@example.com", art, why), (art, "tag:db", why)],
            &context,
        );
        let login =
            json!([{"action": "accept", "src": [art], "dst": ["tag:db"], "users": ["root"]}]);
        assert_idle(&[], &login, "ssh", &[(art, "tag:db", why)], &context);
    }
}

#[test]
fn a_change_beside_a_rule_that_nobody_can_use_hides_it_not() {
    let (before, after) = (
        policy(&[], json!([])),
        policy(
            &[
                ("bob@example.com", "tag:six:443"),
                ("bob@example.com", "tag:db:80"),
            ],
            json!([]),
        ),
    );
    let review = told(&before, &after, &context());
    let gained = review["access"][0]["gained"].as_array().expect("a list");
    let places: Vec<&Value> = gained.iter().map(|it| &it["destination"]).collect();
    assert_eq!(places, ["tag:db", "tag:six"]);
    let text = review["summary"].as_str().expect("a text");
    let line = "`bob@example.com` reaches `tag:db` on `80`; `tag:six` on `443` (nobody today: `bob@example.com has IPv4 alone, tag:six IPv6`)";
    assert!(text.contains(line), "{text}");
}

// What is open over the one family that both have is open by each rule alike.
#[test]
fn what_no_device_lacks_is_no_change() {
    let address = [("bob@example.com", "100.64.0.11:443")];
    let rules = [("bob@example.com", "tag:db:443"), address[0]];
    let (before, after) = (policy(&rules[..1], json!([])), policy(&rules, json!([])));
    assert_eq!(told(&before, &after, &context())["unchanged"], true);
}

// The line says "nobody today", and the headline counted it as access.
#[test]
fn the_headline_counts_who_has_no_device_as_who_cannot_use_it_today() {
    let known = [("bob@example.com", "tag:db:443")];
    let art = "group:art@example.com";
    for rule in [("ann@example.com", "tag:db:22"), (art, "*:*")] {
        let texts = [
            policy(&known, json!([])),
            policy(&[known[0], rule], json!([])),
        ];
        for ([one, other], words) in [
            ([0, 1], "1 gains access that nobody can use today"),
            ([1, 0], "1 loses access that nobody could use"),
        ] {
            let review = told(&texts[one], &texts[other], &context());
            let text = review["summary"].as_str().expect("a text");
            let headline = text.lines().next().expect("a line");
            assert!(headline.contains(words), "{text}");
            assert!(!headline.contains("s access,"), "{text}");
        }
    }
}

// What may be gained or lost is shown with the rules of one document, and hides nothing of the other.
#[test]
fn beside_what_may_go_either_way_nothing_that_nobody_can_use_is_left_out() {
    let text = |condition: &str| {
        json!({
            "tagOwners": {"tag:a": []},
            "postures": {"posture:fresh": [condition]},
            "grants": [{
                "src": ["*"], "dst": ["10.1.2.128/25"], "ip": ["443"],
                "srcPosture": ["posture:fresh"], "via": ["tag:a"],
            }],
        })
        .to_string()
    };
    let context = json!({
        "attributes": {"six": {"node:os": "linux"}},
        "devices": [{"id": "six", "addresses": [V6]}],
    });
    let (before, after) = (text("custom:tier IS SET"), text("node:os == 'linux'"));
    for (one, other, line) in [
        (
            &before,
            &after,
            "- `device six` reaches `10.1.2.128/25` on `443` through `tag:a` (nobody today: `device six has IPv6 alone, 10.1.2.128/25 IPv4`)",
        ),
        (
            &after,
            &before,
            "- `device six` no longer reaches `10.1.2.128/25` on `443` through `tag:a` (nobody today: `device six has IPv6 alone, 10.1.2.128/25 IPv4`)",
        ),
    ] {
        let review = told(one, other, &context);
        let text = review["summary"].as_str().expect("a text");
        assert!(text.contains(line), "{text}");
    }
}
