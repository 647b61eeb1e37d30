//! What a document names and uses, and how often: by that completions are put in order.
//! Must not live here: what may stand where (`candidates`).

use crate::hujson::{Document, Span};
use crate::policy::language::content::{NameKind, Role};
use crate::policy::language::pieces::{PieceKind, each_piece};
use crate::policy::language::places::walk;
use crate::tables::index::Index;

/// The texts of a document, each once.
pub(super) struct Uses<'d> {
    asked: Role,
    by_text: Index<'d>,
    pub texts: Vec<Use<'d>>,
}

/// A text and where it stands.
pub(super) struct Use<'d> {
    pub text: &'d str,
    pub kind: PieceKind,
    /// Whether the document defines it, and how often it names it.
    pub is_defined: bool,
    pub count: usize,
    /// How often in the role that is asked about.
    pub own: usize,
}

impl<'d> Uses<'d> {
    /// Those of a document as seen from a place with this role; what stands there, in `hole`, is left out.
    pub fn of(document: &'d Document<'_>, asked: Role, hole: Option<Span>) -> Uses<'d> {
        let mut uses = Uses {
            asked,
            by_text: Index::default(),
            texts: Vec::new(),
        };
        walk(document, &mut |place, _| {
            if Some(place.value.span()) == hole || place.role == Role::Key {
                return;
            }
            let whole = place.value.as_str().unwrap_or_default().trim();
            let mut parts = 0;
            each_piece(place.value, place.role, &mut |piece| {
                // Of what is made of parts only hosts are written alone in the same role.
                let is_alone = piece.text == whole || place.role.has_ports();
                let role = if is_alone { place.role } else { Role::Key };
                uses.add(piece.text, piece.kind, role);
                parts += 1;
            });
            if parts > 1 && !place.role.has_ports() {
                uses.add(whole, PieceKind::Text, place.role);
            }
        });
        uses
    }

    fn add(&mut self, text: &'d str, kind: PieceKind, role: Role) {
        let next = self.texts.len();
        let at = self.by_text.place(text, next);
        if at == next {
            self.texts.push(Use {
                text,
                kind,
                is_defined: false,
                count: 0,
                own: 0,
            });
        }
        let Some(found) = self.texts.get_mut(at) else {
            return;
        };
        match role {
            Role::Definition(_) => found.is_defined = true,
            role => {
                found.count += 1;
                found.own += usize::from(role == self.asked);
            }
        }
        if let PieceKind::Name(_) = kind {
            found.kind = kind;
        }
    }

    /// What is known of a text.
    pub fn get(&self, text: &str) -> Option<&Use<'d>> {
        self.texts.get(self.by_text.find(text)?)
    }

    /// The names of a kind.
    pub fn names(&self, kind: NameKind) -> impl Iterator<Item = &Use<'d>> {
        let texts = self.texts.iter();
        texts.filter(move |found| found.kind == PieceKind::Name(kind))
    }
}
