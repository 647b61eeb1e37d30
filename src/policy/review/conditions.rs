//! Access and logins with postures that change without a difference for what devices report today: an attribute may be another tomorrow. Must not live here: what changes today (diff_access.rs, diff_ssh.rs).

use serde::Serialize;

use super::judged::Judged;
use crate::policy::access_change::{AccessChange, AccessReach, AccessReaches};
use crate::policy::diff_ssh::{SshChange, SshReach};
use crate::policy::language::opening::Opening;
use crate::policy::relation::comparison;
use crate::policy::relation::reading::Reading;
use crate::policy::relation::rows::SshRules;
use crate::policy::tailnet::flow::Judge;
use crate::policy::{diff_access, diff_ssh};

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
        conditions.access = comparison::with(&network, |it| diff_access::changes(it));
        conditions.ssh = comparison::with(&logins, |it| diff_ssh::changes(it));
        conditions.access.retain_mut(|change| {
            let own: Vec<&AccessChange> = reported(access, &change.source, |it| &it.source);
            for list in [&mut change.gained, &mut change.lost] {
                let is_compared = |reach: &AccessReach| {
                    let reported = own
                        .iter()
                        .flat_map(|it| it.gained.iter().chain(it.lost.iter()));
                    reported.into_iter().any(|other| other.party == reach.party)
                };
                let kept = list
                    .iter()
                    .filter(|it| is_about_postures(it) && !is_compared(it));
                *list = AccessReaches::of(&kept.map(as_of_today).collect(), None);
            }
            change.undecided = AccessReaches::of(&[].into(), None);
            !change.gained.is_empty() || !change.lost.is_empty()
        });
        conditions.ssh.retain_mut(|change| {
            let own: Vec<&SshChange> = reported(ssh, &change.source, |it| &it.source);
            for list in [&mut change.gained, &mut change.lost] {
                let is_compared = |reach: &SshReach| {
                    let reported = own.iter().flat_map(|it| it.gained.iter().chain(&it.lost));
                    reported.into_iter().any(|other| other.party == reach.party)
                };
                list.retain(|it| !it.unless.is_empty() && !is_compared(it));
            }
            change.undecided.clear();
            change.checked.clear();
            !change.gained.is_empty() || !change.lost.is_empty()
        });
        conditions
    }
}

/// Whether a posture is needed, or was.
fn is_about_postures(reach: &AccessReach) -> bool {
    let is_bound = |opening: &Opening| !opening.postures.is_empty();
    reach.is_conditional() || reach.opens.iter().any(is_bound)
}

/// What has a posture that it had, too, is used by nobody today: else it would be reported for today.
fn as_of_today(reach: &AccessReach) -> AccessReach {
    let mut reach = reach.clone();
    if !reach.is_conditional() && reach.today.is_none() {
        reach.today = Some("what its devices report does not meet the posture".to_owned());
        reach.weight.is_idle = true;
    }
    reach
}

/// What is reported of one source.
fn reported<'c, C>(changes: &'c [C], source: &str, name: fn(&C) -> &String) -> Vec<&'c C> {
    changes.iter().filter(|it| name(it) == source).collect()
}
