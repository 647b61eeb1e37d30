//! Which devices of two networks are the same one.
//! Must not live here: what they reach.

use super::context::{Device, DeviceIndex};
use crate::tables::index::Index;

/// A device of one network or of both.
pub struct KnownDevice<'p> {
    /// Its id; the later one of a device that was made anew.
    pub id: &'p str,
    /// Its place in each network.
    pub places: [Option<DeviceIndex>; 2],
}

/// The devices of one network or two, each once: those with the same id, else with the same name, are the same.
pub fn devices_of<'p>(networks: &[&'p [Device]]) -> Vec<KnownDevice<'p>> {
    let mut known: Vec<KnownDevice<'p>> = Vec::new();
    let (mut by_id, mut left) = (Index::default(), Vec::new());
    for (at, devices) in networks.iter().enumerate() {
        for (index, device) in DeviceIndex::each(devices) {
            let place = by_id.place(&device.id, known.len());
            if place == known.len() {
                left.push((at, index, device.name.as_deref(), place));
                known.push(KnownDevice {
                    id: &device.id,
                    places: [None, None],
                });
            }
            if let Some(place) = known.get_mut(place).and_then(|it| it.places.get_mut(at)) {
                place.get_or_insert(index);
            }
        }
    }
    join_names(&mut known, &left);
    known.retain(|device| device.places.iter().any(Option::is_some));
    known
}

/// Joins those that only one network has by their names.
fn join_names<'p>(
    known: &mut [KnownDevice<'p>],
    named: &[(usize, DeviceIndex, Option<&'p str>, usize)],
) {
    let mut by_name = Index::default();
    for &(at, index, name, place) in named {
        let (Some(name), Some(device)) = (name, known.get(place)) else {
            continue;
        };
        match (at, device.places, device.id) {
            (0, [_, None], _) => {
                by_name.set(name.into(), place);
            }
            (_, [None, _], id) => {
                let former = by_name.find(name).and_then(|former| known.get_mut(former));
                if let Some(former) = former.filter(|it| matches!(it.places, [_, None])) {
                    former.id = id;
                    former.places = [former.places[0], Some(index)];
                    if let Some(own) = known.get_mut(place) {
                        own.places = [None, None];
                    }
                }
            }
            _ => {}
        }
    }
}
