//! Whether two policies in two languages give the devices of a network the same. Must not live here: what access is.

use crate::cidr::AddressSet;
use crate::policy::access_matrix::{AccessCell, AccessMatrix};
use crate::policy::access_options::By;
use crate::policy::language::document::Policy;
use crate::policy::logins::LoginMatrix;
use crate::policy::tailnet::context::PolicyContext;

/// A policy with the network as its language knows it.
type Known<'p> = (&'p Policy<'p>, &'p PolicyContext);

/// Whether all devices reach the same, may log in to the same and have the same capabilities there; none where that is undecided.
pub(super) fn is_same(both: [Known<'_>; 2]) -> Option<bool> {
    let [(before, here), (after, there)] = both;
    here.devices.as_ref()?;
    let access = [
        before.access(here, By::Device),
        after.access(there, By::Device),
    ];
    let logins = [
        before.logins(here, By::Device),
        after.logins(there, By::Device),
    ];
    let ([Ok(old), Ok(new)], [Ok(old_logins), Ok(new_logins)]) = (access, logins) else {
        return None;
    };
    let is_same = opened(&old) == opened(&new)
        && allowed(&old_logins) == allowed(&new_logins)
        && capabilities(before, here) == capabilities(after, there);
    let is_open = |matrix: &AccessMatrix| !matrix.unknown.is_empty();
    let may_log_in = |matrix: &LoginMatrix| !matrix.unknown.is_empty();
    let is_undecided =
        is_open(&old) || is_open(&new) || may_log_in(&old_logins) || may_log_in(&new_logins);
    match is_same {
        true if is_undecided => None,
        same => Some(same),
    }
}

/// What is open from which device to which, in the order of text.
fn opened(matrix: &AccessMatrix) -> Vec<String> {
    let line = |cell: &AccessCell| {
        let (from, to) = (
            matrix.sources.get(cell.source.0),
            matrix.destinations.get(cell.destination.0),
        );
        format!(
            "{from:?} {to:?} {:?} {:?}",
            matrix.opens(cell),
            matrix.part(cell)
        )
    };
    let mut lines: Vec<String> = matrix.cells.iter().map(line).collect();
    crate::tables::sort::sort(&mut lines);
    lines
}

/// Who may log in to what, in the order of text.
fn allowed(matrix: &LoginMatrix) -> Vec<String> {
    let cells = matrix.cells.iter().map(|cell| {
        let (from, to) = (
            matrix.sources.get(cell.source),
            matrix.destinations.get(cell.destination),
        );
        format!(
            "{from:?} {to:?} {:?} {:?} {:?} {:?}",
            cell.users, cell.action, cell.network, cell.part
        )
    });
    let mut lines: Vec<String> = cells.collect();
    crate::tables::sort::sort(&mut lines);
    lines
}

/// Which capabilities each address of a device gives, with which values, and to which devices.
fn capabilities(policy: &Policy<'_>, context: &PolicyContext) -> Vec<(String, AddressSet)> {
    let devices = context.devices.iter().flatten();
    let own: AddressSet = devices.flat_map(|it| &it.addresses).copied().collect();
    let mut given: Vec<(String, AddressSet)> = Vec::new();
    for (device, filter) in policy.filters(context).iter().enumerate() {
        for rule in filter {
            let Some(app) = &rule.app else { continue };
            let ranges: Option<AddressSet> = rule.src.iter().map(|net| net.range()).collect();
            let sources = ranges.map_or_else(|| own.clone(), |set| set.intersect(&own));
            for to in &rule.dst {
                let key = format!("{device} {app:?} {}", to.net);
                given.push((key, sources.clone()));
            }
        }
    }
    crate::tables::sort::sort_by(&mut given, |a, b| a.0.cmp(&b.0));
    given.dedup_by(|next, known| {
        let is_same = next.0 == known.0;
        if is_same {
            known.1 = known.1.union(&next.1);
        }
        is_same
    });
    given
}
