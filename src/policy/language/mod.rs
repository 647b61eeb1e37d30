//! What a policy says: the typed document and everything it is made of, read from the tree of the text.
//! Must not live here: whom a name means in a tailnet, what follows from the rules.

pub mod content;
pub mod dialect;
pub mod document;
pub mod duration;
pub mod grammar;
pub mod grammars;
pub(crate) mod headscale;
pub mod json;
pub mod keys;
pub(crate) mod known;
pub mod login;
pub mod opening;
pub mod pieces;
pub mod places;
pub mod port_hints;
pub mod port_set;
pub mod ports;
pub mod posture;
pub mod read;
pub mod reader;
pub mod rule;
pub mod selector;
pub mod text;
