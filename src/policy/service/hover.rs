//! The explanation of the word at a place: what a key means, what a name means, who is meant.
//! Must not live here: the sentences about keys (`language::docs`), how names are resolved (`tailnet`).

use crate::hujson::{Document, Kind, Span, Value, tolerant};
use crate::policy::findings::words::joined;
use crate::policy::language::content::{NameKind, StringRole};
use crate::policy::language::document::Policy;
use crate::policy::language::grammar::{Content, Object};
use crate::policy::language::pieces::{Piece, PieceKind, pieces};
use crate::policy::language::places::mentions;
use crate::policy::language::port_hints::SERVICES;
use crate::policy::language::ports::Protocol;
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::network::Network;

use super::answer::Hover;
use super::opened::opened;
use super::resolved::{ResolvedSelector, counted};
use super::spot::{Spot, spot};

/// How many members, devices and the like are listed.
const LISTED: usize = 12;

/// The explanation of the word at an offset, in Markdown.
#[inline(never)]
pub fn hover(text: &str, offset: usize, context: &PolicyContext) -> Option<Hover> {
    let context = &*context.known_for(text);
    let read = tolerant(text);
    let spot = spot(&read.document, context.dialect_of(text), offset);
    let Some(value) = spot.value else {
        return of_rule(&read.document, offset, context);
    };
    if let (Content::Object(object), true) = (spot.content, spot.is_name) {
        return of_key(&read.document, object, value, context);
    }
    let pieces = pieces(value, spot.role());
    let mut pieces = pieces.into_iter();
    let piece = pieces.rfind(|piece| piece.span.start <= offset && offset <= piece.span.end)?;
    let markdown = of_piece(&read.document, context, &spot, &piece)?;
    Some(Hover {
        from: piece.span.start,
        to: piece.span.end,
        markdown,
    })
}

fn of_key(
    document: &Document<'_>,
    object: &Object,
    name: Value<'_>,
    context: &PolicyContext,
) -> Option<Hover> {
    let key = object.key(name.as_str()?)?;
    let section = object.section;
    let title = match section {
        "" => key.name.to_owned(),
        _ => joined(&[section, " · ", key.name]),
    };
    let at = name.span().start;
    let has_rules = matches!(section, "acls" | "grants" | "ssh");
    let opens = has_rules.then(|| opened(document, context, at));
    let opens = opens.flatten().map(|opens| joined(&["\n\n", &opens]));
    let text = joined(&[object.doc(key), &opens.unwrap_or_default()]);
    Some(titled(name.span(), &title, &text))
}

fn titled(span: Span, title: &str, text: &str) -> Hover {
    Hover {
        from: span.start,
        to: span.end,
        markdown: joined(&["**", title, "**\n\n", text]),
    }
}

/// What a rule opens, where its brace is at the offset.
fn of_rule(document: &Document<'_>, offset: usize, context: &PolicyContext) -> Option<Hover> {
    let bytes = document.text().as_bytes();
    let is_brace = |at: &usize| bytes.get(*at) == Some(&b'{');
    let mut ends = [Some(offset), offset.checked_sub(1)].into_iter().flatten();
    let from = ends.find(is_brace)?;
    let dialect = context.dialect_of(document.text());
    let Content::Object(object) = spot(document, dialect, from + 1).content else {
        return None;
    };
    let opens = opened(document, context, from)?;
    let brace = Span {
        start: from,
        end: from + 1,
    };
    Some(titled(brace, &joined(&[object.section, " · rule"]), &opens))
}

fn of_piece(
    document: &Document<'_>,
    context: &PolicyContext,
    spot: &Spot<'_>,
    piece: &Piece<'_>,
) -> Option<String> {
    let title = joined(&["**", piece.text, "**"]);
    let lines = match piece.kind {
        PieceKind::Port => ports(piece.text)?,
        PieceKind::Protocol => {
            let number = Protocol::parse(piece.text).ok()?.0.to_string();
            joined(&["Protocol ", &number])
        }
        PieceKind::Text if matches!(spot.role(), StringRole::AclAction | StringRole::SshAction) => {
            let opens = opened(document, context, piece.span.start);
            let sentence = match (spot.role(), piece.text) {
                (StringRole::AclAction, _) => "Lets it through.",
                (_, "check") => "Lets in after the user has signed in once more.",
                _ => "Lets in.",
            };
            joined(&[sentence, "\n\n", &opens.unwrap_or_default()])
        }
        PieceKind::Text | PieceKind::Operator | PieceKind::Attribute | PieceKind::Capability => {
            return of_word(spot.role(), piece);
        }
        kind => {
            let dialect = context.dialect_of(document.text());
            let policy = Policy::read_part(document, dialect, piece.span);
            let network = Network::new(&policy, context);
            let mut lines = Vec::new();
            lines.extend(defined(&policy, kind, piece.text));
            lines.extend(meaning(piece.text).map(str::to_owned));
            let found = ResolvedSelector::of(&network, piece.text);
            lines.extend(found.words());
            lines.extend(found.devices(context, LISTED));
            lines.extend(used(&policy, kind, piece.text));
            lines.join("\n\n")
        }
    };
    Some(joined(&[&title, "\n\n", &lines]))
}

/// The explanation of a word of the language.
fn of_word(role: StringRole, piece: &Piece<'_>) -> Option<String> {
    let sentence = match (role, piece.text) {
        (StringRole::Condition, "IS SET") => "The device has the attribute.",
        (StringRole::Condition, "NOT SET") => {
            "The device lacks the attribute; any other condition on it fails then."
        }
        (StringRole::SshUser, "root") => {
            "The account `root`, which is blocked unless it is listed."
        }
        _ => return None,
    };
    Some(joined(&["**", piece.text, "**\n\n", sentence]))
}

/// What an autogroup or similar word means (docs/policy-language.md#selectors).
fn meaning(name: &str) -> Option<&'static str> {
    Some(match name {
        "*" => {
            "As a source every device of the tailnet and what its routes lead to; as a destination everything."
        }
        "autogroup:member" | "autogroup:members" => "Every device that has no tag.",
        "autogroup:tagged" => "Every device with a tag.",
        "autogroup:self" => "The devices of whoever asks.",
        "autogroup:internet" => "The public internet, by way of an exit node.",
        "autogroup:danger-all" => "Every address whatsoever, outside of the tailnet too.",
        "autogroup:shared" => "Users of other tailnets with whom a device was shared.",
        "autogroup:nonroot" => "Every account but `root`.",
        _ if name.starts_with("autogroup:") => "The devices without tags of users with this role.",
        _ => return None,
    })
}

/// The services that usually listen at ports.
fn ports(text: &str) -> Option<String> {
    if text == "*" {
        return Some("Every port".to_owned());
    }
    let mut lines = Vec::new();
    for entry in text.split(',') {
        let named = SERVICES.iter().filter(|(_, number)| *number == entry);
        let names: Vec<&str> = named.map(|(name, _)| *name).collect();
        lines.push(match names[..] {
            [] => joined(&["Port ", entry]),
            _ => joined(&["Port ", entry, ": ", &names.join(", ")]),
        });
    }
    Some(lines.join("\n\n"))
}

/// The document's definition of a name.
fn defined(policy: &Policy<'_>, kind: PieceKind, name: &str) -> Option<String> {
    let PieceKind::Name(kind) = kind else {
        return None;
    };
    let section = kind.section()?;
    let mut members = policy.document.root().members();
    let entries = members.find(|member| {
        let key = Object::document(policy.dialect).key(member.name.as_str().unwrap_or_default());
        key.is_some_and(|key| key.name == section)
    });
    let Some(value) = entries.and_then(|section| section.value.get(name)) else {
        return Some(joined(&["Not defined in `", section, "`."]));
    };
    let what = match kind {
        NameKind::Group => "Members",
        NameKind::Tag => "Owners",
        NameKind::Host => "Address",
        NameKind::IpSet => "Operations",
        NameKind::Posture => "Conditions",
        NameKind::Service => return None,
    };
    if value.kind() == Kind::String {
        return Some(joined(&[what, ": `", value.as_str()?, "`"]));
    }
    let texts: Vec<&str> = value.elements().filter_map(Value::as_str).collect();
    let shown: Vec<String> = texts
        .iter()
        .take(LISTED)
        .map(|text| joined(&["`", text, "`"]))
        .collect();
    let rest = texts.len().saturating_sub(LISTED);
    Some(match (texts.len(), rest) {
        (0, _) => joined(&[what, ": none"]),
        (_, 0) => joined(&[what, ": ", &shown.join(", ")]),
        _ => joined(&[
            what,
            ": ",
            &shown.join(", "),
            " and ",
            &rest.to_string(),
            " more",
        ]),
    })
}

/// How often a name is used.
fn used(policy: &Policy<'_>, kind: PieceKind, name: &str) -> Option<String> {
    let PieceKind::Name(kind) = kind else {
        return None;
    };
    let mentions = mentions(policy.document, policy.dialect, kind, name);
    let count = mentions.iter().filter(|mention| !mention.defines).count();
    Some(match count {
        0 => "Not used.".to_owned(),
        count => joined(&["Used in ", &counted(count, "place", "places"), "."]),
    })
}
