//! What an edit opens to all members, to outsiders or to anyone.
//! Must not live here: what each of them gains and loses (diff_access.rs, diff_ssh.rs).

use serde::Serialize;

use crate::cidr::{Address, AddressSet};
use crate::policy::access_change::{AccessChange, AccessReach, Part};
use crate::policy::diff_access;
use crate::policy::language::opening::Opening;
use crate::policy::language::rule::RuleRef;
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::relation::atoms;
use crate::policy::relation::comparison::Compared;
use crate::policy::relation::item::Besides;
use crate::policy::relation::part_of::PartOf;
use crate::policy::tailnet::addresses::tailnet;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::Identity;
use crate::policy::tailnet::parties::{Party, PartyKind};

/// To whom something is open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Public {
    /// Any address: `autogroup:danger-all`.
    Anyone,
    /// Users with whom a device is shared: `autogroup:shared`.
    Outsiders,
    /// All members of the tailnet.
    Everybody,
}

/// A destination that is newly open to many.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Exposure {
    /// Its name.
    pub destination: String,
    /// The same with its kind.
    pub party: Party,
    /// To whom it is open.
    pub to: Public,
    /// What is open, in short.
    #[serde(skip)]
    pub ports: Vec<String>,
    /// What is not open, where that is less to say.
    #[serde(skip)]
    pub closed: Vec<String>,
    /// What is open.
    pub opens: Vec<Opening>,
    /// The rules of the later document that open it.
    pub because: Vec<RuleRef>,
    /// Whether a rule opens everything, so that nothing but this need be said.
    #[serde(skip)]
    pub is_all: bool,
    /// Which part of it, where not all of it is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Why nobody can use it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub today: Option<String>,
}

impl Exposure {
    /// The device that forwards, where it is about what goes through it alone.
    pub fn forwarder(&self) -> Option<&str> {
        self.part.as_ref()?.through.as_deref()
    }
}

/// What the later reading, but not the earlier one, opens to all members, outsiders or anyone. What is open to anyone is not
/// repeated for the others; what was open on other conditions is not new, unless it is open on none now, nor is what another device forwarded.
#[inline(never)]
pub fn exposed(comparison: &mut Compared<'_, '_>) -> Vec<Exposure> {
    let sources = [Public::Anyone, Public::Outsiders, Public::Everybody].map(Public::sources);
    let sources = sources.concat();
    let named = sources
        .iter()
        .map(|(_, party, end)| (party.clone(), vec![end.clone()]));
    let named = atoms::some(named.collect());
    let mut found = Vec::new();
    comparison.for_sources(&named, &mut |it| found = exposed_to(&sources, it));
    found
}

/// The same by the differences for these sources.
fn exposed_to(
    sources: &[(Public, Party, Endpoint<'_>)],
    comparison: &mut Compared<'_, '_>,
) -> Vec<Exposure> {
    let changes = diff_access::changes(comparison);
    let mut exposed: Vec<Exposure> = Vec::new();
    for (to, party, _) in sources {
        let own = changes.iter().filter(|change| change.party == *party);
        for reach in own.flat_map(|change| change.gained.iter()) {
            let is_own = reach.destination == "autogroup:self";
            let is_new = *to != Public::Everybody || is_new_to_members(&changes, reach);
            let is_said = exposed.iter().any(|known| {
                (known.to == Public::Anyone || known.to == *to)
                    && known.party == reach.party
                    && known.opens == reach.opens
                    && known.forwarder() == reach.forwarder()
            });
            let mut opens = reach.opens.iter();
            // Only a device of the tailnet has a posture.
            let may_have = *to == Public::Everybody;
            let is_conditional =
                opens.all(|it| is_otherwise(it) || !may_have && !it.postures.is_empty());
            let is_rerouted = reach.weight.besides == Besides::Rerouted;
            if is_own || is_said || !is_new || is_conditional || is_rerouted {
                continue;
            }
            exposed.push(Exposure {
                destination: reach.destination.clone(),
                party: reach.party.clone(),
                to: *to,
                ports: reach.ports.clone(),
                closed: reach.closed.clone(),
                opens: reach.opens.clone(),
                because: reach.because.clone(),
                is_all: reach.weight.is_all,
                part: Part {
                    from: PartOf::All,
                    ..reach.part.clone().unwrap_or_default()
                }
                .unless_all(),
                today: reach.today.clone(),
            });
        }
    }
    exposed
}

/// Whether a member about whom nothing else is known reaches something new there, for certain or perhaps.
fn is_new_to_members(changes: &[AccessChange], reach: &AccessReach) -> bool {
    let mut own = changes.iter().filter(|it| it.source == "autogroup:member");
    own.any(|it| {
        let mut reaches = it.gained.iter().chain(it.undecided.iter());
        reaches.any(|other| other.party == reach.party)
    })
}

/// Whether something is open on a condition, and was on another.
fn is_otherwise(opening: &Opening) -> bool {
    let has_terms = !opening.postures.is_empty() || !opening.via.is_empty();
    has_terms && !opening.unless.is_empty()
}

impl Public {
    /// A user about whom nothing else is known, and whoever has some address of either family.
    fn sources<'p>(self) -> Vec<(Public, Party, Endpoint<'p>)> {
        let party = |kind, name: &str| Party {
            kind,
            name: name.to_owned(),
            id: None,
        };
        let some = |kind, name| {
            let end = Endpoint::supposed(Identity::Some(Kind::Autogroup(kind), name));
            (self, party(PartyKind::Autogroup, name), end)
        };
        let of_family = |set: &AddressSet, name: &str| {
            let place = Place::All(set.clone().into());
            (
                self,
                party(PartyKind::Prefix, name),
                Endpoint::of_set(place),
            )
        };
        let all = match self {
            Public::Anyone => AddressSet::everything(),
            _ => tailnet().clone(),
        };
        let [v4, v6] = [true, false].map(|is_v4| {
            let ranges = all
                .ranges()
                .filter(|range| matches!(range.first(), Address::V4(_)) == is_v4);
            ranges.collect::<AddressSet>()
        });
        match self {
            Public::Anyone => vec![of_family(&v4, "0.0.0.0/0"), of_family(&v6, "::/0")],
            Public::Outsiders => vec![some(Autogroup::Shared, "autogroup:shared")],
            Public::Everybody => vec![
                some(Autogroup::Member, "autogroup:member"),
                of_family(&v4, "100.64.0.0/10"),
                of_family(&v6, "fd7a:115c:a1e0::/48"),
            ],
        }
    }
}
