//! Whether a selector includes a machine: decided here only, for every verb.
//! Must not live here: ports, whole rules, what a name means (endpoint.rs).

use super::addresses::tailnet;
use super::context::{Device, DeviceIndex};
use super::endpoint::{Endpoint, Place};
use super::identity::{Answer, Identity, in_domain, is_of_users};
use super::network::{Network, ascending};
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// The list of a rule that contains a selector: some mean something else in each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// `src`
    Source,
    /// `dst`
    Destination,
}

impl Network<'_> {
    /// The devices that any of the selectors includes, ascending.
    #[inline(never)]
    pub fn all_devices_of(&self, selectors: &[Selector<'_>]) -> Vec<DeviceIndex> {
        let mut found = Vec::new();
        for selector in selectors {
            self.add_devices_of(selector, &mut found);
        }
        ascending(found)
    }

    /// Whether there is a device that one of the selectors includes, or may be one.
    pub fn may_have_one(&self, selectors: &[Selector<'_>]) -> bool {
        match self.context.devices {
            Some(_) => !self.all_devices_of(selectors).is_empty(),
            None => !selectors.is_empty(),
        }
    }

    /// The devices that a selector includes by identity, ascending (docs/policy-language.md#selectors); none of another tailnet.
    #[inline(never)]
    pub fn devices_of(&self, selector: &Selector<'_>) -> Vec<DeviceIndex> {
        let mut found = Vec::new();
        self.add_devices_of(selector, &mut found);
        ascending(found)
    }

    #[inline(never)]
    fn add_devices_of(&self, selector: &Selector<'_>, found: &mut Vec<DeviceIndex>) {
        let name = selector.name();
        match selector.kind {
            Kind::Any | Kind::Autogroup(Autogroup::DangerAll) => {
                found.extend((0..self.devices.len()).map(DeviceIndex))
            }
            Kind::User => found.extend_from_slice(self.of_user(name)),
            Kind::Group => {
                for login in self.groups.of(name) {
                    found.extend_from_slice(self.of_user(login));
                }
            }
            Kind::Tag => found.extend_from_slice(self.by_tag.get(name)),
            Kind::Domain | Kind::Autogroup(_) => {
                for (index, device) in DeviceIndex::each(self.devices) {
                    let end = Endpoint::supposed(Identity::from(device));
                    if self.takes_in(selector, Side::Source, &end) == Answer::Yes {
                        found.push(index);
                    }
                }
            }
            Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet => {
                for net in self.written(selector).unwrap_or_default() {
                    self.add_holders(net, found);
                }
            }
            Kind::Service => {}
        }
        found.retain(|device| !self.is_external(*device));
    }

    /// Whether a device is shared in from another tailnet.
    fn is_external(&self, device: DeviceIndex) -> bool {
        let device = device.of(self.devices);
        device.is_some_and(Device::is_external)
    }
}

impl Network<'_> {
    /// Whether a selector includes an endpoint (docs/policy-language.md#selectors). `autogroup:self` includes every endpoint with a user:
    /// whether both endpoints share one is decided by [`Identity::shares_user`].
    #[inline(never)]
    pub fn takes_in(&self, selector: &Selector<'_>, side: Side, end: &Endpoint<'_>) -> Answer {
        if never_sends(side, end) {
            return Answer::No;
        }
        match (selector.kind, side) {
            (Kind::Any, Side::Source) => self.is_in_tailnet(end),
            (Kind::Any, Side::Destination) => Answer::Yes,
            (Kind::Autogroup(Autogroup::DangerAll), _) => Answer::Yes,
            (Kind::Autogroup(Autogroup::Internet), Side::Source) => Answer::No,
            (Kind::Autogroup(Autogroup::Internet), Side::Destination) => self.is_in(selector, end),
            (Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet, _) => {
                self.is_in(selector, end)
            }
            _ => self.is_one_of(selector, side, end),
        }
    }

    /// `*` as a source: devices, and what is behind their approved routes (docs/policy-language.md#sources).
    pub fn is_in_tailnet(&self, end: &Endpoint<'_>) -> Answer {
        let inside = match &end.place {
            Place::Supposed => return (!is_outsider(end.identity)).into(),
            Place::Behind => return Answer::Yes,
            _ if end.identity == Identity::External => return Answer::No,
            Place::At(address) => tailnet().contains(*address),
            Place::All(set) => tailnet().covers(set),
            Place::Some(set) => tailnet().overlaps(set),
        };
        if inside {
            return Answer::Yes;
        }
        if self.context.devices.is_none() {
            return Answer::Unknown;
        }
        match &end.place {
            Place::Supposed | Place::Behind => Answer::Yes,
            Place::At(address) => (!self.routes.leading_to(*address).is_empty()).into(),
            Place::All(set) => self.inside.covers(set).into(),
            Place::Some(set) => self.inside.overlaps(set).into(),
        }
    }

    /// Whether an address selector contains an endpoint.
    fn is_in(&self, selector: &Selector<'_>, end: &Endpoint<'_>) -> Answer {
        // Most have one range, which takes no set to ask.
        if let (Some(range), Place::At(address)) = (self.policy.range(selector), &end.place) {
            return (range.first() <= *address && *address <= range.last()).into();
        }
        let Some(own) = self.set_of(selector) else {
            return Answer::No;
        };
        match &end.place {
            Place::At(address) => own.contains(*address).into(),
            Place::All(set) => own.covers(set).into(),
            Place::Some(set) => own.overlaps(set).into(),
            Place::Behind => Answer::No,
            Place::Supposed if is_outsider(end.identity) => Answer::No,
            Place::Supposed if own.covers(tailnet()) => Answer::Yes,
            // An unknown device has some address; one that does not exist has none.
            Place::Supposed if self.context.devices.is_some() => Answer::No,
            Place::Supposed if own.overlaps(tailnet()) => Answer::Unknown,
            Place::Supposed => Answer::No,
        }
    }

    /// Whether an identity selector names the machine at an endpoint.
    fn is_one_of(&self, selector: &Selector<'_>, side: Side, end: &Endpoint<'_>) -> Answer {
        let name = selector.name();
        match end.identity {
            Identity::Unknown if self.may_be_somebody(selector) => Answer::Unknown,
            Identity::Unknown => Answer::No,
            // A service may have it: no context tells their addresses.
            Identity::Nobody if selector.kind == Kind::Service => {
                let is_own = end
                    .address()
                    .is_some_and(|address| tailnet().contains(address));
                if is_own { Answer::Unknown } else { Answer::No }
            }
            Identity::Unowned => (selector.kind == Kind::Autogroup(Autogroup::Member)).into(),
            Identity::External | Identity::Nobody => Answer::No,
            Identity::Service(own) => (selector.kind == Kind::Service && own == name).into(),
            Identity::Some(kind, own) => self.among(selector, side, kind, own),
            Identity::Tag(_) | Identity::Tags(_) => match selector.kind {
                Kind::Tag => end.identity.has_tag(name).into(),
                kind => (kind == Kind::Autogroup(Autogroup::Tagged)).into(),
            },
            Identity::User(login) => self.is_user(selector, login),
            // Whoever holds a role is one of the tailnet's users.
            Identity::Holder(login, held) => match selector.kind {
                Kind::Autogroup(Autogroup::Role(role)) => {
                    held.is_some_and(|held| held.counts_as(role)).into()
                }
                Kind::Autogroup(Autogroup::Member) => Answer::Yes,
                _ => self.is_user(selector, login),
            },
        }
    }

    /// Whether a selector may mean anybody of the tailnet; an empty group does not.
    fn may_be_somebody(&self, selector: &Selector<'_>) -> bool {
        let knows = |login: &str| self.knows_user(login) != Some(false);
        let users = self.context.users.as_deref();
        match selector.kind {
            Kind::User => knows(selector.name()),
            Kind::Group if !self.groups.is_unknown(selector.name()) => {
                self.groups.of(selector.name()).into_iter().any(knows)
            }
            Kind::Group
            | Kind::Domain
            | Kind::Autogroup(Autogroup::Member | Autogroup::Role(_)) => {
                users.is_none_or(|users| {
                    let mut logins = users.iter().map(|user| user.written());
                    logins.any(|login| self.is_user(selector, login) != Answer::No)
                })
            }
            _ => true,
        }
    }

    fn is_user(&self, selector: &Selector<'_>, login: &str) -> Answer {
        let name = selector.name();
        match selector.kind {
            Kind::User => (self.login(login) == self.login(name)).into(),
            Kind::Group => self.is_member(login, name),
            Kind::Domain => in_domain(login, selector).into(),
            Kind::Autogroup(Autogroup::Member) => (self.knows_user(login) != Some(false)).into(),
            Kind::Autogroup(Autogroup::Own) => Answer::Yes,
            Kind::Autogroup(Autogroup::Role(role)) => self.has_role(login, role).into(),
            _ => Answer::No,
        }
    }

    /// Whether a selector includes some member of an autogroup, domain or group about whom nothing else is known. For a source it
    /// must include each of them, for a destination one is enough: so a narrower selector leaves the latter unknown. Where
    /// members are unknown, either may be the narrower one.
    fn among(&self, selector: &Selector<'_>, side: Side, kind: Kind, own: &str) -> Answer {
        let name = selector.name();
        let is_same = match kind {
            // Of unknown members, where this document may say who they are.
            Kind::Group => name == own && self.groups.is_unknown(own),
            Kind::Domain => name == own,
            _ => true,
        };
        if selector.kind == kind && is_same {
            return Answer::Yes;
        }
        if let (Kind::Autogroup(Autogroup::Role(own)), Kind::Autogroup(Autogroup::Role(role))) =
            (kind, selector.kind)
            && own.counts_as(role)
        {
            return Answer::Yes;
        }
        let is_unknown =
            kind == Kind::Group || selector.kind == Kind::Group && self.groups.is_unknown(name);
        let narrower = match side {
            Side::Source if !is_unknown => Answer::No,
            _ => Answer::Unknown,
        };
        match selector.kind {
            Kind::Group if !self.groups.is_unknown(name) && self.groups.of(name).is_empty() => {
                Answer::No
            }
            Kind::Autogroup(Autogroup::Own | Autogroup::Member) => is_of_users(kind).into(),
            Kind::Tag if kind == Kind::Autogroup(Autogroup::Tagged) => narrower,
            Kind::User | Kind::Group | Kind::Domain | Kind::Autogroup(Autogroup::Role(_))
                if is_of_users(kind) =>
            {
                narrower
            }
            _ => Answer::No,
        }
    }
}

/// Whether an endpoint is no source of any rule: nothing comes from devices of other tailnets (docs/policy-language.md#external-devices).
pub fn never_sends(side: Side, end: &Endpoint<'_>) -> bool {
    side == Side::Source && end.identity == Identity::External
}

/// Whether an endpoint is outside the tailnet by identity: it has none of its addresses.
pub fn is_outsider(identity: Identity<'_>) -> bool {
    matches!(
        identity,
        Identity::Service(_) | Identity::Some(Kind::Autogroup(Autogroup::Shared), _)
    )
}
