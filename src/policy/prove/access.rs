//! Whether a policy gives no more access than another, or just the same: flows first, then logins.
//! Must not live here: claims about names.
//!
//! What both leave open in the same way is no difference: each of those who may be meant stands there itself.

use super::flows::{Port, counterexample, explained, why_open};
use super::logins::{self, Doors, Source};
use super::proof::Finding;
use super::reached::Reached;
use super::world::{Places, fresh_logins, named};
use crate::policy::explain::Verdict;
use crate::policy::language::port_set::Opens;
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::reach::{Hit, Row};
use crate::policy::tailnet::sets::{PostureNames, Sets};
use crate::policy::tailnet::touched::Pair;
use crate::policy::tailnet::way::Way;
use crate::policy::verdict::Error;

/// Two policies and all who can be meant.
struct Compared<'j, 'a> {
    /// The policy that is judged, and the other one.
    judges: [&'j Judge<'a>; 2],
    from: Places<'a>,
    to: Places<'a>,
    /// Whether less access counts too.
    same: bool,
}

/// Judges what one policy allows by what another does.
#[inline(never)]
pub fn judge(own: &Judge<'_>, base: &Judge<'_>, same: bool) -> Result<Finding, Error> {
    let judges = [own, base];
    if own.policy().document.text() == base.policy().document.text() {
        return Ok(Finding::default());
    }
    let fresh = fresh_logins(&judges, &[]);
    let named = named(&judges, &[], &fresh);
    let compared = Compared {
        judges,
        from: Places::new(&judges, &named, Side::Source),
        to: Places::new(&judges, &named, Side::Destination),
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
    /// Compares what is open where only one of the two opens something.
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
            // What is certain goes first, so that one is enough.
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

    /// Where one class of sources has not the same access under both.
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
                let open = [
                    sets.difference(row.certain, certain),
                    sets.difference(row.possible, possible),
                    match self.is_steered(row.group) {
                        true => {
                            let other = other.map_or(&[][..], |other| &other.hits);
                            let judges = if is_more { [0, 1] } else { [1, 0] };
                            let rest = self.left_open((class, row), other, judges, sets);
                            sets.difference(rest, certain)
                        }
                        false => nothing,
                    },
                ];
                let open = open.iter().find_map(|&set| sets.get(set).whole().first());
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

    /// What may be open under one policy and is not open in the same way under the other: where nobody knows which router
    /// receives, rules that differ may agree or not.
    fn left_open(
        &self,
        (class, row): (usize, &Row),
        others: &[Hit],
        judges: [usize; 2],
        sets: &mut Sets,
    ) -> usize {
        let ends = (
            self.from.classes.ends.get(class),
            self.to.classes.ends.get(row.group),
        );
        let (Some(from), Some(to)) = ends else {
            return row.possible;
        };
        let mut postures = Vec::new();
        for judge in self.judges {
            judge.add_postures(&mut postures);
        }
        let [own, base] = self.judges.map(|judge| judge.ways_to(from, to, &postures));
        // Which device receives is settled.
        let is_settled = |way: &Option<Way>| {
            way.as_ref()
                .is_some_and(|way| way.open() == 1 && *way != Way::Unknown)
        };
        if own.iter().chain(&base).all(is_settled) {
            return sets.place(Opens::default());
        }
        if own != base {
            return row.possible;
        }
        let is_one = own.iter().all(|way| Some(way) == own.first());
        let mut rest = Vec::with_capacity(row.hits.len());
        for hit in &row.hits {
            let same = others.iter().filter(|other| {
                other.receiver == hit.receiver
                    && (is_one && other.answer == Answer::Yes
                        || self.is_alike(from, hit, other, judges))
            });
            let known = sets.union(same.map(|other| other.set).collect());
            rest.push(sets.difference(hit.set, known));
        }
        sets.union(rest)
    }

    /// Whether one rule opens whatever another does, for a source and by a way that both name alike.
    fn is_alike(
        &self,
        from: &Endpoint<'_>,
        hit: &Hit,
        other: &Hit,
        [own, base]: [usize; 2],
    ) -> bool {
        let named = |at: usize, hit: &Hit| {
            let judge = self.judges.get(at)?;
            let (from, to) = hit.by?;
            Some((
                judge.about.sources.selectors.get(from)?,
                judge.about.destinations.selectors.get(to)?,
                judge.about.rule(hit.rule?)?.via,
            ))
        };
        let (Some(own), Some(base)) = (named(own, hit), named(base, other)) else {
            return false;
        };
        let tags = |via: &[Selector<'_>], all: &[Selector<'_>]| {
            let mut tags = via.iter();
            tags.all(|tag| all.iter().any(|other| other.name() == tag.name()))
        };
        let by_same_way = base.2.is_empty()
            || tags(own.2, base.2) && tags(base.2, own.2) && self.means_the_same(own.1, base.1);
        let sends = self
            .judges
            .iter()
            .map(|judge| judge.network.takes_in(base.0, Side::Source, from));
        by_same_way && (self.means_the_same(own.0, base.0) || sends.min() == Some(Answer::Yes))
    }

    /// Whether two selectors are one, and stand for the same under both policies.
    fn means_the_same(&self, own: &Selector<'_>, base: &Selector<'_>) -> bool {
        let [first, second] = self.judges;
        let members = |judge: &Judge<'_>| {
            let members = judge.policy().groups.get(own.name());
            let members = members.map(|members| members.iter().map(|word| word.name().to_owned()));
            members.map(Iterator::collect::<Vec<String>>)
        };
        own.name() == base.name()
            && match own.kind {
                Kind::Group => members(first) == members(second),
                _ => first.network.set_of(own) == second.network.set_of(own),
            }
    }

    /// Whether rules say by which router a destination is reached.
    fn is_steered(&self, class: usize) -> bool {
        let end = self.to.classes.ends.get(class);
        end.is_some_and(|end| end.device.is_none() && end.address().is_some())
            && self.judges.iter().any(|judge| judge.has_via)
    }

    /// Notes the first difference that `explain` confirms, else why one is open.
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
            let allowed = explained(has, from, to, found.port)?;
            let denied = explained(lacks, from, to, found.port)?;
            // A tag that the other one does not declare leads nowhere there.
            let is_denied = denied.verdict == Verdict::Denied
                || [from, to]
                    .iter()
                    .any(|name| denied.unresolved.iter().any(|own| own == name));
            if found.is_sure && allowed.verdict == Verdict::Allowed && is_denied {
                finding.because = if found.is_more {
                    allowed.because
                } else {
                    Vec::new()
                };
                let rule = finding.because.first().copied();
                finding.counterexample = Some(counterexample(
                    from.to_owned(),
                    to.to_owned(),
                    found.port,
                    rule,
                ));
                return Ok(());
            }
            if finding.why.is_none() {
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
        let sources = Doors::distinct(&both, Side::Source, &self.from, &all, false);
        let targets = Doors::distinct(&both, Side::Destination, &self.to, &all, false);
        let mut accounts: Vec<String> = Vec::new();
        for account in own.accounts.iter().chain(&base.accounts) {
            if !accounts.contains(account) {
                accounts.push(account.clone());
            }
        }
        let users = ["autogroup:nonroot".to_owned(), "root".to_owned()];
        let accounts = logins::Accounts::new(&users, &accounts);
        let mut given: Vec<[Option<&str>; 2]> = vec![[None, None]];
        for posture in own.postures.iter().chain(&base.postures) {
            given.push(self.of_both(posture));
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
                        let is_plain = *postures == [None, None];
                        self.note(finding, own, (source, target, account), answers, is_plain);
                        if finding.counterexample.is_some() {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// A posture under both policies; under none where it means another thing there.
    fn of_both<'n>(&self, posture: &'n str) -> [Option<&'n str>; 2] {
        let [own, base] = self.judges.map(|judge| {
            let conditions = judge.policy().postures.get(posture);
            conditions.map(|conditions| {
                conditions
                    .iter()
                    .map(|word| word.name())
                    .collect::<Vec<_>>()
            })
        });
        let is_same = own == base;
        [
            own.map(|_| posture),
            base.filter(|_| is_same).map(|_| posture),
        ]
    }

    fn note(
        &self,
        finding: &mut Finding,
        doors: &Doors<'_, '_>,
        (source, target, account): (&Source<'_>, &Source<'_>, &str),
        [own, base]: [Answer; 2],
        is_plain: bool,
    ) {
        let (more, less) = (own > base, self.same && base > own);
        if !more && !less {
            return;
        }
        let is_sure = is_plain && own != Answer::Unknown && base != Answer::Unknown;
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
        } else if finding.why.is_none() {
            finding.why = Some(logins::why_open(source.name, target.name, account));
        }
    }
}

/// A flow that one policy allows and the other does not, certainly or perhaps.
struct Difference {
    /// Classes of ends.
    from: usize,
    to: usize,
    port: Port,
    is_sure: bool,
    /// Whether it is the policy that is judged which allows it.
    is_more: bool,
}
