//! The structure of a text: its outline, its folds, the ranges to select step by step.
//! Must not live here: the words inside strings (`tokens`).

use crate::hujson::{Document, Kind, Member, Span, Value, tolerant};
use crate::policy::findings::words::joined;
use crate::policy::language::content::StringRole;
use crate::policy::language::dialect::Dialect;
use crate::policy::language::grammar::{Content, Object};
use crate::policy::language::pieces::pieces;
use crate::policy::language::text::PolicyText;
use crate::tables::sort;

use super::answer::{FoldKind, FoldingRange, TextRange};
use super::symbol::{DocumentSymbol, PlainSymbol, SymbolKind};
use super::tokens::comments;

/// The sections of a document with their entries.
#[inline(never)]
pub fn symbols<'t>(text: impl Into<PolicyText<'t>>) -> Vec<DocumentSymbol> {
    let PolicyText { text, dialect } = text.into();
    let read = tolerant(text);
    let mut found = Vec::new();
    for member in read.document.root().members() {
        let name = member.name.as_str().unwrap_or_default();
        let content = Content::document(dialect).member(name);
        found.push(DocumentSymbol {
            children: children(member.value, content),
            ..symbol(member, SymbolKind::Plain(PlainSymbol::Section), None)
        });
    }
    found
}

fn children(value: Value<'_>, content: Content) -> Vec<DocumentSymbol> {
    let mut found = Vec::new();
    for member in value.members() {
        let name = member.name.as_str().unwrap_or_default();
        let (inner, detail) = (content.member(name), summary(member.value));
        let kind = match content.name_role() {
            StringRole::Definition(kind) => SymbolKind::Name(kind),
            StringRole::Key if !matches!(inner, Content::Strings(StringRole::Other)) => {
                SymbolKind::Plain(PlainSymbol::Section)
            }
            _ => continue,
        };
        found.push(symbol(member, kind, detail));
    }
    for element in value.elements() {
        if let (Content::List(object), Kind::Object) = (content, element.kind())
            && !object.is_open
        {
            found.push(rule(element, object));
        }
    }
    found
}

fn symbol(member: Member<'_>, kind: SymbolKind, detail: Option<String>) -> DocumentSymbol {
    let (name, value) = (member.name.span(), member.value.span());
    DocumentSymbol {
        name: member.name.as_str().unwrap_or_default().to_owned(),
        kind,
        detail,
        range: TextRange {
            from: name.start,
            to: value.end.max(name.end),
        },
        selection: name.into(),
        children: Vec::new(),
    }
}

/// The strings of a value, as many as fit.
fn summary(value: Value<'_>) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let mut strings = value.elements().filter_map(Value::as_str);
    let mut text = strings.next()?.to_owned();
    for more in strings {
        text.push_str(", ");
        if text.len() - 2 + more.len() > 60 {
            text.push('…');
            break;
        }
        text.push_str(more);
    }
    Some(text)
}

/// The entry of a rule, named by its sources and destinations, or of a test, named by its source.
fn rule(value: Value<'_>, object: &'static Object) -> DocumentSymbol {
    let content = Content::Object(object);
    let (mut from, mut to, mut detail) = (None, None, None);
    for member in value.members() {
        let Content::Strings(role) = content.member(member.name.as_str().unwrap_or_default())
        else {
            continue;
        };
        let part = match role {
            StringRole::Source
            | StringRole::SshSource
            | StringRole::TestSource
            | StringRole::SshTestSource
            | StringRole::Target => &mut from,
            StringRole::Destination
            | StringRole::DestinationPorts
            | StringRole::SshDestination
            | StringRole::SshTestDestination
            | StringRole::TestDestination
            | StringRole::NodeAttribute => &mut to,
            StringRole::Ip
            | StringRole::Protocol
            | StringRole::TestProtocol
            | StringRole::SshUser => &mut detail,
            _ => continue,
        };
        *part = part.take().or(summary(member.value));
    }
    let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
    let part = match object.section {
        "tests" | "sshTests" => PlainSymbol::Test,
        _ => PlainSymbol::Rule,
    };
    DocumentSymbol {
        name: joined(&[&from, " → ", &to]),
        kind: SymbolKind::Plain(part),
        detail,
        range: value.span().into(),
        selection: value.span().into(),
        children: Vec::new(),
    }
}

/// The folds: everything in brackets, and comments, over more than one line; in the order of the text.
#[inline(never)]
pub fn folding(text: &str) -> Vec<FoldingRange> {
    let read = tolerant(text);
    let mut found = Vec::new();
    fold(read.document.root(), 0, text, &mut found);
    let mut run: Option<Span> = None;
    for comment in comments(&read) {
        let between = |run: Span| text.get(run.end..comment.start).unwrap_or("x");
        let goes_on = |run: &Span| {
            let space = between(*run);
            space.trim().is_empty() && space.matches('\n').count() <= 1
        };
        match run.filter(goes_on) {
            Some(before) => {
                run = Some(Span {
                    start: before.start,
                    end: comment.end,
                });
            }
            None => {
                fold_comment(run.replace(comment), text, &mut found);
            }
        }
    }
    fold_comment(run, text, &mut found);
    sort::sort_by(&mut found, |a, b| a.from.cmp(&b.from));
    found
}

fn fold_comment(run: Option<Span>, text: &str, found: &mut Vec<FoldingRange>) {
    let Some(run) = run else { return };
    let lines = text.get(run.start..run.end).unwrap_or_default();
    if let Some(first) = lines.find('\n') {
        let trimmed = lines.trim_end().len();
        if first < trimmed {
            found.push(FoldingRange {
                from: run.start + first,
                to: run.start + trimmed,
                kind: FoldKind::Comment,
            });
        }
    }
}

fn fold(value: Value<'_>, depth: usize, text: &str, found: &mut Vec<FoldingRange>) {
    if !matches!(value.kind(), Kind::Object | Kind::Array) {
        return;
    }
    let span = value.span();
    let inside = span.start + 1..span.end.saturating_sub(1);
    let is_long = text
        .get(inside.clone())
        .is_some_and(|inside| memchr::memchr(b'\n', inside.as_bytes()).is_some());
    if is_long && depth > 0 {
        let kind = match (depth, value.kind()) {
            (1, _) => FoldKind::Section,
            (_, Kind::Object) => FoldKind::Entry,
            _ => FoldKind::List,
        };
        found.push(FoldingRange {
            from: inside.start,
            to: inside.end,
            kind,
        });
    }
    if !is_long && depth > 0 {
        return;
    }
    for member in value.members() {
        fold(member.value, depth + 1, text, found);
    }
    for element in value.elements() {
        fold(element, depth + 1, text, found);
    }
}

/// The ranges to select around a place, from the inside out: the part of a string, the string, the member, the object or list …
#[inline(never)]
pub fn selection<'t>(text: impl Into<PolicyText<'t>>, offset: usize) -> Vec<TextRange> {
    let PolicyText { text, dialect } = text.into();
    let read = tolerant(text);
    let mut found = vec![Span {
        start: 0,
        end: text.len(),
    }];
    around((&read.document, dialect), offset, &mut found);
    found.reverse();
    found.dedup();
    found.into_iter().map(TextRange::from).collect()
}

fn holds(span: Span, offset: usize) -> bool {
    span.start <= offset && offset <= span.end
}

fn around((document, dialect): (&Document<'_>, Dialect), offset: usize, found: &mut Vec<Span>) {
    let (mut value, mut content) = (document.root(), Content::document(dialect));
    while holds(value.span(), offset) && !value.is_missing() {
        found.push(value.span());
        let member = value.members().find(|member| {
            let whole = Span {
                start: member.name.span().start,
                end: member.value.span().end,
            };
            holds(whole, offset)
        });
        if let Some(member) = member {
            let name = member.name.span();
            found.push(Span {
                start: name.start,
                end: member.value.span().end.max(name.end),
            });
            if holds(name, offset) {
                found.push(name);
                return inside(member.name, content.name_role(), offset, found);
            }
            content = content.member(member.name.as_str().unwrap_or_default());
            value = member.value;
        } else if let Some(element) = value.elements().find(|e| holds(e.span(), offset)) {
            (value, content) = (element, content.element());
        } else {
            return inside(value, content.role(), offset, found);
        }
    }
}

/// The inside of a string, and the part of it at the offset.
fn inside(value: Value<'_>, role: StringRole, offset: usize, found: &mut Vec<Span>) {
    if value.kind() != Kind::String || !holds(value.inside_span(), offset) {
        return;
    }
    found.push(value.inside_span());
    let pieces = pieces(value, role);
    found.extend(
        pieces
            .iter()
            .map(|piece| piece.span)
            .find(|span| holds(*span, offset)),
    );
}
