//! What questions about several readings share. Must not live here: who reaches whom (reach.rs).

use super::accounts::Accounts;
use super::condition::Conditions;
use super::reading::Reading;
use super::rows::{Rows, Sets};

/// What questions about several readings share: each set, term and account once.
#[derive(Default)]
pub struct Shared<'p> {
    /// The sets of ports and accounts.
    pub sets: Sets,
    /// The conditions.
    pub conditions: Conditions<'p>,
    /// The accounts.
    pub accounts: Accounts,
}

impl<'p> Shared<'p> {
    /// The rows of a reading, which of two it is by `at`.
    pub fn rows(&mut self, reading: &Reading<'p>, at: usize) -> Rows<'p> {
        match reading.ssh {
            Some(ssh) => ssh.rows(reading.network.policy, at, &mut self.conditions),
            None => Rows::of_network(reading.judge, at, &mut self.sets, &mut self.conditions),
        }
    }
}
