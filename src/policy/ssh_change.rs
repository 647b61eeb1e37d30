//! Which logins one source gains and loses: the form in which it is reported.
//! Must not live here: how it is found (relation/compare.rs), the words (diff_ssh.rs).

use serde::Serialize;

use super::access_change::Part;
use super::language::login::SshAction;
use super::language::opening::Unless;
use super::language::rule::RuleRef;
use super::relation::item::Turn;
use super::relation::rows::Treatment;
use super::tailnet::parties::Party;
use super::tailnet::prospect::Prospect;
use crate::tables::sort;

/// What changes for one source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct SshChange {
    /// A login, tag or selector as written; a device by its name if the devices of its user or tag do not all change alike.
    pub source: String,
    /// The same with its kind.
    pub party: Party,
    /// The logins that only the later reading allows.
    pub gained: Vec<SshReach>,
    /// The logins that only the earlier reading allowed.
    pub lost: Vec<SshReach>,
    /// The logins that both allow, and of which one asks for a check, or asks more often, or passes on less.
    pub checked: Vec<CheckedReach>,
    /// What text and context do not decide before or after.
    pub undecided: Vec<SshReach>,
}

/// Logins that are treated otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct CheckedReach {
    /// The logins, as the later reading treats them.
    #[serde(flatten)]
    pub reach: SshReach,
    /// In which direction.
    pub now: Direction,
    /// How the earlier reading treats them.
    pub was: Treated,
}

/// How a login is treated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Treated {
    /// Whether it needs a check of identity.
    pub action: SshAction,
    /// How long a check counts, and what is passed on.
    #[serde(flatten)]
    pub treatment: Treatment,
}

/// Whether something became tighter or looser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Less is allowed, or with more conditions.
    Tighter,
    /// More is allowed, or with fewer conditions.
    Looser,
}

/// The logins at one destination.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SshReach {
    /// A login, tag or selector; a device by its name.
    pub destination: String,
    /// The same with its kind.
    pub party: Party,
    /// The accounts: names, `autogroup:nonroot`, and `localpart:*@domain` for a source whose login is not known.
    pub users: Vec<String>,
    /// Whether the login needs a check of identity.
    pub action: SshAction,
    /// Whether the network rules open port 22 for it; `None` if that is undecided.
    pub network: Option<bool>,
    /// One of these postures is needed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub postures: Vec<String>,
    /// With one of these nothing changes.
    #[serde(skip_serializing_if = "Unless::is_empty")]
    pub unless: Unless,
    /// How long a check counts, where the rule says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_period: Option<String>,
    /// The environment variables that are passed on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accept_env: Vec<String>,
    /// The rules of the document that gives the login.
    pub because: Vec<RuleRef>,
    /// Which part of source and destination is meant, where not all of it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Of what is undecided: what may become of it. Absent where it may be gained as well as lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may: Option<Prospect>,
    /// Why it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Why nobody can use it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub today: Option<String>,
    /// What a context would have to say to decide it.
    #[serde(skip)]
    pub needs: Vec<&'static str>,
    /// Whether the rules are those of the earlier document.
    #[serde(skip)]
    pub is_earlier: bool,
    /// Whether the environment variables are passed on for some of the accounts alone, as several rules decide.
    #[serde(skip)]
    pub is_env_of_some: bool,
}

impl SshReach {
    /// Whether it is lost by name, and a wider name may keep it.
    pub(super) fn is_doubtful(&self) -> bool {
        self.why.is_some() && self.is_earlier
    }

    /// Whether it is about one party alone.
    pub(super) fn is_at(&self, party: &Party) -> bool {
        let part = self.part.as_ref();
        self.party == *party || part.is_some_and(|part| part.to.is_only(&party.name))
    }
}

impl SshChange {
    pub(super) fn of(party: &Party) -> SshChange {
        SshChange {
            source: party.name.clone(),
            party: party.clone(),
            gained: Vec::new(),
            lost: Vec::new(),
            checked: Vec::new(),
            undecided: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, turn: Turn, reach: SshReach, was: Treated) {
        match turn {
            Turn::Gained => self.gained.push(reach),
            Turn::Lost => self.lost.push(reach),
            Turn::Undecided => self.undecided.push(reach),
            Turn::Tighter => self.checked.push(CheckedReach {
                reach,
                now: Direction::Tighter,
                was,
            }),
            Turn::Looser => self.checked.push(CheckedReach {
                reach,
                now: Direction::Looser,
                was,
            }),
        }
    }

    pub(super) fn sort(&mut self) {
        let order = |reach: &SshReach| {
            (
                reach.party.kind,
                reach.action,
                reach.party.name.clone(),
                reach.users.clone(),
            )
        };
        for list in [&mut self.gained, &mut self.lost, &mut self.undecided] {
            sort::sort_by(list, |a, b| order(a).cmp(&order(b)));
            list.dedup_by(|next, first| {
                let may = first.may;
                let is_same = *first
                    == SshReach {
                        may,
                        ..next.clone()
                    };
                if is_same {
                    first.may = Prospect::of_both(may, next.may);
                }
                is_same
            });
        }
        sort::sort_by(&mut self.checked, |a, b| {
            order(&a.reach).cmp(&order(&b.reach))
        });
    }

    pub(super) fn is_empty(&self) -> bool {
        let lists = [&self.gained, &self.lost, &self.undecided];
        lists.iter().all(|list| list.is_empty()) && self.checked.is_empty()
    }
}
