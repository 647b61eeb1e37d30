//! Of whom and of what a change is told: no more than is so, no part that goes without saying, and what decides it where it is undecided.
//! Must not live here: that a change is told at all (silence.rs), sentences of a company's review (untrue.rs, worded.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{AccessOptions, By, Judge, Policy, PolicyContext, diff_access};

use crate::silence::{assert_told, lines, reviewed};
use crate::summaries::{rules, with};

/// ann has a computer and a phone, one address each; of two databases one has no IPv6, and a gateway leads to 10.0.0.0/8.
fn context() -> Value {
    let device = |id: &str, owner: (&str, Value), addresses: &[&str], routes: &[&str]| {
        let mut device = json!({
            "id": id,
            "name": format!("{id}.example.ts.net"),
            "addresses": addresses,
            "advertisedRoutes": routes,
            "enabledRoutes": routes,
        });
        device[owner.0] = owner.1;
        device
    };
    let (ann, db) = (json!("ann@example.com"), json!(["tag:db"]));
    let gate = json!(["tag:gate"]);
    json!({"devices": [
        device("mac", ("user", ann.clone()), &["fd7a:115c:a1e0::1"], &[]),
        device("phone", ("user", ann), &["100.64.0.2"], &[]),
        device("db-1", ("tags", db.clone()), &["100.64.0.3", "fd7a:115c:a1e0::3"], &[]),
        device("db-2", ("tags", db), &["100.64.0.4"], &[]),
        device("gate", ("tags", gate), &["100.64.0.5"], &["10.0.0.0/8"]),
    ]})
}

fn policy(more: Value) -> String {
    let policy = json!({
        "tagOwners": {"tag:db": [], "tag:gate": [], "tag:other": []},
        "postures": {"posture:edr": ["custom:edr == 'on'"]},
        "acls": [],
    });
    with(policy, more)
}

fn acls(list: &[(&str, &str)]) -> String {
    policy(rules(list))
}

// docs/policy-language.md#via: whoever a grant with `via` covers loses the routes of other devices that overlap its destinations. It
// covers fewer where it asks for a posture, and whether ann is one of them depends on the members of the group.
#[test]
fn a_route_that_more_people_may_lose_by_via_is_undecided_for_them() {
    let grant = |postures: Value| {
        let grant = json!({"src": ["group:ops@example.com"], "dst": ["10.1.0.0/16"], "ip": ["22"], "via": ["tag:other"], "srcPosture": postures});
        let open =
            json!({"action": "accept", "src": ["ann@example.com"], "dst": ["10.2.0.0/16:443"]});
        policy(json!({"acls": [open], "grants": [grant]}))
    };
    let (before, after) = (grant(json!(["posture:edr"])), grant(json!([])));
    for texts in [[&before, &after], [&after, &before]] {
        let found = reviewed(texts[0], texts[1], [&context(), &context()]);
        let found = lines(&found);
        let is_about = |line: &&String| line.starts_with("phone ? 10.2.0.0/16 443");
        let line = found.iter().find(is_about).expect("the route");
        assert!(line.ends_with("needs groups"), "{line}");
    }
}

// Whoever is in the group uses the exit nodes with the tag; whoever is not uses any.
#[test]
fn an_exit_node_that_a_source_may_use_in_any_case_is_only_lost_or_only_gained() {
    let exit = |at: usize, tag: &str| {
        let mut device = context()["devices"][at].clone();
        device["user"] = json!("");
        device["tags"] = json!([tag]);
        device["advertisedRoutes"] = json!(["0.0.0.0/0", "::/0"]);
        device["enabledRoutes"] = json!(["0.0.0.0/0", "::/0"]);
        device
    };
    let context =
        json!({"devices": [context()["devices"][1], exit(2, "tag:db"), exit(4, "tag:gate")]});
    let through = |tag: &str| {
        policy(json!({
            "acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["8.8.8.8:53"]}],
            "grants": [{"src": ["group:ops@example.com"], "dst": ["autogroup:internet"], "ip": ["22"], "via": [tag]}],
        }))
    };
    let review = reviewed(
        &through("tag:db"),
        &through("tag:gate"),
        [&context, &context],
    );
    let changes = review["access"].as_array().expect("changes").iter();
    let own = changes.filter(|it| it["source"] == "ann@example.com");
    let undecided = own.flat_map(|it| it["undecided"].as_array().expect("a list"));
    let dns = undecided.filter(|it| it["destination"] == "8.8.8.8" && it["ports"][0] == "53");
    let found: Vec<[&Value; 3]> = dns
        .map(|it| [&it["part"]["to"][0], &it["may"], &it["needs"]])
        .collect();
    assert_eq!(
        json!(found),
        json!([
            ["through db-1", "lost", ["groups"]],
            ["through gate", "gained", ["groups"]],
        ])
    );
}

// A packet is of one family: ann's computer and phone have none in common.
#[test]
fn own_devices_without_a_common_family_gain_nothing_from_one_another() {
    let rules = acls(&[("ann@example.com", "autogroup:self:22")]);
    let context = context();
    let found = lines(&reviewed(&acls(&[]), &rules, [&context, &context]));
    let is_idle = |line: &String| line.contains(" today: ");
    assert!(!found.is_empty() && found.iter().all(is_idle), "{found:?}");
}

// A router has its own subnet without the network; another subnet is told by itself.
#[test]
fn what_a_router_forwards_to_itself_is_lost_by_nobody() {
    let router = |at: usize, address: u8, route: &str| {
        let mut device = context()["devices"][at].clone();
        device["addresses"] = json!([
            format!("100.64.0.{address}"),
            format!("fd7a:115c:a1e0::{address}")
        ]);
        device["advertisedRoutes"] = json!([route]);
        device["enabledRoutes"] = json!([route]);
        device
    };
    let context =
        json!({"devices": [router(4, 7, "203.0.113.128/25"), router(2, 8, "2001:db8:1::/48")]});
    let grant = |from: &[&str], to: &str, ip: &str| {
        policy(json!({"grants": [{"src": from, "dst": [to], "ip": [ip]}]}))
    };
    let before = grant(&["*"], "autogroup:internet", "udp:80-90");
    let after = grant(&[], "2001:db8:1::/48", "ipv6-icmp:*");
    let found = lines(&reviewed(&before, &after, [&context, &context]));
    let is_idle = |start: &str, end: &str| {
        let mut found = found.iter();
        let is_it = |line: &&String| line.starts_with(start) && line.contains(end);
        found.find(is_it).expect("a line").contains(" today: ")
    };
    let own = is_idle("tag:gate - autogroup:internet", " only 203.0.113.128/25");
    assert!(own, "{found:#?}");
    assert!(!is_idle("tag:gate - 2001:db8:1::/48", ""), "{found:#?}");
}

// Neither database gains what it has from itself.
#[test]
fn one_family_of_a_tag_is_called_so_though_one_device_has_no_other() {
    assert_told(
        &acls(&[]),
        &acls(&[("tag:db", "100.64.0.0/10:443")]),
        &json!({"devices": [context()["devices"][2], context()["devices"][3]]}),
        &["tag:db + tag:db 443 only IPv4"],
    );
}

// What may be lost was open by a rule of the old text.
#[test]
fn what_may_be_lost_is_told_with_the_rule_that_opened_it() {
    let rule = |posture: Value| {
        let other = json!({"action": "accept", "src": ["tag:gate"], "dst": ["tag:gate:22"]});
        let mut rule =
            json!({"action": "accept", "src": ["group:ops@example.com"], "dst": ["tag:db:443"]});
        let mut rules = vec![other];
        match posture {
            Value::Null => rules.clear(),
            posture => rule["srcPosture"] = posture,
        }
        rules.push(rule);
        policy(json!({"acls": rules}))
    };
    let context = context();
    let review = reviewed(
        &rule(Value::Null),
        &rule(json!(["posture:edr"])),
        [&context, &context],
    );
    let change = review["access"].as_array().expect("changes").iter();
    let undecided = change.filter(|it| it["source"] == "mac");
    let undecided: Vec<&Value> = undecided
        .flat_map(|it| it["undecided"].as_array().expect("a list"))
        .collect();
    let [one] = undecided[..] else {
        panic!("{review}");
    };
    assert_eq!(
        (&one["may"], &one["because"][0]["index"]),
        (&json!("lost"), &json!(0))
    );
}

// docs/policy-language.md#selectors: who is the owner is an admin.
#[test]
fn whoever_may_be_an_admin_gains_nothing_where_the_owner_keeps_it() {
    let context = json!({"devices": [context()["devices"][1], context()["devices"][4]]});
    let rules = |role: &str| acls(&[(&format!("autogroup:{role}"), "tag:gate:22")]);
    for (before, after, may) in [("admin", "owner", "lost"), ("owner", "admin", "gained")] {
        let review = reviewed(&rules(before), &rules(after), [&context, &context]);
        let changes = review["access"].as_array().expect("changes").iter();
        let mut own = changes.filter(|it| it["source"] == "ann@example.com");
        let undecided = own.next().expect("a change")["undecided"].as_array();
        let undecided = undecided.expect("a list").iter();
        let found: Vec<&Value> = undecided.map(|it| &it["may"]).collect();
        assert_eq!(found, [may]);
    }
}

// A packet to an IPv4 address comes from one.
#[test]
fn a_family_that_follows_from_the_destination_is_not_said() {
    assert_told(
        &acls(&[]),
        &acls(&[("*", "10.0.0.0/8:443")]),
        &json!({}),
        &[
            "tag:db + 10.0.0.0/8 443",
            "tag:gate + 10.0.0.0/8 443",
            "tag:other + 10.0.0.0/8 443",
            "* + 10.0.0.0/8 443",
        ],
    );
    // Where the destination has both, it does not follow.
    assert_told(
        &acls(&[]),
        &acls(&[("100.64.0.0/10", "tag:db:443")]),
        &json!({"devices": [context()["devices"][2], context()["devices"][3], context()["devices"][4]]}),
        &["tag:db + tag:db 443 from IPv4", "tag:gate + tag:db 443"],
    );
}

#[test]
fn everything_over_one_family_is_called_so_without_any_device() {
    assert_told(
        &acls(&[]),
        &acls(&[("tag:db", "::/0:443")]),
        &json!({"devices": []}),
        &["tag:db + * 443 only IPv6 today: no approved route leads there"],
    );
}

fn cells(text: &str) -> Value {
    let document = hujson::parse(text).expect("HuJSON");
    let policy = Policy::read(&document);
    let context = PolicyContext::default();
    let judge = Judge::new(&policy, &context);
    let options = AccessOptions::from(By::Name);
    json!(judge.access_since(None, &options).expect("a matrix"))
}

#[test]
fn a_cell_of_one_family_does_not_list_everybody() {
    let matrix = cells(&acls(&[("*", "::/0:443")]));
    let mut cells = matrix["cells"].as_array().expect("cells").iter();
    assert!(
        cells.len() > 0 && cells.all(|cell| cell["part"]["from"].is_null()),
        "{matrix}"
    );
}

// docs/policy-language.md#sources: `*` is every approved subnet route, too, of which a text has none.
#[test]
fn what_everybody_loses_is_told_where_a_rule_names_members_and_addresses_besides() {
    let void = |from: &str| json!({"action": "accept", "src": [from], "dst": []});
    let rules = |from: Value| {
        let rule = json!({"action": "accept", "src": from, "dst": ["10.1.2.0/24:22"]});
        policy(json!({"acls": [rule, void("autogroup:member"), void("100.64.0.0/10")]}))
    };
    let (before, after) = (rules(json!(["*"])), rules(json!([])));
    let found = lines(&reviewed(&before, &after, [&json!({}), &json!({})]));
    assert!(
        found.contains(&"* - 10.1.2.0/24 22 from subnets behind devices".to_owned()),
        "{found:#?}"
    );
}

// docs/policy-language.md#sources
#[test]
fn whoever_is_in_everybody_is_named_where_members_or_addresses_keep_what_the_others_lose() {
    let rules = |list: Value| {
        let rule = |from: &Value| json!({"action": "accept", "src": [from], "dst": ["tag:db:22"]});
        let list: Vec<Value> = list.as_array().expect("a list").iter().map(rule).collect();
        policy(json!({"acls": list}))
    };
    let lost = |before: Value, after: Value| {
        let found = reviewed(&rules(before), &rules(after), [&json!({}), &json!({})]);
        let mut lines = lines(&found).into_iter();
        lines.find(|line| line.starts_with("* - "))
    };
    let members = lost(json!(["*"]), json!(["autogroup:member"]));
    assert_eq!(
        members.as_deref(),
        Some("* - tag:db 22 from all but autogroup:member")
    );
    // Whoever else is in it is excepted as well.
    for (others, kept) in [
        (
            json!(["autogroup:member", "tag:gate"]),
            "autogroup:member, tag:gate",
        ),
        (
            json!(["autogroup:tagged", "autogroup:member"]),
            "autogroup:member, autogroup:tagged",
        ),
        (json!(["ann@example.com"]), "ann@example.com"),
    ] {
        assert_eq!(
            lost(json!(["*"]), others),
            Some(format!("* - tag:db 22 from all but {kept}"))
        );
    }
    let addresses = lost(
        json!(["*", "100.64.0.0/10"]),
        json!(["autogroup:member", "100.64.0.0/10"]),
    );
    assert_eq!(
        addresses.as_deref(),
        Some("* - tag:db 22 from fd7a:115c:a1e0::/48, subnets behind devices")
    );
}

/// Rules between 10.0.0.0/8 with one more address and others, beside one from 100.64.0.0/10 to nothing.
fn between_sets(address: &str, list: Value) -> String {
    let nothing = json!({"src": ["100.64.0.0/10"], "dst": [], "ip": ["9"]});
    let mut grants = vec![nothing];
    grants.extend(list.as_array().expect("a list").iter().cloned());
    policy(
        json!({"grants": grants, "ipsets": {"ipset:s": ["add 10.0.0.0/8", format!("add {address}")]}}),
    )
}

// Of 100.64.0.0/10 only the address of the set loses something, and no device has it.
#[test]
fn of_a_prefix_with_devices_the_address_that_loses_is_named() {
    let rules = |from: &[&str]| {
        between_sets(
            "100.64.0.9",
            json!([{"src": from, "dst": ["tag:db"], "ip": ["22"]}]),
        )
    };
    let (before, after) = (rules(&["ipset:s"]), rules(&["10.0.0.0/8"]));
    let found = lines(&reviewed(&before, &after, [&context(), &context()]));
    let own: Vec<_> = found
        .iter()
        .filter(|it| it.starts_with("100.64.0.0/10 "))
        .collect();
    let line =
        "100.64.0.0/10 - tag:db 22 from 100.64.0.9 today: no device has an address of 100.64.0.9";
    assert_eq!(own, [line], "{found:#?}");
}

#[test]
fn beside_a_set_that_loses_ports_its_device_that_gains_them_is_named() {
    let rule = |to: &str, postures: Value| json!({"src": ["ann@example.com"], "dst": [to], "ip": ["22"], "srcPosture": postures});
    let before = between_sets(
        "100.64.0.3",
        json!([rule("ipset:s", json!(["posture:edr"]))]),
    );
    let after = between_sets("100.64.0.3", json!([rule("100.64.0.3", json!([]))]));
    assert_told(
        &before,
        &after,
        &context(),
        &[
            "phone + db-1 22 unless posture:edr",
            "phone - ipset:s 22 only all but db-1 with posture:edr",
        ],
    );
}

// What a router loses of its own subnet nobody loses, whichever device of the set it keeps.
#[test]
fn a_router_loses_nothing_of_a_set_that_only_it_forwards() {
    let rule = |to: &[&str]| json!([{"src": ["tag:gate"], "dst": to, "ip": ["22"]}]);
    let before = between_sets("100.64.0.3", rule(&["ipset:s", "100.64.0.3"]));
    let after = between_sets("100.64.0.3", rule(&["100.64.0.3"]));
    let line = "tag:gate - ipset:s 22 only all but db-1 today: only the device itself forwards it";
    assert_told(&before, &after, &context(), &[line]);
}

// Everybody had it through the other router.
#[test]
fn what_another_router_forwards_is_not_newly_open_to_everybody() {
    let mut context = context();
    for (at, tag) in [(2, "tag:db"), (3, "tag:other")] {
        let device = &mut context["devices"][at];
        device["tags"] = json!([tag]);
        device["advertisedRoutes"] = json!(["10.0.0.0/8"]);
        device["enabledRoutes"] = json!(["10.0.0.0/8"]);
    }
    let through = |tags: &[&str], ip: &str, postures: Value| {
        let grant = json!({"src": ["autogroup:member"], "dst": ["10.1.0.0/16"], "ip": [ip], "via": tags, "srcPosture": postures});
        policy(json!({"grants": [grant]}))
    };
    let exposed = |before: &str, after: &str| {
        reviewed(before, after, [&context, &context])["exposed"]
            .as_array()
            .map_or(0, Vec::len)
    };
    let before = through(&["tag:db"], "22", json!([]));
    assert_eq!(
        exposed(&before, &through(&["tag:other"], "22", json!([]))),
        0
    );
    assert_eq!(
        exposed(&before, &through(&["tag:db", "tag:other"], "22", json!([]))),
        0
    );
    assert_ne!(
        exposed(&before, &through(&["tag:other"], "80", json!([]))),
        0
    );
    let limited = through(&["tag:db"], "22", json!(["posture:edr"]));
    assert_ne!(
        exposed(&limited, &through(&["tag:other"], "22", json!([]))),
        0
    );
}

// The cell of an alias of a device is about that device.
#[test]
fn a_cell_of_an_alias_says_no_device_that_is_all_of_it() {
    let texts = [
        acls(&[]),
        policy(json!({"hosts": {"box": "100.64.0.2"}, "acls": null})),
    ];
    let documents = texts
        .each_ref()
        .map(|text| hujson::parse(text).expect("HuJSON"));
    let policies = documents.each_ref().map(Policy::read);
    let context = PolicyContext::read(&context().to_string()).expect("a context");
    let [base, judge] = policies
        .each_ref()
        .map(|policy| Judge::new(policy, &context));
    let options = AccessOptions::from(By::Name);
    let matrix = json!(judge.access_since(Some(&base), &options).expect("a matrix"));
    let place = matrix["destinations"]
        .as_array()
        .expect("names")
        .iter()
        .position(|name| name == "box");
    let mut changes = matrix["changes"].as_array().expect("changes").iter();
    let box_gains = changes.find(|it| it["destination"].as_u64().map(|at| at as usize) == place);
    let gained = &box_gains.expect("a cell of the alias")["gained"];
    assert_eq!(gained[0]["part"]["to"], Value::Null, "{gained}");
}

#[test]
fn one_address_is_no_range() {
    let text = cells(&acls(&[("tag:db", "100.64.0.5:443")])).to_string();
    assert!(
        text.contains("who has an address of 100.64.0.5 is not known"),
        "{text}"
    );
}

// docs/headscale-language.md: a token names the user whose name or mail address it is.
#[test]
fn the_members_of_a_group_by_name_are_no_change_though_nobody_has_a_device() {
    let text = |to: Value| {
        json!({
            "groups": {"group:eng": ["ann@", "bob@example.com"]},
            "acls": [{"action": "accept", "src": ["ann@"], "dst": ["autogroup:self:22"]}],
            "grants": [{"src": ["autogroup:member"], "dst": to, "ip": ["*"]}],
        })
        .to_string()
    };
    let members = text(json!(["ann@", "bob@example.com"]));
    let texts = [text(json!(["group:eng"])), members];
    let context = json!({"dialect": "headscale", "devices": [], "users": [
        {"loginName": "ann", "id": "1"},
        {"loginName": "bob", "id": "2", "email": "bob@example.com"},
    ]});
    let context = PolicyContext::read(&context.to_string()).expect("a context");
    let documents = texts
        .each_ref()
        .map(|text| hujson::parse(text).expect("HuJSON"));
    let dialect = context.dialect.expect("a dialect");
    let [before, after] = documents
        .each_ref()
        .map(|document| Policy::read_as(document, dialect));
    assert_eq!(json!(diff_access(&before, &after, &context)), json!([]));
}

/// What is undecided reads the same both ways, each once.
fn assert_undecided_alike(before: &str, after: &str, context: &Value) {
    let [there, back] = [[before, after], [after, before]].map(|[one, other]| {
        let mut found = lines(&reviewed(one, other, [context, context]));
        found.retain(|line| line.contains(" ? "));
        found
    });
    assert_eq!(there, back);
    for (at, line) in there.iter().enumerate() {
        assert!(!there[..at].contains(line), "{line}");
    }
}

// A part of it may have more rules in one of the texts.
#[test]
fn what_several_rules_leave_undecided_reads_the_same_both_ways() {
    let gre = json!({"action": "accept", "proto": "gre", "src": ["tag:db"], "dst": ["ann@example.com:*"], "srcPosture": ["posture:edr"]});
    let more = json!({"action": "accept", "src": ["fd7a:115c:a1e0::/126"], "dst": ["ann@example.com:1-65535"], "srcPosture": ["posture:edr"]});
    let before = policy(json!({"acls": [gre]}));
    let set = json!({"posture:edr": ["custom:tier IS SET"]});
    let after = policy(json!({"acls": [more, gre], "postures": set}));
    let db = context()["devices"][2].clone();
    assert_undecided_alike(&before, &after, &json!({"devices": [db]}));
}

#[test]
fn what_may_be_lost_by_one_rule_and_is_undecided_by_another_is_said_once() {
    let before = json!({"grants": [{"src": ["group:eng@example.com"], "dst": ["autogroup:auditor"], "ip": ["443"]}]});
    let own = |from: &str, to: &str, proto: &str| json!({"action": "accept", "proto": proto, "src": [from], "dst": [to]});
    let after = json!({
        "postures": {"posture:fresh": []},
        "defaultSrcPosture": ["posture:fresh"],
        "acls": [
            own("*", "group:eng@example.com:85-443", "17"),
            own("group:eng@example.com", "autogroup:self:85-443", ""),
        ],
        "grants": [{"src": ["group:ops@example.com"], "dst": [], "ip": ["17:80-90"]}],
    });
    assert_undecided_alike(
        &before.to_string(),
        &after.to_string(),
        &json!({"devices": []}),
    );
}

// Of two devices of ann without a common family, each reaches of ann itself alone.
#[test]
fn the_only_device_of_a_family_gains_nothing_from_its_user() {
    let devices = &context()["devices"];
    let context = json!({"devices": [devices[0], devices[1]]});
    let before = acls(&[("*", "ann@example.com:443")]);
    let after = acls(&[("*", "ann@example.com:443,80")]);
    let found = reviewed(&before, &after, [&context, &context]);
    let told = lines(&found);
    assert!(
        told.iter().all(|line| line.contains("today: ")),
        "{told:#?}"
    );
    assert_eq!(found["unchanged"], false);
}

// Whether an unknown member may use another router hangs on the same people, by a group's name or by their own.
#[test]
fn a_group_of_a_rule_with_via_is_the_same_as_its_members() {
    let text = |from: Value| {
        let open = json!({"action": "accept", "src": ["autogroup:danger-all"], "dst": ["autogroup:internet:22"], "srcPosture": ["posture:edr"]});
        let synced = json!({"src": ["group:eng@example.com"], "dst": [], "ip": ["9"]});
        let steered = json!({"src": from, "dst": ["autogroup:internet"], "ip": ["gre:*"], "via": ["tag:other"]});
        let two = json!({"group:two": ["bob@example.com", "cyd@example.com"]});
        policy(json!({"groups": two, "acls": [open], "grants": [synced, steered]}))
    };
    let routes = json!(["2001:db8:1:2::/64"]);
    let router = json!({"id": "router", "advertisedRoutes": routes, "enabledRoutes": routes});
    let context = json!({"devices": [router]});
    let before = text(json!(["group:two"]));
    let after = text(json!(["bob@example.com", "cyd@example.com"]));
    let found = reviewed(&before, &after, [&context, &context]);
    assert_eq!(lines(&found), Vec::<String>::new());
}
