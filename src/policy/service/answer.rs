//! What the service answers: ranges in bytes of the text, which [`Placed`] turns into those of an editor.
//! Must not live here: how an answer comes about.

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

/// Answers that stand at a `from` and a `to`.
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

/// A stretch of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TextRange {
    /// The first byte.
    pub from: usize,
    /// The byte behind the last.
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

/// A text that is put in place of a stretch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct TextEdit {
    /// The first byte that goes.
    pub from: usize,
    /// The byte behind the last that goes.
    pub to: usize,
    /// What is put there.
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
    /// What it is called.
    pub name: String,
    /// What it names.
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

/// What can be folded away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct FoldingRange {
    /// Behind the opening bracket, or the first line of comments.
    pub from: usize,
    /// Before the closing bracket, or behind the last comment.
    pub to: usize,
    /// What it is.
    pub kind: FoldKind,
}

/// What is folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FoldKind {
    /// What a member of the document holds.
    Section,
    /// An object further inside.
    Entry,
    /// A list further inside.
    List,
    /// Comments over several lines.
    Comment,
}

/// A stretch of the text that is of one kind.
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

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase", untagged)]
pub enum TokenType {
    /// A name.
    Name(NameKind),
    /// Any other.
    Plain(PlainToken),
}

/// A token that is no name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
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
    /// What is no HuJSON.
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

/// What may be written at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CompletionList {
    /// The first byte that an item replaces.
    pub from: usize,
    /// The byte behind the last.
    pub to: usize,
    /// In the order of use.
    pub items: Vec<CompletionItem>,
}

/// One thing to write.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CompletionItem {
    /// What it is called.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// What is put into the text.
    pub insert: String,
    /// Whether `insert` has `${1:places}` to fill in.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub snippet: bool,
    /// A few words beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// More of it, in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
}

/// What a completion is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase", untagged)]
pub enum CompletionKind {
    /// A name.
    Name(NameKind),
    /// Any other.
    Plain(PlainItem),
}

/// A completion that is no name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
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
    /// A word of the language, or of the writer.
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

/// Something to do to the text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Action {
    /// What it does, in words.
    pub title: String,
    /// Why one would.
    pub kind: ActionKind,
    /// What changes, ascending.
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

/// Why something is done to a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// An issue is removed.
    Fix,
    /// The text is better afterwards, and means the same or more.
    Refactor,
}

/// An issue with its place and what can be done about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diagnostic {
    /// The issue, as `check` has it.
    #[serde(flatten)]
    pub issue: Issue,
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What removes it.
    pub fixes: Vec<Action>,
}

impl Placed for Diagnostic {
    fn places(&mut self, count: &mut dyn FnMut(&mut usize)) {
        count(&mut self.from);
        count(&mut self.to);
        self.fixes.places(count);
    }
}

/// What there is to know of a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hover {
    /// Where what it is about begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What there is to know.
    pub markdown: String,
}

/// A remark between the words of the text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Inlay {
    /// Where it stands.
    pub at: usize,
    /// What it says.
    pub text: String,
    /// What it is about.
    pub kind: InlayKind,
    /// More of it.
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
pub enum InlayKind {
    /// What a selector stands for.
    Resolves,
    /// How a test ends.
    Test,
    /// That nothing can use a rule.
    Unreached,
}
