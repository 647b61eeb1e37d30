//! Policies: a file for each part of `src/policy`, and `documents` that say which findings they have. Must not live here: tests,
//! laws over random policies (`tests/policy_laws`), recordings of the real service (`tests/recorded`).
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/companies.rs"]
mod companies;
#[path = "../common/effort.rs"]
mod effort;
#[path = "../common/random/mod.rs"]
mod random;

mod access;
mod access_options;
mod attributes;
mod cells;
mod changes;
mod check;
mod compared;
mod declared;
mod devices;
mod dialect;
mod diff_access;
mod diff_ssh;
mod differences;
mod edit;
mod explain;
mod external;
mod filters;
mod headscale;
mod hosted;
mod language;
mod logins;
mod lone;
mod matrix;
mod moved;
mod parts;
mod powers;
mod preview;
mod prove;
mod question;
mod rename;
mod repair;
mod review;
mod schema;
mod service;
mod silence;
mod ssh;
mod summaries;
mod synced_groups;
mod texts;
mod translate;
mod untrue;
mod unusable;
mod verbs;
mod worded;
