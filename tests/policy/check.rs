//! Checks the documents under `documents`, each of which says which findings it has.
//!
//! A file has many documents. Each starts at a line `//# HEADING: what it shows` (a heading of docs/policy-language.md);
//! `//= MESSAGE` is the service's message (without it the document is accepted), `//@ JSON` the context. In the
//! document `//~ code` marks each finding of a line, and `//? yes`, `no` or `open` the result of a test on that line. Lines
//! `//> ORIGIN: HINT`, if there are any, are the origins and hints of all findings, in the order of the text.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use tailnet_kit::policy::{Issue, PolicyContext, Severity, check};

use crate::texts::each_of;

struct Case<'t> {
    title: &'t str,
    text: String,
    message: Option<&'t str>,
    context: PolicyContext,
}

impl<'t> Case<'t> {
    fn of(file: &'t str) -> Vec<Case<'t>> {
        each_of(file).map(Case::read).collect()
    }

    fn read(text: &'t str) -> Case<'t> {
        let marked = |mark: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(mark).map(str::trim))
        };
        let context = marked("//@ ").unwrap_or("{}");
        Case {
            title: marked("//# ").expect("a title"),
            text: text.to_owned(),
            message: marked("//= "),
            context: serde_json::from_str(context)
                .unwrap_or_else(|error| panic!("{context}: {error}")),
        }
    }

    /// Origins and hints of all findings; nothing where the document has none of these lines.
    fn advised(&self) -> Option<Vec<&str>> {
        let lines = self.text.lines();
        let advised: Vec<&str> = lines.filter_map(|line| line.strip_prefix("//> ")).collect();
        (!advised.is_empty()).then_some(advised)
    }

    fn advice(&self) -> Vec<String> {
        let issues = check(&self.text, &self.context).issues;
        let said = |issue: &Issue| {
            let origin = format!("{:?}", issue.origin).to_lowercase();
            format!("{origin}: {}", issue.hint.as_deref().unwrap_or_default())
        };
        issues.iter().map(said).collect()
    }

    /// Line and code of every finding, and the result of each test, as the document says.
    fn expected(&self) -> Vec<String> {
        let mut expected = Vec::new();
        for (index, line) in self.text.lines().enumerate() {
            let (line, verdict) = line.split_once("//? ").unwrap_or((line, ""));
            let (_, codes) = line.split_once("//~ ").unwrap_or_default();
            let codes = codes.split_whitespace().map(str::to_owned);
            let verdicts = verdict
                .split_whitespace()
                .map(|verdict| format!("test {verdict}"));
            expected.extend(
                codes
                    .chain(verdicts)
                    .map(|found| format!("{}: {found}", index + 1)),
            );
        }
        expected.sort();
        expected
    }

    fn found(&self, text: &str) -> (Option<String>, Vec<String>) {
        let check = check(text, &self.context);
        assert_eq!(check.accepted, check.message.is_none(), "{}", self.title);
        for issue in check
            .issues
            .iter()
            .filter(|issue| issue.code != "hujson_syntax")
        {
            assert!(
                issue.hint.is_some() && issue.pointer.is_some(),
                "{}: {issue:?}",
                self.title
            );
        }
        // The message says where a syntax error is.
        let issues = check.issues.iter().filter(|issue| issue.pointer.is_some());
        let mut found: Vec<String> = issues
            .map(|issue| format!("{}: {}", issue.line, issue.code))
            .collect();
        for result in &check.tests.results {
            let verdict = match result.passed {
                Some(true) => "yes",
                Some(false) => "no",
                None => "open",
            };
            found.push(format!("{}: test {verdict}", result.line));
            assert_eq!(
                result.passed == Some(false),
                !result.errors.is_empty(),
                "{}: {result:?}",
                self.title
            );
        }
        found.sort();
        (check.message, found)
    }
}

fn files() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/policy/documents");
    let entries = fs::read_dir(folder).expect("the folder of the documents");
    let mut files: Vec<(String, String)> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read_to_string(path).expect("a text"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn documents_say_what_is_found_in_them() {
    let mut differences = Vec::new();
    let mut count = 0;
    for (name, file) in files() {
        for case in Case::of(&file) {
            count += 1;
            let (message, found) = case.found(&case.text);
            if message.as_deref() != case.message {
                differences.push(format!(
                    "{name}: {}\n  message: {message:?}\n  expected {:?}",
                    case.title, case.message
                ));
            }
            if let Some(advised) = case.advised()
                && case.advice() != advised
            {
                let found = case.advice().join("\n//> ");
                differences.push(format!("{name}: {}\n//> {found}", case.title));
            }
            let expected = case.expected();
            if found != expected {
                differences.push(format!(
                    "{name}: {}\n  found    {found:?}\n  expected {expected:?}",
                    case.title
                ));
            }
        }
    }
    println!("{count} documents judged");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Lines are counted the same, whatever line breaks a text has.
#[test]
fn line_ends_change_nothing() {
    for (_, file) in files() {
        for case in Case::of(&file) {
            let carriage = case.text.replace('\n', "\r\n");
            let (message, found) = case.found(&carriage);
            assert_eq!((message, found), case.found(&case.text), "{}", case.title);
        }
    }
}

/// A policy of 200 lines that a company may have: with the devices of its context and without, nothing is said of it.
#[test]
fn a_policy_in_use_without_faults_gets_no_warning() {
    let (_, file) = files()
        .into_iter()
        .find(|(name, _)| name == "in_use.hujson")
        .expect("the policy in use");
    let cases = Case::of(&file);
    let case = cases.first().expect("one document");
    assert!(case.text.lines().count() > 200);
    for context in [&case.context, &PolicyContext::default()] {
        let check = check(&case.text, context);
        assert_eq!((check.message, check.issues), (None, Vec::new()));
    }
}

/// A hint must be right for the place of its finding: what helps in an acl does not help in a grant.
#[test]
fn a_hint_fits_the_place_of_its_finding() {
    let hint = |rule: &str| {
        let text =
            format!(r#"{{"hosts": {{"box": "10.0.0.1"}}, "tagOwners": {{"tag:a": []}}, {rule}}}"#);
        let mut issues = check(&text, &PolicyContext::default()).issues.into_iter();
        let issue = issues.find(|issue| issue.severity == Severity::Error);
        issue.and_then(|issue| issue.hint).expect("a hint")
    };
    let grant = |to: &str, ip: &str| {
        hint(&format!(
            r#""grants": [{{"src": ["*"], "dst": ["{to}"], "ip": ["{ip}"]}}]"#
        ))
    };
    let acl = |from: &str, rest: &str| {
        hint(&format!(
            r#""acls": [{{"action": "accept", "src": ["{from}"], "dst": ["box:22"]{rest}}}]"#
        ))
    };
    assert_eq!(grant("box", "icmp"), "write `icmp:*`");
    let ports = "write ports such as `443` or `80-90`, with a protocol `tcp:443`, or `*`";
    assert_eq!(grant("box", "22/sip"), ports);
    assert_eq!(grant("box", "22/tcp"), "write `tcp:22`");
    assert_eq!(grant("box", "icmp:8"), "write `*` for its ports");
    let placed = |host: &str| {
        format!("write `{host}`: only the dst of an acl has ports, a grant has them in `ip`")
    };
    assert_eq!(grant("box:22", "22"), placed("box"));
    assert_eq!(grant("tag:a:80,443", "22"), placed("tag:a"));
    assert_eq!(grant("10.0.0.1:*", "22"), placed("10.0.0.1"));
    assert_eq!(
        acl("tag:22", ""),
        "declare it in tagOwners: `\"tag:22\": []`"
    );
    assert_eq!(
        acl("10.0.0.256", ""),
        "`256`: a number of an IPv4 address is at most 255"
    );
    assert_eq!(acl("*", r#", "proto": "icmp""#), "write `*` for its ports");
    assert_eq!(
        hint(
            r#""ssh": [{"action": "accept", "src": ["box"], "dst": ["tag:a"], "users": ["root"]}]"#
        ),
        "sources of ssh are users, groups, tags or autogroups with members"
    );
}

/// A covered rule is found however many and however large rules there are (docs/policy-language.md#advice).
#[test]
fn a_covered_rule_is_found_in_a_grid_and_among_large_ones() {
    let users = |ids: std::ops::Range<usize>| {
        let users: Vec<String> = ids.map(|id| format!("\"user{id}@example.com\"")).collect();
        users.join(", ")
    };
    let boxes = |ids: std::ops::Range<usize>| {
        let boxes: Vec<String> = ids.map(|id| format!("\"10.0.{id}.1:22\"")).collect();
        boxes.join(", ")
    };
    let rule = |from: String, to: String| {
        format!("{{\"action\": \"accept\", \"src\": [{from}], \"dst\": [{to}]}}")
    };
    let covered = |rules: &[String]| {
        let text = format!("{{\"acls\": [{}]}}", rules.join(",\n"));
        let issues = check(&text, &PolicyContext::default()).issues;
        let covered = issues.into_iter().filter(|i| i.code == "covered_rule");
        covered
            .filter_map(|issue| issue.pointer)
            .collect::<Vec<_>>()
    };
    let mut grid = Vec::new();
    for user in 0..60 {
        for machine in 0..60 {
            grid.push(rule(users(user..user + 1), boxes(machine..machine + 1)));
        }
    }
    assert_eq!(covered(&grid), [""; 0]);
    grid.push(rule(users(59..60), boxes(59..60)));
    assert_eq!(covered(&grid), ["/acls/3600"]);
    let large = [
        rule(users(100..3_000), boxes(0..200)),
        rule(users(0..3_000), boxes(0..200)),
        rule(users(0..3_000), boxes(0..201)),
    ];
    assert_eq!(covered(&large), ["/acls/0", "/acls/1"]);
}

/// Each person and tag has a device, and each router its approved routes.
#[test]
fn a_policy_without_a_fault_gets_no_warning() {
    let text = include_str!("faultless.hujson");
    let found = check(text, &PolicyContext::default());
    assert!(found.accepted && found.issues.is_empty(), "{found:?}");
    let people = [
        "ada", "ben", "cleo", "dov", "edda", "finn", "gwen", "hana", "igor", "kim",
    ];
    let tags = [
        "ci",
        "prod-web",
        "prod-api",
        "prod-db",
        "staging",
        "monitoring",
        "k8s-operator",
        "k8s",
        "recorder",
    ];
    let routers: [(&str, &[&str]); 3] = [
        ("router-fra", &["10.20.0.0/16"]),
        ("router-nyc", &["10.30.0.0/16"]),
        ("exit", &["0.0.0.0/0", "::/0"]),
    ];
    let (mut users, mut devices) = (Vec::new(), Vec::new());
    let mut add = |owner: &str, of: serde_json::Value, routes: &[&str]| {
        let at = devices.len() + 1;
        let mut device = json!({
            "id": at.to_string(), "addresses": [format!("100.64.0.{at}")], "os": "linux", "clientVersion": "1.80.0",
            "advertisedRoutes": routes, "enabledRoutes": routes,
        });
        device[owner] = of;
        devices.push(device);
    };
    for name in people {
        let login = format!(
            "{name}@{}.example",
            if name == "kim" { "audit" } else { "birch" }
        );
        add("user", json!(login), &[]);
        users.push(
            json!({"loginName": login, "role": if name == "ada" { "owner" } else { "member" }}),
        );
    }
    for tag in tags {
        add("tags", json!([format!("tag:{tag}")]), &[]);
    }
    for (tag, routes) in routers {
        add("tags", json!([format!("tag:{tag}")]), routes);
    }
    let context =
        json!({"devices": devices, "users": users, "domains": ["birch.example"], "groups": {}});
    let context: PolicyContext = serde_json::from_value(context).expect("a context");
    let found = check(text, &context);
    assert!(found.accepted && found.issues.is_empty(), "{found:?}");
}
