//! The Rust crate compiled to wasm, for who uses it there: what is written for wasm alone, and one call of each namespace.
//! `wasm-pack test --node` runs this, and `cargo xtask test` does in Node and in a browser. Must not live here: rules of HuJSON,
//! policies or addresses, which the native tests cover; values of JavaScript (crates/wasm).
#![cfg(target_arch = "wasm32")]

use tailnet_kit::{cidr, hujson, policy};
use wasm_bindgen_test::wasm_bindgen_test;

/// Comments and commas at every distance from the border of a vector of 16 bytes, among characters of several bytes.
#[wasm_bindgen_test]
fn vectors_see_each_byte_of_a_text() {
    for blanks in 0..40 {
        let gap = " ".repeat(blanks);
        let text =
            format!("{{{gap}\"a\": \"é//,\",{gap}/* é, */ \"b\": [1,{gap}], // \u{1F600}\n}}");
        let comment = " ".repeat("/* é, */".len());
        let line = " ".repeat("// \u{1F600}".len());
        let plain = format!("{{{gap}\"a\": \"é//,\",{gap}{comment} \"b\": [1 {gap}]  {line}\n}}");
        assert_eq!(hujson::standardize(&text).as_deref(), Ok(&*plain), "{text}");
        assert!(!hujson::is_standard(&text) && hujson::is_standard(&plain));
    }
}

#[wasm_bindgen_test]
fn a_stray_byte_is_found_where_it_is() {
    for blanks in 0..40 {
        let text = format!("[1,{}tru]", "\n".repeat(blanks));
        let error = hujson::parse(&text).expect_err("no HuJSON");
        assert!(
            error.to_string().contains(&format!("line {}", blanks + 1)),
            "{error}"
        );
    }
}

#[wasm_bindgen_test]
fn policies_and_prefixes_are_judged() {
    let text = r#"{"acls": [{"action": "accept", "src": ["group:nobody"], "dst": ["*:*"]}]}"#;
    let check = policy::check(text, &policy::PolicyContext::default());
    assert!(
        check
            .message
            .is_some_and(|said| said.contains("group:nobody"))
    );
    assert!(cidr::check("10.0.0.0/8", cidr::Options::default()).is_ok());
    assert!(cidr::check("10.0.0.1/8", cidr::Options::default()).is_err());
}
