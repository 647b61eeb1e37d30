//! Candidates for the fixes of an issue: each hint as edits. Whether one removes the issue is checked afterwards (`diagnostics`).
//! Must not live here: the hints themselves (`validate`); fixes that take more than a hint (the files of this folder).

mod definitions;
mod rules;
mod syntax;
mod tests;

use crate::hujson::{
    self, Document, Edit, Issue, Kind, Span, Splice, Value, changes, inside_of, pointer, quote,
    splice, string_of,
};
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::{Hint, Write};
use crate::policy::findings::words::joined;
use crate::policy::language::content::NameKind;
use crate::policy::language::dialect::Dialect;
use crate::policy::language::document::Policy;
use crate::policy::language::grammar::{Content, Object};
use crate::policy::language::pieces::{Piece, PieceKind};
use crate::policy::language::places::walk;
use crate::policy::language::selector::trimmed;
use crate::policy::tailnet::context::PolicyContext;
use crate::tables::find;

use super::spot::spot;

pub(super) use syntax::of_syntax;

/// Edits that may remove an issue.
pub(super) struct Candidate {
    pub title: String,
    pub edits: Vec<Splice>,
    /// Whether it adds a definition that is still empty.
    pub defines: bool,
    /// Whether something else may have been meant as well, so that no editor should choose it by itself.
    pub is_choice: bool,
}

impl Candidate {
    /// The text with its edits.
    pub fn of(&self, text: &str) -> String {
        splice(text, &self.edits).unwrap_or_default()
    }
}

/// The candidates for an issue of a document that is HuJSON, the likeliest first.
pub(super) fn candidates(
    policy: &Policy<'_>,
    context: &PolicyContext,
    finding: &Finding,
    issue: &Issue,
) -> Vec<Candidate> {
    let mut fixes = Fixes {
        policy,
        document: policy.document,
        span: finding.span,
        found: Vec::new(),
    };
    let hint = finding.advice().unwrap_or_default();
    if matches!(issue.code, "old_spelling" | "mixed_spelling") {
        fixes.modern();
    }
    for write in &hint.write {
        match write {
            Write::Text(text) => fixes.write(text, issue),
            Write::Instead(of, text) => fixes.instead(of, text),
            Write::Entry(section, entry) => fixes.entry(section, entry),
            Write::Nothing => {}
        }
    }
    match issue.code {
        "unknown_group" | "unsynced_group" | "unknown_tag" | "unknown_ipset"
        | "unknown_posture" => fixes.define(),
        "exit_node_route" => fixes.exit_node(issue),
        // What to write in place of a string the hint has said.
        "invalid_action" if !fixes.raw().starts_with('"') => fixes.whole("\"accept\""),
        "duplicate_key" => fixes.merge(issue),
        "invalid_host" | "shadowed_alias" => fixes.alias(issue),
        "invalid_member" => fixes.members(),
        "invalid_ipset" => fixes.ipset(issue),
        "invalid_address" | "invalid_pool" => fixes.prefix(),
        "invalid_selector" => fixes.login(context),
        "invalid_source" if matches!(fixes.text(), "*" | "autogroup:self") => {
            fixes.whole("\"autogroup:member\"");
        }
        "invalid_via" => fixes.via(),
        "unknown_protocol" => fixes.protocol(),
        "broad_rule" => fixes.narrow(),
        "void_posture" => fixes.without_posture(finding),
        "test_failed" => fixes.expected(finding, issue),
        _ => {}
    }
    fixes.spare(issue, &hint);
    if CHOICES.contains(&issue.code) {
        fixes.choices(0);
    }
    fixes.found
}

/// Issues that are about what was meant, which nobody but the author knows.
const CHOICES: [&str; 8] = [
    "ssh_without_network",
    "impossible_posture",
    "void_posture",
    "open_source",
    "anyone_owns_tag",
    "unused_name",
    "empty_destination",
    "shadowed_ssh_rule",
];

struct Fixes<'d> {
    policy: &'d Policy<'d>,
    document: &'d Document<'d>,
    span: Span,
    found: Vec<Candidate>,
}

impl Fixes<'_> {
    fn raw(&self) -> &str {
        let text = self.document.text();
        text.get(self.span.start..self.span.end).unwrap_or_default()
    }

    #[inline(never)]
    fn put(&mut self, title: &str, span: Span, insert: &str) {
        self.splice(title, vec![replacement(span, insert)]);
    }

    /// Adds a candidate that replaces these ranges; none where there are no ranges.
    #[inline(never)]
    fn splice(&mut self, title: &str, edits: Vec<Splice>) {
        if !edits.is_empty() {
            self.found.push(Candidate {
                title: title.to_owned(),
                edits,
                defines: false,
                is_choice: false,
            });
        }
    }

    /// Marks the candidates found since then as a choice.
    fn choices(&mut self, since: usize) {
        for candidate in self.found.iter_mut().skip(since) {
            candidate.is_choice = true;
        }
    }

    /// The content of the string, without the blanks around it.
    #[inline(never)]
    fn text(&self) -> &str {
        let value = spot(self.document, self.policy.dialect, self.span.start + 1).value;
        trimmed(value.and_then(Value::as_str).unwrap_or_default())
    }

    /// The list or object that has the string.
    #[inline(never)]
    fn holder(&self) -> Option<Value<'_>> {
        spot(self.document, self.policy.dialect, self.span.start + 1).holder
    }

    /// Removes an entry that a hint calls without effect, or that cannot have one. With the last entry of `via` it removes the
    /// rule, which would open more without a router.
    #[inline(never)]
    fn spare(&mut self, issue: &Issue, hint: &Hint) {
        let is_said = hint.removes() || matches!(issue.code, "never_matches" | "covered_rule");
        // Counted only where that decides: a text may have very many issues.
        let entries = || self.holder().map_or(0, |holder| holder.elements().count());
        let mut path = path_of(issue);
        let (may_be, of_rule) = match issue.code {
            "shadowed_alias"
            | "invalid_member"
            | "invalid_address"
            | "invalid_pool"
            | "invalid_owner"
            | "ssh_without_network" => (true, false),
            "invalid_ipset" => (entries() > 0, false),
            "invalid_source" | "invalid_via" | "invalid_target" | "open_funnel" | "no_route" => {
                (path.len() == 4, entries() < 2)
            }
            _ => (is_said, false),
        };
        if !may_be {
            return;
        }
        let title = if of_rule {
            "Remove the rule"
        } else {
            "Remove it"
        };
        if of_rule {
            path.truncate(2);
        }
        let before = self.found.len();
        self.edit(title, &[Edit::Remove { path }]);
        if !is_said {
            self.choices(before);
        }
    }

    /// The value as a whole in another form.
    fn whole(&mut self, value: &str) {
        self.put(&joined(&["Write ", value]), self.span, value);
    }

    /// Writes what a hint says: in place of the name in question, of the string or of the value; or as a member.
    fn write(&mut self, part: &str, issue: &Issue) {
        let title = joined(&["Write ", part]);
        if let Some((name, value)) = member(part) {
            return self.member(&name, &value, issue);
        }
        if part.starts_with(['"', '[']) {
            return self.put(&title, self.span, part);
        }
        if !self.raw().starts_with('"') {
            return;
        }
        for span in self.names() {
            self.put(&title, span, &inside_of(part));
        }
        self.put(&title, self.span, &string_of(part));
    }

    /// The parts of the string, but for its ports.
    fn names(&self) -> Vec<Span> {
        let parts = pieces_at((self.document, self.policy.dialect), self.span).into_iter();
        let names = parts.filter(|part| part.kind != PieceKind::Port);
        names.map(|part| part.span).collect()
    }

    /// Writes one text for another, wherever the place has it.
    fn instead(&mut self, of: &str, text: &str) {
        let whole = find::replace(self.raw(), of, text);
        self.put(&joined(&["Write ", text]), self.span, &whole);
    }

    /// Adds an entry to a section that there is.
    fn entry(&mut self, section: &str, entry: &str) {
        if let Some(known) = section_of(self.policy, section) {
            let path = vec![known, "-".to_owned()];
            let value = entry.to_owned();
            let title = joined(&["Add a rule for port 22 to ", section]);
            self.edit(&title, &[Edit::Put { path, value }]);
        }
    }

    /// A member of the document, or of the object where the issue is.
    fn member(&mut self, name: &str, value: &str, issue: &Issue) {
        let title = joined(&["Write \"", name, "\": ", value]);
        if self.raw().starts_with('"') {
            self.put(&title, self.span, value);
        }
        let mut path = path_of(issue);
        path.push(name.to_owned());
        let value = value.to_owned();
        self.edit(&title, &[Edit::Put { path, value }]);
    }

    /// Defines a name that is in use, with an empty value.
    fn define(&mut self) {
        let document = self.document;
        for piece in pieces_at((document, self.policy.dialect), self.span) {
            let PieceKind::Name(kind) = piece.kind else {
                continue;
            };
            let Some(section) = kind.section().filter(|_| kind != NameKind::Host) else {
                continue;
            };
            let name = piece.text;
            let known = section_of(self.policy, section);
            let made = Edit::Put {
                path: vec![section.to_owned()],
                value: "{}".to_owned(),
            };
            let path = vec![known.clone().unwrap_or(section.to_owned()), name.to_owned()];
            let entry = Edit::Put {
                path,
                value: "[]".to_owned(),
            };
            let edits = match known {
                Some(_) => vec![entry],
                None => vec![made, entry],
            };
            let title = joined(&["Define ", name, " in ", section]);
            let before = self.found.len();
            self.edit(&title, &edits);
            for candidate in self.found.iter_mut().skip(before) {
                candidate.defines = true;
            }
        }
    }

    /// Lists the approvers of a default route under `exitNode` too.
    fn exit_node(&mut self, issue: &Issue) {
        let pointer = issue.pointer.as_deref().unwrap_or_default();
        let Some(approvers) = pointer::find(self.document, pointer) else {
            return;
        };
        let Some(section) = section_of(self.policy, "autoApprovers") else {
            return;
        };
        let put = Edit::Put {
            path: vec![section, "exitNode".to_owned()],
            value: approvers.raw().to_owned(),
        };
        self.edit("List them under exitNode, too", &[put]);
    }

    /// Writes every key like this one in the modern spelling, and the autogroup of all members.
    fn modern(&mut self) {
        let mut edits = Vec::new();
        let written = self.raw().to_owned();
        if find::contains(&written, "autogroup:members") {
            walk(self.document, self.policy.dialect, &mut |place, _| {
                let parts = place.pieces().into_iter();
                let old = parts.filter(|part| part.text == "autogroup:members");
                edits.extend(old.map(|part| replacement(part.span, "autogroup:member")));
            });
        } else {
            modernize(
                self.document.root(),
                Content::document(self.policy.dialect),
                &mut edits,
            );
        }
        self.splice("Write it as today, everywhere", edits);
    }

    /// Adds a candidate with edits of the document, if they can be made.
    #[inline(never)]
    fn edit(&mut self, title: &str, edits: &[Edit]) {
        let text = self.document.text();
        if let Ok(edited) = hujson::edit(text, edits) {
            self.splice(title, changes(text, &edited));
        }
    }
}

/// The parts of the string at a place.
fn pieces_at<'d>((document, dialect): (&'d Document<'_>, Dialect), span: Span) -> Vec<Piece<'d>> {
    let mut found = Vec::new();
    walk(document, dialect, &mut |place, _| {
        if place.value.span() == span {
            found = place.pieces();
        }
    });
    found
}

/// The path of the value that an issue is about.
#[inline(never)]
fn path_of(issue: &Issue) -> Vec<String> {
    let pointer = issue.pointer.as_deref().unwrap_or_default();
    pointer::tokens(pointer).unwrap_or_default()
}

/// Texts in quotes, as between the brackets of a list.
fn strings(texts: &[&str]) -> String {
    let mut out = String::new();
    for text in texts {
        out.push_str(if out.is_empty() { "" } else { ", " });
        quote(text, &mut out);
    }
    out
}

#[inline(never)]
fn replacement(span: Span, insert: &str) -> Splice {
    Splice {
        span,
        insert: insert.to_owned(),
    }
}

/// The name and the value of a text that is a member.
fn member(text: &str) -> Option<(String, String)> {
    let object = joined(&["{", text, "}"]);
    let document = hujson::parse(&object).ok()?;
    let member = document.root().members().next()?;
    Some((
        member.name.as_str()?.to_owned(),
        member.value.raw().to_owned(),
    ))
}

/// The spelling of a section in a document that has it.
pub(super) fn section_of(policy: &Policy<'_>, section: &str) -> Option<String> {
    let mut members = policy.document.root().members();
    let found = members.find(|member| {
        let name = member.name.as_str().unwrap_or_default();
        let key = Object::document(policy.dialect)
            .key(name)
            .map(|key| key.name);
        key == Some(section) && member.value.kind() != Kind::Null
    });
    Some(found?.name.as_str()?.to_owned())
}

/// Writes the keys of a value in the modern spelling.
fn modernize(value: Value<'_>, content: Content, edits: &mut Vec<Splice>) {
    for member in value.members() {
        let name = member.name.as_str().unwrap_or_default();
        if let Some(key) = content.key(name).filter(|key| key.name != name) {
            edits.push(replacement(member.name.inside_span(), key.name));
        }
        modernize(member.value, content.member(name), edits);
    }
    for element in value.elements() {
        modernize(element, content.element(), edits);
    }
}
