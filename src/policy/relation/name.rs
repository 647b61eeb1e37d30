//! A name under which people know endpoints, and how it is found by what it is.
//! Must not live here: which names there are (atoms.rs), which of them say best what is meant (naming.rs).

use std::cell::OnceCell;

use super::ids::{AtomId, Id, IdTable, NameId};
use crate::policy::tailnet::parties::Party;
use crate::tables::index::Index;

/// A name with the endpoints that it means.
#[derive(Clone, Debug)]
pub struct Name {
    /// What is shown.
    pub party: Party,
    /// Its endpoints, ascending.
    pub atoms: Vec<AtomId>,
    /// Whether no device, and no approved route, stands behind it, though devices are known.
    pub is_vacant: bool,
}

/// The first name of each text, made when one is first asked for: by then all names are there.
#[derive(Default)]
pub struct NamesByText(OnceCell<Index<'static>>);

impl NamesByText {
    /// The name of a party among all names.
    pub fn find(&self, names: &IdTable<NameId, Name>, party: &Party) -> Option<NameId> {
        let by_text = self.0.get_or_init(|| {
            let mut by_text = Index::default();
            for (id, name) in names.iter() {
                if by_text.find(&name.party.name).is_none() {
                    by_text.set(name.party.name.clone().into(), id.place());
                }
            }
            by_text
        });
        let first = NameId::at(by_text.find(&party.name)?);
        let is_own = |id: &NameId| names.get(*id).is_some_and(|it| it.party == *party);
        // What has the same text is nearly always the same.
        match is_own(&first) {
            true => Some(first),
            false => names.ids().find(is_own),
        }
    }
}
