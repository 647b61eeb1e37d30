//! `sshTests`: which accounts may be logged in to, by the ssh rules only (docs/policy-language.md#ssh-tests).
//! Must not live here: the ssh rules of each device.

use super::findings::hint::{documented, ours};
use super::findings::words::{joined, quoted};
use super::language::document::{SshTest, Word};
use super::language::login::SshAction;
use super::language::port_set::PortSet;
use super::language::rule::Lines;
use super::language::selector::Selector;
use super::relation::ids::ClassId;
use super::relation::reading::Reading;
use super::relation::rows::{SshRules, protocol_of};
use super::tailnet::flow::Judge;
use super::tailnet::identity::Answer;
use super::tailnet::party::Side;
use super::tailnet::selected::Untestable;
use super::test_report::{NO_ADDRESS, Outcome, TestResult, TestSection};
use super::tested::{Running, Tested};

/// What a test demands for an account.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Accept,
    Check,
    Deny,
}

impl Judge<'_> {
    /// Runs every entry of `sshTests`.
    pub(super) fn run_ssh_tests(&self, lines: &mut Lines<'_>, results: &mut Vec<TestResult>) {
        let rules = SshRules::new(&self.network);
        let (mut from, mut to) = (Tested::default(), Tested::default());
        for test in &self.policy().ssh_tests {
            for source in test.source.iter() {
                from.add(&self.network, source, true);
            }
            for target in &test.destinations {
                to.add(&self.network, target, true);
            }
        }
        let reading = Reading::of_ssh(self, &rules);
        Running::each(&reading, [&from, &to], |running| {
            for (index, test) in self.policy().ssh_tests.iter().enumerate() {
                let outcome = running.run_ssh(test);
                let line = lines.line_of(test.span.start);
                let source = test.source.as_ref();
                results.push(outcome.result(TestSection::SshTests, index, line, source));
            }
        });
    }
}

impl<'p> Running<'_, 'p> {
    fn run_ssh(&mut self, test: &SshTest<'p>) -> Outcome {
        let mut outcome = Outcome::default();
        let [sources, targets] = self.names;
        let sources = match &test.source {
            Some(source) => outcome.known(sources.get(source), source.text()),
            None => outcome.known(Err(Untestable::no_source()), ""),
        };
        let Some(sources) = sources else {
            return outcome;
        };
        if sources.is_empty {
            outcome.fail(documented(&[NO_ADDRESS]));
        }
        let from = self.classes(Side::Source, sources);
        let lists = [
            (&test.accept, Want::Accept),
            (&test.check, Want::Check),
            (&test.deny, Want::Deny),
        ];
        if test.destinations.is_empty() || lists.iter().all(|(names, _)| names.is_empty()) {
            outcome.fail(ours(&[
                "dst and one of accept, check and deny must be specified",
            ]));
        }
        for to in &test.destinations {
            let Some(machines) = outcome.known(targets.get(to), to.text()) else {
                continue;
            };
            let classes = self.classes(Side::Destination, machines);
            if classes.is_empty() {
                outcome.fail(ours(&["no device behind ", &quoted(to.text())]));
            }
            for (names, want) in &lists {
                for name in names.iter() {
                    let logins = self.logins(test, (&from, &classes), name.name());
                    outcome.judge_login(to, name, *want, logins);
                }
            }
        }
        outcome
    }

    /// The result of logins from each source to each target as one account.
    fn logins(
        &mut self,
        test: &SshTest<'p>,
        (from, to): (&[ClassId], &[ClassId]),
        account: &str,
    ) -> LoginResult {
        let account = self.shared.accounts.number(account);
        let mut logins = LoginResult {
            all: Answer::Yes,
            some: Answer::No,
            checked: Answer::Yes,
        };
        for &source in from {
            let [checks, accepts] = [SshAction::Check, SshAction::Accept].map(|action| {
                let set = PortSet::of_numbers(protocol_of(action), vec![(account, account)]);
                self.row(test.posture_attributes, (source, to), &set)
            });
            for &target in to {
                let checked = checks.answer(target);
                let admitted = checked.max(accepts.answer(target));
                logins.all = logins.all.min(admitted);
                logins.some = logins.some.max(admitted);
                logins.checked = logins.checked.min(checked);
            }
        }
        logins
    }
}

/// The result of logins as one account: whether all are allowed, whether one is, whether all are checked.
struct LoginResult {
    all: Answer,
    some: Answer,
    checked: Answer,
}

impl Outcome {
    fn judge_login(&mut self, to: &Selector<'_>, name: &Word<'_>, want: Want, got: LoginResult) {
        let (holds, want, seen) = match want {
            Want::Accept => (got.all, "Accept", "Drop"),
            Want::Check => (got.checked, "Check", "Drop"),
            Want::Deny => (got.some.negated(), "Drop", "Accept"),
        };
        let holds = match name.name() {
            "" => Answer::No,
            _ => holds,
        };
        self.add(holds, name.span, &|| {
            let (to, name) = (quoted(to.text()), quoted(name.text));
            let user = joined(&["address ", &to, " (user ", &name, ")"]);
            ours(&[&user, ": want: ", want, ", got: ", seen])
        });
    }
}
