//! What pairs of classes have in common, and what only some of them have: as few lists of sources and destinations as say it.
//! Must not live here: what is open between two classes (contents.rs), names (parts.rs).

use super::contents::{Contents, LAYERS, Layer};
use super::ids::{ClassId, Id};
use super::reach::Shared;
use super::region::{self, Region, intersect, minus};
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::tables::index::Runs;
use crate::tables::sort;

/// OpenPlaces where several pairs of classes have the same open.
pub struct Rectangle {
    /// Whether it is certain.
    pub layer: Layer,
    /// What is open, by its index.
    pub open: usize,
    /// The rules, by their index.
    pub rules: usize,
    /// The sources.
    pub from: Vec<ClassId>,
    /// The destinations.
    pub to: Vec<ClassId>,
}

/// What is open between two lists of classes.
pub enum Between {
    /// The same for all.
    Same(usize),
    /// Different things for parts of them.
    Parts(Vec<Rectangle>),
}

/// What is open, its source, its destination, and the content that it is of.
type OpenAt = (usize, ClassId, ClassId, usize);

/// So many different things are reported port by port, and more of them each by itself.
const FEW: usize = 24;

/// What pairs of classes have in common, and what only some of them have. `count` is how many pairs there may be.
pub fn joined(
    pairs: Vec<(ClassId, ClassId, usize)>,
    count: usize,
    contents: &mut Contents,
    shared: &Shared<'_>,
) -> Between {
    let first = pairs.first().map_or(0, |(.., content)| *content);
    if pairs.len() == count && pairs.iter().all(|(.., content)| *content == first) {
        return Between::Same(first);
    }
    let mut joining = Joining {
        contents,
        shared,
        rectangles: Vec::new(),
    };
    for layer in LAYERS {
        let mut open = Vec::new();
        for &(from, to, content) in &pairs {
            if let Some(regions) = joining.contents.layer_of(content, layer) {
                open.push((regions, from, to, content));
            }
        }
        joining.add_layer(open, count, layer);
    }
    let mut rectangles = joining.rectangles;
    sort::sort_by(&mut rectangles, |a, b| {
        (a.layer, &a.from, &a.to).cmp(&(b.layer, &b.from, &b.to))
    });
    Between::Parts(rectangles)
}

struct Joining<'c, 's, 'p> {
    contents: &'c mut Contents,
    shared: &'s Shared<'p>,
    rectangles: Vec<Rectangle>,
}

impl Joining<'_, '_, '_> {
    fn add_layer(&mut self, mut pairs: Vec<OpenAt>, count: usize, layer: Layer) {
        sort::sort(&mut pairs);
        let mut distinct: Vec<usize> = pairs.iter().map(|(open, ..)| *open).collect();
        distinct.dedup();
        let mut whole: Option<Vec<Region>> = None;
        if pairs.len() == count {
            for open in &distinct {
                let own = self.contents.regions(*open);
                whole = Some(match whole {
                    None => own.to_vec(),
                    Some(whole) => intersect(&whole, own, self.shared),
                });
            }
        }
        let whole = whole.unwrap_or_default();
        let mut places = OpenPlaces::default();
        if !whole.is_empty() {
            places.add(&whole, &pairs);
        }
        let mut rests: Vec<(usize, Vec<Region>)> = Vec::with_capacity(distinct.len());
        for open in distinct {
            let rest = minus(self.contents.regions(open), &whole);
            if !rest.is_empty() {
                rests.push((open, rest));
            }
        }
        let groups = match rests.len() <= FEW {
            true => self.by_ports(&rests),
            false => rests
                .into_iter()
                .map(|(open, rest)| (rest, vec![open]))
                .collect(),
        };
        for (regions, opens) in groups {
            let mut own = Vec::new();
            for open in opens {
                let from = pairs.partition_point(|pair| pair.0 < open);
                let to = pairs.partition_point(|pair| pair.0 <= open);
                own.extend_from_slice(pairs.get(from..to).unwrap_or_default());
            }
            for pairs in fewest(&own) {
                places.add(&regions, &pairs);
            }
        }
        for (regions, pairs) in places.list {
            self.add(regions, layer, &pairs);
        }
    }

    /// Ports that are open at the same places, with the lists of regions that have them.
    fn by_ports(&self, rests: &[(usize, Vec<Region>)]) -> Vec<(Vec<Region>, Vec<usize>)> {
        let ping = match self.contents.has_pings {
            true => PortSet::just(&[Protocol::ICMP], &Ports::One(PortRange::ALL)),
            false => PortSet::default(),
        };
        let mut pieces: Vec<(Region, Vec<usize>)> = Vec::new();
        for (open, regions) in rests {
            for region in regions {
                let mut left = region.clone();
                left.set = left.set.minus(&ping);
                divide(&mut pieces, left, *open);
            }
        }
        let pings = |open: usize, like: &Region| {
            let mut own = rests.iter().filter(|(known, _)| *known == open);
            own.any(|(_, regions)| {
                let mut alike = regions.iter().filter(|it| it.has_same_conditions(like));
                alike.any(|region| region.set.meets(&ping))
            })
        };
        for (region, opens) in &mut pieces {
            if opens.iter().all(|open| pings(*open, region)) {
                region.set = region.set.union(&ping);
            }
        }
        // A ping that comes along with no ports on its conditions is reported by itself.
        let mut alone: Vec<(Region, Vec<usize>)> = Vec::new();
        for (open, regions) in rests {
            for region in regions {
                let mut known = pieces.iter();
                let is_compared = known.any(|(piece, opens)| {
                    opens.contains(open)
                        && piece.has_same_conditions(region)
                        && piece.set.meets(&ping)
                });
                if !is_compared {
                    let mut left = region.clone();
                    left.set = left.set.intersect(&ping);
                    divide(&mut alone, left, *open);
                }
            }
        }
        let mut groups: Vec<(Vec<Region>, Vec<usize>)> = Vec::new();
        for (region, opens) in pieces.into_iter().chain(alone) {
            match groups.iter_mut().find(|(_, known)| *known == opens) {
                Some((regions, _)) => regions.push(region),
                None => groups.push((vec![region], opens)),
            }
        }
        groups
    }

    /// Adds the places of some pairs.
    fn add(&mut self, regions: Vec<Region>, layer: Layer, pairs: &[OpenAt]) {
        let mut own: Vec<usize> = pairs.iter().map(|pair| pair.3).collect();
        let (from, to) = sides(pairs);
        sort::sort(&mut own);
        own.dedup();
        for open in self.contents.by_reason(regions) {
            let rules = self.contents.rules_for(&own, layer, open, self.shared);
            self.rectangles.push(Rectangle {
                layer,
                open,
                rules,
                from: from.clone(),
                to: to.clone(),
            });
        }
    }
}

/// What is open at each list of sources and destinations.
#[derive(Default)]
struct OpenPlaces {
    list: Vec<(Vec<Region>, Vec<OpenAt>)>,
    known: Runs,
}

impl OpenPlaces {
    /// Adds pairs, all of their sources with all of their destinations; what is open at the same places is reported once.
    fn add(&mut self, regions: &[Region], pairs: &[OpenAt]) {
        let classes = |of: fn(&OpenAt) -> ClassId| {
            let mut classes: Vec<u64> = pairs.iter().map(|it| of(it).place() as u64).collect();
            sort::sort(&mut classes);
            classes.dedup();
            classes
        };
        let mut run = classes(|pair| pair.1);
        run.push(u64::MAX);
        run.extend(classes(|pair| pair.2));
        let place = self.known.place(&run);
        if place == self.list.len() {
            self.list.push((Vec::new(), Vec::new()));
        }
        if let Some((known, own)) = self.list.get_mut(place) {
            for region in regions {
                region::add(known, region.clone());
            }
            own.extend_from_slice(pairs);
        }
    }
}

/// Adds what one list of regions has to the pieces, which are divided where it has only a part of them.
fn divide(pieces: &mut Vec<(Region, Vec<usize>)>, mut left: Region, open: usize) {
    let mut cut = Vec::new();
    for (piece, opens) in pieces.iter_mut() {
        let common = match piece.has_same_conditions(&left) {
            true => piece.set.intersect(&left.set),
            false => continue,
        };
        if common.is_empty() {
            continue;
        }
        let outside = piece.set.minus(&common);
        if !outside.is_empty() {
            let set = outside;
            cut.push((
                Region {
                    set,
                    ..piece.clone()
                },
                opens.clone(),
            ));
        }
        left.set = left.set.minus(&common);
        piece.set = common;
        opens.push(open);
    }
    pieces.append(&mut cut);
    if !left.set.is_empty() {
        pieces.push((left, vec![open]));
    }
}

/// Pairs of classes as few lists of sources and of destinations, all of the one with all of the other.
pub fn covering(pairs: &[(ClassId, ClassId)]) -> Vec<(Vec<ClassId>, Vec<ClassId>)> {
    let pairs: Vec<OpenAt> = pairs.iter().map(|&(from, to)| (0, from, to, 0)).collect();
    fewest(&pairs).iter().map(|own| sides(own)).collect()
}

/// The sources and the destinations of some pairs.
fn sides(pairs: &[OpenAt]) -> (Vec<ClassId>, Vec<ClassId>) {
    let side = |of: fn(&OpenAt) -> ClassId| {
        let mut classes: Vec<ClassId> = pairs.iter().map(of).collect();
        sort::sort(&mut classes);
        classes.dedup();
        classes
    };
    (side(|pair| pair.1), side(|pair| pair.2))
}

/// Pairs in groups that have all of their sources with all of their destinations.
fn fewest(pairs: &[OpenAt]) -> Vec<Vec<OpenAt>> {
    let by_source = by(pairs, |it| (it.1, it.2));
    let by_destination = by(pairs, |it| (it.2, it.1));
    match by_destination.len() < by_source.len() {
        true => by_destination,
        false => by_source,
    }
}

/// Pairs in groups of one side that have the same on the other.
fn by(pairs: &[OpenAt], sides: fn(&OpenAt) -> (ClassId, ClassId)) -> Vec<Vec<OpenAt>> {
    let mut pairs = pairs.to_vec();
    sort::sort_by(&mut pairs, |a, b| sides(a).cmp(&sides(b)));
    let mut known = Runs::default();
    let mut groups: Vec<Vec<OpenAt>> = Vec::new();
    for own in pairs.chunk_by(|a, b| sides(a).0 == sides(b).0) {
        let others = own.iter().map(|pair| sides(pair).1.place() as u64);
        let place = known.place(&others.collect::<Vec<_>>());
        match groups.get_mut(place) {
            Some(group) => group.extend_from_slice(own),
            None => groups.push(own.to_vec()),
        }
    }
    groups
}
