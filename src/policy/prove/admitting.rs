//! What ssh rules admit to one target as one account, for the judge of logins.
//! Must not live here: which logins a claim is about.

use crate::policy::language::document::SshRule;
use crate::policy::language::login::{Account, SshAction, parts_of_login};
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::tailnet::about::Named;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::receivers::without_own;
use crate::tables::sort;

/// Logins as one account. Those who log in under their own name reach their own devices too (docs/policy-language.md#ssh-rules).
struct AsAccount<'a> {
    account: &'a str,
    /// A posture that the source is assumed to have.
    posture: Option<&'a str>,
}

impl<'p> Judge<'p> {
    /// What the rules with an action say about a target and an account, by the index of source selectors.
    #[inline(never)]
    fn admitting(
        &self,
        rules: &SshRules<'p>,
        action: SshAction,
        target: &Endpoint<'_>,
        login: &AsAccount<'_>,
    ) -> Vec<Admits<'p>> {
        let mut admitting = vec![Admits::default(); rules.sources.selectors.len()];
        let mut by_rule = Vec::with_capacity(rules.list.len());
        for rule in rules.list {
            by_rule.push(
                match rule.action.and_then(|word| SshAction::parse(word.text)) == Some(action) {
                    true => self.rule_admits(rule, target, login),
                    false => Admits::default(),
                },
            );
        }
        for (selector, best) in admitting.iter_mut().enumerate() {
            for &at in rules.sources.uses(selector) {
                if let Some(rule) = by_rule.get(at) {
                    best.join(rule);
                }
            }
        }
        admitting
    }

    fn rule_admits(
        &self,
        rule: &'p SshRule<'p>,
        target: &Endpoint<'_>,
        login: &AsAccount<'_>,
    ) -> Admits<'p> {
        let mut admits = Admits::default();
        let policy = self.policy();
        let wanted = policy.postures_of(rule.postures.as_deref());
        let has_one = wanted.iter().any(|word| Some(word.name()) == login.posture);
        if !has_one && !wanted.is_empty() {
            return admits;
        }
        let (mut by_account, mut by_name) = (false, Vec::new());
        for user in &rule.users {
            match Account::parse(user.text) {
                Some(Account::NonRoot) => by_account |= login.account != "root",
                Some(Account::Named(name)) => by_account |= name == login.account,
                Some(Account::OwnName(domain)) => by_name.push(domain),
                None => {}
            }
        }
        if !by_name.is_empty() {
            let reached = self.leads_somewhere(rule);
            admits.own = reached.min(by_account.into());
            for &domain in by_name.iter().filter(|_| reached != Answer::No) {
                admits.by_name.push((domain, true, reached));
            }
        }
        for to in &rule.destinations {
            let answer = self.network.takes_in(to, Side::Destination, target);
            let own = to.kind == Kind::Autogroup(Autogroup::Own);
            let place = match own {
                true => &mut admits.own,
                false => &mut admits.general,
            };
            if by_account {
                *place = answer.max(*place);
            }
            for &domain in &by_name {
                if answer != Answer::No {
                    admits.by_name.push((domain, own, answer));
                }
            }
        }
        admits
    }
}

impl<'p> Judge<'p> {
    /// Whether a device receives a rule for what it is, and not for its user.
    fn leads_somewhere(&self, rule: &SshRule<'p>) -> Answer {
        let (others, _) = without_own(&rule.destinations);
        match self.network.context.devices {
            _ if others.is_empty() => Answer::No,
            None => Answer::Unknown,
            Some(_) => (!self.network.all_devices_of(&others).is_empty()).into(),
        }
    }
}

/// What ssh rules say about logins to one target as one account, for sources with or without a posture.
pub(super) struct Door<'p>(Vec<Admits<'p>>);

impl<'p> Judge<'p> {
    /// Evaluates the rules for a target.
    #[inline(never)]
    pub(super) fn door(
        &self,
        rules: &SshRules<'p>,
        target: &Endpoint<'_>,
        account: &str,
        posture: Option<&str>,
    ) -> Door<'p> {
        let login = AsAccount { account, posture };
        let mut admitting = self.admitting(rules, SshAction::Check, target, &login);
        let accepts = self.admitting(rules, SshAction::Accept, target, &login);
        for (best, accepts) in admitting.iter_mut().zip(&accepts) {
            best.join(accepts);
        }
        Door(admitting)
    }
}

impl Door<'_> {
    /// Whether a source may log in. The account may be another one that no rule names, if this account is not named either.
    pub(super) fn admits(
        &self,
        source: (&Endpoint<'_>, &[(usize, Answer)]),
        target: (&Endpoint<'_>, &str),
    ) -> Answer {
        admitted(&self.0, source, target)
    }
}

/// Whether a source may log in to a target.
fn admitted(
    admitting: &[Admits<'_>],
    (from, takers): (&Endpoint<'_>, &[(usize, Answer)]),
    (target, account): (&Endpoint<'_>, &str),
) -> Answer {
    let own = from.identity.shares_user(target.identity);
    let mut best = Answer::No;
    for &(selector, answer) in takers {
        let Some(admits) = admitting.get(selector) else {
            continue;
        };
        let mut here = admits.general.max(own.min(admits.own));
        for (domain, is_own, reached) in &admits.by_name {
            let named = own_name(from.identity, account, domain);
            let shared = if *is_own { own } else { Answer::Yes };
            here = here.max(named.min(shared).min(*reached));
        }
        best = best.max(answer.min(here));
    }
    best
}

/// The ssh rules of a document by their sources.
pub(super) struct SshRules<'p> {
    list: &'p [SshRule<'p>],
    sources: Named<'p>,
}

impl<'p> SshRules<'p> {
    /// Those of a policy.
    pub fn new(network: &Network<'p>) -> SshRules<'p> {
        SshRules::of(network, &network.policy.ssh)
    }

    /// Some of them.
    pub(super) fn of(network: &Network<'p>, list: &'p [SshRule<'p>]) -> SshRules<'p> {
        let mut named = Vec::new();
        for (at, rule) in list.iter().enumerate() {
            named.extend(rule.sources.iter().map(|source| (source, at)));
        }
        SshRules {
            list,
            sources: Named::new(network, Side::Source, &mut named.into_iter()),
        }
    }
}

impl<'p> SshRules<'p> {
    /// The source selectors that include an end, by index.
    pub(super) fn takers(&self, network: &Network<'p>, end: &Endpoint<'_>) -> Vec<(usize, Answer)> {
        self.sources.takers(network, end)
    }

    /// The indices of the rules that name a selector which includes an end, ascending.
    pub(super) fn about(&self, network: &Network<'p>, end: &Endpoint<'_>) -> Vec<usize> {
        let mut rules = Vec::new();
        for (selector, _) in self.takers(network, end) {
            rules.extend_from_slice(self.sources.uses(selector));
        }
        sort::sort(&mut rules);
        rules.dedup();
        rules
    }
}

/// What the rules that name a source selector say about a target and an account.
#[derive(Clone, Default)]
struct Admits<'p> {
    /// For every source.
    general: Answer,
    /// For sources that share a user with the target.
    own: Answer,
    /// For members of a domain under the local part of their login; whether only to their own devices.
    by_name: Vec<(&'p str, bool, Answer)>,
}

impl<'p> Admits<'p> {
    fn join(&mut self, other: &Admits<'p>) {
        self.general = other.general.max(self.general);
        self.own = other.own.max(self.own);
        for named in &other.by_name {
            if !self.by_name.contains(named) {
                self.by_name.push(*named);
            }
        }
    }
}

/// Whether a user logs in under their own name.
fn own_name(identity: Identity<'_>, account: &str, domain: &str) -> Answer {
    match identity.role_aside() {
        Identity::User(user) => (parts_of_login(user) == Some((account, domain))).into(),
        Identity::Unknown => Answer::Unknown,
        _ => Answer::No,
    }
}
