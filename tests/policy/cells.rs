//! Cells of a matrix as text, and the network that both matrices are asked about. Must not live here: what a matrix holds (matrix.rs,
//! logins.rs).

use serde_json::{Value, json};

/// A list of texts as one.
pub fn texts(value: &Value) -> String {
    let texts = value.as_array().into_iter().flatten();
    let texts: Vec<&str> = texts.filter_map(Value::as_str).collect();
    texts.join(", ")
}

/// The part that a cell is about.
pub fn part(cell: &Value) -> String {
    let of = |side: &str| Some(format!(" {side} {}", texts(cell["part"].get(side)?)));
    ["from", "to"].into_iter().filter_map(of).collect()
}

/// Why a cell is undecided.
pub fn why(cell: &Value) -> String {
    let why = cell.get("why").and_then(Value::as_str);
    why.map_or_else(String::new, |why| format!(": {why}"))
}

/// Two people with three devices, one machine of tag:web and one with these tags and addresses, and what else there is.
pub fn network(last: &Value, others: &[Value]) -> Value {
    let mut devices = vec![
        json!({"id": "1", "hostname": "laptop", "user": "ann@example.com", "addresses": ["100.64.0.1", "fd7a:115c:a1e0::1"]}),
        json!({"id": "2", "hostname": "phone", "user": "ann@example.com", "addresses": ["100.64.0.2", "fd7a:115c:a1e0::2"]}),
        json!({"id": "3", "hostname": "desk", "user": "bob@example.com", "addresses": ["100.64.0.3", "fd7a:115c:a1e0::3"]}),
        json!({"id": "4", "hostname": "web-1", "tags": ["tag:web"], "addresses": ["100.64.0.4", "fd7a:115c:a1e0::4"]}),
        last.clone(),
    ];
    devices.extend(others.iter().cloned());
    let users = json!([{"loginName": "ann@example.com", "role": "member"}, {"loginName": "bob@example.com", "role": "admin"}]);
    json!({"devices": devices, "users": users})
}
