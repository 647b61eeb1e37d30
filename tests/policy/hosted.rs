//! Sentences of a review that were untrue of a hosting firm: subnets among the addresses of devices, synced groups that nobody fills, what
//! nobody can use yet. Must not live here: words that are true and say it badly (worded.rs).

use serde_json::{Value, json};

use crate::prove::proof;
use crate::worded::{device, told};

/// A site behind a router, by 4via6.
const SITE: &str = "fd7a:115c:a1e0:b1a:0:7:a3c:0/112";

fn context() -> Value {
    let mac = device("mac", ("user", json!("ann@example.com")), 1, &[]);
    let shop = device("shop", ("tags", json!(["tag:shop"])), 2, &[]);
    let router = device("gate", ("tags", json!(["tag:router"])), 3, &[SITE]);
    json!({"devices": [mac, shop, router], "groups": {}})
}

fn policy(more: Value) -> String {
    let mut policy = json!({
        "tagOwners": {"tag:shop": [], "tag:router": [], "tag:new": []},
        "acls": [],
    });
    for (key, value) in more.as_object().expect("an object") {
        policy[key] = value.clone();
    }
    policy.to_string()
}

fn acl(from: &str, to: &str) -> String {
    policy(json!({"acls": [{"action": "accept", "src": [from], "dst": [to]}]}))
}

// docs/policy-language.md#where-a-packet-ends: an approved route leads to addresses that no device has, also among those that devices have.
#[test]
fn what_a_site_behind_a_router_gains_by_all_addresses_of_devices_is_told() {
    let rule = |from: &str| json!({"action": "accept", "src": [from], "dst": ["tag:shop:443"]});
    let known = rule("10.9.0.0/16");
    for wide in ["fd7a:115c:a1e0::/48", "*"] {
        let [before, after] =
            [json!([known]), json!([known, rule(wide)])].map(|acls| policy(json!({"acls": acls})));
        let changed = told(&before, &after, &context())["access"].to_string();
        assert!(changed.contains("a1e0:b1a:"), "{wide}: {changed}");
    }
    let changed = told(
        &policy(json!({})),
        &acl("tag:shop", "fd7a:115c:a1e0::/48:443"),
        &context(),
    );
    let changed = changed["access"].to_string();
    assert!(changed.contains("a1e0:b1a:"), "{changed}");
}

// A context that lists the synced groups lists all of them: nobody is in another.
#[test]
fn nobody_is_in_a_group_that_a_context_with_groups_does_not_have() {
    let grant = |groups: Value| {
        policy(json!({"groups": groups, "grants": [{
            "src": ["group:eng@example.com"],
            "dst": ["tag:shop"],
            "app": {"example.com/cap/shop": [{"role": "admin"}]},
        }]}))
    };
    let before = grant(json!({"group:eng@example.com": ["ann@example.com"]}));
    let changed = told(&before, &grant(json!({})), &context());
    let powers = changed["powers"].as_array().expect("a list");
    let found: Vec<[&Value; 3]> = powers
        .iter()
        .map(|it| [&it["party"]["name"], &it["gained"], &it["undecided"]])
        .collect();
    assert_eq!(json!(found), json!([["ann@example.com", [], []]]));
    assert_eq!(powers[0]["lost"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_is_open_to_many_and_nobody_can_use_is_told_with_that_fact() {
    for (after, why) in [
        (acl("*", "tag:new:443"), "no device has tag:new"),
        (
            acl("autogroup:shared", "tag:new:443"),
            "no device has tag:new",
        ),
    ] {
        let review = told(&policy(json!({})), &after, &context());
        let exposed = review["exposed"].as_array().expect("a list");
        assert!(!exposed.is_empty() && exposed.iter().all(|it| it["today"] == why));
        let text = review["summary"].as_str().expect("a text");
        let lines: Vec<&str> = text
            .lines()
            .skip_while(|line| !line.contains("Open to many"))
            .collect();
        assert!(lines[1].contains(why), "{text}");
    }
    let review = told(&policy(json!({})), &acl("*", "tag:shop:443"), &context());
    assert!(review["exposed"][0].is_object() && review["exposed"][0]["today"].is_null());
}

// A rule for those with a posture, beside one for an exit node with a tag: either is enough, and only both together where a rule has both.
#[test]
fn conditions_of_which_one_is_enough_are_told_apart_from_those_that_all_must_hold() {
    let to_internet = |via: Value, postures: Value| json!({"src": ["ann@example.com"], "dst": ["autogroup:internet"], "ip": ["443"], "via": via, "srcPosture": postures});
    let postures = json!({"posture:edr": ["custom:edr == 'on'"]});
    let text = |grants: Value| policy(json!({"grants": grants, "postures": postures}));
    let [tag, edr, none] = [json!(["tag:new"]), json!(["posture:edr"]), json!([])];
    let (free, via) = (
        to_internet(none.clone(), none.clone()),
        to_internet(tag.clone(), none.clone()),
    );
    let (bound, both) = (to_internet(none, edr.clone()), to_internet(tag, edr));
    let either = json!({"postures": ["posture:edr"], "via": ["tag:new"]});
    for (before, after, unless, line) in [
        (
            json!([bound, via]),
            json!([free]),
            either.clone(),
            "on `443`, before only with `posture:edr` or through `tag:new`",
        ),
        (
            json!([free]),
            json!([bound, via]),
            either,
            "on `443` now only with `posture:edr` or through `tag:new`",
        ),
        (
            json!([both]),
            json!([via]),
            json!({"both": [{"postures": ["posture:edr"], "via": ["tag:new"]}]}),
            "on `443` through `tag:new`, before only with `posture:edr` through `tag:new`",
        ),
        (
            json!([via]),
            json!([both]),
            json!({"both": [{"postures": ["posture:edr"], "via": ["tag:new"]}]}),
            "on `443` now only with `posture:edr` through `tag:new`, before through `tag:new`",
        ),
    ] {
        let review = told(&text(before), &text(after), &json!({}));
        let summary = review["summary"].as_str().expect("a text");
        assert!(summary.contains(line), "{line}\n{summary}");
        let change = &review["access"][0];
        let reach = ["gained", "lost"].map(|list| &change[list][0]);
        let reach = reach
            .into_iter()
            .find(|it| it.is_object())
            .expect("a change");
        assert_eq!(reach["opens"][0]["unless"], unless, "{summary}");
    }
}

// ann is named by the earlier text alone, and is a member all the same: the rule for one's own devices opens port 22.
#[test]
fn the_network_is_asked_about_a_user_whom_only_the_other_text_names() {
    let text = |members: Value| {
        policy(json!({
            "groups": {"group:help": members},
            "acls": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:*"]}],
            "ssh": [
                {"action": "accept", "src": ["group:help"], "dst": ["tag:shop"], "users": ["localpart:*@example.com"], "acceptEnv": ["LANG"]},
                {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["autogroup:nonroot"]},
            ],
        }))
    };
    let texts = [text(json!(["ann@example.com"])), text(json!([]))];
    for [before, after] in [[&texts[0], &texts[1]], [&texts[1], &texts[0]]] {
        let review = told(before, after, &json!({}));
        let checked = &review["ssh"][0]["checked"][0];
        assert_eq!(checked["destination"], "autogroup:self", "{review}");
        assert_eq!(checked["network"], true, "{review}");
    }
}

// Whoever has the posture uses the connector, whoever has not the exit node: with devices that report it, no other way is lost.
#[test]
fn what_a_device_would_have_by_another_way_without_its_posture_is_not_said_of_it_with_its_posture()
{
    let tagged = |id: &str, at: u8, routes: &[&str]| {
        device(id, ("tags", json!([format!("tag:{id}")])), at, routes)
    };
    let context = json!({
        "devices": [
            device("mac", ("user", json!("ann@example.com")), 1, &[]),
            tagged("router", 2, &["203.0.113.0/24"]),
            tagged("shop", 3, &["0.0.0.0/0"]),
            tagged("new", 4, &["0.0.0.0/0"]),
        ],
        "attributes": {"mac": {"custom:edr": "on"}},
    });
    let text = |postures: Value| {
        let all = json!({"action": "accept", "src": ["ann@example.com"], "dst": ["*:*"], "srcPosture": postures});
        let out = json!({"src": ["autogroup:member"], "dst": ["autogroup:internet"], "ip": ["*"], "via": ["tag:new"]});
        let postures = json!({"posture:edr": ["custom:edr == 'on'"]});
        policy(json!({"acls": [all], "grants": [out], "postures": postures}))
    };
    let texts = [text(json!(["posture:edr"])), text(json!([]))];
    for [before, after] in [[&texts[0], &texts[1]], [&texts[1], &texts[0]]] {
        let review = told(before, after, &context);
        let summary = review["summary"].as_str().expect("a text");
        assert!(
            summary.contains("no other difference for what devices report today"),
            "{summary}"
        );
        assert!(!summary.contains("does not meet the posture"), "{summary}");
    }
}

// docs/policy-language.md#assertions: an assertion about nothing protects nothing. No packet goes from an IPv4 address to an IPv6 one.
#[test]
fn what_no_packet_can_do_is_not_always_so() {
    let text = acl("*", "*:*");
    let holds = |to: &str| {
        let claims = json!([{"always": {"from": "100.64.0.1", "to": to, "ports": "443"}}]);
        let found = proof(&text, &claims.to_string(), &context(), &[]).expect("a proof");
        found["results"][0]["holds"].clone()
    };
    assert_eq!([holds("100.64.0.2"), holds(SITE)], [true, false]);
}

// docs/policy-language.md#ssh-rules: one's own devices get the rule with the own name, too, as soon as one of its destinations has a device.
#[test]
fn one_more_destination_of_logins_under_the_own_name_treats_none_otherwise() {
    let text = |to: Value| {
        let own = json!(["localpart:*@example.com"]);
        policy(json!({"acls": null, "ssh": [
            {"action": "accept", "src": ["ann@example.com"], "dst": to, "users": own, "acceptEnv": ["LANG"]},
            {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["autogroup:nonroot"]},
        ]}))
    };
    let [one, both] = [json!(["tag:shop"]), json!(["tag:shop", "tag:new"])].map(text);
    for [before, after] in [[&one, &both], [&both, &one]] {
        let review = told(before, after, &json!({}));
        let changes = review["ssh"].as_array().expect("a list");
        assert_eq!(changes.len(), 1, "{review}");
        assert_eq!(changes[0]["checked"], json!([]), "{review}");
    }
}

// docs/policy-language.md#via: `gw` keeps its route for whoever a rule without `via` to all of it is about. Whether ann is an auditor is not
// known: by which router she sends is undecided, and what both let pass is not.
#[test]
fn a_router_that_somebody_may_use_perhaps_is_gained_and_lost_perhaps() {
    let tagged = |id: &str, at: u8, route: &str| {
        device(id, ("tags", json!([format!("tag:{id}")])), at, &[route])
    };
    let ann = json!("ann@example.com");
    let context = json!({"devices": [
        device("mac", ("user", ann.clone()), 1, &[]),
        tagged("router", 2, "10.60.0.0/16"),
        tagged("shop", 3, "10.60.9.0/24"),
    ]});
    let text = |to: &str, more: Value| {
        let vnc =
            json!({"src": [ann], "dst": ["10.60.0.0/16"], "ip": ["5900"], "via": ["tag:router"]});
        let acl = |from: &str, to: &str| json!({"action": "accept", "src": [from], "dst": [to]});
        let acls = json!([acl("autogroup:auditor", to), more]);
        policy(json!({"acls": acls, "grants": [vnc]}))
    };
    let open = json!({"action": "accept", "src": [ann], "dst": ["10.60.9.10:22"]});
    let [half, all] = ["10.60.9.0/25:443", "10.60.9.0/24:443"].map(|to| text(to, open.clone()));
    let own = |review: &Value, list: &str| -> Vec<String> {
        let changes = review["access"].as_array().expect("a list").iter();
        let own = changes.filter(|it| it["source"] == ann);
        let all = own.flat_map(|it| it[list].as_array().expect("a list").clone());
        all.filter(|it| it["ports"] == json!(["22"]))
            .map(|it| it["part"]["to"].to_string())
            .collect()
    };
    for [before, after] in [[&half, &all], [&all, &half]] {
        let review = told(before, after, &context);
        let found = ["gained", "lost", "undecided"].map(|list| own(&review, list));
        let through = vec!["[\"through shop\"]".to_owned()];
        assert_eq!(found, [vec![], vec![], through], "{}", review["summary"]);
    }
    let closed = text(
        "10.60.9.0/24:443",
        json!({"action": "accept", "src": [], "dst": []}),
    );
    let review = told(&all, &closed, &context);
    let found = ["lost", "undecided"].map(|list| own(&review, list));
    assert_eq!(
        found,
        [vec!["null".to_owned()], vec![]],
        "{}",
        review["summary"]
    );
}

// docs/policy-language.md#via: whoever has the posture sends to the prefix by `shop`, which the grant does not go through. Whether ann has it
// is not known; without the rule that needs it she sends by the exit node in any case.
#[test]
fn what_a_router_lets_pass_that_somebody_used_perhaps_is_undecided() {
    let tagged = |id: &str, at: u8, route: &str| {
        device(id, ("tags", json!([format!("tag:{id}")])), at, &[route])
    };
    let ann = json!("ann@example.com");
    let context = json!({"devices": [
        device("mac", ("user", ann.clone()), 1, &[]),
        tagged("router", 2, "::/0"),
        tagged("shop", 3, "2001:db8:1::/48"),
    ]});
    let text = |rules: Value| {
        let out = json!({"src": [ann], "dst": ["autogroup:internet"], "ip": ["443"], "via": ["tag:router"]});
        policy(json!({
            "postures": {"posture:edr": ["custom:edr == 'on'"]},
            "acls": rules,
            "grants": [out],
        }))
    };
    let bound =
        json!({"action": "accept", "src": [ann], "dst": ["*:80"], "srcPosture": ["posture:edr"]});
    let (with, without) = (text(json!([bound])), text(json!([])));
    for (before, after, words) in [(&with, &without, "may gain"), (&without, &with, "may lose")] {
        let review = told(before, after, &context);
        let changes = review["access"].as_array().expect("a list").iter();
        let own = changes.filter(|it| it["source"] == ann);
        let open = own.flat_map(|it| it["undecided"].as_array().expect("a list").clone());
        let found: Vec<Value> = open.filter(|it| it["ports"] == json!(["443"])).collect();
        let at: Vec<[&Value; 2]> = found
            .iter()
            .map(|it| [&it["destination"], &it["part"]["to"]])
            .collect();
        let expected = [&json!("2001:db8:1::/48"), &json!(["through router"])];
        let summary = review["summary"].as_str().expect("a text");
        assert_eq!(at, [expected], "{summary}");
        let line = format!("`ann@example.com` {words} `2001:db8:1::/48` on `443`");
        assert!(summary.contains(&line), "{summary}");
    }
}

// docs/policy-language.md#via: `*` sends all of the group by the exit nodes with the tag, whoever of its members are of the domain.
#[test]
fn a_grant_with_via_in_two_parts_is_the_same_grant_for_a_group_of_unknown_members() {
    let exit = device("exit", ("tags", json!(["tag:shop"])), 1, &["0.0.0.0/0"]);
    let context = json!({"devices": [exit]});
    let out = |from: &[&str]| json!({"src": from, "dst": ["autogroup:internet"], "ip": ["443"], "via": ["tag:router"]});
    let text = |grants: &[Value]| {
        let synced = json!({"src": ["group:ops@example.com"], "dst": ["tag:shop"], "ip": ["22"]});
        let grants = [grants, &[synced]].concat();
        policy(json!({
            "groups": {"group:art": ["ann@example.com"]},
            "acls": [{"action": "accept", "src": ["group:art"], "dst": ["autogroup:internet:*"]}],
            "grants": grants,
        }))
    };
    let one = text(&[out(&["user:*@example.com", "*"])]);
    let two = text(&[out(&["user:*@example.com"]), out(&["*"])]);
    for (before, after) in [(&one, &two), (&two, &one)] {
        let review = told(before, after, &context);
        assert_eq!(review["unchanged"], true, "{}", review["summary"]);
    }
}

// docs/policy-language.md#where-a-packet-ends: which of two routers forwards is not known, and one of them lets nothing of it pass. Without
// the rule for all routers the grant leads by the other alone.
#[test]
fn what_one_of_two_routers_lets_pass_is_gained_perhaps_where_it_alone_forwards_now() {
    let range = "10.1.0.0/16";
    let tagged =
        |id: &str, at: u8| device(id, ("tags", json!([format!("tag:{id}")])), at, &[range]);
    let ann = json!("ann@example.com");
    let mac = device("mac", ("user", ann.clone()), 1, &[]);
    let context = json!({"devices": [mac, tagged("router", 2), tagged("shop", 3)]});
    let text = |rules: Value| {
        let out = json!({"src": [ann], "dst": [range], "ip": ["443"], "via": ["tag:router"]});
        policy(json!({"acls": rules, "grants": [out]}))
    };
    let rule = json!({"action": "accept", "src": [ann], "dst": ["10.1.0.0/16:80"]});
    let (with, without) = (text(json!([rule])), text(json!([])));
    for (before, after, words) in [(&with, &without, "may gain"), (&without, &with, "may lose")] {
        let review = told(before, after, &context);
        let summary = review["summary"].as_str().expect("a text");
        let line = format!("`ann@example.com` {words} `{range}` on `443` forwarded by `router`");
        assert!(summary.contains(&line), "{summary}");
    }
}
