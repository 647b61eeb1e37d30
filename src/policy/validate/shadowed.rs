//! SSH rules that never decide, since another one decides before them; and those whose posture changes nothing.
//! Must not live here: rules of the network (`cover`), which login a rule allows.

use super::Faults;
use super::cover::takes_postures;
use super::takers::{Inclusions, SelectorNames};
use crate::hujson::Span;
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::{Hint, ours};
use crate::policy::findings::words::joined;
use crate::policy::language::document::{Policy, SshRule, Word};
use crate::policy::language::rule::Lines;
use crate::policy::language::selector::Selector;
use crate::policy::tailnet::party::Side;
use crate::tables::grouped::Grouped;
use crate::tables::sort;

/// How many steps the search for one rule takes, and how many more for each of its sources, destinations and accounts.
const STEPS: usize = 64;
const STEPS_EACH: usize = 16;

/// One rule, with the indices of its sources and destinations among all, ascending.
struct ShadowRule<'p> {
    rule: &'p SshRule<'p>,
    postures: &'p [Word<'p>],
    checks: bool,
    from: Vec<usize>,
    to: Vec<usize>,
}

/// How one rule makes another superfluous.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShadowCause {
    /// It decides before it.
    First,
    /// It lets in the same, and needs no posture.
    NoPosture,
}

impl Policy<'_> {
    /// A warning for each SSH rule that another one makes superfluous.
    #[inline(never)]
    pub(super) fn shadowed(&self, faults: &Faults) -> Vec<Finding> {
        let mut found = Vec::new();
        if self.ssh.len() < 2 {
            return found;
        }
        let mut names = SelectorNames::default();
        let mut entries = Vec::new();
        for rule in self.ssh.iter().filter(|rule| !faults.are_in(rule.span)) {
            entries.push(ShadowRule {
                rule,
                postures: self.postures_of(rule.postures.as_deref()),
                checks: rule
                    .action
                    .as_ref()
                    .is_some_and(|word| word.name() == "check"),
                from: places(&mut names, &rule.sources),
                to: places(&mut names, &rule.destinations),
            });
        }
        let takers = Inclusions::of(self, &names);
        let mut by_target = Vec::new();
        for (at, entry) in entries.iter_mut().enumerate() {
            for list in [&mut entry.from, &mut entry.to] {
                for place in list.iter_mut() {
                    *place = takers.same(*place);
                }
                sort::sort(list);
                list.dedup();
            }
            by_target.extend(entry.to.iter().map(|to| (*to, at)));
        }
        let by_target = Grouped::of(takers.count(), &by_target);
        let shadows = Shadows {
            takers,
            entries,
            by_target,
        };
        let mut lines = Lines::new(self.document.text());
        for (at, entry) in shadows.entries.iter().enumerate() {
            if let Some((by, why)) = shadows.of(at, entry) {
                let line = lines.line_of(by.start);
                let finding = finding(entry.rule.span, line, why);
                found.push(Finding {
                    by: Some(by.start),
                    ..finding
                });
            }
        }
        found
    }
}

fn places<'p>(names: &mut SelectorNames<'p>, selectors: &'p [Selector<'p>]) -> Vec<usize> {
    selectors
        .iter()
        .map(|selector| names.place(selector))
        .collect()
}

fn finding(span: Span, line: usize, why: ShadowCause) -> Finding {
    let rule = joined(&["the ssh rule at line ", &line.to_string()]);
    let (code, what, hint) = match why {
        ShadowCause::First => (
            "shadowed_ssh_rule",
            " decides all logins of this one, which it precedes",
            Hint::remove(&[&joined(&["remove this one, or narrow ", &rule])]),
        ),
        ShadowCause::NoPosture => (
            "void_posture",
            " lets in all of this without a posture",
            Hint::remove(&[&joined(&[
                "remove ",
                &rule,
                " if the posture is meant, else this one",
            ])]),
        ),
    };
    Finding::warning(code, span, ours(&[&rule, what])).hint(Some(hint))
}

struct Shadows<'p> {
    takers: Inclusions,
    entries: Vec<ShadowRule<'p>>,
    /// The rules that name each destination, by its index, ascending.
    by_target: Grouped,
}

impl Shadows<'_> {
    /// The rule that makes one superfluous, and how. Rules with `check` are tried before the others (docs/policy-language.md#ssh-rules).
    fn of(&self, at: usize, entry: &ShadowRule<'_>) -> Option<(Span, ShadowCause)> {
        let first = *entry.to.first()?;
        let size = 1 + entry.from.len() + entry.to.len();
        let mut steps = STEPS + STEPS_EACH * (size + entry.rule.users.len());
        for &taker in self.takers.get(Side::Destination, first) {
            for &other in self.by_target.get(taker) {
                let Some(by) = self.entries.get(other).filter(|_| other != at) else {
                    continue;
                };
                let precedes = (!by.checks, other) < (!entry.checks, at);
                let is_free = by.postures.is_empty() && !entry.postures.is_empty();
                let why = match precedes {
                    true => ShadowCause::First,
                    false if is_free && by.checks == entry.checks => ShadowCause::NoPosture,
                    false => continue,
                };
                steps = steps.checked_sub(size + by.rule.users.len() * entry.rule.users.len())?;
                if self.decides(by, entry) {
                    return Some((by.rule.span, why));
                }
            }
        }
        None
    }

    /// Whether one rule is about all logins of another one.
    fn decides(&self, by: &ShadowRule<'_>, entry: &ShadowRule<'_>) -> bool {
        let has = |own: &[usize], side: Side, place: usize| {
            let mut takers = self.takers.get(side, place).iter();
            takers.any(|taker| own.binary_search(taker).is_ok())
        };
        let account = |word: &Word<'_>| {
            let name = word.name();
            let is_plain = name != "root" && !name.starts_with("localpart:");
            let mut known = by.rule.users.iter().map(|known| known.name());
            known.any(|known| known == name || is_plain && known == "autogroup:nonroot")
        };
        // What differs most often comes first.
        !entry.from.is_empty()
            && !entry.rule.users.is_empty()
            && entry.rule.users.iter().all(account)
            && takes_postures(by.postures, entry.postures)
            && entry
                .to
                .iter()
                .all(|to| has(&by.to, Side::Destination, *to))
            && entry
                .from
                .iter()
                .all(|from| has(&by.from, Side::Source, *from))
    }
}
