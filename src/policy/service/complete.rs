//! Completion: the items for a place and the range that they replace, also inside broken text.
//! Must not live here: which names and words there are (`candidates`), where a place is (`spot`).

use crate::hujson::{Kind, Value, inside_of, string_of, tolerant};
use crate::policy::findings::words::joined;
use crate::policy::language::content::StringRole;
use crate::policy::language::grammar::{Content, KeySpec, Object};
use crate::policy::language::pieces::{PieceKind, host_and_ports, pieces};
use crate::policy::tailnet::context::PolicyContext;
use crate::tables::find::replace;

use super::answer::{CompletionItem, CompletionKind, CompletionList, PlainItem};
use super::candidates::Candidates;
use super::ranked::{CompletionQuery, StringPart, is_meant};
use super::spot::{Spot, spot};
use super::tokens::{ends_in_comment, significant};
use super::uses::Uses;

/// How many items a list has at most: nobody reads more.
const MOST: usize = 500;

/// The completions at an offset, the likeliest first.
#[inline(never)]
pub fn complete(text: &str, offset: usize, context: &PolicyContext) -> CompletionList {
    let context = &*context.known_for(text);
    let dialect = context.dialect_of(text);
    let read = tolerant(text);
    let mut list = CompletionList {
        from: offset,
        to: offset,
        items: Vec::new(),
    };
    let spot = spot(&read.document, dialect, offset);
    if spot.value.is_none() && ends_in_comment(text, spot.gap, offset) {
        return list;
    }
    let hole = spot.value.map(Value::span);
    let place = Written::of(&spot, text, offset);
    (list.from, list.to) = (place.from, place.to);
    let lead = if place.lead { ", " } else { "" };
    list.items = match (spot.content, spot.is_name) {
        (Content::Object(object), true) => keys(object, &spot, &place),
        (Content::List(object), false) if !object.is_open => rules(object, false, &place),
        (Content::Object(object), false) if !object.is_open => match spot.in_list {
            true => rules(object, true, &place),
            false => Vec::new(),
        },
        (content, is_name) => {
            let uses = Uses::of((&read.document, dialect), spot.role(), hole);
            let asked = CompletionQuery {
                role: spot.role(),
                part: place.part,
                present: &beside(&spot, is_name),
                typed: text.get(list.from..offset).unwrap_or_default(),
                most: MOST,
            };
            let found = Candidates::of(&uses, (context, dialect), &asked);
            let items = found.into_iter();
            items
                .map(|item| place.written(item, content, is_name))
                .collect()
        }
    };
    let typed = text.get(list.from..offset).unwrap_or_default();
    list.items.retain(|item| is_meant(&item.label, typed));
    for item in &mut list.items {
        item.insert.insert_str(0, lead);
    }
    list
}

/// The neighbours of a place: the other strings of its list, or the other names of its object.
fn beside<'d>(spot: &Spot<'d>, is_name: bool) -> Vec<&'d str> {
    let Some(holder) = spot.holder else {
        return Vec::new();
    };
    let own = spot.value.map(Value::span);
    let others = |value: &Value<'d>| Some(value.span()) != own;
    let names = holder.members().map(|member| member.name);
    let parts: Vec<Value<'d>> = match is_name {
        true => names.filter(others).collect(),
        false => holder.elements().filter(others).collect(),
    };
    parts.into_iter().filter_map(Value::as_str).collect()
}

/// How an item is written at a place.
struct Written<'d> {
    from: usize,
    to: usize,
    part: StringPart<'d>,
    /// Whether there are quotes before and after the replaced range.
    opened: bool,
    closed: bool,
    /// Whether a colon follows.
    colon: bool,
    /// Whether a comma is needed before it, and after it.
    lead: bool,
    comma: bool,
    /// Whether it needs a list around it.
    wraps: bool,
    /// Whether it needs ports.
    ports: bool,
}

impl<'d> Written<'d> {
    fn of(spot: &Spot<'d>, text: &'d str, offset: usize) -> Written<'d> {
        let mut place = Written {
            from: offset,
            to: offset,
            part: StringPart::Whole,
            opened: false,
            closed: false,
            colon: false,
            lead: false,
            comma: false,
            wraps: !spot.is_name && !spot.in_list && !spot.role().is_single(),
            ports: spot.role().has_ports(),
        };
        if let Some(value) = spot.value {
            place.wraps = false;
            place.replace(value, spot.role(), offset);
        } else {
            let before = text.get(..offset).unwrap_or_default().trim_end();
            place.lead = spot.holder.is_some() && !before.ends_with(['[', '{', ',', ':', '/']);
        }
        let behind = significant(text, place.to + usize::from(place.closed));
        place.colon = behind == Some(b':');
        // A name that has its closing quote gets its value after that quote.
        if spot.is_name && place.closed && !place.colon {
            (place.to, place.closed) = (place.to + 1, false);
        }
        place.comma = spot.holder.is_some() && !matches!(behind, Some(b',' | b':'));
        place
    }

    /// Takes the place of a string, or of the part of it at the offset.
    fn replace(&mut self, value: Value<'d>, role: StringRole, offset: usize) {
        let (span, inside) = (value.span(), value.inside_span());
        self.opened = value.kind() == Kind::String && inside.start > span.start;
        self.closed = self.opened && inside.end < span.end;
        (self.from, self.to) = (inside.start, inside.end);
        if !self.opened {
            return;
        }
        let string = value.as_str().unwrap_or_default();
        let at = offset.saturating_sub(inside.start).min(string.len());
        match role {
            StringRole::DestinationPorts | StringRole::TestDestination => {
                self.destination(value, string, at)
            }
            StringRole::Operation => {
                let operator = ["add ", "remove "]
                    .into_iter()
                    .find(|o| string.starts_with(o));
                if let Some(operator) = operator.filter(|operator| operator.len() <= at) {
                    self.part = StringPart::Operand;
                    self.from = value.byte_of(operator.len());
                }
            }
            StringRole::Condition => self.condition(value, offset),
            _ => {}
        }
    }

    fn destination(&mut self, value: Value<'d>, string: &str, at: usize) {
        let (host, ports) = host_and_ports(string);
        let Some(ports) = ports else { return };
        self.ports = false;
        let start = string.len() - ports.len();
        if at < start {
            self.to = value.byte_of(host.len());
            // No quote follows, and nothing more is needed.
            self.closed = true;
            return;
        }
        self.part = StringPart::Ports;
        let before = string.get(start..at).unwrap_or_default();
        let first = before.rfind(',').map_or(start, |comma| start + comma + 1);
        let behind = string.get(at..).unwrap_or_default();
        let last = behind.find(',').map(|comma| at + comma);
        self.from = value.byte_of(first);
        if let Some(last) = last {
            self.to = value.byte_of(last);
            self.closed = true;
        }
    }

    fn condition(&mut self, value: Value<'d>, offset: usize) {
        let parts = pieces(value, StringRole::Condition);
        let before = |kind| {
            let mut parts = parts.iter();
            parts.find(|piece| piece.kind == kind && piece.span.end < offset)
        };
        let Some(attribute) = before(PieceKind::Attribute) else {
            return;
        };
        self.part = StringPart::Operator;
        let mut from = attribute.span.end;
        if let Some(operator) = before(PieceKind::Operator) {
            self.part = StringPart::Value(attribute.text);
            from = operator.span.end;
        }
        let raw = value.raw();
        let start = value.span().start;
        let typed = raw.get(from - start..offset - start).unwrap_or_default();
        self.from = from + typed.len() - typed.trim_start().len();
    }

    /// An item with the quotes, the list and the commas that it needs here.
    fn written(&self, mut item: CompletionItem, content: Content, is_name: bool) -> CompletionItem {
        if is_name {
            return self.name(item, content);
        }
        if content.role() == StringRole::Flag {
            return item;
        }
        let mut inside = inside_of(&item.insert);
        if self.ports && self.part == StringPart::Whole {
            item.snippet = true;
            inside = joined(&[&escaped(&inside), ":${1:*}"]);
        }
        let open = if self.opened { "" } else { "\"" };
        let close = if self.closed { "" } else { "\"" };
        let whole = joined(&[open, &inside, close]);
        item.insert = match self.wraps {
            true => joined(&["[", &whole, "]"]),
            false => whole,
        };
        item
    }

    /// A key of the language, with its description.
    fn key(
        &self,
        name: &str,
        (object, key): (&Object, &KeySpec),
        content: Content,
    ) -> CompletionItem {
        let item = CompletionItem {
            label: name.to_owned(),
            kind: CompletionKind::Plain(PlainItem::Key),
            insert: name.to_owned(),
            snippet: false,
            detail: None,
            documentation: Some(object.doc(key).to_owned()),
        };
        self.name(item, content)
    }

    /// A name with its colon and value.
    fn name(&self, mut item: CompletionItem, content: Content) -> CompletionItem {
        let quoted = string_of(&item.insert);
        let inside = quoted.get(1..).unwrap_or_default();
        let from_inside = if self.opened { inside } else { quoted.as_str() };
        let is_prefix = item.insert.ends_with(':');
        item.insert = match self.closed {
            true => (from_inside.strip_suffix('"').unwrap_or(from_inside)).to_owned(),
            false => from_inside.to_owned(),
        };
        // Where there is a colon, there is a value.
        if self.colon {
            return item;
        }
        item.snippet = true;
        let comma = if self.comma { "," } else { "" };
        let value = value_of(content.member(&item.label));
        let mut name = escaped(&item.insert);
        if is_prefix {
            name = replace(&name, ":\"", ":${1:NAME}\"");
        }
        item.insert = joined(&[&name, ": ", value, comma]);
        item
    }
}

/// A text escaped for a snippet.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '$' | '}' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The first text of a value.
fn value_of(content: Content) -> &'static str {
    match content {
        Content::List(object) if object.is_open => "[\n\t{$0}\n]",
        Content::List(_) => "[\n\t$0\n]",
        Content::Object(_) | Content::Table(..) | Content::Each(..) => "{$0}",
        Content::App => "{\"${1:DOMAIN/PATH}\": [{$0}]}",
        Content::Parameters => "[{$0}]",
        Content::Strings(StringRole::AclAction) => "\"accept\"",
        Content::Strings(StringRole::Flag) => "${1:true}",
        Content::Strings(StringRole::Other) => "$0",
        Content::Strings(role) if role.is_single() => "\"$0\"",
        Content::Strings(_) => "[\"$0\"]",
    }
}

/// The keys that an object may have and lacks; in the older spelling where it already has keys in that.
fn keys(object: &Object, spot: &Spot<'_>, place: &Written<'_>) -> Vec<CompletionItem> {
    let names = beside(spot, true).into_iter();
    let present: Vec<_> = names.filter_map(|name| object.find(name, 0)).collect();
    let is_older = present.iter().any(|found| found.old);
    let mut items = Vec::new();
    for key in object.keys {
        if !present.iter().any(|found| found.spec.name == key.name) {
            let name = key.old.filter(|_| is_older).unwrap_or(key.name);
            items.push(place.key(name, (object, key), spot.content));
        }
    }
    items
}

/// Whole rules.
fn rules(object: &Object, in_list: bool, place: &Written<'_>) -> Vec<CompletionItem> {
    let known = RULES.iter().filter(|(of, ..)| *of == object.section);
    let comma = if place.comma { "," } else { "" };
    known
        .map(|(_, label, text)| (label, in_dialect(object, text)))
        .map(|(label, text)| CompletionItem {
            label: (*label).to_owned(),
            kind: CompletionKind::Plain(PlainItem::Rule),
            insert: match in_list {
                true => joined(&[&text, comma]),
                false => joined(&["[\n\t", &text, ",\n]", comma]),
            },
            snippet: true,
            detail: None,
            documentation: Some(joined(&["```jsonc\n", &text, "\n```"])),
        })
        .collect()
}

/// A rule as the dialect of its object has it: Headscale knows no funnel.
fn in_dialect(object: &Object, rule: &str) -> String {
    match object.twin {
        None => rule.to_owned(),
        Some(_) => replace(rule, "funnel", "drive:share"),
    }
}

/// Rules with places to fill in.
const RULES: [(&str, &str, &str); 9] = [
    (
        "acls",
        "rule",
        r#"{"action": "accept", "src": ["${1:group:NAME}"], "dst": ["${2:tag:NAME}:${3:*}"]}"#,
    ),
    (
        "acls",
        "rule for a protocol",
        r#"{"action": "accept", "proto": "${1:tcp}", "src": ["${2:group:NAME}"], "dst": ["${3:tag:NAME}:${4:*}"]}"#,
    ),
    (
        "grants",
        "grant",
        r#"{"src": ["${1:group:NAME}"], "dst": ["${2:tag:NAME}"], "ip": ["${3:*}"]}"#,
    ),
    (
        "grants",
        "grant of a capability",
        r#"{"src": ["${1:group:NAME}"], "dst": ["${2:tag:NAME}"], "app": {"${3:DOMAIN/PATH}": [{$4}]}}"#,
    ),
    (
        "ssh",
        "ssh rule",
        r#"{"action": "${1:check}", "src": ["${2:autogroup:member}"], "dst": ["${3:autogroup:self}"], "users": ["${4:autogroup:nonroot}"]}"#,
    ),
    (
        "tests",
        "test",
        r#"{"src": "${1:USER}", "accept": ["${2:tag:NAME}:${3:443}"]}"#,
    ),
    (
        "tests",
        "test of what must not pass",
        r#"{"src": "${1:USER}", "deny": ["${2:tag:NAME}:${3:443}"]}"#,
    ),
    (
        "sshTests",
        "ssh test",
        r#"{"src": "${1:USER}", "dst": ["${2:tag:NAME}"], "accept": ["${3:ACCOUNT}"]}"#,
    ),
    (
        "nodeAttrs",
        "attributes",
        r#"{"target": ["${1:tag:NAME}"], "attr": ["${2:funnel}"]}"#,
    ),
];
