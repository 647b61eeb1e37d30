//! Groups that an identity provider fills, worked out from docs/policy-language.md#groups: their members are unknown unless a
//! context names them. Must not live here: groups that a policy defines.

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{By, Flow, Policy, PolicyContext, check};

const TEXT: &str = r#"{
  "groups": {"group:ops": ["ann@example.com"]},
  "tagOwners": {"tag:db": [], "tag:web": []},
  "acls": [
    {"action": "accept", "src": ["group:eng@example.com"], "dst": ["tag:db:5432"]},
    {"action": "accept", "src": ["group:ops"], "dst": ["tag:web:443", "group:eng@example.com:22"]},
  ],
  "ssh": [{"action": "accept", "src": ["group:eng@example.com"], "dst": ["tag:db"], "users": ["root"]}],
}"#;

const MEMBERS: &str = r#"{"groups": {"group:eng@example.com": [" bob@example.com "]}}"#;

fn devices() -> Value {
    json!([
        {"id": "1", "hostname": "ann", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "2", "hostname": "bob", "user": "bob@example.com", "addresses": ["100.64.0.2"]},
        {"id": "3", "hostname": "db", "tags": ["tag:db"], "addresses": ["100.64.0.3"]},
        {"id": "4", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.4"]},
    ])
}

fn context(groups: Value, devices: Value) -> PolicyContext {
    serde_json::from_value(json!({"groups": groups, "devices": devices})).expect("a context")
}

fn explain(text: &str, context: &PolicyContext, from: &str, to: &str) -> Value {
    let document = hujson::parse(text).expect("HuJSON");
    let policy = Policy::read(&document);
    policy.accept(context).expect("a document that has answers");
    let flow = Flow::new(&from.parse().expect("a name"), to, None).expect("a flow");
    json!(policy.explain(&flow, context).expect("an answer"))
}

#[track_caller]
fn assert_verdict(context: &PolicyContext, from: &str, to: &str, verdict: &str) {
    let found = explain(TEXT, context, from, to);
    assert_eq!(found["verdict"], verdict, "{from} to {to}: {found}");
}

#[test]
fn without_members_nobody_is_told_to_be_in_the_group_or_not() {
    for context in [
        PolicyContext::default(),
        context(Value::Null, devices()),
        PolicyContext::read(
            r#"{"users": [{"loginName": "ann@example.com"}, {"loginName": "bob@example.com"}]}"#,
        )
        .expect("a context"),
    ] {
        assert_verdict(&context, "bob@example.com", "tag:db:5432", "unknown");
        assert_verdict(&context, "ann@example.com", "bob@example.com:22", "unknown");
        assert_verdict(&context, "bob@example.com", "tag:db:80", "denied");
        // A tagged device is in no group.
        assert_verdict(&context, "tag:web", "tag:db:5432", "denied");
        assert_verdict(&context, "ann@example.com", "tag:db:22", "denied");
        // What is said of the group is certain for whoever is in it.
        assert_verdict(&context, "group:eng@example.com", "tag:db:5432", "allowed");
        assert_verdict(&context, "group:eng@example.com", "tag:db:80", "denied");
        assert_verdict(&context, "group:eng@example.com", "tag:web:443", "unknown");
        assert_verdict(&context, "group:ops", "group:eng@example.com:22", "allowed");
        // The one may be the other.
        assert_verdict(&context, "group:all@example.com", "tag:db:5432", "unknown");
        let asked = explain(TEXT, &context, "bob@example.com", "tag:db:5432");
        assert_eq!(asked["unresolved"], json!(["group:eng@example.com"]));
    }
}

#[test]
fn the_members_of_a_context_decide() {
    for devices in [Value::Null, devices()] {
        let known = context(
            json!({"group:eng@example.com": [" bob@example.com "]}),
            devices,
        );
        assert_verdict(&known, "bob@example.com", "tag:db:5432", "allowed");
        assert_verdict(&known, "ann@example.com", "tag:db:5432", "denied");
        assert_verdict(&known, "ann@example.com", "bob@example.com:22", "allowed");
        assert_verdict(&known, "group:eng@example.com", "tag:db:5432", "allowed");
        assert_verdict(&known, "group:eng@example.com", "tag:web:443", "denied");
    }
}

#[test]
fn a_group_that_is_not_among_those_of_the_context_is_not_synced_and_has_nobody() {
    let none = context(json!({}), devices());
    assert_verdict(&none, "bob@example.com", "tag:db:5432", "denied");
    let asked = explain(TEXT, &none, "group:eng@example.com", "tag:db:5432");
    assert_eq!(asked["unresolved"], json!(["group:eng@example.com"]));
}

#[test]
fn a_group_of_the_policy_is_the_policys_whatever_a_context_says() {
    let other = context(json!({"group:ops": ["bob@example.com"]}), devices());
    assert_verdict(&other, "bob@example.com", "tag:web:443", "denied");
    assert_verdict(&other, "ann@example.com", "tag:web:443", "allowed");
}

#[test]
fn filters_and_ssh_rules_have_the_members_that_are_known() {
    let document = hujson::parse(TEXT).expect("HuJSON");
    let policy = Policy::read(&document);
    let known = context(
        json!({"group:eng@example.com": ["bob@example.com"]}),
        devices(),
    );
    for (context, wanted) in [
        (known, vec!["100.64.0.2"]),
        (context(Value::Null, devices()), vec![]),
    ] {
        let filters = policy.filters(&context);
        let from = filters[2].iter().flat_map(|rule| rule.src.iter());
        let from: Vec<String> = from.map(ToString::to_string).collect();
        assert_eq!(from, wanted);
        let logins = json!(policy.ssh_rules(&context));
        let rules = logins["3"].as_array().expect("a list");
        assert_eq!(rules.len(), wanted.len());
    }
}

#[test]
fn access_has_a_row_for_the_group_itself_or_for_its_members() {
    let document = hujson::parse(TEXT).expect("HuJSON");
    let policy = Policy::read(&document);
    let sources = |context: &PolicyContext| -> Vec<String> {
        let matrix = policy.access(context, By::Name).expect("a matrix");
        let names = matrix.sources.iter().map(|party| party.name.clone());
        names.collect()
    };
    let open = sources(&PolicyContext::default());
    assert!(
        open.contains(&"group:eng@example.com".to_owned()),
        "{open:?}"
    );
    let known = sources(&PolicyContext::read(MEMBERS).expect("a context"));
    assert!(known.contains(&"bob@example.com".to_owned()), "{known:?}");
    assert!(
        !known.contains(&"group:eng@example.com".to_owned()),
        "{known:?}"
    );
}

#[test]
fn a_test_about_the_group_is_undecided() {
    let text = r#"{
      "tagOwners": {"tag:db": []},
      "acls": [{"action": "accept", "src": ["group:eng@example.com"], "dst": ["tag:db:5432"]}],
      "tests": [
        {"src": "group:eng@example.com", "accept": ["tag:db:5432"]},
        {"src": "bob@example.com", "deny": ["tag:db:5432"]},
        {"src": "group:eng@example.com", "accept": ["tag:db:80"]},
        {"src": "bob@example.com", "accept": ["tag:db:80"]},
      ],
    }"#;
    let document = hujson::parse(text).expect("HuJSON");
    let policy = Policy::read(&document);
    let passed = |context: &PolicyContext| -> Vec<Option<bool>> {
        let report = policy.run_tests(context);
        report.results.iter().map(|result| result.passed).collect()
    };
    let no = Some(false);
    assert_eq!(passed(&PolicyContext::default()), [None, None, no, no]);
    let known = PolicyContext::read(MEMBERS).expect("a context");
    assert_eq!(passed(&known), [Some(true), no, no, no]);
}

#[test]
fn what_is_said_of_a_group_depends_on_what_is_known() {
    let said = |json: &str| -> Vec<String> {
        let context = PolicyContext::read(json).expect("a context");
        let document = check(TEXT, &context);
        let issues = document.issues.iter();
        let issues = issues.filter(|issue| issue.code == "unsynced_group");
        issues.map(|issue| issue.message.clone()).collect()
    };
    let open = said("{}");
    assert_eq!(open.len(), 3, "{open:?}");
    let words = "\"group:eng@example.com\": members unknown: an identity provider would have to sync this group";
    assert_eq!(open.first().map(String::as_str), Some(words));
    assert_eq!(said(MEMBERS), Vec::<String>::new());
    // In the service's words.
    let missing = said(r#"{"groups": {"group:other@example.com": []}}"#);
    let words = "\"group:eng@example.com\": group is not syncing from SCIM and will be ignored by rules in the policy file";
    assert_eq!(missing.first().map(String::as_str), Some(words));
}

// Who is an admin is known: only who is in the group is not, and `users` would not say it.
#[test]
fn whoever_may_be_in_a_group_is_decided_by_its_members() {
    let role =
        |name: &str, role: &str| json!({"loginName": format!("{name}@example.com"), "role": role});
    let known = json!({
        "devices": devices(),
        "users": [role("ann", "admin"), role("bob", "member")],
        "groups": {"group:eng@example.com": ["ann@example.com"]},
    });
    let mut without = known.clone();
    without["groups"] = Value::Null;
    for src in ["autogroup:admin", "user:*@example.com"] {
        let rules = [
            json!({"action": "accept", "src": [src], "dst": ["tag:db:22"]}),
            json!({"action": "accept", "src": ["group:eng@example.com"], "dst": ["tag:web:80"]}),
        ];
        let text = json!({"tagOwners": {"tag:db": [], "tag:web": []}, "acls": rules}).to_string();
        let review = crate::silence::reviewed(&text, &text, [&known, &without]);
        let changes = review["access"].as_array().expect("changes");
        let all = changes
            .iter()
            .flat_map(|it| it["undecided"].as_array().expect("a list"));
        let (mut count, why) = (0, "the members of group:eng@example.com are not known");
        for reach in all {
            count += 1;
            assert_eq!(
                (&reach["why"], &reach["needs"]),
                (&json!(why), &json!(["groups"])),
                "{src}: {reach}"
            );
        }
        assert!(count > 0, "{src}: {review}");
    }
}

// A group that the context lists is no misspelt one: what nothing uses is said beside it as well.
#[test]
fn what_nothing_uses_is_said_beside_a_group_of_the_context() {
    let text = r#"{"hosts": {"old": "10.0.0.1"}, "acls": [{"action": "accept", "src": ["group:okta"], "dst": ["10.0.0.2:22"]}]}"#;
    let context = serde_json::from_value(json!({"groups": {"group:okta": ["ann@example.com"]}}));
    let document = hujson::parse(text).expect("HuJSON");
    let check = Policy::read(&document).check(&context.expect("a context"));
    let unused = check
        .issues
        .iter()
        .find(|issue| issue.code == "unused_name");
    let said = unused.map(|issue| issue.message.as_str());
    assert_eq!(said, Some(r#"nothing uses "old""#), "{:?}", check.issues);
}

/// A rule of the group, which the document defines or not; what a review of the one and the other says of it, and by the text alone.
fn of_definition(is_defined: [bool; 2], dst: &str) -> [Vec<String>; 2] {
    let text = |is_defined: bool| {
        let rule = json!({"action": "accept", "src": ["group:eng@example.com"], "dst": [dst]});
        let mut text = json!({"tagOwners": {"tag:db": [], "tag:web": []}, "acls": [rule]});
        if is_defined {
            text["groups"] = json!({"group:eng@example.com": ["ann@example.com"]});
        }
        text.to_string()
    };
    let [before, after] = is_defined.map(text);
    let users = json!([{"loginName": "ann@example.com"}, {"loginName": "bob@example.com"}]);
    let known = json!({"devices": devices(), "users": users});
    [known, json!({})].map(|context| {
        let summary = crate::worded::summary(&before, &after, &context);
        let is_said = |line: &&str| {
            line.starts_with("**")
                || line.contains("ann@")
                || line.contains("group:eng@example.com` ")
        };
        let lines = summary.lines().filter(is_said);
        lines
            .map(|line| line.split(" (").next().unwrap_or_default().to_owned())
            .collect()
    })
}

// docs/policy-language.md#groups: whoever is in the synced group of the one document need not be in that of the other.
#[test]
fn whoever_was_in_a_group_that_is_defined_now_may_lose_what_it_opens() {
    let [known, by_text] = of_definition([false, true], "tag:db:22");
    assert_eq!(
        known,
        [
            "**3 undecided**",
            "- `ann@example.com` may gain `tag:db` on `22`",
            "- `bob@example.com`, `group:eng@example.com` may lose `tag:db` on `22`",
        ]
    );
    assert_eq!(
        by_text,
        [
            "**1 gains access, 1 undecided**",
            "- `ann@example.com` reaches `tag:db` on `22` — acls[0] line 1",
            "- `group:eng@example.com` may lose `tag:db` on `22`",
        ]
    );
}

#[test]
fn whoever_is_in_a_group_whose_definition_goes_gains_what_it_opens_and_a_headline_counts_no_loss_that_is_undecided()
 {
    let [known, by_text] = of_definition([true, false], "*:*");
    assert_eq!(
        known,
        [
            "**3 undecided, 1 new warning**",
            "- `bob@example.com`, `group:eng@example.com` may gain everything",
            "- `ann@example.com` may lose everything",
        ]
    );
    assert_eq!(
        by_text,
        [
            "**1 gains access, 1 undecided, 1 new warning**",
            "- `group:eng@example.com` reaches everything",
            "- `ann@example.com` may lose everything",
        ]
    );
}

// Who is in both groups had it with the posture, whoever is not had nothing: "before only with" would say that all had it.
#[test]
fn what_only_members_of_another_group_perhaps_had_on_a_condition_was_there_at_most() {
    let text = |is_new: bool| {
        let grant = |from: &str, more: Value| {
            let grant = json!({"src": [from], "dst": ["tag:db"], "ip": ["22"]});
            crate::summaries::with(grant, more)
        };
        let mut grants = vec![grant(
            "group:ops@example.com",
            json!({"srcPosture": ["posture:x"]}),
        )];
        grants.extend(is_new.then(|| grant("group:eng@example.com", json!({}))));
        let postures = r#"{"posture:x": ["node:os == 'linux'"]}"#;
        format!(
            r#"{{"tagOwners": {{"tag:db": []}}, "postures": {postures}, "grants": [{}]}}"#,
            grants.join(", ")
        )
    };
    let context = json!({"devices": devices(), "users": [{"loginName": "ann@example.com"}]});
    let review = crate::worded::told(&text(false), &text(true), &context);
    let summary = review["summary"].as_str().expect("a text");
    let line =
        "- `group:eng@example.com` reaches `tag:db` on `22`, before at most with `posture:x`";
    assert!(summary.contains(line), "{summary}");
    let changes = review["access"].as_array().expect("changes");
    let group = changes
        .iter()
        .find(|it| it["source"] == "group:eng@example.com");
    let unless = &group.expect("a change")["gained"][0]["opens"][0]["unless"];
    assert_eq!(*unless, json!({"postures": ["posture:x"], "perhaps": true}));
}
