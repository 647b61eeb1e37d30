//! Conditions of device postures, and their result on known attributes (docs/policy-language.md#postures).
//! Must not live here: which devices are judged.

use std::cmp::Ordering;

use crate::hujson::{Kind, Value, quote};

use super::document::{Policy, Word};

/// Why it is undecided who keeps something under a posture of which nobody can say whether it is looser or tighter.
pub const REDEFINED: &str = "a posture was changed under its name, and who meets it is not known";

/// One condition: `attr op value`.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition<'t> {
    /// The attribute, such as `node:os`.
    pub attribute: &'t str,
    /// The test on it.
    pub test: Comparison<'t>,
}

/// The test of a condition on its attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum Comparison<'t> {
    /// `IS SET`
    IsSet,
    /// `NOT SET`
    NotSet,
    /// `IN [..]`, and `==` for one value
    In(Vec<&'t str>),
    /// `NOT IN [..]`, and `!=` for one value
    NotIn(Vec<&'t str>),
    /// `<`, `<=`, `>`, `>=` for numbers and versions
    Order(Order, &'t str),
}

/// How a number or version must compare with another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// An attribute of a device and its value, as conditions compare it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The name, such as `node:os`.
    pub name: String,
    /// A string as it is, anything else as JSON writes it.
    pub value: String,
    /// Whether JSON has it as a number.
    pub is_number: bool,
}

impl Attribute {
    /// Reads a value.
    pub fn read(name: &str, value: Value<'_>) -> Attribute {
        Attribute {
            name: name.to_owned(),
            value: value.as_str().unwrap_or(value.raw()).to_owned(),
            is_number: value.kind() == Kind::Number,
        }
    }
}

impl Order {
    /// How each is written, the longer ones first.
    const SIGNS: [(&str, Order); 4] = [
        ("<=", Order::LessOrEqual),
        (">=", Order::GreaterOrEqual),
        ("<", Order::Less),
        (">", Order::Greater),
    ];

    fn sign(self) -> &'static str {
        let mut signs = Order::SIGNS.iter();
        let own = signs.find(|(_, order)| *order == self);
        own.map_or("", |(sign, _)| sign)
    }

    fn is_upper(self) -> bool {
        matches!(self, Order::Less | Order::LessOrEqual)
    }
}

impl<'t> Policy<'t> {
    /// The postures of a rule, one of which is needed: its own, or else the default ones.
    pub fn postures_of<'p>(&'p self, named: Option<&'p [Word<'t>]>) -> &'p [Word<'t>] {
        named.unwrap_or(&self.default_src_posture)
    }

    /// Whether a device with these attributes, if any are known, has one of these postures, if any is needed.
    pub fn posture_holds(&self, wanted: &[Word<'_>], attributes: Option<Value<'_>>) -> bool {
        let has_one = |attributes| {
            let mut wanted = wanted.iter();
            wanted.any(|name| self.has_posture(name.name(), attributes))
        };
        wanted.is_empty() || attributes.is_some_and(has_one)
    }

    /// Whether a device with these attributes has a posture.
    pub fn has_posture(&self, name: &str, attributes: Value<'_>) -> bool {
        let Some(conditions) = self.postures.get(name) else {
            return false;
        };
        let mut conditions = conditions.iter().map(|word| Condition::parse(word.name()));
        conditions.all(|condition| condition.is_some_and(|condition| condition.holds(attributes)))
    }
}

impl<'t> Condition<'t> {
    /// Reads a condition; `None` if it is malformed.
    pub fn parse(text: &'t str) -> Option<Condition<'t>> {
        let text = text.trim();
        let end = text.find(|c: char| c.is_whitespace() || matches!(c, '=' | '!' | '<' | '>'))?;
        let (attribute, rest) = text.split_at_checked(end)?;
        let test = Comparison::parse(rest.trim())?;
        (!attribute.is_empty()).then_some(Condition { attribute, test })
    }

    /// The condition in one spelling, however the text has it: conditions are equal where these are.
    pub fn spelling(&self) -> String {
        let (operator, values): (&str, &[&str]) = match &self.test {
            Comparison::IsSet => ("IS SET", &[]),
            Comparison::NotSet => ("NOT SET", &[]),
            Comparison::In(values) => ("IN", values),
            Comparison::NotIn(values) => ("NOT IN", values),
            Comparison::Order(order, value) => (order.sign(), std::slice::from_ref(value)),
        };
        let mut text = [self.attribute, " ", operator].concat();
        for value in values {
            text.push(' ');
            quote(value, &mut text);
        }
        text
    }

    /// Whether a device with these attributes fulfils it. A device without the attribute fulfils only `NOT SET`.
    pub fn holds(&self, attributes: Value<'_>) -> bool {
        let value = attributes.get(self.attribute);
        let value = value.filter(|value| value.kind() != Kind::Null);
        self.holds_for(value.map(|value| {
            let text = value.as_str().unwrap_or(value.raw());
            (text, value.kind() == Kind::Number)
        }))
    }

    /// Whether this value of the attribute fulfils it, and whether it is a number; `None` if it is not set.
    pub fn holds_for(&self, value: Option<(&str, bool)>) -> bool {
        match value {
            Some((text, is_number)) => self.test.holds(text, is_number),
            None => self.test == Comparison::NotSet,
        }
    }
}

impl Condition<'_> {
    /// Whether each of some conditions holds on every device on which all of some others hold.
    pub fn all_follow(conditions: &[Condition<'_>], from: &[Condition<'_>]) -> bool {
        let follows = |one: &Condition<'_>| from.iter().any(|other| one.follows(other));
        conditions.iter().all(follows)
    }

    /// Whether it holds on every device on which another condition holds, as far as one comparison tells.
    fn follows(&self, from: &Condition<'_>) -> bool {
        self.attribute == from.attribute && self.test.follows(&from.test)
    }
}

impl Comparison<'_> {
    fn follows(&self, from: &Comparison<'_>) -> bool {
        match (self, from) {
            _ if self == from => true,
            (Comparison::IsSet, other) => *other != Comparison::NotSet,
            (test, Comparison::In(values)) => values.iter().all(|value| match test {
                // A value without quotes may be a number or a text: both readings must agree.
                Comparison::Order(..) => test.holds(value, false) && test.holds(value, true),
                _ => test.holds(value, false),
            }),
            (Comparison::NotIn(out), Comparison::NotIn(known)) => {
                out.iter().all(|value| known.contains(value))
            }
            (Comparison::Order(order, value), Comparison::Order(known, bound)) => {
                order.follows(value, *known, bound)
            }
            _ => false,
        }
    }
}

impl Order {
    /// Whether `order value` holds wherever `known bound` does, for numbers and versions alike.
    fn follows(self, value: &str, known: Order, bound: &str) -> bool {
        let is_up = |order| matches!(order, Order::Greater | Order::GreaterOrEqual);
        let is_strict = |order| matches!(order, Order::Greater | Order::Less);
        if is_up(self) != is_up(known) {
            return false;
        }
        let fits = |ordering: Ordering| match ordering {
            // The same bound: only a strict one is more than the other.
            Ordering::Equal => !is_strict(self) || is_strict(known),
            Ordering::Greater => is_up(self),
            Ordering::Less => !is_up(self),
        };
        // How the known bound compares with the one asked for.
        fits(version(bound).cmp(&version(value))) && by_number(bound, value).is_none_or(fits)
    }
}

impl<'t> Comparison<'t> {
    /// Whether no value fulfils this one and another one, whether it is a number or a version.
    pub(crate) fn excludes(&self, other: &Comparison<'t>) -> bool {
        match (self, other) {
            (Comparison::NotSet, other) | (other, Comparison::NotSet) => {
                *other != Comparison::NotSet
            }
            (Comparison::In(values), other) | (other, Comparison::In(values)) => {
                let fulfils = |value: &&&str| {
                    let mut kinds = [false, true].into_iter();
                    kinds.any(|is_number| other.holds(value, is_number))
                };
                !values.iter().any(|value| fulfils(&value))
            }
            (Comparison::Order(order, end), Comparison::Order(other, other_end)) => {
                let (below, above) = match (order.is_upper(), other.is_upper()) {
                    (true, false) => (end, other_end),
                    (false, true) => (other_end, end),
                    _ => return false,
                };
                let is_strict = [order, other]
                    .iter()
                    .any(|order| matches!(order, Order::Less | Order::Greater));
                let is_empty = |ends: Ordering| ends.is_lt() || ends.is_eq() && is_strict;
                is_empty(version(below).cmp(&version(above)))
                    && by_number(below, above).is_none_or(is_empty)
            }
            _ => false,
        }
    }

    fn parse(text: &'t str) -> Option<Comparison<'t>> {
        match text {
            "IS SET" => return Some(Comparison::IsSet),
            "NOT SET" => return Some(Comparison::NotSet),
            _ => {}
        }
        let operator = |name: &str| text.strip_prefix(name).map(str::trim);
        if let Some(list) = operator("NOT IN") {
            return values(list).map(Comparison::NotIn);
        }
        if let Some(list) = operator("IN") {
            return values(list).map(Comparison::In);
        }
        if let Some(value) = operator("==") {
            return only(value).map(|value| Comparison::In(vec![value]));
        }
        if let Some(value) = operator("!=") {
            return only(value).map(|value| Comparison::NotIn(vec![value]));
        }
        Order::SIGNS.iter().find_map(|(sign, order)| {
            let value = only(operator(sign)?)?;
            Some(Comparison::Order(*order, value))
        })
    }

    fn holds(&self, text: &str, is_number: bool) -> bool {
        match self {
            Comparison::IsSet => true,
            Comparison::NotSet => false,
            Comparison::In(values) => values.contains(&text),
            Comparison::NotIn(values) => !values.contains(&text),
            Comparison::Order(order, value) => {
                let numbers = || is_number.then(|| by_number(text, value)).flatten();
                let ordering = numbers().unwrap_or_else(|| version(text).cmp(&version(value)));
                match order {
                    Order::Less => ordering.is_lt(),
                    Order::LessOrEqual => ordering.is_le(),
                    Order::Greater => ordering.is_gt(),
                    Order::GreaterOrEqual => ordering.is_ge(),
                }
            }
        }
    }
}

/// `['a', 'b']`.
fn values(text: &str) -> Option<Vec<&str>> {
    let mut rest = text.strip_prefix('[')?.strip_suffix(']')?;
    let mut values = Vec::new();
    loop {
        let (value, after) = first_value(rest.trim_start())?;
        values.push(value);
        rest = match after.trim() {
            "" => return Some(values),
            after => after.strip_prefix(',')?,
        };
    }
}

/// The one value of a text.
fn only(text: &str) -> Option<&str> {
    let (value, after) = first_value(text)?;
    after.is_empty().then_some(value)
}

/// A value without the quotes around it, of which both kinds occur, and what follows. A number or `true` needs none.
fn first_value(text: &str) -> Option<(&str, &str)> {
    for quote in ['\'', '"'] {
        if let Some(quoted) = text.strip_prefix(quote) {
            return quoted.split_once(quote);
        }
    }
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, ',' | '\'' | '"' | '[' | ']' | '=' | '!' | '<' | '>')
    };
    let end = text.find(ends);
    let (value, after) = text.split_at_checked(end.unwrap_or(text.len()))?;
    (!value.is_empty()).then_some((value, after))
}

/// The numbers of a version, zeros at the end left out so that `1.0` is `1`.
fn version(text: &str) -> Vec<u64> {
    let parts = text.split(|c: char| !c.is_ascii_digit());
    let mut numbers: Vec<u64> = parts.filter_map(|part| part.parse().ok()).collect();
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    numbers
}

/// How two plain decimals compare; none if one is malformed.
fn by_number(left: &str, right: &str) -> Option<Ordering> {
    let (left, right) = (Decimal::read(left)?, Decimal::read(right)?);
    let sizes = (left.whole.len(), left.whole, left.fraction).cmp(&(
        right.whole.len(),
        right.whole,
        right.fraction,
    ));
    Some(match (left.is_negative, right.is_negative) {
        (false, false) => sizes,
        (true, true) => sizes.reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

/// A decimal as digits, without insignificant zeros.
struct Decimal<'t> {
    is_negative: bool,
    whole: &'t str,
    fraction: &'t str,
}

impl Decimal<'_> {
    fn read(text: &str) -> Option<Decimal<'_>> {
        let minus = text.strip_prefix('-');
        let digits = minus.unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mut all = whole.bytes().chain(fraction.bytes());
        let plain = !whole.is_empty() && all.all(|byte| byte.is_ascii_digit());
        let (whole, fraction) = (
            whole.trim_start_matches('0'),
            fraction.trim_end_matches('0'),
        );
        plain.then_some(Decimal {
            is_negative: minus.is_some() && !(whole.is_empty() && fraction.is_empty()),
            whole,
            fraction,
        })
    }
}
