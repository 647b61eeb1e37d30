//! Who records which sessions of SSH, where postures decide. Must not live here: other powers (differences.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext, diff_powers};

use super::context;

/// Sessions of ann from devices with an attribute are recorded.
const RECORDED: &str = r#"{
    "tagOwners": {"tag:db": [], "tag:tape": []},
    "postures": {"posture:ok": ["custom:ok == true"]},
    "acls": [{"action": "accept", "src": ["*"], "dst": ["*:*"]}],
    "ssh": [
        {"action": "accept", "src": ["ann@example.com"], "dst": ["tag:db"], "users": ["root"], "srcPosture": ["posture:ok"],
            "recorder": ["tag:tape"]},
        {"action": "accept", "src": ["ann@example.com"], "dst": ["tag:db"], "users": ["root"]},
    ],
}"#;

fn with_attributes(attributes: Value) -> PolicyContext {
    context(json!({
        "devices": [
            {"id": "1", "name": "db", "addresses": ["100.64.0.1"], "tags": ["tag:db"]},
            {"id": "2", "name": "mac", "addresses": ["100.64.0.2"], "user": "ann@example.com"},
            {"id": "3", "name": "tape", "addresses": ["100.64.0.3"], "tags": ["tag:tape"]},
        ],
        "users": [{"loginName": "ann@example.com", "role": "member"}],
        "attributes": attributes,
    }))
}

fn changes(contexts: [&PolicyContext; 2]) -> Value {
    let document = hujson::parse(RECORDED).expect("parses");
    let policy = Policy::read(&document);
    json!(diff_powers(&policy, &policy, contexts))
}

// The session goes on by the rule without a recorder (docs/policy-language.md#postures).
#[test]
fn sessions_of_a_device_that_loses_its_posture_are_no_longer_recorded() {
    let meets = with_attributes(json!({"1": {}, "2": {"custom:ok": true}, "3": {}}));
    let fails = with_attributes(json!({"1": {}, "2": {"custom:ok": false}, "3": {}}));
    for (contexts, list) in [([&meets, &fails], "lost"), ([&fails, &meets], "gained")] {
        let found = changes(contexts);
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
        assert_eq!(found[0]["who"], "tag:tape");
        let powers = &found[0][list];
        assert_eq!(powers.as_array().map(Vec::len), Some(1), "{found}");
        assert_eq!(powers[0]["what"], "tag:db");
        assert_eq!(powers[0]["value"]["src"], json!(["mac"]));
        assert_eq!(powers[0]["value"]["users"], json!(["root"]));
    }
    assert_eq!(changes([&meets, &meets]), json!([]));
    // What nobody says of the device is undecided.
    let unknown = with_attributes(json!({"1": {}, "3": {}}));
    let found = changes([&meets, &unknown]);
    assert_eq!(
        found[0]["undecided"][0]["value"]["src"],
        json!(["mac"]),
        "{found}"
    );
}

fn rule(users: &[&str], rest: Value) -> Value {
    let mut rule =
        json!({"action": "accept", "src": ["ann@example.com"], "dst": ["tag:db"], "users": users});
    for (key, value) in rest.as_object().expect("members") {
        rule[key] = value.clone();
    }
    rule
}

/// The sessions of which accounts are recorded, or no longer, where the rules become others.
fn recorded(before: &[&Value], after: &[&Value]) -> [Vec<Value>; 2] {
    let tags = json!({"tag:db": [], "tag:tape": [], "tag:other": []});
    let texts = [before, after].map(|ssh| json!({"tagOwners": tags, "ssh": ssh}).to_string());
    let documents = texts
        .each_ref()
        .map(|text| hujson::parse(text).expect("parses"));
    let [before, after] = documents.each_ref().map(Policy::read);
    let tagged = |id: &str, tags: &[&str], address: &str| json!({"id": id, "name": id, "addresses": [address], "tags": tags});
    let context = context(json!({
        "devices": [
            tagged("db-1", &["tag:db"], "100.64.0.1"),
            tagged("db-2", &["tag:db", "tag:other"], "100.64.0.2"),
            tagged("tape", &["tag:tape"], "100.64.0.3"),
        ],
        "users": [{"loginName": "ann@example.com"}, {"loginName": "bob@example.com"}],
    }));
    let changes = json!(diff_powers(&before, &after, [&context, &context]));
    ["gained", "lost"].map(|list| {
        let all = changes.as_array().into_iter().flatten();
        let all = all.flat_map(|change| change[list].as_array().into_iter().flatten());
        all.map(|power| {
            json!([
                power["what"],
                power["value"]["src"],
                power["value"]["users"]
            ])
        })
        .collect()
    })
}

// A rule before it may decide the sessions of some users or at some devices alone.
#[test]
fn sessions_of_a_part_that_a_rule_before_it_decides_are_not_recorded() {
    let none: Vec<Value> = vec![];
    let members = json!({"src": ["autogroup:member"], "recorder": ["tag:tape"]});
    let (free, taped) = (rule(&["root"], json!({})), rule(&["root"], members));
    let anns = vec![json!(["tag:db", ["ann@example.com"], ["root"]])];
    assert_eq!(
        recorded(&[&free, &taped], &[&taped, &free]),
        [anns.clone(), none.clone()]
    );
    assert_eq!(
        recorded(&[&taped, &free], &[&free, &taped]),
        [none.clone(), anns]
    );
    let other = rule(&["root"], json!({"dst": ["tag:other"]}));
    let taped = rule(&["root"], json!({"recorder": ["tag:tape"]}));
    let second = vec![json!(["db-2", ["ann@example.com"], ["root"]])];
    assert_eq!(
        recorded(&[&other, &taped], &[&taped, &other]),
        [second.clone(), none.clone()]
    );
    assert_eq!(
        recorded(&[&taped, &other], &[&other, &taped]),
        [none, second]
    );
}

// The first rule that allows a login decides it, one with a check before the others (docs/policy-language.md#ssh-rules).
#[test]
fn sessions_that_a_rule_before_it_decides_are_not_recorded() {
    let tape = json!({"recorder": ["tag:tape"]});
    let (free, taped) = (rule(&["root"], json!({})), rule(&["root"], tape.clone()));
    let root = vec![json!(["tag:db", ["ann@example.com"], ["root"]])];
    let none: [Vec<Value>; 2] = [vec![], vec![]];
    assert_eq!(
        recorded(&[&free, &taped], &[&taped, &free]),
        [root.clone(), vec![]]
    );
    assert_eq!(
        recorded(&[&taped, &free], &[&free, &taped]),
        [vec![], root.clone()]
    );
    assert_eq!(recorded(&[&free, &taped], &[&free]), none);
    assert_eq!(recorded(&[&taped, &free], &[&free]), [vec![], root.clone()]);
    let checked = rule(&["root"], json!({"action": "check"}));
    assert_eq!(
        recorded(&[&taped, &checked], &[&taped]),
        [root.clone(), vec![]]
    );
    // What is before it at another place, or as another account, does not count.
    let elsewhere = rule(&["root"], json!({"dst": ["tag:other"]}));
    let nonroot = rule(&["autogroup:nonroot"], json!({}));
    let both = [&nonroot, &taped];
    assert_eq!(recorded(&[&taped, &nonroot], &both), none);
    assert_eq!(recorded(&[&taped], &[&elsewhere, &taped])[0], none[0]);
    let all = rule(&["root", "ops"], tape);
    assert_eq!(recorded(&[&nonroot, &all], &[&nonroot]), [vec![], root]);
}

// A rule before it may decide the sessions under some of the accounts that `autogroup:nonroot` takes in.
#[test]
fn sessions_of_one_account_that_a_rule_before_it_decides_are_not_recorded() {
    let taped = rule(
        &["root", "autogroup:nonroot"],
        json!({"recorder": ["tag:tape"]}),
    );
    let free = rule(&["ubuntu"], json!({}));
    let ubuntu = vec![json!(["tag:db", ["ann@example.com"], ["ubuntu"]])];
    for without in [&[&taped][..], &[&taped, &free]] {
        let with = [&free, &taped];
        assert_eq!(recorded(without, &with), [vec![], ubuntu.clone()]);
        assert_eq!(recorded(&with, without), [ubuntu.clone(), vec![]]);
    }
    let all = ["root", "autogroup:nonroot"];
    let all = vec![json!(["tag:db", ["ann@example.com"], all])];
    let none = vec![];
    assert_eq!(recorded(&[], &[&taped, &free]), [all, none.clone()]);
    let but = ["root", "autogroup:nonroot but ubuntu"];
    let but = vec![json!(["tag:db", ["ann@example.com"], but])];
    assert_eq!(recorded(&[], &[&free, &taped]), [but, none]);
}

// Whoever logs in under the own name may do so to the own devices, too, by the same rule (docs/policy-language.md#ssh-rules).
#[test]
fn sessions_to_own_devices_are_recorded_by_a_rule_under_the_own_name() {
    let to_self = json!({"dst": ["autogroup:self"], "recorder": ["tag:tape"]});
    let taped = rule(&["autogroup:nonroot"], to_self);
    let own = rule(&["ubuntu", "localpart:*@example.com"], json!({}));
    let names = vec![json!([
        "autogroup:self",
        ["ann@example.com"],
        ["ubuntu", "localpart:*@example.com"]
    ])];
    let none = vec![];
    assert_eq!(
        recorded(&[&taped], &[&own, &taped]),
        [none.clone(), names.clone()]
    );
    assert_eq!(
        recorded(&[&own, &taped], &[&taped, &own]),
        [names, none.clone()]
    );
    let own = rule(
        &["localpart:*@example.com"],
        json!({"recorder": ["tag:tape"]}),
    );
    let [found, _] = recorded(&[], &[&own]);
    let places: Vec<&Value> = found.iter().map(|it| &it[0]).collect();
    assert_eq!(places, ["autogroup:self", "tag:db"]);
}

/// Whose sessions may be recorded, or no longer, where the rules become others.
fn undecided(before: [&Value; 2], after: [&Value; 2], context: &PolicyContext) -> Vec<Value> {
    let texts = [before, after].map(|ssh| {
        json!({
            "tagOwners": {"tag:db": [], "tag:tape": []},
            "postures": {"posture:ok": ["custom:ok == true"], "posture:low": ["custom:level >= 1"]},
            "ssh": ssh,
        })
        .to_string()
    });
    let documents = texts
        .each_ref()
        .map(|text| hujson::parse(text).expect("parses"));
    let [before, after] = documents.each_ref().map(Policy::read);
    let changes = json!(diff_powers(&before, &after, [context; 2]));
    let all = changes.as_array().expect("a list").iter();
    all.map(|it| {
        assert_eq!(
            (&it["gained"], &it["lost"]),
            (&json!([]), &json!([])),
            "{it}"
        );
        it["undecided"][0]["value"]["src"].clone()
    })
    .collect()
}

// The rule before it decides the sessions from devices with the posture, and it those from others (docs/policy-language.md#ssh-rules).
#[test]
fn sessions_that_a_rule_with_a_posture_may_decide_may_no_longer_be_recorded() {
    let tape = json!({"recorder": ["tag:tape"]});
    let low = json!({"recorder": ["tag:tape"], "srcPosture": ["posture:low"]});
    let posture = rule(&["root"], json!({"srcPosture": ["posture:ok"]}));
    let anns = vec![json!(["ann@example.com"])];
    let unknown = with_attributes(json!({"1": {}, "3": {}}));
    for recorded in [tape, low] {
        let taped = rule(&["root"], recorded);
        for context in [&PolicyContext::default(), &unknown] {
            let (first, last) = ([&posture, &taped], [&taped, &posture]);
            assert_eq!(undecided(first, last, context), anns);
            assert_eq!(undecided(last, first, context), anns);
            assert_eq!(undecided(first, first, context), Vec::<Value>::new());
        }
    }
}

// Whether somebody is in a group that an identity provider syncs is unknown, so whether the rule for it decides is, too.
#[test]
fn sessions_that_a_rule_for_unknown_members_may_decide_may_no_longer_be_recorded() {
    let rule = |source: &str, rest: Value| {
        let mut rest = rest;
        rest["src"] = json!([source]);
        rule(&["root"], rest)
    };
    let nothing_known = PolicyContext::default();
    let undecided =
        |before: [&Value; 2], after: [&Value; 2]| undecided(before, after, &nothing_known);
    let tape = json!({"recorder": ["tag:tape"]});
    let (ann, synced) = ("ann@example.com", "group:ops@example.com");
    for (taped, free) in [(ann, synced), (synced, ann)] {
        let [taped, free] = [rule(taped, tape.clone()), rule(free, json!({}))];
        let anns = vec![json!([ann])];
        assert_eq!(undecided([&taped, &free], [&free, &taped]), anns);
        assert_eq!(undecided([&free, &taped], [&taped, &free]), anns);
        assert_eq!(
            undecided([&free, &taped], [&free, &taped]),
            Vec::<Value>::new()
        );
    }
}
