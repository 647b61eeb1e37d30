//! The language service: answers to an editor's questions about the text of a policy, with places counted in bytes.
//!
//! Each verb takes any text, even a broken one, and keeps nothing between calls.
//!
//! ```
//! use tailnet_kit::policy::{PolicyContext, service};
//!
//! let text = r#"{"groups": {"group:dev": []}, "acls": [{"src": [""#; // still being typed
//! let list = service::complete(text, text.len(), &PolicyContext::default());
//! assert!(list.items.iter().any(|item| item.label == "group:dev"));
//! ```
// Must not live here: editors, what the document means (the verbs beside this room), offsets in UTF-16 (`crates/wasm`, through
// [`Placed`]).

mod actions;
mod answer;
mod candidates;
mod complete;
mod diagnostics;
mod fixes;
mod hover;
mod inlay;
mod names;
mod opened;
mod outline;
mod ranked;
mod resolved;
mod spot;
mod symbol;
mod tokens;
mod uses;

pub use actions::actions;
pub use answer::{
    Action, ActionKind, CompletionItem, CompletionKind, CompletionList, Diagnostic, FoldKind,
    FoldingRange, Hover, Inlay, InlayKind, Placed, Reference, Renameable, TextEdit, TextRange,
    Token, TokenType,
};
pub use complete::complete;
pub use diagnostics::diagnostics;
pub use hover::hover;
pub use inlay::inlay;
pub use names::{definition, references, rename_at, renameable};
pub use outline::{folding, selection, symbols};
pub use symbol::{DocumentSymbol, SymbolKind};
pub use tokens::tokens;
