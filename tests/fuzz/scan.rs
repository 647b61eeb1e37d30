//! The blanking scan with a strict JSON parser as its judge accepts what the full parser accepts.
//! Must not live here: any other law.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;
use tailnet_kit::hujson::{self, Blanked};

fuzz_target!(|text: &str| {
    let mut bytes = text.as_bytes().to_vec();
    let scanned = hujson::blank(&mut bytes) != Blanked::Refused
        && serde_json::from_slice::<IgnoredAny>(&bytes).is_ok();
    let parsed = hujson::parse(text);
    assert_eq!(scanned, parsed.is_ok());
    assert_eq!(parsed.err(), hujson::check(text).err());
});
