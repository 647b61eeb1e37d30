//! Every string and every name of a policy document, with what it is for; for the tree of any text, even a broken one.
//! Must not live here: uses of these places (the verbs), which key contains what (`content`).

use crate::hujson::{Document, Kind, Span, Value, pointer};

use super::content::{NameKind, StringRole};
use super::dialect::Dialect;
use super::grammar::Content;
use super::pieces::{Piece, PieceKind, each_piece, pieces};
use super::selector::trimmed;
use crate::tables::find::find;

/// A string, or the name of a member.
#[derive(Clone, Copy, Debug)]
pub struct StringPlace<'d> {
    /// Its node.
    pub value: Value<'d>,
    /// What it is for.
    pub role: StringRole,
    /// Whether it is the name of a member.
    pub is_name: bool,
}

impl<'d> StringPlace<'d> {
    /// Its parts.
    pub fn pieces(&self) -> Vec<Piece<'d>> {
        pieces(self.value, self.role)
    }

    /// Whether it defines a name in it.
    pub fn defines(&self) -> bool {
        matches!(self.role, StringRole::Definition(_))
    }
}

/// The path from the document to a place.
#[derive(Debug, Default)]
pub struct PlacePath<'d>(Vec<PathStep<'d>>);

#[derive(Clone, Copy, Debug)]
enum PathStep<'d> {
    Name(&'d str),
    Index(usize),
}

impl PlacePath<'_> {
    /// The JSON Pointer (RFC 6901) to the value at this place, or the one named here.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.0 {
            pointer.push('/');
            match step {
                PathStep::Name(name) => pointer.push_str(&pointer::escape(name)),
                PathStep::Index(at) => pointer.push_str(&at.to_string()),
            }
        }
        pointer
    }
}

/// Passes on each place of a document in the order of the text, with the path to it.
pub fn walk<'d>(
    document: &'d Document<'_>,
    dialect: Dialect,
    take: &mut dyn FnMut(StringPlace<'d>, &PlacePath<'d>),
) {
    walk_in(document, dialect, &mut |_| true, take);
}

/// The same of those objects and lists alone that are wanted, by their bytes: others are passed over with all that is in them.
pub fn walk_in<'d>(
    document: &'d Document<'_>,
    dialect: Dialect,
    is_wanted: &mut dyn FnMut(Span) -> bool,
    take: &mut dyn FnMut(StringPlace<'d>, &PlacePath<'d>),
) {
    let mut walk = PlaceWalk {
        way: PlacePath::default(),
        is_wanted,
        take,
    };
    walk.visit(document.root(), Content::document(dialect));
}

struct PlaceWalk<'w, 'd> {
    way: PlacePath<'d>,
    is_wanted: &'w mut dyn FnMut(Span) -> bool,
    take: &'w mut dyn FnMut(StringPlace<'d>, &PlacePath<'d>),
}

impl<'d> PlaceWalk<'_, 'd> {
    fn visit(&mut self, value: Value<'d>, content: Content) {
        match value.kind() {
            Kind::Object | Kind::Array if !(self.is_wanted)(value.span()) => {}
            Kind::Object => {
                for member in value.members() {
                    let name = member.name.as_str().unwrap_or_default();
                    self.way.0.push(PathStep::Name(name));
                    self.place(member.name, content.name_role(), true);
                    self.visit(member.value, content.member(name));
                    self.way.0.pop();
                }
            }
            Kind::Array => {
                for (at, element) in value.elements().enumerate() {
                    self.way.0.push(PathStep::Index(at));
                    self.visit(element, content.element());
                    self.way.0.pop();
                }
            }
            Kind::String => self.place(value, content.role(), false),
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }

    fn place(&mut self, value: Value<'d>, role: StringRole, is_name: bool) {
        let place = StringPlace {
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
pub fn mentions(
    document: &Document<'_>,
    dialect: Dialect,
    kind: NameKind,
    name: &str,
) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut hits = Hits::of(document.text(), name);
    walk_in(
        document,
        dialect,
        &mut |span| hits.are_in(span),
        &mut |place, way| {
            // Most strings are of something else, which their bytes tell sooner than their parts.
            let raw = place.value.raw().as_bytes();
            if find(raw, name.as_bytes()).is_none() && memchr::memchr(b'\\', raw).is_none() {
                return;
            }
            let own = place.value.as_str().unwrap_or_default();
            if dialect.counts_blanks(place.role) && trimmed(own) != own {
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
        },
    );
    found
}

/// Where a name may stand in a text: at its own bytes, or where an escape is. Asked span by span, in the order of the text.
struct Hits<'t> {
    bytes: &'t [u8],
    name: &'t [u8],
    /// The next of each; the end of the text where there is none.
    next: [usize; 2],
}

impl<'t> Hits<'t> {
    fn of(text: &'t str, name: &'t str) -> Hits<'t> {
        Hits {
            bytes: text.as_bytes(),
            name: name.as_bytes(),
            next: [0; 2],
        }
    }

    fn are_in(&mut self, span: Span) -> bool {
        let rest = self.bytes.get(span.start..).unwrap_or_default();
        let [name, escape] = &mut self.next;
        if *name <= span.start {
            *name = span.start + find(rest, self.name).unwrap_or(rest.len());
        }
        if *escape <= span.start {
            *escape = span.start + memchr::memchr(b'\\', rest).unwrap_or(rest.len());
        }
        *name.min(escape) < span.end
    }
}
