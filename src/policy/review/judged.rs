//! What a review is about. Must not live here: what it says.

use crate::policy::language::document::Policy;
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::verdict::Check;

/// One of the documents, with its findings, in its network.
#[derive(Clone, Copy)]
pub struct Judged<'p> {
    /// The document.
    pub policy: &'p Policy<'p>,
    /// The whole verdict on it.
    pub check: &'p Check,
    /// Its network.
    pub context: &'p PolicyContext,
}
