//! What changed between two documents in meaning: comments, layout, spelling and the order of sets do not count.
//! Must not live here: who gains or loses access by it.

use crate::tables::{find, sort};
use serde::Serialize;

use crate::hujson::pointer::escape;
use crate::hujson::{self, Document, Kind, Value};

use super::language::dialect::Dialect;
use super::language::grammar::Content;
use super::language::json::{Json, PlainJson};
use super::language::ports::Protocol;
use super::language::text::PolicyText;
use crate::tables::index::Index;

/// One difference. Pointers have today's keys, and indices of the later document if it has the place.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// JSON Pointer (RFC 6901).
    pub pointer: String,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The old value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<PlainJson>,
    /// The new value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<PlainJson>,
}

/// The kind of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ChangeKind {
    /// Only the later document has it.
    Added,
    /// Only the earlier document has it.
    Removed,
    /// Both have it, with another meaning.
    Changed,
}

/// Above this many pairs, rules are paired by their index, not by similarity.
const PAIRS: usize = 250_000;

/// What changed from one document to the other, each in its own dialect. Sections in alphabetical order.
///
/// # Errors
/// The syntax error of either text.
pub fn diff<'t>(
    before: impl Into<PolicyText<'t>>,
    after: impl Into<PolicyText<'t>>,
) -> Result<Vec<Change>, hujson::Error> {
    let (before, after) = (before.into(), after.into());
    let (old, new) = (hujson::parse(before.text)?, hujson::parse(after.text)?);
    Ok(diff_of([(&old, before.dialect), (&new, after.dialect)]))
}

/// Like [`diff`], for parsed documents.
pub(super) fn diff_of(documents: [(&Document<'_>, Dialect); 2]) -> Vec<Change> {
    let [before, after] =
        documents.map(|(document, dialect)| plain(document.root(), Content::document(dialect)));
    let mut differ = Differ::default();
    differ.value(Some(&before), Some(&after), ComparedAs::Document);
    differ.found
}

/// A value with today's keys, without `null` members.
pub(super) fn plain(value: Value<'_>, content: Content) -> Json {
    match value.kind() {
        Kind::Null | Kind::Bool | Kind::Number | Kind::String => Json::of(value),
        Kind::Array => {
            let mut elements = Vec::new();
            for element in value.elements() {
                elements.push(plain(element, content.element()));
            }
            Json::List(elements)
        }
        Kind::Object => {
            let mut members = Vec::new();
            for member in value.members() {
                let name = member.name.as_str().unwrap_or_default();
                let key = content.key(name);
                if !says_nothing(member.value, key.map(|key| key.name)) {
                    let inner = key.map_or(Content::Parameters, |key| key.content);
                    let value = plain(member.value, inner);
                    let name = key.map_or(name, |key| key.name).to_owned();
                    members.push((name, value));
                }
            }
            Json::object(members)
        }
    }
}

/// Whether a member counts as absent: `null`, and what is empty under a key of the language. An empty list of
/// rules is not the same as none (docs/policy-language.md#no-rules-at-all).
fn says_nothing(value: Value<'_>, key: Option<&str>) -> bool {
    let empty = match value.kind() {
        Kind::Object => value.members().next().is_none(),
        Kind::Array => value.elements().next().is_none(),
        _ => false,
    };
    value.kind() == Kind::Null || empty && key.is_some_and(|key| !matches!(key, "acls" | "grants"))
}

/// How a value is compared, by its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComparedAs {
    /// The top object.
    Document,
    /// Members each with a set of strings.
    Sets,
    /// Members of any kind.
    Map,
    /// A list of rules without order.
    Rules,
    /// A list of rules whose order counts.
    Sequence,
    /// One rule.
    Rule,
    /// Strings without order.
    Set,
    /// A protocol, by name or number.
    Protocol,
    /// Anything else, as it is written.
    Exact,
}

impl ComparedAs {
    fn member(self, key: &str) -> ComparedAs {
        match (self, key) {
            (ComparedAs::Document, "acls" | "grants" | "tests" | "sshTests" | "nodeAttrs") => {
                ComparedAs::Rules
            }
            (ComparedAs::Document, "ssh") => ComparedAs::Sequence,
            (ComparedAs::Document, "groups" | "tagOwners" | "postures") => ComparedAs::Sets,
            (ComparedAs::Document, "hosts" | "ipsets") => ComparedAs::Map,
            (ComparedAs::Document, "defaultSrcPosture") | (ComparedAs::Sets, _) => ComparedAs::Set,
            (ComparedAs::Document, "autoApprovers") => ComparedAs::Rule,
            (ComparedAs::Rule, "app" | "srcPostureAttrs") => ComparedAs::Map,
            (ComparedAs::Rule, "routes" | "services") => ComparedAs::Sets,
            (ComparedAs::Rule, "proto") => ComparedAs::Protocol,
            (ComparedAs::Rule, _) => ComparedAs::Set,
            _ => ComparedAs::Exact,
        }
    }
}

/// The meaning of a rule, as text that is equal if the meaning is.
pub(super) fn meaning_of_rule(rule: &Json) -> String {
    meaning(rule, ComparedAs::Rule)
}

/// The meaning of a value at its place, as text that is equal if the meaning is.
fn meaning(value: &Json, place: ComparedAs) -> String {
    match (value, place) {
        (_, ComparedAs::Exact) => value.text(),
        (_, ComparedAs::Protocol) => protocol(value),
        (Json::Object(members), _) => {
            let mut out = String::from("{");
            for (key, value) in members {
                crate::hujson::quote(key, &mut out);
                out.push(':');
                out.push_str(&meaning(value, place.member(key)));
                out.push(',');
            }
            out + "}"
        }
        (Json::List(elements), ComparedAs::Set) => {
            let mut elements: Vec<String> = elements.iter().map(entry).collect();
            sort::sort(&mut elements);
            elements.dedup();
            format!("[{}]", elements.join(","))
        }
        _ => value.text(),
    }
}

/// An entry of a set: blanks around it, the old name of the members, and the order of ports do not count.
fn entry(value: &Json) -> String {
    let Some(text) = value.as_str() else {
        return value.text();
    };
    let text = text.trim();
    let text = find::replace(text, "autogroup:members", "autogroup:member");
    let Some((host, ports)) = text
        .rsplit_once(':')
        .filter(|(_, ports)| ports.contains(','))
    else {
        return Json::Text(text).text();
    };
    let mut ports: Vec<&str> = ports.split(',').collect();
    sort::sort(&mut ports);
    ports.dedup();
    Json::Text(format!("{host}:{}", ports.join(","))).text()
}

fn protocol(value: &Json) -> String {
    let known = value
        .as_str()
        .and_then(|name| Protocol::parse(name.trim()).ok());
    known.map_or_else(|| value.text(), |protocol| protocol.0.to_string())
}

#[derive(Default)]
struct Differ {
    pointer: String,
    found: Vec<Change>,
}

impl Differ {
    /// Compares the values at the pointer, at least one of which exists.
    fn value(&mut self, before: Option<&Json>, after: Option<&Json>, place: ComparedAs) {
        let (Some(before), Some(after)) = (before, after) else {
            return self.report(before, after);
        };
        match (before, after, place) {
            (Json::List(old), Json::List(new), ComparedAs::Rules) => self.rules(old, new),
            (Json::List(old), Json::List(new), ComparedAs::Sequence) => self.sequence(old, new),
            (Json::Object(old), Json::Object(new), place) if place != ComparedAs::Exact => {
                let mut keys: Vec<&str> = Vec::new();
                for (key, _) in old.iter().chain(new) {
                    keys.push(key);
                }
                sort::sort(&mut keys);
                keys.dedup();
                for key in keys {
                    let (old, new) = (before.get(key), after.get(key));
                    self.within(key, old, new, place.member(key));
                }
            }
            _ if meaning(before, place) != meaning(after, place) => {
                self.report(Some(before), Some(after));
            }
            _ => {}
        }
    }

    /// Compares the values one step deeper.
    #[inline(never)]
    fn within(
        &mut self,
        token: &str,
        before: Option<&Json>,
        after: Option<&Json>,
        place: ComparedAs,
    ) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&escape(token));
        self.value(before, after, place);
        self.pointer.truncate(length);
    }

    fn report(&mut self, before: Option<&Json>, after: Option<&Json>) {
        let kind = match (before, after) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        };
        self.found.push(Change {
            pointer: self.pointer.clone(),
            kind,
            before: before.map(Json::plain),
            after: after.map(Json::plain),
        });
    }

    /// Rules without order: equal ones are paired, then the most similar ones. What both lists begin and end with needs no partner.
    fn rules(&mut self, old: &[Json], new: &[Json]) {
        let [head, old_end, new_end] = differing(old, new, PartialEq::eq);
        let mut index = Index::default();
        let mut same: Vec<Vec<usize>> = Vec::new();
        for (at, rule) in old.iter().enumerate().take(old_end).skip(head).rev() {
            let meaning = meaning(rule, ComparedAs::Rule);
            match index.find(&meaning).and_then(|at| same.get_mut(at)) {
                Some(equal) => equal.push(at),
                None => {
                    index.set(meaning.into(), same.len());
                    same.push(vec![at]);
                }
            }
        }
        let mut left_new = Vec::new();
        for (at, rule) in new.iter().enumerate().take(new_end).skip(head) {
            let equal = index.find(&meaning(rule, ComparedAs::Rule));
            let equal = equal.and_then(|at| same.get_mut(at));
            if equal.and_then(Vec::pop).is_none() {
                left_new.push(at);
            }
        }
        let mut left_old = same.concat();
        sort::sort(&mut left_old);
        let by_likeness = left_old.len().saturating_mul(left_new.len()) <= PAIRS;
        for at in left_new {
            let rule = new.get(at);
            let partner = left_old.iter().position(|&other| match by_likeness {
                true => alike(old.get(other), rule),
                false => other == at,
            });
            let before = partner.and_then(|found| old.get(left_old.remove(found)));
            self.within(&at.to_string(), before, rule, ComparedAs::Rule);
        }
        for at in left_old {
            self.within(&at.to_string(), old.get(at), None, ComparedAs::Rule);
        }
    }

    /// Rules in order: equal ones first and last are left out, the rest is compared by index.
    fn sequence(&mut self, old: &[Json], new: &[Json]) {
        let [head, old_end, new_end] = differing(old, new, |one, other| {
            meaning(one, ComparedAs::Rule) == meaning(other, ComparedAs::Rule)
        });
        for at in head..old_end.max(new_end) {
            let before = old.get(at).filter(|_| at < old_end);
            let after = new.get(at).filter(|_| at < new_end);
            self.within(&at.to_string(), before, after, ComparedAs::Rule);
        }
    }
}

/// Where two lists differ, once what both begin and end with is left out: where that starts, and where it ends in each.
fn differing(old: &[Json], new: &[Json], is_same: impl Fn(&Json, &Json) -> bool) -> [usize; 3] {
    let pair = |(one, other): &(&Json, &Json)| is_same(one, other);
    let head = old.iter().zip(new).take_while(pair).count();
    let (old_rest, new_rest) = (old.iter().skip(head).rev(), new.iter().skip(head).rev());
    let tail = old_rest.zip(new_rest).take_while(pair).count();
    [head, old.len() - tail, new.len() - tail]
}

/// Whether two rules are versions of one rule: they share their sources or their destinations.
pub(super) fn alike(old: Option<&Json>, new: Option<&Json>) -> bool {
    let (Some(old), Some(new)) = (old, new) else {
        return false;
    };
    let shares = |key| match (old.get(key), new.get(key)) {
        (Some(old), Some(new)) => meaning(old, ComparedAs::Set) == meaning(new, ComparedAs::Set),
        _ => false,
    };
    shares("src") || shares("dst") || shares("target")
}
