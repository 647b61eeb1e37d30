//! What an edit opens to all members, to outsiders or to anyone.
//! Must not live here: what each of them gains and loses (diff_access.rs, diff_ssh.rs).

use serde::Serialize;

use crate::cidr::AddressSet;
use crate::policy::diff_access::diff_for;
use crate::policy::language::opening::Opening;
use crate::policy::language::rule::RuleRef;
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::flow::Judge;
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
    /// What is open.
    pub opens: Vec<Opening>,
    /// The rules of the later document that open it.
    pub because: Vec<RuleRef>,
}

/// What the later reading, but not the earlier one, opens to all members, outsiders or anyone. What is open to anyone is not
/// repeated for the others; what they have already, though with fewer conditions now, is not new.
#[inline(never)]
pub fn exposed<'p>(judges: [&'p Judge<'p>; 2]) -> Vec<Exposure> {
    let publics = [Public::Anyone, Public::Outsiders, Public::Everybody];
    let changes = diff_for(judges, publics.map(Public::source).into());
    let mut exposed: Vec<Exposure> = Vec::new();
    for to in publics {
        let (party, _) = to.source();
        let own = changes.iter().filter(|change| change.party == party);
        for reach in own.flat_map(|change| change.gained.iter()) {
            let is_own = reach.destination == "autogroup:self";
            let is_said = exposed.iter().any(|known| {
                known.to == Public::Anyone
                    && known.party == reach.party
                    && known.opens == reach.opens
            });
            if !is_own && !is_said {
                exposed.push(Exposure {
                    destination: reach.destination.clone(),
                    party: reach.party.clone(),
                    to,
                    ports: reach.ports.clone(),
                    opens: reach.opens.clone(),
                    because: reach.because.clone(),
                });
            }
        }
    }
    exposed
}

impl Public {
    /// A user about whom nothing else is known.
    fn source<'p>(self) -> (Party, Vec<Endpoint<'p>>) {
        let some = |kind, name| Endpoint::supposed(Identity::Some(Kind::Autogroup(kind), name));
        let (name, end) = match self {
            Public::Anyone => {
                let name = "autogroup:danger-all";
                let everything = AddressSet::everything().into();
                (name, Endpoint::of_set(Place::All(everything)))
            }
            Public::Outsiders => {
                let name = "autogroup:shared";
                (name, some(Autogroup::Shared, name))
            }
            Public::Everybody => {
                let name = "autogroup:member";
                (name, some(Autogroup::Member, name))
            }
        };
        let party = Party {
            kind: PartyKind::Autogroup,
            name: name.to_owned(),
            id: None,
        };
        (party, vec![end])
    }
}
