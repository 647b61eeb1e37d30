//! Whether a policy gives no more access than another, or just the same: flows first, then logins.
//! Must not live here: claims about names, how logins are compared (access_logins.rs).
//!
//! What both leave open in the same way is no difference: each user or device that may be meant is among the ends itself.

use super::called::{Called, Port, flow};
use super::counterexample::{explained, why_open};
use super::passage::{Passage, subsets};
use super::proof::{Counterexample, Finding};
use super::reached::Reached;
use super::settled::Settling;
use super::supposed;
use super::world::{Places, fresh_logins, named};
use crate::policy::explanation::Verdict;
use crate::policy::language::port_set::Opens;
use crate::policy::language::selector::Selector;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::reach::Row;
use crate::policy::tailnet::sets::{PostureNames, Sets};
use crate::policy::tailnet::touched::Pair;
use crate::policy::verdict::Error;
use crate::tables::sort;

/// Two policies and all who can be meant.
pub(super) struct Compared<'j, 'a> {
    /// The policy that is judged, and the other one.
    pub judges: [&'j Judge<'a>; 2],
    pub from: &'j Places<'a>,
    pub to: &'j Places<'a>,
    /// Decides in every way what is open about them.
    pub settling: &'j Settling<'j, 'a>,
    /// What the ends are called under either policy.
    pub called: [Called<'j, 'a>; 2],
    /// Whether the rules about groups differ of which nobody says who is in them.
    pub groups_differ: bool,
    /// Whether less access counts too.
    pub same: bool,
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
        called: judges.map(|judge| Called::new(judge, &fresh)),
        groups_differ: rules_of_groups(own) != rules_of_groups(base),
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
        let (from, to) = (&self.from.classes.ends, &self.to.classes.ends);
        let both = from.get(ends.0).zip(to.get(ends.1));
        both.is_some_and(|(from, to)| self.hangs_on_groups(from, to))
            || self.any(ends, &mut |own, base| self.is_more(own, base, is_more))
    }

    /// Whether both policies may differ about two ends by who belongs to some group.
    pub fn hangs_on_groups(&self, from: &Endpoint<'_>, to: &Endpoint<'_>) -> bool {
        self.groups_differ && self.settling.hangs_on_groups(from, to)
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
        for found in differences {
            let is_sure = found.is_sure && !self.may_agree((found.from, found.to));
            if is_sure && self.confirm(found, finding)? {
                return Ok(());
            }
            let is_open =
                || !found.is_sure || self.may_differ((found.from, found.to), found.is_more);
            let Some(((from, _), (to, _))) = self.ends_of(found) else {
                continue;
            };
            if finding.why.is_none() && is_open() {
                let [has, lacks] = self.ordered(found);
                let allowed = explained(has, &flow(from, to, found.port))?;
                let judge = match allowed.verdict.is_open() {
                    true => lacks,
                    false => has,
                };
                finding.why = Some(why_open(judge, from, to, found.port)?);
            }
        }
        Ok(())
    }

    /// The policy that allows it, and the other one.
    fn ordered(&self, found: &Difference) -> [&Judge<'_>; 2] {
        let [own, base] = self.judges;
        match found.is_more {
            true => [own, base],
            false => [base, own],
        }
    }

    /// One pair of ends, each with its own name.
    fn ends_of(&self, found: &Difference) -> Option<(Named<'_>, Named<'_>)> {
        let source = self.from.by_class().get(found.from)?.first()?;
        let target = self.to.by_class().get(found.to)?.first()?;
        Some((self.from.at(*source)?, self.to.at(*target)?))
    }

    /// Records a difference if `explain` confirms it, by the names that say most.
    fn confirm(&self, found: &Difference, finding: &mut Finding) -> Result<bool, Error> {
        let [has, lacks] = self.ordered(found);
        let Some(((from, source), (to, target))) = self.ends_of(found) else {
            return Ok(false);
        };
        // By the names of the policy that is judged.
        let [called, _] = &self.called;
        for from in called.of(Side::Source, from, source, &|_| true) {
            for to in called.of(Side::Destination, to, target, &|_| true) {
                let flow = flow(&from, &to, found.port);
                let (allowed, denied) = (explained(has, &flow)?, explained(lacks, &flow)?);
                // A tag that the other policy does not declare has no devices there.
                let unresolved = &denied.unresolved;
                let is_less =
                    allowed.verdict == Verdict::Allowed && denied.verdict == Verdict::Partly;
                let is_denied = denied.verdict == Verdict::Denied
                    || is_less
                    || unresolved.iter().any(|own| *own == from || *own == to);
                if !allowed.verdict.is_open() || !is_denied {
                    continue;
                }
                match found.is_more {
                    true => finding.because = allowed.because,
                    false => finding.note = Some(ONLY_THE_OTHER.to_owned()),
                }
                finding.counterexample = Some(Counterexample {
                    flow,
                    rule: finding.because.first().copied(),
                    path: Vec::new(),
                });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The postures of both policies; one that differs between them counts as two.
    pub fn of_both<'n>(&self, posture: &'n str) -> Vec<[Option<&'n str>; 2]> {
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
}

/// The texts of the rules that name a group of which nobody says who is in it, in their order.
fn rules_of_groups<'a>(judge: &Judge<'a>) -> Vec<&'a str> {
    let policy = judge.policy();
    let is_unknown = |selector: &Selector<'_>| judge.network.groups.is_unknown(selector.name());
    let mut spans = Vec::new();
    for rule in policy.rules() {
        if rule.sources.iter().any(is_unknown) || rule.destinations().any(is_unknown) {
            spans.push(rule.span);
        }
    }
    for rule in &policy.ssh {
        if rule
            .sources
            .iter()
            .chain(&rule.destinations)
            .any(is_unknown)
        {
            spans.push(rule.span);
        }
    }
    let text = policy.document.text();
    let texts = spans
        .into_iter()
        .filter_map(|span| text.get(span.start..span.end));
    let mut texts: Vec<&str> = texts.collect();
    sort::sort(&mut texts);
    texts
}

/// Why the access is not the same where it is missing.
pub(super) const ONLY_THE_OTHER: &str = "only the other policy allows it";

/// An end with its own name.
type Named<'w> = (&'w str, &'w Endpoint<'w>);

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
