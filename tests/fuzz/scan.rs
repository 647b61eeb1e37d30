//! The blanking scan, followed by a strict JSON parser, accepts exactly what the full parser accepts.
//! Must not live here: any other law.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;
use tailnet_kit::hujson::{self, Blanked};

fuzz_target!(|text: &str| {
    let mut bytes = text.as_bytes().to_vec();
    let scanned = hujson::blank(&mut bytes) != Blanked::Refused && is_json(&bytes);
    let parsed = hujson::parse(text);
    assert_eq!(scanned, parsed.is_ok());
    assert_eq!(
        scanned,
        rest(text.as_bytes()).is_some_and(|rest| is_json(&rest))
    );
    assert_eq!(parsed.err(), hujson::check(text).err());
});

fn is_json(bytes: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
}

/// The text without the cuts.
fn rest(bytes: &[u8]) -> Option<Vec<u8>> {
    let cuts = hujson::cuts(bytes)?;
    let (mut rest, mut from) = (Vec::new(), 0);
    for cut in cuts.chunks(2) {
        rest.extend(&bytes[from..cut[0] as usize]);
        from = cut[1] as usize;
    }
    rest.extend(&bytes[from..]);
    Some(rest)
}
