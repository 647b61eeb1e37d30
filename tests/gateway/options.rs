//! The options: what is refused, and the defaults. Must not live here: the operations in `allow` (`allow`).

use serde_json::json;
use tailnet_kit::api::Error;
use tailnet_kit::gateway::Gateway;

use super::gate::{gateway, options};

#[test]
fn options_that_are_not_valid_are_named() {
    for (option, value) in [
        ("tailnet", json!("")),
        ("tailnet", json!("..")),
        ("allow", json!(["devices.lst"])),
        ("allow", json!(["device.*"])),
        ("allow", json!(["devices.list.*"])),
        ("allow", json!(["devices.write"])),
        ("allow", json!(["*"])),
        ("allow", json!(["*.*"])),
        ("allow", json!(["read"])),
        ("allow", json!([".read"])),
        ("alow", json!(["devices.list"])),
        ("authorise", json!({"function": true})),
        ("origin", json!("https://page.example")),
        ("authorize", json!("everybody")),
        ("fetch", json!({})),
        ("authorizeTimeout", json!(-1)),
        ("maxResponseBytes", json!("1")),
        ("origins", json!(["*"])),
        ("origins", json!(["https://page.example/path"])),
        ("origins", json!(["page.example"])),
        ("origins", json!(["https://Page.example"])),
        ("prefix", json!("gate")),
        ("options", json!(null)),
    ] {
        let text = match option {
            "options" => "[1]".to_owned(),
            name => {
                let mut options = options();
                options[name] = value.clone();
                options.to_string()
            }
        };
        let error = Gateway::read(&text, |url| Ok(url.to_owned())).expect_err(option);
        assert!(
            error.to_string().contains(option),
            "`{option}` is not in `{error}`"
        );
    }
    let bad_base = Gateway::read(&options().to_string(), |_| {
        Err(Error::argument("baseURL", "is bad"))
    });
    assert_eq!(
        bad_base.expect_err("a refusal").to_string(),
        "`baseURL` is bad"
    );
}

#[test]
fn there_are_limits_by_default() {
    let usual = gateway(json!({}));
    assert_eq!(
        usual.authorize_timeout.map(|limit| limit.as_secs()),
        Some(10)
    );
    assert_eq!(usual.max_response_bytes, 64 << 20);
    let own = gateway(json!({"authorizeTimeout": 0, "maxResponseBytes": 1024}));
    assert_eq!(
        (own.authorize_timeout, own.max_response_bytes),
        (None, 1024)
    );
}
