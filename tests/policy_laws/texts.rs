//! Laws over texts: edits, spellings, damage, and that more rules never take access away. Must not live here: laws that use the
//! oracle.

use proptest::prelude::*;
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    Flow, Policy, PolicyContext, PortRange, Query, Subject, Verdict, check, diff, edit, to_json,
};

/// Documents to damage.
const FILES: [&str; 4] = [
    include_str!("../policy/documents/definitions.hujson"),
    include_str!("../policy/documents/grants.hujson"),
    include_str!("../policy/documents/ssh.hujson"),
    include_str!("../policy/documents/tests.hujson"),
];

const USERS: [&str; 3] = ["ann@example.com", "bob@example.com", "cyd@other.org"];
const TAGS: [&str; 3] = ["tag:a", "tag:b", "tag:c"];

/// The documents of all files, one by one.
fn documents() -> Vec<&'static str> {
    FILES
        .iter()
        .flat_map(|file| file.split("//# ").skip(1))
        .collect()
}

fn source() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "*",
        "ann@example.com",
        "bob@example.com",
        "group:one",
        "group:none",
        "tag:a",
        "tag:b",
        "autogroup:member",
        "autogroup:tagged",
        "100.64.0.1",
        "100.64.0.0/24",
        "box",
        "ipset:lan",
        "user:*@example.com",
    ])
}

fn target() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "*",
        "ann@example.com",
        "group:one",
        "tag:a",
        "tag:c",
        "autogroup:member",
        "autogroup:tagged",
        "100.64.0.3",
        "100.64.0.0/24",
        "10.1.0.0/16",
        "box",
        "ipset:lan",
        "autogroup:internet",
    ])
}

fn ports() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["*", "22", "80", "80-90", "443"])
}

fn some<T: Clone + std::fmt::Debug>(
    one: impl Strategy<Value = T>,
) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(one, 1..3)
}

fn acl() -> impl Strategy<Value = Value> {
    let protocol = prop::sample::select(vec![None, None, Some("tcp"), Some("udp")]);
    (some(source()), some((target(), ports())), protocol).prop_map(|(src, dst, proto)| {
        let dst: Vec<String> = dst
            .iter()
            .map(|(to, ports)| format!("{to}:{ports}"))
            .collect();
        let mut rule = json!({"action": "accept", "src": src, "dst": dst});
        if let Some(proto) = proto {
            rule["proto"] = json!(proto);
        }
        rule
    })
}

fn grant() -> impl Strategy<Value = Value> {
    let ip = prop::sample::select(vec!["*", "22", "tcp:80", "udp:53", "80-90"]);
    (some(source()), some(target()), some(ip))
        .prop_map(|(src, dst, ip)| json!({"src": src, "dst": dst, "ip": ip}))
}

fn document(acls: &[Value], grants: &[Value]) -> Value {
    json!({
        "groups": {"group:one": ["ann@example.com", "cyd@other.org"], "group:none": []},
        "hosts": {"box": "100.64.0.2"},
        "ipsets": {"ipset:lan": ["10.0.0.0/8", "100.64.0.4", "remove 10.2.0.0/16"]},
        "tagOwners": {"tag:a": [], "tag:b": [], "tag:c": []},
        "acls": acls,
        "grants": grants,
    })
}

/// Devices 1.. of users and tags, one of them a router.
fn context() -> PolicyContext {
    let device = |id: usize, user: Option<&str>, tags: &[&str], routes: &[&str]| {
        json!({"id": id.to_string(), "user": user, "tags": tags, "addresses": [format!("100.64.0.{id}")],
            "advertisedRoutes": routes, "enabledRoutes": routes})
    };
    let context = json!({
        "devices": [
            device(1, Some(USERS[0]), &[], &[]), device(2, Some(USERS[1]), &[], &[]), device(3, None, &["tag:a"], &[]),
            device(4, None, &["tag:b", "tag:c"], &["10.1.0.0/16"]), device(5, Some(USERS[2]), &[], &[]),
        ],
        "users": USERS.map(|login| json!({"loginName": login})),
        "domains": ["example.com"],
    });
    serde_json::from_value(context).expect("a context")
}

fn subjects() -> Vec<Subject> {
    let users = USERS.iter().map(|login| Subject::User((*login).to_owned()));
    users
        .chain(TAGS.iter().map(|tag| Subject::Tag((*tag).to_owned())))
        .collect()
}

/// Whether each subject reaches each destination, in the same order for every document.
fn reach(text: &str, context: &PolicyContext) -> Vec<Verdict> {
    let document = hujson::parse(text).expect("HuJSON");
    let policy = Policy::read(&document);
    let places = [
        "tag:a:22",
        "tag:c:80",
        "ann@example.com:443",
        "100.64.0.2:85",
        "10.1.2.3:53",
        "8.8.8.8:53",
    ];
    let mut verdicts = Vec::new();
    for subject in subjects() {
        for (place, proto) in places
            .iter()
            .flat_map(|place| [(place, "tcp"), (place, "udp")])
        {
            let flow = Flow::new(&subject, place, Some(proto)).expect("a flow");
            verdicts.push(policy.explain(&flow, context).expect("an answer").verdict);
        }
    }
    verdicts
}

/// Whether the packet filters let one device talk to an address of a device.
fn filtered(text: &str, context: &PolicyContext, from: usize, to: usize, port: u16) -> bool {
    let document = hujson::parse(text).expect("HuJSON");
    let filters = Policy::read(&document).filters(context);
    let device = |at: usize| &context.devices.as_ref().expect("devices")[at];
    let (source, target) = (device(from).addresses[0], device(to).addresses[0]);
    filters[to].iter().any(|rule| {
        rule.app.is_none()
            && rule.proto.contains(&6)
            && rule.src.iter().any(|net| net.contains(source))
            && rule
                .dst
                .iter()
                .any(|to| to.net.contains(target) && PortRange::contains(to.ports, port))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn an_accept_rule_never_takes_access_away(acls in prop::collection::vec(acl(), 0..4), grants in prop::collection::vec(grant(), 0..3), more in acl()) {
        for context in [PolicyContext::default(), context()] {
            let before = reach(&document(&acls, &grants).to_string(), &context);
            let mut acls = acls.clone();
            acls.push(more.clone());
            let after = reach(&document(&acls, &grants).to_string(), &context);
            for (before, after) in before.into_iter().zip(after) {
                prop_assert!(before != Verdict::Allowed || after == Verdict::Allowed);
                prop_assert!(before != Verdict::Unknown || after != Verdict::Denied);
            }
        }
    }

    #[test]
    fn the_order_of_rules_means_nothing(acls in prop::collection::vec(acl(), 0..4), grants in prop::collection::vec(grant(), 0..4)) {
        let text = document(&acls, &grants).to_string();
        let reversed = |rules: &[Value]| rules.iter().rev().cloned().collect::<Vec<_>>();
        let other = document(&reversed(&acls), &reversed(&grants)).to_string();
        let context = context();
        prop_assert_eq!(reach(&text, &context), reach(&other, &context));
        prop_assert_eq!(diff(&text, &other).expect("HuJSON"), vec![]);
    }

    #[test]
    fn the_old_spelling_says_the_same(acls in prop::collection::vec(acl(), 0..4), login in prop::sample::select(USERS.to_vec())) {
        let text = document(&acls, &[]).to_string();
        let old = text.replace("\"src\"", "\"Users\"").replace("\"dst\"", "\"Ports\"").replace("\"acls\"", "\"ACLs\"").replace("\"action\"", "\"Action\"");
        let context = context();
        prop_assert_eq!(reach(&text, &context), reach(&old, &context));
        prop_assert_eq!(diff(&text, &old).expect("HuJSON"), vec![]);
        prop_assert_eq!(to_json(&text), to_json(&old).map(|json| json.replace("\"Action\"", "\"action\"")));
        let query = Query::Of(Subject::User(login.to_owned()));
        let (one, two) = (hujson::parse(&text).expect("HuJSON"), hujson::parse(&old).expect("HuJSON"));
        let (one, two) = (Policy::read(&one), Policy::read(&two));
        prop_assert_eq!(one.preview(&query, &context).expect("an answer"), two.preview(&query, &context).expect("an answer"));
    }

    /// With every device known, the rules that explain a flow are among those previewed for its user, and the filters agree.
    #[test]
    fn preview_explanation_and_filters_agree(acls in prop::collection::vec(acl(), 0..4), grants in prop::collection::vec(grant(), 0..3), port in prop::sample::select(vec![22_u16, 80, 443])) {
        let text = document(&acls, &grants).to_string();
        let context = context();
        let parsed = hujson::parse(&text).expect("HuJSON");
        let policy = Policy::read(&parsed);
        for (from, login) in [(0, USERS[0]), (1, USERS[1]), (4, USERS[2])] {
            let query = Query::Of(Subject::User(login.to_owned()));
            let previewed = policy.preview(&query, &context).expect("an answer").matches.len();
            for to in 0..5 {
                let flow = Flow::new(&Subject::User(login.to_owned()), &format!("100.64.0.{}:{port}", to + 1), None).expect("a flow");
                let explanation = policy.explain(&flow, &context).expect("an answer");
                prop_assert!(explanation.because.len() <= previewed);
                prop_assert_eq!(explanation.verdict == Verdict::Allowed, filtered(&text, &context, from, to, port), "{} to device {}", login, to + 1);
            }
        }
    }

    #[test]
    fn an_edit_and_its_inverse_keep_the_meaning(acls in prop::collection::vec(acl(), 0..4), rule in acl(), at in 0_usize..4) {
        let text = serde_json::to_string_pretty(&document(&acls, &[])).expect("JSON");
        let at = at.min(acls.len());
        let added = edit::add_rule(&text, &rule.to_string(), Some(at)).expect("an edit");
        prop_assert_eq!(diff(&text, &added).expect("HuJSON").len(), 1);
        let back = edit::remove_rule(&added, at).expect("an edit");
        prop_assert_eq!(diff(&text, &back).expect("HuJSON"), vec![]);
        let with = edit::set_host(&text, "fresh", Some("10.0.0.1")).expect("an edit");
        let back = edit::set_host(&with, "fresh", None).expect("an edit");
        prop_assert_eq!(diff(&text, &back).expect("HuJSON"), vec![]);
    }

    /// Every text gets a verdict, and its issues are within the text.
    #[test]
    fn no_text_is_too_strange(text in "[{}\\[\\]:,\"a-z*@/.0-9 \n]{0,60}", typed in prop::collection::vec(prop_oneof![acl(), grant(), Just(json!(null)), Just(json!([[]])), Just(json!("x"))], 0..4)) {
        for text in [text, document(&typed, &typed).to_string(), format!("{{\"ssh\": {0}, \"tests\": {0}, \"nodeAttrs\": {0}, \"groups\": {0}}}", Value::from(typed))] {
            let units = text.encode_utf16().count();
            let check = check(&text, &PolicyContext::default());
            prop_assert_eq!(check.accepted, check.message.is_none());
            for issue in check.issues {
                prop_assert!(issue.offset + issue.length <= units);
                prop_assert!(issue.line >= 1 && issue.column >= 1);
            }
        }
    }

    /// Documents with pieces cut out, doubled or moved: every verb ends, and they agree on what is a syntax error.
    #[test]
    fn no_damage_is_too_strange(file in prop::sample::select(documents()), cuts in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64, 0_usize..30), 1..6)) {
        let mut characters: Vec<char> = format!("// {file}").chars().collect();
        for (from, to, length) in cuts {
            let at = |share: f64, length: usize| ((share * length as f64) as usize).min(length);
            let start = at(from, characters.len());
            let end = (start + length).min(characters.len());
            let piece: Vec<char> = characters.drain(start..end).collect();
            let target = at(to, characters.len());
            let kept = if length % 3 == 0 { Vec::new() } else { piece };
            characters.splice(target..target, kept);
        }
        let text: String = characters.into_iter().collect();
        let context = context();
        let check = check(&text, &context);
        prop_assert_eq!(check.accepted, check.message.is_none());
        let syntax = check.issues.iter().any(|issue| issue.code == "hujson_syntax");
        prop_assert_eq!(to_json(&text).is_err(), syntax);
        prop_assert_eq!(diff(&text, &text).is_err(), syntax);
        if let Ok(document) = hujson::parse(&text) {
            let policy = Policy::read(&document);
            let query = Query::Of(Subject::User("ann@example.com".to_owned()));
            prop_assert!(policy.preview(&query, &context).expect("an answer").matches.len() <= policy.acl_rules().len() + policy.grant_rules().len());
            prop_assert_eq!(policy.filters(&context).len(), 5);
            prop_assert_eq!(policy.ssh_rules(&context).len(), 5);
        }
    }
}
