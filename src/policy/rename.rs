//! Renaming what a policy names: a group, a tag, an alias, an ipset, a posture, everywhere.
//! Must not live here: where names occur (`language::places`), which names are defined.

use crate::hujson::{self, Document, Splice, inside_of, splice};

use super::edit::EditError;
use super::findings::words::joined;
use super::language::content::NameKind;
use super::language::dialect::Dialect;
use super::language::places::mentions;
use super::language::selector::{Kind, trimmed};
use super::language::text::PolicyText;

/// The text with a group, tag, ipset, posture or (without prefix) alias renamed everywhere; all else stays byte for
/// byte.
///
/// # Errors
/// [`EditError::Syntax`] for the text; [`EditError::Argument`] for a name that does not exist, and a new one that is taken or invalid.
#[inline(never)]
pub fn rename<'t>(
    text: impl Into<PolicyText<'t>>,
    from: &str,
    to: &str,
) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    let document = hujson::parse(text)?;
    let edits = renaming((&document, dialect), from, to).map_err(EditError::Argument)?;
    // INVARIANT: mentions ascend and do not overlap.
    Ok(splice(text, &edits).unwrap_or_default())
}

/// The edits that rename a name, in the order of the text; a prefix left out of the new name is that of the old.
/// Nothing else changes, and the meaning of the document only in that name.
///
/// # Errors
/// The reason: no such name, or the new one is taken or invalid.
pub fn renaming(
    (document, dialect): (&Document<'_>, Dialect),
    from: &str,
    to: &str,
) -> Result<Vec<Splice>, String> {
    let (from, kind) = (trimmed(from), NameKind::of(trimmed(from)));
    let to = new_name(dialect, kind, trimmed(to))?;
    let mentioned = mentions(document, dialect, kind, from);
    if mentioned.is_empty() {
        return Err(joined(&["there is no `", from, "`"]));
    }
    if from == to {
        return Ok(Vec::new());
    }
    if !mentions(document, dialect, kind, &to).is_empty() {
        return Err(joined(&["`", &to, "` is taken"]));
    }
    let insert = inside_of(&to);
    let edits = mentioned.into_iter().map(|mention| Splice {
        span: mention.span,
        insert: insert.clone(),
    });
    Ok(edits.collect())
}

/// The new name with its prefix, if it is valid for this kind (docs/policy-language.md#definitions).
fn new_name(dialect: Dialect, kind: NameKind, name: &str) -> Result<String, String> {
    if kind == NameKind::Service {
        return Err("a service is named where it is made, not in a policy".to_owned());
    }
    let own = name.strip_prefix(kind.prefix()).unwrap_or(name);
    let whole = joined(&[kind.prefix(), own]);
    let refused = |why: &str| Err(joined(&["`", name, "` ", why]));
    // In a destination the ports begin at the last colon, and a comma parts nothing else.
    let parts = |c: char| matches!(c, ':' | ',') || c.is_control();
    match kind {
        _ if own.is_empty() => Err("an empty name".to_owned()),
        _ if own.contains(parts) => refused("has a character that names cannot have"),
        NameKind::Tag => {
            let mut letters = own.chars();
            let is_tag = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
                && letters.all(|c| dialect.may_be_in_tag(c));
            match is_tag {
                true => Ok(whole),
                false => refused(dialect.what_is_a_tag()),
            }
        }
        NameKind::Host if Kind::of(own) != Kind::Host || own.contains(char::is_whitespace) => {
            refused("is not a valid alias")
        }
        _ => Ok(whole),
    }
}
