//! What a review is about. Must not live here: what it says.

use crate::policy::tailnet::flow::Judge;
use crate::policy::verdict::Check;

/// One of the documents, with its findings, in its network.
#[derive(Clone, Copy)]
pub struct Judged<'p> {
    /// The document in its network.
    pub judge: &'p Judge<'p>,
    /// The whole verdict on it.
    pub check: &'p Check,
}
