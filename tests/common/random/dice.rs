//! A small seeded generator of choices: the same seed gives the same choices everywhere. Must not live here: what is chosen.

pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .wrapping_add(0x5851_f42d_4c95_7f2d),
        )
    }

    /// The next number of splitmix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A number from one to another, both included.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// True in one of this many cases.
    pub fn one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// From `least` to `most` entries of a list, each at most once, in the list's order.
    pub fn some<T: Clone>(&mut self, list: &[T], least: usize, most: usize) -> Vec<T> {
        let most = most.min(list.len());
        let mut places: Vec<usize> = Vec::new();
        for _ in 0..self.between(least.min(most), most) {
            let mut place = self.below(list.len());
            while places.contains(&place) {
                place = (place + 1) % list.len();
            }
            places.push(place);
        }
        places.sort_unstable();
        places
            .into_iter()
            .map(|place| list[place].clone())
            .collect()
    }
}
