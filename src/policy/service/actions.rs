//! The actions at a place: fixes of its issues, and refactorings, which keep the meaning.
//! Must not live here: how an issue is removed (`fixes`), how an edit changes a text (`hujson`).

use crate::hujson::{self, Document, Edit, Kind, Value, string_of};
use crate::policy::findings::words::joined;
use crate::policy::language::document::{AclRule, Policy};
use crate::policy::language::selector::{Kind as SelectorKind, Selector};
use crate::policy::tailnet::context::PolicyContext;
use crate::tables::find::contains;
use crate::tables::sort;

use super::answer::{Action, ActionKind, TextEdit, TextRange};
use super::diagnostics::{JUDGED_IN_RANGE, JudgedText, of_no_document};
use super::fixes::section_of;

/// The actions in a range; none of them adds an issue.
#[inline(never)]
pub fn actions(text: &str, range: TextRange, context: &PolicyContext) -> Vec<Action> {
    let context = &*context.known_for(text);
    let document = match hujson::parse(text) {
        Ok(document) => document,
        // The fix of a syntax error is at the fault, wherever the range is.
        Err(error) => return of_no_document(text, &error),
    };
    let policy = Policy::read_as(&document, context.dialect_of(text));
    let judged = JudgedText::of(&policy, context);
    let mut found = judged.fixes_in(range);
    // Each makes and judges a whole text: in a long range only the first ones are found, at least those of one rule.
    let most = (JUDGED_IN_RANGE / text.len().max(1)).max(2);
    for (title, edits) in rewritings(&policy, range).into_iter().take(most) {
        let Ok(edited) = hujson::edit(text, &edits) else {
            continue;
        };
        if edited != text && judged.adds_none(&edited) {
            found.push(Action {
                title: title.to_owned(),
                kind: ActionKind::Refactor,
                edits: edits_of(text, &edited),
                fixes: None,
                preferred: false,
            });
        }
    }
    found
}

/// Refactorings of the rules and groups in a range: they keep the meaning, or add a test of it.
fn rewritings(policy: &Policy<'_>, range: TextRange) -> Vec<(&'static str, Vec<Edit>)> {
    let here = |value: Value<'_>| value.span().start <= range.to && range.from <= value.span().end;
    let mut found = Vec::new();
    let mut add = |title, edits: Option<Vec<Edit>>| found.extend(edits.map(|edits| (title, edits)));
    if let Some(rules) = section(policy, "acls") {
        for (index, rule) in rules.elements().enumerate().filter(|(_, rule)| here(*rule)) {
            let known = policy.acl_rules().get(index);
            if let Some(acl) = known.filter(|known| known.span == rule.span()) {
                add("Write a test for this rule", test(policy, acl));
                add("Write it as a grant", grant(policy, acl, rule, index));
            }
        }
    }
    if let Some(groups) = section(policy, "groups") {
        for group in groups
            .members()
            .filter(|group| here(group.name) || here(group.value))
        {
            let name = group.name.as_str().unwrap_or_default();
            add("Sort the members", sorted(policy, name, group.value));
        }
    }
    found
}

fn edits_of(before: &str, after: &str) -> Vec<TextEdit> {
    let changes = hujson::changes(before, after).into_iter();
    changes.map(TextEdit::from).collect()
}

/// A section by its key.
fn section<'d>(policy: &'d Policy<'_>, key: &str) -> Option<Value<'d>> {
    policy.document.root().get(&section_of(policy, key)?)
}

/// A test that passes as long as the rule is there: with the rule's first source that a test may have, and its first destination.
fn test(policy: &Policy<'_>, rule: &AclRule<'_>) -> Option<Vec<Edit>> {
    let may_ask = |source: &&Selector<'_>| {
        matches!(
            source.kind,
            SelectorKind::User
                | SelectorKind::Group
                | SelectorKind::Tag
                | SelectorKind::Address
                | SelectorKind::Host
        )
    };
    let source = rule.sources.iter().find(may_ask)?;
    let mut destinations = rule.destinations.iter();
    let (to, ports) = destinations.find_map(|to| {
        let fits = may_ask(&&to.host) || to.host.kind == SelectorKind::Service;
        Some((to, to.ports.as_ref().ok()?)).filter(|_| fits)
    })?;
    let first = ports.ranges().first()?.first;
    let port = if ports.is_all() { 443 } else { first };
    let host = to.host.name();
    let host = match host.contains(':') && to.host.kind == SelectorKind::Address {
        true => joined(&["[", host, "]"]),
        false => host.to_owned(),
    };
    let protocol = match &rule.protocol {
        Some(protocol) => joined(&[", \"proto\": ", &string_of(protocol.word.name())]),
        None => String::new(),
    };
    let accept = string_of(&joined(&[&host, ":", &port.to_string()]));
    let source = string_of(source.name());
    let value = joined(&[
        "{\"src\": ",
        &source,
        ", \"accept\": [",
        &accept,
        "]",
        &protocol,
        "}",
    ]);
    Some(appended(policy, "tests", value))
}

/// Edits that add an entry to a list of the document; they make the list if it is missing.
fn appended(policy: &Policy<'_>, section: &str, value: String) -> Vec<Edit> {
    let known = section_of(policy, section);
    let name = known.clone().unwrap_or(section.to_owned());
    let make = known.is_none().then(|| Edit::Put {
        path: vec![name.clone()],
        value: "[]".to_owned(),
    });
    let add = Edit::Put {
        path: vec![name.clone(), "-".to_owned()],
        value,
    };
    make.into_iter().chain([add]).collect()
}

/// A grant in place of an acl whose destinations all have the same ports, so that it opens exactly as much. The rule moves with its
/// comments; nothing where one would be lost, which only one beside the protocol could.
fn grant(
    policy: &Policy<'_>,
    acl: &AclRule<'_>,
    rule: Value<'_>,
    index: usize,
) -> Option<Vec<Edit>> {
    let (destinations, ip) = opened(acl)?;
    let known = section_of(policy, "grants");
    let grants = known.clone().unwrap_or("grants".to_owned());
    let rules = policy.document.root().get(&grants);
    let own = vec![
        grants.clone(),
        rules
            .map_or(0, |rules| rules.elements().count())
            .to_string(),
    ];
    let member = |name: &str| [own.clone(), vec![name.to_owned()]].concat();
    let mut edits = Vec::new();
    if known.is_none() {
        edits.push(Edit::Put {
            path: vec![grants.clone()],
            value: "[]".to_owned(),
        });
    }
    edits.push(Edit::Move {
        from: vec![section_of(policy, "acls")?, index.to_string()],
        path: vec![grants, "-".to_owned()],
    });
    for [wanted, former] in [["src", "users"], ["dst", "ports"], ["ip", "action"]] {
        let key = key_of(rule, &[wanted, former])?;
        if key != wanted {
            edits.push(Edit::Move {
                from: member(key),
                path: member(wanted),
            });
        }
    }
    if let Some(key) = key_of(rule, &["proto"]) {
        if has_comment_beside(policy.document, rule, key) {
            return None;
        }
        edits.push(Edit::Remove { path: member(key) });
    }
    for (name, list) in [("dst", destinations), ("ip", ip)] {
        edits.push(Edit::Put {
            path: member(name),
            value: joined(&["[", &list.join(", "), "]"]),
        });
    }
    Some(edits)
}

/// The destinations of an acl and what it opens there, as a grant writes them; nothing where its destinations have other ports.
fn opened(acl: &AclRule<'_>) -> Option<(Vec<String>, Vec<String>)> {
    let ports = acl.destinations.first()?.ports.as_ref().ok()?;
    let mut destinations = Vec::new();
    for to in &acl.destinations {
        if to.ports.as_ref().ok()? != ports {
            return None;
        }
        destinations.push(string_of(to.host.name()));
    }
    let protocol = match acl.named_protocol().ok()? {
        Some(protocol) => joined(&[&protocol.to_string(), ":"]),
        None => String::new(),
    };
    let ranges = ports.ranges().iter();
    let ip: Vec<String> = ranges
        .map(|range| string_of(&joined(&[&protocol, &range.to_string()])))
        .collect();
    Some((destinations, ip))
}

/// The key by which a rule has a member, as it is written.
fn key_of<'d>(rule: Value<'d>, wanted: &[&str]) -> Option<&'d str> {
    let mut names = rule.members().filter_map(|member| member.name.as_str());
    names.find(|name| wanted.iter().any(|it| name.eq_ignore_ascii_case(it)))
}

/// Whether there is a comment between a member and those beside it.
fn has_comment_beside(document: &Document<'_>, rule: Value<'_>, key: &str) -> bool {
    let names: Vec<_> = rule.members().collect();
    let at = names
        .iter()
        .position(|member| member.name.as_str() == Some(key));
    let Some((at, member)) = at.and_then(|at| Some((at, names.get(at)?))) else {
        return false;
    };
    let before = at.checked_sub(1).and_then(|at| names.get(at));
    let before = before.map_or(rule.span().start, |before| before.value.span().end);
    let after = names.get(at + 1);
    let after = after.map_or(rule.span().end, |after| after.name.span().start);
    [
        (before, member.name.span().start),
        (member.name.span().end, member.value.span().start),
        (member.value.span().end, after),
    ]
    .into_iter()
    .any(|(from, to)| {
        document
            .text()
            .get(from..to)
            .is_some_and(|gap| gap.contains('/'))
    })
}

/// The members of a group sorted; nothing where comments would lose their members.
fn sorted(policy: &Policy<'_>, name: &str, list: Value<'_>) -> Option<Vec<Edit>> {
    let members: Option<Vec<&str>> = list.elements().map(Value::as_str).collect();
    let mut members = members.filter(|_| list.kind() == Kind::Array)?;
    let is_plain = !["//", "/*"].iter().any(|mark| contains(list.raw(), mark));
    let before = members.clone();
    sort::sort(&mut members);
    if members == before || !is_plain {
        return None;
    }
    let section = section_of(policy, "groups")?;
    let edits = members.iter().zip(&before).enumerate();
    let changed = edits.filter(|(_, (member, known))| member != known);
    let put = |at: usize, member: &str| {
        let path = vec![section.clone(), name.to_owned(), at.to_string()];
        let remove = Edit::Remove { path: path.clone() };
        let value = string_of(member);
        [remove, Edit::Put { path, value }]
    };
    Some(
        changed
            .flat_map(|(at, (member, _))| put(at, member))
            .collect(),
    )
}
