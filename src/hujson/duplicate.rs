//! Names that an object repeats. HuJSON allows them and the last one counts, as in `JSON.parse`,
//! but hardly anyone means it.
//!
//! Must not live here: how a policy treats them.

use std::borrow::Cow;

use super::{Document, Kind, Span, Value, pointer};
use crate::tables::index::Index;
use crate::tables::sort;

/// A member with the same name as an earlier member of the same object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Duplicate {
    /// The name, unescaped.
    pub name: String,
    /// The pointer of both members.
    pub pointer: String,
    /// Where the name first appears.
    pub first: Span,
    /// Where it appears again.
    pub again: Span,
}

impl Duplicate {
    /// The stable code of the warning.
    pub const CODE: &'static str = "duplicate_key";
}

/// All repeated names, in the order of the text.
pub fn duplicates(document: &Document<'_>) -> Vec<Duplicate> {
    let mut search = Search::default();
    search.visit(document.root());
    sort::sort_by(&mut search.found, |a, b| a.again.cmp(&b.again));
    search.found
}

#[derive(Default)]
struct Search<'d> {
    trail: Vec<Step<'d>>,
    found: Vec<Duplicate>,
}

/// One step of the path to the current value; turned into a pointer only when needed.
enum Step<'d> {
    Name(Cow<'d, str>),
    Index(usize),
}

impl<'d> Search<'d> {
    /// Recursive: the parser has limited the depth.
    fn visit(&mut self, value: Value<'d>) {
        match value.kind() {
            Kind::Object => self.visit_members(value),
            Kind::Array => {
                for (index, element) in value.elements().enumerate() {
                    self.descend(Step::Index(index), element);
                }
            }
            Kind::Null | Kind::Bool | Kind::Number | Kind::String => {}
        }
    }

    fn visit_members(&mut self, object: Value<'d>) {
        let (mut seen, mut places) = (Index::default(), Vec::new());
        for member in object.members() {
            let name = member.name.unescape();
            let again = member.name.span();
            match seen.find(&name).and_then(|at| places.get(at)) {
                Some(&first) => {
                    let pointer = self.pointer(&name);
                    self.found.push(Duplicate {
                        name: name.clone().into_owned(),
                        pointer,
                        first,
                        again,
                    });
                }
                None => {
                    seen.set(name.clone(), places.len());
                    places.push(again);
                }
            }
            self.descend(Step::Name(name), member.value);
        }
    }

    fn descend(&mut self, step: Step<'d>, value: Value<'d>) {
        if matches!(value.kind(), Kind::Object | Kind::Array) {
            self.trail.push(step);
            self.visit(value);
            self.trail.pop();
        }
    }

    fn pointer(&self, name: &str) -> String {
        let mut out = String::new();
        for step in &self.trail {
            out.push('/');
            match step {
                Step::Name(name) => out.push_str(&pointer::escape(name)),
                Step::Index(index) => out.push_str(&index.to_string()),
            }
        }
        out + "/" + &pointer::escape(name)
    }
}
