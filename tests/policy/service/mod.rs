//! The language service of editors: a file for each part of `src/policy/service`. Must not live here: tests.

mod actions;
mod complete;
mod diagnostics;
mod outline;
