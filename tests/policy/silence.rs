//! What a change is told to be: cases in which an answer once said that nobody gains or loses, or said it of the wrong ones. Must not live
//! here: laws over random pairs (tests/policy_laws/silence.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Judge, Judged, Policy, PolicyContext, diff_access_between, review};

/// A tailnet: ann has two devices, bob one with IPv4 alone; a database, a router to 10.1.0.0/16, and an exit node for IPv4 and IPv6.
fn context() -> Value {
    let device = |id: &str, owner: (&str, Value), addresses: Value| {
        let mut device =
            json!({"id": id, "name": format!("{id}.example.ts.net"), "addresses": addresses});
        device[owner.0] = owner.1;
        device
    };
    let both = |at: u8| json!([format!("100.64.0.{at}"), format!("fd7a:115c:a1e0::{at}")]);
    let mut router = device("gate", ("tags", json!(["tag:router"])), both(9));
    router["advertisedRoutes"] = json!(["10.1.0.0/16"]);
    router["enabledRoutes"] = json!(["10.1.0.0/16"]);
    json!({
        "devices": [
            device("laptop", ("user", json!("ann@example.com")), both(1)),
            device("phone", ("user", json!("ann@example.com")), both(2)),
            device("desk", ("user", json!("bob@example.com")), json!(["100.64.0.3"])),
            device("db-1", ("tags", json!(["tag:db"])), both(10)),
            router,
        ],
        "domains": ["example.com"],
    })
}

fn policy(rules: &[Value], more: Value) -> String {
    let mut policy = json!({
        "tagOwners": {"tag:db": [], "tag:pay": [], "tag:router": [], "tag:eu": []},
        "postures": {"posture:edr": ["custom:edr == 'on'"]},
        "acls": rules,
    });
    for (key, value) in more.as_object().expect("an object") {
        policy[key] = value.clone();
    }
    policy.to_string()
}

fn rule(from: &str, to: &str) -> Value {
    json!({"action": "accept", "src": [from], "dst": [to]})
}

pub fn reviewed(before: &str, after: &str, contexts: [&Value; 2]) -> Value {
    let contexts = contexts.map(|context| -> PolicyContext {
        serde_json::from_value(context.clone()).expect("a context")
    });
    let documents = [before, after].map(|text| hujson::parse(text).expect("HuJSON"));
    let policies = documents.each_ref().map(Policy::read);
    let [old, new] = [0, 1].map(|at| policies[at].check(&contexts[at]));
    let judges = [0, 1].map(|at| Judge::new(&policies[at], &contexts[at]));
    let judged = |at: usize, check| Judged {
        judge: &judges[at],
        check,
    };
    json!(review(judged(0, &old), judged(1, &new), None))
}

/// Who gains (`+`), loses (`-`) or may do either (`?`), where, on which ports, of which part, on which condition.
pub fn lines(review: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for change in review["access"].as_array().expect("changes") {
        for (list, sign) in [("gained", "+"), ("lost", "-"), ("undecided", "?")] {
            for reach in change[list].as_array().expect("a list") {
                let mut line = format!(
                    "{} {sign} {}",
                    text(&change["source"]),
                    text(&reach["destination"])
                );
                for port in reach["ports"].as_array().expect("ports") {
                    line += &format!(" {}", text(port));
                }
                let opening = &reach["opens"][0];
                for (word, value) in [
                    (" from ", &reach["part"]["from"]),
                    (" only ", &reach["part"]["to"]),
                    (" with ", &opening["postures"]),
                    (" through ", &opening["via"]),
                    (" unless ", &opening["unless"]["postures"]),
                    (" unless through ", &opening["unless"]["via"]),
                    (" needs ", &reach["needs"]),
                ] {
                    if let Some(names) = value.as_array() {
                        let names: Vec<&str> = names.iter().map(text).collect();
                        line += &format!("{word}{}", names.join(", "));
                    }
                }
                if let Some(today) = reach["today"].as_str() {
                    line += &format!(" today: {today}");
                }
                lines.push(line);
            }
        }
    }
    lines
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[track_caller]
pub fn assert_told(before: &str, after: &str, context: &Value, expected: &[&str]) {
    let found = reviewed(before, after, [context, context]);
    assert_eq!(lines(&found), expected, "{}", text(&found["summary"]));
    assert_eq!(found["unchanged"], false);
}

fn added(from: &str, to: &str) -> [String; 2] {
    [policy(&[], json!({})), policy(&[rule(from, to)], json!({}))]
}

#[test]
fn a_group_of_an_identity_provider_gains_by_the_text() {
    let [before, after] = added("group:contractors@example.com", "*:*");
    assert_told(
        &before,
        &after,
        &json!({}),
        &["group:contractors@example.com + * *"],
    );
}

#[test]
fn members_of_a_synced_group_are_undecided_until_the_context_names_them() {
    let [before, after] = added("group:contractors@example.com", "tag:db:5432");
    assert_told(
        &before,
        &after,
        &context(),
        &[
            "ann@example.com ? tag:db 5432 needs groups",
            "bob@example.com ? tag:db 5432 needs groups",
            "group:contractors@example.com + tag:db 5432",
        ],
    );
    let mut known = context();
    known["groups"] = json!({"group:contractors@example.com": ["bob@example.com"]});
    assert_told(&before, &after, &known, &["bob@example.com + tag:db 5432"]);
}

#[test]
fn a_source_by_address_is_told_as_the_part_of_the_device_that_it_is() {
    let [before, after] = added("100.64.0.1", "tag:db:5432");
    assert_told(
        &before,
        &after,
        &context(),
        &["laptop + tag:db 5432 from IPv4"],
    );
    let [before, after] = added("100.64.0.0/10", "tag:db:5432");
    assert_told(
        &before,
        &after,
        &context(),
        &[
            "ann@example.com + tag:db 5432 from IPv4",
            "bob@example.com + tag:db 5432",
            "tag:router + tag:db 5432 from IPv4",
        ],
    );
}

#[test]
fn a_family_that_a_destination_loses_is_named() {
    let before = policy(&[rule("ann@example.com", "tag:db:443")], json!({}));
    let after = policy(&[rule("ann@example.com", "100.64.0.10:443")], json!({}));
    assert_told(
        &before,
        &after,
        &context(),
        &["ann@example.com - tag:db 443 only IPv6"],
    );
}

#[test]
fn a_role_that_nobody_is_known_to_hold_is_undecided() {
    let [before, after] = added("autogroup:admin", "tag:db:22");
    assert_told(
        &before,
        &after,
        &context(),
        &[
            "ann@example.com ? tag:db 22 needs users",
            "bob@example.com ? tag:db 22 needs users",
            "autogroup:admin + tag:db 22",
        ],
    );
}

#[test]
fn halves_of_a_prefix_are_the_prefix() {
    let before = policy(
        &[
            json!({"action": "accept", "src": ["ann@example.com"], "dst": ["10.0.0.0/25:22", "10.0.0.128/25:22"]}),
        ],
        json!({}),
    );
    let after = policy(&[rule("ann@example.com", "10.0.0.0/24:22")], json!({}));
    for context in [json!({}), context()] {
        let found = reviewed(&before, &after, [&context, &context]);
        assert_eq!((lines(&found), &found["unchanged"]), (vec![], &json!(true)));
    }
}

#[test]
fn guests_and_those_without_device_are_told_with_devices_too() {
    let [before, after] = added("autogroup:shared", "tag:db:5432");
    assert_told(
        &before,
        &after,
        &context(),
        &["autogroup:shared + tag:db 5432"],
    );
    let [before, after] = added("ann@example.com", "tag:pay:443");
    assert_told(
        &before,
        &after,
        &context(),
        &["ann@example.com + tag:pay 443 today: no device has tag:pay"],
    );
}

#[test]
fn a_posture_that_is_put_on_a_rule_is_no_loss_with_it() {
    let free = rule("ann@example.com", "tag:db:5432");
    let mut bound = free.clone();
    bound["srcPosture"] = json!(["posture:edr"]);
    let [free, bound] = [free, bound].map(|rule| policy(&[rule], json!({})));
    for context in [json!({}), context()] {
        assert_told(
            &free,
            &bound,
            &context,
            &["ann@example.com - tag:db 5432 unless posture:edr"],
        );
        assert_told(
            &bound,
            &free,
            &context,
            &["ann@example.com + tag:db 5432 unless posture:edr"],
        );
    }
}

#[test]
fn conditions_of_a_posture_have_a_direction_and_no_order() {
    let with = |conditions: Value| {
        let mut bound = rule("ann@example.com", "tag:db:5432");
        bound["srcPosture"] = json!(["posture:edr"]);
        policy(&[bound], json!({"postures": {"posture:edr": conditions}}))
    };
    let (low, high) = (
        with(json!(["custom:score >= 20"])),
        with(json!(["custom:score >= 70"])),
    );
    assert_told(
        &low,
        &high,
        &context(),
        &["ann@example.com - tag:db 5432 with posture:edr unless posture:edr"],
    );
    let found = reviewed(&low, &high, [&context(), &context()]);
    assert_eq!(found["postures"][0]["now"], "tighter");
    assert_told(
        &high,
        &low,
        &context(),
        &["ann@example.com + tag:db 5432 with posture:edr unless posture:edr"],
    );
    let one = with(json!(["custom:a == 'x'", "custom:b IS SET"]));
    let other = with(json!(["custom:b  IS SET ", "custom:a=='x'"]));
    let found = reviewed(&one, &other, [&context(), &context()]);
    assert_eq!((lines(&found), &found["unchanged"]), (vec![], &json!(true)));
}

#[test]
fn a_route_through_tagged_devices_is_told() {
    let grant = |via: &[&str]| json!({"src": ["ann@example.com"], "dst": ["10.1.0.0/16"], "ip": ["22"], "via": via});
    let text = |via: &[&str]| policy(&[], json!({"grants": [grant(via)]}));
    assert_told(
        &policy(&[], json!({"grants": []})),
        &text(&["tag:router"]),
        &json!({}),
        &["ann@example.com + 10.1.0.0/16 22 through tag:router"],
    );
    assert_told(
        &text(&[]),
        &text(&["tag:router"]),
        &json!({}),
        &["ann@example.com - 10.1.0.0/16 22 unless through tag:router"],
    );
}

#[test]
fn everything_but_a_part_says_which_part() {
    let before = policy(&[rule("ann@example.com", "tag:db:*")], json!({}));
    let after = policy(&[rule("ann@example.com", "*:*")], json!({}));
    assert_told(
        &before,
        &after,
        &json!({}),
        &["ann@example.com + * * only all but tag:db"],
    );
    let narrow = policy(&[rule("ann@example.com", "10.0.0.0/17:22")], json!({}));
    let wide = policy(&[rule("ann@example.com", "10.0.0.0/16:22")], json!({}));
    assert_told(
        &wide,
        &narrow,
        &json!({}),
        &["ann@example.com - 10.0.0.0/16 22 only 10.0.128.0/17"],
    );
}

#[test]
fn owners_of_tags_funnels_recorders_and_periods_are_told() {
    let owned = |owners: &[&str]| {
        policy(
            &[],
            json!({"tagOwners": {"tag:db": owners, "tag:pay": [], "tag:router": [], "tag:eu": []}}),
        )
    };
    let found = reviewed(
        &owned(&[]),
        &owned(&["autogroup:member"]),
        [&context(), &context()],
    );
    assert_eq!(found["unchanged"], false);
    assert_eq!(found["powers"][0]["gained"][0]["what"], "tag:db");
    let headline = text(&found["summary"]).lines().next().expect("a line");
    assert!(headline.contains("gains powers"), "{headline}");
    let ssh = |more: Value| {
        let mut rule = json!({"action": "check", "src": ["ann@example.com"], "dst": ["tag:db"], "users": ["root"]});
        for (key, value) in more.as_object().expect("an object") {
            rule[key] = value.clone();
        }
        policy(&[rule_to_ssh()], json!({"ssh": [rule]}))
    };
    let found = reviewed(
        &ssh(json!({"checkPeriod": "1h"})),
        &ssh(json!({"checkPeriod": "168h"})),
        [&context(), &context()],
    );
    let checked = &found["ssh"][0]["checked"][0];
    assert_eq!(checked["now"], "looser");
    assert_eq!(
        checked["was"],
        json!({"action": "check", "checkPeriod": "1h"})
    );
    let found = reviewed(
        &ssh(json!({})),
        &ssh(json!({"acceptEnv": ["*"]})),
        [&context(), &context()],
    );
    assert_eq!(found["ssh"][0]["checked"][0]["now"], "looser");
    let found = reviewed(
        &ssh(json!({"recorder": ["tag:eu"]})),
        &ssh(json!({})),
        [&context(), &context()],
    );
    assert_eq!(found["unchanged"], false, "{}", text(&found["summary"]));
}

fn rule_to_ssh() -> Value {
    rule("ann@example.com", "tag:db:22")
}

#[test]
fn logins_to_ones_own_devices_are_told_with_devices() {
    let ssh = json!([{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["localpart:*@example.com"]}]);
    let found = reviewed(
        &policy(&[], json!({"ssh": []})),
        &policy(&[], json!({"ssh": ssh})),
        [&context(), &context()],
    );
    let logins: Vec<(&str, &Value)> = found["ssh"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|change| (text(&change["source"]), &change["gained"][0]["users"][0]))
        .collect();
    assert_eq!(logins[0], ("ann@example.com", &json!("ann")));
}

#[test]
fn a_name_that_is_written_out_and_dropped_changes_nothing() {
    let before = policy(
        &[rule("group:ops", "db:5432")],
        json!({"groups": {"group:ops": ["ann@example.com"]}, "hosts": {"db": "10.1.0.5"}}),
    );
    let after = policy(&[rule("ann@example.com", "10.1.0.5:5432")], json!({}));
    for context in [json!({}), context()] {
        let found = reviewed(&before, &after, [&context, &context]);
        assert_eq!(
            (lines(&found), &found["unchanged"]),
            (vec![], &json!(true)),
            "{}",
            text(&found["summary"])
        );
    }
}

/// A tag that is set on a device, and a route that is approved: the network changes, and not the text.
#[test]
fn a_network_that_changes_is_compared_too() {
    let text = policy(
        &[
            rule("ann@example.com", "tag:pay:443"),
            rule("bob@example.com", "10.2.0.0/16:22"),
        ],
        json!({}),
    );
    let before = context();
    let mut after = context();
    after["devices"][3]["tags"] = json!(["tag:db", "tag:pay"]);
    after["devices"][4]["advertisedRoutes"] = json!(["10.1.0.0/16", "10.2.0.0/16"]);
    after["devices"][4]["enabledRoutes"] = json!(["10.1.0.0/16", "10.2.0.0/16"]);
    let found = reviewed(&text, &text, [&before, &after]);
    let told = lines(&found);
    assert!(
        told.iter()
            .any(|line| line.starts_with("ann@example.com + ") && line.contains("443")),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|line| line.starts_with("bob@example.com + 10.2.0.0/16 22")),
        "{told:?}"
    );
    // A device that bob gives up for a tag is called by the tag that it has then.
    let text = policy(&[rule("ann@example.com", "tag:eu:80")], json!({}));
    let mut tagged = context();
    tagged["devices"][2]["tags"] = json!(["tag:eu"]);
    let found = reviewed(&text, &text, [&before, &tagged]);
    assert_eq!(lines(&found), ["ann@example.com + tag:eu 80"]);
    let document = hujson::parse(&text).expect("HuJSON");
    let policy = Policy::read(&document);
    let context: PolicyContext = serde_json::from_value(before).expect("a context");
    let judge = Judge::new(&policy, &context);
    assert_eq!(diff_access_between([0, 1].map(|_| &judge)), []);
}

/// A device with another address, or made anew under its name, is who it was: only a rule by an address tells the difference.
#[test]
fn a_device_that_moves_to_another_address_is_the_same_device() {
    let by_name = policy(
        &[
            rule("ann@example.com", "tag:db:5432"),
            rule("*", "10.1.0.0/16:443"),
            rule("bob@example.com", "ann@example.com:80"),
        ],
        json!({"nodeAttrs": [{"target": ["autogroup:member"], "attr": ["funnel"]}]}),
    );
    let before = context();
    let mut moved = context();
    moved["devices"][0]["addresses"] = json!(["100.64.0.51", "fd7a:115c:a1e0::51"]);
    moved["devices"][3]["addresses"] = json!(["100.64.0.60", "fd7a:115c:a1e0::60"]);
    let mut anew = moved.clone();
    anew["devices"][0]["id"] = json!("laptop-2");
    anew["devices"][4]["id"] = json!("gate-2");
    anew["devices"][4]["addresses"] = json!(["100.64.0.59", "fd7a:115c:a1e0::59"]);
    for (old, new) in [
        (&before, &moved),
        (&moved, &before),
        (&before, &anew),
        (&anew, &before),
    ] {
        let found = reviewed(&by_name, &by_name, [old, new]);
        assert_eq!(lines(&found), [""; 0], "{}", text(&found["summary"]));
        assert_eq!(
            (&found["powers"], &found["orphaned"]),
            (&json!([]), &json!([]))
        );
        assert_eq!(found["unchanged"], true);
    }
    let by_address = policy(&[rule("100.64.0.1", "tag:db:22")], json!({}));
    for new in [&moved, &anew] {
        let found = reviewed(&by_address, &by_address, [&before, new]);
        assert_eq!(lines(&found), ["laptop - tag:db 22 from IPv4"]);
    }
    let to_address = policy(&[rule("bob@example.com", "100.64.0.10:22")], json!({}));
    let found = reviewed(&to_address, &to_address, [&before, &moved]);
    assert_eq!(lines(&found), ["bob@example.com - tag:db 22"]);
}
