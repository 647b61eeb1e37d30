//! The strong ETag of a policy (RFC 9110, section 8.8.3).
//!
//! Must not live here: which request may change what; the header's syntax (`api`), the layout (`hujson`).

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::api::ETag;
use crate::hujson;

/// SHA-256 of the text in canonical layout, in hexadecimal, as the service computes it, and CI tools for a file that
/// they have formatted. It depends on the text only, so it survives a restart. Text that is not HuJSON is used as it is.
pub fn of(text: &str) -> ETag {
    let canonical = hujson::format(text);
    let hashed = canonical.as_deref().unwrap_or(text);
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(hashed.as_bytes()) {
        // Writing to a text cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    ETag::strong(&digits)
}
