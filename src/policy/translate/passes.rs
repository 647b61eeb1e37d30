//! Goes through a document once: notes what the other language does not have, and how the rest is written there.
//! Must not live here: how a single string is (`words`).

use crate::hujson::{
    Document, Edit, Kind, Member, Span, Splice, Value, inside_of, pointer, string_of,
};
use crate::policy::findings::words::joined;
use crate::policy::language::content::StringRole;
use crate::policy::language::dialect::Dialect;
use crate::policy::language::document::Policy;
use crate::policy::language::grammar::Content;
use crate::policy::language::selector;

use super::lost::Lost;
use super::words::{Rewritten, Words};

const BEHIND_VIA: &str =
    "`*` behind `via` leads to nothing in Headscale, and to every subnet in the other language";

/// A walk through a document, in the grammars of both languages.
pub(super) struct Pass<'d, 'u> {
    words: Words<'u>,
    document: &'d Document<'d>,
    path: Vec<String>,
    /// Rules that take a posture, by where they stand.
    conditional: Vec<Span>,
    /// Each `*` behind `via`, which leads to every subnet in one language and to nothing in the other.
    behind_via: Vec<Span>,
    removed: Vec<Vec<String>>,
    pub lost: Vec<Lost>,
    pub splices: Vec<Splice>,
}

/// A part of an entry without which it would be about everybody, nobody, or nothing.
fn is_needed(role: StringRole) -> bool {
    use StringRole::*;
    matches!(
        role,
        Source
            | Destination
            | DestinationPorts
            | SshSource
            | SshDestination
            | SshUser
            | Target
            | NodeAttribute
            | Pool
            | Via
            | Ip
            | TestSource
            | SshTestSource
            | SshTestDestination
            | Protocol
            | TestProtocol
    )
}

impl<'d, 'u> Pass<'d, 'u> {
    pub fn new(words: Words<'u>, document: &'d Document<'d>) -> Pass<'d, 'u> {
        Pass {
            words,
            document,
            path: Vec::new(),
            conditional: Vec::new(),
            behind_via: Vec::new(),
            removed: Vec::new(),
            lost: Vec::new(),
            splices: Vec::new(),
        }
    }

    /// Notes the rules with a posture: without it each would be wider. And what `via` leads to that the languages take otherwise.
    pub fn conditional(&mut self, policy: &Policy<'_>) {
        for rule in policy.rules().filter(|rule| !rule.postures.is_empty()) {
            self.conditional.push(rule.span);
        }
        for grant in policy
            .grant_rules()
            .iter()
            .filter(|grant| !grant.via.is_empty())
        {
            let all = grant
                .destinations
                .iter()
                .filter(|to| to.kind == selector::Kind::Any);
            self.behind_via.extend(all.map(|to| to.span));
        }
        for rule in &policy.ssh {
            if !policy.postures_of(rule.postures.as_deref()).is_empty() {
                self.conditional.push(rule.span);
            }
        }
    }

    /// Goes through all of it.
    pub fn document(&mut self) {
        let [from, to] = [self.words.from(), self.words.to].map(Content::document);
        self.visit(self.document.root(), from, to);
    }

    /// The edits that take out what was noted, from the end on, so that no place changes before its turn.
    pub fn removals(&self) -> Vec<Edit> {
        let within = |path: &Vec<String>| {
            let mut others = self.removed.iter();
            others.any(|other| other.len() < path.len() && path.starts_with(other))
        };
        let mut paths: Vec<&Vec<String>> =
            self.removed.iter().filter(|path| !within(path)).collect();
        paths.dedup();
        let edits = paths.into_iter().rev();
        edits
            .map(|path| Edit::Remove { path: path.clone() })
            .collect()
    }

    /// Goes through a value; whether the entry around it cannot stay.
    fn visit(&mut self, value: Value<'d>, from: Content, to: Content) -> bool {
        match value.kind() {
            Kind::Object => self.object(value, from, to),
            Kind::Array => self.list(value, from, to),
            Kind::String => self.string(value, from.role(), false),
            // Only a protocol is a name as a number, too.
            Kind::Number
                if matches!(from.role(), StringRole::Protocol | StringRole::TestProtocol) =>
            {
                self.string(value, from.role(), false)
            }
            Kind::Number | Kind::Null | Kind::Bool => false,
        }
    }

    fn object(&mut self, object: Value<'d>, from: Content, to: Content) -> bool {
        let is_entry = matches!(from, Content::Object(known) if !known.section.is_empty());
        if self.conditional.contains(&object.span()) {
            self.lose(
                object,
                "Headscale has no postures, and without its posture the rule would be wider",
            );
            return false;
        }
        let (removed, lost) = (self.removed.len(), self.lost.len());
        let mut is_void = false;
        for member in object.members() {
            let name = member.name.as_str().unwrap_or_default();
            self.path.push(name.to_owned());
            is_void |= self.member(member, from, to);
            self.path.pop();
        }
        if is_void && is_entry {
            let why = self
                .lost
                .get(lost)
                .map_or("", |first| &first.why)
                .to_owned();
            self.removed.truncate(removed);
            self.lost.truncate(lost);
            self.lose(object, &why);
        } else if let (Content::Object(known), Dialect::Tailscale) = (from, self.words.to) {
            self.action(object, known.section, from);
        }
        false
    }

    /// Writes the action that the service wants and Headscale does not.
    fn action(&mut self, object: Value<'d>, section: &str, content: Content) {
        let mut names = object
            .members()
            .map(|member| member.name.as_str().unwrap_or_default());
        let has = |name: &str| content.key(name).is_some_and(|key| key.name == "action");
        if section == "acls" && object.members().next().is_some() && !names.any(has) {
            let start = object.span().start + 1;
            let span = Span { start, end: start };
            let insert = "\"action\": \"accept\", ".to_owned();
            self.splices.push(Splice { span, insert });
        }
    }

    fn member(&mut self, member: Member<'d>, from: Content, to: Content) -> bool {
        let name = member.name.as_str().unwrap_or_default();
        let (Content::Object(object), Content::Object(other)) = (from, to) else {
            return self.entry(member, from, to);
        };
        let key = object.key(name).map(|key| key.name);
        let Some(there) = key.and_then(|key| other.key(key)) else {
            if member.value.kind() != Kind::Null {
                self.lose(member.value, "the other language has no such key");
            } else {
                self.removed.push(self.path.clone());
            }
            return false;
        };
        let is_known = other
            .key(name)
            .is_some_and(|same| same.name == there.name && same.old != Some(name));
        if !is_known {
            let span = member.name.inside_span();
            self.splices.push(Splice {
                span,
                insert: there.name.to_owned(),
            });
        }
        self.visit(member.value, from.member(name), to.member(there.name))
    }

    /// A member whose name the writer chose.
    fn entry(&mut self, member: Member<'d>, from: Content, to: Content) -> bool {
        let name = member.name.as_str().unwrap_or_default();
        if let Content::Table(names, _) = from {
            self.string(member.name, names, true);
        }
        self.visit(member.value, from.member(name), to.member(name));
        false
    }

    fn list(&mut self, list: Value<'d>, from: Content, to: Content) -> bool {
        let (mut count, before) = (0, self.removed.len());
        for (at, element) in list.elements().enumerate() {
            self.path.push(at.to_string());
            self.visit(element, from.element(), to.element());
            self.path.pop();
            count += 1;
        }
        let gone = self.removed.len() - before;
        gone > 0 && gone == count && is_needed(from.role())
    }

    /// Writes a string, or takes it out; whether it is one without which its entry cannot be.
    fn string(&mut self, value: Value<'d>, role: StringRole, is_name: bool) -> bool {
        let text = value.as_str().unwrap_or(value.raw());
        if self.behind_via.contains(&value.span()) {
            self.lose(value, BEHIND_VIA);
            return role.is_single();
        }
        let texts = match self.words.rewritten(role, text) {
            Rewritten::As(texts) => texts,
            Rewritten::Otherwise(text, why) => {
                self.note(value, why);
                vec![text]
            }
            Rewritten::Lost(why) => {
                self.lose(value, why);
                return role.is_single();
            }
        };
        if texts.len() == 1 && texts.iter().any(|own| own == text) && value.kind() == Kind::String {
            return false;
        }
        let insert = match (is_name, &texts[..]) {
            (_, [only]) if value.kind() == Kind::String => (value.inside_span(), inside_of(only)),
            _ => {
                let quoted: Vec<String> = texts.iter().map(|text| string_of(text)).collect();
                (value.span(), quoted.join(", "))
            }
        };
        let (span, insert) = insert;
        self.splices.push(Splice { span, insert });
        false
    }

    /// Takes out what is at the present place.
    fn lose(&mut self, value: Value<'d>, why: &str) {
        self.removed.push(self.path.clone());
        self.note(value, why);
    }

    fn note(&mut self, value: Value<'d>, why: &str) {
        let mut at = String::new();
        for token in &self.path {
            at = joined(&[&at, "/", &pointer::escape(token)]);
        }
        self.lost.push(Lost {
            pointer: at,
            what: value.raw().to_owned(),
            why: why.to_owned(),
        });
    }
}
