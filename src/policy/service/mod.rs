//! The language service: what an editor asks about the text of a policy, at places counted in bytes.
//!
//! Each verb takes a text, however broken, and keeps nothing. Must not live here: editors, what the document means (the
//! verbs beside this room), offsets in UTF-16 (`bindings`, by way of [`Placed`]).

mod answer;
mod names;
mod outline;
mod tokens;

pub use answer::{
    DocumentSymbol, FoldKind, FoldingRange, Placed, Reference, Renameable, SymbolKind, TextEdit,
    TextRange, Token, TokenType,
};
pub use names::{definition, references, rename_at, renameable};
pub use outline::{folding, selection, symbols};
pub use tokens::tokens;
