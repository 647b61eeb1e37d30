//! What may become of something that text and context leave undecided in a difference.
//! Must not live here: why it is undecided (relation/condition.rs).

use serde::Serialize;

/// What may become of something that is undecided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Prospect {
    /// It is gained or stays as it is.
    Gained,
    /// It is lost or stays as it is.
    Lost,
}

impl Prospect {
    /// What may become of two that are reported as one; none where it may be either.
    pub fn of_both(one: Option<Prospect>, other: Option<Prospect>) -> Option<Prospect> {
        one.filter(|_| one == other)
    }
}
