//! Open answers, and answers that are not open although the context leaves something out. Must not live here: guards, the words
//! of an answer (`mod.rs`).

use serde_json::{Value, json};

use super::proof;

#[track_caller]
pub fn holds(policy: &str, guard: &str, context: &Value, wanted: impl Into<Value>) {
    let found = proof(policy, guard, context, &[]).expect("a proof");
    assert_eq!(found["holds"], wanted.into(), "{found}");
}

#[track_caller]
fn holds_beside(policy: &str, base: &str, guard: &str, context: &Value, wanted: impl Into<Value>) {
    let found = proof(policy, guard, context, &[("main", base)]).expect("a proof");
    assert_eq!(found["holds"], wanted.into(), "{found}");
}

// docs/policy-language.md#groups: an empty group stands for nobody, so no address belongs to it.
#[test]
fn an_unknown_address_belongs_to_no_empty_group() {
    let guard = r#"[{"never": {"from": "100.64.0.0/24", "to": "*"}}]"#;
    let rule = |source: &str| {
        format!(
            r#"{{"groups": {{"group:none": [], "group:dev": ["ann@example.com"]}}, "acls": [{{"action": "accept", "src": ["{source}"], "dst": ["*:*"]}}]}}"#
        )
    };
    holds(&rule("group:none"), guard, &json!({}), true);
    holds(&rule("group:dev"), guard, &json!({}), Value::Null);
    let users = json!({"users": [{"loginName": "bob@example.com", "role": "member"}]});
    for nobody in ["ann@example.com", "group:dev", "autogroup:admin"] {
        holds(&rule(nobody), guard, &users, true);
    }
    holds(&rule("autogroup:member"), guard, &users, Value::Null);
}

// docs/policy-language.md#sources: a user of another tailnet has none of the addresses of this one.
#[test]
fn an_outsider_has_no_address_of_the_tailnet() {
    let policy = r#"{"tagOwners": {"tag:a": []}, "acls": [{"action": "accept", "src": ["fd7a:115c:a1e0::7", "100.64.0.0/30"], "dst": ["tag:a:80"]}]}"#;
    let guard = r#"[{"only": {"from": "*", "to": "tag:a"}}]"#;
    holds(policy, guard, &json!({}), true);
}

// docs/policy-language.md#via: a via grant lets nobody reach an address that a device has.
#[test]
fn a_via_grant_leads_to_no_device() {
    let policy = r#"{"tagOwners": {"tag:exit": []}, "grants": [
      {"src": ["tag:exit"], "dst": ["ann@example.com", "100.64.0.2"], "ip": ["22"], "via": ["tag:exit"]},
    ]}"#;
    let guard = r#"[{"never": {"from": "tag:exit", "to": ["100.64.0.0/10", "ann@example.com"]}}]"#;
    holds(policy, guard, &json!({}), true);
}

// Without devices it is open whether `*` covers a public address. No device has it, and so nothing with it has a posture.
#[test]
fn access_of_an_address_that_may_be_outside_is_open() {
    let policy = |posture: &str| {
        format!(
            r#"{{"postures": {{"posture:mac": ["node:os == 'macos'"]}}, "grants": [
      {{"src": ["203.0.113.7"], "dst": ["autogroup:internet"], "ip": ["443"]{posture}}},
    ]}}"#
        )
    };
    let guard = r#"[{"only": {"from": "*", "to": "autogroup:internet"}}]"#;
    holds(&policy(""), guard, &json!({}), Value::Null);
    let needed = policy(r#", "srcPosture": ["posture:mac"]"#);
    holds(&needed, guard, &json!({}), true);
}

fn router(id: &str, tags: &[&str], routes: &[&str]) -> Value {
    json!({
        "id": id, "user": "ann@example.com", "tags": tags, "addresses": [format!("100.64.0.{id}")],
        "advertisedRoutes": routes, "enabledRoutes": routes,
    })
}

const WAY: &str = r#"{"src": ["*"], "dst": ["203.0.113.0/24"], "ip": ["*"], "via": ["tag:b"]}"#;

fn with_rules(rules: &str) -> String {
    format!(
        r#"{{"tagOwners": {{"tag:b": []}}, "postures": {{"posture:mac": ["node:os == 'macos'"]}}, "grants": [{rules}]}}"#
    )
}

// It is not known which of two routers receives; it is the same one under both policies.
#[test]
fn equal_rules_give_equal_access_whichever_router_receives() {
    let context = json!({"devices": [
        router("1", &[], &["203.0.113.0/24"]), router("2", &["tag:b"], &["203.0.113.0/24"]),
    ]});
    let plain = r#"{"src": ["*"], "dst": ["*"], "ip": ["1-65535"]}"#;
    let own = with_rules(&format!("{WAY}, {plain}"));
    let base = with_rules(&format!(
        r#"{WAY}, {plain}, {{"src": [], "dst": ["*"], "ip": ["*"]}}"#
    ));
    holds_beside(&own, &base, r#"[{"sameAs": "main"}]"#, &context, true);
    // Without devices no router is known.
    holds_beside(&own, &base, r#"[{"sameAs": "main"}]"#, &json!({}), true);
    let narrow = with_rules(plain);
    holds_beside(
        &own,
        &narrow,
        r#"[{"noMoreThan": "main"}]"#,
        &json!({}),
        Value::Null,
    );
}

// A via grant that may lead nowhere opens no more than a rule without `via`.
#[test]
fn a_via_grant_opens_no_more_than_a_grant_without_via() {
    let plain =
        with_rules(r#"{"src": ["ann@example.com"], "dst": ["203.0.113.0/24"], "ip": ["22"]}"#);
    let by_way = with_rules(
        r#"{"src": ["ann@example.com"], "dst": ["203.0.113.0/24"], "ip": ["22"], "via": ["tag:b"]}"#,
    );
    let guard = r#"[{"noMoreThan": "main"}]"#;
    holds_beside(&by_way, &plain, guard, &json!({}), true);
    holds_beside(&plain, &by_way, guard, &json!({}), Value::Null);
}

// With the posture one router receives under the one policy, the other router under the other: both let it in.
#[test]
fn another_router_that_lets_in_too_is_no_difference() {
    let context = json!({"devices": [
        router("1", &[], &["203.0.113.0/25"]), router("2", &["tag:b"], &["203.0.113.0/24"]),
    ]});
    let rule = |via: &str| {
        with_rules(&format!(
            r#"{{"src": ["*"], "dst": ["203.0.113.0/25"], "ip": ["443"], "srcPosture": ["posture:mac"]{via}}}"#
        ))
    };
    let by_way = rule(r#", "via": ["tag:b"]"#);
    holds_beside(
        &rule(""),
        &by_way,
        r#"[{"noMoreThan": "main"}]"#,
        &context,
        true,
    );
}

// The claim may be about ann, who may hold the role; her rule also requires a posture.
#[test]
fn access_of_a_user_who_may_hold_a_role_is_open() {
    let policy = r#"{"tagOwners": {"tag:a": []}, "postures": {"posture:mac": ["node:os == 'macos'"]}, "acls": [
      {"action": "accept", "src": ["ann@example.com"], "dst": ["tag:a:22"], "srcPosture": ["posture:mac"]},
    ]}"#;
    let guard = r#"[{"never": {"from": "autogroup:admin", "to": "tag:a"}}]"#;
    let users = |role: &str| json!({"users": [{"loginName": "ann@example.com", "role": role}]});
    holds(policy, guard, &json!({}), Value::Null);
    holds(policy, guard, &users("admin"), Value::Null);
    holds(policy, guard, &users("member"), true);
}

// The same for a login.
#[test]
fn the_login_of_a_user_who_may_hold_a_role_is_open() {
    let policy = r#"{"tagOwners": {"tag:a": []}, "postures": {"posture:mac": ["node:os == 'macos'"]}, "ssh": [
      {"action": "accept", "src": ["ann@example.com"], "dst": ["tag:a"], "users": ["ops"], "srcPosture": ["posture:mac"]},
    ]}"#;
    let guard = r#"[{"never": {"from": "autogroup:admin", "to": "tag:a", "users": ["ops"]}}]"#;
    let users = |role: &str| json!({"users": [{"loginName": "ann@example.com", "role": role}]});
    holds(policy, guard, &json!({}), Value::Null);
    holds(policy, guard, &users("admin"), Value::Null);
    holds(policy, guard, &users("member"), true);
}

// The same rule with a posture and `via`, beside another rule about something else.
#[test]
fn the_same_route_with_a_posture_is_no_difference() {
    let context = json!({"devices": [
        router("1", &[], &["203.0.113.0/24"]), router("2", &["tag:b"], &["203.0.113.0/24"]),
    ]});
    let rule = r#"{"src": ["ann@example.com"], "dst": ["203.0.113.0/24"], "ip": ["443"], "srcPosture": ["posture:mac"], "via": ["tag:b"]}"#;
    let more = r#"{"src": ["tag:b"], "dst": ["ann@example.com"], "ip": ["22"]}"#;
    let (own, base) = (with_rules(rule), with_rules(&format!("{rule}, {more}")));
    holds_beside(&own, &base, r#"[{"noMoreThan": "main"}]"#, &context, true);
}

// With the posture the router with the tag receives under the one policy; under the other the router without it may receive too.
#[test]
fn a_rule_via_more_routers_may_let_in_less() {
    let context = json!({"devices": [
        router("1", &[], &["203.0.113.0/24"]), router("2", &["tag:b"], &["203.0.113.0/24"]),
    ]});
    let by_way = r#"{"src": ["ann@example.com"], "dst": ["203.0.113.0/24"], "ip": ["443"], "srcPosture": ["posture:mac"], "via": ["tag:b"]}"#;
    let plain = r#"{"src": ["ann@example.com"], "dst": ["203.0.113.0/24"], "ip": ["22"]}"#;
    let (own, base) = (
        with_rules(by_way),
        with_rules(&format!("{by_way}, {plain}")),
    );
    let guard = r#"[{"noMoreThan": "main"}]"#;
    holds_beside(&own, &base, guard, &context, Value::Null);
    // The same where no router is known.
    holds_beside(&own, &base, guard, &json!({}), Value::Null);
}

// More postures let more in: with the first posture the same router receives under both policies.
#[test]
fn one_more_posture_through_the_same_router_is_more_access_and_not_less() {
    let context = json!({"devices": [
        router("1", &[], &["203.0.113.0/24"]), router("2", &["tag:b"], &["203.0.113.0/24"]),
    ]});
    let rule = |postures: &str| {
        format!(
            r#"{{"tagOwners": {{"tag:b": []}}, "postures": {{"posture:mac": ["node:os == 'macos'"], "posture:new": ["node:tsVersion >= '1.80'"]}}, "grants": [
              {{"src": ["ann@example.com"], "dst": ["203.0.113.0/24"], "ip": ["443"], "srcPosture": [{postures}], "via": ["tag:b"]}}]}}"#
        )
    };
    let (one, two) = (
        rule(r#""posture:mac""#),
        rule(r#""posture:mac", "posture:new""#),
    );
    let guard = r#"[{"noMoreThan": "main"}]"#;
    holds_beside(&one, &two, guard, &context, true);
    holds_beside(&two, &one, guard, &context, Value::Null);
}

// docs/policy-language.md#assertions: the routes under more than six postures together are left open.
#[test]
fn more_postures_than_six_are_left_open_where_they_lead_other_ways() {
    let led_by = |postures: usize| {
        let each = 0..postures;
        let means = each
            .clone()
            .map(|at| format!(r#""posture:p{at}": ["custom:score >= {at}"]"#));
        let grants = each.map(|at| {
            format!(
                r#"{{"src": ["ann@example.com"], "dst": ["10.1.2.0/24"], "ip": ["tcp:80"], "srcPosture": ["posture:p{at}"], "via": ["tag:r"]}}"#
            )
        });
        let (means, grants): (Vec<String>, Vec<String>) = (means.collect(), grants.collect());
        format!(
            r#"{{"tagOwners": {{"tag:r": []}}, "postures": {{{}}}, "grants": [
              {{"src": ["ann@example.com"], "dst": ["10.1.2.0/24"], "ip": ["tcp:443"]}}, {}]}}"#,
            means.join(", "),
            grants.join(", ")
        )
    };
    let context = json!({"devices": [
      {"id": "1", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
      {"id": "2", "tags": ["tag:r"], "addresses": ["100.64.0.2"], "advertisedRoutes": ["10.1.2.0/24"], "enabledRoutes": ["10.1.2.0/24"]},
    ]});
    let guard = r#"[{"always": {"from": "ann@example.com", "to": "10.1.2.9", "ports": "443"}}]"#;
    holds(&led_by(6), guard, &context, true);
    holds(&led_by(7), guard, &context, Value::Null);
}

// docs/policy-language.md#via: nobody says how wide routes are; one that leads to 10.2.0.0/16 may touch 10.1.0.0/20 as well, so that the
// other grant sends all that takes it to a router with the other tag.
#[test]
fn a_grant_by_another_way_may_take_a_wide_route_along() {
    let d = r#"{"src": ["autogroup:tagged"], "dst": ["10.2.0.0/16"], "ip": ["tcp:80"], "via": ["tag:d"]}"#;
    let b = r#"{"src": ["*"], "dst": ["10.1.0.0/20"], "ip": ["udp:80"], "via": ["tag:b"]}"#;
    let policy = |grants: &str| {
        format!(r#"{{"tagOwners": {{"tag:b": [], "tag:d": []}}, "grants": [{grants}]}}"#)
    };
    let guard = r#"[{"noMoreThan": "main"}]"#;
    let both = policy(&format!("{d}, {b}"));
    holds_beside(&policy(d), &both, guard, &json!({}), Value::Null);
    holds_beside(&policy(d), &policy(d), guard, &json!({}), true);
}

// docs/policy-language.md#assertions: with forty tags that grants lead by, two routers may lead there in more than a thousand ways.
#[test]
fn routers_that_may_lead_in_too_many_ways_leave_it_open() {
    let led_by = |tags: usize| {
        let owners = (0..tags).map(|at| format!(r#""tag:r{at}": []"#));
        let grants = (0..tags).map(|at| {
            format!(
                r#"{{"src": ["ann@example.com"], "dst": ["10.1.2.0/24"], "ip": ["tcp:80"], "via": ["tag:r{at}"]}}"#
            )
        });
        let (owners, grants): (Vec<String>, Vec<String>) = (owners.collect(), grants.collect());
        format!(
            r#"{{"tagOwners": {{{}}}, "grants": [
              {{"src": ["ann@example.com"], "dst": ["10.1.2.0/24"], "ip": ["tcp:443"]}}, {}]}}"#,
            owners.join(", "),
            grants.join(", ")
        )
    };
    let guard = r#"[{"always": {"from": "ann@example.com", "to": "10.1.2.9", "ports": "443"}}]"#;
    holds(&led_by(2), guard, &json!({}), true);
    holds(&led_by(40), guard, &json!({}), Value::Null);
}
