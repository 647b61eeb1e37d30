//! Where two documents may differ: what only the rules of one open, by the classes of ends that they lead from and to.
//! Must not live here: what the difference is (diff_access.rs).

use std::rc::Rc;

use super::alike::Classes;
use super::flow::Judge;
use super::identity::Answer;
use super::reach::Reach;
use crate::policy::language::rule::{Rule, RuleId};
use crate::tables::index::{Index, Runs};
use crate::tables::sort;

/// Two documents, and the ends by which they are compared.
pub struct Pair<'a, 'p> {
    /// The documents.
    pub judges: [&'a Judge<'p>; 2],
    /// What is reached under each.
    pub reaches: [&'a Reach<'a, 'p>; 2],
    /// The sources.
    pub from: &'a Classes<'p>,
    /// The destinations.
    pub to: &'a Classes<'p>,
}

impl<'p> Pair<'_, 'p> {
    /// Which destinations may change for which sources: where only one document opens something.
    #[inline(never)]
    pub fn touched(&self) -> Touched {
        let mut touched = Touched {
            of: vec![Vec::new(); self.from.ends.len()],
            lists: Vec::new(),
            everywhere: vec![false; self.from.ends.len()],
        };
        let mut meanings = Meanings::default();
        let mut opened = [Vec::new(), Vec::new()];
        for (document, opened) in opened.iter_mut().enumerate() {
            self.openings(document, &mut meanings, opened);
        }
        let [before, after] = &mut opened;
        let (only_before, only_after) = (only(before, after), only(after, before));
        let has_via = self.judges.iter().any(|judge| judge.has_via);
        for opening in only_before.iter().chain(&only_after) {
            let list = touched.lists.len();
            let [_, destination, ..] = opening.key;
            touched.lists.push(meanings.classes(destination as usize));
            for source in meanings.sources(opening) {
                for &class in meanings.classes(*source as usize).iter() {
                    match (opening.everywhere, touched.of.get_mut(class)) {
                        (false, Some(of)) => of.push(list),
                        (true, _) => touched.mark_everywhere(class),
                        (false, None) => {}
                    }
                }
            }
        }
        let [before, after] = self.judges.map(|judge| judge.policy().allows_all());
        if before != after {
            touched.everywhere.fill(true);
        }
        // A way that changes may change where everything ends that has no owner.
        if has_via && (!touched.lists.is_empty() || before != after) {
            let at = touched.lists.len();
            touched.lists.push(self.unowned().into());
            for of in &mut touched.of {
                of.push(at);
            }
        }
        touched
    }

    fn unowned(&self) -> Vec<usize> {
        let ends = self.to.ends.iter().enumerate();
        let unowned = ends.filter(|(_, end)| end.device.is_none());
        unowned.map(|(class, _)| class).collect()
    }

    /// What the rules of a document open, each by the classes that it leads from and to.
    fn openings(&self, document: usize, meanings: &mut Meanings<'p>, opened: &mut Vec<Opened>) {
        let (Some(judge), Some(reach)) = (self.judges.get(document), self.reaches.get(document))
        else {
            return;
        };
        let about = &judge.about;
        let taken = reach.taken_by_sources();
        let sources: Vec<u64> = taken.iter().map(|taken| meanings.place(taken)).collect();
        for (at, rule) in about.rules.iter().enumerate() {
            let range = reach.openings_of(RuleId(at));
            if range.is_empty() {
                continue;
            }
            let mut from = Vec::with_capacity(rule.sources.len());
            for source in rule.sources {
                let place = about.sources.place(source.name());
                from.extend(place.and_then(|place| sources.get(place)));
            }
            let (from, way) = (meanings.list(from), meanings.way(rule));
            for opening in range {
                let Some((set, to)) = reach.opening(opening) else {
                    continue;
                };
                let own = u64::from(about.destinations.is_own(to));
                let everywhere = rule.via.is_empty() && about.destinations.is_everywhere(to);
                let to = meanings.place(reach.taken_by(to));
                opened.push(Opened {
                    key: [from, to, set as u64, way, own],
                    everywhere,
                });
            }
        }
        sort::sort_by(opened, |a, b| a.key.cmp(&b.key));
        opened.dedup_by(|later, first| later.key == first.key);
    }
}

/// What a rule opens: the sources as a list of meanings, the meaning of the destination, what is open, the `via` tags, and
/// whether to the source's own devices. Equal keys mean the same in both documents.
struct Opened {
    key: [u64; 5],
    /// Whether the destination is `*`.
    everywhere: bool,
}

/// The meanings of selectors in either document: the classes that they include, each list once.
#[derive(Default)]
struct Meanings<'p> {
    known: Runs,
    classes: Vec<Rc<[usize]>>,
    lists: Runs,
    of_list: Vec<Rc<[u64]>>,
    tags: Index<'p>,
}

impl<'p> Meanings<'p> {
    /// The index of the meaning with these classes.
    fn place(&mut self, taken: &[(usize, Answer)]) -> u64 {
        let place = self.known.place(&numbers(taken));
        if place == self.classes.len() {
            self.classes
                .push(taken.iter().map(|(class, _)| *class).collect());
        }
        place as u64
    }

    fn classes(&self, place: usize) -> Rc<[usize]> {
        self.classes.get(place).cloned().unwrap_or_default()
    }

    /// The index of a list of meanings, whatever their order.
    fn list(&mut self, mut places: Vec<u64>) -> u64 {
        sort::sort(&mut places);
        places.dedup();
        let place = self.lists.place(&places);
        if place == self.of_list.len() {
            self.of_list.push(places.into());
        }
        place as u64
    }

    /// The index of the tags, one of which a router must have.
    fn way(&mut self, rule: &Rule<'p>) -> u64 {
        let mut tags = Vec::with_capacity(rule.via.len());
        for tag in rule.via {
            let next = self.tags.len();
            tags.push(self.tags.place(tag.name(), next) as u64);
        }
        self.list(tags)
    }

    fn sources(&self, opened: &Opened) -> &[u64] {
        let [from, ..] = opened.key;
        self.of_list.get(from as usize).map_or(&[], |list| list)
    }
}

/// Those of the first, sorted by key, that the second does not have.
fn only<'o>(one: &'o [Opened], other: &[Opened]) -> Vec<&'o Opened> {
    let mut rest = Vec::new();
    for opened in one {
        if other
            .binary_search_by(|other| other.key.cmp(&opened.key))
            .is_err()
        {
            rest.push(opened);
        }
    }
    rest
}

/// Which destinations may change for which sources.
pub struct Touched {
    /// By class of sources, places in `lists`.
    pub of: Vec<Vec<usize>>,
    /// Classes of destinations.
    lists: Vec<Rc<[usize]>>,
    /// By class of sources, whether what is open at `*` may change.
    pub everywhere: Vec<bool>,
}

impl Touched {
    fn mark_everywhere(&mut self, class: usize) {
        if let Some(mark) = self.everywhere.get_mut(class) {
            *mark = true;
        }
    }

    /// The classes of all groups that one of some lists, or one of some other classes, touches.
    pub fn wanted(
        &self,
        lists: &[usize],
        others: Vec<usize>,
        to: &Classes<'_>,
        groups_of: &[Vec<usize>],
    ) -> Vec<bool> {
        let mut wanted = vec![false; to.ends.len()];
        let mut seen = vec![false; to.groups.len()];
        let lists = lists.iter().filter_map(|&at| self.lists.get(at));
        let listed = lists.flat_map(|list| list.iter().copied());
        for class in listed.chain(others) {
            for &group in groups_of.get(class).into_iter().flatten() {
                if seen.get(group) != Some(&false) {
                    continue;
                }
                if let Some(seen) = seen.get_mut(group) {
                    *seen = true;
                }
                for &class in to.groups.get(group).into_iter().flatten() {
                    if let Some(wanted) = wanted.get_mut(class) {
                        *wanted = true;
                    }
                }
            }
        }
        wanted
    }
}

fn numbers(taken: &[(usize, Answer)]) -> Vec<u64> {
    let number =
        |&(class, answer): &(usize, Answer)| (class as u64) << 1 | u64::from(answer == Answer::Yes);
    taken.iter().map(number).collect()
}
