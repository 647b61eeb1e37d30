//! JSON Patch on plain values, as simple as possible. Must not live here: texts.

use serde_json::Value as Json;

pub fn apply(value: &mut Json, operation: &Json) -> Option<()> {
    let path = operation["path"].as_str()?;
    match operation["op"].as_str()? {
        "add" => add(value, path, operation["value"].clone()),
        "remove" => take(value, path).map(drop),
        "replace" => {
            *value.pointer_mut(path)? = operation["value"].clone();
            Some(())
        }
        "copy" => {
            let copy = value.pointer(operation["from"].as_str()?)?.clone();
            add(value, path, copy)
        }
        "move" => {
            let from = operation["from"].as_str()?;
            if from == path {
                return value.pointer(from).map(drop);
            }
            if path.starts_with(&format!("{from}/")) {
                return None;
            }
            let moved = take(value, from)?;
            add(value, path, moved)
        }
        "test" => (*value.pointer(path)? == operation["value"]).then_some(()),
        _ => None,
    }
}

fn add(value: &mut Json, path: &str, new: Json) -> Option<()> {
    let Some((parent, token)) = path.rsplit_once('/') else {
        *value = new;
        return Some(());
    };
    match value.pointer_mut(parent)? {
        Json::Object(members) => drop(members.insert(unescaped(token), new)),
        Json::Array(elements) => {
            let last = elements.len();
            let index = if token == "-" {
                last
            } else {
                token.parse().ok()?
            };
            if index > last {
                return None;
            }
            elements.insert(index, new);
        }
        _ => return None,
    }
    Some(())
}

fn take(value: &mut Json, path: &str) -> Option<Json> {
    value.pointer(path)?;
    let (parent, token) = path.rsplit_once('/')?;
    match value.pointer_mut(parent)? {
        Json::Object(members) => members.remove(&unescaped(token)),
        Json::Array(elements) => Some(elements.remove(token.parse().ok()?)),
        _ => None,
    }
}

fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}
