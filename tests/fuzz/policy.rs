//! Documents of the whole policy language, made from the fuzzer's bytes: every verb ends, and they agree with each other.
//! Must not live here: texts that are not documents (format, scan), expectations about one document.
#![no_main]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    By, Flow, Policy, PortRange, Query, Subject, PolicyContext, Verdict, check, diff, diff_access, edit,
    to_json,
};

fuzz_target!(|bytes: &[u8]| {
    let mut dice = Unstructured::new(bytes);
    let Ok(document) = document(&mut dice) else {
        return;
    };
    let text = document.to_string();
    for context in [PolicyContext::default(), context()] {
        judge(&text, &context);
    }
    rewritten(&text);
    edited(&text, &mut dice);
});

const SELECTORS: [&str; 36] = [
    "*",
    "ann@example.com",
    "bob@example.com",
    "cyd@other.org",
    " ann@example.com",
    "group:one",
    "group:none",
    "group:out",
    "tag:a",
    "tag:b",
    "tag:gone",
    "autogroup:member",
    "autogroup:members",
    "autogroup:tagged",
    "autogroup:self",
    "autogroup:internet",
    "autogroup:danger-all",
    "autogroup:admin",
    "autogroup:shared",
    "autogroup:nonroot",
    "autogroup:x",
    "100.64.0.1",
    "100.64.0.0/24",
    "fd7a:115c:a1e0::1",
    "100.64.0.1-100.64.0.3",
    "10.1.0.0/16",
    "0.0.0.0/0",
    "::/0",
    "box",
    "lan",
    "nobox",
    "ipset:lan",
    "ipset:gone",
    "svc:web",
    "user:*@example.com",
    "user:*@other.net",
];
const PORTS: [&str; 14] = [
    "*", "22", "80,443", "80-90", "0", "90-80", "1-2-3", "http", "", "65536", "1-65535", "22,",
    "+1", "65535",
];
const IPS: [&str; 12] = [
    "*", "22", "tcp:80", "udp:53", "80-90", "icmp:*", "icmp", "47", "gre:*", "tcp:0", "sctp:1-9",
    "tcp:*",
];
const PROTOCOLS: [&str; 9] = [
    "tcp",
    "UDP",
    "icmp",
    "17",
    "0",
    "256",
    "http",
    "",
    "ipv6-icmp",
];
const ACCOUNTS: [&str; 9] = [
    "root",
    "autogroup:nonroot",
    "ubuntu",
    "localpart:*@example.com",
    "localpart:x",
    "*",
    "",
    " root",
    "autogroup:member",
];
const PERIODS: [&str; 8] = ["12h", "always", "168h", "169h", "0s", "-1h", "1h30m", "x"];
const CONDITIONS: [&str; 6] = [
    "node:os == 'linux'",
    "node:tsVersion >= '1.40'",
    "node:os IN ['macos', 'linux']",
    "custom:x IS SET",
    "custom:x NOT SET",
    "node:os",
];

/// The keys of an object and the values of each.
type Fields = &'static [(&'static str, Make)];
type Make = fn(&mut Unstructured<'_>) -> Result<Value>;

const TOP: Fields = &[
    ("acls", |d| list(d, 4, |d| object(d, ACL))),
    ("ACLs", |d| list(d, 3, |d| object(d, ACL))),
    ("grants", |d| list(d, 4, |d| object(d, GRANT))),
    ("ssh", |d| list(d, 3, |d| object(d, SSH))),
    ("tests", |d| list(d, 3, |d| object(d, TEST))),
    ("sshTests", |d| list(d, 3, |d| object(d, SSH_TEST))),
    ("nodeAttrs", |d| list(d, 3, |d| object(d, NODE_ATTR))),
    ("autoApprovers", |d| object(d, APPROVERS)),
    ("defaultSrcPosture", |d| {
        one(d, &["posture:p", "posture:gone"]).map(|name| json!([name]))
    }),
    ("ipsets", |d| {
        named(d, &["ipset:lan", "ipset:more", "set"], |d| {
            list(d, 3, operation)
        })
    }),
    ("postures", |d| {
        named(d, &["posture:p", "posture:q", "p"], |d| {
            list(d, 3, |d| one(d, &CONDITIONS))
        })
    }),
    ("groups", |d| {
        named(
            d,
            &["group:one", "group:none", "group:out", "one"],
            selectors,
        )
    }),
    ("hosts", |d| {
        named(d, &["box", "lan", "at@x", "10.0.0.1", "nobox"], |d| {
            one(d, &SELECTORS[21..])
        })
    }),
    ("tagOwners", |d| {
        named(d, &["tag:a", "tag:b", "tag:1", "b"], selectors)
    }),
    ("randomizeClientPort", |d| Ok(json!(d.arbitrary::<bool>()?))),
    ("nonsense", |_| Ok(json!(1))),
];
const ACL: Fields = &[
    ("action", |d| {
        one(d, &["accept", "accept", "accept", "Accept", ""])
    }),
    ("src", selectors),
    ("dst", |d| list(d, 3, destination)),
    ("proto", |d| one(d, &PROTOCOLS)),
    ("users", selectors),
    ("Ports", |d| list(d, 3, destination)),
    ("srcPosture", posture),
];
/// A rule to add.
const RULE: Fields = &[ACL[0], ACL[1], ACL[2]];
const GRANT: Fields = &[
    ("src", selectors),
    ("dst", selectors),
    ("ip", |d| list(d, 3, |d| one(d, &IPS))),
    ("app", |d| {
        named(
            d,
            &[
                "example.com/cap",
                "tailscale.com/cap/drive",
                "tailscale.com/cap/x",
                "https://x/y",
            ],
            |_| Ok(json!([{}])),
        )
    }),
    ("via", |d| list(d, 2, |d| one(d, &SELECTORS[5..11]))),
    ("srcPosture", posture),
];
const SSH: Fields = &[
    ("action", |d| one(d, &["accept", "check", "", "drop"])),
    ("src", selectors),
    ("dst", selectors),
    ("users", accounts),
    ("checkPeriod", |d| one(d, &PERIODS)),
    ("acceptEnv", |d| {
        list(d, 2, |d| one(d, &["LANG", "LC_*", ""]))
    }),
    ("srcPosture", posture),
    ("enforceRecorder", |d| Ok(json!(d.arbitrary::<bool>()?))),
];
const TEST: Fields = &[
    ("src", |d| one(d, &SELECTORS)),
    ("user", |d| one(d, &SELECTORS)),
    ("accept", |d| list(d, 3, destination)),
    ("allow", |d| list(d, 3, destination)),
    ("deny", |d| list(d, 3, destination)),
    ("proto", |d| one(d, &PROTOCOLS)),
    ("srcPostureAttrs", |_| {
        Ok(json!({"node:os": "linux", "node:tsVersion": "1.50.0"}))
    }),
];
const SSH_TEST: Fields = &[
    ("src", |d| one(d, &SELECTORS)),
    ("dst", selectors),
    ("accept", accounts),
    ("check", accounts),
    ("deny", accounts),
];
const NODE_ATTR: Fields = &[
    ("target", selectors),
    ("attr", |d| {
        list(d, 2, |d| one(d, &["funnel", "nextdns:abc", ""]))
    }),
    ("app", |_| Ok(json!({"example.com/x": [{"a": 1}]}))),
    ("ipPool", |d| {
        list(d, 2, |d| {
            one(d, &["100.81.0.0/16", "100.100.100.0/24", "x"])
        })
    }),
];
const APPROVERS: Fields = &[
    ("routes", |d| {
        named(
            d,
            &["10.0.0.0/8", "0.0.0.0/0", "x", "10.0.0.1/8"],
            selectors,
        )
    }),
    ("exitNode", selectors),
    ("services", |d| named(d, &["svc:web", "web"], selectors)),
];

fn document(dice: &mut Unstructured<'_>) -> Result<Value> {
    object(dice, TOP)
}

/// Some of the fields, each now and then `null`, of another type, or in capitals.
fn object(dice: &mut Unstructured<'_>, fields: Fields) -> Result<Value> {
    let mut members = Map::new();
    for (name, make) in fields {
        if dice.ratio(2_u8, 5_u8)? {
            continue;
        }
        let value = match dice.int_in_range(0..=60_u8)? {
            0 => Value::Null,
            1 => dice
                .choose(&[
                    json!("x"),
                    json!(1),
                    json!([[]]),
                    json!({"x": []}),
                    json!([null]),
                ])?
                .clone(),
            _ => make(dice)?,
        };
        let name = match dice.ratio(1_u8, 30_u8)? {
            true => name.to_uppercase(),
            false => (*name).to_owned(),
        };
        members.insert(name, value);
    }
    Ok(Value::Object(members))
}

fn list(dice: &mut Unstructured<'_>, most: usize, make: Make) -> Result<Value> {
    let count = dice.int_in_range(0..=most)?;
    let items: Result<Vec<Value>> = (0..count).map(|_| make(dice)).collect();
    items.map(Value::Array)
}

fn named(dice: &mut Unstructured<'_>, names: &[&str], make: Make) -> Result<Value> {
    let mut members = Map::new();
    for name in names {
        if dice.ratio(3_u8, 4_u8)? {
            members.insert((*name).to_owned(), make(dice)?);
        }
    }
    Ok(Value::Object(members))
}

fn one(dice: &mut Unstructured<'_>, texts: &[&str]) -> Result<Value> {
    dice.choose(texts).map(|text| json!(text))
}

fn selectors(dice: &mut Unstructured<'_>) -> Result<Value> {
    list(dice, 3, |dice| one(dice, &SELECTORS))
}

fn accounts(dice: &mut Unstructured<'_>) -> Result<Value> {
    list(dice, 3, |dice| one(dice, &ACCOUNTS))
}

fn posture(dice: &mut Unstructured<'_>) -> Result<Value> {
    list(dice, 2, |dice| {
        one(dice, &["posture:p", "posture:q", "posture:gone"])
    })
}

fn destination(dice: &mut Unstructured<'_>) -> Result<Value> {
    let (host, ports) = (dice.choose(&SELECTORS)?, dice.choose(&PORTS)?);
    Ok(json!(format!("{host}:{ports}")))
}

fn operation(dice: &mut Unstructured<'_>) -> Result<Value> {
    let verb = dice.choose(&["", "add ", "remove ", "host:"])?;
    Ok(json!(format!("{verb}{}", dice.choose(&SELECTORS)?)))
}

const USERS: [&str; 3] = ["ann@example.com", "bob@example.com", "cyd@other.org"];

/// Five devices, one address each, one of them a subnet router and one an exit node.
fn context() -> PolicyContext {
    let context = json!({
        "devices": [
            {"id": "1", "user": USERS[0], "addresses": ["100.64.0.1"]},
            {"id": "2", "user": USERS[1], "addresses": ["100.64.0.2"]},
            {"id": "3", "tags": ["tag:a"], "addresses": ["100.64.0.3"], "advertisedRoutes": ["10.1.0.0/16"], "enabledRoutes": ["10.1.0.0/16"]},
            {"id": "4", "tags": ["tag:b", "tag:a"], "addresses": ["100.64.0.4"], "advertisedRoutes": ["0.0.0.0/0"], "enabledRoutes": ["0.0.0.0/0"]},
            {"id": "5", "user": USERS[2], "addresses": ["100.64.0.5"]},
        ],
        "users": USERS.map(|login| json!({"loginName": login, "role": "admin"})),
        "domains": ["example.com"],
    });
    PolicyContext::read(&context.to_string()).expect("a context")
}

/// Every verb ends; with every device known, filters, explanations and previews agree.
fn judge(text: &str, context: &PolicyContext) {
    let verdict = check(text, context);
    assert_eq!(verdict.accepted, verdict.message.is_none());
    let units = text.encode_utf16().count();
    for issue in &verdict.issues {
        assert!(issue.offset + issue.length <= units, "{issue:?}");
    }
    let parsed = hujson::parse(text).expect("JSON is HuJSON");
    let policy = Policy::read(&parsed);
    let count = context.devices.iter().flatten().count();
    let filters = policy.filters(context);
    assert_eq!(
        (filters.len(), policy.ssh_rules(context).len()),
        (count, count)
    );
    assert_eq!(diff_access(&policy, &policy, context), []);
    let matrix = policy.access(context, By::Name).expect("a matrix");
    serde_json::to_string(&matrix).expect("JSON");
    for query in [
        Query::Of(Subject::Tag("a".into())),
        Query::Of(Subject::Host("box".into())),
        Query::Of(Subject::Host("10.0.0.0/8".into())),
    ] {
        policy.preview(&query, context);
    }
    for login in USERS {
        let previewed = policy
            .preview(&Query::Of(Subject::User(login.into())), context)
            .expect("an answer")
            .matches
            .len();
        let flow = Flow::new(&Subject::User(login.into()), "100.64.0.3:22", None).expect("a flow");
        let explained = policy.explain(&flow, context).expect("an answer");
        assert!(
            context.devices.is_none() || explained.because.len() <= previewed,
            "{login}"
        );
    }
    if !verdict.accepted {
        return;
    }
    for from in 0..count {
        for to in 0..count {
            let subject = Subject::Ip(format!("100.64.0.{}", from + 1));
            for port in [22, 80] {
                let flow = Flow::new(&subject, &format!("100.64.0.{}:{port}", to + 1), None);
                let allowed = policy
                    .explain(&flow.expect("a flow"), context)
                    .expect("an answer")
                    .verdict
                    == Verdict::Allowed;
                let (source, target) = (address(context, from), address(context, to));
                let filtered = filters[to].iter().any(|rule| {
                    rule.app.is_none()
                        && rule.proto.contains(&6)
                        && rule.src.iter().any(|net| net.contains(source))
                        && rule.dst.iter().any(|to| {
                            to.net.contains(target) && PortRange::contains(to.ports, port)
                        })
                });
                assert_eq!(allowed, filtered, "{} to {}:{port}", from + 1, to + 1);
            }
        }
    }
}

fn address(context: &PolicyContext, device: usize) -> tailnet_kit::cidr::Address {
    context.devices.as_ref().expect("devices")[device].addresses[0]
}

/// Another layout, and the parsed form of the service, mean the same.
fn rewritten(text: &str) {
    let context = context();
    let verdict = check(text, &context);
    let formatted = hujson::format(text).expect("JSON is HuJSON");
    assert_eq!(check(&formatted, &context).message, verdict.message);
    assert_eq!(diff(text, &formatted).expect("HuJSON"), []);
    if verdict.accepted {
        let json = to_json(text).expect("HuJSON");
        assert_eq!(check(&json, &context).message, None);
        assert_eq!(diff(text, &json).expect("HuJSON"), []);
    }
}

/// An edit and its inverse keep the meaning.
fn edited(text: &str, dice: &mut Unstructured<'_>) {
    let Ok(rule) = object(dice, RULE) else {
        return;
    };
    match edit::set_group(text, "group:fresh", None) {
        Ok(before) => assert_eq!(before, text),
        Err(error) => assert!(has_odd_groups(text), "{error}"),
    }
    if let Ok(with) = edit::set_host(text, "fresh", Some("10.0.0.9")) {
        let back = edit::set_host(&with, "fresh", None).expect("an alias to remove");
        assert_eq!(diff(text, &back).expect("HuJSON"), []);
    }
    let Ok(added) = edit::add_rule(text, &rule.to_string(), Some(0)) else {
        return;
    };
    let parsed = hujson::parse(text).expect("HuJSON");
    if Policy::read(&parsed).acls.is_some() {
        let back = edit::remove_rule(&added, 0).expect("the rule that was added");
        assert_eq!(diff(text, &back).expect("HuJSON"), []);
    }
}

/// Whether the groups are of another type than an object, which no edit of them replaces.
fn has_odd_groups(text: &str) -> bool {
    let members: Map<String, Value> = serde_json::from_str(text).expect("an object");
    let mut groups = members
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("groups"));
    groups.any(|(_, groups)| !groups.is_object())
}
