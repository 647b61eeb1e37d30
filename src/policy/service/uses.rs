//! The names and texts that a document uses, and how often, by which completions are sorted.
//! Must not live here: what is allowed where (`candidates`).

use crate::hujson::{Document, Span};
use crate::policy::language::content::{NameKind, StringRole};
use crate::policy::language::dialect::Dialect;
use crate::policy::language::pieces::{PieceKind, each_piece};
use crate::policy::language::places::{StringPlace, walk};
use crate::tables::index::Index;
use crate::tables::texts::Texts;

/// The texts of a document, each once.
pub(super) struct Uses<'d> {
    asked: StringRole,
    by_text: Index<'d>,
    pub texts: Vec<Use<'d>>,
}

/// A text and its uses.
pub(super) struct Use<'d> {
    pub text: &'d str,
    pub kind: PieceKind,
    /// Whether the document defines it, and how often it names it.
    pub is_defined: bool,
    pub count: usize,
    /// How often it has the role in question.
    pub own: usize,
    /// Its last place as a name, which gives its kind.
    last: usize,
}

/// The strings of a document, each once for a role: a large document repeats a few names on every line, and taking each occurrence
/// apart took three times as long.
struct Strings<'d> {
    texts: Texts<'d>,
    /// For each text, by its number, its indexes in `each`.
    by_text: Vec<Vec<usize>>,
    each: Vec<Repeated<'d>>,
}

/// A string with the number of its uses in this role, and the last of them.
struct Repeated<'d> {
    place: StringPlace<'d>,
    count: usize,
    last: usize,
}

impl<'d> Strings<'d> {
    fn of(document: &'d Document<'_>) -> Strings<'d> {
        Strings {
            texts: Texts::of(document.text()),
            by_text: Vec::new(),
            each: Vec::new(),
        }
    }

    fn add(&mut self, place: StringPlace<'d>) {
        let number = self.texts.number(place.value.as_str().unwrap_or_default());
        if number == self.by_text.len() {
            self.by_text.push(Vec::new());
        }
        let last = place.value.span().start;
        let Some(places) = self.by_text.get_mut(number) else {
            return;
        };
        for &at in places.iter() {
            if let Some(known) = self.each.get_mut(at)
                && known.place.role == place.role
            {
                known.count += 1;
                known.last = last;
                return;
            }
        }
        places.push(self.each.len());
        self.each.push(Repeated {
            place,
            count: 1,
            last,
        });
    }
}

impl<'d> Uses<'d> {
    /// The uses in a document, for a place with this role; the text at that place, `hole`, is left out.
    pub fn of(
        (document, dialect): (&'d Document<'_>, Dialect),
        asked: StringRole,
        hole: Option<Span>,
    ) -> Uses<'d> {
        let mut uses = Uses {
            asked,
            by_text: Index::default(),
            texts: Vec::new(),
        };
        let mut strings = Strings::of(document);
        walk(document, dialect, &mut |place, _| {
            if Some(place.value.span()) != hole && place.role != StringRole::Key {
                strings.add(place);
            }
        });
        for string in &strings.each {
            uses.string(string);
        }
        uses
    }

    fn string(&mut self, string: &Repeated<'d>) {
        let place = string.place;
        let whole = place.value.as_str().unwrap_or_default().trim();
        let mut parts = 0;
        each_piece(place.value, place.role, &mut |piece| {
            // Of strings with parts, only a host is also written alone in the same role.
            let is_alone = piece.text == whole || place.role.has_ports();
            let role = if is_alone {
                place.role
            } else {
                StringRole::Key
            };
            self.add(piece.text, piece.kind, role, string);
            parts += 1;
        });
        if parts > 1 && !place.role.has_ports() {
            self.add(whole, PieceKind::Text, place.role, string);
        }
    }

    fn add(&mut self, text: &'d str, kind: PieceKind, role: StringRole, string: &Repeated<'_>) {
        let next = self.texts.len();
        let at = self.by_text.place(text, next);
        if at == next {
            self.texts.push(Use {
                text,
                kind,
                is_defined: false,
                count: 0,
                own: 0,
                last: 0,
            });
        }
        let Some(found) = self.texts.get_mut(at) else {
            return;
        };
        match role {
            StringRole::Definition(_) => found.is_defined = true,
            role => {
                found.count += string.count;
                found.own += string.count * usize::from(role == self.asked);
            }
        }
        if let PieceKind::Name(_) = kind
            && string.last >= found.last
        {
            (found.kind, found.last) = (kind, string.last);
        }
    }

    /// The uses of a text.
    pub fn get(&self, text: &str) -> Option<&Use<'d>> {
        self.texts.get(self.by_text.find(text)?)
    }

    /// The names of a kind.
    pub fn names(&self, kind: NameKind) -> impl Iterator<Item = &Use<'d>> {
        let texts = self.texts.iter();
        texts.filter(move |found| found.kind == PieceKind::Name(kind))
    }
}
