//! Claims judged in the world of some policies: everything that the judge needs is made ready here, once for all claims.
//! Must not live here: who there is (world.rs), how a claim is judged (judge.rs).

use super::called::Called;
use super::field::{Field, Sided};
use super::guard::Verb;
use super::judge::{JudgedClaim, Question};
use super::paths::Paths;
use super::proof::ProofFinding;
use super::settled::Settling;
use super::world::{Places, fresh_logins, named};
use super::{ready, supposed, traffic};
use crate::policy::language::login::parts_of_login;
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::relation::reach::{Reach, Shared};
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::party::Side;
use crate::policy::verdict::Error;

/// Some policies, and all who can be meant.
pub struct World<'w> {
    judges: Vec<&'w Judge<'w>>,
    /// The same where devices are not known, supposed that there are no others, and that everybody has one.
    supposed: Vec<Vec<Judge<'w>>>,
    named: Vec<Selector<'w>>,
    /// Logins that nobody names.
    fresh: &'w [String],
    /// The accounts that somebody names, and those that are called as somebody is.
    accounts: Vec<String>,
    from: Places<'w>,
    to: Places<'w>,
}

/// The world of some policies and of the names and accounts of claims.
#[inline(never)]
pub fn with<R>(
    judges: &[&Judge<'_>],
    claimed: &[Selector<'_>],
    accounts: &[&str],
    then: impl FnOnce(&World<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    let fresh = fresh_logins(judges, claimed, accounts);
    let named = named(judges, claimed, &fresh);
    let context = judges.first().map(|judge| judge.network.context);
    let contexts = context.map(|context| supposed::contexts(context, &named));
    let contexts = contexts.unwrap_or_default();
    let each = contexts.iter().map(|context| {
        let each = judges
            .iter()
            .map(|judge| Judge::new(judge.policy(), context));
        each.collect()
    });
    let policies: Vec<_> = judges.iter().map(|judge| judge.policy()).collect();
    let mut all = traffic::accounts_of(&policies);
    all.extend(accounts.iter().map(|name| (*name).to_owned()));
    let logins = named.iter().filter(|it| it.kind == Kind::User);
    let own = logins.filter_map(|login| parts_of_login(login.name()));
    all.extend(own.map(|(name, _)| name.to_owned()));
    then(&World {
        supposed: each.collect(),
        fresh: &fresh,
        accounts: all,
        from: Places::new(judges, &named, Side::Source),
        to: Places::new(judges, &named, Side::Destination),
        judges: judges.to_vec(),
        named: named.clone(),
    })
}

impl<'w> World<'w> {
    /// Judges claims about flows, or about logins.
    #[inline(never)]
    pub fn judge(
        &'w self,
        is_ssh: bool,
        questions: &[Question<'_>],
    ) -> Result<Vec<ProofFinding>, Error> {
        let Some(first) = self.judges.first().filter(|_| !questions.is_empty()) else {
            return Ok(Vec::new());
        };
        let ssh = ready::ssh_rules(&self.judges, is_ssh);
        let readings = ready::readings(&self.judges, &ssh);
        let stated = ready::all(&readings, &self.accounts);
        let each = self.supposed.iter();
        let judges: Vec<Vec<&Judge<'_>>> = each.map(|own| own.iter().collect()).collect();
        let each = judges.iter().map(|own| ready::ssh_rules(own, is_ssh));
        let ssh: Vec<_> = each.collect();
        let each = judges
            .iter()
            .zip(&ssh)
            .map(|(own, ssh)| ready::readings(own, ssh));
        let supposed: Vec<_> = each.collect();
        let each = supposed.iter().map(|own| ready::all(own, &self.accounts));
        let supposed: Vec<_> = each.collect();
        let called = Called::new(first, self.fresh);
        let from = Sided::new(&readings, Side::Source, &self.from, &called);
        let to = Sided::new(&readings, Side::Destination, &self.to, &called);
        let mut shared = Shared::default();
        for account in &self.accounts {
            shared.accounts.number(account);
        }
        let mut reaches = Vec::with_capacity(readings.len());
        for (at, reading) in readings.iter().enumerate() {
            let classes = (&from.classes, &to.classes);
            reaches.push(Reach::new(reading, at, classes, &mut shared));
        }
        let settling = Settling::new((&stated, &supposed), &self.accounts, &self.to, &self.named);
        let policies: Vec<_> = self.judges.iter().map(|judge| judge.policy()).collect();
        let field = Field {
            from: &from,
            to: &to,
            stated: &stated,
            reaches: &reaches,
            settling: &settling,
            called: &called,
            own_domains: &traffic::own_domains(&policies),
            is_ssh,
        };
        let mut paths = Paths::new(&field);
        let mut findings = Vec::with_capacity(questions.len());
        for question in questions {
            let mut asked = JudgedClaim::new(&field, question);
            asked.judge(&mut shared)?;
            if asked.question.verb == Verb::Always && asked.meeting == Some(false) {
                let why = "no address of the source is of a family of the destination";
                asked.finding.void = Some(why.to_owned());
            }
            paths.judge(&mut asked, &mut shared)?;
            findings.push(asked.found());
        }
        Ok(findings)
    }
}
