//! When two values are the same: RFC 6902, section 4.6.
//!
//! Numbers compare as the doubles that `JSON.parse` makes of them, so that a value which was read
//! from a text is the same as that in the text; strings by what they stand for, objects without
//! regard to order; of repeated names the last counts. Must not live here: finding the values.

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
        Kind::Number => same_number(one.raw(), other.raw()),
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

/// Numbers beyond what a double holds are infinite, as for `JSON.parse`.
fn same_number(one: &str, other: &str) -> bool {
    match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}
