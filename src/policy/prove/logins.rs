//! Who may log in where as whom, by the ssh rules alone: whether claims about logins hold.
//! Must not live here: what an ssh rule admits (admitting.rs), flows.

use super::accounts::Accounts;
use super::admitting::Door;
use super::called::login;
use super::claims::{Ends, is_meant};
use super::doors::{Doors, Source, are_devices};
use super::guard::Verb;
use super::proof::{Counterexample, Finding};
use super::settled::Field;
use crate::policy::findings::words::joined;
use crate::policy::language::rule::{Lines, RuleRef, Section};
use crate::policy::language::selector::Selector;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;

/// Judges one claim about logins.
#[inline(never)]
pub fn judge<'a>(
    doors: &Doors<'_, 'a>,
    (verb, ends, users): (Verb, &Ends<'a>, &[String]),
    field: &Field<'_, 'a>,
) -> Finding {
    let network = &doors.judge.network;
    let accounts = Accounts::new(users, &doors.accounts);
    // Under their own names users log in to different accounts.
    let by_login = !accounts.domains.is_empty();
    let settling = field.settling;
    let sends = |end: &Endpoint<'_>| settling.speaks_of(end, &|end| ends.sends(network, end));
    let sources = Doors::distinct(
        &[doors],
        Side::Source,
        field.from,
        &sends,
        by_login || ends.has_own,
    );
    let receives = |end: &Endpoint<'_>| match (ends.has_own, end.identity) {
        // Each pair says whether it is the user's own device.
        (true, Identity::User(_)) => Answer::Yes,
        _ => settling.speaks_of(end, &|end| ends.receives(network, end)),
    };
    let targets = Doors::distinct(
        &[doors],
        Side::Destination,
        field.to,
        &receives,
        ends.has_own,
    );
    let mut judging = Judging {
        doors,
        claim: (verb, ends, &accounts),
        field,
        strange: u8::MAX,
        because: vec![false; doors.judge.policy().ssh.len()],
        finding: Finding {
            why: ends.lost.clone(),
            ..Finding::default()
        },
    };
    for target in &targets {
        judging.judge_all(&sources, target, false);
    }
    // From an address to itself it is one device, whoever has it.
    for source in &sources {
        let is_address = source.end.address().is_some() && source.end.device.is_none();
        let claimed = receives(source.end);
        if is_address && claimed == Answer::Yes {
            let target = Source { claimed, ..*source };
            judging.judge_all(std::slice::from_ref(source), &target, true);
        }
    }
    judging.found()
}

/// Whether a claim is about a pair; where it says `autogroup:self`, about a source and its own devices.
fn pair_claimed(
    ends: &Ends<'_>,
    network: &Network<'_>,
    source: &Source<'_>,
    target: &Source<'_>,
) -> Answer {
    if !ends.has_own {
        return source.claimed.min(target.claimed);
    }
    let own = source.end.identity.shares_user(target.end.identity);
    source
        .claimed
        .min(own.max(ends.receives(network, target.end)))
}

/// A claim that is being judged.
struct Judging<'d, 'j, 'a> {
    doors: &'d Doors<'j, 'a>,
    claim: (Verb, &'d Ends<'a>, &'d Accounts<'d>),
    field: &'d Field<'d, 'a>,
    because: Vec<bool>,
    finding: Finding,
    /// How little the counterexample says to people.
    strange: u8,
}

/// A login that is judged.
#[derive(Clone, Copy)]
struct Login<'l> {
    source: &'l Source<'l>,
    target: &'l Source<'l>,
    /// Whether one device is both.
    is_one: bool,
}

impl Judging<'_, '_, '_> {
    /// Judges the logins from some to one, until one of them is not as claimed.
    fn judge_all(&mut self, sources: &[Source<'_>], target: &Source<'_>, is_one: bool) {
        let (doors, (_, ends, _)) = (self.doors, self.claim);
        let plain = doors.of(target.end, None);
        let given = doors.postures.iter();
        let given: Vec<_> = given
            .map(|posture| doors.of(target.end, Some(posture)))
            .collect();
        for source in sources {
            let claimed = pair_claimed(ends, &doors.judge.network, source, target);
            if claimed != Answer::No && !self.is_decided() {
                let login = Login {
                    source,
                    target,
                    is_one,
                };
                self.judge_pair(login, claimed, (&plain, &given));
            }
        }
    }

    /// Judges the logins from one to another, by the doors for sources without a posture, and for those with one each.
    fn judge_pair(
        &mut self,
        login: Login<'_>,
        claimed: Answer,
        (plain, given): (&Vec<Door<'_>>, &[Vec<Door<'_>>]),
    ) {
        let Login { source, target, .. } = login;
        let (_, _, accounts) = self.claim;
        // Under their own names users log in to different accounts.
        if source.end.identity == Identity::Unknown && !accounts.domains.is_empty() {
            self.leave_open(login, "their own name");
        }
        for account in accounts.of(source.end) {
            let ask =
                |doors: &Vec<Door<'_>>| self.doors.admits(doors, source.end, target.end, account);
            let certain = ask(plain);
            let possible = given.iter().map(ask).fold(certain, Answer::max);
            self.judge((login, account), claimed, (certain, possible));
            if self.is_decided() {
                return;
            }
        }
    }

    /// Whether nothing can be found that says more.
    fn is_decided(&self) -> bool {
        self.finding.counterexample.is_some() && self.strange == 0
    }

    fn judge(
        &mut self,
        (login, account): (Login<'_>, &str),
        claimed: Answer,
        (certain, possible): (Answer, Answer),
    ) {
        let Login { source, target, .. } = login;
        let (verb, ..) = self.claim;
        let is_always = verb == Verb::Always;
        let (is_false, is_open) = match is_always {
            true => (certain == Answer::No, certain != Answer::Yes),
            false => (certain == Answer::Yes, possible != Answer::No),
        };
        let (least, is_known) = (
            if is_always {
                Answer::Yes
            } else {
                Answer::Unknown
            },
            claimed == Answer::Yes,
        );
        // The result may be the same for everybody it may be.
        let is_false = is_false
            || is_open
                && (self.field.settling.is_open(source.end)
                    || self.field.settling.is_open(target.end));
        let strange = self.field.strangeness(source.place, target.place);
        if self.finding.counterexample.is_some() && strange >= self.strange {
            return;
        }
        if is_false && is_known && !self.may_be(login, Some(account), false) {
            self.strange = strange;
            self.confirm(login, account);
        } else if self.finding.why.is_none() {
            let in_doubt =
                is_false || is_open && (is_known || self.is_apart((source, target), account));
            let is_kept = is_always && is_known && !is_open;
            if in_doubt {
                self.leave_open(login, account);
            } else if is_kept {
                for rule in self.doors.because(source.end, target.end, account, least) {
                    if let Some(mark) = self.because.get_mut(rule.index) {
                        *mark = true;
                    }
                }
            }
        }
    }

    /// Notes a counterexample, by the names that say most.
    fn confirm(&mut self, login: Login<'_>, account: &str) {
        let Login { source, target, .. } = login;
        let (verb, ends, _) = self.claim;
        let (doors, network) = (self.doors, &self.doors.judge.network);
        let wanted = match verb {
            Verb::Always => Answer::No,
            _ => Answer::Yes,
        };
        let is_so = |from: &Endpoint<'_>, to: &Endpoint<'_>| {
            ends.speak_of(network, from, to)
                && doors.admits(&doors.of(to, None), from, to, account) == wanted
        };
        let called = self.field.called;
        let from = called.of(Side::Source, source.name, source.end, &|from| {
            is_so(from, target.end)
        });
        let to = called.of(Side::Destination, target.name, target.end, &|to| {
            is_so(source.end, to)
        });
        let (Some(from), Some(to)) = (from.first(), to.first()) else {
            return;
        };
        self.finding.because = match verb {
            Verb::Always => Vec::new(),
            _ => doors.because(source.end, target.end, account, Answer::Yes),
        };
        let rule = self.finding.because.first().copied();
        self.finding.note =
            (verb == Verb::Always).then(|| doors.why_shut((source.end, target.end), account));
        self.finding.counterexample = Some(counterexample(from, to, account, rule));
    }

    /// Notes that it is open, if it is.
    fn leave_open(&mut self, login: Login<'_>, account: &str) {
        if self.finding.why.is_some() || !self.may_be(login, None, true) {
            return;
        }
        let Login { source, target, .. } = login;
        self.finding.why = Some(why_open(source.name, target.name, account));
        self.because.fill(false);
        for rule in self
            .doors
            .because(source.end, target.end, account, Answer::Unknown)
        {
            if let Some(mark) = self.because.get_mut(rule.index) {
                *mark = true;
            }
        }
    }

    /// Whether it may turn out that a login from one to another, as one account or any, is claimed and not so, or that none is.
    /// Where nothing is open about them the rules have said all.
    fn may_be(&self, login: Login<'_>, account: Option<&str>, fails: bool) -> bool {
        let Login { source, target, .. } = login;
        if fails && self.field.settling.hangs_on_groups(source.end, target.end) {
            return true;
        }
        if !self.field.settling.is_open(source.end) && !self.field.settling.is_open(target.end) {
            return fails;
        }
        let (_, ends, accounts) = self.claim;
        let marks = |side, end: &Endpoint<'_>, run: &mut Vec<u64>| {
            self.doors.number(side, end, run);
            self.doors.number_login(end, accounts, run);
            ends.mark(&self.doors.judge.network, side, end, run);
        };
        let is_one = || source.is_alone && self.field.settling.is_one(source.end, target.end);
        let pair = (source.end, target.end, login.is_one || is_one());
        self.field.settling.any(pair, &marks, &mut |judges, pairs| {
            let each = judges.iter().map(|judge| Doors::new(judge));
            each.into_iter().any(|doors| {
                pairs
                    .iter()
                    .filter(|(from, to)| are_devices(from, to))
                    .any(|(from, to)| {
                        let is_claimed = ends.speak_of(&doors.judge.network, from, to);
                        let mut own = accounts.of(from).into_iter();
                        let is_so = own.any(|own| {
                            account.is_none_or(|account| own == account)
                                && self.fails(&doors, (from, to), own, fails)
                        });
                        (is_claimed && is_so) == fails
                    })
            })
        })
    }

    /// Whether a login is not as claimed, where nothing is open: for a source without postures, or for any source.
    fn fails(
        &self,
        doors: &Doors<'_, '_>,
        (from, to): (&Endpoint<'_>, &Endpoint<'_>),
        account: &str,
        whatever_postures: bool,
    ) -> bool {
        let admits =
            |posture| doors.admits(&doors.of(to, posture), from, to, account) == Answer::Yes;
        let (verb, ..) = self.claim;
        match verb {
            Verb::Always => !admits(None),
            _ => {
                let mut postures = doors.postures.iter();
                admits(None) || whatever_postures && postures.any(|posture| admits(Some(*posture)))
            }
        }
    }

    /// Whether the rules are open at a pair that the claim may be about: where the claim may or may not be about an end, and a
    /// rule is certainly about it. For other pairs, each end that they may be is judged itself.
    fn is_apart(&self, (source, target): (&Source<'_>, &Source<'_>), account: &str) -> bool {
        let (network, policy) = (&self.doors.judge.network, self.doors.judge.policy());
        let takes_in = |by: &[Selector<'_>], side, end: &Source<'_>| {
            end.claimed == Answer::Yes || is_meant(network, by, side, end.end)
        };
        let least = Answer::Unknown;
        let rules = self.doors.because(source.end, target.end, account, least);
        let mut rules = rules.iter().filter_map(|rule| policy.ssh.get(rule.index));
        rules.any(|rule| {
            takes_in(&rule.sources, Side::Source, source)
                && takes_in(&rule.destinations, Side::Destination, target)
        })
    }

    /// The finding, with its rules.
    fn found(mut self) -> Finding {
        let policy = self.doors.judge.policy();
        let mut lines = Lines::new(policy.document.text());
        for (index, rule) in policy.ssh.iter().enumerate() {
            if self.because.get(index) == Some(&true) {
                let (section, line) = (Section::Ssh, lines.line_of(rule.span.start));
                self.finding.because.push(RuleRef {
                    section,
                    index,
                    line,
                });
            }
        }
        self.finding
    }
}

/// A login as a counterexample.
pub fn counterexample(
    from: &str,
    to: &str,
    account: &str,
    rule: Option<RuleRef>,
) -> Counterexample {
    Counterexample {
        flow: login(from, to, account),
        rule,
        path: Vec::new(),
    }
}

/// Why it is open whether a login is as claimed.
pub fn why_open(from: &str, to: &str, account: &str) -> String {
    let flow = joined(&["`", from, "` to `", to, "` as `", account, "`: "]);
    joined(&[
        &flow,
        "text and context do not say whether that is allowed, or claimed",
    ])
}
