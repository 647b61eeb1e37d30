//! Powers without repetitions: many share what a tag reaches, which can be long. Must not live here: what a power says.

use serde::Serialize;

use super::difference::PowerChange;
use super::power::Power;
use crate::policy::access_change::AccessReach;
use crate::tables::shared::Shared;

/// Powers for a reader that restores what tags reach: all lists of destinations, the powers without them, and for each power the index of
/// its list.
pub fn packed_powers(mut powers: Vec<Power>) -> impl Serialize {
    let mut lists = PackedLists::default();
    lists.take(&mut powers);
    PackedPowers {
        reaches: lists.reaches,
        items: powers,
        opens: lists.opens,
    }
}

/// Changes in the same form; of each change first what is gained, then what is lost, then what is undecided.
pub fn packed_power_changes(mut changes: Vec<PowerChange>) -> impl Serialize {
    let mut lists = PackedLists::default();
    for change in &mut changes {
        for powers in [&mut change.gained, &mut change.lost, &mut change.undecided] {
            lists.take(powers);
        }
    }
    PackedPowers {
        reaches: lists.reaches,
        items: changes,
        opens: lists.opens,
    }
}

#[derive(Serialize)]
struct PackedPowers<T> {
    reaches: Shared<AccessReach>,
    items: Vec<T>,
    opens: Vec<Option<usize>>,
}

#[derive(Default)]
struct PackedLists {
    reaches: Shared<AccessReach>,
    opens: Vec<Option<usize>>,
}

impl PackedLists {
    fn take(&mut self, powers: &mut [Power]) {
        for power in powers {
            let opens = power.opens.take();
            let place = opens.as_ref().map(|list| self.reaches.place(list));
            self.opens.push(place);
        }
    }
}
