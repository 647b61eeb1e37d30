//! Makes a failing case small: takes out one member or element after another as long as the case still fails.
//! Must not live here: what fails.

use serde_json::Value;

/// The smallest document found for which `fails` is true.
pub fn shrink(document: Value, fails: &mut dyn FnMut(&Value) -> bool) -> Value {
    let mut document = document;
    loop {
        let before = document.clone();
        for path in places(&document).into_iter().rev() {
            let mut smaller = document.clone();
            if remove(&mut smaller, &path) && fails(&smaller) {
                document = smaller;
            }
        }
        if document == before {
            return document;
        }
    }
}

/// Every member or element that can be removed, as JSON Pointers, outer ones last.
fn places(document: &Value) -> Vec<String> {
    fn walk(value: &Value, path: &str, found: &mut Vec<String>) {
        let mut each = |step: &str, value: &Value| {
            let path = format!("{path}/{}", step.replace('~', "~0").replace('/', "~1"));
            walk(value, &path, found);
            found.push(path);
        };
        match value {
            Value::Object(members) => members.iter().for_each(|(name, value)| each(name, value)),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .for_each(|(at, value)| each(&at.to_string(), value)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(document, "", &mut found);
    found
}

fn remove(document: &mut Value, path: &str) -> bool {
    let Some((parent, step)) = path.rsplit_once('/') else {
        return false;
    };
    match document.pointer_mut(parent) {
        Some(Value::Object(members)) => members
            .remove(&step.replace("~1", "/").replace("~0", "~"))
            .is_some(),
        Some(Value::Array(items)) => match step.parse::<usize>() {
            Ok(at) if at < items.len() => {
                items.remove(at);
                true
            }
            _ => false,
        },
        _ => false,
    }
}
