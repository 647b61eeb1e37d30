//! Headers at the sandbox: only the key gives access, whatever other headers there are, and no answer repeats the key or has a
//! header that cannot be sent. Must not live here: paths and bodies (`sandbox`), any other law.
#![no_main]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tailnet_kit::api::headers::is_sendable;
use tailnet_kit::api::{ApiKey, Headers};
use tailnet_kit::sandbox::{Options, Sandbox};

const NOW: i64 = 1_767_323_045_000;
const KEY: &str = "tskey-fuzz-secret";
const NAMES: [&str; 16] = [
    "authorization",
    "Authorization",
    "AUTHORIZATION",
    "accept",
    "Content-Type",
    "If-Match",
    "if-none-match",
    "Host",
    "Origin",
    "Content-Length",
    "Transfer-Encoding",
    "Content-Encoding",
    "Range",
    "X-HTTP-Method-Override",
    "Cookie",
    "x",
];
const VALUES: [&str; 16] = [
    "Basic",
    "Bearer",
    "Basic ",
    "Bearer ",
    "Basic Og==",
    "Bearer tskey-fuzz-secre",
    "bearer x",
    "application/json",
    "application/hujson",
    "application/hujson;q=0, */*",
    "\"ts-default\"",
    "*",
    "W/\"1\"",
    "identity",
    "gzip",
    "null",
];
const TARGETS: [(&str, &str); 6] = [
    ("GET", "/api/v2/tailnet/corp.example/devices"),
    ("GET", "/api/v2/tailnet/-/acl"),
    ("POST", "/api/v2/tailnet/-/acl"),
    ("POST", "/api/v2/tailnet/-/keys"),
    ("DELETE", "/api/v2/device/n1"),
    ("POST", "/api/v2/oauth/token"),
];

fuzz_target!(|bytes: &[u8]| {
    let mut dice = Unstructured::new(bytes);
    let _ = ask(&mut dice);
});

fn ask(dice: &mut Unstructured<'_>) -> Result<()> {
    let options = json!({"tailnet": "corp.example", "apiKey": KEY});
    let options = Options::from_json(&options.to_string()).expect("options");
    let mut sandbox = Sandbox::new(options, NOW).expect("a sandbox");
    let (method, target) = *dice.choose(&TARGETS)?;
    let key = ApiKey::new(KEY).expect("a key");
    let (basic, bearer) = (key.to_basic(), key.to_bearer());
    let mut headers = Headers::new();
    let mut opened = false;
    for _ in 0..dice.int_in_range(0..=5_u8)? {
        let name = *dice.choose(&NAMES)?;
        let value = match dice.int_in_range(0..=5_u8)? {
            0 => dice.arbitrary::<&str>()?.to_owned(),
            1 => basic.clone(),
            2 => bearer.clone(),
            3 => format!("{}{}", dice.choose(&VALUES)?, dice.arbitrary::<&str>()?),
            _ => (*dice.choose(&VALUES)?).to_owned(),
        };
        opened |= value.contains(&basic[6..]) || value.contains(KEY);
        headers.append(name, value);
    }
    let body = dice.bytes(dice.len().min(64))?.to_vec();
    let (before, sent) = (
        sandbox.state().to_json(),
        String::from_utf8_lossy(&body).into_owned(),
    );
    let response = sandbox.handle_parts((method, target, headers, body), NOW);
    if !opened && !sent.contains(KEY) {
        assert!(
            !response.is_success(),
            "{method} {target}: {}",
            response.status
        );
    }
    if !response.is_success() {
        let refusal: Value = serde_json::from_slice(&response.body).expect("a refusal is JSON");
        assert!(
            refusal["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty())
        );
        assert_eq!(sandbox.state().to_json(), before);
    }
    for (name, value) in response.headers.iter() {
        assert!(
            is_sendable(name, value) && !value.contains(KEY),
            "{name}: {value}"
        );
    }
    let repeated = String::from_utf8_lossy(&response.body).contains(KEY);
    assert!(
        !repeated || sent.contains(KEY),
        "the answer repeats the key"
    );
    Ok(())
}
