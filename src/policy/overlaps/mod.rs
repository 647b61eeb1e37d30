//! Tests of a document as Headscale runs them: prefix by prefix, where an overlap is enough.
//! Must not live here: how the service runs them (`run_tests`, `run_ssh_tests`), what a refusal joins.

mod logins;
mod rules;
mod sets;
mod ssh_tests;
mod tests;

use crate::policy::language::rule::Lines;
use crate::policy::tailnet::network::Network;
use crate::policy::test_report::TestResult;
use crate::tables::apart::Apart;

/// Runs the entries of a section, and adds how each ended.
type Run = fn(&Network<'_>, &mut Lines<'_>, &mut Vec<TestResult>);

/// Runs `tests`.
pub(super) static HEADSCALE_TESTS: Apart<Run> = Apart::new(tests::run_tests);
/// Runs `sshTests`.
pub(super) static HEADSCALE_SSH_TESTS: Apart<Run> = Apart::new(ssh_tests::run_ssh_tests);
