//! Differences of access and logins that were once told otherwise than they are; each was found by a network completed at random
//! (tests/policy_laws/relation). Must not live here: summaries (review/), powers (powers/differences.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    Flow, Judge, Policy, PolicyContext, Subject, diff_access_between, diff_ssh_between,
};

fn read(context: &Value) -> PolicyContext {
    PolicyContext::read(&context.to_string()).expect("a context")
}

/// Who gains (`+`), loses (`-`), does either (`?`) or is treated otherwise (`~`), where, what, and on which conditions.
fn differences(before: &Value, after: &Value, contexts: [&Value; 2]) -> Vec<String> {
    let texts = [before, after].map(Value::to_string);
    let documents = texts
        .each_ref()
        .map(|text| hujson::parse(text).expect("HuJSON"));
    let [old, new] = documents.each_ref().map(Policy::read);
    let [before, after] = contexts.map(read);
    let judges = [&Judge::new(&old, &before), &Judge::new(&new, &after)];
    let mut lines = Vec::new();
    for answer in [
        json!(diff_access_between(judges)),
        json!(diff_ssh_between(judges)),
    ] {
        for change in answer.as_array().expect("changes") {
            for (list, sign) in [
                ("gained", "+"),
                ("lost", "-"),
                ("undecided", "?"),
                ("checked", "~"),
            ] {
                for reach in change[list].as_array().into_iter().flatten() {
                    lines.push(line(&change["source"], sign, reach));
                }
            }
        }
    }
    lines
}

fn line(source: &Value, sign: &str, reach: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut line = format!("{} {sign} {}", text(source), text(&reach["destination"]));
    let opening = reach.get("opens").map_or(reach, |opens| &opens[0]);
    for word in [&reach["action"], &reach["now"], &reach["checkPeriod"]] {
        if let Some(word) = word.as_str() {
            line += &format!(" {word}");
        }
    }
    for (word, list) in [
        (" ", &reach["ports"]),
        (" as ", &reach["users"]),
        (" from ", &reach["part"]["from"]),
        (" only ", &reach["part"]["to"]),
        (" with ", &opening["postures"]),
        (" unless ", &opening["unless"]["postures"]),
    ] {
        if let Some(list) = list.as_array() {
            let list: Vec<String> = list.iter().map(text).collect();
            line += &format!("{word}{}", list.join(" "));
        }
    }
    for (word, value) in [(": ", &reach["why"]), (" today: ", &reach["today"])] {
        if let Some(value) = value.as_str() {
            line += &format!("{word}{value}");
        }
    }
    line
}

#[track_caller]
fn assert_told(before: Value, after: Value, context: Value, expected: &[&str]) {
    assert_eq!(differences(&before, &after, [&context, &context]), expected);
}

fn devices() -> Value {
    json!({"devices": [
        {"id": "1", "name": "pc.ts.net", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "2", "name": "web.ts.net", "tags": ["tag:web"], "addresses": ["100.64.0.2"]},
    ]})
}

fn logins(rules: Value, postures: Value) -> Value {
    json!({"tagOwners": {"tag:web": []}, "acls": [], "postures": postures, "ssh": rules})
}

fn login(action: &str, users: &[&str]) -> Value {
    json!({"action": action, "src": ["ann@example.com"], "dst": ["tag:web"], "users": users})
}

fn with(mut rule: Value, key: &str, value: Value) -> Value {
    rule[key] = value;
    rule
}

#[test]
fn a_login_with_a_check_is_told_beside_one_without() {
    let both = json!([login("check", &["deploy"]), login("accept", &["root"])]);
    assert_told(
        logins(both, json!({})),
        logins(json!([]), json!({})),
        devices(),
        &[
            "ann@example.com - tag:web check as deploy",
            "ann@example.com - tag:web accept as root",
        ],
    );
}

// What both allow, one of them with a check, is neither gained nor lost, whatever posture either asks for.
#[test]
fn a_check_that_ends_or_begins_on_a_condition_is_told_on_it() {
    let postures = json!({"posture:p": ["custom:edr == true"]});
    let checked = logins(json!([login("check", &["deploy"])]), postures.clone());
    let free = with(
        login("accept", &["autogroup:nonroot"]),
        "srcPosture",
        json!(["posture:p"]),
    );
    let free = logins(json!([free]), postures.clone());
    assert_told(
        checked.clone(),
        free.clone(),
        devices(),
        &[
            "ann@example.com + tag:web accept as autogroup:nonroot but deploy with posture:p",
            "ann@example.com - tag:web check as deploy unless posture:p",
            "ann@example.com ~ tag:web accept looser as deploy with posture:p",
        ],
    );
    assert_told(
        free,
        checked,
        devices(),
        &[
            "ann@example.com + tag:web check as deploy unless posture:p",
            "ann@example.com - tag:web accept as autogroup:nonroot but deploy with posture:p",
            "ann@example.com ~ tag:web check tighter as deploy with posture:p",
        ],
    );
    let accepted = login("accept", &["deploy"]);
    let besides = with(
        login("check", &["deploy"]),
        "srcPosture",
        json!(["posture:p"]),
    );
    assert_told(
        logins(json!([accepted]), postures.clone()),
        logins(json!([accepted, besides]), postures),
        devices(),
        &["ann@example.com ~ tag:web check tighter as deploy with posture:p"],
    );
}

// Conditions in another order are the same condition: what else changes under it is told, and nothing more.
#[test]
fn a_period_is_told_though_the_conditions_of_its_posture_have_another_order() {
    let rule = |period: &str| {
        let rule = with(
            login("check", &["deploy"]),
            "srcPosture",
            json!(["posture:p"]),
        );
        json!([with(rule, "checkPeriod", json!(period))])
    };
    let conditions = json!(["custom:edr == true", "node:os IN ['linux', 'macos']"]);
    let reversed = json!(["node:os IN ['macos', 'linux']", "custom:edr == true"]);
    let before = logins(rule("1h"), json!({"posture:p": conditions}));
    let told = ["ann@example.com ~ tag:web check looser 20h as deploy with posture:p"];
    for postures in [conditions.clone(), reversed.clone()] {
        let after = logins(rule("20h"), json!({"posture:p": postures}));
        assert_told(before.clone(), after, devices(), &told);
    }
    let after = logins(rule("1h"), json!({"posture:p": reversed}));
    assert_told(before, after, devices(), &[]);
}

// A period is a time, however it is written; without one it is twelve hours.
#[test]
fn a_period_in_other_words_is_no_change() {
    let rule = |period: &str| {
        let rule = with(login("check", &["deploy"]), "checkPeriod", json!(period));
        logins(json!([rule]), json!({}))
    };
    let default = logins(json!([login("check", &["deploy"])]), json!({}));
    for (before, after) in [(default, rule("12h")), (rule("1h"), rule("60m"))] {
        assert_told(before, after, devices(), &[]);
    }
}

// The first of two rules decides, whatever the second asks for.
#[test]
fn the_period_of_a_rule_that_never_decides_is_not_told() {
    let second = |period: &str| {
        let rule = with(
            login("check", &["deploy"]),
            "srcPosture",
            json!(["posture:p"]),
        );
        json!([
            login("check", &["deploy"]),
            with(rule, "checkPeriod", json!(period))
        ])
    };
    let postures = json!({"posture:p": ["custom:edr == true"]});
    let [before, after] = ["1h", "20h"].map(|period| logins(second(period), postures.clone()));
    assert_told(before, after, devices(), &[]);
}

// Which of two texts is the tighter one does not depend on which comes first; of neither, both are undecided.
#[test]
fn a_posture_is_tighter_one_way_and_looser_the_other_way() {
    let of = |condition: &str| {
        json!({"tagOwners": {"tag:web": []}, "postures": {"posture:p": [condition]}, "acls": [
            {"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web:80"], "srcPosture": ["posture:p"]},
        ]})
    };
    let (low, high) = (of("custom:score >= 2"), of("custom:score >= 7"));
    let other = of("custom:tier == 'gold'");
    let says = |sign: &str| format!("ann@example.com {sign} tag:web 80 with posture:p");
    let unless = |sign: &str| format!("{} unless posture:p", says(sign));
    assert_told(low.clone(), high.clone(), devices(), &[&unless("-")]);
    assert_told(high, low.clone(), devices(), &[&unless("+")]);
    let undecided = format!(
        "{}: a posture was changed under its name, and who meets it is not known",
        says("?")
    );
    for (before, after) in [(&low, &other), (&other, &low)] {
        let found = differences(before, after, [&devices(), &devices()]);
        assert!(
            !found.is_empty() && found.iter().all(|line| *line == undecided),
            "{found:?}"
        );
    }
}

#[test]
fn a_posture_is_called_as_the_text_that_opens_by_it_calls_it() {
    let of = |name: &str, to: &str| {
        json!({"tagOwners": {"tag:web": []}, "postures": {name: ["custom:edr == true"]}, "acls": [
            {"action": "accept", "src": ["ann@example.com"], "dst": [to], "srcPosture": [name]},
        ]})
    };
    assert_told(
        of("posture:old", "tag:web:80"),
        of("posture:new", "tag:web:443"),
        devices(),
        &[
            "ann@example.com + tag:web 443 with posture:new",
            "ann@example.com - tag:web 80 with posture:old",
        ],
    );
}

// With the posture it is a matter of the role; without it, it is lost.
#[test]
fn a_loss_that_a_role_might_undo_on_a_condition_is_undecided_there() {
    let rule = |from: &str, postures: Value| {
        json!({"tagOwners": {"tag:web": []}, "postures": {"posture:p": ["custom:edr == true"]}, "acls": [
            {"action": "accept", "src": [from], "dst": ["tag:web:80"], "srcPosture": postures},
        ]})
    };
    assert_told(
        rule("ann@example.com", json!([])),
        rule("autogroup:it-admin", json!(["posture:p"])),
        devices(),
        &[
            "ann@example.com - tag:web 80 unless posture:p",
            "ann@example.com ? tag:web 80 with posture:p: who is in autogroup:it-admin is not known",
            "autogroup:it-admin + tag:web 80 with posture:p",
        ],
    );
}

#[test]
fn a_device_is_no_destination_of_its_own_however_much_of_it_changes() {
    let of = |from: &str, port: &str| {
        let to = format!("group:ops@example.com:{port}");
        json!({"acls": [{"action": "accept", "src": [from], "dst": [to]}]})
    };
    let mut alone = devices();
    alone["devices"].as_array_mut().expect("devices").pop();
    let [there, back] = [false, true].map(|is_back| {
        let mut pair = [
            of("autogroup:member", "80-90"),
            of("ann@example.com", "443"),
        ];
        if is_back {
            pair.reverse();
        }
        differences(&pair[0], &pair[1], [&alone, &alone])
    });
    assert_eq!(
        there,
        [
            "ann@example.com + group:ops@example.com 443",
            "ann@example.com - group:ops@example.com 80-90"
        ]
    );
    assert_eq!(
        back,
        [
            "ann@example.com + group:ops@example.com 80-90",
            "ann@example.com - group:ops@example.com 443"
        ]
    );
}

// An exit node forwards to public addresses of any rule.
#[test]
fn what_an_exit_node_forwards_arrives_today() {
    let mut network = devices();
    network["devices"][1]["advertisedRoutes"] = json!(["0.0.0.0/0", "::/0"]);
    network["devices"][1]["enabledRoutes"] = json!(["0.0.0.0/0", "::/0"]);
    let rules = |rules: Value| json!({"hosts": {"api": "203.0.113.7"}, "acls": rules});
    let rule = json!([{"action": "accept", "src": ["ann@example.com"], "dst": ["api:443"]}]);
    assert_told(
        rules(json!([])),
        rules(rule.clone()),
        network,
        &["ann@example.com + api 443"],
    );
    assert_told(
        rules(json!([])),
        rules(rule),
        devices(),
        &["ann@example.com + api 443 today: no device and no approved route has an address of api"],
    );
}

#[test]
fn halves_of_the_tailnet_and_members_of_a_group_are_the_whole() {
    let rule = |from: Value, to: Value| {
        json!({"groups": {"group:one": ["ann@example.com", "bob@example.com"]}, "tagOwners": {"tag:web": []},
            "grants": [{"src": from, "dst": to, "ip": ["80", "udp:53"]}]})
    };
    let halves = json!(["100.64.0.0/11", "100.96.0.0/11"]);
    for (before, after) in [
        (
            rule(json!(["100.64.0.0/10"]), json!(["tag:web"])),
            rule(halves.clone(), json!(["tag:web"])),
        ),
        (
            rule(json!(["tag:web"]), json!(["100.64.0.0/10"])),
            rule(json!(["tag:web"]), halves),
        ),
        (
            rule(json!(["group:eng@example.com"]), json!(["group:one"])),
            rule(
                json!(["group:eng@example.com"]),
                json!(["ann@example.com", "bob@example.com"]),
            ),
        ),
        (
            rule(json!(["tag:web"]), json!(["group:one", "autogroup:self"])),
            rule(
                json!(["tag:web"]),
                json!(["ann@example.com", "bob@example.com", "autogroup:self"]),
            ),
        ),
    ] {
        for context in [json!({}), json!({"devices": []}), devices()] {
            assert_told(before.clone(), after.clone(), context, &[]);
        }
    }
}

// docs/policy-language.md#postures: only devices have any, so no address behind a router does, whatever a question supposes.
#[test]
fn an_address_behind_a_router_has_no_posture() {
    let text = json!({"tagOwners": {"tag:web": []}, "postures": {"posture:p": ["custom:edr == true"]}, "acls": [
        {"action": "accept", "src": ["10.1.0.0/16", "ann@example.com"], "dst": ["tag:web:80"], "srcPosture": ["posture:p"]},
    ]})
    .to_string();
    let document = hujson::parse(&text).expect("HuJSON");
    let policy = Policy::read(&document);
    let mut network = devices();
    network["devices"][1]["advertisedRoutes"] = json!(["10.1.0.0/16"]);
    network["devices"][1]["enabledRoutes"] = json!(["10.1.0.0/16"]);
    let context = read(&network);
    let asked = |from: &str| {
        let from: Subject = from.parse().expect("a source");
        let flow = Flow::new(&from, "tag:web:80", None).expect("a flow");
        let flow = flow.with_posture_attributes(r#"{"custom:edr": true}"#);
        json!(
            policy
                .explain(&flow.expect("attributes"), &context)
                .expect("an answer")
        )
    };
    assert_eq!(asked("ann@example.com")["verdict"], "allowed");
    let denied = asked("10.1.2.3");
    assert_eq!(denied["verdict"], "denied");
    assert_eq!(denied.get("postures").unwrap_or(&json!([])), &json!([]));
}

#[test]
fn a_router_with_the_tag_of_an_exit_node_need_not_be_one() {
    let through = |to: Value| {
        json!({"tagOwners": {"tag:gw": []}, "grants": [
            {"src": ["bob@example.com"], "dst": to, "ip": ["tcp:80"], "via": ["tag:gw"]},
        ]})
    };
    assert_told(
        through(json!(["autogroup:internet", "203.0.113.0/24"])),
        through(json!(["autogroup:internet"])),
        json!({}),
        &["bob@example.com ? 203.0.113.0/24 tcp:80: which router forwards it is not known"],
    );
    assert_told(
        through(json!([])),
        through(json!(["autogroup:internet"])),
        json!({}),
        &["bob@example.com + autogroup:internet tcp:80"],
    );
}

#[test]
fn own_devices_that_a_rule_by_name_opens_beside_a_tag_are_open_where_a_device_has_it() {
    let rule = |action: &str, to: &str, account: &str| json!({"action": action, "src": ["bob@example.com"], "dst": [to], "users": [account]});
    let by_name = |action: &str| {
        logins(
            json!([rule(action, "tag:a", "localpart:*@example.com")]),
            json!({}),
        )
    };
    assert_told(
        by_name("accept"),
        logins(json!([rule("accept", "autogroup:self", "bob")]), json!({})),
        json!({}),
        &[
            "bob@example.com - tag:a accept as bob",
            "bob@example.com ? autogroup:self accept as bob: whether there is a device of tag:a is not known",
        ],
    );
    assert_told(
        by_name("accept"),
        by_name("check"),
        json!({}),
        &[
            "bob@example.com ~ tag:a check tighter as bob",
            "bob@example.com ~ autogroup:self check tighter as bob",
        ],
    );
}

#[test]
fn a_rule_for_every_address_that_opens_nothing_hides_no_subnet_that_loses() {
    let rules = |from: &str| {
        json!({"tagOwners": {"tag:a": []}, "acls": [
            {"action": "accept", "src": [from], "dst": ["tag:a:22"]},
            {"action": "accept", "src": ["autogroup:danger-all"], "dst": []},
        ]})
    };
    assert_told(
        rules("*"),
        rules("autogroup:member"),
        json!({}),
        &[
            "tag:a - tag:a 22",
            "* - tag:a 22 from all but autogroup:member",
        ],
    );
}

// docs/policy-language.md#via: for those whom a `via` grant covers, a device without its tag loses a route that overlaps the destination,
// unless a rule without `via` covers all of the route.
#[test]
fn a_route_that_a_member_of_an_unknown_group_may_lose_is_undecided() {
    let rules = |host: &str| {
        json!({"tagOwners": {"tag:gw": []}, "acls": [
            {"action": "accept", "src": ["bob@example.com"], "dst": [host]},
        ], "grants": [
            {"src": ["group:ops@example.com"], "dst": ["10.1.0.0/20"], "ip": ["tcp:443"], "via": ["tag:gw"]},
        ]})
    };
    let route = json!(["10.0.0.0/8"]);
    let network = json!({"devices": [
        {"id": "1", "hostname": "router", "tags": ["tag:x"], "addresses": ["100.64.0.1"], "advertisedRoutes": route, "enabledRoutes": route},
        {"id": "2", "hostname": "desk", "user": "bob@example.com", "addresses": ["100.64.0.2"]},
    ]});
    let contexts = [&network, &network];
    let mut told = differences(&rules("10.0.0.0/8:80"), &rules("10.0.0.0/9:80"), contexts);
    told.retain(|line| line.starts_with("bob"));
    assert_eq!(
        told,
        [
            "bob@example.com - 10.0.0.0/8 80 only 10.128.0.0/9",
            "bob@example.com ? 10.0.0.0/9 80: the members of group:ops@example.com are not known",
        ]
    );
}
