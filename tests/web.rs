//! Values that cross between Rust and JavaScript, as JavaScript sees them; `cargo xtask test` runs this in Node and in a browser.
//! Must not live here: rules of HuJSON, policies or addresses, which the native tests cover.
#![cfg(target_arch = "wasm32")]

use js_sys::{JSON, Reflect};
use tailnet_kit::{hujson, policy};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

/// A property of an object, as JavaScript reads it.
#[track_caller]
fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).expect("an object")
}

/// The result of `JSON.stringify`: maps must be plain objects, absent fields absent.
fn json(value: &JsValue) -> serde_json::Value {
    let text = JSON::stringify(value).expect("nothing in a circle");
    serde_json::from_str(&String::from(text)).expect("JSON")
}

#[track_caller]
fn syntax_error(text: &str) -> JsValue {
    hujson::parse(text).expect_err("no HuJSON").into()
}

#[wasm_bindgen_test]
fn a_syntax_error_is_thrown_as_a_plain_object_with_its_issue() {
    let thrown = syntax_error("{\n  \"a\": 1,\n  \"é€\": tru,\n}");
    let issue = get(&thrown, "issue");
    assert_eq!(get(&thrown, "code"), "hujson_syntax");
    assert_eq!(get(&issue, "severity"), "error");
    assert_eq!(get(&issue, "line"), 3);
    // Columns count bytes, offsets UTF-16 units: the two characters before are five bytes.
    assert_eq!(get(&issue, "column"), 12);
    assert_eq!(get(&issue, "offset"), 20);
    let reason = get(&issue, "message").as_string().expect("a text");
    assert_eq!(
        get(&thrown, "message"),
        format!("hujson: line 3, column 12: {reason}")
    );
}

#[wasm_bindgen_test]
fn absent_fields_are_absent_and_not_undefined() {
    let issue = get(&syntax_error("[1, 2"), "issue");
    assert_eq!(Reflect::has(&issue, &"pointer".into()), Ok(false));
}

#[wasm_bindgen_test]
fn nesting_that_would_overflow_the_stack_is_an_error() {
    assert_eq!(
        get(&syntax_error(&"[".repeat(100_000)), "code"),
        "hujson_syntax"
    );
}

#[wasm_bindgen_test]
fn a_refused_policy_is_thrown_with_its_check_as_plain_data() {
    let text = "{\n  // Nobody is in this group.\n  \"acls\": [{\"action\": \"accept\", \"src\": [\"group:nobody\"], \"dst\": [\"*:*\"]}],\n}";
    let check = policy::check(text, &policy::PolicyContext::default());
    assert!(!check.accepted);
    let plain = serde_json::to_value(&check).expect("plain data");
    let message = check.message.clone().expect("what the service says");
    let thrown = JsValue::from(policy::Error::Refused(Box::new(check)));
    assert_eq!(get(&thrown, "code"), "policy_refused");
    assert!(
        get(&thrown, "message")
            .as_string()
            .is_some_and(|said| said.contains(&message))
    );
    assert_eq!(json(&get(&thrown, "check")), plain);
    assert_eq!(get(&get(&thrown, "check"), "message"), message);
}
