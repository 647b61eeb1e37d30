//! Whether device attributes meet a posture: docs/policy-language.md#postures. Must not live here: which rule requires which posture.

use serde_json::Value;

/// Every condition holds.
pub fn meets(conditions: &[String], attributes: &Value) -> bool {
    conditions
        .iter()
        .all(|condition| holds(condition, attributes))
}

fn literal(text: &str) -> Value {
    let text = text.trim();
    match text
        .strip_prefix('\'')
        .and_then(|text| text.strip_suffix('\''))
    {
        Some(inner) => Value::from(inner),
        None => serde_json::from_str(text).unwrap_or_else(|_| panic!("a value, not {text}")),
    }
}

/// Numbers by value, everything else as it is.
fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

/// A missing attribute makes every condition but `NOT SET` fail.
fn holds(condition: &str, attributes: &Value) -> bool {
    let (name, rest) = condition
        .trim()
        .split_once(' ')
        .expect("an attribute and a condition");
    let rest = rest.trim();
    let own = attributes.get(name);
    if rest == "NOT SET" {
        return own.is_none();
    }
    let Some(own) = own else { return false };
    let listed = |list: &str| {
        let list = list.trim().trim_start_matches('[').trim_end_matches(']');
        list.split(',').any(|item| same(own, &literal(item)))
    };
    if rest == "IS SET" {
        return true;
    }
    if let Some(list) = rest.strip_prefix("NOT IN") {
        return !listed(list);
    }
    if let Some(list) = rest.strip_prefix("IN") {
        return listed(list);
    }
    let (operator, value) = rest.split_once(' ').expect("an operator and a value");
    let value = literal(value);
    let order = own
        .as_f64()
        .zip(value.as_f64())
        .map(|(own, value)| own.total_cmp(&value));
    let order = order.or_else(|| Some(release(own)?.cmp(&release(&value)?)));
    match operator {
        "==" => same(own, &value),
        "!=" => !same(own, &value),
        "<" => order.is_some_and(|order| order.is_lt()),
        "<=" => order.is_some_and(|order| order.is_le()),
        ">" => order.is_some_and(|order| order.is_gt()),
        ">=" => order.is_some_and(|order| order.is_ge()),
        other => panic!("an operator, not {other}"),
    }
}

/// The numbers of a release such as `1.60.2`.
fn release(value: &Value) -> Option<Vec<u64>> {
    let parts = value.as_str()?.split('.');
    parts.map(|part| part.parse().ok()).collect()
}
