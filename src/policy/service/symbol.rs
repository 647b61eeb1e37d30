//! The outline as the service answers it: entries with their children.
//! Must not live here: how it is made (`outline`), the other answers (`answer`).

use serde::Serialize;

use super::answer::{Placed, TextRange};
use crate::policy::language::content::NameKind;

/// An entry of the outline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DocumentSymbol {
    /// The name that the outline shows.
    pub name: String,
    /// The kind of the entry.
    pub kind: SymbolKind,
    /// Its content in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// All of it.
    pub range: TextRange,
    /// The range to select when it is chosen.
    pub selection: TextRange,
    /// The entries in it.
    pub children: Vec<DocumentSymbol>,
}

impl Placed for DocumentSymbol {
    fn places(&mut self, count: &mut dyn FnMut(&mut usize)) {
        self.range.places(count);
        self.selection.places(count);
        self.children.places(count);
    }
}

/// The kind of an entry of the outline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase", untagged)]
#[non_exhaustive]
pub enum SymbolKind {
    /// A name.
    Name(NameKind),
    /// Anything else.
    Plain(PlainSymbol),
}

impl SymbolKind {
    /// All of them, each at its number.
    pub fn all() -> Vec<SymbolKind> {
        let parts =
            [PlainSymbol::Section, PlainSymbol::Rule, PlainSymbol::Test].map(SymbolKind::Plain);
        NameKind::ALL
            .map(SymbolKind::Name)
            .into_iter()
            .chain(parts)
            .collect()
    }

    /// Its number.
    pub const fn number(self) -> u32 {
        match self {
            SymbolKind::Name(kind) => kind as u32,
            SymbolKind::Plain(part) => NameKind::ALL.len() as u32 + part as u32,
        }
    }
}

/// A part of a document that has no name itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PlainSymbol {
    /// A member of the document.
    Section,
    /// An entry of a list of rules.
    Rule,
    /// An entry of a list of tests.
    Test,
}
