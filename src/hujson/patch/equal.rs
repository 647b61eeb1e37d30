//! When two values are the same: RFC 6902, section 4.6.
//!
//! Numbers compare by their exact value, strings by what they stand for, objects without regard
//! to order; of repeated names the last counts. Must not live here: finding the values.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::{Kind, Value};

pub(super) fn equal(one: Value<'_>, other: Value<'_>) -> bool {
    if one.kind() != other.kind() {
        return false;
    }
    match one.kind() {
        Kind::Null => true,
        Kind::Bool => one.as_bool() == other.as_bool(),
        Kind::Number => Decimal::of(one.raw()) == Decimal::of(other.raw()),
        Kind::String => one.as_str() == other.as_str(),
        Kind::Array => {
            let mut others = other.elements();
            one.elements()
                .all(|element| others.next().is_some_and(|other| equal(element, other)))
                && others.next().is_none()
        }
        Kind::Object => {
            let (one, other) = (members(one), members(other));
            one.len() == other.len()
                && (one.iter())
                    .all(|(name, value)| other.get(name).is_some_and(|other| equal(*value, *other)))
        }
    }
}

fn members<'d>(object: Value<'d>) -> HashMap<Cow<'d, str>, Value<'d>> {
    (object.members())
        .map(|member| (member.name.unescape(), member.value))
        .collect()
}

/// A number as its sign, its digits without zeros at either end, and the power of ten of the last.
#[derive(PartialEq, Eq, Debug)]
struct Decimal<'n> {
    negative: bool,
    digits: String,
    exponent: Exponent<'n>,
}

#[derive(PartialEq, Eq, Debug)]
enum Exponent<'n> {
    Known(i128),
    /// Too long to calculate with: only the same digits are the same number.
    Huge(&'n str),
}

impl<'n> Decimal<'n> {
    fn of(raw: &'n str) -> Self {
        let negative = raw.starts_with('-');
        let unsigned = raw.trim_start_matches('-');
        let (mantissa, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole, fraction].concat();
        let significant = all.trim_end_matches('0');
        let digits = significant.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            return Self {
                negative: false,
                digits,
                exponent: Exponent::Known(0),
            };
        }
        let shift = (all.len() - significant.len()) as i128 - fraction.len() as i128;
        let exponent = match power
            .parse::<i128>()
            .ok()
            .and_then(|power| power.checked_add(shift))
        {
            Some(exponent) => Exponent::Known(exponent),
            None => Exponent::Huge(raw),
        };
        Self {
            negative,
            digits,
            exponent,
        }
    }
}
