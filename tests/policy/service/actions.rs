//! The actions at a place of a policy: each hint as an edit that removes its issue and adds none, and refactorings.
//! Must not live here: other verbs of the language service (the files beside).

mod laws;
mod meant;

use serde_json::Value;
use tailnet_kit::policy::service::{self, Action, TextRange};
use tailnet_kit::policy::{PolicyContext, check};

fn json(answer: impl serde::Serialize) -> Value {
    serde_json::to_value(answer).expect("JSON")
}

fn applied(text: &str, action: &Action) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for edit in &action.edits {
        out.push_str(&text[at..edit.from]);
        out.push_str(&edit.insert);
        at = edit.to;
    }
    out + &text[at..]
}

/// The text after the first fix of its first issue.
#[track_caller]
fn fixed(text: &str, code: &str) -> String {
    let found = service::diagnostics(text, &PolicyContext::default());
    let issue = found
        .iter()
        .find(|diagnostic| diagnostic.issue.code == code);
    let issue = issue.unwrap_or_else(|| panic!("{code}: {:?}", json(&found)));
    let first = issue
        .fixes
        .first()
        .unwrap_or_else(|| panic!("no fix for {}", json(issue)));
    assert!(first.preferred && first.fixes == Some(issue.issue.code));
    applied(text, first)
}

#[test]
fn no_fix_is_offered_twice() {
    let text = "{\"groups\": {\"group:ops\": [\"a@b.c\"]}, \"acls\": [{\"action\": \"accept\", \"src\": [\"group:opps\"], \"dst\": [\"*:22\"]}]}";
    let found = service::diagnostics(text, &PolicyContext::default());
    let titles: Vec<_> = found
        .iter()
        .flat_map(|issue| &issue.fixes)
        .map(|fix| fix.title.as_str())
        .collect();
    assert_eq!(titles, ["Write group:ops", "Define group:opps in groups"]);
    let text = r#"{"acls": [{"action": "drop", "src": ["10.0.0.1"], "dst": ["*:22"]}]}"#;
    let found = service::diagnostics(text, &PolicyContext::default());
    let drop = &found[0];
    assert_eq!(drop.issue.code, "invalid_action");
    assert_eq!(drop.fixes.len(), 1, "{}", json(&drop.fixes));
}

#[test]
fn each_hint_is_an_edit() {
    let acl = |src: &str, dst: &str| {
        format!(r#"{{"acls": [{{"action": "accept", "src": ["{src}"], "dst": ["{dst}"]}}]}}"#)
    };
    let with =
        |rest: &str, src: &str, dst: &str| acl(src, dst).replacen('{', &format!("{{{rest}, "), 1);
    let tags = r#""tagOwners": {"tag:db": []}"#;
    assert_eq!(
        fixed(&with(tags, "*", "tag:dv:*"), "unknown_tag"),
        with(tags, "*", "tag:db:*")
    );
    assert_eq!(
        fixed(&with(r#""tagOwners": {}"#, "*", "tag:db:*"), "unknown_tag"),
        with(tags, "*", "tag:db:*")
    );
    assert_eq!(
        fixed(&with(tags, "*", "tag:db"), "invalid_port"),
        with(tags, "*", "tag:db:*")
    );
    assert_eq!(
        fixed(&with(tags, "*", "tag:db:ssh"), "invalid_port"),
        with(tags, "*", "tag:db:22")
    );
    assert_eq!(
        fixed(
            &with(tags, "*", "tag:db:*").replace("accept", "drop"),
            "invalid_action"
        ),
        with(tags, "*", "tag:db:*")
    );
    let group = fixed(&acl("group:dev", "10.0.0.1:*"), "unknown_group");
    assert!(group.contains(r#""groups": {"group:dev": []}"#), "{group}");
    let old = acl("*", "10.0.0.1:*")
        .replace("src", "Users")
        .replace("dst", "Ports")
        .replace("acls", "ACLs");
    assert_eq!(fixed(&old, "old_spelling"), acl("*", "10.0.0.1:*"));
    assert_eq!(
        fixed(
            &acl("*", "10.0.0.1:*").replace(r#"["*"]"#, r#""*""#),
            "wrong_type"
        ),
        acl("*", "10.0.0.1:*")
    );
    assert_eq!(
        fixed(
            &with(r#""hosts": {"net": "10.0.0.1/8"}"#, "net", "10.0.0.1:*"),
            "host_bits"
        ),
        with(r#""hosts": {"net": "10.0.0.0/8"}"#, "net", "10.0.0.1:*")
    );
    let route = r#"{"tagOwners": {"tag:x": []}, "autoApprovers": {"routes": {"0.0.0.0/0": ["tag:x"]}}, "acls": []}"#;
    assert_eq!(
        fixed(route, "exit_node_route"),
        route.replace(r#"["tag:x"]}}"#, r#"["tag:x"]}, "exitNode": ["tag:x"]}"#)
    );
    let covered = acl("10.0.0.2", "10.0.0.1:*").replace(
        "}]}",
        r#"}, {"action": "accept", "src": ["10.0.0.2"], "dst": ["10.0.0.1:22"]}]}"#,
    );
    assert_eq!(
        fixed(&covered, "covered_rule"),
        acl("10.0.0.2", "10.0.0.1:*")
    );
    assert_eq!(
        fixed("{\"a\": 1\n \"acls\": []}", "hujson_syntax"),
        "{\"a\": 1,\n \"acls\": []}"
    );
    assert_eq!(fixed("{\"acls\": []", "hujson_syntax"), "{\"acls\": []}");
    assert_eq!(fixed("{acls: []}", "hujson_syntax"), "{\"acls\": []}");
}

/// The text after each fix of the first issue of this code, with the fix's title; `!` after the title marks the preferred fix,
/// which an editor may take by itself.
#[track_caller]
fn offers(text: &str, code: &str) -> Vec<(String, String)> {
    offered(text, code, &PolicyContext::default())
}

#[track_caller]
fn offered(text: &str, code: &str, context: &PolicyContext) -> Vec<(String, String)> {
    let found = service::diagnostics(text, context);
    let found = found
        .iter()
        .find(|diagnostic| diagnostic.issue.code == code);
    let found = found.unwrap_or_else(|| panic!("no {code}"));
    let title = |fix: &Action| format!("{}{}", fix.title, if fix.preferred { "!" } else { "" });
    let fixes = found.fixes.iter();
    fixes.map(|fix| (title(fix), applied(text, fix))).collect()
}

/// Pairs of a title and a text: this text with one part replaced by another.
fn with_parts(text: &str, parts: &[(&str, &str, &str)]) -> Vec<(String, String)> {
    let parts = parts.iter();
    parts
        .map(|(title, old, new)| {
            assert!(text.contains(old), "{old}");
            (title.to_string(), text.replacen(old, new, 1))
        })
        .collect()
}

#[track_caller]
fn offers_these(text: &str, code: &str, parts: &[(&str, &str, &str)]) {
    assert_eq!(offers(text, code), with_parts(text, parts));
}

#[test]
fn a_repeated_key_is_merged_or_the_last_is_kept() {
    let text = "{\n  \"acls\": [],\n  \"groups\": {\n    // first\n    \"group:a\": [\"a@x.y\" /* A */],\n    // second\n    \"group:a\": [\"b@x.y\", /* B */],\n  },\n}";
    let merged = "{\n  \"acls\": [],\n  \"groups\": {\n    // first\n    \"group:a\": [\"a@x.y\", /* A */\"b@x.y\", /* B */],\n  },\n}";
    let found = offers(text, "duplicate_key");
    assert_eq!(found, [("Merge them!".to_owned(), merged.to_owned())]);
    let sections = r#"{"hosts": {"a": "10.0.0.1"}, "acls": [], "Hosts": {"b": "10.0.0.2"}}"#;
    let merged = r#"{"hosts": {"a": "10.0.0.1","b": "10.0.0.2"}, "acls": []}"#;
    assert_eq!(offers(sections, "duplicate_key")[0].1, merged);
    let hosts = r#"{"acls": [], "hosts": {"a": "10.0.0.1", "a": "10.0.0.2"}}"#;
    offers_these(
        hosts,
        "duplicate_key",
        &[("Keep the last alone!", r#""10.0.0.1", "a": "#, "")],
    );
}

#[test]
fn the_fix_of_an_invalid_name_is_a_valid_one() {
    let text = r#"{"hosts": {"db@home": "10.0.0.1"}, "acls": [{"action": "accept", "src": ["ann@x.y"], "dst": ["db@home:22"]}]}"#;
    let renamed = text.replace("db@home", "db-home");
    let found = offers(text, "invalid_host");
    assert_eq!(found, [("Rename it to db-home!".to_owned(), renamed)]);
    let hosts = |hosts: &str| format!(r#"{{"acls": [], "hosts": {{{hosts}}}}}"#);
    let tag = hosts(r#""tag:web": "10.0.0.1""#);
    let remove = ("Remove it", r#""tag:web": "10.0.0.1""#, "");
    offers_these(
        &tag,
        "shadowed_alias",
        &[("Rename it to web!", "tag:web", "web"), remove],
    );
    let address = hosts(r#""10.0.0.2": "10.0.0.3""#);
    let (_, found) = &offers(&address, "shadowed_alias")[0];
    assert_eq!(*found, hosts(r#""host-10-0-0-2": "10.0.0.3""#));
}

#[test]
fn an_address_is_made_a_prefix_where_that_says_the_same() {
    let routes = r#"{"acls": [], "autoApprovers": {"routes": {"10.0.0.1": ["ann@x.y"]}}}"#;
    let (title, fixed) = &offers(routes, "invalid_address")[0];
    assert_eq!(title, "Write 10.0.0.1/32!");
    assert_eq!(*fixed, routes.replace("10.0.0.1", "10.0.0.1/32"));
    let host = |hosts: &str| format!(r#"{{"acls": [], "hosts": {{{hosts}}}}}"#);
    for address in ["10.0.0.0/33", "example.com"] {
        let text = host(&format!(r#""a": "{address}""#));
        assert_eq!(
            offers(&text, "invalid_address"),
            [("Remove it".to_owned(), host(""))]
        );
        // An alias in use is not removed.
        let rule = r#"[{"action": "accept", "src": ["a"], "dst": ["10.0.0.1:22"]}]"#;
        assert_eq!(offers(&text.replace("[]", rule), "invalid_address"), []);
    }
    let pool = |pools: &str| {
        format!(r#"{{"acls": [], "nodeAttrs": [{{"target": ["*"], "ipPool": [{pools}]}}]}}"#)
    };
    assert_eq!(
        offers(
            &pool(r#""100.100.100.0/24", "100.64.0.0/24""#),
            "invalid_pool"
        ),
        [("Remove it".to_owned(), pool(r#""100.64.0.0/24""#))]
    );
}

#[test]
fn groups_and_sets_do_not_contain_themselves() {
    let groups = |out: &str| {
        format!(
            r#"{{"acls": [], "groups": {{"group:in": ["a@x.y", "b@x.y"], "group:out": [{out}]}}}}"#
        )
    };
    assert_eq!(
        offers(&groups(r#""b@x.y", "group:in""#), "invalid_member"),
        [
            (
                "List its members!".to_owned(),
                groups(r#""b@x.y", "a@x.y""#)
            ),
            ("Remove it".to_owned(), groups(r#""b@x.y""#)),
        ]
    );
    let sets =
        r#"{"acls": [], "ipsets": {"ipset:a": ["10.0.0.1", "ipset:b"], "ipset:b": ["ipset:a"]}}"#;
    offers_these(
        sets,
        "invalid_ipset",
        &[("Remove ipset:b", ", \"ipset:b\"", "")],
    );
    let operand = r#"{"acls": [], "ipsets": {"ipset:a": ["ann@x.y", "10.0.0.1"]}}"#;
    offers_these(
        operand,
        "invalid_ipset",
        &[("Remove it", "\"ann@x.y\", ", "")],
    );
    let name = r#"{"ipsets": {"prod": ["10.0.0.1"]}, "acls": [{"action": "accept", "src": ["prod"], "dst": ["prod:22"]}]}"#;
    assert_eq!(
        offers(name, "invalid_ipset"),
        [(
            "Rename it to ipset:prod!".to_owned(),
            name.replace("prod", "ipset:prod")
        )]
    );
}

#[test]
fn an_invalid_source_becomes_a_valid_one_or_is_removed() {
    let acl = |src: &str| {
        format!(r#"{{"acls": [{{"action": "accept", "src": [{src}], "dst": ["10.0.0.1:1"]}}]}}"#)
    };
    let none = "{\"acls\": []}".to_owned();
    assert_eq!(
        offers(&acl("\"autogroup:self\""), "invalid_source"),
        [
            (
                "Write \"autogroup:member\"!".to_owned(),
                acl("\"autogroup:member\"")
            ),
            ("Remove the rule".to_owned(), none.clone()),
        ]
    );
    assert_eq!(
        offers(
            &acl("\"autogroup:internet\", \"ann@x.y\""),
            "invalid_source"
        ),
        [("Remove it".to_owned(), acl("\"ann@x.y\""))]
    );
    let ssh = |action: &str, src: &str| {
        format!(
            r#"{{"acls": [], "tagOwners": {{"tag:a": []}}, "ssh": [{{"action": "{action}", "src": [{src}], "dst": ["tag:a"], "users": ["root"]}}]}}"#
        )
    };
    assert_eq!(
        offers(&ssh("accept", "\"*\""), "invalid_source")[0],
        (
            "Write \"autogroup:member\"!".to_owned(),
            ssh("accept", "\"autogroup:member\"")
        )
    );
    // Users must still confirm.
    assert_eq!(
        offers(&ssh("check", "\"tag:a\", \"ann@x.y\""), "invalid_source"),
        [("Remove it".to_owned(), ssh("check", "\"ann@x.y\""))]
    );
    let domains: PolicyContext =
        serde_json::from_str(r#"{"domains": ["x.y"]}"#).expect("a context");
    let found = |src: &str| offered(&acl(src), "invalid_selector", &domains);
    assert_eq!(
        found("\"user:ann@x.y\""),
        [("Write \"ann@x.y\"!".to_owned(), acl("\"ann@x.y\""))]
    );
    assert_eq!(
        found("\"user:*@\""),
        [("Write \"user:*@x.y\"!".to_owned(), acl("\"user:*@x.y\""))]
    );
}

#[test]
fn no_fix_of_via_lets_all_routers_in() {
    let grant = |via: &str| {
        format!(
            r#"{{"tagOwners": {{"tag:east": [], "tag:west": []}}, "groups": {{"group:east": []}}, "grants": [{{"src": ["*"], "dst": ["10.0.0.0/8"], "ip": ["*"], "via": [{via}]}}]}}"#
        )
    };
    let none = grant("");
    let (start, end) = none.split_at(none.find("{\"src").unwrap());
    let none = format!("{start}{}", &end[end.rfind("]}").unwrap()..]);
    assert_eq!(
        offers(&grant("\"group:east\""), "invalid_via"),
        [
            ("Write \"tag:east\"!".to_owned(), grant("\"tag:east\"")),
            ("Remove the rule".to_owned(), none),
        ]
    );
    assert_eq!(
        offers(&grant("\"router\", \"tag:west\""), "invalid_via"),
        [("Remove it".to_owned(), grant("\"tag:west\""))]
    );
}

#[test]
fn a_rule_for_everything_can_be_narrowed_in_several_ways() {
    for (rule, own) in [
        (
            r#"{"acls": [{"action": "accept", "src": ["*"], "dst": ["*:*"]}]}"#,
            r#"{"acls": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:*"]}]}"#,
        ),
        (
            r#"{"grants": [{"src": ["*"], "dst": ["*"], "ip": ["*"]}]}"#,
            r#"{"grants": [{"src": ["autogroup:member"], "dst": ["autogroup:self"], "ip": ["*"]}]}"#,
        ),
    ] {
        let wanted = (
            "Let members reach their own devices alone".to_owned(),
            own.to_owned(),
        );
        assert_eq!(offers(rule, "broad_rule"), [wanted]);
    }
}

#[test]
fn a_test_is_changed_to_what_the_rules_do_only_on_request() {
    let tests = |tests: &str| {
        format!(
            r#"{{"groups": {{"group:dev": ["ann@x.y"]}}, "acls": [{{"action": "accept", "src": ["group:dev"], "dst": ["10.0.0.1:22,80"]}}], "tests": [{tests}]}}"#
        )
    };
    let found = |test: &str| offers(&tests(test), "test_failed");
    let expect = |test: &str| [("Expect what the rules do".to_owned(), tests(test))];
    assert_eq!(
        found(r#"{"src": "ann@x.y", "accept": ["10.0.0.1:22", "10.0.0.1:443"]}"#),
        expect(r#"{"src": "ann@x.y", "accept": ["10.0.0.1:22"], "deny": ["10.0.0.1:443"]}"#)
    );
    assert_eq!(
        found(r#"{"src": "ann@x.y", "allow": ["10.0.0.1:443"], "deny": ["10.0.0.1:22"]}"#),
        expect(r#"{"src": "ann@x.y", "allow": ["10.0.0.1:22"], "deny": ["10.0.0.1:443"]}"#)
    );
    assert_eq!(
        found(r#"{"src": "ann@x.y", "deny": ["10.0.0.1:80"]}"#),
        expect(r#"{"src": "ann@x.y", "accept": ["10.0.0.1:80"]}"#)
    );
    let write = |title: &str, test: &str| [(title.to_owned(), tests(test))];
    assert_eq!(
        found(r#"{"src": "group:devv", "accept": ["10.0.0.1:22"]}"#),
        write(
            "Write group:dev!",
            r#"{"src": "group:dev", "accept": ["10.0.0.1:22"]}"#
        )
    );
    assert_eq!(found(r#"{"src": "ann@x.y"}"#), write("Remove it", ""));
}

#[test]
fn an_ssh_test_is_changed_to_what_the_rules_do() {
    let tests = |test: &str| {
        format!(
            r#"{{"acls": [], "tagOwners": {{"tag:a": []}}, "ssh": [{{"action": "accept", "src": ["ann@x.y"], "dst": ["tag:a"], "users": ["ubuntu"]}}], "sshTests": [{{"src": "ann@x.y", "dst": ["tag:a"], {test}}}]}}"#
        )
    };
    let found = |test: &str| offers(&tests(test), "test_failed");
    let expect = |test: &str| [("Expect what the rules do".to_owned(), tests(test))];
    assert_eq!(
        found(r#""accept": ["root"]"#),
        expect(r#""deny": ["root"]"#)
    );
    assert_eq!(
        found(r#""check": ["ubuntu"]"#),
        expect(r#""accept": ["ubuntu"]"#)
    );
    assert_eq!(
        found(r#""accept": ["root"], "deny": ["ubuntu"]"#),
        expect(r#""accept": ["ubuntu"], "deny": ["root"]"#)
    );
}

#[test]
fn nothing_is_offered_twice_for_a_broken_text() {
    let whole = TextRange { from: 0, to: 11 };
    let found = service::actions("{\"acls\": []", whole, &PolicyContext::default());
    let titles: Vec<_> = found.iter().map(|action| action.title.as_str()).collect();
    assert_eq!(titles, ["Add the closing brace"]);
}

/// The titles of the refactorings at a part of a text, with the text after each.
fn rewritten(text: &str, part: &str) -> Vec<(String, String)> {
    let from = text.find(part).expect(part);
    let range = TextRange { from, to: from };
    let actions = service::actions(text, range, &PolicyContext::default());
    let rewriting = actions.iter().filter(|action| action.fixes.is_none());
    rewriting
        .map(|action| (action.title.clone(), applied(text, action)))
        .collect()
}

#[test]
fn a_rule_becomes_a_grant_or_a_test() {
    let rules = r#"{"tagOwners": {"tag:db": []}, "acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:db:22,443"]}]}"#;
    let found = rewritten(rules, "tag:db:22");
    let of = |title: &str| {
        found
            .iter()
            .find(|(known, _)| known == title)
            .map(|(_, text)| text.as_str())
    };
    let grant = of("Write it as a grant").expect("a grant");
    assert!(
        grant.contains(r#"{"src": ["ann@example.com"], "dst": ["tag:db"], "ip": ["22", "443"]}"#),
        "{grant}"
    );
    let test = of("Write a test for this rule").expect("a test");
    assert!(
        test.contains(r#"{"src": "ann@example.com", "accept": ["tag:db:22"]}"#),
        "{test}"
    );
    assert_eq!(
        check(test, &PolicyContext::default()).tests.results[0].passed,
        Some(true)
    );
    let uneven = rules.replace("tag:db:22,443\"", "tag:db:22\", \"10.0.0.1:443\"");
    assert!(
        !rewritten(&uneven, "tag:db:22")
            .iter()
            .any(|(title, _)| title == "Write it as a grant")
    );
}

#[test]
fn a_rule_that_becomes_a_grant_keeps_its_comments_and_posture() {
    let text = r#"{
  "tagOwners": {"tag:db": []},
  "postures": {"posture:a": ["node:os == 'linux'"]},
  "ACLs": [
    // Ticket 12.
    {
      // For the night.
      "Action": "accept", // as agreed
      "Users": ["ann@example.com"], // ann alone
      "srcPosture": ["posture:a"],
      /* the store */ "Ports": ["tag:db:22"],
    }, // until May
    {"action": "accept", "src": ["*"], "dst": ["10.0.0.1:1"]},
  ],
}
"#;
    let found = rewritten(text, "tag:db:22");
    let grant = found
        .iter()
        .find(|(title, _)| title == "Write it as a grant");
    let (_, grant) = grant.expect("a grant");
    for comment in [
        "// Ticket 12.\n",
        "// For the night.\n",
        "// as agreed\n",
        "// ann alone\n",
        "/* the store */",
        "// until May\n",
    ] {
        assert_eq!(grant.matches(comment).count(), 1, "{comment} in {grant}");
    }
    let parsed = tailnet_kit::policy::to_json(grant).expect("HuJSON");
    let parsed: serde_json::Value = serde_json::from_str(&parsed).expect("JSON");
    assert_eq!(
        parsed["grants"],
        serde_json::json!([{"src": ["ann@example.com"], "srcPosture": ["posture:a"], "dst": ["tag:db"], "ip": ["22"]}])
    );
}

#[test]
fn a_byte_order_mark_is_removed() {
    assert_eq!(
        fixed("\u{feff}{\"acls\": []}", "hujson_syntax"),
        "{\"acls\": []}"
    );
}

#[test]
fn the_members_of_a_group_are_sorted_unless_comments_would_lose_them() {
    let text = r#"{"groups": {"group:a": ["c@x.y", "a@x.y", "b@x.y"]}, "acls": []}"#;
    let sorted = text.replace(
        r#""c@x.y", "a@x.y", "b@x.y""#,
        r#""a@x.y", "b@x.y", "c@x.y""#,
    );
    assert_eq!(
        rewritten(text, "a@x.y"),
        [("Sort the members".to_owned(), sorted)]
    );
    let commented = text.replace("\"c@x.y\"", "/* Carl */ \"c@x.y\"");
    assert_eq!(rewritten(&commented, "a@x.y"), []);
}

// Each is judged with the whole text, which is long: all of them took minutes.
#[test]
fn a_long_range_has_its_first_refactorings_and_each_rule_its_own() {
    let rule = |at: usize| {
        format!(r#"{{"action": "accept", "src": ["u{at}@example.com"], "dst": ["10.0.0.1:22"]}}"#)
    };
    let rules: Vec<String> = (0..100).map(rule).collect();
    let filler = "x".repeat(1 << 20);
    let text = format!("/*{filler}*/ {{\"acls\": [{}]}}", rules.join(", "));
    let titles = |from: usize, to: usize| -> Vec<String> {
        let found = service::actions(&text, TextRange { from, to }, &PolicyContext::default());
        found.into_iter().map(|action| action.title).collect()
    };
    assert_eq!(titles(0, text.len()).len(), 15);
    let last = text.find("u99@").expect("the last rule");
    assert_eq!(
        titles(last, last),
        ["Write a test for this rule", "Write it as a grant"]
    );
}

// They were only removed, which left a rule of nobody to nowhere.
#[test]
fn older_keys_of_the_service_are_written_as_headscale_has_them() {
    let line = "// tailnet-kit: dialect headscale\n";
    let acl = |from: &str, to: &str| {
        format!(
            r#"{line}{{"acls": [{{"action": "accept", "{from}": ["ann@"], "{to}": ["*:22"]}}]}}"#
        )
    };
    let half = fixed(&acl("users", "ports"), "unknown_field");
    assert_eq!(half, acl("src", "ports"));
    assert_eq!(fixed(&half, "unknown_field"), acl("src", "dst"));
    let test = |from: &str, to: &str| {
        format!(r#"{line}{{"acls": [], "tests": [{{"{from}": "ann@", "{to}": ["*:22"]}}]}}"#)
    };
    let half = fixed(&test("user", "allow"), "unknown_field");
    assert_eq!(fixed(&half, "unknown_field"), test("src", "accept"));
}

#[test]
fn a_user_whom_nobody_knows_is_invited_or_created() {
    for (dialect, login, advice) in [
        (
            "tailscale",
            "zed@example.com",
            "check the spelling, or invite the user",
        ),
        (
            "headscale",
            "zed@",
            "check the spelling, or create the user",
        ),
    ] {
        let users = serde_json::json!([{"loginName": "ann@example.com", "id": "1"}]);
        let context = serde_json::json!({"dialect": dialect, "users": users});
        let context: PolicyContext = serde_json::from_value(context).expect("a context");
        let rule =
            format!(r#"{{"acls": [{{"action": "accept", "src": ["{login}"], "dst": ["*:22"]}}]}}"#);
        let found = check(&rule, &context).issues;
        let issue = found.iter().find(|issue| issue.code == "unknown_user");
        assert_eq!(
            issue.and_then(|it| it.hint.as_deref()),
            Some(advice),
            "{found:?}"
        );
    }
}
