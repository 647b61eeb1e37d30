//! A standardized text is JSON of the same length and line breaks, and minimizes to the same.
//! Must not live here: any other law.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tailnet_kit::hujson;

fuzz_target!(|text: &str| {
    let Ok(standard) = hujson::standardize(text) else {
        return;
    };
    assert!(hujson::is_standard(&standard));
    assert_eq!(standard.len(), text.len());
    for (was, is) in text.bytes().zip(standard.bytes()) {
        assert!(was == is || is == b' ' && !matches!(was, b'\r' | b'\n' | b'\t'));
    }
    assert_eq!(hujson::minimize(text), hujson::minimize(&standard));
});
