//! What crosses between Rust and JavaScript, as JavaScript sees it: run in Node and in a browser by `cargo xtask test`.
//! Must not live here: rules of HuJSON, policies or addresses, which the native tests cover.
#![cfg(target_arch = "wasm32")]

use js_sys::{JSON, Reflect};
use tailnet_kit::hujson;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

/// The thrown object as JSON text: shows absent fields as absent, and maps as plain objects.
fn thrown(error: impl Into<JsValue>) -> String {
    JSON::stringify(&error.into()).unwrap().into()
}

#[wasm_bindgen_test]
fn a_syntax_error_is_thrown_as_a_plain_object_with_its_issue() {
    let error = hujson::parse("{\n  \"a\": 1,\n  \"é€\": tru,\n}").unwrap_err();
    let object = JsValue::from(error);
    let get = |name: &str| Reflect::get(&object, &name.into()).unwrap();
    assert_eq!(get("code"), "hujson_syntax");
    let issue = get("issue");
    let of_issue = |name: &str| Reflect::get(&issue, &name.into()).unwrap();
    assert_eq!(of_issue("severity"), "error");
    assert_eq!(of_issue("line"), 3);
    // Columns count bytes, offsets UTF-16 units: two characters before make five bytes.
    assert_eq!(of_issue("column"), 12);
    assert_eq!(of_issue("offset"), 20);
    let told = get("message").as_string().unwrap();
    assert_eq!(
        told,
        format!(
            "hujson: line 3, column 12: {}",
            of_issue("message").as_string().unwrap()
        )
    );
}

#[wasm_bindgen_test]
fn absent_fields_are_absent_and_not_undefined() {
    let text = thrown(hujson::parse("[1, 2").unwrap_err());
    let object = JSON::parse(&text).unwrap();
    let issue = Reflect::get(&object, &"issue".into()).unwrap();
    assert!(!Reflect::has(&issue, &"pointer".into()).unwrap());
}

#[wasm_bindgen_test]
fn nesting_that_would_overflow_the_stack_is_an_error() {
    let deep = "[".repeat(100_000);
    assert_eq!(
        Reflect::get(
            &JsValue::from(hujson::parse(&deep).unwrap_err()),
            &"code".into()
        )
        .unwrap(),
        "hujson_syntax"
    );
}
