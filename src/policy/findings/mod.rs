//! What there is to say about a document: findings with their places, and the words for them.
//! Must not live here: what is checked.

pub mod finding;
pub mod words;
