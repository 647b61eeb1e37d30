//! Whether a policy gives no more access than another, or just the same: flows first, then logins.
//! Must not live here: claims about names, how two endpoints are judged (judge.rs).
//!
//! What both leave open in the same way is no difference: each user or device that may be meant is among the endpoints itself.

use super::guard::Verb;
use super::judge::Question;
use super::judged;
use super::proof::ProofFinding;
use super::traffic::{ClaimedAccounts, Traffic, accounts_of};
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::policy::language::selector::Selector;
use crate::policy::tailnet::flow::Judge;
use crate::policy::verdict::Error;
use crate::tables::sort;

/// Judges the access of one policy by that of another.
#[inline(never)]
pub fn judge(own: &Judge<'_>, base: &Judge<'_>, verb: Verb) -> Result<ProofFinding, Error> {
    let policies = [own.policy(), base.policy()];
    if policies[0].document.text() == policies[1].document.text() {
        return Ok(ProofFinding::default());
    }
    let groups_differ = rules_of_groups(own) != rules_of_groups(base);
    let question = |traffic| Question {
        verb,
        sides: None,
        traffic,
        over_devices: false,
        groups_differ,
    };
    let all = (0..=u8::MAX).map(Protocol);
    let all: Vec<Protocol> = all.filter(|own| *own != Protocol::ICMPV6).collect();
    let all = Traffic::Flows(PortSet::just(&all, &Ports::One(PortRange::ALL)));
    let known = accounts_of(&policies);
    let users = ["autogroup:nonroot".to_owned(), "root".to_owned()];
    judged::with(&[own, base], &[], &[], |world| {
        let mut flows = world.judge(false, &[question(all)])?;
        let found = flows.pop().unwrap_or_default();
        let has_none = policies.iter().all(|policy| policy.ssh.is_empty());
        if found.counterexample.is_some() || has_none {
            return Ok(found);
        }
        let accounts = Traffic::Logins(ClaimedAccounts::new(&users, &known));
        let mut logins = world.judge(true, &[question(accounts)])?;
        let of_logins = logins.pop().unwrap_or_default();
        Ok(
            match of_logins.counterexample.is_some() || found.why.is_none() {
                true => of_logins,
                false => found,
            },
        )
    })
}

/// The texts of the rules that name a group of which nobody says who is in it, in their order.
fn rules_of_groups<'a>(judge: &Judge<'a>) -> Vec<&'a str> {
    let policy = judge.policy();
    let is_unknown = |selector: &Selector<'_>| judge.network.groups.is_unknown(selector.name());
    let mut spans = Vec::new();
    for rule in policy.rules() {
        if rule.sources.iter().any(is_unknown) || rule.destinations().any(is_unknown) {
            spans.push(rule.span);
        }
    }
    for rule in &policy.ssh {
        if rule
            .sources
            .iter()
            .chain(&rule.destinations)
            .any(is_unknown)
        {
            spans.push(rule.span);
        }
    }
    let text = policy.document.text();
    let texts = spans
        .into_iter()
        .filter_map(|span| text.get(span.start..span.end));
    let mut texts: Vec<&str> = texts.collect();
    sort::sort(&mut texts);
    texts
}
