//! Unions by the indices of their parts: each is made once, however often and in whatever order it is asked for.
//! Must not live here: what is at an index, how a union is made.

use super::index::Runs;
use super::sort;

/// The indices of the unions that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Unions {
    /// The indices of their parts.
    known: Runs,
    of: Vec<usize>,
}

impl Unions {
    /// The index of the union of some indices. `make` gets those for which no union is known yet, ascending and each
    /// once, and returns the index of theirs.
    #[inline(never)]
    pub fn place(
        &mut self,
        mut places: Vec<usize>,
        make: &mut dyn FnMut(&[usize]) -> usize,
    ) -> usize {
        sort::sort(&mut places);
        places.dedup();
        if let [only] = places[..] {
            return only;
        }
        let at = self.known.place_of(&places);
        if let Some(&known) = self.of.get(at) {
            return known;
        }
        let place = make(&places);
        self.of.push(place);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::Unions;

    #[test]
    fn makes_each_union_once() {
        let (mut unions, mut made) = (Unions::default(), Vec::new());
        let asked = [
            vec![3, 1],
            vec![1, 3, 1],
            vec![],
            vec![7, 7],
            vec![1, 3, 7],
            vec![],
        ];
        let places = asked.map(|places| {
            unions.place(places, &mut |places| {
                made.push(places.to_vec());
                100 + made.len()
            })
        });
        assert_eq!(places, [101, 101, 102, 7, 103, 102]);
        assert_eq!(made, [vec![1, 3], vec![], vec![1, 3, 7]]);
    }
}
