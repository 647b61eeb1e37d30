//! The ids of the relation, and lists that are looked up by them: the one checked look-up of this folder.
//! Must not live here: what is numbered.

use std::marker::PhantomData;

/// A place in a list of one kind of things.
pub trait Id: Copy {
    /// The id of a place.
    fn at(place: usize) -> Self;
    /// The place.
    fn place(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u32);

        impl Id for $name {
            fn at(place: usize) -> $name {
                $name(u32::try_from(place).unwrap_or(u32::MAX))
            }

            fn place(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// One endpoint that may differ from every other.
    AtomId
    /// Endpoints that the same selectors include.
    ClassId
    /// A name for endpoints.
    NameId
    /// A row of the rules: what one rule opens.
    RowId
    /// A set of ports or accounts.
    SetId
    /// A fact on which access depends.
    FactId
    /// Facts that must all hold.
    TermId
    /// One difference between two cells.
    ItemId
}

/// A list with one item for each id.
#[derive(Clone, PartialEq, Debug)]
pub struct IdTable<I, T> {
    list: Vec<T>,
    of: PhantomData<I>,
}

impl<I, T> Default for IdTable<I, T> {
    fn default() -> Self {
        IdTable {
            list: Vec::new(),
            of: PhantomData,
        }
    }
}

impl<I: Id, T> IdTable<I, T> {
    /// One item for each of so many ids.
    pub fn filled(count: usize, item: T) -> Self
    where
        T: Clone,
    {
        IdTable {
            list: vec![item; count],
            of: PhantomData,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds an item. Returns its id.
    pub fn push(&mut self, item: T) -> I {
        self.list.push(item);
        I::at(self.list.len() - 1)
    }

    /// The item of an id.
    pub fn get(&self, id: I) -> Option<&T> {
        self.list.get(id.place())
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.list.get_mut(id.place())
    }

    /// All items with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (I, &T)> {
        let items = self.list.iter().enumerate();
        items.map(|(place, item)| (I::at(place), item))
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.list.len()).map(I::at)
    }
}

impl<I: Id, T> IdTable<I, Vec<T>> {
    /// The items of an id; none for one that is not there.
    pub fn of(&self, id: I) -> &[T] {
        self.get(id).map_or(&[], Vec::as_slice)
    }

    /// Adds an item to those of an id.
    pub fn add(&mut self, id: I, item: T) {
        if let Some(list) = self.get_mut(id) {
            list.push(item);
        }
    }
}
