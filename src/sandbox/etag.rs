//! The fingerprint of a text, and the strong ETag made of it (RFC 9110, section 8.8.3).
//!
//! Must not live here: which request may change what; the header's syntax (`api`).

use crate::api::ETag;

/// FNV-1a with 128 bits: equal texts give equal numbers on every platform and in every run. Not meant to withstand an attacker.
pub fn hash(bytes: &[u8]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let step = |hash: u128, byte: &u8| (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
    bytes.iter().fold(BASIS, step)
}

/// The ETag of a policy. It follows from the text, so it survives a restart.
pub fn of(text: &str) -> ETag {
    ETag::strong(&format!("{:032x}", hash(text.as_bytes())))
}
