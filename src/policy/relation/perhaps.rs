//! What the text alone does not decide: somebody who loses what a name had may be meant by a wider name that has it now, and the
//! reverse. Must not live here: what is lost (cell.rs), whom a selector may mean (classes.rs).

use super::classes::{Class, Takers};
use super::condition::Why;
use super::ids::ClassId;
use super::item::{Item, Turn};
use super::pair::Pair;
use super::reach::Shared;
use super::rows::{Opens, opened_accounts};
use crate::policy::findings::words::joined;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;

impl<'p> Pair<'_, 'p> {
    /// Says of what one class of sources loses at another why it may still have that by a wider name; of what it gains, why it may have had
    /// that.
    pub fn doubt(&self, to: ClassId, source: &Class<'p>, item: &mut Item, shared: &mut Shared<'p>) {
        let at = match item.turn {
            Turn::Gained => 0,
            Turn::Lost => 1,
            _ => return,
        };
        let (Some(to), Some(reach)) = (self.to.list.get(to), self.reaches.get(at)) else {
            return;
        };
        let end = source.ends.get(at).and_then(Option::as_ref);
        let (from, to) = (all(source, at), all(to, at));
        let named = reach.reading.named(Side::Source);
        let places = reach.reading.named(Side::Destination);
        for &(selector, is_source) in &from {
            for &rule in named.uses(selector) {
                for (_, row) in reach.rows.of(rule) {
                    let place = to.iter().find(|(taker, _)| *taker == row.to);
                    let Some(&(_, is_place)) = place.filter(|_| item.why.is_empty()) else {
                        continue;
                    };
                    let is_perhaps = is_source.min(is_place) == Answer::Unknown;
                    let implied = |term| shared.conditions.implied(term, item.term);
                    if !is_perhaps
                        || places.is_own(row.to)
                        || !row.terms.iter().any(|term| implied(*term))
                    {
                        continue;
                    }
                    let set = match (&row.opens, end) {
                        (Opens::Set(set), _) => *set,
                        (Opens::Accounts(action, entries, _), Some(end)) => {
                            let accounts = &mut shared.accounts;
                            let own = opened_accounts(*action, entries, end.identity, accounts);
                            shared.sets.id(own)
                        }
                        _ => continue,
                    };
                    let sets = shared.sets.get(set).zip(shared.sets.get(item.set));
                    if sets.is_some_and(|(own, lost)| lost.minus(own).is_empty()) {
                        let perhaps = match is_source {
                            Answer::Unknown => named.selectors.get(selector),
                            _ => places.selectors.get(row.to),
                        };
                        item.why.extend(perhaps.copied().map(|it| why(it)));
                    }
                }
            }
        }
    }
}

/// Why it is not known whom a selector means.
fn why(selector: &Selector<'_>) -> (Why, String) {
    let why = match selector.kind {
        Kind::Autogroup(Autogroup::Role(_)) => Why::Role,
        Kind::Autogroup(Autogroup::Own) => Why::User,
        Kind::Group => Why::Members,
        _ => Why::Address,
    };
    (why, joined(&["of ", selector.name()]))
}

/// The selectors of one reading that include a class, or may do so.
fn all(class: &Class<'_>, at: usize) -> Takers {
    let lists = [&class.takers, &class.perhaps].map(|list| list.get(at));
    lists.into_iter().flatten().flatten().copied().collect()
}
