//! Which part of a row and a column is meant: devices by name, logins, prefixes, a family.
//! Must not live here: which part that is (matrix.rs).

use super::atoms::{Atom, Atoms};
use super::cuts::{V4, V6};
use super::ids::{AtomId, Id};
use super::line::Line;
use super::meant::BEHIND;
use super::naming::Naming;
use super::part_of::PartOf;
use crate::cidr::{AddressSet, Range, Version};
use crate::policy::findings::words::joined;
use crate::policy::tailnet::endpoint::Place;
use crate::policy::tailnet::identity::Identity;
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::parties::PartyKind;
use crate::tables::index::{Index, Runs};

/// The distinct parts, and how they are called.
pub struct Parts<'a, 'p> {
    sides: [(&'a Atoms<'p>, Naming<'a, 'p>); 2],
    parts: Vec<PartOf>,
    known_texts: Index<'static>,
    /// The part of each list of endpoints, several of which may be called the same.
    of_run: Vec<usize>,
    known_runs: Runs,
    known: Runs,
    /// The distinct parts, of the source and of the destination.
    pub list: Vec<[PartOf; 2]>,
}

/// The endpoints of a line that are meant; none for all of them.
type LinePart<'l> = (&'l Line, Option<Vec<AtomId>>);

impl<'a, 'p> Parts<'a, 'p> {
    /// The names of both sides.
    pub fn new(sources: &'a Atoms<'p>, destinations: &'a Atoms<'p>) -> Parts<'a, 'p> {
        Parts {
            sides: [sources, destinations].map(|atoms| (atoms, Naming::of_devices(atoms))),
            parts: Vec::new(),
            known_texts: Index::default(),
            of_run: Vec::new(),
            known_runs: Runs::default(),
            known: Runs::default(),
            list: Vec::new(),
        }
    }

    /// The index of a part; none for all of both.
    pub fn of(&mut self, from: LinePart<'_>, to: LinePart<'_>) -> Option<usize> {
        let (from, to) = (self.side(0, from), self.side(1, to));
        if from.is_none() && to.is_none() {
            return None;
        }
        let number = |place: Option<usize>| place.map_or(0, |place| place as u64 + 1);
        let place = self.known.place(&[number(from), number(to)]);
        if place == self.list.len() {
            let part = |place: Option<usize>| {
                let part = place.and_then(|place| self.parts.get(place));
                part.cloned().unwrap_or_default()
            };
            self.list.push([from, to].map(part));
        }
        Some(place)
    }

    /// A part by its index, of the source and of the destination.
    pub fn get(&self, part: Option<usize>) -> [&PartOf; 2] {
        let part = part.and_then(|part| self.list.get(part));
        part.map_or([&PartOf::All; 2], |part| part.each_ref())
    }

    /// The index of a part of one side.
    fn side(&mut self, side: usize, (line, meant): LinePart<'_>) -> Option<usize> {
        let meant = meant?;
        let family = self.family(side, line, &meant);
        let mut run = vec![side as u64, u64::from(line.is_any) << 8 | u64::from(family)];
        run.extend(meant.iter().map(|atom| atom.place() as u64));
        let place = self.known_runs.place(&run);
        if place == self.of_run.len() {
            let part = match family {
                V4 => PartOf::Family(Version::V4),
                V6 => PartOf::Family(Version::V6),
                _ => self.named(side, line.is_any, meant),
            };
            let key = part.texts().join("\n");
            let own = self.known_texts.find(&key).unwrap_or(self.parts.len());
            if own == self.parts.len() {
                self.known_texts.set(key.into(), own);
                self.parts.push(part);
            }
            self.of_run.push(own);
        }
        self.of_run.get(place).copied()
    }

    /// The one family of which the endpoints that are meant are all of a line; 0 for none.
    fn family(&self, side: usize, line: &Line, meant: &[AtomId]) -> u8 {
        let Some((atoms, _)) = self.sides.get(side) else {
            return 0;
        };
        let family = |atom: &AtomId| atoms.list.get(*atom).map_or(0, |atom| atom.family);
        let own = meant.iter().fold(0, |all, atom| all | family(atom));
        if own != V4 && own != V6 {
            return 0;
        }
        let of_family = line.atoms().filter(|atom| family(atom) & own != 0).count();
        if of_family == meant.len() { own } else { 0 }
    }

    fn named(&self, side: usize, is_any: bool, mut meant: Vec<AtomId>) -> PartOf {
        let Some((atoms, naming)) = self.sides.get(side) else {
            return PartOf::All;
        };
        crate::tables::sort::sort(&mut meant);
        let (mut machines, mut ranges) = (Vec::new(), Vec::new());
        for id in meant {
            let atom = atoms.list.get(id);
            let mut endpoints = atom
                .into_iter()
                .flat_map(|atom| atom.endpoints.iter().flatten());
            let is_device = endpoints.any(|end| end.device.is_some());
            match atom.and_then(|atom| atom.range) {
                Some(range) if !is_any && !is_device => ranges.push(range),
                _ => machines.push(id),
            }
        }
        let mut words = Vec::new();
        let named = naming.named(&machines, V4 | V6);
        if let ([one], true) = (named.as_slice(), ranges.is_empty())
            && naming.is_everything(one.name)
        {
            let part = naming.part(one, V4 | V6);
            if !part.is_all() {
                return part;
            }
        }
        for named in named {
            let Some(party) = naming.party(named.name) else {
                continue;
            };
            match naming.part(&named, V4 | V6) {
                part if !part.is_all() && naming.is_everything(named.name) => {
                    words.extend(part.texts());
                }
                // Those who are in `*` and have no other name.
                _ if party.kind == PartyKind::Any => {
                    let own = named.atoms.iter().filter_map(|id| atoms.list.get(*id));
                    own.for_each(|atom| add_nameless(atom, &mut words, &mut ranges));
                }
                PartOf::All => words.push(party.name.clone()),
                part => words.push(joined(&[&party.name, " (", &part.text(), ")"])),
            }
        }
        words.dedup();
        let set: AddressSet = ranges.into_iter().collect();
        words.extend(set.ranges().map(|range| Net::Range(range).to_string()));
        PartOf::only(words)
    }
}

/// Adds what has no name but `*`: by its addresses, or by what is known of it.
fn add_nameless(atom: &Atom<'_>, words: &mut Vec<String>, ranges: &mut Vec<Range>) {
    let mut endpoints = atom.endpoints.iter().flatten();
    let identity = endpoints.next().map(|end| end.identity);
    ranges.extend(atom.range);
    if atom.is_at(&Place::Behind) {
        words.push(BEHIND.to_owned());
    }
    if let Some(Identity::Some(_, name)) = identity {
        words.push(name.to_owned());
    }
}
