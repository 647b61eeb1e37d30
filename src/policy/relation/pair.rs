//! Two readings, ready to be compared.
//! Must not live here: what differs between them (compare.rs).

use super::classes::Classes;
use super::reach::Reach;

/// Two readings, ready to be compared.
pub struct Pair<'a, 'p> {
    /// What is reached under each.
    pub reaches: [&'a Reach<'a, 'p>; 2],
    /// The sources.
    pub from: &'a Classes<'p>,
    /// The destinations.
    pub to: &'a Classes<'p>,
    /// The former id of each device that was made anew, with the one that it has now.
    pub former_ids: &'a [(&'p str, &'p str)],
    /// Whether each place is asked about by itself, with what is undecided there; else differences are reported by as few names as say them.
    pub is_asked: bool,
}
