//! What there is to say about a document: findings with their places, the words for them, and whose words they are.
//! Must not live here: what is checked.

pub mod finding;
mod origin;
pub mod words;
