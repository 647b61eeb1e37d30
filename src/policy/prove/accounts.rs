//! The accounts that a claim names: some for all, others by who logs in.
//! Must not live here: whom rules let in (doors.rs), what is claimed of them (logins.rs).

use crate::policy::language::login::{Account, parts_of_login};
use crate::policy::tailnet::endpoint::Endpoint;

/// The accounts of a claim: some are the same for all, others depend on who logs in.
#[derive(Default)]
pub struct Accounts<'c> {
    /// Those that are the same for all.
    pub named: Vec<&'c str>,
    /// Whether all other accounts but root are among them.
    non_root: bool,
    /// The domains whose users log in under their own name.
    pub domains: Vec<&'c str>,
}

impl<'c> Accounts<'c> {
    /// The accounts that a claim names; `known` are those that rules name.
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

    /// One alone.
    pub fn one(name: &'c str) -> Accounts<'c> {
        Accounts {
            named: vec![name],
            ..Accounts::default()
        }
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
