//! Tags that look renamed: everything that is said of the one is now said of the other.
//! Must not live here: who loses by it (diff_access.rs); renaming itself (rename.rs).

use serde::Serialize;

use crate::hujson::{self, Splice, inside_of, splice};
use crate::policy::diff::{Change, diff_of};
use crate::policy::language::content::NameKind;
use crate::policy::language::document::Policy;
use crate::policy::language::places::mentions;

/// A tag that has another name in the later document. Devices keep the old one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Renamed {
    /// The tag of the earlier document.
    pub from: String,
    /// The tag of the later document.
    pub to: String,
}

/// How many tags that are gone and new are compared with each other.
const PAIRS: usize = 64;

/// The tags of the earlier document that the later one does not have, each with the new one that stands in every place of it.
#[inline(never)]
pub fn renamed([before, after]: [&Policy<'_>; 2]) -> Vec<Renamed> {
    let [gone, new] = [(before, after), (after, before)].map(|(own, other)| {
        let names = own.tag_owners.iter().map(|(name, _)| name.name());
        let gone = names.filter(|name| other.tag_owners.get(name).is_none());
        gone.collect::<Vec<_>>()
    });
    let mut renamed = Vec::new();
    if gone.len().saturating_mul(new.len()) > PAIRS {
        return renamed;
    }
    for from in gone {
        let is_taken = |to: &str| renamed.iter().any(|known: &Renamed| known.to == to);
        let mut free = new.iter().filter(|to| !is_taken(to));
        let to = free.find(|to| is_renamed(before, after, from, to));
        if let Some(to) = to {
            renamed.push(Renamed {
                from: from.to_owned(),
                to: (*to).to_owned(),
            });
        }
    }
    renamed
}

/// Whether nothing of what differs is about either name, once the one is written in place of the other.
fn is_renamed(before: &Policy<'_>, after: &Policy<'_>, from: &str, to: &str) -> bool {
    let document = before.document;
    let insert = inside_of(to);
    let mut edits = Vec::new();
    for mention in mentions(document, before.dialect, NameKind::Tag, from) {
        edits.push(Splice {
            span: mention.span,
            insert: insert.clone(),
        });
    }
    let text = splice(document.text(), &edits).unwrap_or_default();
    let Ok(document) = hujson::parse(&text) else {
        return false;
    };
    let is_about = |change: &Change| {
        let values = [&change.before, &change.after].into_iter().flatten();
        let texts = values.map(|value| value.as_str());
        let mut texts = texts.chain([change.pointer.as_str()]);
        texts.any(|text| text.contains(from) || text.contains(to))
    };
    !edits.is_empty()
        && !diff_of([(&document, before.dialect), (after.document, after.dialect)])
            .iter()
            .any(is_about)
}
