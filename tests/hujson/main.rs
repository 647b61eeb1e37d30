//! HuJSON: a file for each part of `src/hujson`, `verbs` for the results of a text, `patch` for changes; and `texts`, which
//! generates documents for the laws. Must not live here: tests.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/effort.rs"]
mod effort;

mod format;
mod json5;
mod parse;
mod patch;
mod scan;
mod texts;
mod tolerant;
mod verbs;
