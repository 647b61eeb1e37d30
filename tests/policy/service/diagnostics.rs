//! The verbs of the language service that need a verdict or a context: diagnostics, hover, inlays; and that every verb answers
//! for any broken text.
//! Must not live here: fixes of an issue (tests/policy/service/actions.rs), completion (complete.rs), structure and names
//! (outline.rs).

use crate::texts::{asks_all, documents, random};
use serde_json::{Value, json};
use tailnet_kit::policy::service::{self, TextRange};
use tailnet_kit::policy::{PolicyContext, check};

fn context() -> PolicyContext {
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

#[test]
fn diagnostics_are_the_issues_of_check_at_their_places() {
    let text = "{\n  // \u{1F600}\n  \"acls\": [{\"action\": \"drop\", \"src\": [\"group:x\"], \"dst\": [\"*:*\"]}]\n}";
    let issues = json(check(text, &PolicyContext::default()).issues);
    let found = service::diagnostics(text, &PolicyContext::default());
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
    let hover = service::hover(TEXT, at + 1, &context());
    let hover = hover.unwrap_or_else(|| panic!("nothing at {part}"));
    for words in wanted {
        assert!(hover.markdown.contains(words), "{}", hover.markdown);
    }
}

#[test]
fn hover_says_what_a_word_is() {
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
    assert_eq!(json(service::hover(TEXT, 0, &context())), Value::Null);
}

const GRANTS: &str = r#"{
  "groups": {"group:dev": ["ann@example.com"]},
  "tagOwners": {"tag:db": [], "tag:way": []},
  "postures": {"posture:new": ["node:tsVersion >= '1.60'"]},
  "grants": [
    {"src": ["group:dev"], "dst": ["tag:db", "10.0.0.0/8"], "ip": ["tcp:22", "443"], "via": ["tag:way"], "srcPosture": ["posture:new"]},
    {"src": ["ann@example.com"], "dst": ["tag:db"], "app": {"example.com/cap/read": [{}]}},
  ],
  "ssh": [{"action": "check", "src": ["group:dev"], "dst": ["tag:db"], "users": ["root", "autogroup:nonroot"]}],
}"#;

/// The hover at each of these places of the grants.
#[track_caller]
fn each_says(places: &[&str], wanted: &[&str]) {
    for place in places {
        let at = GRANTS.find(place).expect(place);
        let found = service::hover(GRANTS, at + 1, &context());
        let found = found
            .unwrap_or_else(|| panic!("nothing at {place}"))
            .markdown;
        for words in wanted {
            assert!(found.lines().any(|line| line == *words), "{words}: {found}");
        }
    }
}

#[test]
fn hover_says_what_a_grant_or_an_ssh_rule_opens() {
    each_says(
        &[
            r#"{"src": ["group:dev"], "dst""#,
            r#""src": ["group:dev"], "dst""#,
            r#""dst": ["tag:db", "10"#,
            r#""ip": ["tcp"#,
        ],
        &[
            "- from `group:dev` (2 devices, 1 person)",
            "- to `tag:db`, ports tcp:22, 443 (1 device)",
            "- to `10.0.0.0/8`, ports tcp:22, 443 (0 devices)",
            "- by way of `tag:way` (0 devices)",
            "- on devices with `posture:new`",
        ],
    );
    each_says(
        &[r#""app": {"#],
        &["- to `tag:db` (1 device)", "- with `example.com/cap/read`"],
    );
    each_says(
        &[r#"check", "src""#, r#"{"action": "check""#, r#""users": ["#],
        &[
            "- from `group:dev` (2 devices, 1 person)",
            "- to `tag:db` (1 device)",
            "- as `root`, `autogroup:nonroot`",
        ],
    );
    let brace = GRANTS.find("{\"src\": [\"group").expect("a rule");
    let behind = service::hover(GRANTS, brace + 1, &context()).expect("a hover");
    assert_eq!((behind.from, behind.to), (brace, brace + 1));
    assert_eq!(
        json(service::hover(GRANTS, brace - 1, &context())),
        Value::Null
    );
}

/// The string or the object that ends where the remark stands, and the remark.
fn placed(inlay: &Value) -> String {
    let at = inlay["at"].as_u64().unwrap() as usize;
    let before = &TEXT[..at];
    let start = match before.strip_suffix('"') {
        Some(string) => string.rfind('"'),
        None => before.rfind('{'),
    };
    let subject = &before[start.expect("a subject")..];
    let word = |name: &str| inlay[name].as_str().unwrap();
    format!("{subject} {} {}", word("kind"), word("text"))
}

#[test]
fn inlays_are_placed_after_their_subject() {
    let found = json(service::inlay(TEXT, None, &context()));
    let shown: Vec<_> = found.as_array().unwrap().iter().map(placed).collect();
    let wanted = [
        r#""group:dev" resolves 2 devices, 2 people"#,
        r#""tag:db:22,5432" resolves 1 device"#,
        r#""web:443" resolves 10.0.0.1"#,
        r#""group:none" resolves 0 devices"#,
        r#""tag:db:80" resolves 1 device"#,
        r#"{"action": "accept", "src": ["group:none"], "dst": ["tag:db:80"]} unreached never used"#,
        r#""tag:idle" resolves 0 devices"#,
        r#""tag:db:80" resolves 1 device"#,
        r#"{"action": "accept", "src": ["tag:idle"], "dst": ["tag:db:80"]} unreached never used"#,
        r#"{"src": "ann@example.com", "accept": ["tag:db:22"], "deny": ["tag:db:23"]} test passed"#,
    ];
    assert_eq!(shown, wanted);
    let from = TEXT.find("\"tests\"").unwrap();
    let range = TextRange {
        from,
        to: TEXT.len(),
    };
    assert_eq!(
        json(service::inlay(TEXT, Some(range), &context()))
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(json(service::inlay("{", None, &context())), json!([]));
}

/// How many random policies are cut, and into how many pieces each text is.
fn effort() -> (usize, usize) {
    match asks_all() {
        true => (500, 200),
        false => (10, 20),
    }
}

#[test]
fn no_text_is_too_broken() {
    let (more, cuts) = effort();
    let mut asked = 0;
    let texts = documents()
        .into_iter()
        .step_by(if asks_all() { 1 } else { 13 });
    for given in texts.chain(random(more)) {
        let context = given.context();
        let whole = given.text.as_str();
        for cut in 0..cuts {
            let mut at = whole.len() * cut / cuts;
            while !whole.is_char_boundary(at) {
                at -= 1;
            }
            asked += 1;
            is_answered(&whole[..at], &context);
        }
    }
    println!("{asked} texts");
    assert!(asked > 280, "{asked} texts");
}

/// Every verb has an answer about the text, asked at its end.
#[track_caller]
fn is_answered(text: &str, context: &PolicyContext) {
    let at = text.len();
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
    let list = service::complete(text, at, context);
    assert!(list.from <= at && at <= list.to, "{text}");
    service::hover(text, at, context);
    service::inlay(text, Some(range), context);
    assert!(!service::diagnostics(text, context).is_empty(), "{text}");
    service::actions(text, range, context);
}

/// A posture was said to have no devices.
#[test]
fn hover_of_a_posture_counts_the_devices_that_have_it() {
    let text = r#"{
  "postures": {"posture:mac": ["node:os == 'macos'"], "posture:edr": ["custom:edr == true"]},
  "grants": [
    {"src": ["*"], "dst": ["*"], "ip": ["*"], "srcPosture": ["posture:mac"]},
    {"src": ["*"], "dst": ["*"], "ip": ["*"], "srcPosture": ["posture:edr"]},
  ],
}"#;
    let context: PolicyContext = serde_json::from_str(
        r#"{"devices": [
            {"id": "1", "name": "mac", "user": "ann@example.com", "addresses": ["100.64.0.1"], "os": "macOS"},
            {"id": "2", "name": "pc", "user": "bob@example.com", "addresses": ["100.64.0.2"], "os": "windows"}
        ]}"#,
    )
    .expect("a context");
    let at = |name: &str| text.rfind(name).expect("a name") + 1;
    let known = service::hover(text, at("posture:mac"), &context).expect("a hover");
    assert!(known.markdown.contains("1 device"), "{}", known.markdown);
    let unknown = service::hover(text, at("posture:edr"), &context).expect("a hover");
    assert!(!unknown.markdown.contains("device"), "{}", unknown.markdown);
}
