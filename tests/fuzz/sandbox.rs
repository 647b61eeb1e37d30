//! HTTP at the sandbox: each request, in any order, has an answer in the service's form, a refusal changes nothing, and the state
//! can be saved and read again. Must not live here: headers, any other law.
#![no_main]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};
use tailnet_kit::api::{ApiKey, Headers, Operation};
use tailnet_kit::sandbox::{Options, Sandbox};

const NOW: i64 = 1_767_323_045_000;
const KEY: &str = "tskey-fuzz";
const METHODS: [&str; 8] = [
    "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "x",
];

fuzz_target!(|bytes: &[u8]| {
    let mut dice = Unstructured::new(bytes);
    let mut sandbox = sandbox();
    let mut now = NOW;
    while !dice.is_empty() {
        let Ok(asked) = asked(&mut dice, &mut now) else {
            break;
        };
        answers(&mut sandbox, asked, now);
    }
    let saved = sandbox.state().to_json();
    sandbox
        .restore_json(&saved)
        .expect("what was saved can be read");
    assert_eq!(sandbox.state().to_json(), saved);
});

fn sandbox() -> Sandbox {
    let device = |id: &str, user: &str, address: &str| {
        json!({"id": id, "user": user, "name": format!("{id}.corp.example"), "hostname": id, "addresses": [address],
            "created": "2025-01-01T00:00:00Z", "lastSeen": "2025-12-31T00:00:00Z", "expires": "2026-06-01T00:00:00Z",
            "isExternal": false, "authorized": true, "advertisedRoutes": ["10.0.0.0/16"], "enabledRoutes": []})
    };
    let options = json!({"tailnet": "corp.example", "apiKey": KEY, "state": {"tailnets": {"corp.example": {
        "devices": [device("n1", "ann@corp.example", "100.64.0.1"), device("n2", "bob@corp.example", "100.64.0.2")],
        "acl": "{\"tagOwners\": {\"tag:a\": []}} // kept",
        "dns": {"nameservers": ["1.1.1.1"], "magicDNS": true, "searchPaths": []},
        "users": [{"loginName": "ann@corp.example", "id": "u1", "role": "owner"}, {"loginName": "bob@corp.example", "id": "u2"}],
        "webhooks": [{"endpointId": "w1", "endpointUrl": "https://a.example", "providerType": "", "creatorLoginName": "", "subscriptions": ["nodeSigned"], "secret": "s"}],
        "keys": [{"id": "k1", "keyType": "client", "scopes": ["all"], "tags": ["tag:a"], "secret": "tskey-client-k1-x"}],
        "services": [{"name": "svc:a", "addrs": ["100.90.1.2"], "ports": ["tcp:443"]}],
        "postureIntegrations": [{"id": "p1", "provider": "kandji", "cloudId": "https://a.example", "clientSecret": "s"}],
    }}}});
    let options = Options::from_json(&options.to_string()).expect("options");
    Sandbox::new(options, NOW).expect("a sandbox")
}

type Asked = (String, String, Headers, Vec<u8>);

/// A request, mostly of an operation; time goes on by up to three months.
fn asked(dice: &mut Unstructured<'_>, now: &mut i64) -> Result<Asked> {
    if dice.ratio(1_u8, 4_u8)? {
        *now += i64::from(dice.int_in_range(0..=90_u8)?) * 86_400_000;
    }
    let operation = Operation::ALL[dice.choose_index(Operation::ALL.len())?];
    let mut method = operation.route().method.as_str().to_owned();
    if dice.ratio(1_u8, 20_u8)? {
        method = (*dice.choose(&METHODS)?).to_owned();
    }
    let mut target = String::new();
    for word in operation.route().template.split('/').skip(1) {
        let filled = match word.strip_prefix(':') {
            Some(slot) => filled(dice, slot)?,
            None => word.to_owned(),
        };
        target = format!("{target}/{filled}");
    }
    if dice.ratio(1_u8, 4_u8)? {
        target = format!("{target}?{}", query(dice)?);
    }
    let mut headers = Headers::new();
    headers.append(
        "authorization",
        ApiKey::new(KEY).expect("a key").to_bearer(),
    );
    if dice.ratio(1_u8, 3_u8)? {
        let media = [
            "application/json",
            "application/hujson",
            "text/plain",
            "*/*",
        ];
        headers.append("accept", *dice.choose(&media)?);
    }
    let body = match dice.int_in_range(0..=9_u8)? {
        0 => dice.arbitrary::<&str>()?.as_bytes().to_vec(),
        1 => Vec::new(),
        _ => object(dice, 2)?.to_string().into_bytes(),
    };
    Ok((method, target, headers, body))
}

fn filled(dice: &mut Unstructured<'_>, slot: &str) -> Result<String> {
    const NAMES: [&str; 14] = [
        "n1", "n2", "u1", "u2", "w1", "k1", "p1", "svc:a", "svc:b", "support", "security",
        "custom:a", "%2e%2e", "",
    ];
    Ok(match (slot, dice.int_in_range(0..=9_u8)?) {
        (_, 0) => dice.arbitrary::<&str>()?.to_owned(),
        ("tailnet", 1) => "-".to_owned(),
        ("tailnet", _) => "corp.example".to_owned(),
        _ => (*dice.choose(&NAMES)?).to_owned(),
    })
}

fn query(dice: &mut Unstructured<'_>) -> Result<String> {
    const NAMES: [&str; 10] = [
        "fields",
        "type",
        "user",
        "previewFor",
        "start",
        "end",
        "event",
        "details",
        "all",
        "role",
    ];
    const VALUES: [&str; 9] = [
        "all",
        "default",
        "true",
        "ann@corp.example",
        "ipport",
        "10.0.0.1:22",
        "2026-01-01T00:00:00Z",
        "NODE",
        "%zz",
    ];
    let mut pairs = Vec::new();
    for _ in 0..dice.int_in_range(0..=3_u8)? {
        pairs.push(format!(
            "{}={}",
            dice.choose(&NAMES)?,
            dice.choose(&VALUES)?
        ));
    }
    Ok(pairs.join("&"))
}

const KEYS: &[&str] = &[
    "routes",
    "nameservers",
    "dns",
    "magicDNS",
    "searchPaths",
    "name",
    "tags",
    "authorized",
    "keyExpiryDisabled",
    "ipv4",
    "value",
    "expiry",
    "comment",
    "capabilities",
    "devices",
    "create",
    "reusable",
    "ephemeral",
    "preauthorized",
    "expirySeconds",
    "description",
    "scopes",
    "keyType",
    "role",
    "email",
    "endpointUrl",
    "providerType",
    "subscriptions",
    "provider",
    "cloudId",
    "clientId",
    "tenantId",
    "clientSecret",
    "addrs",
    "ports",
    "displayName",
    "annotations",
    "approved",
    "acls",
    "grants",
    "tests",
    "nodes",
    "n1",
    "custom:a",
    "issuer",
    "subject",
    "audience",
    "splitDNS",
    "overrideLocalDNS",
    "useWithExitNode",
    "address",
    "devicesApprovalOn",
    "devicesKeyDurationDays",
    "corp.example",
];
const WORDS: &[&str] = &[
    "",
    "n2",
    "100.64.0.2",
    "100.64.0.77",
    "10.0.0.0/8",
    "0.0.0.0/0",
    "1.1.1.1",
    "tag:a",
    "tag:b",
    "all",
    "devices:core",
    "auth",
    "client",
    "federated",
    "admin",
    "member",
    "ann@corp.example",
    "https://b.example/x",
    "slack",
    "nodeCreated",
    "kandji",
    "falcon",
    "tcp:443",
    "svc:b",
    "corp.example",
    "auto",
    "support",
    "2027-01-01T00:00:00Z",
    "custom:b",
];

fn object(dice: &mut Unstructured<'_>, depth: u8) -> Result<Value> {
    let mut members = Map::new();
    for _ in 0..dice.int_in_range(0..=4_u8)? {
        members.insert((*dice.choose(KEYS)?).to_owned(), value(dice, depth)?);
    }
    Ok(Value::Object(members))
}

fn value(dice: &mut Unstructured<'_>, depth: u8) -> Result<Value> {
    Ok(match dice.int_in_range(0..=8_u8)? {
        0 => Value::Null,
        1 => json!(dice.arbitrary::<bool>()?),
        2 => json!(dice.arbitrary::<i64>()?),
        // A number of few digits: without `float_roundtrip` serde_json may read one of sixteen or more as a neighbouring number.
        3 => json!(f64::from(dice.arbitrary::<i32>()?) / 8.0),
        4 => json!(dice.arbitrary::<&str>()?),
        5 if depth > 0 => object(dice, depth - 1)?,
        6 | 7 if depth > 0 => {
            let count = dice.int_in_range(0..=3_u8)?;
            let items: Result<Vec<Value>> = (0..count).map(|_| value(dice, depth - 1)).collect();
            Value::Array(items?)
        }
        _ => json!(dice.choose(WORDS)?),
    })
}

fn answers(sandbox: &mut Sandbox, (method, target, headers, body): Asked, now: i64) {
    let (before, revision) = (sandbox.state().to_json(), sandbox.revision());
    let response = sandbox.handle_parts((&method, &target, headers, body), now);
    let said = String::from_utf8_lossy(&response.body);
    if response.is_success() {
        let json = response.headers.get("content-type") == Some("application/json");
        assert!(
            !json || serde_json::from_str::<Value>(&said).is_ok(),
            "{method} {target}: {said}"
        );
        return;
    }
    assert!(
        (400..=504).contains(&response.status),
        "{method} {target}: {}",
        response.status
    );
    assert_eq!(
        sandbox.state().to_json(),
        before,
        "{method} {target}: {said}"
    );
    assert_eq!(sandbox.revision(), revision, "{method} {target}: {said}");
    let refusal: Value = serde_json::from_str(&said).expect("a refusal is JSON");
    assert!(
        refusal["message"]
            .as_str()
            .is_some_and(|message| !message.is_empty()),
        "{said}"
    );
}
