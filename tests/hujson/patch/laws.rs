//! The laws of a patch. Must not live here: single cases.

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use tailnet_kit::hujson::{Value, duplicates, format, parse, patch};

use super::model;
use crate::texts::{self, Extra, comments, plain};

/// A pointer into the value or beside it, chosen by the numbers.
fn pointer(value: &Json, mut choice: u32) -> String {
    let (mut pointer, mut value) = (String::new(), value);
    loop {
        let (turn, rest) = (choice % 7, choice / 7);
        choice = rest;
        let (token, inner) = match value {
            Json::Object(members) if turn > 0 && !members.is_empty() => {
                let (name, inner) = members.iter().nth(rest as usize % members.len()).unwrap();
                (name.replace('~', "~0").replace('/', "~1"), inner)
            }
            Json::Array(elements) if turn > 0 && !elements.is_empty() => {
                let index = rest as usize % elements.len();
                (index.to_string(), &elements[index])
            }
            _ => {
                let beside = ["", "", "/-", "/new", "/0", "/1", "/a"][turn as usize];
                return pointer + beside;
            }
        };
        pointer.push('/');
        pointer.push_str(&token);
        value = inner;
        if choice.is_multiple_of(3) {
            return pointer;
        }
    }
}

fn operation(value: &Json, new: &str, (kind, one, other): (u8, u32, u32)) -> Json {
    let (path, from) = (pointer(value, one), pointer(value, other));
    let new = plain(new);
    match kind % 6 {
        0 => json!({ "op": "add", "path": path, "value": new }),
        1 => json!({ "op": "remove", "path": path }),
        2 => json!({ "op": "replace", "path": path, "value": new }),
        3 => json!({ "op": "move", "from": from, "path": path }),
        4 => json!({ "op": "copy", "from": from, "path": path }),
        _ => json!({ "op": "test", "path": path, "value": value.pointer(&from) }),
    }
}

/// The operation with another path.
fn at(mut operation: Json, path: &str) -> Json {
    operation["path"] = path.into();
    operation
}

/// The text without space and commas.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|character| !character.is_whitespace() && *character != ',')
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn agrees_with_the_model(
        text in texts::text(Extra::Comments),
        new in prop::collection::vec(texts::value(Extra::Comments), 4),
        choices in prop::collection::vec(any::<(u8, u32, u32)>(), 1..12),
    ) {
        let mut value = plain(&text);
        let mut operations = Vec::new();
        let mut failed = None;
        for (index, choice) in choices.into_iter().enumerate() {
            let operation = operation(&value, &new[index % 4], choice);
            let mut changed = value.clone();
            let fine = model::apply(&mut changed, &operation).is_some();
            operations.push(operation);
            if fine {
                value = changed;
            } else if index % 3 == 0 {
                failed = Some(index);
                break;
            } else {
                operations.pop();
            }
        }
        let operations = Json::Array(operations).to_string();
        match patch(&text, &operations) {
            Ok(out) => {
                prop_assert_eq!(failed, None, "{}", operations);
                prop_assert_eq!(plain(&out), value, "{}: {}", operations, out);
            }
            Err(error) => {
                let index = error.operation();
                prop_assert!(index.is_some() && index.map(|_| 0) == failed.map(|_| 0), "{error}: {operations}");
            }
        }
    }

    #[test]
    fn replacing_a_literal_changes_no_other_byte(text in texts::text(Extra::Comments), choice: u32) {
        let pointer = pointer(&plain(&text), choice);
        let document = parse(&text).unwrap();
        if let Some(value) = tailnet_kit::hujson::pointer::find(&document, &pointer) {
            let span = value.span();
            let want = [&text[..span.start], "777", &text[span.end..]].concat();
            let operations = json!([{ "op": "replace", "path": pointer, "value": 777 }]);
            prop_assert_eq!(patch(&text, &operations.to_string()).unwrap(), want);
        }
    }

    #[test]
    fn adding_changes_nothing_but_space_and_commas(text in texts::text(Extra::Comments), choice: u32) {
        let value = plain(&text);
        let pointer = pointer(&value, choice);
        let (last, new) = match value.pointer(&pointer) {
            Some(Json::Object(_)) => ("new", r#""new":777777777777777"#),
            Some(Json::Array(elements)) if choice % 2 == 0 && !elements.is_empty() => ("0", "777777777777777"),
            Some(Json::Array(_)) => ("-", "777777777777777"),
            _ => return Ok(()),
        };
        let path = format!("{pointer}/{last}");
        let operations = json!([{ "op": "add", "path": path, "value": 777_777_777_777_777_u64 }]);
        let out = patch(&text, &operations.to_string()).unwrap();
        prop_assert_eq!(bare(&out).replacen(new, "", 1), bare(&text), "{}", out);
    }

    #[test]
    fn adding_and_moving_lose_no_comment(
        text in texts::text(Extra::Comments),
        choices in prop::collection::vec(any::<(bool, u32, u32)>(), 1..8),
    ) {
        let mut value = plain(&text);
        // All members of a repeated name are removed, each with its comments.
        if !duplicates(&parse(&text).unwrap()).is_empty() {
            return Ok(());
        }
        let mut operations = Vec::new();
        for (moved, one, other) in choices {
            let pointer = pointer(&value, one);
            let path = match value.pointer(&pointer) {
                Some(Json::Object(_)) => format!("{pointer}/new{}", operations.len()),
                Some(Json::Array(_)) => format!("{pointer}/{}", if one % 2 == 0 { "-" } else { "0" }),
                _ => continue,
            };
            let kind = if moved { 3 } else { 0 };
            let operation = at(operation(&value, "[7]", (kind, one, other)), &path);
            let mut changed = value.clone();
            if operation["from"] != "" && model::apply(&mut changed, &operation).is_some() {
                value = changed;
                operations.push(operation);
            }
        }
        let out = patch(&text, &Json::Array(operations).to_string()).unwrap();
        prop_assert_eq!(plain(&out), value);
        let sorted = |text: &str| {
            let mut all = comments(text);
            all.sort();
            all
        };
        prop_assert_eq!(sorted(&out), sorted(&text), "{}", out);
    }

    #[test]
    fn canonical_texts_stay_canonical(text in texts::text(Extra::Comments), choice: u32) {
        let text = format(&text).unwrap();
        let value = plain(&text);
        let pointer = pointer(&value, choice);
        let document = parse(&text).unwrap();
        let target = tailnet_kit::hujson::pointer::find(&document, &pointer);
        // A list with only a comment is aligned with its neighbours in a column, and is not once it has an element. Its
        // neighbours keep their place, as they are not part of the change (see `adding.rs`).
        let expanded = |target: &Value<'_>| target.raw().starts_with("[\n") && target.elements().next().is_some();
        if !target.as_ref().is_some_and(expanded) {
            return Ok(());
        }
        let operations = json!([{ "op": "add", "path": format!("{pointer}/-"), "value": {"a": [1]} }]);
        let out = patch(&text, &operations.to_string()).unwrap();
        prop_assert_eq!(format(&out).unwrap(), out);
    }

    #[test]
    fn removing_keeps_the_order_of_all_comments_that_stay(text in texts::text(Extra::Comments), choice: u32) {
        let operations = json!([{ "op": "remove", "path": pointer(&plain(&text), choice) }]);
        if let Ok(out) = patch(&text, &operations.to_string()) {
            let mut all = comments(&text).into_iter();
            for comment in comments(&out) {
                prop_assert!(all.any(|other| other == comment), "{comment} in {out}");
            }
        }
    }
}
