//! One power, as it is reported.
//! Must not live here: who has which.

use std::rc::Rc;

use serde::{Serialize, Serializer};

use crate::policy::access_change::AccessReach;
use crate::policy::language::json::PlainJson;
use crate::policy::tailnet::parties::Party;
use crate::policy::tailnet::prospect::Prospect;
use crate::tables::sort;

/// The kinds of powers, in the order of lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PowerKind {
    /// To put a tag on a device.
    Tag,
    /// Its advertised routes inside a prefix are approved at once.
    Route,
    /// Its exit nodes are approved at once.
    ExitNode,
    /// Its hosts of a service are approved at once.
    Service,
    /// An attribute of `nodeAttrs`.
    Attribute,
    /// An application's capability, from a grant or from `nodeAttrs`.
    Capability,
    /// To receive the recordings of ssh sessions.
    Recorder,
}

impl PowerKind {
    /// Its name in lists.
    pub const fn name(self) -> &'static str {
        match self {
            PowerKind::Tag => "tag",
            PowerKind::Route => "route",
            PowerKind::ExitNode => "exit-node",
            PowerKind::Service => "service",
            PowerKind::Attribute => "attribute",
            PowerKind::Capability => "capability",
            PowerKind::Recorder => "recorder",
        }
    }
}

/// One thing that somebody may do besides reaching.
///
/// The admins of a tailnet may put every tag on a device and approve every route; that is no power of the text, and has no
/// entry.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Power {
    /// A login, tag or other selector. The members of a group take its place; a synced group of unknown members is named itself.
    pub who: String,
    /// The same with its kind.
    pub party: Party,
    /// What it may do.
    pub kind: PowerKind,
    /// With or to what: the tag, the prefix, `exit-node`, the service, the attribute, the capability, or the destination whose ssh
    /// sessions are recorded.
    pub what: String,
    /// Of a capability `{app, on?, srcPosture?}`, of a recorder `{enforceRecorder, src, users}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<PlainJson>,
    /// The entry of the document, as a JSON Pointer in modern keys.
    pub pointer: String,
    /// Of a tag: the tags that a device or key must have first, in the order in which they are taken. Owning a tag does not make an
    /// owner of what that tag owns; it is a second step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
    /// Of a tag: what whoever has it reaches.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "serialize_reaches"
    )]
    pub opens: Option<Rc<[AccessReach]>>,
    /// Why nobody can use it now, as far as the devices and users of the context tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub today: Option<String>,
    /// In a difference, of what is undecided: what may become of it. Absent where it may be gained as well as lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may: Option<Prospect>,
    /// In a difference: what would have to be known, or which condition alone changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

fn serialize_reaches<S: Serializer>(
    reaches: &Option<Rc<[AccessReach]>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    reaches.as_deref().serialize(serializer)
}

impl Power {
    /// Of what is gained: whether it is a recorder that was there on other terms, so that nobody may more.
    pub fn records_more(&self) -> bool {
        self.kind == PowerKind::Recorder && self.why.is_some()
    }

    /// The place in lists: by kind, the attribute `funnel` first, then by what it is about and who has it.
    fn order(&self) -> impl Ord + '_ {
        (
            (self.kind, self.what != "funnel", &self.what),
            (self.party.kind, &self.who),
            self.value.as_ref().map(PlainJson::as_str),
            (self.through.len(), &self.pointer),
        )
    }
}

/// In order; what several entries of a document give stands once, with the fewest steps.
pub fn distinct(mut powers: Vec<Power>) -> Vec<Power> {
    sort::sort_by(&mut powers, |one, other| one.order().cmp(&other.order()));
    powers.dedup_by(|next, first| {
        (first.kind, &first.what, &first.party) == (next.kind, &next.what, &next.party)
            && first.value == next.value
    });
    powers
}
