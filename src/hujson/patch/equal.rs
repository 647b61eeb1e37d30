//! When two values are the same: RFC 6902, section 4.6.
//!
//! Numbers compare as the doubles that `JSON.parse` makes of them, so that a value which was read
//! from a text is the same as that in the text; strings by what they stand for, objects without
//! regard to order; of repeated names the last counts. Must not live here: finding the values.

use std::borrow::Cow;

use super::super::{Kind, Value};
use crate::tables::sort;

/// Reads a JSON number as the nearest double, infinite beyond the largest. The standard library needs tables of 10 KiB for that;
/// a caller with a JavaScript engine passes its function.
pub type ReadDouble = fn(&str) -> f64;

pub(super) fn equal(one: Value<'_>, other: Value<'_>, double: ReadDouble) -> bool {
    if one.kind() != other.kind() {
        return false;
    }
    match one.kind() {
        Kind::Null => true,
        Kind::Bool => one.as_bool() == other.as_bool(),
        Kind::Number => one.raw() == other.raw() || double(one.raw()) == double(other.raw()),
        Kind::String => one.as_str() == other.as_str(),
        Kind::Array => {
            let mut others = other.elements();
            one.elements().all(|element| {
                others
                    .next()
                    .is_some_and(|other| equal(element, other, double))
            }) && others.next().is_none()
        }
        Kind::Object => {
            let (one, other) = (members(one), members(other));
            one.len() == other.len()
                && (one.iter().zip(&other)).all(|((name, value), (other_name, other))| {
                    name == other_name && equal(*value, *other, double)
                })
        }
    }
}

/// The members that count, by name.
fn members<'d>(object: Value<'d>) -> Vec<(Cow<'d, str>, Value<'d>)> {
    let mut members = Vec::new();
    for member in object.members() {
        members.push((member.name.unescape(), member.value));
    }
    members.reverse();
    sort::sort_by(&mut members, |(one, _), (other, _)| one.cmp(other));
    members.dedup_by(|(one, _), (other, _)| one == other);
    members
}
