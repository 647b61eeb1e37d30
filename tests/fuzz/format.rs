//! The canonical layout of a text in canonical layout is that text, and standard JSON stays so.
//! Must not live here: any other law.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tailnet_kit::hujson;

fuzz_target!(|text: &str| {
    let Ok(formatted) = hujson::format(text) else {
        return;
    };
    assert_eq!(hujson::format(&formatted).as_deref(), Ok(&*formatted));
    assert!(!hujson::is_standard(text) || hujson::is_standard(&formatted));
});
