//! Answers without repetitions: the lists of sources of packet filters, the ids of peers, the lists of what sources gain or lose.
//! The full answers are many times larger. Must not live here: what a filter says; answers that are packed in their own files.

use serde::{Serialize, Serializer};

use super::access_change::{AccessChange, AccessReach};
use super::access_matrix::AccessMatrix;
use super::filters::{FilterRule, FilterTarget};
use super::language::json::PlainJson;
use super::tailnet::context::{DeviceIndex, PolicyContext};
use super::tailnet::net::Net;
use super::tailnet::parties::Party;
use crate::tables::shared::Shared;
use crate::tables::sort;

/// The matrix as `AccessMatrix::packed` writes it.
pub fn packed_matrix(matrix: &AccessMatrix) -> impl Serialize {
    matrix.packed()
}

/// The filters of every device of a context, for a reader that restores the sources: the lists of sources, and by device
/// id the rules as in the declarations, but with the index of its list as `src`.
pub fn packed_filters<'r>(
    context: &'r PolicyContext,
    filters: &'r [Vec<FilterRule>],
) -> impl Serialize {
    let ids = context.devices.iter().flatten().map(|device| &*device.id);
    let mut sources = Shared::default();
    let mut devices = Vec::with_capacity(filters.len());
    for (id, filter) in ids.zip(filters) {
        let mut rules = Vec::with_capacity(filter.len());
        for rule in filter {
            rules.push(PackedRule {
                src: sources.place(&rule.src),
                dst: &rule.dst,
                proto: &rule.proto,
                app: rule
                    .app
                    .as_deref()
                    .map(|(name, values)| Pairs(vec![(name.as_str(), values)])),
            });
        }
        devices.push((id, rules));
    }
    PackedFilters {
        sources,
        devices: Pairs(devices),
    }
}

/// The devices that each device sees, for a reader that restores the ids: all ids ascending, and by device id the indices
/// of its peers among them, ascending too.
pub fn packed_peers<'t>(
    context: &'t PolicyContext,
    peers: &[Vec<DeviceIndex>],
) -> impl Serialize + use<'t> {
    let mut ids = Vec::new();
    for (at, device) in DeviceIndex::each(context.devices.as_deref().unwrap_or_default()) {
        ids.push((&*device.id, at));
    }
    let mut ascending = ids.clone();
    sort::sort(&mut ascending);
    let mut places = vec![0; ids.len()];
    for (place, (_, at)) in ascending.iter().enumerate() {
        if let Some(known) = at.of_mut(&mut places) {
            *known = place;
        }
    }
    let mut devices = Vec::with_capacity(ids.len());
    for ((id, _), peers) in ids.iter().zip(peers) {
        let mut seen: Vec<usize> = peers
            .iter()
            .filter_map(|at| at.of(&places).copied())
            .collect();
        sort::sort(&mut seen);
        devices.push((*id, seen));
    }
    PackedPeers {
        ids: ascending.into_iter().map(|(id, _)| id).collect(),
        devices: Pairs(devices),
    }
}

/// What changes for each source, for a reader that restores the lists: all lists of destinations, and of each source the index of
/// its list and the place in it of the source itself, if it is there: a source does not gain or lose itself.
pub fn packed_changes(changes: &[AccessChange]) -> impl Serialize {
    let mut reaches = Shared::default();
    let mut packed = Vec::with_capacity(changes.len());
    for change in changes {
        packed.push(PackedChange {
            source: &change.source,
            party: &change.party,
            gained: change.gained.packed(&mut reaches),
            lost: change.lost.packed(&mut reaches),
            undecided: change.undecided.packed(&mut reaches),
        });
    }
    PackedChanges {
        reaches,
        changes: packed,
    }
}

#[derive(Serialize)]
struct PackedChanges<'c> {
    reaches: Shared<AccessReach>,
    changes: Vec<PackedChange<'c>>,
}

#[derive(Serialize)]
struct PackedChange<'c> {
    source: &'c str,
    party: &'c Party,
    gained: (usize, Option<usize>),
    lost: (usize, Option<usize>),
    undecided: (usize, Option<usize>),
}

#[derive(Serialize)]
struct PackedPeers<'t> {
    ids: Vec<&'t str>,
    devices: Pairs<&'t str, Vec<usize>>,
}

#[derive(Serialize)]
struct PackedFilters<'r> {
    sources: Shared<Net>,
    devices: Pairs<&'r str, Vec<PackedRule<'r>>>,
}

#[derive(Serialize)]
struct PackedRule<'r> {
    src: usize,
    dst: &'r [FilterTarget],
    proto: &'r [u8],
    #[serde(skip_serializing_if = "Option::is_none")]
    app: Option<Pairs<&'r str, &'r PlainJson>>,
}

/// Names and values as an object.
pub(super) struct Pairs<N, V>(pub Vec<(N, V)>);

impl<N: Serialize, V: Serialize> Serialize for Pairs<N, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
