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

/// Under which conditions a difference is none: one of the postures and one of the tags, if there are both.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
pub struct Unless {
    /// The source has one of these postures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub postures: Vec<String>,
    /// The packet goes through a device with one of these tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// Other such conditions, of which one is enough.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub or: Vec<Unless>,
}

impl Unless {
    /// That one of some terms holds, each of postures and tags.
    pub fn any(terms: impl Iterator<Item = (Vec<String>, Vec<String>)>) -> Unless {
        let mut all: Vec<Unless> = Vec::new();
        for (postures, via) in terms {
            let is_bound = !postures.is_empty();
            let mut alike = all.iter_mut();
            match alike.find(|it| it.via == via && it.postures.is_empty() != is_bound) {
                Some(known) => known.postures.extend(postures),
                None => all.push(Unless {
                    postures,
                    via,
                    or: Vec::new(),
                }),
            }
        }
        let mut found: Vec<Unless> = Vec::new();
        for mut own in all {
            sort::sort(&mut own.postures);
            own.postures.dedup();
            match found.iter_mut().find(|it| it.postures == own.postures) {
                Some(known) => known.via.append(&mut own.via),
                None => found.push(own),
            }
        }
        for own in &mut found {
            sort::sort(&mut own.via);
        }
        sort::sort_by(&mut found, |one, other| {
            (&one.via, &one.postures).cmp(&(&other.via, &other.postures))
        });
        let mut found = found.into_iter();
        let mut first = found.next().unwrap_or_default();
        first.or = found.collect();
        first
    }

    /// Whether it names nothing.
    pub fn is_empty(&self) -> bool {
        self.postures.is_empty() && self.via.is_empty()
    }

    /// It and the others.
    pub fn each(&self) -> impl Iterator<Item = &Unless> {
        std::iter::once(self).chain(&self.or)
    }
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
