//! Who gains and who loses logins between two documents, worked out from docs/policy-language.md#ssh-rules.
//! Must not live here: the rules that devices receive (tests/policy/filters.rs), access to the network
//! (tests/policy/diff_access.rs).

use proptest::prelude::*;
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext, SshChange, SshReach, diff_ssh};

use crate::effort::Effort;

fn changes_in(before: &str, after: &str, context: &PolicyContext) -> Vec<SshChange> {
    let (before, after) = (hujson::parse(before), hujson::parse(after));
    let (before, after) = (before.expect("parses"), after.expect("parses"));
    diff_ssh(&Policy::read(&before), &Policy::read(&after), context)
}

/// Each change in one line: the source, `+` or `-`, the destination, the action and the accounts.
fn lines(changes: &[SshChange]) -> Vec<String> {
    let mut lines = Vec::new();
    for change in changes {
        for (list, sign) in [(&change.gained, "+"), (&change.lost, "-")] {
            for reach in list {
                let action = json!(reach.action);
                let action = action.as_str().expect("a text");
                let (from, to) = (&change.source, &reach.destination);
                let part = reach.part.as_ref().map_or(String::new(), |part| {
                    format!(" part {}>{}", part.from.text(), part.to.text())
                });
                let users = reach.users.join(",");
                lines.push(format!("{from} {sign} {to} {action} {users}{part}"));
            }
        }
        for checked in &change.checked {
            let reach = &checked.reach;
            let (from, to) = (&change.source, &reach.destination);
            let now = json!(checked.now);
            let (now, users) = (now.as_str().expect("a text"), reach.users.join(","));
            lines.push(format!("{from} {now} {to} {users}"));
        }
    }
    lines
}

const TOP: &str = r#""groups": {"group:ops": ["alice@example.com", "bob@example.com"]},
  "tagOwners": {"tag:web": [], "tag:db": []}, "postures": {"posture:new": ["node:os == 'linux'"]}"#;

fn with_rules(rules: &[Value]) -> String {
    format!("{{{TOP},\n\"ssh\": {}}}", json!(rules))
}

fn rule(action: &str, from: &str, to: &str, users: &[&str]) -> Value {
    json!({"action": action, "src": [from], "dst": [to], "users": users})
}

fn with(rule: Value, key: &str, value: Value) -> Value {
    let mut rule = rule;
    rule[key] = value;
    rule
}

#[track_caller]
fn assert_changes_in(
    before: &[Value],
    after: &[Value],
    context: &PolicyContext,
    expected: &[&str],
) {
    let (before, after) = (with_rules(before), with_rules(after));
    assert_eq!(lines(&changes_in(&before, &after, context)), expected);
    // A gain is a loss in the other direction.
    let mut swapped = Vec::new();
    for mut change in changes_in(&after, &before, context) {
        std::mem::swap(&mut change.gained, &mut change.lost);
        swapped.push(change);
    }
    // What is tighter is looser in the other direction.
    let there = lines(&changes_in(&before, &after, context));
    let turned = |line: &String| match line.contains(" looser ") {
        true => line.replace(" looser ", " tighter "),
        false => line.replace(" tighter ", " looser "),
    };
    let back: Vec<String> = lines(&swapped).iter().map(turned).collect();
    assert_eq!(back, there);
    assert_eq!(changes_in(&after, &after, context), []);
}

#[track_caller]
fn assert_changes(before: &[Value], after: &[Value], expected: &[&str]) {
    assert_changes_in(before, after, &PolicyContext::default(), expected);
}

#[test]
fn a_change_says_who_where_as_whom_and_by_which_rule() {
    let after = with_rules(&[rule(
        "check",
        "alice@example.com",
        "tag:web",
        &["root", "ubuntu"],
    )]);
    let changes = changes_in(&with_rules(&[]), &after, &PolicyContext::default());
    assert_eq!(
        json!(changes),
        json!([{
            "source": "alice@example.com",
            "party": {"kind": "user", "name": "alice@example.com"},
            "gained": [{
                "destination": "tag:web",
                "party": {"kind": "tag", "name": "tag:web"},
                "users": ["root", "ubuntu"],
                "action": "check",
                "network": true,
                "because": [{"section": "ssh", "index": 0, "line": 3}],
            }],
            "lost": [], "checked": [], "undecided": [],
        }])
    );
}

#[test]
fn groups_are_taken_apart() {
    assert_changes(
        &[],
        &[rule("accept", "group:ops", "tag:web", &["root"])],
        &[
            "alice@example.com + tag:web accept root",
            "bob@example.com + tag:web accept root",
        ],
    );
}

#[test]
fn a_rule_split_or_merged_or_moved_changes_nothing() {
    let web = rule("accept", "group:ops", "tag:web", &["root", "ubuntu"]);
    let split = [
        rule("accept", "alice@example.com", "tag:web", &["root"]),
        rule("accept", "bob@example.com", "tag:web", &["ubuntu", "root"]),
        rule("accept", "alice@example.com", "tag:web", &["ubuntu"]),
    ];
    assert_changes(std::slice::from_ref(&web), &split, &[]);
    let db = rule("accept", "group:ops", "tag:db", &["root"]);
    assert_changes(&[web.clone(), db.clone()], &[db, web], &[]);
}

#[test]
fn a_login_without_its_check_is_the_same_login_looser() {
    assert_changes(
        &[rule("check", "alice@example.com", "tag:web", &["root"])],
        &[rule("accept", "alice@example.com", "tag:web", &["root"])],
        &["alice@example.com looser tag:web root"],
    );
}

#[test]
fn a_check_comes_before_what_accepts() {
    let accept = rule(
        "accept",
        "alice@example.com",
        "tag:web",
        &["autogroup:nonroot"],
    );
    let check = rule("check", "alice@example.com", "tag:web", &["ubuntu"]);
    assert_changes(
        std::slice::from_ref(&accept),
        &[accept.clone(), check.clone()],
        &["alice@example.com tighter tag:web ubuntu"],
    );
    let all = rule(
        "check",
        "alice@example.com",
        "tag:web",
        &["autogroup:nonroot"],
    );
    assert_changes(std::slice::from_ref(&all), &[all.clone(), accept], &[]);
}

// A rule with `localpart:` opens the source's own devices too, if there is a device with its tag, which the text presumes.
#[test]
fn a_login_that_needs_a_check_from_now_on_is_not_gained_whatever_another_rule_presumes() {
    let edr = |rule| with(rule, "srcPosture", json!(["posture:new"]));
    let own = |action| {
        edr(rule(
            action,
            "bob@example.com",
            "autogroup:self",
            &["deploy"],
        ))
    };
    let named = ["deploy", "localpart:*@example.org"];
    let before = [
        rule("accept", "bob@example.com", "tag:db", &named),
        own("accept"),
    ];
    let after = [own("check")];
    let (tag, itself) = ("tag:db accept deploy", "autogroup:self accept deploy");
    let expected = |sign, now| {
        [
            format!("bob@example.com {sign} {itself}"),
            format!("bob@example.com {sign} {tag}"),
            format!("bob@example.com {now} autogroup:self deploy"),
        ]
    };
    for (rules, sign, now) in [
        ([&before[..], &after], "-", "tighter"),
        ([&after, &before], "+", "looser"),
    ] {
        let [one, other] = rules.map(with_rules);
        let changes = changes_in(&one, &other, &PolicyContext::default());
        let mut found = lines(&changes);
        found.sort_unstable();
        let mut expected = expected(sign, now);
        expected.sort_unstable();
        assert_eq!(found, expected);
        assert!(changes.iter().all(|change| change.undecided.is_empty()));
    }
}

#[test]
fn any_account_but_root_covers_each_other_one() {
    let one = rule("accept", "alice@example.com", "tag:web", &["ubuntu"]);
    let any = rule(
        "accept",
        "alice@example.com",
        "tag:web",
        &["autogroup:nonroot"],
    );
    let root = rule(
        "accept",
        "alice@example.com",
        "tag:web",
        &["autogroup:nonroot", "root"],
    );
    assert_changes(
        &[one],
        std::slice::from_ref(&any),
        &["alice@example.com + tag:web accept autogroup:nonroot but ubuntu"],
    );
    assert_changes(
        &[any],
        &[root],
        &["alice@example.com + tag:web accept root"],
    );
}

#[test]
fn a_posture_that_is_no_longer_required_is_a_gain() {
    let free = rule("accept", "alice@example.com", "tag:web", &["root"]);
    let asked = with(free.clone(), "srcPosture", json!(["posture:new"]));
    assert_changes(
        std::slice::from_ref(&asked),
        std::slice::from_ref(&free),
        &["alice@example.com + tag:web accept root"],
    );
    assert_changes(
        &[],
        std::slice::from_ref(&asked),
        &["alice@example.com + tag:web accept root"],
    );
    assert_changes(std::slice::from_ref(&free), &[asked, free.clone()], &[]);
}

/// Whoever a rule by name lets in, their own devices receive it, too (docs/policy-language.md#ssh-rules).
#[test]
fn a_login_under_the_own_name_is_a_change_for_each_user() {
    assert_changes(
        &[],
        &[rule(
            "accept",
            "group:ops",
            "tag:web",
            &["localpart:*@example.com"],
        )],
        &[
            "alice@example.com + tag:web accept alice",
            // The source's own devices receive the rule too.
            "alice@example.com + autogroup:self accept alice",
            "bob@example.com + tag:web accept bob",
            "bob@example.com + autogroup:self accept bob",
        ],
    );
    assert_changes(
        &[],
        &[rule(
            "accept",
            "user:*@example.com",
            "tag:web",
            &["localpart:*@example.com"],
        )],
        &[
            "alice@example.com + tag:web accept alice",
            "alice@example.com + autogroup:self accept alice",
            "bob@example.com + tag:web accept bob",
            "bob@example.com + autogroup:self accept bob",
            "user:*@example.com + tag:web accept localpart:*@example.com",
            "user:*@example.com + autogroup:self accept localpart:*@example.com",
        ],
    );
}

#[test]
fn a_login_to_one_tag_is_not_new_where_all_tags_get_it() {
    assert_changes(
        &[rule("accept", "alice@example.com", "tag:web", &["root"])],
        &[rule(
            "accept",
            "alice@example.com",
            "autogroup:tagged",
            &["root"],
        )],
        &[
            "alice@example.com + tag:db accept root",
            "alice@example.com + autogroup:tagged accept root",
        ],
    );
}

/// Alice has two devices, bob one; two tagged ones.
fn devices() -> PolicyContext {
    let device = |id: &str, hostname: &str, owner: (&str, Value), address: &str| {
        let mut device = json!({"id": id, "hostname": hostname, "addresses": [address]});
        device[owner.0] = owner.1;
        device
    };
    let user = |login: &str| ("user", json!(login));
    let devices = json!([
        device("901", "laptop", user("alice@example.com"), "100.64.0.1"),
        device("902", "phone", user("alice@example.com"), "100.64.0.2"),
        device("903", "desk", user("bob@example.com"), "100.64.0.3"),
        device("904", "web-1", ("tags", json!(["tag:web"])), "100.64.0.4"),
        device(
            "905",
            "web-2",
            ("tags", json!(["tag:web", "tag:db"])),
            "100.64.0.5"
        ),
    ]);
    serde_json::from_value(json!({"devices": devices})).expect("a context")
}

#[test]
fn devices_are_listed_by_their_users_and_tags() {
    assert_changes_in(
        &[],
        &[rule("accept", "autogroup:member", "tag:db", &["root"])],
        &devices(),
        &[
            "alice@example.com + tag:db accept root",
            "bob@example.com + tag:db accept root",
        ],
    );
    assert_changes_in(
        &[],
        &[rule("accept", "carol@example.com", "tag:web", &["root"])],
        &devices(),
        &["carol@example.com + tag:web accept root"],
    );
}

#[test]
fn own_devices_are_those_of_the_same_user() {
    let own = rule("check", "autogroup:member", "autogroup:self", &["root"]);
    assert_changes_in(
        &[],
        std::slice::from_ref(&own),
        &devices(),
        &[
            "alice@example.com + autogroup:self check root",
            "bob@example.com + autogroup:self check root",
        ],
    );
    assert_changes(
        &[],
        &[own],
        &[
            "alice@example.com + autogroup:self check root",
            "bob@example.com + autogroup:self check root",
            "autogroup:member + autogroup:self check root",
        ],
    );
}

#[test]
fn a_thousand_rules_and_devices_take_little_time() {
    let (mut before, mut devices) = (Vec::new(), Vec::new());
    for at in 0..1000 {
        let login = format!("user{}@example.com", at % 500);
        devices.push(json!({"id": at.to_string(), "user": login, "addresses": [format!("100.64.{}.{}", at / 250, at % 250)]}));
        before.push(rule("accept", &login, "autogroup:member", &["root"]));
        before.push(rule(
            "accept",
            "autogroup:member",
            "autogroup:self",
            &["localpart:*@example.com"],
        ));
    }
    let mut after = before.clone();
    after.truncate(1990);
    let context = serde_json::from_value(json!({"devices": devices})).expect("a context");
    let effort = Effort::begin();
    let changes = changes_in(&with_rules(&before), &with_rules(&after), &context);
    // Rules 1990 to 1998 are there twice: they are for the first five hundred users again.
    assert_eq!(lines(&changes), Vec::<String>::new());
    after.truncate(980);
    let changes = changes_in(&with_rules(&before), &with_rules(&after), &context);
    assert_eq!(changes.len(), 10);
    assert!(effort.so_far().as_secs() < 20, "{:?}", effort.so_far());
}

const SOURCES: [&str; 3] = ["alice@example.com", "bob@example.com", "tag:web"];
const TARGETS: [&str; 2] = ["tag:web", "tag:db"];
/// `zed` is an account that no rule names.
const ACCOUNTS: [&str; 4] = ["root", "ubuntu", "alice", "zed"];

/// For each source, target and account in order: `check`, `accept` or nothing, by the results of `sshTests`.
fn allowed(rules: &[Value]) -> Vec<&'static str> {
    let mut tests = Vec::new();
    for source in SOURCES {
        for target in TARGETS {
            for account in ACCOUNTS {
                for way in ["check", "accept"] {
                    tests.push(json!({"src": source, "dst": [target], way: [account]}));
                }
            }
        }
    }
    let text = format!(
        "{{{TOP}, \"ssh\": {}, \"sshTests\": {}}}",
        json!(rules),
        json!(tests)
    );
    let document = hujson::parse(&text).expect("parses");
    let report = Policy::read(&document).run_tests(&PolicyContext::default());
    let passed: Vec<bool> = report
        .results
        .iter()
        .map(|test| test.passed == Some(true))
        .collect();
    let way = |both: &[bool]| match both {
        [true, _] => "check",
        [_, true] => "accept",
        _ => "",
    };
    passed.chunks(2).map(way).collect()
}

fn any_rule() -> impl Strategy<Value = Value> {
    let some = |names: &'static [&'static str]| prop::sample::subsequence(names, 1..=2);
    let from = some(&[
        "alice@example.com",
        "bob@example.com",
        "group:ops",
        "tag:web",
        "autogroup:member",
        "user:*@example.com",
    ]);
    let to = some(&["tag:web", "tag:db", "autogroup:tagged", "autogroup:self"]);
    let users = some(&[
        "root",
        "ubuntu",
        "autogroup:nonroot",
        "localpart:*@example.com",
    ]);
    (prop::bool::ANY, from, to, users).prop_map(|(check, from, to, users)| {
        let action = if check { "check" } else { "accept" };
        json!({"action": action, "src": from, "dst": to, "users": users})
    })
}

/// Whether an account is meant by a text of the answer.
fn includes(users: &str, account: &str) -> bool {
    match users.strip_prefix("autogroup:nonroot") {
        Some(but) => {
            let mut but = but.trim_start_matches(" but ").split(", ");
            account != "root" && !but.any(|name| name == account)
        }
        None => users == account,
    }
}

// Which of both documents names somebody first says nothing.
#[test]
fn who_is_excepted_stands_in_one_order_both_ways() {
    let rule = r#", "ssh": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:member"], "users": ["localpart:*@example.com"]}]"#;
    let [before, after] = [("ann", ""), ("cyd", rule)].map(|(member, rules)| {
        format!(r#"{{"groups": {{"group:a": ["{member}@example.com"]}}{rules}}}"#)
    });
    let texts = [&before, &after];
    let parts = [[0, 1], [1, 0]].map(|[from, to]| {
        let changes = changes_in(texts[from], texts[to], &PolicyContext::default());
        let reaches = changes
            .iter()
            .flat_map(|it| it.gained.iter().chain(&it.lost));
        reaches.filter_map(|it| it.part.clone()).collect::<Vec<_>>()
    });
    assert!(!parts[0].is_empty());
    assert_eq!(parts[0], parts[1]);
}

proptest! {
    /// A login that only the later document allows is gained; one that only the earlier document allows is lost.
    #[test]
    fn gains_and_losses_are_those_of_ssh_tests(
        before in prop::collection::vec(any_rule(), 0..5),
        after in prop::collection::vec(any_rule(), 0..5),
    ) {
        let (old, new) = (allowed(&before), allowed(&after));
        let changes = changes_in(&with_rules(&before), &with_rules(&after), &PolicyContext::default());
        let mut at = 0;
        for source in SOURCES {
            for target in TARGETS {
                for account in ACCOUNTS {
                    let (was, is) = (old[at], new[at]);
                    at += 1;
                    let change = changes.iter().find(|change| change.source == source);
                    let holds = |reach: &SshReach, way: &str| {
                        let is_there = reach.destination == target && json!(reach.action) == way;
                        is_there && reach.users.iter().any(|users| includes(users, account))
                    };
                    let told = |list: fn(&SshChange) -> &Vec<SshReach>, way: &str| {
                        change.is_some_and(|change| list(change).iter().any(|reach| holds(reach, way)))
                    };
                    for way in ["check", "accept"] {
                        let (comes, goes) = (is == way && was.is_empty(), was == way && is.is_empty());
                        prop_assert_eq!(told(|it| &it.gained, way), comes, "{} {} {} {} {:#?}", source, target, account, way, changes);
                        prop_assert_eq!(told(|it| &it.lost, way), goes, "{} {} {} {} {:#?}", source, target, account, way, changes);
                        let other = is == way && !was.is_empty() && was != way;
                        let checked = change.into_iter().flat_map(|change| &change.checked);
                        let told = checked.filter(|it| holds(&it.reach, way)).count() > 0;
                        prop_assert_eq!(told, other, "{} {} {} {} {:#?}", source, target, account, way, changes);
                    }
                }
            }
        }
    }
}
