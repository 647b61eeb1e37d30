//! What one source gains and loses: the form in which it is told, and shared.
//! Must not live here: how it is found (diff_access.rs).

use std::rc::Rc;

use serde::{Serialize, Serializer};

use super::language::port_set::Opening;
use super::language::rule::RuleRef;
use super::tailnet::parties::Party;
use crate::tables::shared::Shared;

/// What changes for one source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AccessChange {
    /// A login, tag or selector as written; a device by its name if the devices of its user or tag do not all change alike.
    pub source: String,
    /// The same with its kind.
    pub party: Party,
    /// What it reaches only under the later document.
    pub gained: AccessReaches,
    /// What it reached only under the earlier document.
    pub lost: AccessReaches,
}

/// What one source reaches, one entry per destination: a list that all sources share of which the same is true, but for
/// themselves.
#[derive(Clone, Debug)]
pub struct AccessReaches {
    all: Rc<[AccessReach]>,
    /// The place of the source itself: a device is not a destination of its own.
    own: Option<usize>,
}

impl AccessReaches {
    /// The list without one destination, if it has that.
    pub(super) fn of(all: &Rc<[AccessReach]>, own: Option<&Party>) -> AccessReaches {
        let all = all.clone();
        let own = own.and_then(|own| all.iter().position(|reach| reach.party == *own));
        AccessReaches { all, own }
    }

    /// The entries by the names of their destinations.
    pub fn iter(&self) -> impl Iterator<Item = &AccessReach> {
        let before = self.own.unwrap_or(self.all.len());
        let (before, rest) = self.all.split_at_checked(before).unwrap_or_default();
        before.iter().chain(rest.iter().skip(1))
    }

    /// The index of the shared list among `lists`, and the place in it that does not count.
    pub(super) fn packed(&self, lists: &mut Shared<AccessReach>) -> (usize, Option<usize>) {
        (lists.place(&self.all), self.own)
    }

    /// Whether nothing is reached.
    pub fn is_empty(&self) -> bool {
        self.all.len() == usize::from(self.own.is_some())
    }
}

impl PartialEq for AccessReaches {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for AccessReaches {}

impl Serialize for AccessReaches {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// What is open at one destination.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AccessReach {
    /// A login, tag or selector; a device by its name, a subnet, or the internet.
    pub destination: String,
    /// The same with its kind.
    pub party: Party,
    /// In short, as in the access matrix.
    pub ports: Vec<String>,
    /// One entry per protocol.
    pub opens: Vec<Opening>,
    /// The rules of the document that gives the access.
    pub because: Vec<RuleRef>,
    /// Whether a part of the destination was already open (for a gain), or stays open (for a loss).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partly: bool,
}
