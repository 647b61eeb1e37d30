//! The import turns any text into HuJSON in canonical layout; HuJSON whose comments end at a
//! line feed for JSON5 too is only formatted.
//! Must not live here: any other law.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tailnet_kit::hujson;

fuzz_target!(|text: &str| {
    let imported = hujson::from_json5(text);
    if let Ok(imported) = &imported {
        assert_eq!(hujson::format(imported).as_deref(), Ok(&**imported));
    }
    let alike = !text.contains(['\r', '\u{2028}', '\u{2029}']);
    if let Ok(formatted) = hujson::format(text)
        && alike
    {
        assert_eq!(imported, Ok(formatted));
    }
});
