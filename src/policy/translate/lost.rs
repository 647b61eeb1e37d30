//! What a translation does not keep, as its type. Must not live here: what that is.

use serde::Serialize;

/// Something that a translation does not keep.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Lost {
    /// Where it is in the first text, as a JSON Pointer; of a refusal, in the new one.
    pub pointer: String,
    /// The text there.
    pub what: String,
    /// Why it is not kept.
    pub why: String,
}
