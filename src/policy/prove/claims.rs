//! Whether an end is one of those that a claim names; and undefined names in a claim.
//! Must not live here: what is allowed.

use super::guard::{Claim, Verb};
use crate::policy::findings::words::joined;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::resolve::{NOWHERE, Names, Resolved};
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;

/// A claim beside a policy.
pub struct Ends<'a> {
    from: Vec<Selector<'a>>,
    to: Vec<Selector<'a>>,
    verb: Verb,
    /// Why the claim is open whatever the rules say: a name in it is undefined.
    pub lost: Option<String>,
    /// Whether its destinations include the own devices of its sources (`autogroup:self`).
    pub has_own: bool,
}

/// The selectors that a claim names on either side.
pub fn selectors(claim: &Claim) -> impl Iterator<Item = Selector<'_>> {
    let names = claim.from.iter().chain(&claim.to);
    names.map(|name| Selector::new(name, NOWHERE))
}

impl<'a> Ends<'a> {
    /// Reads the names of a claim.
    #[inline(never)]
    pub fn new(network: &Network<'a>, verb: Verb, claim: &'a Claim) -> Ends<'a> {
        let mut lost = None;
        let mut read = |names: &'a [String], side| {
            let mut selectors = Vec::with_capacity(names.len());
            for name in names {
                let selector = Selector::new(name, NOWHERE);
                match leads_nowhere(network, &selector, side) {
                    Some(why) => lost = lost.take().or(Some(why)),
                    None => selectors.push(selector),
                }
            }
            selectors
        };
        let (from, to) = (
            read(&claim.from, Side::Source),
            read(&claim.to, Side::Destination),
        );
        let has_own = to.iter().any(is_own);
        Ends {
            from,
            to,
            verb,
            lost,
            has_own,
        }
    }

    /// Whether the claim is about an end as a source. For `only` these are all other ends; and none, where a name is undefined, as
    /// it may stand for anybody.
    pub fn sends(&self, network: &Network<'_>, end: &Endpoint<'_>) -> Answer {
        let named = best(network, &self.from, Side::Source, end);
        let claimed = match (self.verb, &self.lost) {
            (Verb::Only, Some(_)) => Answer::No,
            (Verb::Only, None) => named.negated(),
            _ => named,
        };
        self.unless_others(end, claimed)
    }

    /// Whether the claim is about an end as a destination, for any source.
    pub fn receives(&self, network: &Network<'_>, end: &Endpoint<'_>) -> Answer {
        self.unless_others(end, best(network, &self.to, Side::Destination, end))
    }

    /// Whether the claim is certainly about a pair of ends.
    pub fn speak_of(&self, network: &Network<'_>, from: &Endpoint<'_>, to: &Endpoint<'_>) -> bool {
        let own = || from.identity.shares_user(to.identity) == Answer::Yes;
        self.sends(network, from) == Answer::Yes
            && (self.receives(network, to) == Answer::Yes || self.has_own && own())
    }

    /// Adds to `run` the answers that distinguish an end for the claim.
    pub fn mark(&self, network: &Network<'_>, side: Side, end: &Endpoint<'_>, run: &mut Vec<u64>) {
        let selectors = match side {
            Side::Source => &self.from,
            Side::Destination => &self.to,
        };
        let each = selectors.iter();
        run.extend(each.map(|selector| network.takes_in(selector, side, end) as u64));
    }

    /// Whether an end may stand for another: the claim is about identities, not about addresses.
    pub fn is_by_name(&self, side: Side) -> bool {
        let selectors = match side {
            Side::Source => &self.from,
            Side::Destination => &self.to,
        };
        let by_address = |kind| matches!(kind, Kind::Host | Kind::IpSet) || Kind::is_numeric(kind);
        !selectors.iter().any(|selector| by_address(selector.kind))
    }
}

impl Ends<'_> {
    /// An answer about an end, unless it is open and other ends decide it: users who may hold a role are ends too; and for
    /// `always`, so is anybody whom an unknown end may be.
    fn unless_others(&self, end: &Endpoint<'_>, answer: Answer) -> Answer {
        match (answer, end.identity) {
            (Answer::Unknown, Identity::Some(..)) => Answer::No,
            (Answer::Unknown, Identity::Unknown) if self.verb == Verb::Always => Answer::No,
            _ => answer,
        }
    }
}

/// Whether one of these selectors covers an end, by its address or by its identity. Other open questions about the end do not
/// count, as each address and each owner it may have is an end too; only the role that a user may hold does.
pub fn is_meant(
    network: &Network<'_>,
    selectors: &[Selector<'_>],
    side: Side,
    end: &Endpoint<'_>,
) -> bool {
    selectors
        .iter()
        .any(|selector| match network.takes_in(selector, side, end) {
            Answer::Yes => true,
            Answer::Unknown => {
                matches!(selector.kind, Kind::Autogroup(Autogroup::Role(_)))
                    && end.identity.user().is_some()
            }
            Answer::No => false,
        })
}

/// Whether one user may be of both kinds; nobody holds two roles.
fn may_be_both(one: Kind, other: Kind) -> bool {
    match (one, other) {
        (Kind::Autogroup(Autogroup::Role(one)), Kind::Autogroup(Autogroup::Role(other))) => {
            one == other
        }
        _ => other != Kind::Any,
    }
}

/// Whether it is `autogroup:self`.
pub fn is_own(selector: &Selector<'_>) -> bool {
    selector.kind == Kind::Autogroup(Autogroup::Own)
}

/// Whether one of these selectors covers an end; `autogroup:self` depends on the source and is left out.
fn best(
    network: &Network<'_>,
    selectors: &[Selector<'_>],
    side: Side,
    end: &Endpoint<'_>,
) -> Answer {
    let others = selectors.iter().filter(|selector| !is_own(selector));
    let answers = others.map(|selector| {
        let answer = network.takes_in(selector, side, end);
        match end.identity {
            // Some of those who hold a role may be among others of the tailnet's users.
            Identity::Some(kind, _) if answer == Answer::No && may_be_both(kind, selector.kind) => {
                network
                    .takes_in(selector, Side::Destination, end)
                    .min(Answer::Unknown)
            }
            _ => answer,
        }
    });
    answers.max().unwrap_or_default()
}

/// Why a name of a claim is undefined, if it is.
fn leads_nowhere(network: &Network<'_>, selector: &Selector<'_>, side: Side) -> Option<String> {
    let (policy, name) = (network.policy, selector.name());
    let is_source = side == Side::Source;
    let known = match selector.kind {
        Kind::User => network.knows_user(name) != Some(false),
        Kind::Group => network.groups.has_group(name),
        Kind::Tag => policy.tag_owners.contains(name),
        Kind::IpSet => policy.ipsets.contains(name),
        Kind::Host => policy.hosts.contains(name),
        Kind::Domain => selector.domain().is_some(),
        Kind::Service => !is_source,
        Kind::Autogroup(Autogroup::Own | Autogroup::Internet) => !is_source,
        Kind::Autogroup(Autogroup::Unknown | Autogroup::NonRoot) => false,
        _ => true,
    };
    if known {
        return None;
    }
    let mut why = joined(&["`", name, "` leads nowhere"]);
    let found = Names::of(policy, network.context).plain(name);
    if let Some(hint) = found.as_ref().ok().and_then(Resolved::hint) {
        why.push_str(&joined(&["; ", hint]));
    }
    Some(why)
}
