//! Where the words of an issue come from.
//! Must not live here: the words themselves.

use serde::Serialize;

/// Where the words of an issue come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Observed in an answer of the service.
    Recorded,
    /// Taken from the service's documentation, or from published source.
    Documented,
    /// Our own.
    Ours,
}
