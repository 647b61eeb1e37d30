//! What a name of a claim means: a selector as in a policy, a device, or nothing.
//! Must not live here: whether a claim is about an endpoint (claims.rs).

use crate::policy::findings::words::{did_you_mean, joined};
use crate::policy::language::selector::{Autogroup, Destination, Kind, Selector};
use crate::policy::resolve::{NOWHERE, Names};
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::policy::verdict::Error;

/// What a name of a claim means.
pub enum Meant<'a> {
    /// A selector as in a policy.
    Selector(Selector<'a>),
    /// A device of the context.
    Device(DeviceIndex),
}

/// What a name of a claim lacks, in words.
pub enum Lack {
    /// It means nothing.
    Meaning(String),
    /// Nobody says who belongs to it.
    Members(String),
}

impl Meant<'_> {
    /// Whether an endpoint is meant.
    pub fn takes_in(&self, network: &Network<'_>, side: Side, end: &Endpoint<'_>) -> Answer {
        match self {
            Meant::Selector(selector) => network.takes_in(selector, side, end),
            Meant::Device(device) => (end.device == Some(*device)).into(),
        }
    }

    /// That it is defined and means nobody, in words.
    pub fn lacks_all(&self, network: &Network<'_>) -> Option<String> {
        let Meant::Selector(selector) = self else {
            return None;
        };
        let name = selector.name();
        let lacks = match selector.kind {
            Kind::Group if network.groups.of(name).is_empty() => "members",
            Kind::IpSet if network.set_of(selector)?.is_empty() => "addresses",
            _ => return None,
        };
        Some(joined(&[
            "nobody is meant by `",
            name,
            "`, which has no ",
            lacks,
        ]))
    }

    /// Whether it is `autogroup:self`.
    pub fn is_own(&self) -> bool {
        matches!(self, Meant::Selector(selector) if is_own(selector))
    }
}

/// Whether it is `autogroup:self`.
pub fn is_own(selector: &Selector<'_>) -> bool {
    selector.kind == Kind::Autogroup(Autogroup::Own)
}

/// What a name means on one side of a claim: as in a policy, or the name of a device as in a question.
///
/// # Errors
/// Several devices have the name.
#[inline(never)]
pub fn meant<'a>(
    network: &Network<'a>,
    names: &Names<'a>,
    name: &'a str,
    side: Side,
) -> Result<Result<Meant<'a>, Lack>, Error> {
    let selector = Selector::new(name, NOWHERE);
    let name = selector.name();
    if selector.kind == Kind::Host && !network.policy.hosts.contains(name) {
        let device = names.devices().find(name).map_err(Error::Argument)?;
        if let Some(device) = device {
            return Ok(Ok(Meant::Device(device)));
        }
    }
    Ok(match lack(network, names, &selector, side) {
        None => Ok(Meant::Selector(selector)),
        Some(lack) => Err(lack),
    })
}

/// What a name lacks, if it lacks something.
fn lack(
    network: &Network<'_>,
    names: &Names<'_>,
    selector: &Selector<'_>,
    side: Side,
) -> Option<Lack> {
    let name = selector.name();
    if selector.kind == Kind::Group && network.groups.is_unknown(name) {
        let why = joined(&["nobody says who the members of `", name, "` are"]);
        return Some(Lack::Members(why));
    }
    if is_defined(network, selector) {
        let is_target = matches!(
            selector.kind,
            Kind::Service | Kind::Autogroup(Autogroup::Own | Autogroup::Internet)
        );
        return (is_target && side == Side::Source)
            .then(|| Lack::Meaning(joined(&["`", name, "` is no source"])));
    }
    let with_ports = Destination::new(name, NOWHERE);
    if with_ports.ports.is_ok() && is_defined(network, &with_ports.host) {
        let host = with_ports.host.name();
        let why = joined(&["`", name, "` has a port: write `", host, "` and `ports`"]);
        return Some(Lack::Meaning(why));
    }
    let is_user = selector.kind == Kind::User;
    let how = match is_user {
        true => "` is no user of the tailnet",
        false => "` is not defined",
    };
    let mut why = joined(&["`", name, how]);
    let hint = match selector.kind {
        Kind::IpSet => did_you_mean(name, &mut network.policy.ipsets.names()),
        Kind::Domain => None,
        _ => match names.plain(name) {
            Ok(found) => found.hint().map(str::to_owned),
            // What is wrong with an address says more.
            Err(error) => return Some(Lack::Meaning(error.to_string())),
        },
    };
    if let Some(hint) = hint {
        why.push_str(&joined(&["; ", &hint]));
    }
    Some(Lack::Meaning(why))
}

/// Whether text and context say what a selector means, or need not.
fn is_defined(network: &Network<'_>, selector: &Selector<'_>) -> bool {
    let (policy, name) = (network.policy, selector.name());
    match selector.kind {
        Kind::User => network.knows_user(name) != Some(false),
        Kind::Group => network.groups.has_group(name),
        Kind::Tag => policy.tag_owners.contains(name),
        Kind::IpSet => policy.ipsets.contains(name),
        Kind::Host => policy.hosts.contains(name),
        Kind::Domain => selector.domain().is_some(),
        Kind::Service => !name.trim_start_matches("svc:").contains(':'),
        Kind::Autogroup(Autogroup::Unknown | Autogroup::NonRoot) => false,
        _ => true,
    }
}
