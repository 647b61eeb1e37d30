//! Lists of sources that many rules share, each once.
//! Must not live here: what a list is made of.

use std::rc::Rc;

use super::net::Net;
use crate::tables::index::Numbers;

/// Lists without repeats, told apart by where they are kept and not by what is in them.
#[derive(Default)]
pub(crate) struct Sources {
    by_pointer: Numbers,
    /// Kept, so that no other list can come to stand in the same place.
    pub lists: Vec<Rc<[Net]>>,
}

impl Sources {
    /// The place of a list.
    pub fn place(&mut self, sources: &Rc<[Net]>) -> usize {
        let next = self.lists.len();
        let pointer = Rc::as_ptr(sources).cast::<Net>() as usize;
        let at = self.by_pointer.place(pointer as u64, next);
        if at == next {
            self.lists.push(sources.clone());
        }
        at
    }
}
