//! Every string and every name of a policy document, with what it is for; for the tree of any text, even a broken one.
//! Must not live here: uses of these places (the verbs), which key contains what (`content`).

use crate::hujson::{Document, Kind, Span, Value, pointer};

use super::content::{Content, NameKind, Role};
use super::pieces::{Piece, PieceKind, each_piece, pieces};
use crate::tables::find::find;

/// A string, or the name of a member.
#[derive(Clone, Copy, Debug)]
pub struct Place<'d> {
    /// Its node.
    pub value: Value<'d>,
    /// What it is for.
    pub role: Role,
    /// Whether it is the name of a member.
    pub is_name: bool,
}

impl<'d> Place<'d> {
    /// Its parts.
    pub fn pieces(&self) -> Vec<Piece<'d>> {
        pieces(self.value, self.role)
    }

    /// Whether it defines a name in it.
    pub fn defines(&self) -> bool {
        matches!(self.role, Role::Definition(_))
    }
}

/// The path from the document to a place.
#[derive(Debug, Default)]
pub struct Way<'d>(Vec<Step<'d>>);

#[derive(Clone, Copy, Debug)]
enum Step<'d> {
    Name(&'d str),
    Index(usize),
}

impl Way<'_> {
    /// The JSON Pointer (RFC 6901) to the value at this place, or the one named here.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.0 {
            pointer.push('/');
            match step {
                Step::Name(name) => pointer.push_str(&pointer::escape(name)),
                Step::Index(at) => pointer.push_str(&at.to_string()),
            }
        }
        pointer
    }
}

/// Passes on each place of a document in the order of the text, with the path to it.
pub fn walk<'d>(document: &'d Document<'_>, take: &mut dyn FnMut(Place<'d>, &Way<'d>)) {
    let way = Way::default();
    Walk { way, take }.visit(document.root(), Content::DOCUMENT);
}

struct Walk<'w, 'd> {
    way: Way<'d>,
    take: &'w mut dyn FnMut(Place<'d>, &Way<'d>),
}

impl<'d> Walk<'_, 'd> {
    fn visit(&mut self, value: Value<'d>, content: Content) {
        match value.kind() {
            Kind::Object => {
                for member in value.members() {
                    let name = member.name.as_str().unwrap_or_default();
                    self.way.0.push(Step::Name(name));
                    self.place(member.name, content.name_role(), true);
                    self.visit(member.value, content.member(name));
                    self.way.0.pop();
                }
            }
            Kind::Array => {
                for (at, element) in value.elements().enumerate() {
                    self.way.0.push(Step::Index(at));
                    self.visit(element, content.element());
                    self.way.0.pop();
                }
            }
            Kind::String => self.place(value, content.role(), false),
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }

    fn place(&mut self, value: Value<'d>, role: Role, is_name: bool) {
        let place = Place {
            value,
            role,
            is_name,
        };
        (self.take)(place, &self.way);
    }
}

/// An occurrence of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// Its bytes.
    pub span: Span,
    /// Whether it is defined here.
    pub defines: bool,
    /// The value that contains it, or the member that it names.
    pub pointer: String,
}

/// Every occurrence of a name, in the order of the text.
pub fn mentions(document: &Document<'_>, kind: NameKind, name: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    walk(document, &mut |place, way| {
        // Most strings are of something else, which their bytes tell sooner than their parts.
        let raw = place.value.raw().as_bytes();
        if find(raw, name.as_bytes()).is_none() && memchr::memchr(b'\\', raw).is_none() {
            return;
        }
        each_piece(place.value, place.role, &mut |piece| {
            if piece.kind == PieceKind::Name(kind) && piece.text == name {
                found.push(Mention {
                    span: piece.span,
                    defines: place.defines(),
                    pointer: way.pointer(),
                });
            }
        });
    });
    found
}
