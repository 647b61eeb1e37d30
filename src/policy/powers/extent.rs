//! How far a power goes: prefixes, values, and the terms under which it holds.
//! Must not live here: who has it.

use crate::cidr::AddressSet;
use crate::policy::findings::words::joined;
use crate::policy::language::document::{Policy, Word};
use crate::policy::language::json::PlainJson;
use crate::policy::language::posture::{Comparison, Condition, Order};
use crate::tables::sort;

/// What a power is made of, as a set, so that entries may be split and joined: `having` it at all, the values or accounts that come
/// with it, the addresses of its routes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Extent {
    pub having: bool,
    pub values: Vec<PlainJson>,
    pub routes: AddressSet,
}

impl Extent {
    pub fn whole() -> Extent {
        Extent {
            having: true,
            ..Extent::default()
        }
    }

    pub fn is_empty(&self) -> bool {
        !self.having && self.values.is_empty() && self.routes.is_empty()
    }

    /// A text that only equal ones have.
    pub fn canonical(&self) -> String {
        let mut parts: Vec<String> = self
            .values
            .iter()
            .map(|value| value.as_str().to_owned())
            .collect();
        sort::sort(&mut parts);
        parts.extend(self.routes.ranges().map(|range| range.to_string()));
        parts.push(self.having.to_string());
        parts.join("\n")
    }

    pub fn minus(&self, other: &Extent) -> Extent {
        let values = self.values.iter();
        let left = values.filter(|value| !other.values.contains(value));
        Extent {
            having: self.having && !other.having,
            values: left.cloned().collect(),
            routes: self.routes.minus(&other.routes),
        }
    }

    pub fn intersect(&self, other: &Extent) -> Extent {
        self.minus(&self.minus(other))
    }

    pub fn union(&self, other: &Extent) -> Extent {
        let mut values = self.values.clone();
        values.extend(other.minus(self).values);
        Extent {
            having: self.having || other.having,
            values,
            routes: self.routes.union(&other.routes),
        }
    }
}

/// The terms under which a power holds. One is no more than another if whoever meets its terms meets those of the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Terms<'p> {
    /// The tags that a device must have first.
    pub through: Vec<&'p str>,
    /// The names of the postures, of which one is needed if there are any.
    pub postures: Vec<&'p str>,
    /// What these postures ask for, each in one form, so that names and order do not count.
    pub asked: Vec<String>,
    /// Whether a session ends when it cannot be recorded.
    pub is_enforced: bool,
}

impl<'p> Terms<'p> {
    /// Those of some postures.
    pub fn of_postures(policy: &'p Policy<'p>, names: &'p [Word<'p>]) -> Terms<'p> {
        let mut asked: Vec<String> = names.iter().map(|name| conditions(policy, name)).collect();
        sort::sort(&mut asked);
        asked.dedup();
        Terms {
            postures: names.iter().map(Word::name).collect(),
            asked,
            ..Terms::default()
        }
    }

    /// A text that only equal terms have; which steps there are to a tag does not count.
    pub fn canonical(&self) -> String {
        let steps = (!self.through.is_empty()).to_string();
        let enforced = self.is_enforced.to_string();
        joined(&[&steps, " ", &enforced, " ", &self.asked.join("\0\n")])
    }

    /// Whether what holds under the other terms holds under these.
    pub fn cover(&self, other: &Terms<'_>) -> bool {
        let mut asked = other.asked.iter();
        let is_asked = self.asked.is_empty()
            || !other.asked.is_empty() && asked.all(|posture| self.asked.contains(posture));
        is_asked
            && (self.through.is_empty() || !other.through.is_empty())
            && (self.is_enforced || !other.is_enforced)
    }

    /// Them in words, as a condition.
    pub fn words(&self) -> String {
        if !self.postures.is_empty() {
            return joined(&["with ", &self.postures.join(" or ")]);
        }
        if !self.through.is_empty() {
            return joined(&["through ", &self.through.join(", then ")]);
        }
        let words = match self.is_enforced {
            true => "with enforceRecorder",
            false => "without enforceRecorder",
        };
        words.to_owned()
    }
}

/// What a posture asks for: its conditions in one spelling and one order.
fn conditions(policy: &Policy<'_>, name: &Word<'_>) -> String {
    let Some(words) = policy.postures.get(name.name()) else {
        return name.name().to_owned();
    };
    let mut texts: Vec<String> = words.iter().map(|word| condition(word.name())).collect();
    sort::sort(&mut texts);
    texts.dedup();
    texts.join("\n")
}

fn condition(text: &str) -> String {
    let Some(Condition { attribute, test }) = Condition::parse(text) else {
        return text.to_owned();
    };
    let (operator, mut values) = match test {
        Comparison::IsSet => ("IS SET", Vec::new()),
        Comparison::NotSet => ("NOT SET", Vec::new()),
        Comparison::In(values) => ("IN", values),
        Comparison::NotIn(values) => ("NOT IN", values),
        Comparison::Order(Order::Less, value) => ("<", vec![value]),
        Comparison::Order(Order::LessOrEqual, value) => ("<=", vec![value]),
        Comparison::Order(Order::Greater, value) => (">", vec![value]),
        Comparison::Order(Order::GreaterOrEqual, value) => (">=", vec![value]),
    };
    sort::sort(&mut values);
    values.dedup();
    joined(&[attribute, " ", operator, " ", &values.join("\0")])
}
