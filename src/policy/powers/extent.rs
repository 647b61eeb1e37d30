//! How far a power goes: prefixes, values, and the terms under which it holds.
//! Must not live here: who has it.

use super::holders::Included;
use crate::cidr::AddressSet;
use crate::policy::findings::words::joined;
use crate::policy::language::document::{Policy, Word};
use crate::policy::language::json::PlainJson;
use crate::policy::language::posture::{Comparison, Condition, Order};
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::network::Network;
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

/// What a posture asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked<'p> {
    /// Its conditions in one spelling and one order.
    text: String,
    /// None if one of them is malformed, or the posture is not defined.
    conditions: Option<Vec<Condition<'p>>>,
}

/// The terms under which a power holds. One is no more than another if whoever meets its terms meets those of the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ExtentTerms<'p> {
    /// The tags that a device must have first.
    pub through: Vec<&'p str>,
    /// The names of the postures, of which one is needed if there are any.
    pub postures: Vec<&'p str>,
    /// What these postures ask for, so that names and order do not count.
    pub asked: Vec<Asked<'p>>,
    /// Whether a session ends when it cannot be recorded.
    pub is_enforced: bool,
}

impl<'p> ExtentTerms<'p> {
    /// Those of some postures.
    pub fn of_postures(policy: &'p Policy<'p>, names: &'p [Word<'p>]) -> ExtentTerms<'p> {
        let mut asked: Vec<Asked<'_>> = names.iter().map(|name| asked_by(policy, name)).collect();
        sort::sort_by(&mut asked, |one, other| one.text.cmp(&other.text));
        asked.dedup_by(|next, first| next.text == first.text);
        ExtentTerms {
            postures: names.iter().map(Word::name).collect(),
            asked,
            ..ExtentTerms::default()
        }
    }

    /// A text that only equal terms have; which steps there are to a tag does not count.
    pub fn canonical(&self) -> String {
        let steps = (!self.through.is_empty()).to_string();
        let enforced = self.is_enforced.to_string();
        let asked: Vec<&str> = self.asked.iter().map(|it| it.text.as_str()).collect();
        joined(&[&steps, " ", &enforced, " ", &asked.join("\0\n")])
    }

    /// Whether what holds under the other terms holds under these.
    pub fn cover(&self, other: &ExtentTerms<'_>) -> bool {
        self.cover_postures(other)
            && (self.through.is_empty() || !other.through.is_empty())
            && (self.is_enforced || !other.is_enforced)
    }

    /// Whether whoever has one of the other postures has one of these.
    pub fn cover_postures(&self, other: &ExtentTerms<'_>) -> bool {
        let is_covered = |posture: &Asked<'_>| self.asked.iter().any(|own| own.covers(posture));
        self.asked.is_empty() || !other.asked.is_empty() && other.asked.iter().all(is_covered)
    }

    /// Whether a device has one of the postures; which devices are meant may not be known.
    pub fn met_by(&self, network: &Network<'_>, device: Option<DeviceIndex>) -> Included {
        let postures = self.postures.iter();
        let answers = postures.map(|name| match device {
            Some(at) => network.attributes.posture_of(at, name),
            None => Answer::Unknown,
        });
        match answers.max().unwrap_or_default() {
            Answer::Yes => Included::Yes,
            Answer::No => Included::No,
            Answer::Unknown => {
                let names = self.postures.join(" or ");
                Included::Unknown(joined(&["whether it has ", &names, " is not known"]))
            }
        }
    }

    /// Whether both name the same postures, and nobody can say whether the conditions of those in one are looser or tighter.
    pub fn are_redefined(&self, other: &ExtentTerms<'_>) -> bool {
        self.names_same(other) && !self.cover_postures(other) && !other.cover_postures(self)
    }

    fn names_same(&self, other: &ExtentTerms<'_>) -> bool {
        let [own, other] = [self, other].map(|terms| {
            let mut names: Vec<String> = terms.postures.iter().map(|it| (*it).to_owned()).collect();
            sort::sort(&mut names);
            names
        });
        own == other
    }

    /// Them in words beside others: what has the same name is distinguished, and what both ask for is left out.
    pub fn beside(&self, other: &ExtentTerms<'_>) -> String {
        let is_named = !self.postures.is_empty() && self.names_same(other);
        let is_same = self.cover_postures(other) && other.cover_postures(self);
        match (is_named, is_same) {
            (true, false) => joined(&["with other conditions of ", &self.postures.join(" or ")]),
            (true, true) => self.words_but_postures(),
            (false, _) => self.words(),
        }
    }

    /// Them in words, as a condition.
    fn words(&self) -> String {
        if !self.postures.is_empty() {
            return joined(&["with ", &self.postures.join(" or ")]);
        }
        self.words_but_postures()
    }

    fn words_but_postures(&self) -> String {
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

impl Asked<'_> {
    /// Whether whoever meets the other meets this.
    fn covers(&self, other: &Asked<'_>) -> bool {
        let both = self.conditions.as_ref().zip(other.conditions.as_ref());
        self.text == other.text
            || both.is_some_and(|(own, other)| Condition::all_follow(own, other))
    }
}

fn asked_by<'p>(policy: &'p Policy<'p>, name: &Word<'p>) -> Asked<'p> {
    let Some(words) = policy.postures.get(name.name()) else {
        return Asked {
            text: name.name().to_owned(),
            conditions: None,
        };
    };
    let mut texts: Vec<String> = words.iter().map(|word| condition(word.name())).collect();
    sort::sort(&mut texts);
    texts.dedup();
    let conditions = words.iter().map(|word| Condition::parse(word.name()));
    Asked {
        text: texts.join("\n"),
        conditions: conditions.collect(),
    }
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
