//! Logins that the ssh rules allow before and after, and that the network lets through in one of the two alone: a login needs both
//! (docs/policy-language.md#ssh-rules). Must not live here: logins that the ssh rules give or take (diff_ssh.rs).

use serde::Serialize;

use crate::policy::access_change::{AccessChange, AccessReach};
use crate::policy::language::opening::{Opening, ProtocolName};
use crate::policy::language::port_set::PortSet;
use crate::policy::relation::comparison::Compared;
use crate::policy::relation::ids::ClassId;
use crate::policy::relation::ssh_network::network;
use crate::policy::relation::ssh_port::{self, SshPort};
use crate::policy::tailnet::parties::Party;

/// Logins that only the network gives or takes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NetworkLogin {
    /// A login, tag or selector, as in the list of access.
    pub source: String,
    /// The same of the destination.
    pub destination: String,
    /// The accounts that the ssh rules of both documents allow.
    pub users: Vec<String>,
    /// Whether the network lets them through now; else it no longer does.
    pub is_open: bool,
}

/// Those of some changes of access.
pub fn network_logins(access: &[AccessChange], logins: &mut Compared<'_, '_>) -> Vec<NetworkLogin> {
    let mut found = Vec::new();
    if !logins
        .reaches
        .iter()
        .all(|reach| !reach.rows.rules.is_empty())
    {
        return found;
    }
    let [before, after] = logins.reaches.map(|reach| reach.reading);
    let both = [before, after];
    ssh_port::with(before.judge, &both, |old| {
        ssh_port::with(after.judge, &both, |new| {
            add_logins(access, logins, (old, new), &mut found);
        });
    });
    found
}

fn add_logins<'p>(
    access: &[AccessChange],
    logins: &mut Compared<'_, 'p>,
    (old, new): (&mut SshPort<'_, '_, 'p>, &mut SshPort<'_, '_, 'p>),
    found: &mut Vec<NetworkLogin>,
) {
    for change in access {
        for (list, is_open) in [(&change.gained, true), (&change.lost, false)] {
            for reach in list.iter().filter(|reach| opens_ssh(reach)) {
                let parties = (&change.party, &reach.party);
                let users = users(logins, (&mut *old, &mut *new), parties, is_open);
                if !users.is_empty() {
                    found.push(NetworkLogin {
                        source: change.source.clone(),
                        destination: reach.destination.clone(),
                        users,
                        is_open,
                    });
                }
            }
        }
    }
}

/// Whether it is about port 22, on no condition.
fn opens_ssh(reach: &AccessReach) -> bool {
    let is_ssh = |opening: &Opening| {
        let is_free = opening.unless.is_empty() && opening.postures.is_empty();
        let is_tcp = matches!(opening.proto, ProtocolName::Named("tcp"));
        let mut ranges = opening.ports.split(',').map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            (first.parse::<u16>(), last.parse::<u16>())
        });
        let has_port = opening.ports == "*"
            || ranges
                .any(|range| matches!(range, (Ok(first), Ok(last)) if first <= 22 && 22 <= last));
        is_free && is_tcp && has_port
    };
    reach.today.is_none() && reach.opens.iter().any(is_ssh)
}

/// The accounts that both documents allow from one party to another, where the network lets them through in one alone.
fn users<'p>(
    logins: &mut Compared<'_, 'p>,
    (old, new): (&mut SshPort<'_, '_, 'p>, &mut SshPort<'_, '_, 'p>),
    (from, to): (&Party, &Party),
    is_open: bool,
) -> Vec<String> {
    let knows_devices = logins.reaches.iter().all(|it| it.reading.knows_devices());
    let is_own = to.name == "autogroup:self" && knows_devices;
    let place = logins.places.named(to).filter(|_| !is_own);
    let source = logins.sources.named(from);
    let Some(source) = source.filter(|_| is_own || place.is_some()) else {
        return Vec::new();
    };
    let was = network(logins, 0, old, (source, place));
    let is = network(logins, 1, new, (source, place));
    if (was, is) != (Some(!is_open), Some(is_open)) {
        return Vec::new();
    }
    let wanted = place.map_or(Vec::new(), |place| logins.classes_of_place(place));
    let [mut before, mut after] = [PortSet::default(), PortSet::default()];
    for class in logins.classes_of(source) {
        for (at, set) in [(0, &mut before), (1, &mut after)] {
            let is_wanted = |class: ClassId| is_own || wanted.contains(&class);
            let Some(reach) = logins.reaches.get(at) else {
                continue;
            };
            let mut hits = reach.hits(class, &is_wanted, logins.shared);
            hits.retain(|hit| hit.is_own || !is_own);
            for hit in hits {
                if let Some(own) = logins.shared.sets.get(hit.set) {
                    *set = set.union(own);
                }
            }
        }
    }
    logins.shared.accounts.texts(&before.intersect(&after))
}
