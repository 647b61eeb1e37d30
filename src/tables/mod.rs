//! What the standard library is too large or too slow for, each with the figure it won: sorting, maps, distinct texts; and
//! what it does not have: lists that are shared, unions that are known.
//! Must not live here: what is sorted or kept, and why.

pub(crate) mod index;
pub(crate) mod shared;
pub(crate) mod sort;
pub(crate) mod spans;
pub(crate) mod texts;
pub(crate) mod unions;
