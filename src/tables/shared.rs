//! Lists that many others share, each once: distinguished by their address, without looking at the contents.
//! Must not live here: what a list is made of.

use std::rc::Rc;

use serde::{Serialize, Serializer};

use super::index::Numbers;

/// Lists without repeats. Two equal lists at different addresses are two.
pub(crate) struct Shared<T> {
    by_pointer: Numbers,
    /// Kept, so that no other list can get the same address.
    pub lists: Vec<Rc<[T]>>,
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Shared {
            by_pointer: Numbers::default(),
            lists: Vec::new(),
        }
    }
}

impl<T> Shared<T> {
    /// The index of a list.
    pub fn place(&mut self, list: &Rc<[T]>) -> usize {
        let next = self.lists.len();
        let pointer = Rc::as_ptr(list).cast::<T>() as usize;
        let at = self.by_pointer.place(pointer as u64, next);
        if at == next {
            self.lists.push(list.clone());
        }
        at
    }
}

/// The lists in full, each at its index.
impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.lists.iter().map(|list| &**list))
    }
}
