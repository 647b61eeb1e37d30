//! What names of a document mean, as text, so that different names for the same are equal.
//! Must not live here: whom they include in a network (`tailnet`).

use crate::cidr::AddressSet;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::net::Net;
use crate::tables::sort;

/// The members of a group, the addresses of an alias or ipset; for anything else its name. Ascending, without repeats.
#[inline(never)]
pub fn spread(policy: &Policy<'_>, selector: &Selector<'_>) -> Vec<String> {
    let name = selector.name();
    match selector.kind {
        // The service refuses a group in a group.
        Kind::Group => {
            let members = policy.groups.get(name).into_iter().flatten();
            set_of(members.map(|member| member.name().to_owned()).collect())
        }
        Kind::Autogroup(Autogroup::Member) => vec!["autogroup:member".to_owned()],
        Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet => {
            match policy.addresses(selector) {
                Some(set) => ranges(&set),
                None => vec![name.to_owned()],
            }
        }
        _ => vec![name.to_owned()],
    }
}

/// The same in one text.
pub fn whole(policy: &Policy<'_>, selector: &Selector<'_>) -> String {
    spread(policy, selector).join(",")
}

/// The texts ascending, without repeats.
pub fn set_of(mut texts: Vec<String>) -> Vec<String> {
    sort::sort(&mut texts);
    texts.dedup();
    texts
}

fn ranges(set: &AddressSet) -> Vec<String> {
    let nets = set.ranges().map(|range| Net::Range(range).to_string());
    nets.collect()
}
