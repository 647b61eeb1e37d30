//! What is open about two endpoints, settled in every way that text and context allow: who is there, with which role, and
//! which routers lead there. That decides what selectors, each asked for itself, leave open.
//! Must not live here: what passes there (ready.rs), what is claimed of it.
//!
//! A flow hangs on its own two endpoints alone, so that it takes no search through all networks to decide it.

use crate::cidr::Address;
use crate::policy::language::selector::{Autogroup, Kind, Role, Selector};
use crate::policy::relation::cuts::before;
use crate::policy::tailnet::addresses::tailnet;
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::party::{Side, is_outsider};
use crate::tables::index::{Numbers, Runs};

use super::ready::{self, Ready};
use super::supposed;
use super::world::Places;

/// What distinguishes endpoints for those who ask: their places in runs of numbers.
pub type Marks<'m> = dyn Fn(Side, &Endpoint<'_>, &mut Vec<u64>) + 'm;

/// Looks at policies in a context of which nothing is open, and at some pairs of endpoints. Returns whether it has seen enough.
pub type Look<'m> = dyn for<'l> FnMut(&[Ready<'l>], &[(Endpoint<'l>, Endpoint<'l>)]) -> bool + 'm;

/// Who there is to be found at an endpoint, and by what contexts it is settled.
pub struct Settling<'s, 'w> {
    /// The policies as the context has it.
    stated: &'s [Ready<'w>],
    /// The same where devices are not known, supposed that there are no others, and that everybody has one.
    supposed: &'s [Vec<Ready<'w>>],
    /// The accounts that are distinguished.
    accounts: &'s [String],
    places: &'w Places<'w>,
    /// One address of the tailnet for each way in which it can lie in sets.
    inside: Vec<Address>,
    logins: Vec<&'w str>,
    tags: Vec<&'w str>,
    services: Vec<&'w str>,
    roles: Vec<Role>,
    /// The groups of which nobody says who is in them.
    synced: Vec<Selector<'w>>,
}

impl<'s, 'w> Settling<'s, 'w> {
    /// Collects whom policies, claims and context name.
    pub fn new(
        (stated, supposed): (&'s [Ready<'w>], &'s [Vec<Ready<'w>>]),
        accounts: &'s [String],
        places: &'w Places<'w>,
        named: &'w [Selector<'w>],
    ) -> Settling<'s, 'w> {
        let mut settling = Settling {
            stated,
            supposed,
            accounts,
            places,
            inside: Vec::new(),
            logins: Vec::new(),
            tags: Vec::new(),
            services: Vec::new(),
            roles: Vec::new(),
            synced: Vec::new(),
        };
        let endpoints = places.list.iter().map(|(_, end)| end);
        let addresses = endpoints
            .filter(|end| end.device.is_none())
            .filter_map(Endpoint::address);
        settling
            .inside
            .extend(addresses.filter(|address| tailnet().contains(*address)));
        for selector in named {
            let (name, mut policies) = (selector.name(), stated.iter());
            let is_known = policies.any(|policy| match selector.kind {
                Kind::User => policy.reading.network.knows_user(name) != Some(false),
                _ => policy.reading.network.policy.tag_owners.contains(name),
            });
            match selector.kind {
                Kind::User if is_known => settling.logins.push(name),
                Kind::Tag if is_known => settling.tags.push(name),
                Kind::Service => settling.services.push(name),
                Kind::Group
                    if stated
                        .iter()
                        .any(|policy| policy.reading.network.groups.is_unknown(name)) =>
                {
                    settling.synced.push(*selector);
                }
                Kind::Autogroup(Autogroup::Role(role)) if !settling.roles.contains(&role) => {
                    settling.roles.push(role);
                }
                _ => {}
            }
        }
        settling
    }

    fn context(&self) -> Option<&'w PolicyContext> {
        self.stated.first().map(|own| own.reading.network.context)
    }

    fn knows_devices(&self) -> bool {
        let context = self.context();
        context.is_some_and(|context| context.devices.is_some())
    }

    /// Whether something is open about an endpoint.
    pub fn is_open(&self, end: &Endpoint<'_>) -> bool {
        let is_placed = match (&end.place, end.identity) {
            (_, Identity::Nobody) | (Place::Supposed, _) => self.knows_devices(),
            _ => true,
        };
        let is_settled = match end.identity {
            Identity::User(login) => self.roles_of(login).is_empty(),
            Identity::Some(..) => is_outsider(end.identity),
            identity => identity != Identity::Unknown,
        };
        !is_placed || !is_settled
    }

    /// Whether one of two endpoints may belong to a group of which nobody says who is in it. Who is, is not tried.
    pub fn hangs_on_groups(&self, from: &Endpoint<'_>, to: &Endpoint<'_>) -> bool {
        self.stated.iter().any(|policy| {
            self.synced.iter().any(|group| {
                let may_be = |end| {
                    policy.reading.network.takes_in(group, Side::Source, end) == Answer::Unknown
                };
                may_be(from) || may_be(to)
            })
        })
    }

    /// The roles that a user may hold, where that is open.
    fn roles_of(&self, login: &str) -> &[Role] {
        let context = self.context();
        let mut roles = self.roles.iter();
        let is_open =
            |role: &Role| context.is_some_and(|context| context.has_role(login, *role).is_none());
        match roles.any(is_open) {
            true => &self.roles,
            false => &[],
        }
    }

    /// Looks at a flow in every way in which what is open about its endpoints may turn out. Both are one device, if the caller says so;
    /// else the source is another one than the destination. Returns nothing where there are too many ways.
    #[inline(never)]
    pub fn each(
        &self,
        (from, to, is_one): (&Endpoint<'w>, &Endpoint<'w>, bool),
        marks: &Marks<'_>,
        look: &mut Look<'_>,
    ) -> Option<()> {
        let mut from = from.clone();
        if let Some(address) = from
            .address()
            .filter(|_| from.address() == to.address() && !is_one && !self.is_one(&from, to))
        {
            // The same part of all addresses, but not the same one.
            from.place = Place::At(before(address));
        }
        let from = &from;
        let pairs = self.pairs(from, to, is_one, marks);
        if self.knows_devices() {
            look(self.stated, &pairs);
            return Some(());
        }
        for policies in self.supposed {
            if look(policies, &pairs) {
                return Some(());
            }
        }
        let context = self.context()?;
        let judges: Vec<&Judge<'w>> = self.stated.iter().map(|own| own.reading.judge).collect();
        let is_ssh = self.stated.iter().any(|own| own.reading.is_ssh);
        for routers in supposed::routers(&judges, (from, to, is_one))? {
            let context = PolicyContext {
                devices: Some(routers),
                ..context.clone()
            };
            let judges = judges.iter().map(|own| Judge::new(own.policy(), &context));
            let judges: Vec<Judge<'_>> = judges.collect();
            let judges: Vec<&Judge<'_>> = judges.iter().collect();
            let ssh = ready::ssh_rules(&judges, is_ssh);
            let readings = ready::readings(&judges, &ssh);
            if look(&ready::all(&readings, self.accounts), &pairs) {
                return Some(());
            }
        }
        Some(())
    }

    /// Everything that two endpoints may be, one for each that differs.
    fn pairs(
        &self,
        from: &Endpoint<'w>,
        to: &Endpoint<'w>,
        is_one: bool,
        marks: &Marks<'_>,
    ) -> Vec<(Endpoint<'w>, Endpoint<'w>)> {
        let sources = self.ways_to_be(from, Side::Source, marks);
        if is_one {
            let both = |(_, end): (usize, Endpoint<'w>)| (end.clone(), end);
            return sources.into_iter().map(both).collect();
        }
        let targets = self.ways_to_be(to, Side::Destination, marks);
        let (mut pairs, mut known) = (Vec::new(), Numbers::default());
        // Of two users one pair of each two classes, and one of each that are of the same user.
        let (some_sources, some_targets) = (some_of_each(&sources), some_of_each(&targets));
        for sources in &some_sources {
            for targets in &some_targets {
                let all = sources
                    .iter()
                    .flat_map(|from| targets.iter().map(move |to| (*from, *to)));
                let mut others =
                    all.filter(|(from, to)| !shares_user(from, to) && self.is_consistent(from, to));
                let first = others.next();
                pairs.extend(first.map(|(from, to)| (from.clone(), to.clone())));
            }
        }
        for (source, from) in &sources {
            for (target, to) in &targets {
                let key = (*source as u64) << 32 | *target as u64;
                if shares_user(from, to)
                    && self.is_consistent(from, to)
                    && known.place(key, pairs.len()) == pairs.len()
                {
                    pairs.push((from.clone(), to.clone()));
                }
            }
        }
        pairs
    }

    /// Whether both endpoints are at one address that represents no other.
    pub fn is_one(&self, from: &Endpoint<'_>, to: &Endpoint<'_>) -> bool {
        let address = from.address().filter(|_| from.address() == to.address());
        address.is_some_and(|address| from.device.is_some() || self.places.is_alone(address))
    }

    /// Whether two endpoints may be so at once.
    fn is_consistent(&self, from: &Endpoint<'_>, to: &Endpoint<'_>) -> bool {
        match (from.identity, to.identity) {
            (Identity::Holder(one, role), Identity::Holder(other, held)) if one == other => {
                role == held
            }
            (one, other) => one == other || !self.is_one(from, to),
        }
    }

    /// Everything that an endpoint may be, each with the number of its class.
    fn ways_to_be(
        &self,
        end: &Endpoint<'w>,
        side: Side,
        marks: &Marks<'_>,
    ) -> Vec<(usize, Endpoint<'w>)> {
        let (mut classes, mut found) = (Runs::default(), Vec::new());
        for end in self.settled(end) {
            let mut run = Vec::new();
            marks(side, &end, &mut run);
            found.push((classes.place(&run), end));
        }
        found
    }

    /// Everything that an endpoint may be.
    fn settled(&self, end: &Endpoint<'w>) -> Vec<Endpoint<'w>> {
        if is_holder(end) && self.knows_devices() {
            return self.holders(end);
        }
        let mut identities = Vec::new();
        self.add_identities(end.identity, &mut identities);
        let places = match &end.place {
            Place::Supposed if !self.knows_devices() && !is_outsider(end.identity) => self
                .inside
                .iter()
                .map(|address| Place::At(*address))
                .collect(),
            place => vec![place.clone()],
        };
        let mut found = Vec::new();
        for place in &places {
            found.extend(identities.iter().map(|&identity| Endpoint {
                place: place.clone(),
                identity,
                device: end.device,
            }));
        }
        found
    }

    /// Whether a claim speaks of an endpoint: of somebody who holds a role, if it does of all who may.
    pub fn speaks_of(
        &self,
        end: &Endpoint<'w>,
        claimed: &dyn Fn(&Endpoint<'_>) -> Answer,
    ) -> Answer {
        if !is_holder(end) {
            return claimed(end);
        }
        let holders = self.holders(end);
        match holders.is_empty() {
            true => claimed(end),
            false => holders
                .iter()
                .all(|holder| claimed(holder) == Answer::Yes)
                .into(),
        }
    }

    /// Who may be somebody who holds a role, each at their devices, if they have any.
    fn holders(&self, end: &Endpoint<'w>) -> Vec<Endpoint<'w>> {
        let (mut identities, mut found) = (Vec::new(), Vec::new());
        self.add_identities(end.identity, &mut identities);
        for identity in identities {
            let endpoints = self.places.list.iter().map(|(_, end)| end);
            let own = endpoints
                .filter(|end| end.device.is_some() && end.identity.user() == identity.user());
            let at = |end: &Endpoint<'w>| Endpoint {
                identity,
                ..end.clone()
            };
            let before = found.len();
            found.extend(own.map(at));
            if found.len() == before {
                found.push(at(end));
            }
        }
        found
    }

    fn add_identities(&self, identity: Identity<'w>, found: &mut Vec<Identity<'w>>) {
        match identity {
            Identity::Unknown => {
                found.push(Identity::Nobody);
                found.extend(self.services.iter().map(|name| Identity::Service(name)));
                for login in &self.logins {
                    self.add_identities(Identity::User(login), found);
                }
                found.extend(self.tags.iter().map(|tag| Identity::Tag(tag)));
            }
            Identity::User(login) => match self.roles_of(login) {
                [] => found.push(identity),
                roles => {
                    found.push(Identity::Holder(login, None));
                    found.extend(
                        roles
                            .iter()
                            .map(|role| Identity::Holder(login, Some(*role))),
                    );
                }
            },
            Identity::Some(Kind::Autogroup(Autogroup::Role(role)), _) => {
                let mut logins = self.logins.clone();
                logins.retain(|login| !self.roles_of(login).is_empty());
                found.extend(
                    logins
                        .into_iter()
                        .map(|login| Identity::Holder(login, Some(role))),
                );
            }
            _ => found.push(identity),
        }
    }
}

/// Whether both endpoints are of one user.
fn shares_user(from: &Endpoint<'_>, to: &Endpoint<'_>) -> bool {
    from.identity.user().is_some() && from.identity.user() == to.identity.user()
}

/// Of each class a few: whoever stands wherever, one of them is somebody else at another address, if there is one.
fn some_of_each<'v, 'e>(endpoints: &'v [(usize, Endpoint<'e>)]) -> Vec<Vec<&'v Endpoint<'e>>> {
    let mut each: Vec<Vec<&Endpoint<'e>>> = Vec::new();
    let mut apart: Vec<Vec<&Endpoint<'e>>> = Vec::new();
    for (class, end) in endpoints {
        if each.len() <= *class {
            each.resize(class + 1, Vec::new());
            apart.resize(class + 1, Vec::new());
        }
        let (Some(some), Some(apart)) = (each.get_mut(*class), apart.get_mut(*class)) else {
            continue;
        };
        // Any end is at the address of one of three at most, and of the user of one.
        let is_apart = apart.len() < 3
            && apart.iter().all(|known| {
                known.identity.role_aside() != end.identity.role_aside()
                    && (end.address().is_none() || known.address() != end.address())
            });
        if is_apart {
            apart.push(end);
        }
        if is_apart || some.len() < 4 {
            some.push(end);
        }
    }
    each
}

/// Whether an endpoint is somebody of whom only the role is known.
fn is_holder(end: &Endpoint<'_>) -> bool {
    matches!(
        end.identity,
        Identity::Some(Kind::Autogroup(Autogroup::Role(_)), _)
    )
}
