//! What whoever has a tag reaches, for the entries about tags.
//! Must not live here: how reach is computed (access.rs).

use std::rc::Rc;

use super::power::{Power, PowerKind};
use crate::policy::access_change::{AccessReach, Weight};
use crate::policy::access_options::By;
use crate::policy::language::document::Policy;
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::parties::{Parties, PartyKind};
use crate::policy::tailnet::party::Side;
use crate::tables::index::Index;

/// Fills in what each tag reaches: the row of the tag in the access matrix, where `*` is not repeated for each destination.
pub fn add_reach<'p>(policy: &'p Policy<'p>, context: &'p PolicyContext, powers: &mut [Power]) {
    // Asked as if no devices were known: what those that have it reach by another tag or by an address is not by this one.
    let mut wanted = Index::default();
    for power in powers.iter().filter(|power| power.kind == PowerKind::Tag) {
        wanted.set(power.what.clone().into(), 0);
    }
    if wanted.len() == 0 {
        return;
    }
    let without = PolicyContext {
        devices: None,
        ..context.clone()
    };
    let reaches = reaches_of(policy, &without, &wanted);
    let mut places = Index::default();
    for (at, (tag, _)) in reaches.iter().enumerate() {
        places.place(tag, at);
    }
    for power in powers
        .iter_mut()
        .filter(|power| power.kind == PowerKind::Tag)
    {
        let at = places.find(&power.what).and_then(|at| reaches.get(at));
        power.opens = at.map(|(_, reaches)| reaches.clone());
    }
}

fn reaches_of<'p>(
    policy: &'p Policy<'p>,
    context: &'p PolicyContext,
    wanted: &Index<'_>,
) -> Vec<(String, Rc<[AccessReach]>)> {
    let judge = Judge::new(policy, context);
    let parties = |side| {
        let mut parties = Parties::default();
        parties.add_names(&judge.network, side, false);
        parties.sorted()
    };
    let mut tags = parties(Side::Source);
    tags.retain(|tag| tag.party.kind == PartyKind::Tag && wanted.find(&tag.party.name).is_some());
    let places = parties(Side::Destination);
    let matrix = judge.matrix(By::Name, &[&judge], (&tags, &places));
    let mut reaches = Vec::with_capacity(tags.len());
    for (at, tag) in tags.iter().enumerate() {
        let own = || matrix.cells.iter().filter(|cell| cell.source.0 == at);
        let party_of = |place: usize| matrix.destinations.get(place);
        let is_any =
            |place: usize| party_of(place).is_some_and(|party| party.kind == PartyKind::Any);
        let all = own().find(|cell| is_any(cell.destination.0) && cell.is_whole());
        let mut list = Vec::new();
        for cell in own() {
            let Some(party) = party_of(cell.destination.0) else {
                continue;
            };
            // A part of everything is named by its parts.
            let is_repeated = is_any(cell.destination.0) && !cell.is_whole()
                || all.is_some_and(|all| all != cell && matrix.opens(all) == matrix.opens(cell));
            if !is_repeated {
                list.push(AccessReach {
                    destination: party.name.clone(),
                    party: party.clone(),
                    ports: matrix.ports(cell).to_vec(),
                    opens: matrix.opens(cell).to_vec(),
                    because: matrix.because(cell).collect(),
                    part: matrix.part(cell).cloned(),
                    may: None,
                    why: None,
                    needs: Vec::new(),
                    today: None,
                    closed: Vec::new(),
                    addresses: Vec::new(),
                    weight: Weight::default(),
                });
            }
        }
        reaches.push((tag.party.name.clone(), list.into()));
    }
    reaches
}
