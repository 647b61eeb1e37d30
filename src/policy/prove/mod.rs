//! `prove`: whether assertions hold for every user, tag and address that a document allows, with or without listed devices.
//! Must not live here: how a guard is read (guard.rs), how claims are judged (judge.rs).

mod called;
mod claims;
mod compare;
mod confirm;
mod counterexample;
mod field;
mod guard;
mod judge;
mod judged;
mod meant;
mod outcome;
mod paths;
mod proof;
mod ready;
mod settled;
mod supposed;
mod traffic;
mod world;

pub use guard::Guard;
pub use proof::{Counterexample, NamedFlow, Proof, ProofResult};

use crate::hujson;
use crate::policy::findings::words::joined;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::Selector;
use crate::policy::resolve::Names;
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::flow::Judge;
use crate::policy::verdict::Error;

use claims::{ClaimSides, selectors};
use guard::{Assertion, Base, Says};
use judge::Question;
use proof::ProofFinding;
use traffic::{ClaimedAccounts, Traffic, accounts_of};

impl<'p> Policy<'p> {
    /// Whether the assertions of a guard hold (docs/policy-language.md#assertions). `bases` are the policies that it names, as texts by name.
    ///
    /// # Errors
    /// [`Error::Argument`] for the name of a device that several have.
    #[inline(never)]
    pub fn prove(
        &'p self,
        guard: &Guard,
        bases: &[(String, String)],
        context: &'p PolicyContext,
    ) -> Result<Proof, Error> {
        let mut documents = Vec::new();
        for base in guard.bases() {
            documents.push(base.text(bases).and_then(|text| {
                hujson::parse(text).map_err(|error| in_base(base, &error.into()))
            }));
        }
        let mut others = Vec::new();
        for (base, document) in guard.bases().zip(&documents) {
            others.push(match document {
                Ok(document) => Ok((base, Policy::read_as(document, self.dialect))),
                Err(why) => Err(why.clone()),
            });
        }
        let judge = Judge::new(self, context);
        let mut claimed = of_claims(&judge, guard)?.into_iter();
        let mut others = others.iter();
        let mut results = Vec::with_capacity(guard.assertions.len());
        for assertion in &guard.assertions {
            let finding = match &assertion.says {
                Says::Access(verb, _) => match others.next() {
                    Some(Ok((base, other))) => match other.accept(context) {
                        Ok(()) => compare::judge(&judge, &Judge::new(other, context), *verb)?,
                        Err(error) => ProofFinding::void(in_base(base, &error)),
                    },
                    Some(Err(why)) => ProofFinding::void(why.clone()),
                    None => ProofFinding::default(),
                },
                _ => claimed.next().unwrap_or_default(),
            };
            results.push(finding.result(assertion.given.clone(), assertion.line));
        }
        let mut holds = Some(true);
        for result in &results {
            holds = match (holds, result.holds) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (None, _) | (_, None) => None,
                _ => Some(true),
            };
        }
        Ok(Proof { holds, results })
    }
}

/// Why another policy has no answers.
fn in_base(base: &Base, error: &Error) -> String {
    joined(&[&base.words(), ": ", &error.to_string()])
}

/// Judges the claims about names, in the order of the guard: flows together, and logins.
fn of_claims(judge: &Judge<'_>, guard: &Guard) -> Result<Vec<ProofFinding>, Error> {
    let claims = guard.assertions.iter().filter_map(Assertion::claim);
    let claimed: Vec<Selector<'_>> = claims.flat_map(selectors).collect();
    let names = Names::of(judge.policy(), judge.network.context);
    let known = accounts_of(&[judge.policy()]);
    let (mut questions, mut accounts) = ([Vec::new(), Vec::new()], Vec::new());
    let mut findings = Vec::new();
    for assertion in &guard.assertions {
        let (verb, claim) = match &assertion.says {
            Says::Flows(verb, claim, ..) | Says::Logins(verb, claim, _) => (*verb, claim),
            Says::Access(..) => continue,
        };
        let sides = ClaimSides::new(&judge.network, &names, verb, claim)
            .map_err(|error| Error::Argument(joined(&[&assertion.place, &error.to_string()])))?;
        let void = assertion.void.as_ref().or(sides.void.as_ref());
        if let Some(why) = void {
            findings.push(Ok(ProofFinding::void(why.clone())));
            continue;
        }
        let (traffic, over_devices) = match &assertion.says {
            Says::Logins(_, _, users) => {
                accounts.extend(users.iter().map(String::as_str));
                (Traffic::Logins(ClaimedAccounts::new(users, &known)), false)
            }
            Says::Flows(_, _, wanted, over_devices) => {
                (Traffic::Flows(wanted.clone()), *over_devices)
            }
            Says::Access(..) => continue,
        };
        let [flows, logins] = &mut questions;
        let is_ssh = matches!(traffic, Traffic::Logins(_));
        let own = if is_ssh { logins } else { flows };
        own.push(Question {
            verb,
            sides: Some(sides),
            traffic,
            over_devices,
            groups_differ: false,
        });
        findings.push(Err(is_ssh));
    }
    if claimed.is_empty() {
        return Ok(Vec::new());
    }
    let [flows, logins] = &questions;
    let (flows, logins) = judged::with(&[judge], &claimed, &accounts, |world| {
        Ok((world.judge(false, flows)?, world.judge(true, logins)?))
    })?;
    let (mut flows, mut logins) = (flows.into_iter(), logins.into_iter());
    let each = findings.into_iter().map(|known| match known {
        Ok(known) => known,
        Err(true) => logins.next().unwrap_or_default(),
        Err(false) => flows.next().unwrap_or_default(),
    });
    Ok(each.collect())
}
