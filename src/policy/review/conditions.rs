//! Access and logins with postures that change without a difference for what devices report today: an attribute may be another tomorrow. Must not live here: what changes today (diff_access.rs, diff_ssh.rs).

use serde::Serialize;

use super::judged::Judged;
use crate::policy::access_change::{AccessChange, AccessReach, AccessReaches, Part};
use crate::policy::language::opening::{Opening, Unless, cover};
use crate::policy::relation::comparison;
use crate::policy::relation::part_of::PartOf;
use crate::policy::relation::reading::Reading;
use crate::policy::relation::rows::SshRules;
use crate::policy::ssh_change::{SshChange, SshReach};
use crate::policy::tailnet::device::{Device, DeviceIndex};
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::parties::Party;
use crate::policy::{diff_access, diff_ssh};
use crate::tables::index::Lists;

/// What depends on other conditions than before, whatever devices report today.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Conditioned {
    /// Access.
    pub access: Vec<AccessChange>,
    /// Logins.
    pub ssh: Vec<SshChange>,
}

impl Conditioned {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.access.is_empty() && self.ssh.is_empty()
    }

    /// Those that are not reported for today.
    pub fn of(
        documents: [Judged<'_>; 2],
        access: &[AccessChange],
        ssh: &[SshChange],
    ) -> Conditioned {
        let mut conditions = Conditioned::default();
        let may_differ = documents.iter().any(|judged| {
            let has_postures = judged.judge.policy().postures.iter().next().is_some();
            has_postures && judged.judge.network.context.devices.is_some()
        });
        if !may_differ {
            return conditions;
        }
        let judges = documents.map(|judged| {
            let mut judge = Judge::new(judged.judge.policy(), judged.judge.network.context);
            judge.network.attributes.forget();
            judge
        });
        let judges = judges.each_ref();
        let rules = judges.map(|judge| SshRules::new(&judge.network));
        let logins = diff_ssh::readings(judges, rules.each_ref());
        let network = judges.map(Reading::of_network);
        conditions.access = comparison::answer(&network, |it| diff_access::changes(it));
        let today = documents.map(|judged| judged.judge);
        conditions.ssh = comparison::answer(&logins, |it| diff_ssh::changes_in(it, Some(today)));
        let [_, after] = judges;
        retain_access(
            &mut conditions.access,
            &ReportedToday::of(after, access, |it| &it.source),
            documents,
        );
        retain_logins(
            &mut conditions.ssh,
            &ReportedToday::of(after, ssh, |it| &it.source),
            documents,
        );
        conditions
    }
}

/// Leaves the access that depends on postures, of the devices of which nothing is reported for today.
fn retain_access(
    changes: &mut Vec<AccessChange>,
    today: &ReportedToday<'_, AccessChange>,
    [before, after]: [Judged<'_>; 2],
) {
    changes.retain_mut(|change| {
        let party = &change.party;
        let named = |other: &AccessChange, reach: &AccessReach| {
            let mut all = other.gained.iter().chain(other.lost.iter());
            all.any(|other| is_said_by(other, reach))
        };
        for (list, judged) in [
            (&mut change.gained, [after, before]),
            (&mut change.lost, [before, after]),
        ] {
            let own = list.iter().filter(|it| is_about_postures(it));
            let left = own.filter_map(|reach| {
                let is_idle = |device: &Device| {
                    let mut all = reach.opens.iter();
                    all.any(|it| is_idle(judged, device, &it.postures, &it.unless))
                };
                let named = |other: &_| named(other, reach);
                let from = today.left([party, &reach.party], &named, &is_idle)?;
                Some(as_of_today(reach, from))
            });
            *list = AccessReaches::of(&left.collect(), None);
        }
        // What differs by no posture is undecided for today, too; what postures alone would decide is decided today.
        let own = change.undecided.iter();
        let own = own.filter(|reach| !reach.needs.contains(&"attributes"));
        let undecided = own.filter_map(|reach| {
            let said = |other: &AccessChange| {
                let mut all = other.undecided.iter();
                named(other, reach) || all.any(|other| is_said_by(other, reach))
            };
            let from = today.left([party, &reach.party], &said, &|_| true)?;
            Some(as_of_today(reach, from))
        });
        change.undecided = AccessReaches::of(&undecided.collect(), None);
        let lists = [&change.gained, &change.lost, &change.undecided];
        !lists.iter().all(|list| list.is_empty())
    });
}

/// The same of logins.
fn retain_logins(
    changes: &mut Vec<SshChange>,
    today: &ReportedToday<'_, SshChange>,
    [before, after]: [Judged<'_>; 2],
) {
    changes.retain_mut(|change| {
        let party = &change.party;
        for (list, judged) in [
            (&mut change.gained, [after, before]),
            (&mut change.lost, [before, after]),
        ] {
            list.retain_mut(|reach| {
                let named = |other: &SshChange| {
                    let mut all = other.gained.iter().chain(&other.lost);
                    all.any(|other| is_login_said_by(other, reach))
                };
                let is_idle =
                    |device: &Device| is_idle(judged, device, &reach.postures, &reach.unless);
                let from = today.left([party, &reach.party], &named, &is_idle);
                from.is_some_and(|from| leave_login(reach, from))
            });
        }
        change.checked.retain_mut(|checked| {
            let reach = &mut checked.reach;
            let named = |other: &SshChange| {
                let checked = other.checked.iter().map(|it| &it.reach);
                let mut all = checked.chain(&other.gained).chain(&other.lost);
                all.any(|other| is_login_said_by(other, reach))
            };
            let is_idle =
                |device: &Device| is_idle([after, before], device, &reach.postures, &reach.unless);
            let from = today.left([party, &reach.party], &named, &is_idle);
            from.is_some_and(|from| leave_login(reach, from))
        });
        change.undecided.retain_mut(|reach| {
            let said = |other: &SshChange| {
                let mut all = other.gained.iter().chain(&other.lost);
                let mut perhaps = other.undecided.iter();
                all.any(|it| is_login_said_by(it, reach))
                    || perhaps.any(|it| is_login_said_by(it, reach))
            };
            let from = today.left([party, &reach.party], &said, &|_| true);
            let is_left = from.is_some() && !reach.needs.contains(&"attributes");
            reach.part = narrowed(reach.part.take(), from.unwrap_or_default());
            is_left
        });
        !change.is_empty()
    });
}

/// Keeps a login for these devices of its source, if it depends on postures: what needs one that these lack is used by nobody today.
fn leave_login(reach: &mut SshReach, from: Vec<String>) -> bool {
    let is_unmet = reach.unless.is_empty() && !reach.postures.is_empty();
    reach.part = narrowed(reach.part.take(), from);
    if is_unmet && reach.why.is_none() {
        reach.today.get_or_insert_with(unmet);
    }
    is_unmet || !reach.unless.is_empty()
}

/// What is reported for today, by its source.
struct ReportedToday<'c, C> {
    changes: &'c [C],
    by_source: Lists<'c>,
    /// The devices of each user and of each tag.
    devices: Lists<'c, DeviceIndex>,
    judge: &'c Judge<'c>,
}

impl<'c, C> ReportedToday<'c, C> {
    fn of(
        judge: &'c Judge<'c>,
        changes: &'c [C],
        source: fn(&C) -> &String,
    ) -> ReportedToday<'c, C> {
        let mut by_source = Lists::default();
        for (at, change) in changes.iter().enumerate() {
            by_source.add(source(change), at);
        }
        let mut devices = Lists::default();
        let all = judge.network.context.devices.as_deref().unwrap_or_default();
        for (place, device) in DeviceIndex::each(all) {
            let tags = device.tags().iter().map(String::as_str);
            let names = device.user().into_iter().chain(tags);
            for owner in names.chain([device.id.as_str()]) {
                devices.add(owner, place);
            }
        }
        ReportedToday {
            changes,
            by_source,
            devices,
            judge,
        }
    }

    /// Which devices of a source a difference may be about, of which nothing is reported for today, where reports of single devices name the
    /// rest; empty for all of them, and none where there is none. A device is not a destination of its own.
    fn left(
        &self,
        [source, to]: [&Party; 2],
        names: &dyn Fn(&C) -> bool,
        is_about: &dyn Fn(&Device) -> bool,
    ) -> Option<Vec<String>> {
        let is_reported = |source: &str| {
            let mut own = self.by_source.get(source).iter();
            own.any(|at| self.changes.get(*at).is_some_and(names))
        };
        if is_reported(&source.name) {
            return None;
        }
        let key = source.id.as_ref().unwrap_or(&source.name);
        let (mut all, mut left) = (Vec::new(), Vec::new());
        for place in self.devices.get(key) {
            let shown = self.judge.names.shown(*place);
            if shown == to.name {
                continue;
            }
            let device = place.of(self.judge.network.devices);
            if !is_reported(&shown) && device.is_some_and(is_about) {
                left.push(shown.clone());
            }
            all.push(shown);
        }
        match () {
            () if left.len() == all.len() => Some(Vec::new()),
            () if left.is_empty() => None,
            () => Some(left),
        }
    }
}

/// Whether what is reported for today is about all of a difference.
fn is_said_by(today: &AccessReach, reach: &AccessReach) -> bool {
    let is_routed_alike = today.forwarder().is_none() || today.forwarder() == reach.forwarder();
    today.party == reach.party && is_routed_alike && cover(&today.opens, &reach.opens)
}

/// The same of logins.
fn is_login_said_by(today: &SshReach, reach: &SshReach) -> bool {
    let mut users = reach.users.iter();
    today.party == reach.party && users.all(|user| today.users.contains(user))
}

/// The part of a difference that these devices of its source have.
fn narrowed(part: Option<Part>, from: Vec<String>) -> Option<Part> {
    match part {
        Some(part) if from.is_empty() || !part.from.is_all() => Some(part),
        part => Part {
            from: PartOf::only(from),
            ..part.unwrap_or_default()
        }
        .unless_all(),
    }
}

/// Whether what one document opens is no difference for a device today: it has none of the postures, or what is enough in the other one. What
/// differs today would be reported for today.
fn is_idle(
    [own, other]: [Judged<'_>; 2],
    device: &Device,
    postures: &[String],
    unless: &Unless,
) -> bool {
    let lacks = !postures.is_empty() && !meets(own, device, postures);
    lacks
        || unless
            .each()
            .any(|(enough, _)| meets(other, device, enough))
}

/// Whether a device has one of some postures in a document.
fn meets(judged: Judged<'_>, device: &Device, postures: &[String]) -> bool {
    let network = &judged.judge.network;
    let mut devices = DeviceIndex::each(network.devices);
    let place = devices.find(|(_, own)| own.id == device.id);
    let has = |posture: &String| {
        place.is_some_and(|(place, _)| network.attributes.posture_of(place, posture) == Answer::Yes)
    };
    postures.iter().any(has)
}

/// Whether a posture is needed, or was.
fn is_about_postures(reach: &AccessReach) -> bool {
    let is_bound = |opening: &Opening| !opening.postures.is_empty();
    reach.is_conditional() || reach.opens.iter().any(is_bound)
}

/// What has a posture that it had, too, is used by nobody today: else it would be reported for today.
fn as_of_today(reach: &AccessReach, from: Vec<String>) -> AccessReach {
    let mut reach = reach.clone();
    reach.part = narrowed(reach.part, from);
    if !reach.is_conditional() && reach.why.is_none() && reach.today.is_none() {
        reach.today = Some(unmet());
        reach.weight.is_idle = true;
    }
    reach
}

/// Why nobody can use what needs a posture.
fn unmet() -> String {
    "what its devices report does not meet the posture".to_owned()
}
