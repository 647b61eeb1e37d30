//! Whether a policy gives no more access than another, or just the same: flows first, then logins.
//! Must not live here: claims about names.
//!
//! What both leave open in the same way is no difference: each user or device that may be meant is among the ends itself.

use super::accounts::Accounts;
use super::called::{Port, flow};
use super::counterexample::{explained, why_open};
use super::doors::{Doors, Source, are_devices};
use super::logins;
use super::passage::{Passage, subsets};
use super::proof::{Counterexample, Finding};
use super::reached::Reached;
use super::settled::Settling;
use super::supposed;
use super::world::{Places, fresh_logins, named};
use crate::policy::explain::Verdict;
use crate::policy::language::port_set::Opens;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::reach::Row;
use crate::policy::tailnet::sets::{PostureNames, Sets};
use crate::policy::tailnet::touched::Pair;
use crate::policy::verdict::Error;

/// Two policies and all who can be meant.
struct Compared<'j, 'a> {
    /// The policy that is judged, and the other one.
    judges: [&'j Judge<'a>; 2],
    from: &'j Places<'a>,
    to: &'j Places<'a>,
    /// Decides in every way what is open about them.
    settling: &'j Settling<'j, 'a>,
    /// Whether less access counts too.
    same: bool,
}

/// Judges the access of one policy by that of another.
#[inline(never)]
pub fn judge(own: &Judge<'_>, base: &Judge<'_>, same: bool) -> Result<Finding, Error> {
    let judges = [own, base];
    if own.policy().document.text() == base.policy().document.text() {
        return Ok(Finding::default());
    }
    let fresh = fresh_logins(&judges, &[], &[]);
    let named = named(&judges, &[], &fresh);
    let contexts = supposed::contexts(own.network.context, &named);
    let mut suppositions = Vec::with_capacity(contexts.len());
    for context in &contexts {
        suppositions.push(vec![
            Judge::new(own.policy(), context),
            Judge::new(base.policy(), context),
        ]);
    }
    let from = Places::new(&judges, &named, Side::Source);
    let to = Places::new(&judges, &named, Side::Destination);
    let compared = Compared {
        judges,
        settling: &Settling::new(&judges, &suppositions, &to, &named),
        from: &from,
        to: &to,
        same,
    };
    let mut finding = Finding::default();
    compared.flows(&mut finding)?;
    if finding.counterexample.is_none() {
        compared.logins(&mut finding);
    }
    Ok(finding)
}

impl Compared<'_, '_> {
    /// Compares the flows where only one of the two opens something.
    fn flows(&self, finding: &mut Finding) -> Result<(), Error> {
        let (mut sets, mut postures) = (Sets::default(), PostureNames::default());
        let places = (&self.from.classes, &self.to.classes);
        let [own, base] = self.judges;
        let reached = [
            Reached::new(own, 0, places, &mut sets, &mut postures),
            Reached::new(base, 1, places, &mut sets, &mut postures),
        ];
        let reaches = [&reached[0].plain, &reached[1].plain];
        let pair = Pair {
            judges: self.judges,
            reaches,
            from: &self.from.classes,
            to: &self.to.classes,
        };
        let (touched, groups) = (pair.touched(), self.to.classes.groups_of());
        let mut differences = Vec::new();
        for class in 0..self.from.classes.ends.len() {
            let lists = touched.of.get(class).map_or(&[][..], Vec::as_slice);
            let everywhere = touched.everywhere.get(class) == Some(&true);
            if lists.is_empty() && !everywhere {
                continue;
            }
            let mut wanted = touched.wanted(lists, Vec::new(), &self.to.classes, &groups);
            if everywhere {
                wanted.fill(true);
            }
            let is_wanted = |class: usize| wanted.get(class) == Some(&true);
            let [own, base] = &reached;
            let rows =
                [own, base].map(|reached| reached.rows(class, &groups, &is_wanted, &mut sets));
            self.differences(class, &rows, &mut sets, &mut differences);
            // Certain differences come first, so one is enough.
            if differences.iter().any(|found: &Difference| found.is_sure) {
                self.tell(&differences, finding)?;
                differences.clear();
            }
            if finding.counterexample.is_some() {
                return Ok(());
            }
        }
        self.tell(&differences, finding)
    }

    /// Where one class of sources does not have the same access under both.
    fn differences(
        &self,
        class: usize,
        [own, base]: &[Vec<Row>; 2],
        sets: &mut Sets,
        found: &mut Vec<Difference>,
    ) {
        let mut missing = Vec::new();
        if self.same {
            let ways = [(own, base, true), (base, own, false)];
            missing.extend(ways);
        } else {
            missing.push((own, base, true));
        }
        let nothing = sets.place(Opens::default());
        for (rows, others, is_more) in missing {
            for row in rows {
                let other = others
                    .binary_search_by(|other| other.group.cmp(&row.group))
                    .ok();
                let other = other.and_then(|at| others.get(at));
                let (certain, possible) =
                    other.map_or((nothing, nothing), |row| (row.certain, row.possible));
                let sure = sets
                    .get(row.certain)
                    .plain
                    .minus(&sets.get(possible).plain)
                    .first();
                // Where nothing is certain, a posture may lead through another router.
                let end = self.to.classes.ends.get(row.group);
                let is_led =
                    end.is_some_and(|to| self.judges.iter().any(|judge| judge.may_be_led(to)));
                let certain = if is_led { nothing } else { certain };
                let rest = sets.difference(row.possible, certain);
                let open = sets.get(rest).whole().first();
                let open =
                    open.filter(|_| sure.is_some() || self.may_differ((class, row.group), is_more));
                if let Some(port) = sure.or(open) {
                    found.push(Difference {
                        from: class,
                        to: row.group,
                        port,
                        is_sure: sure.is_some(),
                        is_more,
                    });
                }
            }
        }
    }

    /// Whether one policy may give more than the other at a pair of ends: with some postures, by some router, whoever the ends are.
    fn may_differ(&self, ends: (usize, usize), is_more: bool) -> bool {
        self.any(ends, &mut |own, base| self.is_more(own, base, is_more))
    }

    /// Whether both policies may give the same to a source without postures.
    fn may_agree(&self, ends: (usize, usize)) -> bool {
        self.any(ends, &mut |own, base| {
            let (own, base) = (own.with(&[]), base.with(&[]));
            let more = own.least().minus(&base.most());
            let less = base.least().minus(&own.most());
            more.is_empty() && (!self.same || less.is_empty())
        })
    }

    /// Whether a condition holds for the passages of both policies, for some way in which the open questions may be answered.
    fn any(
        &self,
        (from, to): (usize, usize),
        is_so: &mut dyn FnMut(&Passage<'_, '_, '_>, &Passage<'_, '_, '_>) -> bool,
    ) -> bool {
        let ends = (
            self.from.classes.ends.get(from),
            self.to.classes.ends.get(to),
        );
        let (Some(source), Some(target)) = ends else {
            return true;
        };
        let marks = |side, end: &Endpoint<'_>, run: &mut Vec<u64>| {
            self.judges
                .iter()
                .for_each(|judge| judge.mark(side, end, run));
        };
        let is_alone = self
            .from
            .by_class()
            .get(from)
            .is_some_and(|members| members.len() == 1);
        let is_one = is_alone && self.settling.is_one(source, target);
        self.settling
            .any((source, target, is_one), &marks, &mut |judges, pairs| {
                let [own, base] = judges else {
                    return true;
                };
                pairs.iter().any(|(from, to)| {
                    is_so(&Passage::new(own, from, to), &Passage::new(base, from, to))
                })
            })
    }

    /// The same where nothing is open about the ends.
    fn is_more(
        &self,
        own: &Passage<'_, '_, '_>,
        base: &Passage<'_, '_, '_>,
        is_more: bool,
    ) -> bool {
        let mut postures: Vec<[Option<&str>; 2]> = Vec::new();
        for posture in own.postures.iter().chain(&base.postures) {
            for both in self.of_both(posture) {
                if !postures.contains(&both) {
                    postures.push(both);
                }
            }
        }
        let Some(sets) = subsets(&postures, self.judges.iter().any(|judge| judge.has_via)) else {
            return true;
        };
        sets.iter().any(|set| {
            let given = |at: usize| {
                set.iter()
                    .filter_map(|both| both.get(at).copied().flatten())
                    .collect::<Vec<_>>()
            };
            let (own, base) = (own.with(&given(0)), base.with(&given(1)));
            match is_more {
                true => own.may_be_more(&base),
                false => base.may_be_more(&own),
            }
        })
    }

    /// Records the first difference that `explain` confirms, else why one is open.
    fn tell(&self, differences: &[Difference], finding: &mut Finding) -> Result<(), Error> {
        let [own, base] = self.judges;
        for found in differences {
            let place =
                |members: Option<&Vec<usize>>| members.and_then(|members| members.first().copied());
            let source =
                place(self.from.by_class().get(found.from)).and_then(|at| self.from.at(at));
            let target = place(self.to.by_class().get(found.to)).and_then(|at| self.to.at(at));
            let (Some((from, _)), Some((to, _))) = (source, target) else {
                continue;
            };
            let (has, lacks) = if found.is_more {
                (own, base)
            } else {
                (base, own)
            };
            let flow = flow(from, to, found.port);
            let (allowed, denied) = (explained(has, &flow)?, explained(lacks, &flow)?);
            // A tag that the other policy does not declare has no devices there.
            let is_denied = denied.verdict == Verdict::Denied
                || [from, to]
                    .iter()
                    .any(|name| denied.unresolved.iter().any(|own| own == name));
            let is_sure = found.is_sure && !self.may_agree((found.from, found.to));
            if is_sure && allowed.verdict == Verdict::Allowed && is_denied {
                finding.because = if found.is_more {
                    allowed.because
                } else {
                    Vec::new()
                };
                let rule = finding.because.first().copied();
                finding.counterexample = Some(Counterexample {
                    flow,
                    rule,
                    path: Vec::new(),
                });
                return Ok(());
            }
            let is_open =
                || !found.is_sure || self.may_differ((found.from, found.to), found.is_more);
            if finding.why.is_none() && is_open() {
                let judge = if allowed.verdict == Verdict::Allowed {
                    lacks
                } else {
                    has
                };
                finding.why = Some(why_open(judge, from, to, found.port)?);
            }
        }
        Ok(())
    }

    /// Compares who may log in where as whom.
    fn logins(&self, finding: &mut Finding) {
        let doors = self.judges.map(Doors::new);
        let [own, base] = &doors;
        if self
            .judges
            .iter()
            .all(|judge| judge.policy().ssh.is_empty())
        {
            return;
        }
        let both = [own, base];
        let all = |_: &Endpoint<'_>| Answer::Yes;
        let sources = Doors::distinct(&both, Side::Source, self.from, &all, false);
        let targets = Doors::distinct(&both, Side::Destination, self.to, &all, false);
        let mut accounts: Vec<String> = Vec::new();
        for account in own.accounts.iter().chain(&base.accounts) {
            if !accounts.contains(account) {
                accounts.push(account.clone());
            }
        }
        let users = ["autogroup:nonroot".to_owned(), "root".to_owned()];
        let accounts = Accounts::new(&users, &accounts);
        let mut given: Vec<[Option<&str>; 2]> = vec![[None, None]];
        for posture in own.postures.iter().chain(&base.postures) {
            given.append(&mut self.of_both(posture));
        }
        for target in &targets {
            for postures in &given {
                let opened = [
                    own.of(target.end, postures[0]),
                    base.of(target.end, postures[1]),
                ];
                for source in &sources {
                    for account in accounts.of(source.end) {
                        let answers = [0, 1].map(|at| match (doors.get(at), opened.get(at)) {
                            (Some(doors), Some(opened)) => {
                                doors.admits(opened, source.end, target.end, account)
                            }
                            _ => Answer::No,
                        });
                        self.note(finding, own, (source, target, account), answers, postures);
                        if finding.counterexample.is_some() {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Whether both policies may differ about a login, or agree, for some way in which the open questions about two ends may be
    /// answered: for a source that meets one of these postures, or none.
    fn may_be(
        &self,
        (source, target, account): (&Source<'_>, &Source<'_>, &str),
        given: &[[Option<&str>; 2]],
        differ: bool,
    ) -> bool {
        let doors = self.judges.map(Doors::new);
        let marks = |side, end: &Endpoint<'_>, run: &mut Vec<u64>| {
            for doors in &doors {
                doors.number(side, end, run);
                doors.number_login(end, &Accounts::one(account), run);
            }
        };
        let is_one = source.is_alone && self.settling.is_one(source.end, target.end);
        let ends = (source.end, target.end, is_one);
        self.settling.any(ends, &marks, &mut |judges, pairs| {
            let [own, base] = judges else {
                return true;
            };
            let (own, base) = (Doors::new(own), Doors::new(base));
            let differs = |from: &Endpoint<'_>, to: &Endpoint<'_>| {
                given.iter().any(|[one, other]| {
                    let own = own.admits(&own.of(to, *one), from, to, account);
                    let base = base.admits(&base.of(to, *other), from, to, account);
                    own > base || self.same && base > own
                })
            };
            let mut pairs = pairs.iter().filter(|(from, to)| are_devices(from, to));
            pairs.any(|(from, to)| differs(from, to) == differ)
        })
    }

    /// The postures of both policies; one that differs between them counts as two.
    fn of_both<'n>(&self, posture: &'n str) -> Vec<[Option<&'n str>; 2]> {
        let [own, base] = self.judges.map(|judge| {
            let conditions = judge.policy().postures.get(posture);
            conditions.map(|conditions| {
                conditions
                    .iter()
                    .map(|word| word.name())
                    .collect::<Vec<_>>()
            })
        });
        let (one, other) = (
            own.as_ref().map(|_| posture),
            base.as_ref().map(|_| posture),
        );
        match own == base {
            true => vec![[one, other]],
            false => vec![[one, None], [None, other]],
        }
    }

    fn note(
        &self,
        finding: &mut Finding,
        doors: &Doors<'_, '_>,
        (source, target, account): (&Source<'_>, &Source<'_>, &str),
        [own, base]: [Answer; 2],
        given: &[Option<&str>; 2],
    ) {
        let is_open = self.settling.is_open(source.end) || self.settling.is_open(target.end);
        // Where both leave it open, it may be allowed under only one.
        let is_more = |one: Answer, other: Answer| match is_open {
            true => one != Answer::No && other != Answer::Yes,
            false => one > other,
        };
        let (more, less) = (is_more(own, base), self.same && is_more(base, own));
        if !more && !less {
            return;
        }
        let login = (source, target, account);
        let is_plain = *given == [None, None] && own != Answer::Unknown && base != Answer::Unknown;
        let is_sure = is_plain && !(is_open && self.may_be(login, &[*given], false));
        if is_sure {
            finding.because = match more {
                true => doors.because(source.end, target.end, account, Answer::Yes),
                false => Vec::new(),
            };
            let rule = finding.because.first().copied();
            finding.counterexample = Some(logins::counterexample(
                source.name,
                target.name,
                account,
                rule,
            ));
        } else if finding.why.is_none() && (!is_open || self.may_be(login, &[*given], true)) {
            finding.why = Some(logins::why_open(source.name, target.name, account));
        }
    }
}

/// A flow that one policy allows and the other does not, certainly or possibly.
struct Difference {
    /// Classes of ends.
    from: usize,
    to: usize,
    port: Port,
    is_sure: bool,
    /// Whether the judged policy is the one that allows it.
    is_more: bool,
}
