//! The answers of the service: their ranges are in bytes of the text, which [`Placed`] converts to those of an editor.
//! Must not live here: how an answer is made.

use serde::Serialize;

use crate::hujson::{Issue, Span, Splice};
use crate::policy::language::content::NameKind;
use crate::policy::language::pieces::PieceKind;

/// An answer whose places can be counted in another way.
pub trait Placed {
    /// Hands over each place in it.
    fn places(&mut self, count: &mut dyn FnMut(&mut usize));
}

impl<T: Placed> Placed for Vec<T> {
    fn places(&mut self, count: &mut dyn FnMut(&mut usize)) {
        for item in self {
            item.places(count);
        }
    }
}

impl<T: Placed> Placed for Option<T> {
    fn places(&mut self, count: &mut dyn FnMut(&mut usize)) {
        if let Some(item) = self {
            item.places(count);
        }
    }
}

/// Answers with a `from` and a `to`.
macro_rules! placed {
    ($($name:ident)*) => {
        $(impl Placed for $name {
            fn places(&mut self, count: &mut dyn FnMut(&mut usize)) {
                count(&mut self.from);
                count(&mut self.to);
            }
        })*
    };
}

placed! { TextRange TextEdit Renameable Reference FoldingRange Token CompletionList Hover }

/// A range of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TextRange {
    /// The first byte.
    pub from: usize,
    /// The byte after the last.
    pub to: usize,
}

impl TextRange {
    /// Whether both have a place in common, ends included.
    pub(super) fn touches(self, span: Span) -> bool {
        span.start <= self.to && self.from <= span.end
    }
}

impl From<Span> for TextRange {
    fn from(span: Span) -> TextRange {
        TextRange {
            from: span.start,
            to: span.end,
        }
    }
}

/// A text that replaces a range.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct TextEdit {
    /// The first byte to remove.
    pub from: usize,
    /// The byte after the last to remove.
    pub to: usize,
    /// The text to insert.
    pub insert: String,
}

impl From<Splice> for TextEdit {
    fn from(splice: Splice) -> TextEdit {
        TextEdit {
            from: splice.span.start,
            to: splice.span.end,
            insert: splice.insert,
        }
    }
}

/// A name that can be renamed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Renameable {
    /// Where it stands.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The name.
    pub name: String,
    /// The kind of thing that it names.
    pub kind: NameKind,
}

/// A place of a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reference {
    /// Where it stands.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Whether it is defined here.
    pub definition: bool,
    /// JSON Pointer of the value.
    pub pointer: String,
}

/// A range that can be folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct FoldingRange {
    /// After the opening bracket, or after the first line of comments.
    pub from: usize,
    /// Before the closing bracket, or after the last comment.
    pub to: usize,
    /// The kind of the fold.
    pub kind: FoldKind,
}

/// The kind of a fold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FoldKind {
    /// The value of a member of the document.
    Section,
    /// An object further inside.
    Entry,
    /// A list further inside.
    List,
    /// Comments over several lines.
    Comment,
}

/// A range of the text that is of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Token {
    /// The first byte.
    pub from: usize,
    /// The byte behind the last.
    pub to: usize,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: TokenType,
    /// Whether a name is defined here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub definition: bool,
}

/// The type of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase", untagged)]
#[non_exhaustive]
pub enum TokenType {
    /// A name.
    Name(NameKind),
    /// Any other.
    Plain(PlainToken),
}

/// A token that is not a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PlainToken {
    /// A comment.
    Comment,
    /// The name of a member.
    Key,
    /// A string, or what is left of one.
    String,
    /// A number.
    Number,
    /// `true`, `false`, `null`.
    Literal,
    /// A bracket, a comma, a colon.
    Punctuation,
    /// Text that is not HuJSON.
    Invalid,
    /// A login.
    User,
    /// An autogroup.
    Autogroup,
    /// `*`.
    Any,
    /// An address, a prefix, a range.
    Address,
    /// Ports.
    Port,
    /// A protocol.
    Protocol,
    /// A capability.
    Capability,
    /// An attribute.
    Attribute,
    /// An operator.
    Operator,
}

impl TokenType {
    /// All of them, each at its number.
    pub fn all() -> Vec<TokenType> {
        use PlainToken::{
            Address, Any, Attribute, Autogroup, Capability, Comment, Invalid, Key, Literal, Number,
            Operator, Port, Protocol, Punctuation, String, User,
        };
        let names = NameKind::ALL.map(TokenType::Name);
        let plain = [
            Comment,
            Key,
            String,
            Number,
            Literal,
            Punctuation,
            Invalid,
            User,
            Autogroup,
            Any,
            Address,
            Port,
            Protocol,
            Capability,
            Attribute,
            Operator,
        ];
        let plain = plain.map(TokenType::Plain);
        names.into_iter().chain(plain).collect()
    }

    /// Its number.
    pub const fn number(self) -> u32 {
        match self {
            TokenType::Name(kind) => kind as u32,
            TokenType::Plain(kind) => NameKind::ALL.len() as u32 + kind as u32,
        }
    }
}

impl From<PieceKind> for TokenType {
    fn from(kind: PieceKind) -> TokenType {
        TokenType::Plain(match kind {
            PieceKind::Name(kind) => return TokenType::Name(kind),
            PieceKind::User => PlainToken::User,
            PieceKind::Autogroup => PlainToken::Autogroup,
            PieceKind::Any => PlainToken::Any,
            PieceKind::Address => PlainToken::Address,
            PieceKind::Port => PlainToken::Port,
            PieceKind::Protocol => PlainToken::Protocol,
            PieceKind::Capability => PlainToken::Capability,
            PieceKind::Attribute => PlainToken::Attribute,
            PieceKind::Operator => PlainToken::Operator,
            PieceKind::Text => PlainToken::String,
        })
    }
}

/// The completions at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CompletionList {
    /// The first byte that an item replaces.
    pub from: usize,
    /// The byte behind the last.
    pub to: usize,
    /// The items, the likeliest first.
    pub items: Vec<CompletionItem>,
}

/// A completion.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CompletionItem {
    /// The text that the list shows.
    pub label: String,
    /// The kind of the item.
    pub kind: CompletionKind,
    /// The text to insert.
    pub insert: String,
    /// Whether `insert` has `${1:places}` to fill in.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub snippet: bool,
    /// A few words beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// A longer description, in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
}

/// The kind of a completion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase", untagged)]
#[non_exhaustive]
pub enum CompletionKind {
    /// A name.
    Name(NameKind),
    /// Any other.
    Plain(PlainItem),
}

/// A completion that is not a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PlainItem {
    /// A key of the language.
    Key,
    /// A login.
    User,
    /// A device, by an address.
    Device,
    /// An autogroup.
    Autogroup,
    /// An address, a prefix, `*`.
    Address,
    /// A protocol.
    Protocol,
    /// A port.
    Port,
    /// A capability.
    Capability,
    /// An attribute.
    Attribute,
    /// An operator.
    Operator,
    /// A word of the language, or one that the document uses.
    Value,
    /// A whole rule.
    Rule,
}

impl From<PieceKind> for CompletionKind {
    fn from(kind: PieceKind) -> CompletionKind {
        CompletionKind::Plain(match kind {
            PieceKind::Name(kind) => return CompletionKind::Name(kind),
            PieceKind::User => PlainItem::User,
            PieceKind::Autogroup => PlainItem::Autogroup,
            PieceKind::Any | PieceKind::Address => PlainItem::Address,
            PieceKind::Port => PlainItem::Port,
            PieceKind::Protocol => PlainItem::Protocol,
            PieceKind::Capability => PlainItem::Capability,
            PieceKind::Attribute => PlainItem::Attribute,
            PieceKind::Operator => PlainItem::Operator,
            PieceKind::Text => PlainItem::Value,
        })
    }
}

/// A change of the text that can be made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Action {
    /// What it does.
    pub title: String,
    /// The reason for it.
    pub kind: ActionKind,
    /// The edits, ascending.
    pub edits: Vec<TextEdit>,
    /// The code of the issue that it removes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixes: Option<&'static str>,
    /// Whether it is the one to offer first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub preferred: bool,
}

impl Placed for Action {
    fn places(&mut self, count: &mut dyn FnMut(&mut usize)) {
        self.edits.places(count);
    }
}

/// The reason for an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ActionKind {
    /// It removes an issue.
    Fix,
    /// It improves the text, which means the same afterwards, or has a test more.
    Refactor,
}

/// An issue with its place and its fixes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diagnostic {
    /// The issue, as in the answer of `check`.
    #[serde(flatten)]
    pub issue: Issue,
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The actions that remove it.
    pub fixes: Vec<Action>,
}

impl Placed for Diagnostic {
    fn places(&mut self, count: &mut dyn FnMut(&mut usize)) {
        count(&mut self.from);
        count(&mut self.to);
        self.fixes.places(count);
    }
}

/// The explanation of a word.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hover {
    /// Where the word begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The explanation.
    pub markdown: String,
}

/// A remark between the words of the text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Inlay {
    /// Its place.
    pub at: usize,
    /// Its text.
    pub text: String,
    /// What it is about.
    pub kind: InlayKind,
    /// A longer text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tooltip: Option<String>,
}

impl Placed for Inlay {
    fn places(&mut self, count: &mut dyn FnMut(&mut usize)) {
        count(&mut self.at);
    }
}

/// What a remark is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum InlayKind {
    /// The devices or people that a selector means.
    Resolves,
    /// The result of a test.
    Test,
    /// That nothing can use a rule.
    Unreached,
}
