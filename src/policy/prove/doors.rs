//! The ssh rules of a policy as doors of each target: who gets in as whom, and which ends differ for these rules.
//! Must not live here: what a rule admits (admitting.rs), claims.

use super::accounts::Accounts;
use super::admitting::{Door, SshRules};
use super::world::Places;
use crate::policy::findings::words::joined;
use crate::policy::language::login::{Account, parts_of_login};
use crate::policy::language::rule::{Lines, RuleRef, Section};
use crate::policy::language::selector::Selector;
use crate::policy::tailnet::classes::Distinct;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::party::Side;
use crate::tables::index::{Index, Runs};

/// The ssh rules of a policy, ready to be asked.
pub struct Doors<'j, 'a> {
    pub judge: &'j Judge<'a>,
    rules: SshRules<'a>,
    /// An account that no rule names, then those that rules name.
    pub accounts: Vec<String>,
    /// The places of the accounts that rules name.
    places: Index<'a>,
    /// The postures that rules require.
    pub postures: Vec<&'a str>,
    /// Whether some rule depends on the login of the source.
    by_login: bool,
    /// The domains whose members rules let in under their own name.
    own_domains: Vec<&'a str>,
    /// What rules lead to.
    targets: Distinct<'a>,
}

/// One who logs in, and whether that is claimed.
#[derive(Clone, Copy)]
pub struct Source<'w> {
    pub name: &'w str,
    /// Its index among all places.
    pub place: usize,
    pub end: &'w Endpoint<'w>,
    pub claimed: Answer,
    /// Whether it stands for no other source.
    pub is_alone: bool,
}

impl<'j, 'a> Doors<'j, 'a> {
    /// Reads the ssh rules of a policy.
    #[inline(never)]
    pub fn new(judge: &'j Judge<'a>) -> Doors<'j, 'a> {
        let policy = judge.policy();
        let mut doors = Doors {
            judge,
            rules: SshRules::new(&judge.network),
            accounts: vec!["someone".to_owned()],
            places: Index::default(),
            postures: Vec::new(),
            by_login: false,
            own_domains: Vec::new(),
            targets: Distinct::default(),
        };
        doors.name("root");
        for rule in &policy.ssh {
            for user in &rule.users {
                match Account::parse(user.text) {
                    Some(Account::Named(name)) => doors.name(name),
                    Some(Account::OwnName(domain)) => {
                        doors.by_login = true;
                        doors.own_domains.push(domain);
                    }
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
                doors.by_login |= super::meant::is_own(to);
            }
        }
        if let Some(first) = doors.accounts.first_mut() {
            while doors.places.find(first).is_some() {
                first.insert(0, 'x');
            }
        }
        doors
    }

    /// Adds an account.
    fn name(&mut self, name: &'a str) {
        let next = self.accounts.len();
        if self.places.place(name, next) == next {
            self.accounts.push(name.to_owned());
        }
    }

    /// What tells an end apart for the rules, and whether it is a device.
    pub fn number(&self, side: Side, end: &Endpoint<'_>, run: &mut Vec<u64>) {
        run.extend([u64::MAX, u64::from(end.identity == Identity::Nobody)]);
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

    /// What tells logins apart where somebody logs in under their own name: which of the accounts that rules or a claim name it is,
    /// and whether the domain is one of theirs.
    pub fn number_login(&self, end: &Endpoint<'_>, claimed: &Accounts<'_>, run: &mut Vec<u64>) {
        let Some((name, domain)) = end.identity.user().and_then(parts_of_login) else {
            return;
        };
        let accounts = self.accounts.iter().map(String::as_str);
        let mut accounts = accounts.chain(claimed.named.iter().copied());
        let mut domains = self.own_domains.iter().chain(&claimed.domains);
        let places = [
            accounts.position(|known| known == name),
            domains.position(|known| *known == domain),
        ];
        run.extend(places.map(|at| at.map_or(u64::MAX, |at| at as u64)));
    }

    /// The doors of a target, one for each account that rules name, for sources with a posture.
    pub fn of(&self, target: &Endpoint<'_>, posture: Option<&str>) -> Vec<Door<'a>> {
        let each = self.accounts.iter();
        each.map(|account| self.judge.door(&self.rules, target, account, posture))
            .collect()
    }

    /// Whether a source gets in as an account by the doors of a target.
    pub fn admits(
        &self,
        doors: &[Door<'_>],
        from: &Endpoint<'_>,
        target: &Endpoint<'_>,
        account: &str,
    ) -> Answer {
        let named = self.places.find(account);
        let takers = self.rules.takers(&self.judge.network, from);
        let door = doors.get(named.unwrap_or(0));
        door.map_or(Answer::No, |door| {
            door.admits((from, &takers), (target, account))
        })
    }

    /// The rules by which a source may get in, with a posture or without.
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

    /// Why a source does not get in, by what the nearest rule misses: the account, the posture, the source.
    pub fn why_shut(&self, (from, to): (&Endpoint<'_>, &Endpoint<'_>), account: &str) -> String {
        let (policy, network) = (self.judge.policy(), &self.judge.network);
        let mut lines = Lines::new(policy.document.text());
        let mut nearest: Option<(u8, String)> = None;
        for rule in &policy.ssh {
            let takes = |by: &[Selector<'_>], side, end: &Endpoint<'_>| {
                let mut by = by.iter();
                by.any(|selector| network.takes_in(selector, side, end) != Answer::No)
            };
            if !takes(&rule.destinations, Side::Destination, to) {
                continue;
            }
            let users = listed(rule.users.iter().map(|user| user.text));
            let sources = listed(rule.sources.iter().map(Selector::name));
            let postures = policy.postures_of(rule.postures.as_deref());
            let postures_of = listed(postures.iter().map(|word| word.name()));
            let is_source = takes(&rule.sources, Side::Source, from);
            let opens = rule
                .users
                .iter()
                .any(|user| match Account::parse(user.text) {
                    Some(Account::Named(name)) => name == account,
                    Some(Account::NonRoot) => account != "root",
                    Some(Account::OwnName(domain)) => {
                        from.identity.user().and_then(parts_of_login) == Some((account, domain))
                    }
                    None => false,
                });
            let (distance, why) = match (is_source, opens) {
                (true, true) if postures.is_empty() => continue,
                (true, true) => (0, joined(&["posture: only with ", &postures_of])),
                (true, false) => (
                    1,
                    joined(&[
                        "account: the rule lets in as ",
                        &users,
                        ", not as ",
                        account,
                    ]),
                ),
                (false, true) => (2, joined(&["source: the rule is for ", &sources])),
                (false, false) => continue,
            };
            let line = lines.line_of(rule.span.start).to_string();
            if nearest.as_ref().is_none_or(|(known, _)| distance < *known) {
                nearest = Some((distance, joined(&[&why, " (line ", &line, ")"])));
            }
        }
        nearest.map_or("no ssh rule comes near".to_owned(), |(_, why)| why)
    }

    /// The sources or targets of a claim, one of each kind, without those that are not a device of the tailnet.
    #[inline(never)]
    pub fn distinct<'w>(
        others: &[&Doors<'_, 'a>],
        side: Side,
        places: &'w Places<'a>,
        claimed: &dyn Fn(&Endpoint<'_>) -> Answer,
        by_login: bool,
    ) -> Vec<Source<'w>> {
        let (mut known, mut logins) = (Runs::default(), Index::default());
        let mut found: Vec<Source<'w>> = Vec::new();
        for at in 0..places.stands.len() {
            let Some((name, end)) = places.at(at) else {
                continue;
            };
            let claimed = claimed(end);
            if claimed == Answer::No || end.identity == Identity::Nobody {
                continue;
            }
            // No known device can stand for an end about which something is open.
            let is_open = matches!(end.identity, Identity::Some(..) | Identity::Unknown);
            let mut run = vec![claimed as u64, u64::from(is_open)];
            if let (true, Some(login)) = (
                by_login || others.iter().any(|doors| doors.by_login),
                end.identity.user(),
            ) {
                let next = logins.len();
                run.push(logins.place(login, next) as u64);
            }
            for doors in others {
                doors.number(side, end, &mut run);
            }
            let place = known.place(&run);
            match found.get_mut(place) {
                Some(source) => source.is_alone = false,
                None => found.push(Source {
                    name,
                    place: at,
                    end,
                    claimed,
                    is_alone: true,
                }),
            }
        }
        found
    }
}

/// Names one after the other.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut list = String::new();
    for name in names {
        if !list.is_empty() {
            list.push_str(", ");
        }
        list.push_str(name);
    }
    list
}

/// Whether both ends are devices: nobody else logs in.
pub fn are_devices(from: &Endpoint<'_>, to: &Endpoint<'_>) -> bool {
    from.identity != Identity::Nobody && to.identity != Identity::Nobody
}
