//! A patch gives HuJSON, and the same values whether or not there are comments and trailing commas.
//! Must not live here: any other law.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tailnet_kit::hujson;

// The text and the operations, separated by a NUL.
fuzz_target!(|input: &str| {
    let Some((text, operations)) = input.split_once('\0') else {
        return;
    };
    let patched = hujson::patch(text, operations);
    let Ok(plain) = hujson::standardize(text) else {
        assert!(patched.is_err_and(|error| error.code() == "hujson_syntax"));
        return;
    };
    match (patched, hujson::patch(&plain, operations)) {
        (Ok(one), Ok(other)) => {
            let values = hujson::minimize(&one);
            assert!(values.is_ok());
            assert_eq!(values, hujson::minimize(&other));
        }
        (one, other) => assert_eq!(one.err(), other.err()),
    }
});
