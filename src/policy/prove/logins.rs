//! Who may log in where as whom, by the ssh rules alone: whether claims about logins hold.
//! Must not live here: what an ssh rule admits (run_ssh_tests.rs), flows.

use super::claims::Ends;
use super::guard::Verb;
use super::proof::{Counterexample, Finding};
use super::world::Places;
use crate::policy::findings::words::joined;
use crate::policy::language::login::{Account, parts_of_login};
use crate::policy::language::rule::{Lines, RuleRef, Section};
use crate::policy::language::selector::Selector;
use crate::policy::run_ssh_tests::{Door, SshRules};
use crate::policy::tailnet::classes::Distinct;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::tables::index::{Index, Runs};

/// The ssh rules of a policy, ready to be asked.
pub struct Doors<'j, 'a> {
    pub judge: &'j Judge<'a>,
    rules: SshRules<'a>,
    /// The accounts that rules name, and one that none does, first.
    pub accounts: Vec<String>,
    /// The postures that rules ask for.
    pub postures: Vec<&'a str>,
    /// Whether some rule depends on the login of who asks.
    by_login: bool,
    /// What rules lead to.
    targets: Distinct<'a>,
}

/// One who logs in, and whether that is claimed.
pub struct Source<'w> {
    pub name: &'w str,
    pub end: &'w Endpoint<'w>,
    pub claimed: Answer,
}

impl<'j, 'a> Doors<'j, 'a> {
    /// Those of a policy.
    #[inline(never)]
    pub fn new(judge: &'j Judge<'a>) -> Doors<'j, 'a> {
        let policy = judge.policy();
        let mut doors = Doors {
            judge,
            rules: SshRules::new(&judge.network),
            accounts: vec!["someone".to_owned(), "root".to_owned()],
            postures: Vec::new(),
            by_login: false,
            targets: Distinct::default(),
        };
        for rule in &policy.ssh {
            for user in &rule.users {
                match Account::parse(user.text) {
                    Some(Account::Named(name)) => doors.name(name),
                    Some(Account::OwnName(_)) => doors.by_login = true,
                    _ => {}
                }
            }
            for posture in policy.postures_of(rule.postures.as_deref()) {
                if !doors.postures.contains(&posture.name()) {
                    doors.postures.push(posture.name());
                }
            }
            for to in &rule.destinations {
                doors.targets.place(to);
                doors.by_login |= super::claims::is_own(to);
            }
        }
        doors
    }

    /// Adds an account, and keeps the first one that no rule names.
    fn name(&mut self, name: &str) {
        if self.accounts.iter().skip(1).any(|known| known == name) {
            return;
        }
        self.accounts.push(name.to_owned());
        while self
            .accounts
            .iter()
            .skip(1)
            .any(|known| Some(known) == self.accounts.first())
        {
            if let Some(first) = self.accounts.first_mut() {
                first.insert(0, 'x');
            }
        }
    }

    /// What tells an end apart for the rules.
    pub fn number(
        &self,
        side: Side,
        end: &Endpoint<'a>,
        logins: &mut Index<'a>,
        run: &mut Vec<u64>,
    ) {
        if let (true, Identity::User(login)) = (self.by_login, end.identity) {
            let next = logins.len();
            run.push(logins.place(login, next) as u64);
        }
        run.push(u64::MAX);
        let network = &self.judge.network;
        let takers = match side {
            Side::Source => self.rules.takers(network, end),
            Side::Destination => {
                let all = self.targets.selectors.iter().enumerate();
                all.map(|(at, to)| (at, network.takes_in(to, side, end)))
                    .collect()
            }
        };
        for (at, answer) in takers {
            run.push((at as u64) << 2 | answer as u64);
        }
    }

    /// The doors of a target, one for each account that rules name, for sources with a posture.
    pub fn of(&self, target: &Endpoint<'_>, posture: Option<&str>) -> Vec<Door<'a>> {
        let each = self.accounts.iter();
        each.map(|account| self.judge.door(&self.rules, target, account, posture))
            .collect()
    }

    /// Whether one gets in as an account by the doors of a target.
    pub fn admits(
        &self,
        doors: &[Door<'a>],
        from: &Endpoint<'_>,
        target: &Endpoint<'_>,
        account: &str,
    ) -> Answer {
        let named = self.accounts.iter().position(|known| known == account);
        let takers = self.rules.takers(&self.judge.network, from);
        let door = doors.get(named.unwrap_or(0));
        door.map_or(Answer::No, |door| {
            door.admits((from, &takers), (target, account))
        })
    }

    /// The rules by which one may get in, given a posture or not.
    pub fn because(
        &self,
        from: &Endpoint<'_>,
        target: &Endpoint<'_>,
        account: &str,
        least: Answer,
    ) -> Vec<RuleRef> {
        let policy = self.judge.policy();
        let mut lines = Lines::new(policy.document.text());
        let mut found = Vec::new();
        for index in self.rules.about(&self.judge.network, from) {
            let Some(rule) = policy.ssh.get(index) else {
                continue;
            };
            let rules = SshRules::of(&self.judge.network, std::slice::from_ref(rule));
            let takers = rules.takers(&self.judge.network, from);
            let postures = self
                .postures
                .iter()
                .copied()
                .map(Some)
                .filter(|_| least < Answer::Yes);
            let mut given = std::iter::once(None).chain(postures);
            let admits = given.any(|posture| {
                let door = self.judge.door(&rules, target, account, posture);
                door.admits((from, &takers), (target, account)) >= least
            });
            if admits {
                let (section, line) = (Section::Ssh, lines.line_of(rule.span.start));
                found.push(RuleRef {
                    section,
                    index,
                    line,
                });
            }
        }
        found
    }

    /// Sources or targets of a claim, one of each kind; those that are no device of the tailnet left out.
    #[inline(never)]
    pub fn distinct<'w>(
        others: &[&Doors<'_, 'a>],
        side: Side,
        places: &'w Places<'a>,
        claimed: &dyn Fn(&Endpoint<'_>) -> Answer,
        by_login: bool,
    ) -> Vec<Source<'w>> {
        let (mut known, mut logins) = (Runs::default(), Index::default());
        let mut found = Vec::new();
        for at in 0..places.stands.len() {
            let Some((name, end)) = places.at(at) else {
                continue;
            };
            let claimed = claimed(end);
            if claimed == Answer::No || end.identity == Identity::Nobody {
                continue;
            }
            let mut run = vec![claimed as u64];
            if let (true, Identity::User(login)) = (by_login, end.identity) {
                let next = logins.len();
                run.push(logins.place(login, next) as u64);
            }
            for doors in others {
                doors.number(side, end, &mut logins, &mut run);
            }
            if known.place(&run) == found.len() {
                found.push(Source { name, end, claimed });
            }
        }
        found
    }
}

/// The accounts of a claim: some for all, others by who logs in.
pub struct Accounts<'c> {
    /// Those that are the same for all.
    pub named: Vec<&'c str>,
    /// Whether all others but root are among them.
    non_root: bool,
    /// The domains whose members log in under their own name.
    domains: Vec<&'c str>,
}

impl<'c> Accounts<'c> {
    /// Those that a claim names, beside those that rules name.
    pub fn new(users: &'c [String], known: &'c [String]) -> Accounts<'c> {
        let mut accounts = Accounts {
            named: Vec::new(),
            non_root: false,
            domains: Vec::new(),
        };
        for user in users {
            match Account::parse(user) {
                Some(Account::Named(name)) => accounts.named.push(name),
                Some(Account::OwnName(domain)) => accounts.domains.push(domain),
                Some(Account::NonRoot) => {
                    accounts.non_root = true;
                    let others = known.iter().filter(|name| *name != "root");
                    accounts.named.extend(others.map(String::as_str));
                }
                None => {}
            }
        }
        accounts
    }

    /// The accounts that somebody would log in as.
    pub fn of<'e>(&self, end: &Endpoint<'e>) -> Vec<&'e str>
    where
        'c: 'e,
    {
        let mut accounts: Vec<&'e str> = self.named.clone();
        let login = end.identity.user().and_then(parts_of_login);
        if let Some((name, domain)) = login {
            let own = self.non_root && name != "root" || self.domains.contains(&domain);
            if own && !accounts.contains(&name) {
                accounts.push(name);
            }
        }
        accounts
    }
}

/// Judges one claim about logins.
#[inline(never)]
pub fn judge<'a>(
    doors: &Doors<'_, 'a>,
    (verb, ends, users): (Verb, &Ends<'a>, &[String]),
    (from, to): (&Places<'a>, &Places<'a>),
) -> Finding {
    let network = &doors.judge.network;
    let accounts = Accounts::new(users, &doors.accounts);
    // Under their own name each logs in as another.
    let by_login = !accounts.domains.is_empty();
    let sends = |end: &Endpoint<'_>| ends.sends(network, end);
    let sources = Doors::distinct(
        &[doors],
        Side::Source,
        from,
        &sends,
        by_login || ends.has_own,
    );
    let receives = |end: &Endpoint<'_>| match (ends.has_own, end.identity) {
        // Whether it is one's own device, each pair says.
        (true, Identity::User(_)) => Answer::Yes,
        _ => ends.receives(network, end),
    };
    let targets = Doors::distinct(&[doors], Side::Destination, to, &receives, ends.has_own);
    let mut judging = Judging {
        doors,
        verb,
        because: vec![false; doors.judge.policy().ssh.len()],
        finding: Finding {
            why: ends.lost.clone(),
            ..Finding::default()
        },
    };
    for target in &targets {
        let plain = doors.of(target.end, None);
        let given: Vec<_> = doors
            .postures
            .iter()
            .map(|posture| doors.of(target.end, Some(posture)))
            .collect();
        for source in &sources {
            let claimed = pair_claimed(ends, network, source, target);
            for account in accounts
                .of(source.end)
                .into_iter()
                .filter(|_| claimed != Answer::No)
            {
                let ask = |doors_of: &Vec<Door<'a>>| {
                    doors.admits(doors_of, source.end, target.end, account)
                };
                let certain = ask(&plain);
                let possible = given.iter().map(ask).fold(certain, Answer::max);
                judging.judge((source, target, account), claimed, (certain, possible));
                if judging.finding.counterexample.is_some() {
                    return judging.finding;
                }
            }
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

/// One claim while it is judged.
struct Judging<'d, 'j, 'a> {
    doors: &'d Doors<'j, 'a>,
    verb: Verb,
    because: Vec<bool>,
    finding: Finding,
}

impl Judging<'_, '_, '_> {
    fn judge(
        &mut self,
        (source, target, account): (&Source<'_>, &Source<'_>, &str),
        claimed: Answer,
        (certain, possible): (Answer, Answer),
    ) {
        let is_always = self.verb == Verb::Always;
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
        if is_false && is_known {
            self.finding.because = match is_always {
                true => Vec::new(),
                false => self
                    .doors
                    .because(source.end, target.end, account, Answer::Yes),
            };
            let rule = self.finding.because.first().copied();
            self.finding.counterexample =
                Some(counterexample(source.name, target.name, account, rule));
        } else if self.finding.why.is_none() {
            let in_doubt =
                is_false || is_open && (is_known || self.is_apart((source, target), account));
            let is_kept = is_always && is_known && !is_open;
            if in_doubt || is_kept {
                if in_doubt {
                    self.finding.why = Some(why_open(source.name, target.name, account));
                    self.because.fill(false);
                }
                for rule in self.doors.because(source.end, target.end, account, least) {
                    if let Some(mark) = self.because.get_mut(rule.index) {
                        *mark = true;
                    }
                }
            }
        }
    }

    /// Whether the rules are open at a pair that the claim is perhaps about: where it is not certain that it is about an
    /// end, by a rule that is about it for certain. Of others each that they may be stands there itself.
    fn is_apart(&self, (source, target): (&Source<'_>, &Source<'_>), account: &str) -> bool {
        let (network, policy) = (&self.doors.judge.network, self.doors.judge.policy());
        let takes_in = |by: &[Selector<'_>], side, end: &Source<'_>| {
            let mut by = by.iter();
            end.claimed == Answer::Yes
                || by.any(|by| network.takes_in(by, side, end.end) == Answer::Yes)
        };
        let least = Answer::Unknown;
        let rules = self.doors.because(source.end, target.end, account, least);
        let mut rules = rules.iter().filter_map(|rule| policy.ssh.get(rule.index));
        rules.any(|rule| {
            takes_in(&rule.sources, Side::Source, source)
                && takes_in(&rule.destinations, Side::Destination, target)
        })
    }

    /// What was found, with its rules.
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
        from: from.to_owned(),
        to: to.to_owned(),
        protocol: "tcp".to_owned(),
        port: 22,
        user: Some(account.to_owned()),
        rule,
    }
}

/// Why nobody can say whether a login is as claimed.
pub fn why_open(from: &str, to: &str, account: &str) -> String {
    let flow = joined(&["`", from, "` to `", to, "` as `", account, "`: "]);
    joined(&[
        &flow,
        "text and context do not say whether that is allowed, or claimed",
    ])
}
