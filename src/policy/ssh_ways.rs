//! As which accounts, and how, one may log in from one place to another: what one document opens and another does not.
//! Must not live here: the places.

use super::language::login::SshAction;
use super::tailnet::identity::Answer;
use crate::tables::sort;

/// What one rule opens between two ends.
pub struct Opened {
    /// Whether it opens it.
    pub answer: Answer,
    /// The rule, by index.
    pub door: usize,
    /// Whether it needs a check of identity.
    pub action: SshAction,
    /// One of these postures is needed; `None` if none is.
    pub postures: Vec<Option<usize>>,
    /// The accounts, by their numbers.
    pub accounts: Vec<usize>,
}

/// The numbers of accounts with a meaning.
#[derive(Clone, Copy)]
pub struct Special {
    /// `root`
    pub root: usize,
    /// Any other.
    pub nonroot: usize,
}

impl Special {
    /// Whether accounts, as a rule lists them, include one.
    fn hold(self, accounts: &[usize], account: usize) -> bool {
        accounts.contains(&account) || account != self.root && accounts.contains(&self.nonroot)
    }
}

/// Logins with one action.
#[derive(Debug)]
pub struct Only {
    /// The action.
    pub action: SshAction,
    /// The accounts, ascending; without those covered by `autogroup:nonroot` among them.
    pub accounts: Vec<usize>,
    /// The rules, ascending.
    pub doors: Vec<usize>,
    /// Whether the other document opens some of it at a part of the destination.
    pub partly: bool,
}

/// One way to log in as an account: with or without a check, with a posture or without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Way {
    action: SshAction,
    posture: Option<usize>,
    door: usize,
}

impl Way {
    /// Whether one of the other ways allows at least the same.
    fn is_served_by(self, others: &[Way]) -> bool {
        let mut others = others.iter();
        others.any(|other| other.action == self.action && other.is_open_to(self))
    }

    /// Whether it needs no more than another.
    fn is_open_to(self, other: Way) -> bool {
        self.posture.is_none() || self.posture == other.posture
    }
}

/// What the first opens for certain and the second does not, by action.
#[inline(never)]
pub fn only(own: &[Opened], other: &[Opened], special: Special) -> Vec<Only> {
    let mut accounts: Vec<usize> = Vec::new();
    for opened in own.iter().chain(other) {
        accounts.extend_from_slice(&opened.accounts);
    }
    sort::sort(&mut accounts);
    accounts.dedup();
    let mut found = Vec::new();
    for action in [SshAction::Check, SshAction::Accept] {
        let mut only = Only {
            action,
            accounts: Vec::new(),
            doors: Vec::new(),
            partly: false,
        };
        for &account in &accounts {
            let theirs = ways(other, (special, account), Answer::Yes);
            let mut ours = ways(own, (special, account), Answer::Yes);
            ours.retain(|way| way.action == action && !way.is_served_by(&theirs));
            if !ours.is_empty() {
                only.accounts.push(account);
                only.doors.extend(ours.iter().map(|way| way.door));
                let perhaps = ways(other, (special, account), Answer::Unknown);
                only.partly |= ours.iter().any(|way| way.is_served_by(&perhaps));
            }
        }
        if only.accounts.contains(&special.nonroot) {
            let Special { root, nonroot } = special;
            only.accounts
                .retain(|account| [root, nonroot].contains(account));
        }
        sort::sort(&mut only.doors);
        only.doors.dedup();
        if !only.accounts.is_empty() {
            found.push(only);
        }
    }
    found
}

/// The ways to log in as an account: a check comes before a login without one, and a way without a posture
/// includes the same way with one.
fn ways(opened: &[Opened], (special, account): (Special, usize), least: Answer) -> Vec<Way> {
    let mut all: Vec<Way> = Vec::new();
    for opened in opened {
        if opened.answer >= least && special.hold(&opened.accounts, account) {
            for &posture in &opened.postures {
                all.push(Way {
                    action: opened.action,
                    posture,
                    door: opened.door,
                });
            }
        }
    }
    let is_kept = |way: &&Way| {
        !all.iter().any(|other| match (other.action, way.action) {
            (SshAction::Check, SshAction::Accept) => other.is_open_to(**way),
            (SshAction::Accept, SshAction::Check) => false,
            _ => other.posture.is_none() && way.posture.is_some(),
        })
    };
    all.iter().filter(is_kept).copied().collect()
}
