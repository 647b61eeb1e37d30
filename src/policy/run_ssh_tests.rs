//! `sshTests`: which accounts may be logged in to, by the ssh rules alone (policy-language.md 8).
//! Must not live here: the ssh rules of each device.

use crate::hujson::Value;

use super::findings::words::{joined, quoted};
use super::language::document::{Policy, SshRule, SshTest, Word};
use super::language::selector::{Autogroup, Kind, Selector};
use super::run_tests::{NO_ADDRESS, Outcome};
use super::tailnet::flow::{Endpoint, Judge, own};
use super::tailnet::identity::{Answer, Identity};

/// What a test wants of an account.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Accept,
    Check,
    Deny,
}

/// One login: from a machine to a machine as an account.
struct Login<'a> {
    from: Endpoint<'a>,
    to: Endpoint<'a>,
    account: &'a str,
    attributes: Option<Value<'a>>,
}

impl Policy<'_> {
    /// Runs one entry.
    pub(super) fn run_ssh_test(&self, judge: &Judge<'_>, test: &SshTest<'_>) -> Outcome {
        let topology = judge.topology;
        let mut outcome = Outcome::default();
        let sources = match &test.source {
            Some(source) => outcome.known(self.endpoints(source, topology), source.text()),
            None => outcome.known(Err("src must be specified".to_owned()), ""),
        };
        let Some(sources) = sources else {
            return outcome;
        };
        if sources.is_empty() {
            outcome.fail(NO_ADDRESS.to_owned());
        }
        let lists = [
            (&test.accept, Want::Accept),
            (&test.check, Want::Check),
            (&test.deny, Want::Deny),
        ];
        if test.destinations.is_empty() || lists.iter().all(|(names, _)| names.is_empty()) {
            outcome.fail("nothing is tested".to_owned());
        }
        for to in &test.destinations {
            let targets = self.endpoints(to, topology);
            let Some(targets) = outcome.known(targets, to.text()) else {
                continue;
            };
            let reached = judge.machines(targets);
            if reached.is_empty() {
                outcome.fail(joined(&["no device behind ", &quoted(to.text())]));
            }
            for (names, want) in &lists {
                for name in names.iter() {
                    let got =
                        judge.logins(&sources, &reached, name.name(), test.posture_attributes);
                    outcome.judge_login(to, name, *want, got);
                }
            }
        }
        outcome
    }
}

/// How logins as one account end: whether all get in, whether none does, whether all are checked.
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

impl Judge<'_> {
    /// Ends that can be machines of the tailnet.
    fn machines<'a>(&self, mut ends: Vec<Endpoint<'a>>) -> Vec<Endpoint<'a>> {
        ends.retain(|end| end.identity != Identity::Nobody);
        ends
    }

    fn logins(
        &self,
        sources: &[Endpoint<'_>],
        targets: &[Endpoint<'_>],
        account: &str,
        attributes: Option<Value<'_>>,
    ) -> Logins {
        let mut logins = Logins {
            all: Answer::Yes,
            some: Answer::No,
            checked: Answer::Yes,
        };
        for &from in sources {
            for &to in targets {
                let login = Login {
                    from,
                    to,
                    account,
                    attributes,
                };
                let checked = self.admitted("check", &login);
                let admitted = checked.max(self.admitted("accept", &login));
                logins.all = logins.all.min(admitted);
                logins.some = logins.some.max(admitted);
                logins.checked = logins.checked.min(checked);
            }
        }
        logins
    }

    /// Whether a rule with this action lets the login in.
    #[inline(never)]
    fn admitted(&self, action: &str, login: &Login<'_>) -> Answer {
        let mut best = Answer::No;
        for rule in &self.policy.ssh {
            if rule.action.as_ref().is_some_and(|word| word.text == action) {
                best = best.max(self.lets_in(rule, login));
            }
        }
        best
    }

    fn lets_in(&self, rule: &SshRule<'_>, login: &Login<'_>) -> Answer {
        let wanted = self.policy.postures_of(rule.postures.as_deref());
        let postured = self.policy.posture_holds(wanted, login.attributes);
        let account = Answer::any(rule.users.iter().map(|user| admits(user.name(), login)));
        if !postured || account == Answer::No {
            return Answer::No;
        }
        let source = Answer::any(rule.sources.iter().map(|s| self.source(s, login.from)));
        let to = |selector| self.ssh_target(selector, login);
        let target = Answer::any(rule.destinations.iter().map(to));
        source.min(target).min(account)
    }

    /// `autogroup:self` and a user as destination mean that user's own devices.
    fn ssh_target(&self, selector: &Selector<'_>, login: &Login<'_>) -> Answer {
        match selector.kind {
            Kind::Autogroup(Autogroup::Own) => own(login.from.identity, login.to.identity),
            _ => login
                .to
                .identity
                .selected_by(selector, self.policy, self.topology),
        }
    }
}

/// Whether one entry of `users` admits the account.
fn admits(entry: &str, login: &Login<'_>) -> Answer {
    let account = login.account;
    if entry == "autogroup:nonroot" {
        return (account != "root").into();
    }
    let Some(domain) = entry.strip_prefix("localpart:*@") else {
        return (entry == account).into();
    };
    match login.from.identity {
        Identity::User(user) => (user.rsplit_once('@') == Some((account, domain))).into(),
        Identity::Unknown => Answer::Unknown,
        _ => Answer::No,
    }
}
