//! Sentences of a review that were untrue of a company with offices, roles and tags of several devices. Must not live here: words that are
//! true and say it badly (worded.rs), which access, logins and powers a change has (silence.rs, diff_access.rs, diff_ssh.rs).

use serde_json::{Value, json};

use crate::silence::reviewed;
use crate::worded::{device, summary, told};

/// Two people, one of them with two computers; two databases, one of which is also production; two sites and an exit node.
fn company() -> Value {
    let (ann, bob) = (json!("ann@example.com"), json!("bob@example.com"));
    json!({
        "users": [
            {"loginName": "ann@example.com", "role": "owner"},
            {"loginName": "bob@example.com", "role": "member"},
        ],
        "devices": [
            device("mac", ("user", ann.clone()), 1, &[]),
            device("phone", ("user", ann), 2, &[]),
            device("desk", ("user", bob), 3, &[]),
            device("db-1", ("tags", json!(["tag:db", "tag:prod"])), 4, &[]),
            device("db-2", ("tags", json!(["tag:db"])), 5, &[]),
            device("gw-1", ("tags", json!(["tag:gw"])), 6, &["10.1.0.0/16"]),
            device("exit", ("tags", json!(["tag:exit"])), 7, &["0.0.0.0/0", "::/0"]),
        ],
        "groups": {},
        "attributes": {},
    })
}

fn policy(more: Value) -> String {
    let mut policy = json!({
        "tagOwners": {"tag:db": [], "tag:prod": [], "tag:gw": [], "tag:exit": [], "tag:pay": []},
        "acls": [],
    });
    for (key, value) in more.as_object().expect("an object") {
        policy[key] = value.clone();
    }
    policy.to_string()
}

fn acl(from: &str, to: &[&str]) -> Value {
    json!({"action": "accept", "src": [from], "dst": to})
}

fn ssh(from: &str, to: &str, user: &str) -> Value {
    json!({"action": "accept", "src": [from], "dst": [to], "users": [user]})
}

// docs/policy-language.md#selectors: a device with a tag is in `*`, and not in `autogroup:member`. Without devices `*` stands for
// whoever has no name of their own.
#[test]
fn what_members_gain_is_nothing_that_everybody_gains() {
    let everybody = acl("*", &["tag:gw:80"]);
    let before = policy(json!({"acls": [everybody]}));
    let members = acl("autogroup:member", &["tag:db:22"]);
    let after = policy(json!({"acls": [everybody, members]}));
    for (before, after) in [(&before, &after), (&after, &before)] {
        let changed = told(before, after, &json!({}))["access"].clone();
        let changed = changed.as_array().expect("a list");
        let who: Vec<&Value> = changed.iter().map(|it| &it["source"]).collect();
        assert_eq!(who, ["autogroup:member"]);
    }
}

#[test]
fn a_login_that_the_network_lets_through_to_one_of_two_devices_says_to_which() {
    let rules = json!([acl("bob@example.com", &["100.64.0.4:22"])]);
    let login = json!([ssh("bob@example.com", "tag:db", "root")]);
    let (before, after) = (
        policy(json!({"acls": rules})),
        policy(json!({"acls": rules, "ssh": login})),
    );
    let gained = told(&before, &after, &company())["ssh"][0]["gained"].clone();
    let found: Vec<(Value, Value)> = gained
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| (it["part"]["to"].clone(), it["network"].clone()))
        .collect();
    assert_eq!(
        found,
        [
            (json!(["db-1"]), json!(true)),
            (json!(["db-2"]), json!(false))
        ]
    );
    let text = summary(&before, &after, &company());
    let line = "logs in to `tag:db` (only `db-1`) as `root`; `tag:db` (only `db-2`) as `root` (no network rule opens port 22 for it)";
    assert!(text.contains(line), "{text}");
}

#[test]
fn whoever_gains_everything_gains_the_own_devices_too() {
    let own = acl("autogroup:member", &["autogroup:self:*"]);
    let all = |proto| json!({"action": "accept", "src": ["ann@example.com"], "dst": ["*:*"], "proto": proto});
    let (before, after) = (
        policy(json!({"acls": [own, all("tcp")]})),
        policy(json!({"acls": [own, all("tcp"), all("igmp")]})),
    );
    for context in [json!({}), company()] {
        let gained = told(&before, &after, &context)["access"][0]["gained"].clone();
        assert_eq!(gained[0]["destination"], "*", "{gained}");
        assert_eq!(gained[0]["part"], Value::Null, "{gained}");
    }
}

#[test]
fn whoever_keeps_only_logins_that_the_network_lets_nowhere_has_nothing_left() {
    let login = json!([
        ssh("bob@example.com", "tag:db", "root"),
        ssh("ann@example.com", "autogroup:self", "root"),
    ]);
    let rules = json!([
        acl("bob@example.com", &["*:*"]),
        acl("ann@example.com", &["*:*"])
    ]);
    let (before, after) = (
        policy(json!({"acls": rules, "ssh": login})),
        policy(json!({"ssh": login})),
    );
    let review = told(&before, &after, &company());
    let names = |list: &str| -> Vec<Value> {
        let list = review[list].as_array().expect("a list").iter();
        list.map(|it| it["name"].clone()).collect()
    };
    assert_eq!(names("lockedOut"), ["ann@example.com", "bob@example.com"]);
    let text = review["summary"].as_str().expect("a text");
    let logins = text.lines().filter(|line| line.starts_with("- logins of "));
    let logins: Vec<&str> = logins.collect();
    assert_eq!(
        logins,
        [
            "- logins of `ann@example.com` to `ann@example.com` as `root` no longer get through, as port 22 is closed",
            "- logins of `bob@example.com` to `tag:db` as `root` no longer get through, as port 22 is closed",
        ]
    );
}

// db-1 alone is production. What bob is cut off from is said once, and as whom he got in there.
#[test]
fn logins_that_a_network_cuts_off_are_said_once_and_by_their_accounts() {
    let logins = json!([
        ssh("bob@example.com", "tag:db", "root"),
        ssh("bob@example.com", "tag:prod", "ops")
    ]);
    let with = |rules: Value| policy(json!({"acls": rules, "ssh": logins}));
    let cut_off = |places: &[&str]| {
        let (before, after) = (
            with(json!([acl("bob@example.com", places)])),
            with(json!([])),
        );
        let text = summary(&before, &after, &company());
        let lines = text.lines().filter(|line| line.starts_with("- logins of "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let apart = [
        "- logins of `bob@example.com` to `tag:prod` as `ops`, `root` no longer get through, as port 22 is closed",
        "- logins of `bob@example.com` to `db-2` as `root` no longer get through, as port 22 is closed",
    ];
    assert_eq!(cut_off(&["tag:db:*"]), apart);
    assert_eq!(cut_off(&["tag:db:22", "10.1.0.0/16:*"]), apart);
    assert_eq!(cut_off(&["*:*"]), apart);
}

// The first rule decides about `ops` alone, and passes variables on; the second about all others.
#[test]
fn variables_that_are_passed_on_for_one_account_are_not_said_of_all() {
    let all = |action: &str| {
        let mut passing = ssh("bob@example.com", "tag:db", "ops");
        passing["acceptEnv"] = json!(["GIT_*"]);
        let mut all = ssh("bob@example.com", "tag:db", "autogroup:nonroot");
        all["action"] = json!(action);
        policy(json!({"acls": [acl("bob@example.com", &["tag:db:22"])], "ssh": [passing, all]}))
    };
    let text = summary(&all("check"), &all("accept"), &company());
    let line = "no longer needs a check; passes on `GIT_*` for some of them, before nothing";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_further_tag_of_via_that_no_router_has_is_told() {
    let through = |tags: Value| {
        policy(json!({"grants": [
            {"src": ["bob@example.com"], "dst": ["10.1.0.0/16"], "ip": ["*"], "via": tags},
        ]}))
    };
    let (before, after) = (
        through(json!(["tag:gw"])),
        through(json!(["tag:gw", "tag:pay"])),
    );
    let review = told(&before, &after, &company());
    assert_eq!(review["unchanged"], json!(false));
    let text = review["summary"].as_str().expect("a text");
    let line =
        "through `tag:pay` (nobody today: `no device with tag:pay has an approved route there`)";
    assert!(text.contains(line), "{text}");
}

// A router with the tag would let through what the rule without `via` opens at any router.
#[test]
fn what_is_open_through_any_router_is_no_gain_through_one_with_a_tag() {
    let with = |tag: &str, ports: &str| {
        policy(json!({
            "acls": [acl("bob@example.com", &["10.1.0.0/16:22"])],
            "grants": [
                {"src": ["bob@example.com"], "dst": ["10.1.0.0/16"], "ip": [ports], "via": [tag]},
            ],
        }))
    };
    for (before, after) in [("tag:gw", "tag:pay"), ("tag:pay", "tag:gw")] {
        let (before, after) = (with(before, "tcp:22"), with(after, "tcp:22"));
        let review = told(&before, &after, &company());
        assert_eq!(review["access"], json!([]), "{review}");
    }
    let (before, after) = (with("tag:pay", "tcp:22"), with("tag:pay", "tcp:20-22"));
    let text = summary(&before, &after, &company());
    assert!(text.contains("on `tcp:20-21` through `tag:pay`"), "{text}");
}

#[test]
fn of_several_postures_the_one_whose_conditions_change_is_named() {
    let with = |least: u32| {
        policy(json!({
            "postures": {
                "posture:mac": ["node:os == 'macos'"],
                "posture:score": [format!("custom:score >= {least}")],
            },
            "grants": [{
                "src": ["bob@example.com"],
                "dst": ["tag:db"],
                "ip": ["22"],
                "srcPosture": ["posture:mac", "posture:score"],
            }],
        }))
    };
    for (before, after, now) in [(50, 70, "tighter"), (70, 50, "looser")] {
        let text = summary(&with(before), &with(after), &json!({}));
        let line = format!(
            "on `22` with `posture:score`, whose conditions are {now} now (or with `posture:mac`)"
        );
        assert!(text.contains(&line), "{text}");
    }
}

// Without devices nobody knows whether an address of the tailnet is that of a device with the tag.
#[test]
fn an_address_that_may_have_the_tag_is_not_lost_for_certain() {
    let to = |places: &[&str]| {
        policy(json!({
            "hosts": {"main": "100.64.0.4", "nas": "192.168.1.4"},
            "acls": [acl("bob@example.com", places)],
        }))
    };
    let tag = to(&["tag:db:22"]);
    let review = told(&to(&["main:22"]), &tag, &json!({}));
    let text = review["summary"].as_str().expect("a text");
    assert!(
        text.contains("may lose `main` on `22` (`who has an address of tag:db is not known`"),
        "{text}"
    );
    assert!(!text.contains("no longer reaches"), "{text}");
    assert_eq!(review["orphaned"], json!([]));
    // What the tag does not open is lost, and so is an address that no device has.
    for place in ["main:80", "nas:22"] {
        let text = summary(&to(&[place]), &tag, &json!({}));
        assert!(text.contains("no longer reaches"), "{text}");
    }
}

// What db-1 reaches as production is not what whoever puts tag:db on a device gets by it.
#[test]
fn a_tag_reaches_nothing_by_the_other_tags_of_its_devices() {
    let owned = |owners: Value| {
        let mut policy: Value = serde_json::from_str(&policy(json!({
            "acls": [acl("tag:prod", &["tag:gw:22"]), acl("tag:db", &["tag:gw:80"]), acl("100.64.0.5", &["tag:exit:443"])],
        })))
        .expect("JSON");
        policy["tagOwners"]["tag:db"] = owners;
        policy.to_string()
    };
    let (none, bobs) = (owned(json!([])), owned(json!(["bob@example.com"])));
    let text = summary(&none, &bobs, &company());
    let line = "may now put `tag:db` on a device (the tag reaches `tag:gw` on `80`)";
    assert!(text.contains(line), "{text}");
}

// The network leads by another router from then on, which lets one port of all through.
#[test]
fn a_route_that_gives_less_than_another_did_is_a_loss_of_ports() {
    let text = |plain: bool| {
        let mut rules = vec![];
        if plain {
            rules.push(acl("bob@example.com", &["10.1.5.0/24:*"]));
        }
        policy(json!({
            "acls": rules,
            "grants": [
                {"src": ["bob@example.com"], "dst": ["10.1.5.0/24"], "ip": ["tcp:22"], "via": ["tag:gw"]},
            ],
        }))
    };
    let mut network = company();
    let other = device("gw-2", ("tags", json!(["tag:exit"])), 8, &["10.1.5.0/24"]);
    network["devices"]
        .as_array_mut()
        .expect("devices")
        .push(other);
    let found = summary(&text(true), &text(false), &network);
    assert!(
        found.starts_with("**1 gains a route, 1 reaches fewer ports"),
        "{found}"
    );
    // By two routers of one network one may go.
    let mut fewer = network.clone();
    fewer["devices"][7]["enabledRoutes"] = json!([]);
    let review = reviewed(&text(true), &text(true), [&network, &fewer]);
    let found = review["summary"].as_str().expect("a text");
    assert!(
        found.starts_with("**1 gains a route, 1 loses a route"),
        "{found}"
    );
}

// docs/policy-language.md#capabilities: a prefix behind a router is told to the router.
#[test]
fn a_capability_behind_a_router_can_be_used_today() {
    let at = |network: &str| {
        policy(json!({"grants": [
            {"src": ["bob@example.com"], "dst": [network], "app": {"example.com/cap/db": [{}]}},
        ]}))
    };
    let none = policy(json!({"grants": []}));
    let text = summary(&none, &at("10.1.5.0/24"), &company());
    assert!(text.contains("on `10.1.5.0/24`"), "{text}");
    assert!(!text.contains("nobody today"), "{text}");
    let text = summary(&none, &at("10.9.0.0/24"), &company());
    assert!(text.contains("nobody today"), "{text}");
}

// docs/policy-language.md#capabilities: a grant's capabilities count at each of its destinations.
#[test]
fn a_capability_is_lost_where_the_destination_got_smaller_and_nowhere_else() {
    let at = |places: Value| {
        policy(json!({"grants": [
            {"src": ["bob@example.com"], "dst": places, "app": {"example.com/cap/db": [{}]}},
        ]}))
    };
    let said = |before: &str, after: &str, network: &Value| {
        let text = summary(&at(json!([before])), &at(json!([after])), network);
        let found = text.lines().filter(|line| line.starts_with("- `bob"));
        found.map(str::to_owned).collect::<Vec<_>>()
    };
    let use_it = |verb: &str, place: &str| {
        format!(
            "- `bob@example.com` {verb} use the capability `example.com/cap/db` on `{place}` with `[{{}}]`"
        )
    };
    let (now, no_longer) = ("may now", "may no longer");
    let network = company();
    let rest = "10.1.128.0/17";
    let (wide, narrow) = ("10.1.0.0/16", "10.1.0.0/17");
    assert_eq!(said(wide, narrow, &network), [use_it(no_longer, rest)]);
    assert_eq!(said(narrow, wide, &network), [use_it(now, rest)]);
    for (wide, narrow) in [
        ("*", "tag:db"),
        ("tag:db", "100.64.0.4"),
        ("tag:db", "tag:prod"),
        ("ann@example.com", "100.64.0.1/32"),
    ] {
        let words =
            |verb: &str, when: &str| format!("{} (`{when} only on {narrow}`)", use_it(verb, wide));
        assert_eq!(said(wide, narrow, &network), [words(no_longer, "now")]);
        assert_eq!(said(narrow, wide, &network), [words(now, "before")]);
    }
    // So it is of those who use it.
    let from = |source: &str| {
        policy(json!({"grants": [
            {"src": [source], "dst": ["tag:gw"], "app": {"example.com/cap/db": [{}]}},
        ]}))
    };
    let text = summary(&from("tag:db"), &from("100.64.0.4"), &network);
    assert!(text.contains("(`all but 100.64.0.4`)"), "{text}");
    // The only device with the tag, by one of its two addresses and by both.
    let found = said("tag:prod", "100.64.0.4", &network);
    let words = " (`now only on 100.64.0.4`)";
    assert_eq!(found, [use_it(no_longer, "tag:prod") + words]);
    let both = at(json!(["100.64.0.4", "fd7a:115c:a1e0::4"]));
    let text = summary(&at(json!(["tag:prod"])), &both, &network);
    assert!(text.starts_with("**Nothing changes"), "{text}");
    // It may be the only device with the tag.
    let line = said("tag:db", "100.64.0.4", &json!({})).join("\n");
    assert!(
        line.contains("who has an address of 100.64.0.4 is not known"),
        "{line}"
    );
}

#[test]
fn a_test_of_one_protocol_checks_what_one_of_all_did_but_for_the_others() {
    let rules = json!([acl("tag:gw", &["tag:db:5432"])]);
    let text = |more: Value| {
        let mut test =
            json!({"src": "tag:gw", "accept": ["tag:db:5432"], "deny": ["tag:exit:443"]});
        for (key, value) in more.as_object().expect("an object") {
            test[key] = value.clone();
        }
        policy(json!({"acls": rules, "tests": [test]}))
    };
    let (all, tcp) = (text(json!({})), text(json!({"proto": "tcp"})));
    let found = summary(&all, &tcp, &company());
    let line = "the test of `tag:gw` (tests[0] line 1) no longer checks `tag:exit:443 over UDP`";
    assert!(found.contains(line) && !found.contains("gone"), "{found}");
    // An entry that checks more is not new.
    let more = text(json!({"deny": ["tag:exit:443", "tag:exit:22"]}));
    let found = summary(&all, &more, &company());
    let line = "the test of `tag:gw` (tests[0] line 1) now also checks `tag:exit:22`";
    assert!(found.contains(line), "{found}");
    assert!(found.contains(": 1 test checks more."), "{found}");
}

#[test]
fn nobody_is_said_to_have_nothing_in_words_that_fit() {
    let auditors = policy(json!({"acls": [acl("autogroup:auditor", &["tag:db:22"])]}));
    let text = summary(&policy(json!({})), &auditors, &company());
    let line = "(nobody today: `no device is in autogroup:auditor`)";
    assert!(text.contains(line), "{text}");
    // People of other tailnets have devices that no list has.
    let outsiders = policy(json!({"grants": [
        {"src": ["autogroup:shared"], "dst": ["tag:db"], "app": {"example.com/cap/db": [{}]}},
    ]}));
    let text = summary(&policy(json!({"grants": []})), &outsiders, &company());
    assert!(text.contains("`autogroup:shared` may now use"), "{text}");
    assert!(!text.contains("nobody today"), "{text}");
    let checks = |period: &str| {
        let mut rule = ssh("ann@example.com", "tag:db", "root");
        rule["action"] = json!("check");
        rule["checkPeriod"] = json!(period);
        policy(json!({"ssh": [rule]}))
    };
    let text = summary(&checks("4h"), &checks("always"), &company());
    let line = "each login needs one, before a check counted for `4h`";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_route_that_a_rule_with_via_takes_is_there() {
    let steered = json!({"src": ["bob@example.com"], "dst": ["10.1.5.0/24"], "ip": ["tcp:22"], "via": ["tag:pay"]});
    let plain = json!({"src": ["bob@example.com"], "dst": ["10.1.5.7"], "ip": ["tcp:443"]});
    let (before, after) = (
        policy(json!({"grants": [steered]})),
        policy(json!({"grants": [steered, plain]})),
    );
    let text = summary(&before, &after, &company());
    let line = "(nobody today: `a rule with via asks for a tag that no router there has`)";
    assert!(text.contains(line), "{text}");
}

// A router that a rule with `via` makes the only way has from itself what the rule opens to its tag.
#[test]
fn an_exit_node_gains_nothing_by_via_of_itself() {
    let via =
        json!({"src": ["tag:exit"], "dst": ["203.0.113.0/24"], "ip": ["*"], "via": ["tag:exit"]});
    let (before, after) = (policy(json!({})), policy(json!({"grants": [via]})));
    let mut network = company();
    let routes = json!(["0.0.0.0/0", "203.0.113.128/25"]);
    (
        network["devices"][6]["advertisedRoutes"],
        network["devices"][6]["enabledRoutes"],
    ) = (routes.clone(), routes);
    let other = device("exit-2", ("tags", json!(["tag:gw"])), 8, &["0.0.0.0/0"]);
    network["devices"]
        .as_array_mut()
        .expect("devices")
        .push(other);
    let gained = told(&before, &after, &network)["access"][0]["gained"][0].clone();
    assert_eq!(gained["destination"], "203.0.113.0/24");
    assert_eq!(gained["today"], "only the device itself forwards it");
}

/// Rules in a policy with a set of a site and of the address of `desk`.
fn with_floor(rules: &[(&str, &str)]) -> String {
    let rules: Vec<Value> = rules.iter().map(|(from, to)| acl(from, &[to])).collect();
    policy(json!({
        "ipsets": {"ipset:floor": ["add 10.1.0.0/16", "add 100.64.0.3"]},
        "acls": rules,
    }))
}

const ANN: &str = "ann@example.com";

// docs/policy-language.md#selectors: an ipset means each of its addresses, that of a device as well.
#[test]
fn a_set_of_which_one_device_keeps_access_does_not_lose_it_whole() {
    let kept = ("bob@example.com", "tag:db:22");
    let before = with_floor(&[("ipset:floor", "tag:db:22"), kept]);
    let said = summary(&before, &with_floor(&[kept]), &company());
    let line = "`ipset:floor` no longer reaches `tag:db` on `22` (from all but `desk`)";
    assert!(said.contains(line), "{said}");
    let kept = (ANN, "100.64.0.3:22");
    let before = with_floor(&[(ANN, "ipset:floor:22"), kept]);
    let said = summary(&before, &with_floor(&[kept]), &company());
    let line = "no longer reaches `ipset:floor` but `desk` on `22`";
    assert!(said.contains(line), "{said}");
}

// The same where the network changes: the route of the site is no longer approved, and the desk is still there.
#[test]
fn a_set_of_which_one_device_is_still_reached_is_not_lost_whole() {
    let text = with_floor(&[(ANN, "*:22"), ("bob@example.com", "ipset:floor:80")]);
    let mut after = company();
    after["devices"][5]["enabledRoutes"] = json!([]);
    let review = reviewed(&text, &text, [&company(), &after]);
    let said = review["summary"].as_str().expect("a text");
    let line = "`ann@example.com` no longer reaches `ipset:floor` but `desk`";
    assert!(said.contains(line), "{said}");
}

// Where the device changes as well, the set changes whole.
#[test]
fn a_set_with_its_device_is_said_whole() {
    let before = with_floor(&[(ANN, "ipset:floor:22")]);
    let said = summary(&before, &with_floor(&[]), &company());
    assert!(said.contains("`ipset:floor`"), "{said}");
    assert!(!said.contains("but `desk`"), "{said}");
}

// The desk had one of the two ports: it gains the other by itself, and what the set gains only the site does.
#[test]
fn a_device_of_a_set_that_gains_less_than_the_set_is_an_exception() {
    let had = [("100.64.0.3", "tag:db:22"), (ANN, "100.64.0.3:22")];
    let before = with_floor(&had);
    let from = ("ipset:floor", "tag:db:22,80");
    let to = (ANN, "ipset:floor:22,80");
    let said = summary(
        &before,
        &with_floor(&[had[0], had[1], from, to]),
        &company(),
    );
    let line = "`ipset:floor` reaches `tag:db` on `22 80` (from all but `desk`)";
    assert!(said.contains(line), "{said}");
    let line = "reaches `ipset:floor` but `desk` on `22 80`";
    assert!(said.contains(line), "{said}");
}

// What everything is lost but is not the whole set either: the desk is lost.
#[test]
fn a_set_of_which_one_device_is_lost_is_not_what_is_kept_of_everything() {
    let kept = [
        (ANN, "10.1.0.0/16:22"),
        ("bob@example.com", "ipset:floor:80"),
    ];
    let before = with_floor(&[(ANN, "*:22"), kept[0], kept[1]]);
    let said = summary(&before, &with_floor(&kept), &company());
    let line = "no longer reaches everything (`*`) but `10.1.0.0/16` on `22`";
    assert!(said.contains(line), "{said}");
}

// What follows an exception reads as one more exception: the other network is gained. Where `pacs` is gained, too, it is no exception.
#[test]
fn what_follows_an_exception_is_no_exception() {
    let hosts = json!({"pacs": "10.1.1.10", "ris": "10.1.200.5"});
    let with = |rules: &[Value]| policy(json!({"hosts": hosts, "acls": rules}));
    for (port, line) in [
        (
            53,
            "reaches `10.1.0.0/17` but `10.1.1.10`, also `10.1.192.0/18` but `10.1.200.5` on `53`",
        ),
        (80, "reaches `10.1.0.0/17`, `10.1.192.0/18` on `53`"),
    ] {
        let was = acl(ANN, &[&format!("pacs:{port}"), &format!("ris:{port}")]);
        let before = with(std::slice::from_ref(&was));
        let after = with(&[was, acl(ANN, &["10.1.0.0/17:53", "10.1.192.0/18:53"])]);
        let said = summary(&before, &after, &company());
        assert!(said.contains(line), "{said}");
    }
}

// Of one family a ping is new as well, of which nothing is said beside ports.
#[test]
fn what_both_families_gain_alike_is_said_once() {
    let before = with_floor(&[("100.64.0.3", "tag:gw:80")]);
    let after = with_floor(&[
        ("100.64.0.3", "tag:gw:80"),
        ("bob@example.com", "tag:gw:443"),
    ]);
    let said = summary(&before, &after, &company());
    let line = "- `bob@example.com` reaches `tag:gw` on `443` — acls[1]";
    assert!(said.contains(line), "{said}");
}

#[test]
fn everybody_does_not_lose_what_members_keep() {
    let with = |target: &str| {
        policy(json!({"nodeAttrs": [{"target": [target], "attr": ["magicdns-aaaa"]}]}))
    };
    let said = summary(&with("*"), &with("autogroup:member"), &company());
    let line = "`*` may no longer use the attribute `magicdns-aaaa` (`all but autogroup:member`)";
    assert!(said.contains(line), "{said}");
}

#[test]
fn a_capability_whose_posture_is_looser_was_there_by_its_other_conditions() {
    let with = |tracks: &str| {
        policy(json!({
            "postures": {"posture:track": [format!("node:tsReleaseTrack IN [{tracks}]")]},
            "grants": [{
                "src": ["bob@example.com"],
                "dst": ["tag:gw"],
                "app": {"example.com/cap/share": [{}]},
                "srcPosture": ["posture:track"],
            }],
        }))
    };
    let said = summary(&with("'stable'"), &with("'stable', 'beta'"), &company());
    let line = "(`before only with other conditions of posture:track`)";
    assert!(said.contains(line), "{said}");
}

// A port that no router forwarded is no other route to it, whichever router forwards it.
#[test]
fn a_new_port_through_another_router_is_a_gain_of_ports() {
    let through = |tag: &str, ip: &str| json!({"src": ["bob@example.com"], "dst": ["10.1.0.0/16"], "ip": [ip], "via": [tag]});
    let mut network = company();
    let other = device("gw-2", ("tags", json!(["tag:exit"])), 8, &["10.1.0.0/16"]);
    network["devices"]
        .as_array_mut()
        .expect("devices")
        .push(other);
    let own = through("tag:gw", "tcp:80");
    for (more, gained, lost) in [
        ("tcp:443", "reaches more ports", "reaches fewer ports"),
        ("tcp:80", "gains a route", "loses a route"),
        ("*", "reaches more ports", "reaches fewer ports"),
    ] {
        let before = policy(json!({"grants": [own]}));
        let after = policy(json!({"grants": [own, through("tag:exit", more)]}));
        for (texts, words) in [([&before, &after], gained), ([&after, &before], lost)] {
            let found = summary(texts[0], texts[1], &network);
            let headline = found.lines().next().unwrap_or_default();
            assert!(headline.contains(&format!("1 {words}")), "{found}");
            // What one of two routers lets pass and the other does not may pass or not.
            let is_perhaps = found.contains("on `tcp:80` forwarded by `gw-1`");
            assert_eq!(is_perhaps, more == "tcp:443", "{found}");
        }
    }
}

// The phone and what it reaches is bob's from then on; ann has no other device.
#[test]
fn whoever_gives_away_the_only_device_keeps_nothing_on_a_condition() {
    let through = |via: Value| {
        let grant =
            json!({"src": ["autogroup:member"], "dst": ["10.1.0.0/16"], "ip": ["*"], "via": via});
        policy(json!({"grants": [grant]}))
    };
    let mut before = company();
    let list = before["devices"].as_array_mut().expect("devices");
    list.remove(0);
    let other = device("gw-2", ("tags", json!(["tag:exit"])), 8, &["10.1.0.0/16"]);
    list.push(other);
    let mut after = before.clone();
    after["devices"][0]["user"] = json!("bob@example.com");
    let texts = [json!(["tag:gw", "tag:exit"]), json!(["tag:gw"])].map(through);
    let open = policy(json!({"acls": [acl("autogroup:member", &["10.1.0.0/16:*"])]}));
    for text in [&texts[0], &open] {
        let review = reviewed(text, &texts[1], [&before, &after]);
        let ann = &review["access"][0];
        assert_eq!(ann["source"], "ann@example.com");
        for lost in ann["lost"].as_array().expect("a list") {
            assert_eq!(lost["unless"], Value::Null, "{}", review["summary"]);
            for opening in lost["opens"].as_array().expect("a list") {
                assert_eq!(opening["unless"], Value::Null, "{}", review["summary"]);
            }
        }
    }
}

// docs/policy-language.md#postures: only a device of the tailnet can have one, and each had it by the rule for `*`.
#[test]
fn what_needs_a_posture_is_not_open_to_any_address() {
    let rule = |from: &str| json!({"action": "accept", "src": [from], "dst": ["tag:db:443"], "srcPosture": ["posture:ok"]});
    let text = |rules: &[Value]| {
        let posture = json!({"posture:ok": ["custom:ok == true"]});
        policy(json!({"postures": posture, "acls": rules}))
    };
    let all = rule("*");
    let before = text(std::slice::from_ref(&all));
    let after = text(&[rule("autogroup:danger-all"), all]);
    let review = told(&before, &after, &json!({}));
    assert_eq!(review["exposed"], json!([]), "{}", review["summary"]);
    let review = told(&text(&[]), &after, &json!({}));
    assert_eq!(review["exposed"][0]["to"], "everybody");
}

// docs/policy-language.md#ssh-rules: the first rule that allows a login decides how it is treated, so that the order of two is a meaning.
#[test]
fn rules_of_ssh_in_another_order_treat_logins_otherwise() {
    let with = |mut rule: Value, key: &str, value: Value| {
        rule[key] = value;
        rule
    };
    let rules = |ssh: [&Value; 2]| policy(json!({"acls": [acl("*", &["*:*"])], "ssh": ssh}));
    let names = with(
        ssh("bob@example.com", "tag:db", "ubuntu"),
        "acceptEnv",
        json!(["GIT_*"]),
    );
    let all = ssh("bob@example.com", "tag:db", "autogroup:nonroot");
    let often = |rule: &Value, period: &str| {
        let checked = with(rule.clone(), "action", json!("check"));
        with(checked, "checkPeriod", json!(period))
    };
    let name = ssh("bob@example.com", "tag:db", "ubuntu");
    let (hour, week) = (often(&all, "1h"), often(&name, "168h"));
    // Whoever logs in under the own name may do so to the own devices, too.
    let own = with(names.clone(), "users", json!(["localpart:*@example.com"]));
    let to_self = ssh("autogroup:member", "autogroup:self", "autogroup:nonroot");
    for (first, second, place) in [
        (&names, &all, "tag:db"),
        (&week, &hour, "tag:db"),
        (&own, &to_self, "autogroup:self"),
    ] {
        let (before, after) = (rules([first, second]), rules([second, first]));
        for (before, after, now) in [(&before, &after, "tighter"), (&after, &before, "looser")] {
            for context in [json!({}), company()] {
                let told = told(before, after, &context);
                assert_eq!(told["unchanged"], false, "{place}");
                let checked = &told["ssh"][0]["checked"];
                assert_eq!(checked.as_array().map(Vec::len), Some(1), "{checked}");
                assert_eq!(
                    [&checked[0]["destination"], &checked[0]["now"]],
                    [place, now],
                    "{checked}"
                );
            }
        }
    }
}

// docs/policy-language.md#postures: a device that has the posture keeps what it had; for one that has it not everything is new.
#[test]
fn a_posture_that_is_no_longer_needed_is_told_of_whoever_has_it_whatever_is_gained_besides() {
    let mut company = company();
    let edr = |value: &str| json!({"custom:edr": value});
    company["attributes"] = json!({"mac": edr("on"), "phone": edr("on"), "desk": edr("off")});
    let with = |more: &[Value]| {
        let bound = json!({"action": "accept", "src": ["ann@example.com", "bob@example.com"], "dst": ["tag:db:443"], "srcPosture": ["posture:edr"]});
        let rules: Vec<&Value> = [&bound].into_iter().chain(more).collect();
        policy(json!({"postures": {"posture:edr": ["custom:edr == 'on'"]}, "acls": rules}))
    };
    for more in [acl("*", &["*:*"]), acl("autogroup:member", &["tag:db:*"])] {
        let (without, with) = (with(&[]), with(&[more]));
        let words = [
            "before only with `posture:edr`",
            "now only with `posture:edr`",
        ];
        for (before, after, words) in [(&without, &with, words[0]), (&with, &without, words[1])] {
            let summary = summary(before, after, &company);
            let lines: Vec<&str> = summary.lines().filter(|it| it.contains(words)).collect();
            let of = |name: &str| lines.iter().any(|it| it.contains(name));
            assert!(of("ann@example.com") && !of("bob@example.com"), "{summary}");
        }
    }
}

// docs/policy-language.md#via: whoever a `via` grant covers uses no other device for a route that overlaps its destination, unless a rule
// without `via` covers that route as well. By the texts alone the routes are those that they name.
#[test]
fn a_way_by_via_leaves_undecided_what_lies_behind_a_route_that_the_texts_name() {
    let grant = |to: &str, via: &[&str]| json!({"src": ["ann@example.com"], "dst": [to], "ip": ["80"], "via": via});
    let other = json!({"src": ["bob@example.com"], "dst": ["10.1.0.0/16"], "ip": ["22"]});
    let lines = |plain: &str, via: &str| {
        let rules = [
            json!([other, grant(plain, &[])]),
            json!([other, grant(plain, &[]), grant(via, &["tag:gw"])]),
        ];
        let texts = rules.map(|rules| policy(json!({"grants": rules})));
        [[0, 1], [1, 0]].map(|[one, after]| {
            let review = told(&texts[one], &texts[after], &json!({}));
            let undecided = review["access"][0]["undecided"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            let told = undecided.iter().map(|it| {
                format!(
                    "{} {}",
                    it["destination"].as_str().expect("a name"),
                    it["may"].as_str().unwrap_or("either")
                )
            });
            told.collect::<Vec<String>>()
        })
    };
    for (plain, via) in [
        // A route to all of what `via` leads to is not covered by the rule without it.
        ("10.1.7.7", "10.1.0.0/16"),
        // A route of the text leads to both.
        ("10.1.7.7", "10.1.128.0/17"),
    ] {
        let [there, back] = lines(plain, via);
        assert_eq!(there, [format!("{plain} lost")], "{via}");
        assert_eq!(back, [format!("{plain} gained")], "{via}");
    }
    // Each route of the text is covered, or leads to one of the two alone.
    for (plain, via) in [
        ("10.1.0.0/16", "10.1.7.7"),
        ("10.2.7.7", "10.1.0.0/16"),
        ("*", "10.1.0.0/16"),
    ] {
        assert_eq!(
            lines(plain, via),
            [Vec::<String>::new(), Vec::new()],
            "{plain}"
        );
    }
}

// The ssh rule stays, and who has the address is not known: whether the login gets through is undecided, and nothing was said.
#[test]
fn a_login_whose_port_becomes_undecided_is_said_to_be() {
    let with = |place: &str| {
        policy(json!({
            "acls": [acl("bob@example.com", &[place])],
            "ssh": [ssh("bob@example.com", "tag:db", "root")],
        }))
    };
    let texts = [with("tag:db:22"), with("100.64.0.4:22")];
    for ([one, other], may, words) in [
        (
            [0, 1],
            "lost",
            "may no longer get through: whether port 22 is open, or was, is undecided",
        ),
        (
            [1, 0],
            "gained",
            "may get through now: whether port 22 is open, or was, is undecided",
        ),
    ] {
        let review = told(&texts[one], &texts[other], &json!({}));
        let logins = review["networkLogins"].as_array().expect("a list");
        assert_eq!(logins.len(), 1, "{logins:?}");
        assert_eq!(logins[0]["may"], may);
        let text = review["summary"].as_str().expect("a text");
        let line = format!(
            "### SSH logins undecided\n- logins of `bob@example.com` to `tag:db` as `root` {words}\n"
        );
        assert!(text.contains(&line), "{text}");
        assert!(
            text.lines()
                .next()
                .expect("a line")
                .contains("1 SSH login undecided by the network")
        );
    }
}

// A ping that was open before is no part that somebody keeps.
#[test]
fn whoever_gains_all_ports_is_no_exception_for_a_ping() {
    let udp =
        json!({"action": "accept", "src": ["tag:gw"], "proto": "udp", "dst": ["tag:prod:5000"]});
    let tagged = acl("autogroup:tagged", &["tag:prod:22"]);
    let (before, after) = (
        policy(json!({"acls": [udp]})),
        policy(json!({"acls": [udp, tagged]})),
    );
    for [one, other] in [[&before, &after], [&after, &before]] {
        let text = summary(one, other, &json!({}));
        assert!(!text.contains("from all but"), "{text}");
    }
}

// What was a ping before excepted somebody one way alone.
#[test]
fn a_group_that_becomes_one_of_the_policy_says_the_same_both_ways() {
    let group = "group:art@example.com";
    let udp = json!({"action": "accept", "src": ["ann@example.com"], "proto": "udp", "dst": ["tag:db:5000"]});
    let rules = [udp, acl(group, &["tag:db:8080"])];
    let with = |groups: Value| policy(json!({"groups": groups, "acls": rules}));
    let (synced, defined) = (with(json!({})), with(json!({group: ["ann@example.com"]})));
    for (one, other, list) in [(&synced, &defined, "lost"), (&defined, &synced, "gained")] {
        let review = told(one, other, &json!({}));
        let changes = review["access"].as_array().expect("changes");
        let own = changes
            .iter()
            .find(|change| change["source"] == group)
            .expect("the group");
        let found = own[list]
            .as_array()
            .expect("a list")
            .iter()
            .chain(own["undecided"].as_array().expect("a list"));
        let parts: Vec<&Value> = found.map(|reach| &reach["part"]["from"]).collect();
        assert_eq!(parts, [&Value::Null], "{review}");
    }
}

// It stood under fewer conditions and under more.
#[test]
fn another_posture_in_the_place_of_one_is_said_once() {
    let postures =
        json!({"posture:edr": ["custom:edr == 'on'"], "posture:mac": ["node:os == 'macos'"]});
    let with = |posture: &str| {
        let rule = json!({"action": "accept", "src": ["bob@example.com"], "dst": ["tag:db:22"], "srcPosture": [posture]});
        policy(json!({"postures": postures, "acls": [rule]}))
    };
    for context in [json!({}), company()] {
        let text = summary(&with("posture:edr"), &with("posture:mac"), &context);
        let headline = text.lines().next().expect("a line");
        assert!(
            headline.starts_with("**1 needs other postures, 1 new warning"),
            "{text}"
        );
        let line = "### Needs other postures\n- `bob@example.com` reaches `tag:db` on `22` now only with `posture:mac`, no longer with `posture:edr`";
        assert!(text.contains(line), "{text}");
        assert!(!text.contains("fewer"), "{text}");
    }
}

// docs/policy-language.md#via: where every rule needs the same posture, whoever has it goes the same ways as before.
#[test]
fn a_posture_for_every_rule_leaves_nobody_in_doubt_of_the_router() {
    let grants = json!([
        {"src": ["ann@example.com"], "dst": ["*"], "ip": ["*"]},
        {"src": ["autogroup:member"], "dst": ["autogroup:internet"], "ip": ["*"], "via": ["tag:exit"]},
        {"src": ["autogroup:member"], "dst": ["10.1.2.0/24"], "ip": ["443"]},
    ]);
    let mut network = company();
    let others = [
        device(
            "exit-2",
            ("tags", json!(["tag:pay"])),
            8,
            &["0.0.0.0/0", "::/0"],
        ),
        device("gw-2", ("tags", json!(["tag:pay"])), 9, &["203.0.113.0/24"]),
    ];
    let devices = network["devices"].as_array_mut().expect("devices");
    devices.extend(others);
    let text = |posture: Value| {
        let postures = json!({"posture:new": ["node:tsVersion >= '1.60'"]});
        policy(json!({"grants": grants, "postures": postures, "defaultSrcPosture": posture}))
    };
    let (free, bound) = (text(json!([])), text(json!(["posture:new"])));
    for texts in [[&free, &bound], [&bound, &free]] {
        let found = summary(texts[0], texts[1], &network);
        assert!(!found.contains("### Undecided"), "{found}");
    }
}

/// The same company, and a person without a device.
fn with_newcomer() -> Value {
    let mut company = company();
    let newcomer = json!({"loginName": "new@example.com", "role": "member"});
    company["users"]
        .as_array_mut()
        .expect("a list")
        .push(newcomer);
    company
}

// docs/policy-language.md#sources: whatever device somebody gets, it has an address of each family.
#[test]
fn whoever_has_no_device_yet_keeps_what_every_address_has() {
    let to = ["tag:db:443"];
    let from = |sources: &[&str]| {
        let rule = json!({"action": "accept", "src": sources, "dst": to});
        policy(json!({"acls": [rule]}))
    };
    let before = from(&["*"]);
    for sets in [
        ["0.0.0.0/0", "::/0"],
        ["100.64.0.0/10", "fd7a:115c:a1e0::/48"],
    ] {
        for [before, after] in [[&before, &from(&sets)], [&from(&sets), &before]] {
            let summary = summary(before, after, &with_newcomer());
            assert!(!summary.contains("new@example.com"), "{summary}");
        }
    }
    let text = summary(&before, &from(&["0.0.0.0/0"]), &with_newcomer());
    let line = "- `new@example.com`, `tag:pay` no longer reach `tag:db` on `443` (only from `IPv6`) (nobody today: none of them has a device)";
    assert!(text.contains(line), "{text}");
}

#[test]
fn what_a_set_gains_none_of_its_devices_gains_that_had_it() {
    let from = |source: &str| policy(json!({"acls": [acl(source, &["tag:db:443"])]}));
    let kept = "(from all but `10.1.0.0/16, db-1, db-2, desk, exit, gw-1, mac, phone`)";
    for (before, after, verb) in [
        ("*", "0.0.0.0/0", "reaches"),
        ("0.0.0.0/0", "*", "no longer reaches"),
    ] {
        let text = summary(&from(before), &from(after), &company());
        let line = format!("- `0.0.0.0/0` {verb} `tag:db` on `443` {kept}");
        assert!(text.contains(&line), "{text}");
    }
}

// docs/policy-language.md#tags: admins may take every tag, and with `[]` they alone.
#[test]
fn whoever_becomes_an_admin_may_take_every_tag() {
    let text = policy(json!({"tagOwners": {"tag:db": [], "tag:pay": ["bob@example.com"]}}));
    let mut later = company();
    later["users"][1]["role"] = json!("admin");
    let now = reviewed(&text, &text, [&company(), &later]);
    let powers = |review: &Value, list: &str| -> Vec<Value> {
        let change = &review["powers"][0];
        assert_eq!(change["who"], "bob@example.com");
        let all = change[list].as_array().expect("a list").iter();
        all.map(|power| power["what"].clone()).collect()
    };
    // What the text gives by name stays as it is.
    assert_eq!(powers(&now, "gained"), ["tag:db"]);
    let back = reviewed(&text, &text, [&later, &company()]);
    assert_eq!(powers(&back, "lost"), ["tag:db"]);
}

// An unmet posture is no open port, and a rule is there all the same.
#[test]
fn of_a_login_whose_posture_is_not_met_only_its_own_port_is_closed() {
    let rule = json!({"src": ["bob@example.com"], "dst": ["tag:db"], "ip": ["22"], "srcPosture": ["posture:ok"]});
    let text = |ssh: Value| {
        policy(json!({
            "postures": {"posture:ok": ["custom:ok == 'y'"]}, "acls": null, "grants": [rule], "ssh": ssh,
        }))
    };
    let mut company = company();
    company["attributes"] = json!({"desk": {"custom:ok": "n"}});
    let logins = json!([ssh("bob@example.com", "tag:db", "root")]);
    let said = summary(&text(json!([])), &text(logins), &company);
    let line = "logs in to `tag:db` as `root` (no network rule opens port 22 for it)";
    assert!(said.contains(line), "{said}");
}

// The mac alone may send to the address, which is its own: that is no login, and from the phone no rule opens the port.
#[test]
fn nobody_logs_in_from_a_device_to_itself() {
    let rule = acl("ann@example.com", &["[fd7a:115c:a1e0::1]:22"]);
    let logins = json!([ssh(
        "autogroup:member",
        "autogroup:member",
        "autogroup:nonroot"
    )]);
    let text = policy(json!({"acls": [rule], "ssh": logins}));
    let mut company = company();
    company["devices"][0]["addresses"] = json!(["100.64.0.1", "fd7a:115c:a1e0::1"]);
    company["devices"][1]["addresses"] = json!(["100.64.0.2"]);
    let said = summary(&text, &policy(json!({})), &company);
    assert!(!said.contains("(only from `mac`)"), "{said}");
    let line = "`ann@example.com` no longer logs in to `ann@example.com`, `bob@example.com` as `autogroup:nonroot` (no network rule opens port 22 for it)";
    assert!(said.contains(line), "{said}");
}

#[test]
fn what_one_text_alone_opens_is_said_by_the_names_of_that_text() {
    let ipset = |own: &str| json!({"ipset:both": [own, "add fd7a:115c:a1e0::9"]});
    let before = policy(json!({
        "ipsets": ipset("100.64.0.9"), "acls": [acl("ipset:both", &["autogroup:internet:443"])],
    }));
    let after = policy(json!({
        "ipsets": ipset("10.9.0.0/16"), "acls": [acl("ipset:both", &["ann@example.com:22"])],
    }));
    for (before, after, [opened, closed]) in [
        (&before, &after, ["10.9.0.0/16", "100.64.0.9"]),
        (&after, &before, ["100.64.0.9", "10.9.0.0/16"]),
    ] {
        let said = summary(before, after, &json!({}));
        for line in [
            format!("- `ipset:both ({opened}, fd7a:115c:a1e0::9)` reaches "),
            format!("- `ipset:both ({closed}, fd7a:115c:a1e0::9)` no longer reaches "),
        ] {
            assert_eq!(said.matches(&line).count(), 1, "{said}");
        }
        assert!(!said.contains("only from"), "{said}");
    }
}

// Ann keeps it on bob, and on nobody else: of all pairs, one is left.
#[test]
fn of_a_capability_between_members_what_some_keep_on_some_is_not_lost() {
    let text = |src: Value, dst: Value| {
        let grant = json!({"src": src, "dst": dst, "app": {"example.com/cap/x": [{"role": "r"}]}});
        policy(json!({"acls": [], "grants": [grant]}))
    };
    let mut company = company();
    company["users"]
        .as_array_mut()
        .expect("users")
        .push(json!({"loginName": "eve@example.com", "role": "member"}));
    let member = || json!(["autogroup:member"]);
    let (all, one) = (
        text(member(), member()),
        text(json!(["ann@example.com"]), json!(["bob@example.com"])),
    );
    for (before, after, word) in [(&all, &one, "now"), (&one, &all, "before")] {
        let said = summary(before, after, &company);
        let what = "use the capability `example.com/cap/x` on";
        for part in [
            format!(
                "{what} `autogroup:member` with `[{{\"role\":\"r\"}}]` (`{word} only on bob@example.com`)"
            ),
            format!(
                "{what} `bob@example.com` with `[{{\"role\":\"r\"}}]` (`all but ann@example.com`)"
            ),
        ] {
            assert!(said.contains(&part), "{said}");
        }
    }
}

// docs/policy-language.md#ssh-rules: a login needs port 22. It is opened to those who have a posture, which the devices may or may not
// have, and of the login nothing was said.
#[test]
fn a_login_whose_port_opens_with_a_posture_is_said_to_be_undecided() {
    let text = |grants: Value| {
        policy(json!({
            "postures": {"posture:ok": ["custom:ok == 'y'"]}, "acls": null, "grants": grants,
            "ssh": [ssh("bob@example.com", "tag:db", "root")],
        }))
    };
    let with = text(json!([
        {"src": ["bob@example.com"], "dst": ["tag:db"], "ip": ["22"], "srcPosture": ["posture:ok"]}
    ]));
    let without = text(json!([]));
    for (before, after, words) in [
        (&without, &with, "may get through now"),
        (&with, &without, "may no longer get through"),
    ] {
        let said = summary(before, after, &company());
        let line = format!("- logins of `bob@example.com` to `tag:db` as `root` {words}: whether ");
        assert!(said.contains(&line), "{said}");
    }
}

// docs/policy-language.md#ssh-rules: rules with a check come first. Before, the posture of the check was asked of nobody; whoever has it
// needs a check as before.
#[test]
fn a_posture_that_keeps_a_check_is_not_said_to_have_been_needed() {
    let text = |check: &str| {
        let mut rules = [
            ssh("bob@example.com", "tag:db", "ops"),
            ssh("bob@example.com", "tag:db", "ops"),
        ];
        rules[0]["action"] = json!("check");
        rules[0]["srcPosture"] = json!([check]);
        rules[1]["srcPosture"] = json!(["posture:base"]);
        let postures =
            json!({"posture:base": ["custom:b == 'y'"], "posture:site": ["custom:s == 'y'"]});
        let port = acl("bob@example.com", &["tag:db:22"]);
        policy(json!({"postures": postures, "acls": [port], "ssh": rules}))
    };
    let (base, site) = (text("posture:base"), text("posture:site"));
    for (before, after, how) in [
        (&base, &site, ": no longer needs a check"),
        (
            &site,
            &base,
            " after a check with `posture:base`, but not with `posture:site`: now needs a check",
        ),
    ] {
        let mut company = company();
        company["attributes"] = Value::Null;
        let said = summary(before, after, &company);
        let line = "with `posture:base`, but not with `posture:site`";
        assert!(said.contains(line) && said.contains(how), "{said}");
        let wrong = said
            .lines()
            .find(|it| it.contains("not enough") && it.contains("check"));
        assert!(
            wrong.is_none_or(|it| it.contains("after a check with")),
            "{said}"
        );
    }
}

// The posture is the same; what is no longer so is that a session must be recorded.
#[test]
fn a_recorder_that_keeps_its_posture_has_no_other_conditions_of_it() {
    let text = |must: bool| {
        let mut rule = ssh("bob@example.com", "tag:db", "root");
        rule["recorder"] = json!(["tag:rec"]);
        rule["enforceRecorder"] = json!(must);
        policy(json!({
            "tagOwners": {"tag:db": [], "tag:rec": []}, "ssh": [rule],
            "postures": {"posture:ok": ["custom:ok == 'y'"]}, "defaultSrcPosture": ["posture:ok"],
        }))
    };
    for (before, after, word) in [
        (true, false, "now only without"),
        (false, true, "before only without"),
    ] {
        let mut company = company();
        company["attributes"] = Value::Null;
        let said = summary(&text(before), &text(after), &company);
        let words = format!("(`{word} enforceRecorder`)");
        assert!(said.contains(&words), "{said}");
    }
}

// docs/policy-language.md#ssh-rules: a destination that is a user takes that user alone as source. The port to one's own devices opens,
// and the login that a rule allows by the user's name was said by nobody.
#[test]
fn a_login_by_ones_own_name_gets_through_where_the_port_to_ones_own_devices_opens() {
    let text =
        |user: &str, acls: Value| policy(json!({"acls": acls, "ssh": [ssh(user, user, "ops")]}));
    let own = json!([acl("autogroup:member", &["autogroup:self:22"])]);
    for user in ["ann@example.com", "autogroup:member"] {
        let (shut, open) = (text(user, json!([])), text(user, own.clone()));
        for (before, after, words) in [
            (&shut, &open, "get through now that port 22 is open"),
            (&open, &shut, "no longer get through, as port 22 is closed"),
        ] {
            let said = summary(before, after, &company());
            let line =
                format!("- logins of `ann@example.com` to `autogroup:self` as `ops` {words}\n");
            assert!(said.contains(&line), "{said}");
        }
    }
}
