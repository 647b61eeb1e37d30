//! The strong ETag of a policy (RFC 9110, section 8.8.3).
//!
//! Must not live here: which request may change what; the header's syntax (`api`).

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::api::ETag;

/// SHA-256 of the text, in hexadecimal. It follows from the text, so it survives a restart, and a tool that keeps policies in
/// canonical layout finds the number it computes itself: the service takes it of the formatted text.
pub fn of(text: &str) -> ETag {
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a text cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    ETag::strong(&digits)
}
