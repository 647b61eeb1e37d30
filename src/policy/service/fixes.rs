//! How an issue might be removed: each hint as edits. Whether it is removed is seen afterwards (`diagnostics`).
//! Must not live here: the hints themselves (`validate`).

use crate::hujson::{
    self, Document, Edit, Issue, Kind, Span, Splice, Value, changes, pointer, quote, splice,
    tolerant,
};
use crate::policy::findings::words::joined;

use crate::policy::language::content::{Content, NameKind};
use crate::policy::language::keys::Shape;
use crate::policy::language::pieces::PieceKind;
use crate::policy::language::places::walk;

/// Edits that may remove an issue.
pub(super) struct Candidate {
    pub title: String,
    pub edits: Vec<Splice>,
    /// Whether it defines something that is still empty.
    pub defines: bool,
}

impl Candidate {
    fn new(title: String, edits: Vec<Splice>) -> Candidate {
        Candidate {
            title,
            edits,
            defines: false,
        }
    }

    /// The text with its edits.
    pub fn of(&self, text: &str) -> String {
        splice(text, &self.edits).unwrap_or_default()
    }
}

/// What may remove an issue of a document that is HuJSON, the likeliest first.
pub(super) fn candidates(document: &Document<'_>, span: Span, issue: &Issue) -> Vec<Candidate> {
    let mut fixes = Fixes {
        document,
        span,
        found: Vec::new(),
    };
    let hint = issue.hint.as_deref().unwrap_or_default();
    if matches!(issue.code, "old_spelling" | "mixed_spelling") {
        fixes.modern();
    }
    for part in quoted_parts(hint) {
        fixes.write(part, issue);
    }
    match issue.code {
        "unknown_group" | "unsynced_group" | "unknown_tag" | "unknown_ipset"
        | "unknown_posture" => fixes.define(issue),
        "exit_node_route" => fixes.exit_node(issue),
        "invalid_action" => fixes.whole("\"accept\""),
        _ => {}
    }
    let is_spare =
        hint.starts_with("remove") || matches!(issue.code, "never_matches" | "covered_rule");
    if let Some(path) = issue
        .pointer
        .as_deref()
        .and_then(pointer::tokens)
        .filter(|_| is_spare)
    {
        fixes.edit("Remove it".to_owned(), &[Edit::Remove { path }]);
    }
    fixes.found
}

/// What stands in back quotes.
fn quoted_parts(hint: &str) -> impl Iterator<Item = &str> {
    hint.split('`').skip(1).step_by(2)
}

struct Fixes<'d> {
    document: &'d Document<'d>,
    span: Span,
    found: Vec<Candidate>,
}

impl Fixes<'_> {
    fn raw(&self) -> &str {
        let text = self.document.text();
        text.get(self.span.start..self.span.end).unwrap_or_default()
    }

    fn put(&mut self, title: String, span: Span, insert: &str) {
        let edits = vec![Splice {
            span,
            insert: insert.to_owned(),
        }];
        self.found.push(Candidate::new(title, edits));
    }

    /// The value as a whole in another form.
    fn whole(&mut self, value: &str) {
        self.put(joined(&["Write ", value]), self.span, value);
    }

    /// What a hint says to write: in place of the name that is meant, of the string, of the value; or as a member.
    fn write(&mut self, part: &str, issue: &Issue) {
        if part.contains('…') {
            return;
        }
        let title = joined(&["Write ", part]);
        if let Some((name, value)) = member(part) {
            return self.member(&name, &value, issue);
        }
        if part.starts_with(['"', '[']) {
            return self.put(title, self.span, part);
        }
        if !self.raw().starts_with('"') {
            return;
        }
        let mut text = String::new();
        quote(part, &mut text);
        let inside = text.get(1..text.len() - 1).unwrap_or_default();
        for span in self.names(issue) {
            self.put(title.clone(), span, inside);
        }
        self.put(title, self.span, &text);
    }

    /// The names in the string that the message is about.
    fn names(&self, issue: &Issue) -> Vec<Span> {
        let mut found = Vec::new();
        walk(self.document, &mut |place, _| {
            if place.value.span() == self.span {
                let parts = place.pieces();
                let parts = parts
                    .into_iter()
                    .filter(|part| part.kind != PieceKind::Port);
                let meant = parts.filter(|part| issue.message.contains(part.text));
                found.extend(meant.map(|part| part.span));
            }
        });
        found
    }

    /// A member of the document, or of the object where the issue is.
    fn member(&mut self, name: &str, value: &str, issue: &Issue) {
        let title = joined(&["Write \"", name, "\": ", value]);
        if self.raw().starts_with('"') {
            self.put(title.clone(), self.span, value);
        }
        let pointer = issue.pointer.as_deref().unwrap_or_default();
        let mut path = pointer::tokens(pointer).unwrap_or_default();
        path.push(name.to_owned());
        let value = value.to_owned();
        self.edit(title, &[Edit::Put { path, value }]);
    }

    /// The definition of a name that is in use, still empty.
    fn define(&mut self, issue: &Issue) {
        let mut names = Vec::new();
        walk(self.document, &mut |place, _| {
            if place.value.span() == self.span {
                let parts = place.pieces().into_iter();
                names.extend(parts.filter_map(|part| match part.kind {
                    PieceKind::Name(kind) => Some((kind, part.text)),
                    _ => None,
                }));
            }
        });
        for (kind, name) in names {
            if kind == NameKind::Host || !issue.message.contains(name) {
                continue;
            }
            let Some(section) = kind.section() else {
                continue;
            };
            let known = section_of(self.document, section);
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
            self.edit(title, &edits);
            for candidate in self.found.iter_mut().skip(before) {
                candidate.defines = true;
            }
        }
    }

    /// Who may approve the default route may run exit nodes, too.
    fn exit_node(&mut self, issue: &Issue) {
        let pointer = issue.pointer.as_deref().unwrap_or_default();
        let Some(approvers) = pointer::find(self.document, pointer) else {
            return;
        };
        let Some(section) = section_of(self.document, "autoApprovers") else {
            return;
        };
        let put = Edit::Put {
            path: vec![section, "exitNode".to_owned()],
            value: approvers.raw().to_owned(),
        };
        self.edit("List them under exitNode, too".to_owned(), &[put]);
    }

    /// Every key like this one by its name of today, and the autogroup of all members.
    fn modern(&mut self) {
        let mut edits = Vec::new();
        let written = self.raw().to_owned();
        if written.contains("autogroup:members") {
            walk(self.document, &mut |place, _| {
                let parts = place.pieces().into_iter();
                let old = parts.filter(|part| part.text == "autogroup:members");
                edits.extend(old.map(|part| replacement(part.span, "autogroup:member")));
            });
        } else {
            modernize(self.document.root(), Content::DOCUMENT, &mut edits);
        }
        if !edits.is_empty() {
            let title = "Write it as today, everywhere".to_owned();
            self.found.push(Candidate::new(title, edits));
        }
    }

    /// Edits of the document, if they can be carried out.
    fn edit(&mut self, title: String, edits: &[Edit]) {
        let text = self.document.text();
        if let Ok(edited) = hujson::edit(text, edits) {
            self.found
                .push(Candidate::new(title, changes(text, &edited)));
        }
    }
}

fn replacement(span: Span, insert: &str) -> Splice {
    Splice {
        span,
        insert: insert.to_owned(),
    }
}

/// A name and a value, where a text is a member.
fn member(text: &str) -> Option<(String, String)> {
    let object = joined(&["{", text, "}"]);
    let document = hujson::parse(&object).ok()?;
    let member = document.root().members().next()?;
    Some((
        member.name.as_str()?.to_owned(),
        member.value.raw().to_owned(),
    ))
}

/// How a document spells a section that it has.
pub(super) fn section_of(document: &Document<'_>, section: &str) -> Option<String> {
    let mut members = document.root().members();
    let found = members.find(|member| {
        let name = member.name.as_str().unwrap_or_default();
        Shape::Document.key(name) == Some(section) && member.value.kind() != Kind::Null
    });
    Some(found?.name.as_str()?.to_owned())
}

/// The keys of a value by their names of today.
fn modernize(value: Value<'_>, content: Content, edits: &mut Vec<Splice>) {
    for member in value.members() {
        let name = member.name.as_str().unwrap_or_default();
        if let Content::Shape(shape) = content
            && let Some(modern) = shape.key(name)
            && modern != name
        {
            edits.push(replacement(member.name.inside_span(), modern));
        }
        modernize(member.value, content.member(name), edits);
    }
    for element in value.elements() {
        modernize(element, content.element(), edits);
    }
}

/// What may make HuJSON of a text: one token more or less at the first fault.
pub(super) fn of_syntax(text: &str) -> Vec<Candidate> {
    let before = tolerant(text).faults;
    let Some(fault) = before.first().copied() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut attempt = |title: &str, span: Span, insert: &str| {
        let candidate = Candidate::new(title.to_owned(), vec![replacement(span, insert)]);
        if tolerant(&candidate.of(text)).faults.len() < before.len() {
            found.push(candidate);
        }
    };
    if fault.start < fault.end {
        let word = text.get(fault.start..fault.end).unwrap_or_default();
        let inside = word.trim_matches(['\'', '"']);
        let quoted = joined(&["\"", inside, "\""]);
        attempt("Write it in double quotes", fault, &quoted);
        attempt("Remove it", fault, "");
    } else {
        for (title, token) in MISSING {
            attempt(title, fault, token);
        }
    }
    found.truncate(1);
    found
}

/// What a text may lack.
const MISSING: [(&str, &str); 5] = [
    ("Add the comma", ","),
    ("Add the closing bracket", "]"),
    ("Add the closing brace", "}"),
    ("Add the colon", ":"),
    ("Add an empty value", " null"),
];
