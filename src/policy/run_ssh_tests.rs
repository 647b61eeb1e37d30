//! `sshTests`: which accounts may be logged in to, by the ssh rules only (docs/policy-language.md#ssh-tests).
//! Must not live here: the ssh rules of each device.

use crate::hujson::Value;

use super::findings::words::{joined, quoted};
use super::language::document::{SshRule, SshTest, Word};
use super::language::login::{Account, SshAction, parts_of_login};
use super::language::selector::{Autogroup, Kind, Selector};
use super::tailnet::about::Named;
use super::tailnet::endpoint::{Endpoint, by_identity};
use super::tailnet::flow::Judge;
use super::tailnet::identity::{Answer, Identity};
use super::tailnet::network::Network;
use super::tailnet::party::Side;
use super::tailnet::receivers::without_own;
use super::test_report::{NO_ADDRESS, Outcome};
use crate::tables::sort;

/// What a test demands for an account.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Accept,
    Check,
    Deny,
}

/// Logins to some machines as one account.
struct Login<'a> {
    /// Ends that differ in who they are.
    targets: &'a [Endpoint<'a>],
    account: &'a str,
    attributes: Option<Value<'a>>,
    /// An additional posture that the source is assumed to have.
    posture: Option<&'a str>,
    /// Whether those who log in under their own name reach their own devices too, by what devices receive (docs/policy-language.md#which-devices-receive-a-rule).
    to_own: bool,
}

impl<'p> Judge<'p> {
    /// Runs one entry.
    pub(super) fn run_ssh_test(&self, rules: &SshRules<'p>, test: &SshTest<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let sources = match &test.source {
            Some(source) => outcome.known(self.network.tested(source), source.text()),
            None => outcome.known(Err("src must be specified".to_owned()), ""),
        };
        let Some(sources) = sources else {
            return outcome;
        };
        if sources.is_empty() {
            outcome.fail(NO_ADDRESS.to_owned());
        }
        let mut from = Vec::with_capacity(sources.len());
        for end in by_identity(sources) {
            let takers = rules.takers(&self.network, &end);
            from.push((end, takers));
        }
        let lists = [
            (&test.accept, Want::Accept),
            (&test.check, Want::Check),
            (&test.deny, Want::Deny),
        ];
        if test.destinations.is_empty() || lists.iter().all(|(names, _)| names.is_empty()) {
            outcome.fail("dst and one of accept, check and deny must be specified".to_owned());
        }
        for to in &test.destinations {
            let Some(targets) = outcome.known(self.network.tested(to), to.text()) else {
                continue;
            };
            let targets = by_identity(targets);
            if targets.is_empty() {
                outcome.fail(joined(&["no device behind ", &quoted(to.text())]));
            }
            for (names, want) in &lists {
                for name in names.iter() {
                    let login = Login {
                        targets: &targets,
                        account: name.name(),
                        attributes: test.posture_attributes,
                        posture: None,
                        to_own: false,
                    };
                    outcome.judge_login(to, name, *want, self.logins(rules, &from, &login));
                }
            }
        }
        outcome
    }
}

/// The result of logins as one account: whether all are allowed, whether none is, whether all are checked.
struct Logins {
    all: Answer,
    some: Answer,
    checked: Answer,
}

impl Outcome {
    fn judge_login(&mut self, to: &Selector<'_>, name: &Word<'_>, want: Want, got: Logins) {
        let (holds, want, seen) = match want {
            Want::Accept => (got.all, "Accept", "Drop"),
            Want::Check => (got.checked, "Check", "Drop"),
            Want::Deny => (got.some.negated(), "Drop", "Accept"),
        };
        let holds = match name.name() {
            "" => Answer::No,
            _ => holds,
        };
        self.add(holds, &|| {
            let (to, name) = (quoted(to.text()), quoted(name.text));
            let user = joined(&["address ", &to, " (user ", &name, ")"]);
            joined(&[&user, ": want: ", want, ", got: ", seen])
        });
    }
}

impl<'p> Judge<'p> {
    /// The result of logins from each source to each target as one account. Rules are evaluated for each target once; a source
    /// then asks the selectors that include it, as for other flows (tailnet/flow.rs).
    fn logins(&self, rules: &SshRules<'p>, sources: &Sources<'_>, to: &Login<'_>) -> Logins {
        let mut logins = Logins {
            all: Answer::Yes,
            some: Answer::No,
            checked: Answer::Yes,
        };
        for target in to.targets {
            let checks = self.admitting(rules, SshAction::Check, target, to);
            let accepts = self.admitting(rules, SshAction::Accept, target, to);
            for (from, takers) in sources {
                let ask = |admitting: &[Admits<'_>]| {
                    admitted(admitting, (from, takers), (target, to.account))
                };
                let checked = ask(&checks);
                let admitted = checked.max(ask(&accepts));
                logins.all = logins.all.min(admitted);
                logins.some = logins.some.max(admitted);
                logins.checked = logins.checked.min(checked);
            }
        }
        logins
    }

    /// What the rules with an action say about a target and an account, by the index of source selectors.
    #[inline(never)]
    fn admitting(
        &self,
        rules: &SshRules<'p>,
        action: SshAction,
        target: &Endpoint<'_>,
        login: &Login<'_>,
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
        login: &Login<'_>,
    ) -> Admits<'p> {
        let mut admits = Admits::default();
        let policy = self.policy();
        let wanted = policy.postures_of(rule.postures.as_deref());
        let has_one = wanted.iter().any(|word| Some(word.name()) == login.posture);
        if !has_one && !policy.posture_holds(wanted, login.attributes) {
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
        if login.to_own && !by_name.is_empty() {
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
        let login = Login {
            targets: &[],
            account,
            attributes: None,
            posture,
            to_own: true,
        };
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

/// Ends that differ in who they are, each with the source selectors that include it.
type Sources<'a> = [(Endpoint<'a>, Vec<(usize, Answer)>)];

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
