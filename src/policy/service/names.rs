//! The names in a text: where one is defined, where else it stands, and its renaming.
//! Must not live here: what a name may be (`policy::rename`).

use crate::hujson::tolerant;
use crate::policy::language::content::NameKind;
use crate::policy::language::places::{Mention, mentions};
use crate::policy::rename::renaming;

use super::answer::{Reference, Renameable, TextEdit, TextRange};

/// The name at a place, end included; where two meet, that which begins there.
fn at<'m, 'd>(mentions: &'m [Mention<'d>], offset: usize) -> Option<&'m Mention<'d>> {
    let holds = |mention: &&Mention<'_>| {
        let span = mention.piece.span;
        span.start <= offset && offset <= span.end
    };
    mentions.iter().rfind(holds)
}

/// The places of the name at an offset, its definition first; none where no name stands.
fn all<'m, 'd>(mentions: &'m [Mention<'d>], offset: usize) -> Vec<&'m Mention<'d>> {
    let Some(here) = at(mentions, offset) else {
        return Vec::new();
    };
    let is_same =
        |mention: &&Mention<'_>| mention.kind == here.kind && mention.piece.text == here.piece.text;
    let same = || mentions.iter().filter(is_same);
    let mut found: Vec<_> = same().filter(|mention| mention.defines).collect();
    found.extend(same().filter(|mention| !mention.defines));
    found
}

/// Where the name at this place is defined.
#[inline(never)]
pub fn definition(text: &str, offset: usize) -> Option<TextRange> {
    let read = tolerant(text);
    let mentions = mentions(&read.document);
    let first = all(&mentions, offset).into_iter().next()?;
    first.defines.then(|| first.piece.span.into())
}

/// Every place of the name at this place, its definition first.
#[inline(never)]
pub fn references(text: &str, offset: usize) -> Vec<Reference> {
    let read = tolerant(text);
    let mentions = mentions(&read.document);
    let all = all(&mentions, offset).into_iter();
    all.map(|mention| Reference {
        from: mention.piece.span.start,
        to: mention.piece.span.end,
        definition: mention.defines,
        pointer: mention.pointer.clone(),
    })
    .collect()
}

/// The name at this place, if it can be renamed: a service cannot, nor what the policy does not define.
#[inline(never)]
pub fn renameable(text: &str, offset: usize) -> Option<Renameable> {
    let read = tolerant(text);
    let mentions = mentions(&read.document);
    let here = at(&mentions, offset)?;
    let is_defined = all(&mentions, offset)
        .first()
        .is_some_and(|first| first.defines);
    (here.kind != NameKind::Service && is_defined).then(|| Renameable {
        from: here.piece.span.start,
        to: here.piece.span.end,
        name: here.piece.text.to_owned(),
        kind: here.kind,
    })
}

/// The edits that give the name at this place another.
///
/// # Errors
/// Why not: no name that can be renamed, a new one that is taken or cannot be.
#[inline(never)]
pub fn rename_at(text: &str, offset: usize, name: &str) -> Result<Vec<TextEdit>, String> {
    let here = renameable(text, offset);
    let here = here.ok_or_else(|| "nothing here can be renamed".to_owned())?;
    let read = tolerant(text);
    let edits = renaming(&read.document, &here.name, name)?;
    Ok(edits.into_iter().map(TextEdit::from).collect())
}
