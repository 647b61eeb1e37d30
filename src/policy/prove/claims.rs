//! Whether an endpoint is one of those that a claim names.
//! Must not live here: what the names mean (meant.rs), what is allowed.

use super::guard::{Claim, Verb};
use super::meant::{Lack, Meant, meant};
use crate::policy::findings::words::joined;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::resolve::{NOWHERE, Names};
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::policy::verdict::Error;

/// A claim beside a policy.
pub struct ClaimSides<'a> {
    from: Vec<Meant<'a>>,
    to: Vec<Meant<'a>>,
    verb: Verb,
    /// Why the claim is false whatever the rules say: which names in it mean nothing.
    pub void: Option<String>,
    /// Why the claim is undecided at best: nobody says who belongs to a name in it.
    pub lost: Option<String>,
    /// Which names in it mean nobody: what is claimed of them holds, and protects nothing.
    pub empty: Option<String>,
    /// Whether its destinations include the own devices of its sources (`autogroup:self`).
    pub has_own: bool,
}

/// The selectors that a claim names on either side; a name of a device is among them too, and takes in nobody.
pub fn selectors(claim: &Claim) -> impl Iterator<Item = Selector<'_>> {
    let names = claim.from.iter().chain(&claim.to);
    names.map(|name| Selector::new(name, NOWHERE))
}

impl<'a> ClaimSides<'a> {
    /// Reads the names of a claim.
    ///
    /// # Errors
    /// A name that several devices have.
    #[inline(never)]
    pub fn new(
        network: &Network<'a>,
        names: &Names<'a>,
        verb: Verb,
        claim: &'a Claim,
    ) -> Result<ClaimSides<'a>, Error> {
        let mut sides = ClaimSides {
            from: Vec::with_capacity(claim.from.len()),
            to: Vec::with_capacity(claim.to.len()),
            verb,
            void: None,
            lost: None,
            empty: None,
            has_own: false,
        };
        let written = [(Side::Source, &claim.from), (Side::Destination, &claim.to)];
        for (side, name) in written
            .into_iter()
            .flat_map(|(side, names)| names.iter().map(move |name| (side, name)))
        {
            let meant = meant(network, names, name, side)?;
            if let Some(why) = meant.as_ref().ok().and_then(|it| it.lacks_all(network)) {
                add(&mut sides.empty, why);
            }
            match (meant, side) {
                (Ok(meant), Side::Source) => sides.from.push(meant),
                (Ok(meant), Side::Destination) => sides.to.push(meant),
                (Err(Lack::Meaning(why)), _) => add(&mut sides.void, why),
                (Err(Lack::Members(why)), _) => add(&mut sides.lost, why),
            }
        }
        sides.has_own = sides.to.iter().any(Meant::is_own);
        Ok(sides)
    }

    /// Whether the claim is about an endpoint as a source. For `only` these are all other endpoints; and none, where a name is undefined, as
    /// it may mean anybody.
    pub fn sends(&self, network: &Network<'_>, end: &Endpoint<'_>) -> Answer {
        let named = best(network, &self.from, Side::Source, end);
        let claimed = match (self.verb, &self.lost) {
            (Verb::Only, Some(_)) => Answer::No,
            (Verb::Only, None) => named.negated(),
            _ => named,
        };
        self.unless_others(end, claimed)
    }

    /// Whether the claim is about an endpoint as a destination, for any source.
    pub fn receives(&self, network: &Network<'_>, end: &Endpoint<'_>) -> Answer {
        self.unless_others(end, best(network, &self.to, Side::Destination, end))
    }

    /// Whether the claim is certainly about a pair of endpoints.
    pub fn speak_of(&self, network: &Network<'_>, from: &Endpoint<'_>, to: &Endpoint<'_>) -> bool {
        let own = || from.identity.shares_user(to.identity) == Answer::Yes;
        self.sends(network, from) == Answer::Yes
            && (self.receives(network, to) == Answer::Yes || self.has_own && own())
    }

    /// Adds to `run` the answers that distinguish an endpoint for the claim.
    pub fn mark(&self, network: &Network<'_>, side: Side, end: &Endpoint<'_>, run: &mut Vec<u64>) {
        let named = match side {
            Side::Source => &self.from,
            Side::Destination => &self.to,
        };
        run.extend(
            named
                .iter()
                .map(|meant| meant.takes_in(network, side, end) as u64),
        );
    }
}

impl ClaimSides<'_> {
    /// An answer about an endpoint, unless it is open and other endpoints decide it: users who may hold a role are endpoints too; and for
    /// `always`, so is anybody whom an unknown end may be.
    fn unless_others(&self, end: &Endpoint<'_>, answer: Answer) -> Answer {
        match (answer, end.identity) {
            (Answer::Unknown, Identity::Some(..)) => Answer::No,
            (Answer::Unknown, Identity::Unknown) if self.verb == Verb::Always => Answer::No,
            _ => answer,
        }
    }
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

/// Whether one of these covers an endpoint; `autogroup:self` depends on the source and is left out.
fn best(network: &Network<'_>, named: &[Meant<'_>], side: Side, end: &Endpoint<'_>) -> Answer {
    let others = named.iter().filter(|meant| !meant.is_own());
    let answers = others.map(|meant| {
        let answer = meant.takes_in(network, side, end);
        match (end.identity, meant) {
            // Some of those who hold a role may be among others of the tailnet's users.
            (Identity::Some(kind, _), Meant::Selector(selector))
                if answer == Answer::No && may_be_both(kind, selector.kind) =>
            {
                network
                    .takes_in(selector, Side::Destination, end)
                    .min(Answer::Unknown)
            }
            _ => answer,
        }
    });
    answers.max().unwrap_or_default()
}

/// Adds one more reason.
fn add(why: &mut Option<String>, more: String) {
    match why {
        None => *why = Some(more),
        Some(why) => why.push_str(&joined(&["; ", &more])),
    }
}
