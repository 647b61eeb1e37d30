//! The accounts of logins as numbers, and which of them a rule opens to whom.
//! Must not live here: who is included by a rule, and where (reach.rs), how a login is treated (rows.rs).

use super::condition::{Conditions, Why};
use super::ids::{FactId, SetId};
use super::rows::{Opens, Sets, protocol_of};
use crate::policy::findings::words::joined;
use crate::policy::language::login::{Account, SshAction, parts_of_login};
use crate::policy::language::port_set::PortSet;
use crate::policy::tailnet::identity::{Identity, is_of_users};
use crate::policy::tailnet::network::Network;
use crate::tables::index::Index;
use crate::tables::sort;

/// Any account but root, as rules write it.
const NONROOT: &str = "autogroup:nonroot";

/// The accounts that documents name: `root` is 0, a name is the next free number, and every account without a number is all
/// of the rest. `autogroup:nonroot` is everything from 1 on.
pub struct Accounts {
    by_name: Index<'static>,
    names: Vec<String>,
    /// The entries of `users` that rules have, as they are written.
    marks: Index<'static>,
}

/// Stands for every account that has no number.
const OTHERS: u32 = u32::MAX;

impl Default for Accounts {
    fn default() -> Self {
        Accounts::new()
    }
}

impl Accounts {
    /// `root`, to which others are added.
    pub fn new() -> Accounts {
        let mut accounts = Accounts {
            by_name: Index::default(),
            names: Vec::new(),
            marks: Index::default(),
        };
        accounts.number("root");
        accounts
    }

    /// A number for the text of an entry of `users`.
    pub fn mark(&mut self, entry: &str) -> u32 {
        let next = self.marks.len();
        let place = self.marks.find(entry).unwrap_or(next);
        if place == next {
            self.marks.set(entry.to_owned().into(), next);
        }
        u32::try_from(place).unwrap_or(OTHERS)
    }

    /// The number of an account.
    pub fn number(&mut self, name: &str) -> u32 {
        let place = self.by_name.find(name).unwrap_or_else(|| {
            self.by_name.set(name.to_owned().into(), self.names.len());
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        u32::try_from(place).unwrap_or(OTHERS)
    }

    /// The accounts of a set, by the order of their names; `autogroup:nonroot` where every account without a name is in it, with those
    /// that are not.
    pub fn texts(&self, set: &PortSet) -> Vec<String> {
        let (mut within, mut without) = (Vec::new(), Vec::new());
        for (at, name) in self.names.iter().enumerate().skip(1) {
            match set.has_number(u32::try_from(at).unwrap_or(OTHERS)) {
                true => within.push(name.clone()),
                false => without.push(name.as_str()),
            }
        }
        if set.has_number(OTHERS) {
            sort::sort(&mut without);
            let but = match without.is_empty() {
                true => String::new(),
                false => joined(&[" but ", &without.join(", ")]),
            };
            within = vec![joined(&[NONROOT, &but])];
        }
        if set.has_number(0) {
            within.push("root".to_owned());
        }
        sort::sort(&mut within);
        within
    }
}

/// What a row opens for a source; each with what it depends on. The own account of somebody of whom no mail address is known is not
/// certain, nor, in a question, that of whoever it may be.
pub fn opened<'p>(
    (network, from, is_asked): (&Network<'p>, Identity<'p>, bool),
    opens: &Opens<'p>,
    (sets, conditions, accounts): (&mut Sets, &mut Conditions<'p>, &mut Accounts),
) -> Vec<(SetId, Option<FactId>)> {
    let (action, entries) = match opens {
        Opens::Set(set) => return vec![(*set, None)],
        Opens::Accounts(action, entries, _) => (*action, entries),
    };
    let mut opened = Vec::with_capacity(2);
    let set = opened_accounts(network, action, entries, from, accounts);
    if !set.is_empty() {
        opened.push((sets.id(set), None));
    }
    if let Some((set, login)) = own_by_mail(network, opens, from, accounts) {
        // In a question it may be any account.
        let set = if is_asked { every_account(action) } else { set };
        let fact = conditions.undecided(Why::Mail, &joined(&["of ", login]));
        opened.push((sets.id(set), Some(fact)));
    }
    if let Some(set) = may_open(opens, from).filter(|_| is_asked) {
        let fact = conditions.undecided(Why::User, "whose login");
        opened.push((sets.id(set), Some(fact)));
    }
    opened
}

/// The accounts that a row opens to a source: for `localpart:*@domain` the local part of the login of a user of the
/// domain, and the entry itself for a source whose login is unknown.
pub fn opened_accounts(
    network: &Network<'_>,
    action: SshAction,
    entries: &[Account<'_>],
    from: Identity<'_>,
    accounts: &mut Accounts,
) -> PortSet {
    let mut numbers = Vec::new();
    let one = |number| (number, number);
    for entry in entries {
        match (entry, from.user()) {
            (Account::NonRoot, _) => numbers.push((1, OTHERS)),
            (Account::Named(name), _) => numbers.push(one(accounts.number(name))),
            (Account::OwnName(domain), Some(login)) => {
                let dialect = network.policy.dialect;
                match network.mail(login).and_then(parts_of_login) {
                    Some((name, own)) if dialect.is_domain(own, domain) => {
                        numbers.push(one(accounts.number(name)));
                    }
                    _ => {}
                }
            }
            (Account::OwnName(domain), None) => {
                if let Identity::Some(kind, _) = from
                    && is_of_users(kind)
                {
                    numbers.push(one(accounts.number(&joined(&["localpart:*@", domain]))));
                }
            }
        }
    }
    PortSet::of_numbers(protocol_of(action), numbers)
}

/// The accounts that a row may open to a user of whom no mail address is known, by the entries themselves; with the login.
pub fn own_by_mail<'p>(
    network: &Network<'_>,
    opens: &Opens<'_>,
    from: Identity<'p>,
    accounts: &mut Accounts,
) -> Option<(PortSet, &'p str)> {
    let Opens::Accounts(action, entries, _) = opens else {
        return None;
    };
    let login = from.user().filter(|_| !network.knows_mail())?;
    let mut numbers = Vec::new();
    for entry in entries {
        if let Account::OwnName(domain) = entry {
            let number = accounts.number(&joined(&["localpart:*@", domain]));
            numbers.push((number, number));
        }
    }
    let set = PortSet::of_numbers(protocol_of(*action), numbers);
    (!set.is_empty()).then_some((set, login))
}

/// The accounts that a row may open to a source whose login nobody knows: any, where each has its own.
pub fn may_open(opens: &Opens<'_>, from: Identity<'_>) -> Option<PortSet> {
    let Opens::Accounts(action, entries, _) = opens else {
        return None;
    };
    let mut entries = entries.iter();
    let has_own = entries.any(|entry| matches!(entry, Account::OwnName(_)));
    let is_unknown = match from {
        Identity::Unknown => true,
        Identity::Some(kind, _) => is_of_users(kind),
        _ => false,
    };
    (has_own && is_unknown).then(|| every_account(*action))
}

/// Every account, by an action.
pub fn every_account(action: SshAction) -> PortSet {
    PortSet::of_numbers(protocol_of(action), vec![(0, OTHERS)])
}
