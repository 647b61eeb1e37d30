//! What answers editors: a file for each of `src/policy/service`. Must not live here: tests.

mod actions;
mod complete;
mod diagnostics;
mod outline;
