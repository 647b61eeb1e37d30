//! Sentences and hints that were false, or hid the worst: what a reviewer acts on at the end of a day. Must not live here: which access,
//! logins and powers a change has (silence.rs, diff_access.rs, diff_ssh.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Policy, PolicyContext, check};

use crate::silence::reviewed;

pub fn device(id: &str, owner: (&str, Value), at: u8, routes: &[&str]) -> Value {
    let mut device = json!({
        "id": id,
        "name": format!("{id}.example.ts.net"),
        "addresses": [format!("100.64.0.{at}"), format!("fd7a:115c:a1e0::{at}")],
        "advertisedRoutes": routes,
        "enabledRoutes": routes,
    });
    device[owner.0] = owner.1;
    device
}

/// Two people, and two exit nodes with tags of their own.
fn context() -> Value {
    let exit = ["0.0.0.0/0", "::/0"];
    json!({"devices": [
        device("mac", ("user", json!("ann@example.com")), 1, &[]),
        device("desk", ("user", json!("bob@example.com")), 2, &[]),
        device("exit-eu", ("tags", json!(["tag:eu"])), 10, &exit),
        device("exit-us", ("tags", json!(["tag:us"])), 11, &exit),
    ]})
}

fn policy(more: Value) -> String {
    let mut policy = json!({
        "groups": {"group:eng": ["ann@example.com", "bob@example.com"]},
        "tagOwners": {"tag:eu": [], "tag:us": [], "tag:db": [], "tag:web": []},
    });
    for (key, value) in more.as_object().expect("an object") {
        policy[key] = value.clone();
    }
    policy.to_string()
}

fn acl(from: &str, to: &str) -> Value {
    json!({"action": "accept", "src": [from], "dst": [to]})
}

pub fn told(before: &str, after: &str, context: &Value) -> Value {
    reviewed(before, after, [context, context])
}

pub fn summary(before: &str, after: &str, context: &Value) -> String {
    let review = told(before, after, context);
    review["summary"].as_str().expect("a text").to_owned()
}

#[test]
fn an_exit_node_that_keeps_its_tag_among_those_of_via_is_no_change() {
    let through = |tags: Value| {
        policy(json!({"grants": [
            {"src": ["group:eng"], "dst": ["autogroup:internet"], "ip": ["*"], "via": tags},
        ]}))
    };
    let (both, one) = (
        through(json!(["tag:eu", "tag:us"])),
        through(json!(["tag:eu"])),
    );
    let review = told(&both, &one, &context());
    let lost = review["access"][0]["lost"].as_array().expect("a list");
    let parts: Vec<&Value> = lost.iter().map(|reach| &reach["part"]["to"]).collect();
    assert_eq!(parts, [&json!(["through exit-us"])]);
    // Without devices, which exit nodes there are is not known, but which tag is gone is.
    let text = summary(&both, &one, &json!({}));
    let line = "now only through `tag:eu`, no longer through `tag:us`";
    assert!(text.contains(line), "{text}");
}

#[test]
fn what_is_kept_of_everything_begins_with_the_internet() {
    let all = policy(json!({"acls": [acl("group:eng", "*:*")]}));
    let own = [
        "autogroup:internet:*",
        "autogroup:member:*",
        "autogroup:tagged:*",
    ];
    let rules: Vec<Value> = own.iter().map(|to| acl("group:eng", to)).collect();
    let text = summary(&all, &policy(json!({"acls": rules})), &context());
    assert!(
        text.contains("everything (`*`) but `autogroup:internet, "),
        "{text}"
    );
}

#[test]
fn whoever_may_have_a_role_and_keeps_what_it_loses_is_named() {
    let rules = [
        acl("autogroup:admin", "tag:db:5432"),
        acl("ann@example.com", "tag:db:5432"),
    ];
    let texts = [&rules[..], &rules[1..]].map(|rules| policy(json!({"acls": rules})));
    for context in [json!({}), context()] {
        let review = told(&texts[0], &texts[1], &context);
        assert_eq!(review["lockedOut"], json!([]), "{context}");
        let changes = review["access"].as_array().expect("changes");
        let mut admins = changes
            .iter()
            .filter(|it| it["source"] == "autogroup:admin");
        let lost = &admins.next().expect("the admins")["lost"][0];
        assert_eq!(lost["part"]["from"], json!(["all but ann@example.com"]));
    }
}

#[test]
fn a_test_whose_names_stand_for_something_else_says_for_what() {
    let text = |address: &str, members: Value, src: &str| {
        policy(json!({
            "groups": {"group:eng": members},
            "hosts": {"db": address},
            "acls": [acl("*", "*:*")],
            "tests": [{"src": src, "accept": ["db:5432", "tag:web:80"]}],
        }))
    };
    let (two, three) = (
        json!(["ann@example.com", "bob@example.com"]),
        json!(["ann@example.com", "bob@example.com", "eva@example.com"]),
    );
    let less = |before: &str, after: &str| {
        let tests = &told(before, after, &json!({}))["tests"];
        assert_eq!(
            [&tests["added"], &tests["removed"]],
            [&json!([]), &json!([])]
        );
        tests["changed"].clone()
    };
    let [old, new] = ["100.64.0.7", "100.64.0.8"];
    let ann = "ann@example.com";
    let changed = less(&text(old, two.clone(), ann), &text(new, two.clone(), ann));
    assert_eq!(
        changed[0]["noLonger"],
        json!(["db:5432 (db: 100.64.0.7 → 100.64.0.8)"])
    );
    let changed = less(&text(old, two.clone(), "db"), &text(new, two.clone(), "db"));
    assert_eq!(
        changed[0]["noLonger"][1],
        "tag:web:80 (db: 100.64.0.7 → 100.64.0.8)"
    );
    // Somebody joins: his access is checked as well. Somebody leaves: no test asks for him any more.
    let eng = "group:eng";
    let changed = less(&text(old, two.clone(), eng), &text(old, three.clone(), eng));
    assert_eq!(changed, json!([]));
    let changed = less(&text(old, three, eng), &text(old, two, eng));
    assert_eq!(
        changed[0]["noLonger"],
        json!([
            "db:5432 (group:eng without eva@example.com)",
            "tag:web:80 (group:eng without eva@example.com)",
        ])
    );
}

#[test]
fn a_recorder_that_is_gone_keeps_nobody_out() {
    let text = |recorder: Value| {
        let mut rule =
            json!({"action": "accept", "src": ["group:eng"], "dst": ["tag:db"], "users": ["root"]});
        for (key, value) in recorder.as_object().expect("an object") {
            rule[key] = value.clone();
        }
        policy(json!({"ssh": [rule]}))
    };
    let recorded = text(json!({"recorder": ["tag:web"], "enforceRecorder": true}));
    let found = summary(&recorded, &text(json!({})), &json!({}));
    let line = "`tag:web` may no longer record SSH sessions at `tag:db` of `ann@example.com`, `bob@example.com` as `root` with `enforceRecorder`";
    assert!(found.contains(line), "{found}");
}

fn explained(text: &str, (from, to): (&str, &str), context: &Value) -> Value {
    let document = hujson::parse(text).expect("HuJSON");
    let context: PolicyContext = serde_json::from_value(context.clone()).expect("a context");
    let flow = Flow::new(&from.parse().expect("a subject"), to, None).expect("a flow");
    json!(
        Policy::read(&document)
            .explain(&flow, &context)
            .expect("an answer")
    )
}

#[test]
fn a_synced_group_is_what_is_not_known_of_a_question_about_it() {
    let rules = [
        acl("ann@example.com", "tag:web:443"),
        acl("group:x@example.com", "tag:db:1"),
    ];
    let text = policy(json!({"acls": rules}));
    let found = explained(&text, ("group:x@example.com", "tag:web:443"), &json!({}));
    assert_eq!(found["verdict"], "unknown");
    assert_eq!(found["unresolved"], json!(["group:x@example.com"]));
}

#[test]
fn a_part_names_everybody_once() {
    let text = policy(json!({"acls": [acl("user:*@example.com", "tag:web:80")]}));
    let found = explained(&text, ("*", "tag:web:80"), &context());
    let people: Vec<&str> = found["part"]["from"]
        .as_array()
        .expect("a part")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let mut once = people.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(people.len(), once.len(), "{people:?}");
}

/// The code and hint of each issue of a kind.
fn hints(text: &str, code: &str) -> Vec<String> {
    let found = check(text, &PolicyContext::default());
    let issues = found.issues.iter().filter(|issue| issue.code == code);
    issues
        .map(|issue| issue.hint.clone().unwrap_or_default())
        .collect()
}

#[test]
fn a_name_without_its_prefix_is_meant_wherever_it_stands() {
    let group = "did you mean `group:eng`?";
    let ssh = |from: &str, to: &str| {
        policy(
            json!({"ssh": [{"action": "accept", "src": [from], "dst": [to], "users": ["root"]}]}),
        )
    };
    assert_eq!(hints(&ssh("eng", "tag:db"), "invalid_source"), [group]);
    assert_eq!(
        hints(&ssh("group:eng", "db"), "invalid_destination"),
        ["did you mean `tag:db`?"]
    );
    let owners =
        policy(json!({"tagOwners": {"tag:db": ["eng"]}, "autoApprovers": {"exitNode": ["eng"]}}));
    assert_eq!(hints(&owners, "invalid_owner"), [group, group]);
    let tests = policy(
        json!({"tests": [{"src": "eng", "accept": ["tag:db:22"]}, {"src": "ann@example.com", "deny": ["db:22"]}]}),
    );
    assert_eq!(
        hints(&tests, "test_failed"),
        [
            "the source `eng` is not known: did you mean `group:eng`?",
            "the destination `db` is not known: did you mean `tag:db`?",
        ]
    );
}

// The words about ssh rules and the network came on top, though no rule could mend it.
#[test]
fn an_ssh_test_that_is_none_fails_once() {
    let text = policy(json!({"sshTests": [{"src": "eng", "dst": ["db"], "accept": ["root"]}]}));
    assert_eq!(hints(&text, "test_failed"), Vec::<String>::new());
    assert_eq!(
        hints(&text, "invalid_ssh_test"),
        ["did you mean `tag:db`?", "did you mean `group:eng`?"]
    );
}

#[test]
fn a_source_beyond_the_tailnet_is_called_so() {
    let text = policy(json!({"acls": [acl("autogroup:danger-all", "tag:web:443")]}));
    let found = check(&text, &PolicyContext::default());
    let issue = found
        .issues
        .iter()
        .find(|issue| issue.code == "open_source");
    let message = &issue.expect("an issue").message;
    assert_eq!(
        message,
        "\"autogroup:danger-all\" is every address, in the tailnet or not"
    );
}

// By text alone it was told.
#[test]
fn sources_outside_of_the_tailnet_are_not_a_list_of_the_gaps_between_its_devices() {
    let before = policy(json!({"acls": [acl("ann@example.com", "tag:eu:80")]}));
    let after = policy(json!({"acls": [acl("autogroup:danger-all", "tag:eu:80")]}));
    let told = told(&before, &after, &context());
    let of = told["access"].as_array().expect("a list").iter();
    let mut of = of.filter(|change| change["source"] == "autogroup:danger-all");
    let gained = &of.next().expect("a change")["gained"][0];
    assert_eq!(
        gained["part"]["from"],
        json!(["addresses that no device has"])
    );
}

#[test]
fn logins_to_own_devices_that_the_network_cuts_off_are_told_with_devices_too() {
    let ssh = json!({"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["root"]});
    let text = |own: &str| policy(json!({"acls": [acl("autogroup:member", own)], "ssh": [ssh]}));
    let (open, closed) = (text("autogroup:self:*"), text("autogroup:self:443"));
    let mut two = context();
    let phone = device("phone", ("user", json!("ann@example.com")), 3, &[]);
    two["devices"].as_array_mut().expect("a list").push(phone);
    for (before, after, how) in [
        (
            &open,
            &closed,
            "no longer get through, as port 22 is closed",
        ),
        (&closed, &open, "get through now that port 22 is open"),
    ] {
        let found = summary(before, after, &two);
        let line = format!("logins of `ann@example.com` to `autogroup:self` as `root` {how}");
        assert!(found.contains(&line), "{found}");
    }
}

// Whom the network still lets through is not cut off: of the rest of the autogroup nobody knows more than its name.
#[test]
fn a_login_that_the_network_cuts_off_from_some_members_says_from_whom_not() {
    let ssh = json!({"action": "accept", "src": ["autogroup:member"], "dst": ["tag:db"], "users": ["root"]});
    let text = |from: &str| policy(json!({"acls": [acl(from, "tag:db:22")], "ssh": [ssh]}));
    let (all, eng) = (text("autogroup:member"), text("group:eng"));
    for (before, after, how) in [
        (&all, &eng, "no longer get through, as port 22 is closed"),
        (&eng, &all, "get through now that port 22 is open"),
    ] {
        let found = summary(before, after, &json!({}));
        let line = format!(
            "logins of `autogroup:member` (from all but `ann@example.com, bob@example.com`) to `tag:db` as `root` {how}"
        );
        assert!(found.contains(&line), "{found}");
    }
}

#[test]
fn owners_keep_what_only_other_admins_lose() {
    let text = |role: &str| policy(json!({"acls": [acl(role, "tag:db:5432")]}));
    let review = told(
        &text("autogroup:admin"),
        &text("autogroup:owner"),
        &json!({}),
    );
    let lost = &review["access"][0]["lost"][0];
    assert_eq!(lost["part"]["from"], json!(["all but autogroup:owner"]));
}

// Whoever reads that no network rule opens port 22 takes the login for harmless.
#[test]
fn a_login_that_the_network_opens_to_one_device_of_somebody_says_to_which() {
    let ssh = json!({"action": "accept", "src": ["ann@example.com"], "dst": ["tag:eu"], "users": ["root"]});
    let text = |ssh: Value| policy(json!({"acls": [acl("100.64.0.1", "tag:eu:22")], "ssh": ssh}));
    let mut two = context();
    let phone = device("phone", ("user", json!("ann@example.com")), 3, &[]);
    two["devices"].as_array_mut().expect("a list").push(phone);
    let review = told(&text(json!([])), &text(json!([ssh])), &two);
    let gained = review["ssh"][0]["gained"].as_array().expect("a list");
    let found: Vec<[&Value; 2]> = gained
        .iter()
        .map(|it| [&it["part"]["from"], &it["network"]])
        .collect();
    assert_eq!(
        found,
        [
            [&json!(["mac"]), &json!(true)],
            [&json!(["phone"]), &json!(false)],
        ]
    );
}

// One port of everything hid every other port of what is worst.
#[test]
fn everything_on_one_port_hides_no_other_port() {
    let text = |who: &str, rules: &[&str]| {
        let rules: Vec<Value> = rules.iter().map(|to| acl(who, to)).collect();
        policy(json!({"acls": rules}))
    };
    let added = ["*:443", "tag:db:22"];
    for context in [json!({}), context()] {
        let found = summary(
            &text("ann@example.com", &[]),
            &text("ann@example.com", &added),
            &context,
        );
        assert!(found.contains("everything (`*`) on `443`"), "{found}");
        assert!(found.contains("`tag:db` on `22"), "{found}");
        let member = "autogroup:member";
        let found = summary(&text(member, &[]), &text(member, &added), &context);
        assert!(found.contains("2 open to everybody"), "{found}");
        assert!(
            found.contains("everybody reaches `tag:db` on `22"),
            "{found}"
        );
    }
}

/// Two people and a server, where an unsynced group may have either of the people.
fn of_unknown_members(ssh: Value, acls: Value) -> (String, Value) {
    let policy = json!({
        "groups": {"group:ops": ["ann@example.com"]},
        "tagOwners": {"tag:db": []},
        "acls": acls,
        "ssh": ssh,
    });
    let context = json!({"devices": [
        device("mac", ("user", json!("ann@example.com")), 1, &[]),
        device("desk", ("user", json!("bob@example.com")), 2, &[]),
        device("db", ("tags", json!(["tag:db"])), 3, &[]),
    ]});
    (policy.to_string(), context)
}

fn login(action: &str, from: Value) -> Value {
    json!({"action": action, "src": from, "dst": ["tag:db"], "users": ["root"]})
}

#[test]
fn a_login_that_a_group_of_unknown_members_may_have_had_with_a_check_is_not_lost_without_one() {
    let acls = json!([acl("group:ops", "*:*")]);
    let (before, context) =
        of_unknown_members(json!([login("check", json!(["group:ops"]))]), acls.clone());
    let more = json!(["group:ops", "group:eng@example.com"]);
    let (after, _) = of_unknown_members(json!([login("accept", more)]), acls);
    let summary = summary(&before, &after, &context);
    assert!(!summary.contains("may lose"), "{summary}");
    let gains = "`group:eng@example.com` may gain `tag:db` as `root`";
    assert!(summary.contains(gains), "{summary}");
    let back = self::summary(&after, &before, &context);
    assert!(!back.contains("may gain"), "{back}");
    let loses = "`group:eng@example.com` may lose `tag:db` as `root`";
    assert!(back.contains(loses), "{back}");
}

#[test]
fn whether_the_network_opens_the_login_of_a_group_that_only_the_other_text_names_is_undecided() {
    let acls = json!([acl("group:ops", "*:*")]);
    let (before, context) = of_unknown_members(
        json!([login("accept", json!(["group:eng@example.com"]))]),
        acls.clone(),
    );
    let (after, _) = of_unknown_members(json!([]), acls.clone());
    let undecided = "(whether the network opens port 22 is undecided)";
    for (before, after) in [(&before, &after), (&after, &before)] {
        let summary = summary(before, after, &context);
        assert!(summary.contains(undecided), "{summary}");
    }
    // Only who is of ops had it, and from there the network is open.
    let had = json!([login("check", json!(["group:ops"]))]);
    let (before, _) = of_unknown_members(had, acls.clone());
    let (after, _) = of_unknown_members(
        json!([login("accept", json!(["group:eng@example.com"]))]),
        acls,
    );
    let summary = summary(&before, &after, &context);
    let of_group = summary
        .lines()
        .filter(|line| line.starts_with("- `group:eng"));
    for line in of_group {
        assert!(!line.contains("no network rule"), "{line}");
    }
}

#[test]
fn what_one_device_of_somebody_gains_by_a_posture_is_not_said_to_be_of_no_use_today() {
    let policy = |acls: Value, more: &str| {
        let mut policy = json!({
            "groups": {"group:dev": ["ann@example.com"]},
            "tagOwners": {"tag:db": []},
            "postures": {"posture:mac": ["node:os == 'macos'", "node:osVersion >= '14'"]},
            "acls": [acls],
        });
        if !more.is_empty() {
            policy["acls"][0]["srcPosture"] = json!([more]);
        }
        policy.to_string()
    };
    let mut devices = [
        device("mac", ("user", json!("ann@example.com")), 1, &[]),
        device("desk", ("user", json!("ann@example.com")), 2, &[]),
        device("db", ("tags", json!(["tag:db"])), 3, &[]),
    ];
    for (device, os) in devices.iter_mut().zip(["macOS", "linux", "linux"]) {
        device["os"] = json!(os);
    }
    let context = json!({"devices": devices});
    let none = policy(acl("tag:db", "tag:db:1"), "");
    let open = policy(acl("group:dev", "tag:db:443"), "");
    let bound = policy(acl("group:dev", "tag:db:443"), "posture:mac");
    let gains = summary(&none, &bound, &context);
    assert!(
        gains.contains("`mac` reaches `tag:db` on `443` with `posture:mac`"),
        "{gains}"
    );
    let idle = "`ann@example.com` reaches `tag:db` on `443` with `posture:mac` (only from `desk`) (nobody today: `what its devices report does not meet the posture`)";
    assert!(gains.contains(idle), "{gains}");
    // Each device is reported by itself.
    let loses = summary(&open, &bound, &context);
    assert!(
        loses.contains("`mac` reaches `tag:db` on `443` now only with `posture:mac`"),
        "{loses}"
    );
    assert!(!loses.contains("`ann@example.com` reaches"), "{loses}");
}

#[test]
fn a_login_under_the_posture_of_the_network_rule_passes_the_network() {
    let needs = |mut rule: Value| {
        rule["srcPosture"] = json!(["posture:edr"]);
        rule
    };
    let text = |ssh: Value| {
        policy(json!({
            "postures": {"posture:edr": ["node:os == 'macos'"]},
            "acls": [needs(acl("group:eng", "tag:db:22"))],
            "ssh": ssh,
        }))
    };
    let mut login = needs(acl("group:eng", "tag:db"));
    login["users"] = json!(["root"]);
    let review = told(&text(json!([])), &text(json!([login])), &json!({}));
    let gained = &review["ssh"][0]["gained"][0];
    assert_eq!(gained["network"], true, "{gained}");
    assert_eq!(gained["postures"], json!(["posture:edr"]));
}

// Fifty people who are invited and have no device yet are one line, not fifty.
#[test]
fn whoever_has_no_device_stands_in_one_line_with_the_others() {
    let mut context = context();
    let [one, two, three] = ["u1@example.com", "u2@example.com", "u3@example.com"];
    let users = [one, two, three].map(|login| json!({"loginName": login, "role": "member"}));
    context["users"] = json!(users);
    let with = |extra: &[Value]| {
        let rules = [extra, &[acl(three, "tag:eu:443")]].concat();
        policy(json!({"acls": rules}))
    };
    let both = json!({"action": "accept", "src": [one, two], "dst": ["tag:eu:80"]});
    let rules = [both];
    let text = summary(&with(&[]), &with(&rules), &context);
    let line = "- `u1@example.com`, `u2@example.com` reach `tag:eu` on `80` (nobody today: none of them has a device)";
    assert!(text.contains(line), "{text}");
    // Who alone has more stands alone, with the own name.
    let also = [rules.as_slice(), &[acl(two, "tag:us:80")]].concat();
    let text = summary(&with(&[]), &with(&also), &context);
    let line = "- `u2@example.com` reaches `tag:us`, `tag:eu` on `80` (nobody today: `u2@example.com has no device`)";
    assert!(text.contains(line), "{text}");
}

// Two rules, one for each address of a device, are all of it.
#[test]
fn both_families_of_a_destination_are_the_destination() {
    let mut context = context();
    let db = device("db", ("tags", json!(["tag:db"])), 9, &[]);
    context["devices"].as_array_mut().expect("a list").push(db);
    let rules = ["100.64.0.9:443", "[fd7a:115c:a1e0::9]:443"].map(|to| acl("ann@example.com", to));
    let text = summary(
        &policy(json!({"acls": []})),
        &policy(json!({"acls": rules})),
        &context,
    );
    let line = "- `ann@example.com` reaches `tag:db` on `443` — acls[0] line 1, acls[1] line 1";
    assert!(text.contains(line), "{text}");
}
