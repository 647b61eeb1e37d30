//! What the standard library is too large or too slow for, each with the figure it won: sorting, maps, distinct texts,
//! texts in texts, Base64; and what it does not have: lists that are shared, unions that are known.
//! Must not live here: what is sorted or kept, and why.

pub(crate) mod base64;
pub(crate) mod common;
pub(crate) mod find;
pub(crate) mod index;
pub(crate) mod shared;
pub(crate) mod sort;
pub(crate) mod spans;
pub(crate) mod texts;
pub(crate) mod unions;
