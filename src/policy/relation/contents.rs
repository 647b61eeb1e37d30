//! What is open at the places of a matrix: each distinct list of hits, of regions and of rules once.
//! Must not live here: at which places (matrix.rs), what several have in common (rectangles.rs).

use super::condition::Conditions;
use super::hit::Hit;
use super::ids::{Id, SetId, TermId};
use super::reach::Shared;
use super::reading::Reading;
use super::region::{Opened, Region, add, opened};
use crate::policy::tailnet::identity::Answer;
use crate::tables::index::Runs;
use crate::tables::sort;

/// Certain, and undecided.
pub const LAYERS: [Layer; 2] = [Layer::Certain, Layer::Undecided];

/// Whether something is certain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Layer {
    /// It is.
    Certain,
    /// Text and context do not decide it.
    Undecided,
}

/// A rule with the destination by which it includes the column, and what it opens there; none if a document without rules allows
/// everything.
pub type RuleUse = Option<(usize, usize, SetId)>;

/// One distinct list of hits at one place.
struct PlaceContent {
    /// What is certain and what is not, by their indices.
    layers: [usize; 2],
    hits: Vec<Hit>,
    /// What it opens, once it was asked for.
    reported: Option<Vec<(Layer, usize, usize)>>,
}

/// The distinct lists.
pub struct Contents {
    list: Vec<PlaceContent>,
    known: Runs,
    /// The distinct lists of regions; the first is empty.
    opened: Vec<Vec<Region>>,
    known_opened: Runs,
    /// The distinct lists of rules.
    pub rules: Vec<Vec<RuleUse>>,
    known_rules: Runs,
    /// Whether pings come along with whatever is open.
    pub has_pings: bool,
}

impl Contents {
    /// No contents yet; of network rules, or of ssh rules, which open no pings.
    pub fn new(reading: &Reading<'_>) -> Contents {
        Contents {
            has_pings: !reading.is_ssh,
            list: Vec::new(),
            known: Runs::default(),
            opened: vec![Vec::new()],
            known_opened: Runs::default(),
            rules: Vec::new(),
            known_rules: Runs::default(),
        }
    }

    /// The index of what some hits at one place add up to; `mark` says of a login on a term whether the network lets it pass there.
    pub fn content<'p>(
        &mut self,
        hits: &[Hit],
        mark: &mut dyn FnMut(TermId, &Conditions<'p>) -> Answer,
        (reading, shared): (&Reading<'p>, &mut Shared<'p>),
    ) -> usize {
        let mut run = Vec::with_capacity(hits.len() * 7);
        for hit in hits {
            run.extend([
                mark(hit.term, &shared.conditions) as u64,
                hit.through.map_or(0, |device| device.0 as u64 + 1),
                hit.term.place() as u64,
                hit.set.place() as u64,
                u64::from(hit.is_vacant) << 32 | hit.among as u64,
                hit.rule.map_or(0, |rule| rule as u64 + 1),
                hit.by as u64,
            ]);
        }
        let place = self.known.place(&run);
        if place == self.list.len() {
            let Opened { certain, undecided } = opened(hits, reading, shared);
            let mut mark = |term| mark(term, &shared.conditions);
            let certain = marked(certain, &mut mark);
            let undecided = marked(undecided, &mut mark);
            let layers = [self.open_place(certain), self.open_place(undecided)];
            self.list.push(PlaceContent {
                layers,
                hits: hits.to_vec(),
                reported: None,
            });
        }
        place
    }

    /// Whether anything is open, or may be.
    pub fn is_open(&self, content: usize) -> bool {
        self.list.get(content).is_some_and(|it| it.layers != [0, 0])
    }

    /// The index of a list of regions; 0 for none.
    fn open_place(&mut self, regions: Vec<Region>) -> usize {
        if regions.is_empty() {
            return 0;
        }
        let mut run = Vec::new();
        for region in &regions {
            region.number(&mut run);
        }
        let place = self.known_opened.place(&run) + 1;
        if place == self.opened.len() {
            self.opened.push(regions);
        }
        place
    }

    /// The regions of a layer, unless there are none.
    pub fn layer_of(&self, content: usize, layer: Layer) -> Option<usize> {
        let [certain, undecided] = self.list.get(content)?.layers;
        let at = match layer {
            Layer::Certain => certain,
            Layer::Undecided => undecided,
        };
        self.opened
            .get(at)
            .is_some_and(|it| !it.is_empty())
            .then_some(at)
    }

    /// What a content opens: what is certain, and what is not for each reason; each with its index and that of its rules.
    pub fn reported(&mut self, content: usize, shared: &Shared<'_>) -> Vec<(Layer, usize, usize)> {
        if let Some(Some(reported)) = self.list.get(content).map(|it| it.reported.clone()) {
            return reported;
        }
        let mut reported = Vec::new();
        for layer in LAYERS {
            let open = self.layer_of(content, layer).unwrap_or_default();
            for open in self.by_reason(self.regions(open).to_vec()) {
                reported.push((layer, open, self.rules_for(&[content], layer, open, shared)));
            }
        }
        if let Some(content) = self.list.get_mut(content) {
            content.reported = Some(reported.clone());
        }
        reported
    }

    /// The indices of regions: one list for each reason why they are undecided.
    pub fn by_reason(&mut self, mut regions: Vec<Region>) -> Vec<usize> {
        if self.has_pings && regions.len() > 1 {
            with_pings(&mut regions);
        }
        // In an order that does not depend on what was asked before.
        sort::sort_by(&mut regions, |a, b| a.why.cmp(&b.why));
        let mut places = Vec::new();
        while let Some(first) = regions.first() {
            let why = first.why.clone();
            let (own, others) = regions.into_iter().partition(|it| it.why == why);
            places.push(self.open_place(own));
            regions = others;
        }
        places
    }

    /// The index of the rules of some contents that open some regions.
    pub fn rules_for(
        &mut self,
        contents: &[usize],
        layer: Layer,
        open: usize,
        shared: &Shared<'_>,
    ) -> usize {
        let mut rules: Vec<RuleUse> = Vec::new();
        let regions = self.opened.get(open).map_or(&[][..], Vec::as_slice);
        for content in contents.iter().filter_map(|at| self.list.get(*at)) {
            for hit in &content.hits {
                let is_certain = shared.conditions.is_certain(hit.term);
                if layer == Layer::Certain && !is_certain {
                    continue;
                }
                let set = shared.sets.get(hit.set);
                if set.is_some_and(|set| regions.iter().any(|region| region.set.meets(set))) {
                    rules.push(hit.rule.map(|rule| (rule, hit.by, hit.set)));
                }
            }
        }
        self.rules_place(rules)
    }

    /// What is open together, and by which rules, for the same reason.
    pub fn both(&mut self, one: (usize, usize), other: (usize, usize)) -> Option<(usize, usize)> {
        let [own, others] = [one.0, other.0].map(|open| self.regions(open));
        let why = |regions: &[Region]| regions.first().map(|region| region.why.clone());
        if why(own) != why(others) {
            return None;
        }
        let mut regions = own.to_vec();
        for region in others {
            add(&mut regions, region.clone());
        }
        let open = self.by_reason(regions).first().copied()?;
        let rules = [one.1, other.1]
            .into_iter()
            .filter_map(|at| self.rules.get(at));
        let rules = rules.flatten().copied().collect();
        Some((open, self.rules_place(rules)))
    }

    /// The index of some rules.
    fn rules_place(&mut self, mut rules: Vec<RuleUse>) -> usize {
        sort::sort(&mut rules);
        rules.dedup();
        let numbers = rules.iter().flat_map(|by| match by {
            Some((rule, by, set)) => [*rule as u64 + 1, *by as u64, set.place() as u64],
            None => [0, 0, 0],
        });
        let place = self.known_rules.place(&numbers.collect::<Vec<_>>());
        if place == self.rules.len() {
            self.rules.push(rules);
        }
        place
    }

    /// The regions at an index.
    pub fn regions(&self, open: usize) -> &[Region] {
        self.opened.get(open).map_or(&[], Vec::as_slice)
    }
}

/// The same regions, each divided by whether the network lets it pass.
fn marked(regions: Vec<Region>, mark: &mut dyn FnMut(TermId) -> Answer) -> Vec<Region> {
    let mut divided: Vec<Region> = Vec::with_capacity(regions.len());
    for region in regions {
        let mut terms = region.terms.clone();
        while let Some(&first) = terms.first() {
            let own_mark = mark(first);
            let (own, others) = terms.into_iter().partition(|term| mark(*term) == own_mark);
            divided.push(Region {
                terms: own,
                mark: own_mark,
                ..region.clone()
            });
            terms = others;
        }
    }
    divided
}

/// Tells pings with the ports by which they come along, and not by themselves.
fn with_pings(regions: &mut Vec<Region>) {
    let pings = regions.iter().find(|region| region.set.is_ping());
    let Some(ping) = pings.map(|region| region.set.clone()) else {
        return;
    };
    let ports = regions.iter().filter(|region| !region.set.is_ping());
    let terms: Vec<TermId> = ports.flat_map(|region| region.terms.clone()).collect();
    // What only a ping has on a condition is reported by itself.
    let is_brought = |region: &Region| region.terms.iter().all(|term| terms.contains(term));
    if !terms.is_empty() {
        regions.retain(|region| !region.set.is_ping() || !is_brought(region));
    }
    for region in regions.iter_mut().filter(|it| !it.set.is_ping()) {
        region.set = region.set.union(&ping);
    }
}
