//! The names in a text: where one is defined, where it is used, and its renaming.
//! Must not live here: which names are valid (`policy::rename`).

use crate::hujson::{Document, tolerant};
use crate::policy::language::content::NameKind;
use crate::policy::language::dialect::Dialect;
use crate::policy::language::pieces::{Piece, PieceKind, pieces};
use crate::policy::language::places::{Mention, mentions};
use crate::policy::language::text::PolicyText;
use crate::policy::rename::renaming;

use super::answer::{Reference, Renameable, TextEdit, TextRange};
use super::spot::spot;

/// The name at an offset, also at its end; where two meet, the one that begins there.
fn name_at<'d>(
    (document, dialect): (&'d Document<'_>, Dialect),
    offset: usize,
) -> Option<(NameKind, Piece<'d>)> {
    let spot = spot(document, dialect, offset);
    let pieces = pieces(spot.value?, spot.role());
    let holds = |piece: &Piece<'_>| piece.span.start <= offset && offset <= piece.span.end;
    let piece = pieces.into_iter().rfind(holds)?;
    match piece.kind {
        PieceKind::Name(kind) => Some((kind, piece)),
        _ => None,
    }
}

/// The places of the name at an offset, its definition first; none where there is no name.
fn all((document, dialect): (&Document<'_>, Dialect), offset: usize) -> Vec<Mention> {
    let Some((kind, here)) = name_at((document, dialect), offset) else {
        return Vec::new();
    };
    let all = mentions(document, dialect, kind, here.text).into_iter();
    let (mut found, rest): (Vec<_>, Vec<_>) = all.partition(|mention| mention.defines);
    found.extend(rest);
    found
}

/// Where the name at this place is defined.
#[inline(never)]
pub fn definition<'t>(text: impl Into<PolicyText<'t>>, offset: usize) -> Option<TextRange> {
    let PolicyText { text, dialect } = text.into();
    let read = tolerant(text);
    let first = all((&read.document, dialect), offset).into_iter().next()?;
    first.defines.then(|| first.span.into())
}

/// Every place of the name at this place, its definition first.
#[inline(never)]
pub fn references<'t>(text: impl Into<PolicyText<'t>>, offset: usize) -> Vec<Reference> {
    let PolicyText { text, dialect } = text.into();
    let read = tolerant(text);
    let all = all((&read.document, dialect), offset).into_iter();
    all.map(|mention| Reference {
        from: mention.span.start,
        to: mention.span.end,
        definition: mention.defines,
        pointer: mention.pointer,
    })
    .collect()
}

/// The name at this place, if it can be renamed. A service cannot, nor can a name that the policy does not define, nor one without
/// the prefix that its place implies, as it would be another name anywhere else.
#[inline(never)]
pub fn renameable<'t>(text: impl Into<PolicyText<'t>>, offset: usize) -> Option<Renameable> {
    let PolicyText { text, dialect } = text.into();
    renameable_in((&tolerant(text).document, dialect), offset)
}

fn renameable_in(
    (document, dialect): (&Document<'_>, Dialect),
    offset: usize,
) -> Option<Renameable> {
    let (kind, here) = name_at((document, dialect), offset)?;
    let mut all = mentions(document, dialect, kind, here.text).into_iter();
    let is_named = kind != NameKind::Service && kind == NameKind::of(here.text);
    (is_named && all.any(|mention| mention.defines)).then(|| Renameable {
        from: here.span.start,
        to: here.span.end,
        name: here.text.to_owned(),
        kind,
    })
}

/// The edits that rename the name at this place.
///
/// # Errors
/// Where there is no name that can be renamed, or the new name is taken or not valid.
#[inline(never)]
pub fn rename_at<'t>(
    text: impl Into<PolicyText<'t>>,
    offset: usize,
    name: &str,
) -> Result<Vec<TextEdit>, String> {
    let PolicyText { text, dialect } = text.into();
    let read = tolerant(text);
    let here = renameable_in((&read.document, dialect), offset);
    let here = here.ok_or_else(|| "nothing here can be renamed".to_owned())?;
    let edits = renaming((&read.document, dialect), &here.name, name)?;
    Ok(edits.into_iter().map(TextEdit::from).collect())
}
