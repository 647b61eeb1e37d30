//! Whether what the rules allow would get there now: devices that are not let in yet, keys that have expired, shields that are up, routes
//! that are missing. Must not live here: the verdict of the rules (`explain`), who receives (`delivery`).

use super::asking::Asking;
use super::delivery::Deliveries;
use super::explanation::{Arrival, Verdict};
use super::findings::words::joined;
use super::relation::endpoints::Endpoints;
use super::relation::ids::{AtomId, ClassId};
use super::relation::pairs::{PairAnswers, Sides, atoms_of};
use super::relation::reach::Reach;
use super::relation::reading::Reading;
use super::tailnet::context::DeviceIndex;
use super::tailnet::endpoint::{Endpoint, Place};
use super::tailnet::identity::Identity;
use crate::tables::sort;

/// How many obstacles are named.
const NAMED: usize = 5;

/// What is found in the way.
struct Obstacles<'a, 'r> {
    reading: &'a Reading<'r>,
    now: Option<&'a str>,
    found: Vec<String>,
    /// Whether something that matters is not known.
    is_open: bool,
}

impl Arrival {
    /// Of a flow that was judged: of what is allowed, or else of all that was asked.
    #[inline(never)]
    pub(super) fn of<'s, 'r>(
        asking: &Asking<'_, '_>,
        sides: &Sides<'s, 'r>,
        reach: &Reach<'s, 'r>,
        answers: &PairAnswers,
        verdict: Verdict,
    ) -> Arrival {
        let reading = reach.reading;
        let mut obstacles = Obstacles {
            reading,
            now: asking.flow.now.as_deref(),
            found: Vec::new(),
            is_open: !reading.knows_devices(),
        };
        if reading.knows_devices() {
            let (mut senders, mut receivers, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
            for row in &answers.rows {
                let to = match verdict.is_open() {
                    true => &row.yes,
                    false => &row.asked,
                };
                if !to.is_empty() {
                    senders.push(row.from);
                }
                receivers.extend_from_slice(to);
                pairs.extend(to.iter().map(|to| (row.from, *to)));
            }
            sort::sort(&mut receivers);
            receivers.dedup();
            obstacles.note_senders(sides.from, &atoms_of(sides.senders, &senders));
            obstacles.note_receivers(sides.to, &atoms_of(sides.receivers, &receivers));
            obstacles.note_next_hops(asking, sides, reach, &pairs);
        }
        Arrival {
            arrives: match (verdict, obstacles.found.is_empty()) {
                (Verdict::Denied, _) | (_, false) => Some(false),
                (Verdict::Unknown, true) => None,
                (_, true) => (!obstacles.is_open).then_some(true),
            },
            hindrance: obstacles.text(),
        }
    }
}

impl Obstacles<'_, '_> {
    fn add(&mut self, text: String) {
        if !self.found.contains(&text) {
            self.found.push(text);
        }
    }

    fn text(&self) -> Option<String> {
        let more = self.found.len().saturating_sub(NAMED);
        let named: Vec<&str> = self.found.iter().take(NAMED).map(String::as_str).collect();
        let mut text = named.join("; ");
        if more > 0 {
            text = joined(&[&text, "; and ", &more.to_string(), " more"]);
        }
        (!text.is_empty()).then_some(text)
    }

    /// What keeps a device from taking part.
    fn of_device(&mut self, device: DeviceIndex) -> Option<String> {
        let known = device.of(self.reading.network.devices)?;
        let name = || self.reading.names.shown(device);
        if known.is_authorized == Some(false) {
            return Some(joined(&[&name(), " is not authorized"]));
        }
        match (&known.key_expires, self.now) {
            (None, _) => None,
            (Some(_), None) => {
                self.is_open = true;
                None
            }
            (Some(expires), Some(now)) => {
                is_past(expires, now).then(|| joined(&["the key of ", &name(), " has expired"]))
            }
        }
    }

    /// The same for a device that takes in connections.
    fn of_receiver(&mut self, device: DeviceIndex) -> Option<String> {
        let own = self.of_device(device);
        let known = device.of(self.reading.network.devices)?;
        own.or_else(|| {
            let name = || self.reading.names.shown(device);
            const SHIELDS: &str = " takes in no connections: its shields are up";
            known.blocks_incoming.then(|| joined(&[&name(), SHIELDS]))
        })
    }

    fn note_senders(&mut self, asked: &Endpoints<'_>, atoms: &[AtomId]) {
        for end in endpoints_of(asked, atoms) {
            let text = match (end.device, &end.place) {
                (Some(device), _) => self.of_device(device),
                (None, Place::Supposed) => self.missing(end),
                _ => None,
            };
            text.into_iter().for_each(|text| self.add(text));
        }
    }

    fn note_receivers(&mut self, asked: &Endpoints<'_>, atoms: &[AtomId]) {
        for end in endpoints_of(asked, atoms) {
            let text = match (end.device, &end.place) {
                (Some(device), _) => self.of_receiver(device),
                (None, Place::Supposed) => self.missing(end),
                _ => None,
            };
            text.into_iter().for_each(|text| self.add(text));
        }
    }

    /// That a name has no device; who hosts a service is not known.
    fn missing(&mut self, end: &Endpoint<'_>) -> Option<String> {
        let name = match end.identity {
            Identity::User(name) | Identity::Tag(name) | Identity::Some(_, name) => name,
            _ => {
                self.is_open = true;
                return None;
            }
        };
        Some(joined(&["no device of ", name, " is known"]))
    }

    /// What is in the way to addresses that no device has.
    fn note_next_hops<'s, 'r>(
        &mut self,
        asking: &Asking<'_, '_>,
        sides: &Sides<'s, 'r>,
        reach: &Reach<'s, 'r>,
        pairs: &[(ClassId, ClassId)],
    ) {
        let mut known: Vec<(ClassId, Vec<DeviceIndex>)> = Vec::new();
        for &(from, to) in pairs {
            let Some(through) = sides.through(reach, from, to) else {
                continue;
            };
            let of_pair = (to, through);
            if known.contains(&of_pair) {
                continue;
            }
            let (_, through) = &of_pair;
            let mut reasons = Vec::new();
            for &device in through {
                reasons.extend(self.of_receiver(device));
            }
            if through.is_empty() {
                let deliveries = Deliveries::new(asking.judge, self.reading.names, asking.given);
                if let Some(end) = sides.receiver(to)
                    && let Some(address) = end.address()
                {
                    reasons.extend(deliveries.why_nobody(asking.endpoints.0, address));
                }
            }
            if reasons.len() >= through.len() {
                reasons.into_iter().for_each(|reason| self.add(reason));
            }
            known.push(of_pair);
        }
    }
}

fn endpoints_of<'e, 'r>(
    asked: &'e Endpoints<'r>,
    atoms: &'e [AtomId],
) -> impl Iterator<Item = &'e Endpoint<'r>> {
    let atoms = atoms.iter().filter_map(|atom| asked.atoms.list.get(*atom));
    atoms.filter_map(|atom| {
        let [end, _] = &atom.endpoints;
        end.as_ref()
    })
}

/// Whether a time lies before another, both in UTC as the service writes them: `2026-11-23T20:15:00Z`.
fn is_past(time: &str, now: &str) -> bool {
    const SECONDS: usize = "2026-11-23T20:15:00".len();
    match (time.get(..SECONDS), now.get(..SECONDS)) {
        (Some(time), Some(now)) => time <= now,
        _ => false,
    }
}
