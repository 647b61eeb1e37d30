//! Whose words an issue is told in.
//! Must not live here: which words those are.

use serde::Serialize;

/// Where the words of an issue come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Seen in an answer of the service.
    Recorded,
    /// Said by the service's documents, or by source that is published.
    Documented,
    /// This library's own.
    Ours,
}
