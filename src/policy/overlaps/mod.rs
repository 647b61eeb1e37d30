//! Tests of a document as Headscale runs them: prefix by prefix, where an overlap is enough.
//! Must not live here: how the service runs them (`run_tests`, `run_ssh_tests`), what a refusal joins.

mod rules;
mod sets;
mod ssh_tests;
mod tests;

pub(super) use ssh_tests::run_ssh_tests;
pub(super) use tests::run_tests;
