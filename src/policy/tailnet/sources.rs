//! The addresses that lists of sources mean: each selector evaluated once, each distinct list of addresses stored once.
//! Must not live here: what one selector means (receivers.rs), destinations.

use std::rc::Rc;

use super::net::Net;
use super::network::{Network, sorted};
use crate::policy::language::selector::Selector;
use crate::tables::index::{Index, Runs};
use crate::tables::unions::Unions;

/// Distinct lists of addresses, by the selectors that mean them.
pub(crate) struct Sources<'n, 'p> {
    network: &'n Network<'p>,
    /// The lists: sorted, without repeats.
    lists: Vec<Rc<[Net]>>,
    known: Runs,
    /// The indices of the lists of single selectors, by name.
    by_name: Index<'p>,
    of_name: Vec<usize>,
    unions: Unions,
}

impl<'n, 'p> Sources<'n, 'p> {
    /// None yet.
    pub fn new(network: &'n Network<'p>) -> Sources<'n, 'p> {
        Sources {
            network,
            lists: Vec::new(),
            known: Runs::default(),
            by_name: Index::default(),
            of_name: Vec::new(),
            unions: Unions::default(),
        }
    }

    /// The list at an index.
    pub fn get(&self, place: usize) -> Rc<[Net]> {
        self.lists.get(place).cloned().unwrap_or_default()
    }

    /// The index of a list, which is sorted and without repeats.
    pub fn place(&mut self, nets: Vec<Net>) -> usize {
        let mut run = Vec::with_capacity(nets.len());
        for net in &nets {
            net.number(&mut run);
        }
        let at = self.known.place(&run);
        if at == self.lists.len() {
            self.lists.push(nets.into());
        }
        at
    }

    /// The index of what some selectors mean together.
    #[inline(never)]
    pub fn of(&mut self, selectors: &[Selector<'p>]) -> usize {
        let mut places = Vec::with_capacity(selectors.len());
        for selector in selectors {
            places.push(self.of_one(selector));
        }
        let mut unions = std::mem::take(&mut self.unions);
        let place = unions.place(places, &mut |places| self.union(places));
        self.unions = unions;
        place
    }

    fn of_one(&mut self, selector: &Selector<'p>) -> usize {
        let at = self.by_name.place(selector.name(), self.of_name.len());
        if let Some(&known) = self.of_name.get(at) {
            return known;
        }
        let nets = self.network.sources(std::slice::from_ref(selector));
        let place = self.place(nets);
        self.of_name.push(place);
        place
    }

    /// The index of several lists together: often the longest of them contains the others.
    fn union(&mut self, places: &[usize]) -> usize {
        let lists: Vec<Rc<[Net]>> = places.iter().map(|&place| self.get(place)).collect();
        let longest = places.iter().zip(&lists).max_by_key(|(_, list)| list.len());
        if let Some((&place, longest)) = longest {
            let mut nets = lists
                .iter()
                .filter(|list| !Rc::ptr_eq(list, longest))
                .flat_map(|list| list.iter());
            if nets.all(|net| longest.binary_search(net).is_ok()) {
                return place;
            }
        }
        self.place(sorted(lists.concat()))
    }
}
