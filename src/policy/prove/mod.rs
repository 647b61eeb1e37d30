//! `prove`: whether assertions hold for every user, tag and address that a document allows, with or without listed devices.
//! Must not live here: how a guard is read (guard.rs), how claims are judged (flows.rs, logins.rs, access.rs).

mod access;
mod access_logins;
mod accounts;
mod admitting;
mod called;
mod claims;
mod confirm;
mod counterexample;
mod doors;
mod flows;
mod guard;
mod logins;
mod meant;
mod passage;
mod paths;
mod proof;
mod reached;
mod settled;
mod supposed;
mod world;

pub use guard::Guard;
pub use proof::{Counterexample, NamedFlow, Proof, ProofResult};

use crate::hujson;
use crate::policy::findings::words::joined;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::Selector;
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::party::Side;
use crate::policy::verdict::Error;

use called::Called;
use claims::{Ends, selectors};
use doors::Doors;
use flows::Asked;
use guard::{Assertion, Base, Says};
use paths::Paths;
use proof::Finding;
use settled::{Field, Settling};
use world::{Places, fresh_logins, named};

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
                Ok(document) => Ok((base, Policy::read(document))),
                Err(why) => Err(why.clone()),
            });
        }
        let judge = Judge::new(self, context);
        let mut claimed = of_claims(&judge, guard)?.into_iter();
        let mut others = others.iter();
        let mut results = Vec::with_capacity(guard.assertions.len());
        for assertion in &guard.assertions {
            let finding = match &assertion.says {
                Says::Access { same, .. } => match others.next() {
                    Some(Ok((base, other))) => match other.accept(context) {
                        Ok(()) => access::judge(&judge, &Judge::new(other, context), *same)?,
                        Err(error) => Finding::void(in_base(base, &error)),
                    },
                    Some(Err(why)) => Finding::void(why.clone()),
                    None => Finding::default(),
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

/// Judges the claims about names, in the order of the guard.
fn of_claims(judge: &Judge<'_>, guard: &Guard) -> Result<Vec<Finding>, Error> {
    let claims = guard.assertions.iter().filter_map(Assertion::claim);
    let claimed: Vec<Selector<'_>> = claims.flat_map(selectors).collect();
    if claimed.is_empty() {
        return Ok(Vec::new());
    }
    let mut accounts = Vec::new();
    for assertion in &guard.assertions {
        if let Says::Logins(_, _, users) = &assertion.says {
            accounts.extend(users.iter().map(String::as_str));
        }
    }
    let fresh = fresh_logins(&[judge], &claimed, &accounts);
    let named = named(&[judge], &claimed, &fresh);
    let contexts = supposed::contexts(judge.network.context, &named);
    let mut suppositions = Vec::with_capacity(contexts.len());
    for context in &contexts {
        suppositions.push(vec![Judge::new(judge.policy(), context)]);
    }
    let from = Places::new(&[judge], &named, Side::Source);
    let to = Places::new(&[judge], &named, Side::Destination);
    let judges = [judge];
    let settling = Settling::new(&judges, &suppositions, &to, &named);
    let called = Called::new(judge, &fresh);
    let strange = [&from, &to].map(|places| called.strangeness_of(places));
    let field = Field {
        judge,
        from: &from,
        to: &to,
        settling: &settling,
        called: &called,
        strange,
    };
    judge_each(&field, guard)
}

/// Judges each claim about names: logins one by one, flows together.
fn judge_each<'a>(field: &Field<'_, 'a>, guard: &'a Guard) -> Result<Vec<Finding>, Error> {
    let judge = field.judge;
    let doors = Doors::new(judge);
    let (mut asked, mut findings) = (Vec::new(), Vec::new());
    for assertion in &guard.assertions {
        let (verb, claim) = match &assertion.says {
            Says::Flows(verb, claim, ..) | Says::Logins(verb, claim, _) => (*verb, claim),
            Says::Access { .. } => continue,
        };
        let ends = Ends::new(&judge.network, &field.called.names, verb, claim)
            .map_err(|error| Error::Argument(joined(&[&assertion.place, &error.to_string()])))?;
        let void = assertion.void.as_ref().or(ends.void.as_ref());
        findings.push(match (&assertion.says, void) {
            (_, Some(why)) => Some(Finding::void(why.clone())),
            (Says::Logins(_, _, users), _) => {
                Some(logins::judge(&doors, (verb, &ends, users), field))
            }
            (Says::Flows(_, _, wanted, over_devices), _) => {
                asked.push(Asked::new(
                    field,
                    (verb, *over_devices),
                    ends,
                    wanted.clone(),
                ));
                None
            }
            (Says::Access { .. }, _) => continue,
        });
    }
    let rules = judge.rule_refs();
    let mut paths = Paths::new(field);
    let mut of_flows = Vec::with_capacity(findings.len());
    for mut asked in flows::judge(field, asked)? {
        paths.judge(&mut asked)?;
        of_flows.push(asked.found(&rules));
    }
    let mut of_flows = of_flows.into_iter();
    let each = findings.into_iter();
    Ok(each
        .map(|known| known.or_else(|| of_flows.next()).unwrap_or_default())
        .collect())
}
