//! The names of types in `src/policy`: one name is one thing, so that a reader who knows it need not look where it comes from.
//! Must not live here: names that a type has inside a trait.
use std::collections::BTreeMap;

use crate::sources::{assert_clean, product_lines, sources};

/// The name of the type that a line declares outside of any block.
fn declared(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let (kind, rest) = line.split_once(' ')?;
    let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    matches!(kind, "struct" | "enum" | "trait" | "type").then_some(name)
}

#[test]
fn no_two_types_of_the_policy_have_one_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources("src/policy", &[".rs"]) {
        for (_, line) in product_lines(&source) {
            if let Some(name) = declared(line) {
                let known = places.entry(name.to_owned()).or_default();
                known.push(source.path.clone());
            }
        }
    }
    places.retain(|_, files| files.len() > 1);
    let twice = places.iter();
    let breaches: Vec<String> = twice
        .map(|(name, files)| format!("{name}: {}", files.join(", ")))
        .collect();
    assert_clean("names of two types", &breaches);
}

/// Words of place and speech that say less than the field's own, each with what is written for it.
const METAPHORS: &[(&str, &str)] = &[
    ("told", "reported, named, distinguished"),
    ("stand for", "mean"),
    ("stands for", "means"),
    ("both ends", "both endpoints"),
    ("two ends", "two endpoints"),
];

#[test]
fn the_policy_is_written_in_the_words_of_the_field() {
    let mut breaches = Vec::new();
    for source in sources("src/policy", &[".rs"]) {
        // What a string says to people is not a name.
        for (number, line) in product_lines(&source).filter(|(_, line)| !line.contains('"')) {
            let words = format!(" {line} ").replace(|sign: char| !sign.is_alphanumeric(), " ");
            for (metaphor, field) in METAPHORS {
                if words.contains(&format!(" {metaphor} ")) {
                    let path = &source.path;
                    breaches.push(format!("{path}:{number}: `{metaphor}`; write {field}"));
                }
            }
        }
    }
    assert_clean("words that are not the field's", &breaches);
}
