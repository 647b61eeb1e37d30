//! The reader of the other dialect: from the HuJSON tree to the same typed policy, with the faults in the words of its decoder.
//! Must not live here: whether what was read makes sense (`validate`), what a policy means.

mod decode;
mod fields;
pub(crate) mod grammar;
pub(crate) mod ports;
mod sections;
pub(crate) mod selectors;
mod tables;

pub(super) use sections::HEADSCALE_READER;
