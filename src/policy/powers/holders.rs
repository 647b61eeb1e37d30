//! A list of selectors that have a power: taken apart into parties, and whether it includes a party of another list.
//! Must not live here: what they may do.

use crate::cidr::AddressSet;
use crate::policy::findings::words::joined;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::addresses::tailnet;
use crate::policy::tailnet::context::{Device, DeviceIndex};
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::parties::{Party, PartyKind, kind_of};
use crate::policy::tailnet::party::Side;
use crate::tables::index::Index;
use crate::tables::sort;

/// Somebody or something that a list names.
#[derive(Clone, Debug)]
pub struct Who<'p> {
    pub selector: Selector<'p>,
    /// The addresses of an address, alias or set.
    pub set: Option<AddressSet>,
    /// How a part of it, or a device, is shown.
    shown: Option<Party>,
    /// The device that it is.
    device: Option<&'p Device>,
}

/// By what it is shown as.
impl PartialEq for Who<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.name(), &self.shown, &self.set) == (other.name(), &other.shown, &other.set)
    }
}

impl<'p> Who<'p> {
    pub fn name(&self) -> &'p str {
        self.selector.name()
    }

    /// Some of its addresses, with a name of their own.
    pub fn part(&self, set: &AddressSet, shown: Option<Party>) -> Who<'p> {
        Who {
            selector: self.selector,
            set: Some(set.clone()),
            shown,
            device: None,
        }
    }

    /// A user of a context.
    pub fn of_user(network: &Network<'p>, login: &'p str) -> Who<'p> {
        Who {
            selector: Selector::new(login, network.policy.document.root().span()),
            set: None,
            shown: None,
            device: None,
        }
    }

    /// A device of a context, whoever it belongs to.
    pub fn of_device(network: &Network<'p>, device: &'p Device, name: String) -> Who<'p> {
        let party = Party {
            kind: PartyKind::Device,
            name,
            id: Some(device.id.clone()),
        };
        Who {
            shown: Some(party),
            device: Some(device),
            ..Who::of_user(network, &device.id)
        }
    }

    /// Whether it is a tag, or a device that has it.
    pub fn has_tag(&self, tag: &str) -> bool {
        let mut tags = self.device.into_iter().flat_map(Device::tags);
        self.name() == tag || tags.any(|own| own.trim() == tag)
    }

    /// Whether it is a device.
    pub fn is_device(&self) -> bool {
        self.device.is_some()
    }

    /// The device that it is, as a network has it; one that was made anew has another id.
    pub fn device_in<'n>(&self, network: &Network<'n>) -> Option<(DeviceIndex, &'n Device)> {
        let known = self.device?;
        let find = |is_it: &dyn Fn(&Device) -> bool| {
            let mut devices = DeviceIndex::each(network.devices);
            devices.find(|(_, device)| is_it(device))
        };
        let by_name = || find(&|device| device.name.is_some() && device.name == known.name);
        find(&|device| device.id == known.id).or_else(by_name)
    }

    /// Whether it is a device that has no tag in a network.
    pub fn is_untagged(&self, network: &Network<'_>) -> bool {
        let known = self.device_in(network);
        known.is_some_and(|(_, device)| device.tags().is_empty())
    }

    /// Whether it is a device of somebody whom a list names.
    pub fn is_of(&self, network: &Network<'_>, who: &Who<'_>) -> bool {
        let known = self.device_in(network);
        let endpoints = known.map_or(Vec::new(), |(at, _)| network.endpoints_of_device(at));
        let mut endpoints = endpoints.iter();
        endpoints.any(|end| network.takes_in(&who.selector, Side::Source, end) == Answer::Yes)
    }

    /// Whether it is a user or tag, which means devices.
    pub fn has_devices(&self) -> bool {
        matches!(self.selector.kind, Kind::User | Kind::Tag) && !self.is_device()
    }

    pub fn party(&self) -> Party {
        self.shown.clone().unwrap_or_else(|| Party {
            kind: kind_of(self.selector.kind),
            name: self.name().to_owned(),
            id: None,
        })
    }

    /// Whether a router leads to some of its addresses: it gets the capabilities there (docs/policy-language.md#capabilities).
    pub fn is_routed(&self, network: &Network<'_>) -> bool {
        let mut is_routed = false;
        for range in self.set.iter().flat_map(AddressSet::ranges) {
            network.routes.overlapping(range, &mut |_| is_routed = true);
        }
        is_routed
    }

    /// One device of it, without an address.
    pub fn supposed(&self) -> Endpoint<'p> {
        let name = self.name();
        Endpoint::supposed(match self.selector.kind {
            Kind::User => Identity::User(name),
            Kind::Tag => Identity::Tag(name),
            Kind::Service => Identity::Service(name),
            kind => Identity::Some(kind, name),
        })
    }
}

/// Whether a list includes a party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Included {
    No,
    /// It depends on this.
    Unknown(String),
    Yes,
}

impl Included {
    /// Whether both hold.
    pub fn and(self, other: impl FnOnce() -> Included) -> Included {
        match (self, ()) {
            (Included::No, ()) => Included::No,
            (Included::Yes, ()) => other(),
            (unknown, ()) => match other() {
                Included::No => Included::No,
                _ => unknown,
            },
        }
    }

    /// Whether it is less certain than another answer.
    pub fn is_less(&self, other: &Included) -> bool {
        let rank = |it: &Included| match it {
            Included::No => 0,
            Included::Unknown(_) => 1,
            Included::Yes => 2,
        };
        rank(self) < rank(other)
    }
}

/// A list of selectors.
pub struct SelectorList<'p> {
    /// Its parties, each once: groups as their members, where document or context list them.
    pub parties: Vec<Who<'p>>,
    by_name: Index<'p>,
    /// The addresses of all aliases, prefixes and sets together.
    set: AddressSet,
}

impl<'p> SelectorList<'p> {
    pub fn of(network: &Network<'p>, selectors: &[Selector<'p>]) -> SelectorList<'p> {
        let mut named = SelectorList {
            parties: Vec::new(),
            by_name: Index::default(),
            set: AddressSet::new(),
        };
        for selector in selectors {
            match members(network, selector) {
                Some(members) => members.iter().for_each(|member| named.add(network, member)),
                None => named.add(network, selector),
            }
        }
        named
    }

    fn add(&mut self, network: &Network<'p>, selector: &Selector<'p>) {
        let selector = &network.named_by(selector);
        let next = self.parties.len();
        if self.by_name.place(selector.name(), next) == next {
            let set = set_of(network, selector);
            if let Some(set) = &set {
                self.set = self.set.union(set);
            }
            self.parties.push(Who {
                selector: *selector,
                set,
                shown: None,
                device: None,
            });
        }
    }

    /// Whether it names somebody as such.
    pub fn names(&self, who: &Who<'_>) -> bool {
        self.by_name.find(who.name()).is_some()
    }

    /// Those of its parties that a device is one of by a tag, or by an address.
    pub fn parties_of(&self, device: &Device) -> Vec<&Who<'p>> {
        let tags = device.tags().iter();
        let places = tags.filter_map(|tag| self.by_name.find(tag.trim()));
        let mut found: Vec<_> = places.filter_map(|at| self.parties.get(at)).collect();
        let mut own = device.addresses.iter();
        if own.any(|own| self.set.contains(*own)) {
            let has = |set: &AddressSet| device.addresses.iter().any(|own| set.contains(*own));
            let by_address = |who: &&Who<'p>| who.set.as_ref().is_some_and(has);
            found.extend(self.parties.iter().filter(by_address));
        }
        found
    }

    /// The addresses of all its aliases, prefixes and sets.
    pub fn addresses(&self) -> &AddressSet {
        &self.set
    }

    /// The same list whatever its order and the names of groups, aliases and sets.
    pub fn canonical(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        for who in self.parties.iter().filter(|who| who.set.is_none()) {
            names.push(who.name());
        }
        sort::sort(&mut names);
        let mut text = names.join("\n");
        for range in self.set.ranges() {
            text.push_str(&joined(&["\n", &range.to_string()]));
        }
        text
    }

    /// Whether the list, in its own document, includes all of a party of any document.
    pub fn includes(&self, network: &Network<'_>, side: Side, who: &Who<'_>) -> Included {
        if who.is_device() {
            return self.includes_device(network, side, who);
        }
        let is_named = match &who.set {
            Some(set) => self.set.covers(set),
            None => self.by_name.find(who.name()).is_some(),
        };
        if is_named {
            return Included::Yes;
        }
        let mut best = Included::No;
        for own in &self.parties {
            // Another user, tag or service is another one; only at an address might it be the same.
            let is_other = matches!(own.selector.kind, Kind::User | Kind::Tag | Kind::Service);
            if is_other && who.set.is_none() {
                continue;
            }
            match one_includes(network, side, own, who) {
                Included::Yes => return Included::Yes,
                unknown @ Included::Unknown(_) if best == Included::No => best = unknown,
                _ => {}
            }
        }
        match self.includes_all_known(network, side, who) {
            true => Included::Yes,
            false => best,
        }
    }

    /// Whether the list, as destinations, includes a device for somebody: of `autogroup:self` those of the same user.
    pub fn includes_for(&self, network: &Network<'_>, holder: &Who<'_>, who: &Who<'_>) -> Included {
        let device = who.device_in(network);
        let owner = device.and_then(|(_, device)| device.user());
        match self.names_own() && owner == Some(holder.name()) {
            true => Included::Yes,
            false => self.includes(network, Side::Destination, who),
        }
    }

    /// Whether `autogroup:self` is in it.
    pub fn names_own(&self) -> bool {
        self.by_name.find("autogroup:self").is_some()
    }

    /// Whether the list includes a device of the context, by its user, a tag or one of its addresses; whose `autogroup:self` it is in is
    /// not asked.
    fn includes_device(&self, network: &Network<'_>, side: Side, who: &Who<'_>) -> Included {
        let Some((at, device)) = who.device_in(network) else {
            return Included::No;
        };
        let mut endpoints = network.endpoints_of_device(at);
        endpoints.push(Endpoint::supposed(Identity::from(device)));
        let mut best = Answer::No;
        let is_own = |who: &&Who<'_>| who.selector.kind == Kind::Autogroup(Autogroup::Own);
        for own in self.parties.iter().filter(|own| !is_own(own)) {
            for end in &endpoints {
                best = best.max(network.takes_in(&own.selector, side, end));
            }
        }
        match best {
            Answer::Yes => Included::Yes,
            Answer::No => Included::No,
            Answer::Unknown => Included::Unknown("who belongs to it is not known".to_owned()),
        }
    }

    /// Whether the list includes every known user of an autogroup or domain, and there are some.
    fn includes_all_known(&self, network: &Network<'_>, side: Side, who: &Who<'_>) -> bool {
        let is_in = |user: &Who<'_>| self.includes(network, side, user) == Included::Yes;
        users_of(network, who).is_some_and(|users| !users.is_empty() && users.iter().all(is_in))
    }
}

/// The users whom an autogroup or domain means; none for anything else, and where who they are is not known.
pub fn users_of<'p>(network: &Network<'p>, who: &Who<'_>) -> Option<Vec<Who<'p>>> {
    let users = network
        .context
        .users
        .as_deref()
        .filter(|_| is_of_users(who))?;
    let mut found = Vec::new();
    for user in users {
        let login = Who::of_user(network, user.written());
        match network.takes_in(&who.selector, Side::Source, &login.supposed()) {
            Answer::No => {}
            Answer::Yes => found.push(login),
            Answer::Unknown => return None,
        }
    }
    Some(found)
}

/// Whether everybody of the one is among those whom the other means, who are not listed one by one.
pub fn is_part(network: &Network<'_>, who: &Who<'_>, part: &Who<'_>) -> bool {
    (is_of_users(who) || who.selector.kind == Kind::Any)
        && part.set.is_none()
        && part.name() != who.name()
        && one_includes(network, Side::Source, who, part) == Included::Yes
}

/// Whether a destination is a part of another, whose devices are not listed one by one.
pub fn is_place(network: &Network<'_>, on: &Who<'_>, part: &Who<'_>) -> bool {
    let is_any = on.selector.kind == Kind::Any && part.selector.kind != Kind::Any;
    is_any || is_part(network, on, part)
}

/// Whether it is an autogroup or domain, which means users.
fn is_of_users(who: &Who<'_>) -> bool {
    let kind = who.selector.kind;
    matches!(
        kind,
        Kind::Domain | Kind::Autogroup(Autogroup::Member | Autogroup::Role(_))
    )
}

/// The members of a group, nobody where document and context do not have it; none for anything else, and for a group of unknown
/// members, which is itself.
fn members<'p>(network: &Network<'p>, selector: &Selector<'_>) -> Option<Vec<Selector<'p>>> {
    let (groups, name) = (&network.groups, selector.name());
    let is_listed = selector.kind == Kind::Group && !groups.is_unknown(name);
    let root = network.policy.document.root().span();
    let members = || groups.of(name).into_iter();
    is_listed.then(|| members().map(|login| Selector::new(login, root)).collect())
}

fn set_of(network: &Network<'_>, selector: &Selector<'_>) -> Option<AddressSet> {
    match selector.kind {
        Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet => {
            Some(network.set_of(selector).unwrap_or_default())
        }
        _ => None,
    }
}

fn one_includes(network: &Network<'_>, side: Side, own: &Who<'_>, who: &Who<'_>) -> Included {
    let (selector, kind) = (&own.selector, who.selector.kind);
    match (selector.kind, kind) {
        (Kind::Any, _) if side == Side::Destination => return at_all(network, who),
        (Kind::Autogroup(Autogroup::DangerAll), _) => return Included::Yes,
        // The user's own devices are the same only for the same user.
        (Kind::Autogroup(Autogroup::Own), _) => return Included::No,
        _ => {}
    }
    if let Some(set) = &who.set {
        return match own.set {
            Some(_) => Included::No,
            None => at_addresses(network, side, selector, set),
        };
    }
    if let Some(set) = &own.set {
        let all = match kind {
            Kind::Any | Kind::Autogroup(Autogroup::DangerAll) => &AddressSet::everything(),
            _ => tailnet(),
        };
        let is_one = matches!(kind, Kind::User | Kind::Tag | Kind::Group);
        return match set.covers(all) {
            true => Included::Yes,
            // The only device of such a name may have it.
            false if is_one && network.context.devices.is_none() && set.overlaps(all) => {
                let words = ["who has an address of ", own.name(), " is not known"];
                Included::Unknown(joined(&words))
            }
            false => Included::No,
        };
    }
    match (kind, selector.kind) {
        (Kind::Any | Kind::Autogroup(Autogroup::DangerAll | Autogroup::Internet), _) => {
            Included::No
        }
        (Kind::Group, Kind::Any | Kind::Autogroup(Autogroup::Member)) => Included::Yes,
        (Kind::Group, Kind::Domain | Kind::Autogroup(Autogroup::Role(_))) => {
            Included::Unknown(members_of(who.name()))
        }
        (Kind::Group, _) => Included::No,
        (Kind::User, Kind::Group) => Included::Unknown(members_of(selector.name())),
        (_, Kind::Group) => Included::No,
        _ => match network.takes_in(selector, Side::Source, &who.supposed()) {
            Answer::Yes => Included::Yes,
            Answer::No => Included::No,
            Answer::Unknown => {
                let words = [
                    "whether ",
                    who.name(),
                    " is in ",
                    selector.name(),
                    " is not known",
                ];
                Included::Unknown(joined(&words))
            }
        },
    }
}

fn members_of(group: &str) -> String {
    joined(&["the members of ", group, " are not known"])
}

/// Whether `*` gives a destination all that its own name does: it means the devices, and a set of addresses the routers to it, too
/// (docs/policy-language.md#capabilities).
fn at_all(network: &Network<'_>, who: &Who<'_>) -> Included {
    if who.set.as_ref().is_none_or(|set| tailnet().covers(set)) {
        return Included::Yes;
    }
    if network.context.devices.is_none() {
        let words = [
            "whether a router leads to ",
            &who.party().name,
            " is not known",
        ];
        return Included::Unknown(joined(&words));
    }
    match who.is_routed(network) {
        true => Included::No,
        false => Included::Yes,
    }
}

/// Whether a selector that is no set of addresses includes all of a set.
fn at_addresses(
    network: &Network<'_>,
    side: Side,
    selector: &Selector<'_>,
    set: &AddressSet,
) -> Included {
    let mut ranges = set.ranges();
    let (first, more) = (ranges.next(), ranges.next());
    let end = match (first, more) {
        (Some(only), None) if only.first() == only.last() => network.end_at(only.first()),
        _ => Endpoint::of_set(Place::All(set.clone().into())),
    };
    match network.takes_in(selector, side, &end) {
        Answer::Yes => Included::Yes,
        Answer::No => Included::No,
        Answer::Unknown => {
            let range = first.map(|range| Net::Range(range).to_string());
            let words = ["whose ", &range.unwrap_or_default(), " is, is not known"];
            Included::Unknown(joined(&words))
        }
    }
}
