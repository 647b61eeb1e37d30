//! Findings on a document, with their positions, their words, and where the words come from.
//! Must not live here: what is checked.

pub mod finding;
pub mod hint;
pub mod words;
