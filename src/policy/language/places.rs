//! Every string and every name of a policy document with what stands there, of any tree of a text, broken ones too.
//! Must not live here: what the places are good for (the verbs), which key holds what (`content`).

use crate::hujson::{Document, Kind, Value, pointer};

use super::content::{Content, NameKind, Role};
use super::pieces::{Piece, PieceKind, pieces};

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
    /// What it is made of.
    pub fn pieces(&self) -> Vec<Piece<'d>> {
        pieces(self.value, self.role)
    }

    /// Whether a name in it is defined by it.
    pub fn defines(&self) -> bool {
        matches!(self.role, Role::Definition(_))
    }
}

/// Hands over each place of a document in the order of the text, with the pointer of the value that it is or names.
pub fn walk<'d>(document: &'d Document<'_>, take: &mut dyn FnMut(Place<'d>, &str)) {
    let mut walk = Walk {
        pointer: String::new(),
        take,
    };
    walk.visit(document.root(), Content::DOCUMENT);
}

struct Walk<'w, 'd> {
    pointer: String,
    take: &'w mut dyn FnMut(Place<'d>, &str),
}

impl<'d> Walk<'_, 'd> {
    fn visit(&mut self, value: Value<'d>, content: Content) {
        match value.kind() {
            Kind::Object => {
                for member in value.members() {
                    let name = member.name.as_str().unwrap_or_default();
                    let length = self.enter(&pointer::escape(name));
                    self.place(member.name, content.name_role(), true);
                    self.visit(member.value, content.member(name));
                    self.pointer.truncate(length);
                }
            }
            Kind::Array => {
                for (at, element) in value.elements().enumerate() {
                    let length = self.enter(&at.to_string());
                    self.visit(element, content.element());
                    self.pointer.truncate(length);
                }
            }
            Kind::String => self.place(value, content.role(), false),
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }

    fn enter(&mut self, token: &str) -> usize {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(token);
        length
    }

    fn place(&mut self, value: Value<'d>, role: Role, is_name: bool) {
        let place = Place {
            value,
            role,
            is_name,
        };
        (self.take)(place, &self.pointer);
    }
}

/// A name where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention<'d> {
    /// What it names.
    pub kind: NameKind,
    /// The name and its bytes.
    pub piece: Piece<'d>,
    /// Whether it is defined here.
    pub defines: bool,
    /// The value it stands in, or the member it is the name of.
    pub pointer: String,
}

/// Every place where a name stands, in the order of the text.
pub fn mentions<'d>(document: &'d Document<'_>) -> Vec<Mention<'d>> {
    let mut found = Vec::new();
    walk(document, &mut |place, pointer| {
        for piece in place.pieces() {
            if let PieceKind::Name(kind) = piece.kind {
                found.push(Mention {
                    kind,
                    piece,
                    defines: place.defines(),
                    pointer: pointer.to_owned(),
                });
            }
        }
    });
    found
}
