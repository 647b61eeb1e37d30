//! Replacements for what is too large or too slow in the standard library, each with the size or time it saves: sorting, maps,
//! distinct texts, text search, Base64, the calendar; and what it does not have: shared lists, numbers in groups,
//! stored unions.
//! Must not live here: what is sorted or stored, and why.

pub(crate) mod apart;
pub(crate) mod base64;
pub(crate) mod calendar;
pub(crate) mod common;
pub(crate) mod find;
pub(crate) mod grouped;
pub(crate) mod index;
pub(crate) mod shared;
pub(crate) mod sort;
pub(crate) mod spans;
pub(crate) mod texts;
pub(crate) mod unions;
