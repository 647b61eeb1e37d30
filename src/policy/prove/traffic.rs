//! What a claim is about besides its endpoints: protocols and ports, or accounts, some of which depend on who logs in.
//! Must not live here: what rules open (ready.rs), what is claimed of it (judge.rs).

use super::ready::Ready;
use crate::policy::language::document::Policy;
use crate::policy::language::login::{Account, SshAction, parts_of_login};
use crate::policy::language::port_set::PortSet;
use crate::policy::relation::rows::protocol_of;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::Identity;
use crate::tables::sort;

/// What a claim is about.
pub enum Traffic<'c> {
    /// Flows of these protocols and ports.
    Flows(PortSet),
    /// Logins.
    Logins(ClaimedAccounts<'c>),
}

/// The accounts of a claim.
pub struct ClaimedAccounts<'c> {
    /// Those that are the same for all.
    named: Vec<&'c str>,
    /// Whether all other accounts but root are among them.
    non_root: bool,
    /// The domains whose users log in under their own name.
    pub domains: Vec<&'c str>,
    /// Every account that rules name.
    known: &'c [String],
}

impl Traffic<'_> {
    /// What is wanted of one who is at an endpoint of which nothing is open.
    pub fn wanted(&self, from: &Endpoint<'_>, ready: &Ready<'_>) -> PortSet {
        let accounts = match self {
            Traffic::Flows(wanted) => return wanted.clone(),
            Traffic::Logins(accounts) => accounts.of(from).into_iter(),
        };
        let numbers = accounts.map(|account| ready.number(account));
        of_accounts(numbers.map(|number| (number, number)).collect())
    }

    /// What may be wanted of any.
    pub fn widest(&self, from: &Endpoint<'_>, ready: &Ready<'_>) -> PortSet {
        match self {
            // Under their own names users log in to different accounts.
            Traffic::Logins(accounts) if accounts.non_root || accounts.has_own_names() => {
                of_accounts(vec![(0, u32::MAX)])
            }
            _ => self.wanted(from, ready),
        }
    }

    /// Whether it differs from user to user.
    pub fn is_own(&self) -> bool {
        matches!(self, Traffic::Logins(accounts) if accounts.has_own_names())
    }

    /// Adds what tells senders apart for it: which of the accounts that rules or a claim name is their own, and whether their domain is
    /// one that the claim or a rule names.
    pub fn mark(&self, end: &Endpoint<'_>, of_rules: &[&str], run: &mut Vec<u64>) {
        let Traffic::Logins(accounts) = self else {
            return;
        };
        run.push(u64::from(end.identity == Identity::Nobody));
        let Some((name, domain)) = end.identity.user().and_then(parts_of_login) else {
            return;
        };
        let known = accounts.known.iter().map(String::as_str);
        let mut known = known.chain(accounts.named.iter().copied());
        let mut domains = accounts.domains.iter().chain(of_rules);
        let places = [
            known.position(|known| known == name),
            domains.position(|known| *known == domain),
        ];
        run.extend(places.map(|at| at.map_or(u64::MAX, |at| at as u64)));
    }

    /// One of the accounts in a set, by its name; whose it is where the claim is about everybody's own.
    pub fn account_in<'e>(
        &'e self,
        set: &PortSet,
        from: &Endpoint<'e>,
        ready: &Ready<'_>,
    ) -> &'e str {
        let Traffic::Logins(accounts) = self else {
            return "";
        };
        let mut own = accounts.of(from).into_iter();
        own.find(|account| set.has_number(ready.number(account)))
            .unwrap_or("their own name")
    }
}

impl<'c> ClaimedAccounts<'c> {
    /// The accounts that a claim names; `known` are those that rules name, and one that none does.
    pub fn new(users: &'c [String], known: &'c [String]) -> ClaimedAccounts<'c> {
        let mut accounts = ClaimedAccounts {
            named: Vec::new(),
            non_root: false,
            domains: Vec::new(),
            known,
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

    fn has_own_names(&self) -> bool {
        !self.domains.is_empty()
    }

    /// The accounts that somebody would log in as.
    fn of<'e>(&self, end: &Endpoint<'e>) -> Vec<&'e str>
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

fn of_accounts(numbers: Vec<(u32, u32)>) -> PortSet {
    PortSet::of_numbers(protocol_of(SshAction::Accept), numbers)
}

/// An account that no ssh rule names, then those that rules name.
pub fn accounts_of(policies: &[&Policy<'_>]) -> Vec<String> {
    let mut names = vec!["root"];
    for account in entries(policies) {
        match account {
            Account::Named(name) if !names.contains(&name) => names.push(name),
            _ => {}
        }
    }
    let mut accounts = vec!["someone".to_owned()];
    if let Some(first) = accounts.first_mut() {
        while names.contains(&first.as_str()) {
            first.insert(0, 'x');
        }
    }
    accounts.extend(names.into_iter().map(str::to_owned));
    accounts
}

/// The domains whose members ssh rules let in under their own name.
pub fn own_domains<'p>(policies: &[&'p Policy<'p>]) -> Vec<&'p str> {
    let mut domains = Vec::new();
    for account in entries(policies) {
        if let Account::OwnName(domain) = account {
            domains.push(domain);
        }
    }
    sort::sort(&mut domains);
    domains.dedup();
    domains
}

fn entries<'p>(policies: &[&'p Policy<'p>]) -> Vec<Account<'p>> {
    let rules = policies.iter().flat_map(|policy| &policy.ssh);
    let users = rules.flat_map(|rule| &rule.users);
    users.filter_map(|user| Account::parse(user.text)).collect()
}
