//! What an edit opens to all members, to outsiders or to anyone, and who is left without any access.
//! Must not live here: what each of them gains and loses (diff_access.rs, diff_ssh.rs).

use std::rc::Rc;

use serde::Serialize;

use crate::cidr::AddressSet;
use crate::policy::access_change::AccessChange;
use crate::policy::diff_access::{diff_between, parties};
use crate::policy::diff_ssh::SshChange;
use crate::policy::language::port_set::Opening;
use crate::policy::language::rule::RuleRef;
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::ssh_access::{Ends, SshAccess};
use crate::policy::ssh_classes;
use crate::policy::tailnet::alike::Classes;
use crate::policy::tailnet::endpoint::{Endpoint, Place, by_identity};
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::naming::Naming;
use crate::policy::tailnet::parties::{Party, PartyKind, Stands};
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::reach::Reach;
use crate::policy::tailnet::sets::{PostureNames, Sets};
use crate::tables::index::Index;
use crate::tables::sort;

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

/// What the later document, but not the earlier one, opens to all members, outsiders or anyone. What is open to anyone
/// is not repeated for the others.
#[inline(never)]
pub fn exposed<'p>(judges: [&Judge<'p>; 2]) -> Vec<Exposure> {
    let publics = [Public::Anyone, Public::Outsiders, Public::Everybody];
    let places = parties(judges, Side::Destination);
    let sources = publics.map(Public::stands);
    let changes = diff_between(judges, &sources, &places);
    let mut exposed: Vec<Exposure> = Vec::new();
    for (to, source) in publics.into_iter().zip(&sources) {
        let own = changes.iter().filter(|change| change.party == source.party);
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
    pub fn stands<'p>(self) -> Stands<'p> {
        let some = |kind, name| Endpoint::supposed(Identity::Some(Kind::Autogroup(kind), name));
        let name = match self {
            Public::Anyone => "autogroup:danger-all",
            Public::Outsiders => "autogroup:shared",
            Public::Everybody => "autogroup:member",
        };
        let end = match self {
            Public::Anyone => Endpoint::of_set(Place::All(Rc::new(AddressSet::everything()))),
            Public::Outsiders => some(Autogroup::Shared, name),
            Public::Everybody => some(Autogroup::Member, name),
        };
        Stands {
            party: Party {
                kind: PartyKind::Autogroup,
                name: name.to_owned(),
                id: None,
            },
            ends: vec![end],
        }
    }
}

/// Who loses access or logins, and has none of either left.
#[inline(never)]
pub fn locked_out<'p>(
    judges: [&Judge<'p>; 2],
    access: &[AccessChange],
    ssh: &[SshChange],
) -> Vec<Party> {
    let mut lost = Index::default();
    let mut add = |party: &Party| lost.set(key(party.kind, &party.name).into(), 0);
    for change in access.iter().filter(|change| !change.lost.is_empty()) {
        add(&change.party);
    }
    for change in ssh.iter().filter(|change| !change.lost.is_empty()) {
        add(&change.party);
    }
    if lost.len() == 0 {
        return Vec::new();
    }
    let sources = sources(judges);
    let mut losers = Vec::new();
    for (at, stands) in sources.iter().enumerate() {
        if names(stands).iter().any(|name| lost.find(name).is_some()) {
            losers.push((at, stands.clone()));
        }
    }
    let [_, after] = judges;
    let mut reaches = reaching(after, &losers).into_iter();
    losers.retain(|_| reaches.next() == Some(false));
    let mut logins = logging_in(after, &losers).into_iter();
    losers.retain(|_| logins.next() == Some(false));
    let out: Vec<usize> = losers.iter().map(|(at, _)| *at).collect();
    let mut parties: Vec<Party> = Vec::new();
    for (party, _) in Naming::new(&sources).named(&out) {
        parties.push(party);
    }
    sort::sort_by(&mut parties, |a, b| {
        (a.kind, &a.name).cmp(&(b.kind, &b.name))
    });
    parties
}

/// Everyone who may have access or logins.
fn sources<'p>(judges: [&Judge<'p>; 2]) -> Vec<Stands<'p>> {
    let mut all = parties(judges, Side::Source);
    let mut known = Index::default();
    for stands in &all {
        known.set(key(stands.party.kind, &stands.party.name).into(), 0);
    }
    let networks = judges.map(|judge| &judge.network);
    for stands in ssh_classes::parties(networks, Side::Source) {
        if known.set(key(stands.party.kind, &stands.party.name).into(), 0) {
            all.push(stands);
        }
    }
    all
}

fn key(kind: PartyKind, name: &str) -> String {
    let mut key = String::from((b'A' + kind as u8) as char);
    key.push_str(name);
    key
}

/// The names by which a party may be reported.
fn names(stands: &Stands<'_>) -> Vec<String> {
    let mut names = vec![key(stands.party.kind, &stands.party.name)];
    match stands.ends.first().map(|end| end.identity) {
        Some(Identity::User(login)) => names.push(key(PartyKind::User, login)),
        Some(Identity::Tags(tags)) => {
            names.extend(tags.iter().map(|tag| key(PartyKind::Tag, tag.trim())));
        }
        _ => {}
    }
    names
}

/// Which of some parties reach anything but themselves.
fn reaching<'p>(judge: &Judge<'p>, sources: &[(usize, Stands<'p>)]) -> Vec<bool> {
    let sources: Vec<Stands<'p>> = sources.iter().map(|(_, stands)| stands.clone()).collect();
    let places = parties([judge, judge], Side::Destination);
    let from = Classes::new(&[judge], Side::Source, &sources);
    let to = Classes::new(&[judge], Side::Destination, &places);
    let (mut sets, mut postures) = (Sets::default(), PostureNames::default());
    let reach = Reach::new(judge, 0, (&from, &to), &mut sets, &mut postures);
    let (groups, nothing) = (to.groups_of(), sets.place(Default::default()));
    let mut rows: Vec<Option<Vec<usize>>> = vec![None; from.groups.len()];
    let mut found = Vec::with_capacity(sources.len());
    for (source, &group) in sources.iter().zip(&from.of_party) {
        let Some(open) = rows.get_mut(group) else {
            continue;
        };
        let open = open.get_or_insert_with(|| {
            let classes = from.groups.get(group).map_or(&[][..], Vec::as_slice);
            let rows = reach.row(classes, &groups, &|_| true, &mut sets);
            let rows = rows.iter().filter(|row| row.certain != nothing);
            rows.map(|row| row.group).collect()
        });
        let is_other = |place: &usize| {
            let place = places.get(*place).map(|place| &place.party);
            place.is_some_and(|place| place.kind != PartyKind::Device || *place != source.party)
        };
        found.push(open.iter().any(|group| {
            let members = to.members.get(*group);
            members.is_some_and(|members| members.iter().any(is_other))
        }));
    }
    found
}

/// Which of some parties may log in anywhere but at themselves.
fn logging_in<'p>(judge: &Judge<'p>, sources: &[(usize, Stands<'p>)]) -> Vec<bool> {
    let network = &judge.network;
    let access = SshAccess::new(network);
    let places = ssh_classes::parties([network, network], Side::Destination);
    let mut targets = Ends::default();
    let mut owners = Vec::new();
    for stands in &places {
        if let Some(end) = stands.ends.first() {
            targets.takers.push(access.takers(Side::Destination, end));
            targets.list.push(end.clone());
            owners.push(&stands.party);
        }
    }
    let taken = access.taken(Side::Destination, &targets);
    let mut found = Vec::with_capacity(sources.len());
    for (_, source) in sources {
        let Some(end) = by_identity(source.ends.clone()).pop() else {
            found.push(false);
            continue;
        };
        let takers = access.takers(Side::Source, &end);
        let is_other = |at: usize| {
            let place = owners.get(at);
            place.is_some_and(|place| place.kind != PartyKind::Device || **place != source.party)
        };
        let passages = access.passages((&end, &takers), &targets, &taken, &is_other);
        found.push(passages.iter().any(|passage| {
            let door = access.doors.get(passage.door);
            let accounts = door.map_or(Vec::new(), |door| door.accounts(end.identity));
            passage.answer() == Answer::Yes && !accounts.is_empty()
        }));
    }
    found
}
