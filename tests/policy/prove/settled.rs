//! What is open about the ends of a flow, decided in every way: answers that are certain whichever way it is, and those that are
//! not. Must not live here: routes by posture, access compared with another policy (`open.rs`).

use serde_json::{Value, json};

use super::open::holds;

fn acl(source: &str, target: &str) -> String {
    format!(r#"{{"action": "accept", "src": ["{source}"], "dst": ["{target}"]}}"#)
}

fn policy(acls: &[String]) -> String {
    let groups = r#""groups": {"group:one": ["bob@example.com", "dee@other.org"]}"#;
    format!(
        r#"{{{groups}, "tagOwners": {{"tag:a": [], "tag:b": []}}, "acls": [{}]}}"#,
        acls.join(", ")
    )
}

fn ssh(rule: &str) -> String {
    format!(
        r#"{{"tagOwners": {{"tag:a": []}}, "hosts": {{"box": "100.64.0.6"}}, "ssh": [{rule}]}}"#
    )
}

// docs/policy-language.md#sources: whether `*` covers it is open, but it is the same for the claim and for the rule.
#[test]
fn a_claim_that_leaves_open_the_same_as_its_rule_holds() {
    let guard = r#"[{"always": {"from": "*", "to": "autogroup:internet"}}]"#;
    let everyone = policy(&[acl("*", "autogroup:internet:*")]);
    holds(&everyone, guard, &json!({}), true);
    let ann = policy(&[acl("ann@example.com", "autogroup:internet:*")]);
    holds(&ann, guard, &json!({}), false);
}

// docs/policy-language.md#sources: an address outside is in `*` only behind an approved route, and there may be none.
#[test]
fn an_address_outside_may_not_be_in_the_tailnet() {
    let policy = r#"{"tagOwners": {"tag:a": []}, "grants": [
      {"src": ["10.0.0.0/8"], "dst": ["autogroup:internet"], "ip": ["*"], "via": ["tag:a"]},
    ]}"#;
    let guard = r#"[{"only": {"from": "*", "to": "autogroup:internet"}}]"#;
    holds(policy, guard, &json!({}), Value::Null);
    let devices = json!({"devices": []});
    holds(policy, guard, &devices, true);
}

// docs/policy-language.md#exit-nodes: an exit node receives only destinations that are public as a whole, and there may be one.
#[test]
fn an_unknown_exit_node_may_let_pass_all_that_is_public() {
    let guard = r#"[{"always": {"from": "ann@example.com", "to": "8.8.8.8"}}]"#;
    let whole = policy(&[acl("ann@example.com", "8.8.8.0/24:*")]);
    holds(&whole, guard, &json!({}), true);
    let in_part = policy(&[acl("ann@example.com", "8.0.0.0/6:*")]);
    holds(&in_part, guard, &json!({}), Value::Null);
    holds(&in_part, guard, &json!({"devices": []}), true);
}

// docs/policy-language.md#selectors: it is not known whose device an address is; it may be another device of the same user.
#[test]
fn an_unknown_address_may_be_a_device_of_the_same_user() {
    let own = policy(&[acl("ann@example.com", "autogroup:self:22")]);
    let guard = r#"[{"never": {"from": "100.64.0.5", "to": "autogroup:self"}}]"#;
    holds(&own, guard, &json!({}), Value::Null);
    let users = |login: &str| json!({"users": [{"loginName": login, "role": "member"}]});
    holds(&own, guard, &users("ann@example.com"), Value::Null);
    holds(&own, guard, &users("bob@example.com"), true);
}

// Only one device has an address, so it does not have two owners: no device is ann's and has a tag.
#[test]
fn two_ends_at_one_address_have_one_owner() {
    let here = policy(&[acl("100.64.0.3", "100.64.0.3:*")]);
    let never = |to: &str| format!(r#"[{{"never": {{"from": "ann@example.com", "to": "{to}"}}}}]"#);
    holds(&here, &never("tag:a"), &json!({}), true);
    holds(&here, &never("ann@example.com"), &json!({}), Value::Null);
}

// Whether the claim covers the rule's source depends on whose device has that address.
#[test]
fn whether_a_claim_and_a_rule_are_about_an_address_is_open_at_once() {
    let rule = policy(&[acl("100.64.0.9", "203.0.113.200:*")]);
    let guard = r#"[{"only": {"from": ["100.64.0.3", "autogroup:admin"], "to": "203.0.113.200"}}]"#;
    holds(&rule, guard, &json!({}), Value::Null);
    let named = r#"[{"only": {"from": ["100.64.0.9", "autogroup:admin"], "to": "203.0.113.200"}}]"#;
    holds(&rule, named, &json!({}), true);
}

// docs/policy-language.md#selectors: one user has one role.
#[test]
fn who_holds_one_role_holds_no_other() {
    let rule = policy(&[acl("autogroup:owner", "tag:a:*")]);
    let only =
        |role: &str| format!(r#"[{{"only": {{"from": "autogroup:{role}", "to": "tag:a"}}}}]"#);
    holds(&rule, &only("auditor"), &json!({}), false);
    holds(&rule, &only("owner"), &json!({}), true);
}

// The owner of the tailnet may be a user whose only device the claim leaves out.
#[test]
fn a_user_who_may_hold_a_role_is_at_one_of_their_devices() {
    let rule = policy(&[acl("autogroup:owner", "tag:a:*")]);
    let context = json!({"devices": [
      {"id": "1", "user": "cyd@example.com", "addresses": ["100.64.0.2"]},
      {"id": "2", "tags": ["tag:a"], "addresses": ["100.64.0.5"]},
    ]});
    let only = |from: &str| format!(r#"[{{"only": {{"from": "{from}", "to": "tag:a"}}}}]"#);
    holds(&rule, &only("100.64.0.0/29"), &context, Value::Null);
    holds(&rule, &only("100.64.0.4/30"), &context, false);
}

// docs/policy-language.md#assertions: nobody says who owns the tailnet, nor whether dee is the auditor.
#[test]
fn a_user_is_asked_about_beside_whoever_holds_a_role() {
    let rule = policy(&[acl("autogroup:owner", "autogroup:auditor:443")]);
    let context = json!({
      "users": [{"loginName": "ann@example.com"}, {"loginName": "dee@other.org"}],
      "devices": [{"id": "1", "user": "dee@other.org", "addresses": ["100.64.0.2"]}],
    });
    for to in [
        r#""user:*@other.org""#,
        r#""autogroup:owner", "user:*@other.org""#,
    ] {
        let guard = format!(r#"[{{"never": {{"from": "ann@example.com", "to": [{to}]}}}}]"#);
        holds(&rule, &guard, &context, Value::Null);
    }
}

// An empty group has nobody, and a user who holds a role is one of the users listed.
#[test]
fn a_claim_about_a_role_holds_where_it_holds_for_all_who_may_hold_it() {
    let users =
        json!({"users": [{"loginName": "ann@example.com"}, {"loginName": "bob@example.com"}]});
    let rule = policy(&[acl("tag:a", "autogroup:owner:80")]);
    let to =
        |domain: &str| format!(r#"[{{"never": {{"from": "tag:a", "to": "user:*@{domain}"}}}}]"#);
    holds(&rule, &to("example.com"), &users, false);
    holds(&rule, &to("other.org"), &users, true);
    let auditors = r#"{"groups": {"group:none": []}, "tagOwners": {"tag:a": []}, "acls": [
      {"action": "accept", "src": ["autogroup:auditor"], "dst": ["tag:a:443"]},
    ]}"#;
    let guard = r#"[{"only": {"from": "group:none", "to": "tag:a"}}]"#;
    holds(auditors, guard, &json!({}), false);
}

// docs/policy-language.md#ssh-rules: only users of that domain log in under their own name.
#[test]
fn users_log_in_under_their_own_name_only_in_their_domain() {
    let rule = r#"{"action": "accept", "src": ["dee@other.org"], "dst": ["tag:a"], "users": ["localpart:*@example.com"]}"#;
    let guard = r#"[{"never": {"from": "box", "to": "tag:a", "users": ["dee"]}}]"#;
    holds(&ssh(rule), guard, &json!({}), true);
}

// There may be a user with the name of an account, although nothing names that user.
#[test]
fn an_account_may_be_the_own_name_of_a_user_whom_nobody_names() {
    let rule = r#"{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["localpart:*@example.com"]}"#;
    let guard = |from: &str| {
        format!(r#"[{{"only": {{"from": "{from}", "to": "autogroup:self", "users": ["ann"]}}}}]"#)
    };
    holds(&ssh(rule), &guard("dee@other.org"), &json!({}), false);
    holds(&ssh(rule), &guard("ann@example.com"), &json!({}), true);
    let by_address = r#"[{"never": {"from": "box", "to": "autogroup:self", "users": ["localpart:*@example.com"]}}]"#;
    holds(&ssh(rule), by_address, &json!({}), Value::Null);
}

// Nobody has access, whoever has the address.
#[test]
fn access_that_no_rule_allows_is_false_for_an_address_too() {
    let rule = r#"{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:a"], "users": ["deploy"]}"#;
    let guard = r#"[{"always": {"from": "box", "to": "box", "users": ["deploy"]}}]"#;
    holds(&ssh(rule), guard, &json!({}), false);
}

// The roles of users are open, but a device with a tag is not a user's.
#[test]
fn a_tagged_device_is_certain_although_roles_are_open() {
    let rule = r#"{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:a"], "users": ["deploy"]}"#;
    let context = json!({"users": [{"loginName": "ann@example.com"}], "devices": [
        {"id": "1", "user": "ann@example.com", "addresses": ["100.64.0.1"], "tags": ["tag:a"]},
    ]});
    let guard = r#"[{"always": {"from": ["autogroup:admin", "tag:a"], "to": "tag:a", "users": ["deploy"]}}]"#;
    holds(&ssh(rule), guard, &context, false);
}

// It fails in each network: from `100.64.0.4` where that is the device's address, else from elsewhere. No single flow fails in
// all networks, and `explain` leaves open whether a tag reaches the address.
#[test]
fn a_claim_is_open_where_each_network_has_another_counterexample() {
    let rule = policy(&[acl("100.64.0.4", "tag:b:22")]);
    let guard = r#"[{"always": {"from": "tag:b", "to": "100.64.0.5", "ports": "22"}}]"#;
    holds(&rule, guard, &json!({}), Value::Null);
}

// Where the domains are not known, there may be others than those that the text names.
#[test]
fn there_may_be_users_of_a_domain_that_nobody_names() {
    let rule =
        r#"{"action": "accept", "src": ["autogroup:member"], "dst": ["tag:a"], "users": ["ops"]}"#;
    let guard = r#"[{"only": {"from": "user:*@other.org", "to": "tag:a", "users": ["ops"]}}]"#;
    holds(&ssh(rule), guard, &json!({}), false);
    holds(&ssh(rule), guard, &json!({"domains": ["other.org"]}), true);
}

// Nobody named is called root, but somebody may be; nonroot does not let them in as themselves.
#[test]
fn somebody_may_be_called_root() {
    let rule = r#"{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["autogroup:nonroot"]}"#;
    let guard = r#"[{"always": {"from": "*", "to": "autogroup:self", "users": ["localpart:*@example.com"]}}]"#;
    let devices = json!({"devices": [
        {"id": "1", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
    ]});
    holds(&ssh(rule), guard, &devices, false);
    let users = json!({"users": [{"loginName": "ann@example.com", "role": "member"}]});
    holds(&ssh(rule), guard, &users, true);
}

// Ann logs in to her own devices; whether one of hers is an owner's device nobody says.
#[test]
fn whoever_holds_a_role_is_perhaps_who_logs_in() {
    let rule = r#"{"action": "accept", "src": ["ann@example.com"], "dst": ["autogroup:self"], "users": ["ops"]}"#;
    let guard =
        r#"[{"only": {"from": "bob@example.com", "to": "autogroup:owner", "users": ["ops"]}}]"#;
    let device = |id: &str, user: &str| json!({"id": id, "user": user, "addresses": [format!("100.64.0.{id}"), format!("fd7a:115c:a1e0::{id}")]});
    let devices =
        json!({"devices": [device("1", "ann@example.com"), device("2", "bob@example.com")]});
    holds(&ssh(rule), guard, &json!({}), Value::Null);
    holds(&ssh(rule), guard, &devices, Value::Null);
}

// The owner may be called as the account is.
#[test]
fn whoever_holds_a_role_is_perhaps_called_as_an_account_is() {
    let rule = r#"{"action": "accept", "src": ["autogroup:member"], "dst": ["tag:a"], "users": ["localpart:*@example.com"]}"#;
    let guard = r#"[{"always": {"from": "autogroup:owner", "to": "tag:a", "users": ["deploy"]}}]"#;
    holds(&ssh(rule), guard, &json!({}), Value::Null);
    let ann = json!({"users": [{"loginName": "ann@example.com"}]});
    holds(&ssh(rule), guard, &ann, false);
}

// Whoever has an address may be a device with a tag, which is no member, or nobody's, which logs in nowhere.
#[test]
fn whoever_has_an_address_perhaps_has_a_tag() {
    let rule =
        r#"{"action": "accept", "src": ["autogroup:member"], "dst": ["tag:a"], "users": ["root"]}"#;
    let guard = r#"[{"never": {"from": "100.64.0.3", "to": "tag:a", "users": ["root"]}}]"#;
    holds(&ssh(rule), guard, &json!({}), Value::Null);
}

// Of whoever has the address: ann has no tag, and a tag is not ann. From one address to another it is open.
#[test]
fn an_address_to_itself_is_one_device() {
    let rule = r#"{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:a"], "users": ["autogroup:nonroot"]}"#;
    let guard = |to: &str| {
        format!(
            r#"[{{"always": {{"from": ["100.64.0.3", "box"], "to": "{to}", "users": ["ops"]}}}}]"#
        )
    };
    holds(&ssh(rule), &guard("100.64.0.0/29"), &json!({}), false);
    holds(&ssh(rule), &guard("100.64.0.9"), &json!({}), Value::Null);
}

// Nobody logs in to an address that no device has: ann's own login does not hold because of it.
#[test]
fn an_address_of_nobody_stands_for_no_device() {
    let context =
        json!({"devices": [], "users": [{"loginName": "ann@example.com", "role": "member"}]});
    let guard = r#"[{"always": {"from": "ann@example.com", "to": ["ann@example.com", "100.64.0.3"], "users": ["ops"]}}]"#;
    holds("{}", guard, &context, false);
}
