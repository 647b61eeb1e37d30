//! What a preview asks of selectors: is this user, tag, alias or address among them?
//! Must not live here: ports, whole rules.

use crate::cidr::Range;
use crate::tables::sort;

use super::addresses::{of_some_device, tailnet};
use super::identity::{Answer, Identity, in_domain};
use super::net::{overlap, whole};
use super::topology::{Device, Topology};
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Autogroup, Kind, Memo, Selector};

/// Which list of a rule a selector stands in: some mean another thing in each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Source,
    Destination,
}

/// Somebody or something that rules may concern: prepared once, asked about many selectors.
pub(crate) struct Party<'a> {
    policy: &'a Policy<'a>,
    topology: &'a Topology,
    who: Who<'a>,
    /// Those a user is in, sorted.
    groups: Vec<&'a str>,
    /// Of an alias or address its own; of a user or tag those of its devices, if the devices are known.
    addresses: Option<Vec<Range>>,
    /// The answers so far.
    answers: Memo,
}

enum Who<'a> {
    User(&'a str),
    /// Its name without the `tag:`.
    Tag(&'a str),
    /// Addresses, and the devices known to have one of them.
    Place {
        devices: Vec<&'a Device>,
        /// Whether one may be the address of a device that nobody told us about.
        may_be_device: bool,
        /// Whether one may be the address of a service: no topology tells those.
        may_be_service: bool,
    },
}

impl<'a> Party<'a> {
    /// A user, by login.
    pub fn user(policy: &'a Policy<'a>, topology: &'a Topology, login: &'a str) -> Self {
        let login = login.trim();
        let mut groups: Vec<&str> = policy.groups_of(login).collect();
        sort::sort(&mut groups);
        let addresses = addresses(topology, &|device| device.user() == Some(login));
        Party {
            policy,
            topology,
            who: Who::User(login),
            groups,
            addresses,
            answers: Memo::default(),
        }
    }

    /// Whatever carries a tag; the `tag:` in front of its name may be left out.
    pub fn tag(policy: &'a Policy<'a>, topology: &'a Topology, tag: &'a str) -> Self {
        let tag = tag_name(tag.trim());
        let tagged = |device: &Device| device.tags().iter().any(|own| tag_name(own.trim()) == tag);
        Party {
            policy,
            topology,
            who: Who::Tag(tag),
            groups: Vec::new(),
            addresses: addresses(topology, &tagged),
            answers: Memo::default(),
        }
    }

    /// Addresses, whoever has them.
    pub fn place(policy: &'a Policy<'a>, topology: &'a Topology, range: Range) -> Self {
        let held = |device: &&Device| device.addresses.iter().any(|&a| overlap(a.into(), range));
        let devices: Vec<&Device> = topology.devices.iter().flatten().filter(held).collect();
        let in_tailnet = tailnet().overlaps(&range.into());
        let who = Who::Place {
            may_be_device: topology.devices.is_none() && in_tailnet,
            may_be_service: devices.is_empty() && in_tailnet,
            devices,
        };
        Party {
            policy,
            topology,
            who,
            groups: Vec::new(),
            addresses: Some(vec![range]),
            answers: Memo::default(),
        }
    }

    /// Whether the selector takes it in (policy-language.md 10). A user never because of a tag.
    #[inline(never)]
    pub fn selected_by(&mut self, selector: &Selector<'_>, side: Side) -> Answer {
        let shift = match side {
            Side::Source => 0,
            Side::Destination => 2,
        };
        match self.answers.get(selector) >> shift & 3 {
            1 => return Answer::No,
            2 => return Answer::Unknown,
            3 => return Answer::Yes,
            _ => {}
        }
        let answer = self.judge(selector, side);
        let kept = match answer {
            Answer::No => 1,
            Answer::Unknown => 2,
            Answer::Yes => 3,
        };
        self.answers.add(selector, kept << shift);
        answer
    }

    fn judge(&self, selector: &Selector<'_>, side: Side) -> Answer {
        match selector.kind {
            Kind::Any => match (&self.who, side) {
                (Who::Place { .. }, Side::Source) => self.in_tailnet(),
                _ => Answer::Yes,
            },
            Kind::Autogroup(Autogroup::DangerAll) => Answer::Yes,
            Kind::Autogroup(Autogroup::Internet) => match (&self.who, side) {
                (Who::Place { .. }, Side::Destination) => self.has_address_of(selector),
                _ => Answer::No,
            },
            Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet => {
                self.has_address_of(selector)
            }
            _ => match &self.who {
                Who::User(login) => self.user_in(login, selector),
                Who::Tag(tag) => match selector.kind {
                    Kind::Tag => (tag_name(selector.name()) == *tag).into(),
                    kind => (kind == Kind::Autogroup(Autogroup::Tagged)).into(),
                },
                Who::Place { .. } => self.device_in(selector),
            },
        }
    }

    /// `*` as a source: devices, and what stands behind their approved routes (policy-language.md 6).
    fn in_tailnet(&self) -> Answer {
        let within = |range: Range| {
            self.addresses
                .iter()
                .flatten()
                .any(|&own| overlap(own, range))
        };
        if tailnet().ranges().any(within) {
            return Answer::Yes;
        }
        let Some(devices) = &self.topology.devices else {
            return Answer::Unknown;
        };
        let mut routes = devices.iter().flat_map(|device| &device.routes);
        let routed = routes.any(|&route| !route.is_default_route() && within(whole(route)));
        routed.into()
    }

    fn has_address_of(&self, selector: &Selector<'_>) -> Answer {
        let range = self.policy.range(selector);
        let Some(addresses) = &self.addresses else {
            // Most lie outside, which takes no set to see.
            if range.is_some_and(|range| !tailnet().ranges().any(|own| overlap(own, range))) {
                return Answer::No;
            }
            let set = self.policy.addresses(selector);
            return set.map_or(Answer::No, |set| of_some_device(&set));
        };
        if let Some(range) = range {
            return addresses.iter().any(|&own| overlap(own, range)).into();
        }
        let set = self.policy.addresses(selector).unwrap_or_default();
        let mut ranges = set.ranges();
        ranges
            .any(|range| addresses.iter().any(|&own| overlap(own, range)))
            .into()
    }

    fn user_in(&self, login: &str, selector: &Selector<'_>) -> Answer {
        match selector.kind {
            Kind::User => (selector.name() == login).into(),
            Kind::Group => self.groups.binary_search(&selector.name()).is_ok().into(),
            Kind::Domain => in_domain(login, selector).into(),
            // Who is asked about is taken to be a member unless the list of users says otherwise.
            Kind::Autogroup(Autogroup::Member) => self.is_member(login).into(),
            Kind::Autogroup(Autogroup::Role(role)) => self.topology.has_role(login, role).into(),
            _ => Answer::No,
        }
    }

    fn is_member(&self, login: &str) -> bool {
        self.topology.users.is_none()
            || self.topology.user(login).is_some()
            || self.topology.devices_of(login).next().is_some()
    }

    fn device_in(&self, selector: &Selector<'_>) -> Answer {
        let Who::Place {
            devices,
            may_be_device,
            may_be_service,
        } = &self.who
        else {
            return Answer::No;
        };
        let open = match selector.kind {
            Kind::Service => *may_be_service,
            _ => *may_be_device,
        };
        let mut best = if open { Answer::Unknown } else { Answer::No };
        for device in devices {
            let identity = Identity::from(*device);
            best = best.max(identity.selected_by(selector, self.policy, self.topology));
        }
        best
    }
}

fn tag_name(tag: &str) -> &str {
    tag.strip_prefix("tag:").unwrap_or(tag)
}

/// The addresses of some devices, if the devices are known.
fn addresses(topology: &Topology, wanted: &dyn Fn(&Device) -> bool) -> Option<Vec<Range>> {
    let mut found = Vec::new();
    for device in topology.devices.as_ref()? {
        if wanted(device) {
            found.extend(device.addresses.iter().map(|&own| Range::from(own)));
        }
    }
    Some(found)
}
