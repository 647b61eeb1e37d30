//! Unions by the places of what they are of: each is made once, however often and in whatever order it is asked for.
//! Must not live here: what stands at a place, how a union is made.

use super::index::Runs;
use super::sort;

/// The places of the unions that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Unions {
    /// The places that each is of.
    known: Runs,
    of: Vec<usize>,
}

impl Unions {
    /// The place of the union of some places. `make` is handed those that no union is known of yet, ascending and each
    /// once, none or several of them, and gives back where theirs stands.
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
