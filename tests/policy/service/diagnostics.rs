//! The language service where it needs a verdict or a tailnet: diagnostics, actions, hover, inlays; and that no text is
//! too broken for any verb.
//! Must not live here: completion (tests/policy/service/complete.rs), structure and names (tests/policy/service/outline.rs).

use crate::recordings::recordings;
use serde_json::{Value, json};
use tailnet_kit::policy::service::{self, Action, TextRange};
use tailnet_kit::policy::{Topology, check};

fn topology() -> Topology {
    let device = |id: &str, user: &str, tags: &[&str], ip: &str| json!({"id": id, "name": format!("{id}.example.ts.net"), "user": user, "tags": tags, "addresses": [ip]});
    let context = json!({"devices": [
        device("laptop", "ann@example.com", &[], "100.64.0.1"),
        device("phone", "ann@example.com", &[], "100.64.0.2"),
        device("store", "", &["tag:db"], "100.64.0.3"),
    ], "users": [{"loginName": "ann@example.com"}, {"loginName": "bob@example.com"}]});
    serde_json::from_value(context).expect("a context")
}

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

/// What the first fix of the first issue of a text makes of it.
#[track_caller]
fn fixed(text: &str, code: &str) -> String {
    let found = service::diagnostics(text, &Topology::default());
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
fn diagnostics_are_the_issues_of_check_at_their_places() {
    let text = "{\n  // \u{1F600}\n  \"acls\": [{\"action\": \"drop\", \"src\": [\"group:x\"], \"dst\": [\"*:*\"]}]\n}";
    let issues = json(check(text, &Topology::default()).issues);
    let found = service::diagnostics(text, &Topology::default());
    let codes: Vec<_> = found
        .iter()
        .map(|diagnostic| diagnostic.issue.code)
        .collect();
    assert_eq!(
        json(&codes),
        json(
            issues
                .as_array()
                .unwrap()
                .iter()
                .map(|issue| issue["code"].clone())
                .collect::<Vec<_>>()
        )
    );
    let group = found
        .iter()
        .find(|diagnostic| diagnostic.issue.code == "unknown_group")
        .expect("a group");
    assert_eq!(&text[group.from..group.to], "\"group:x\"");
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

/// The titles of the refactorings at a part of a text, with what each makes of it.
fn rewritten(text: &str, part: &str) -> Vec<(String, String)> {
    let from = text.find(part).expect(part);
    let range = TextRange { from, to: from };
    let actions = service::actions(text, range, &Topology::default());
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
        check(test, &Topology::default()).tests.results[0].passed,
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

const TEXT: &str = r#"{
  "groups": {"group:dev": ["ann@example.com", "bob@example.com"], "group:none": []},
  "hosts": {"web": "10.0.0.1"},
  "tagOwners": {"tag:db": ["group:dev"], "tag:idle": []},
  "acls": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:db:22,5432", "web:443"]},
    {"action": "accept", "src": ["group:none"], "dst": ["tag:db:80"]},
    {"action": "accept", "src": ["tag:idle"], "dst": ["tag:db:80"]},
  ],
  "tests": [{"src": "ann@example.com", "accept": ["tag:db:22"], "deny": ["tag:db:23"]}],
}"#;

#[track_caller]
fn hovers(part: &str, wanted: &[&str]) {
    let at = TEXT.find(part).expect(part);
    let hover = service::hover(TEXT, at + 1, &topology());
    let hover = hover.unwrap_or_else(|| panic!("nothing at {part}"));
    for words in wanted {
        assert!(hover.markdown.contains(words), "{}", hover.markdown);
    }
}

#[test]
fn hover_tells_what_a_word_is() {
    hovers(
        "group:dev\"], \"dst\"",
        &[
            "**group:dev**",
            "`bob@example.com`",
            "2 devices, 2 people",
            "laptop.example.ts.net 100.64.0.1",
        ],
    );
    hovers(
        "tag:db:22,5432",
        &["Owners: `group:dev`", "1 device", "store"],
    );
    hovers("web:443", &["Address: `10.0.0.1`"]);
    hovers("5432", &["Port 5432: postgres"]);
    hovers("\"dst\"", &["acls · dst", "HOST:PORTS"]);
    hovers("\"groups\"", &["**groups**"]);
    hovers(
        "accept\", \"src\": [\"group:dev",
        &[
            "Lets it through",
            "- from `group:dev` (2 devices, 2 people)",
            "- to `tag:db`, ports 22,5432 (1 device)",
            "- to `web`, ports 443",
        ],
    );
    assert_eq!(json(service::hover(TEXT, 0, &topology())), Value::Null);
}

#[test]
fn inlays_stand_behind_what_they_are_about() {
    let found = json(service::inlay(TEXT, None, &topology()));
    let shown: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|inlay| {
            let at = inlay["at"].as_u64().unwrap() as usize;
            let start = TEXT[..at]
                .rfind(['"', '{'])
                .map_or(0, |end| TEXT[..end].rfind('"').unwrap_or(0));
            let _ = start;
            format!(
                "{} {}",
                inlay["kind"].as_str().unwrap(),
                inlay["text"].as_str().unwrap()
            )
        })
        .collect();
    let wanted = [
        "resolves 2 devices, 2 people",
        "resolves 1 device",
        "resolves 10.0.0.1",
        "resolves 0 devices",
        "resolves 1 device",
        "unreached never used",
        "resolves 0 devices",
        "resolves 1 device",
        "unreached never used",
        "test passed",
    ];
    assert_eq!(shown, wanted);
    let from = TEXT.find("\"tests\"").unwrap();
    let range = TextRange {
        from,
        to: TEXT.len(),
    };
    assert_eq!(
        json(service::inlay(TEXT, Some(range), &topology()))
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(json(service::inlay("{", None, &topology())), json!([]));
}

/// How many recordings are passed over for each that is looked at, and into how many pieces each is cut;
/// `POLICY_LANGUAGE_ALL` is for all of them.
fn effort() -> (usize, usize) {
    match std::env::var_os("POLICY_LANGUAGE_ALL") {
        Some(_) => (1, 200),
        None => (59, 20),
    }
}

#[test]
fn no_text_is_too_broken() {
    let (step, cuts) = effort();
    let mut asked = 0;
    for (_, recordings) in recordings("cut") {
        for recording in recordings.iter().step_by(step) {
            let topology = recording.topology();
            let whole = recording.policy();
            for cut in 0..cuts {
                let mut at = whole.len() * cut / cuts;
                while !whole.is_char_boundary(at) {
                    at -= 1;
                }
                let text = &whole[..at];
                asked += 1;
                let range = TextRange {
                    from: at / 2,
                    to: at,
                };
                service::symbols(text);
                service::folding(text);
                service::selection(text, at);
                service::tokens(text, None);
                service::definition(text, at);
                service::references(text, at);
                let _ = service::rename_at(text, at, "tag:new");
                let list = service::complete(text, at, &topology);
                assert!(list.from <= at && at <= list.to, "{text}");
                service::hover(text, at, &topology);
                service::inlay(text, Some(range), &topology);
                assert!(!service::diagnostics(text, &topology).is_empty(), "{text}");
                service::actions(text, range, &topology);
            }
        }
    }
    println!("{asked} texts");
}

/// The codes of the issues of a text, each as often as it occurs.
fn codes(text: &str, topology: &Topology) -> Vec<&'static str> {
    let mut codes: Vec<_> = check(text, topology)
        .issues
        .iter()
        .map(|issue| issue.code)
        .collect();
    codes.sort_unstable();
    codes
}

#[track_caller]
fn every_fix_removes_its_issue(text: &str, topology: &Topology, fixes: &mut Vec<&'static str>) {
    let before = codes(text, topology);
    for diagnostic in service::diagnostics(text, topology) {
        for fix in &diagnostic.fixes {
            let after = codes(&applied(text, fix), topology);
            let count =
                |codes: &[&str], code: &str| codes.iter().filter(|known| **known == code).count();
            let own = diagnostic.issue.code;
            if own == "hujson_syntax" {
                continue;
            }
            assert!(
                count(&after, own) < count(&before, own),
                "{}: {text}",
                json(fix)
            );
            for code in &after {
                let is_no_more = count(&after, code) <= count(&before, code);
                assert!(
                    is_no_more || *code == "never_matches",
                    "{code}: {}: {text}",
                    json(fix)
                );
            }
            fixes.push(own);
        }
    }
}

#[test]
fn a_fix_removes_its_issue_and_adds_none() {
    let (mut fixes, mut all) = (Vec::new(), Vec::new());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/policy/documents");
    for file in std::fs::read_dir(folder).expect(folder).flatten() {
        let text = std::fs::read_to_string(file.path()).expect("a text");
        if file
            .path()
            .extension()
            .is_some_and(|ending| ending == "hujson")
        {
            for text in text
                .split("//# ")
                .filter(|text| text.contains('{'))
                .map(|text| format!("//# {text}"))
            {
                all.extend(codes(&text, &Topology::default()));
                every_fix_removes_its_issue(&text, &Topology::default(), &mut fixes);
            }
        }
    }
    let (step, _) = effort();
    for (_, recordings) in recordings("fix") {
        for recording in recordings.iter().step_by(step.min(7)) {
            all.extend(codes(recording.policy(), &recording.topology()));
            every_fix_removes_its_issue(recording.policy(), &recording.topology(), &mut fixes);
        }
    }
    println!("{} issues, {} fixes", all.len(), fixes.len());
    all.sort_unstable();
    all.dedup();
    let without: Vec<_> = all.iter().filter(|code| !fixes.contains(code)).collect();
    println!("codes without a fix: {without:?}");
}
