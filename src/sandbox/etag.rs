//! The strong ETag of a policy (RFC 9110, section 8.8.3).
//!
//! Must not live here: which request may change what; the header's syntax (`api`), the layout (`hujson`).

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::api::ETag;
use crate::hujson;

/// SHA-256 of the text in canonical layout, in hexadecimal, as the service makes it and as tools for CI compute it of a file that
/// they have formatted. It follows from the text, so it survives a restart. Of what is no HuJSON it is that of the text as it stands.
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
