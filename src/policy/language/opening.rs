//! Openings in the words of answers: ports of one protocol, with the conditions on which they are open.
//! Must not live here: sets of ports, and which openings one is made of (port_set.rs).

use serde::Serialize;

use crate::tables::sort;

/// Ports of one protocol, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Opening {
    /// The protocol: its name, or its number if it has none.
    pub proto: ProtocolName,
    /// `*`, or an ascending list of `n` and `a-b` that are not adjacent.
    pub ports: String,
    /// The postures, one of which the source needs; empty if it needs none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub postures: Vec<String>,
    /// In a difference: with one of these, nothing changes.
    #[serde(skip_serializing_if = "Unless::is_empty")]
    pub unless: Unless,
    /// The tags, one of which a device that forwards must have; empty if any will do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
}

/// Whether some openings have all ports of others, whatever the conditions.
pub fn cover(all: &[Opening], others: &[Opening]) -> bool {
    let mut others = others.iter();
    others.all(|other| {
        let mut own = all.iter().filter(|own| own.proto == other.proto);
        own.any(|own| {
            let known: Vec<(u16, u16)> = own.ranges().collect();
            let holds = |(first, last)| known.iter().any(|own| own.0 <= first && last <= own.1);
            other.ranges().all(holds)
        })
    })
}

impl Opening {
    /// Its ports as numbers.
    fn ranges(&self) -> impl Iterator<Item = (u16, u16)> {
        self.ports.split(',').map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            (first.parse().unwrap_or(0), last.parse().unwrap_or(u16::MAX))
        })
    }
}

/// Under which conditions a difference is none. Any one is enough.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub struct Unless {
    /// The source has one of these postures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub postures: Vec<String>,
    /// The packet goes through a device with one of these tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// Postures and tags of which one each is enough together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub both: Vec<UnlessBoth>,
    /// Whether it is not known whether any is enough: what is open on them is undecided besides.
    #[serde(rename = "perhaps", skip_serializing_if = "std::ops::Not::not")]
    pub is_perhaps: bool,
}

/// One of some postures together with one of some tags.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[non_exhaustive]
pub struct UnlessBoth {
    /// Postures of the source.
    pub postures: Vec<String>,
    /// Tags of a device that forwards.
    pub via: Vec<String>,
}

impl Unless {
    /// That one of some terms holds, each of postures and tags.
    pub fn any(terms: impl Iterator<Item = (Vec<String>, Vec<String>)>) -> Unless {
        let mut any = Unless::default();
        let mut both: Vec<UnlessBoth> = Vec::new();
        for (postures, via) in terms {
            let known = both.iter_mut().find(|it| it.via == via);
            match (postures.is_empty() || via.is_empty(), known) {
                (true, _) => {
                    any.postures.extend(postures);
                    any.via.extend(via);
                }
                (false, Some(known)) => known.postures.extend(postures),
                (false, None) => both.push(UnlessBoth { postures, via }),
            }
        }
        for mut own in both {
            in_order(&mut own.postures);
            match any.both.iter_mut().find(|it| it.postures == own.postures) {
                Some(known) => known.via.append(&mut own.via),
                None => any.both.push(own),
            }
        }
        let tags = any.both.iter_mut().map(|it| &mut it.via);
        tags.chain([&mut any.postures, &mut any.via])
            .for_each(in_order);
        sort::sort(&mut any.both);
        any
    }

    /// Whether it names nothing.
    pub fn is_empty(&self) -> bool {
        self.each().next().is_none()
    }

    /// Each condition that is enough: its postures, and its tags.
    pub fn each(&self) -> impl Iterator<Item = (&[String], &[String])> {
        let alone = [(&*self.postures, &[][..]), (&[][..], &*self.via)];
        let both = self.both.iter().map(|it| (&*it.postures, &*it.via));
        let is_any = |it: &(&[String], &[String])| !it.0.is_empty() || !it.1.is_empty();
        alone.into_iter().filter(is_any).chain(both)
    }
}

fn in_order(names: &mut Vec<String>) {
    sort::sort(names);
    names.dedup();
}

/// The conditions of an opening, by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Terms {
    /// One of these postures is needed.
    pub postures: Vec<String>,
    /// With one of these nothing changes.
    pub unless: Unless,
    /// Through a device with one of these tags.
    pub via: Vec<String>,
}

/// A protocol as openings name it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ProtocolName {
    /// One with a name; `ping` is ICMP of either family.
    Named(&'static str),
    /// One without.
    Number(u8),
}
