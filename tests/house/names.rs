//! The names of types in `src/policy`: one name is one thing, so that a reader who knows it need not look where it comes from.
//! Must not live here: names that a type has inside a trait.
use std::collections::BTreeMap;

use crate::sources::{assert_clean, product_lines, sources};

/// Names that are still given twice. Each that is not any more leaves this list.
const TWICE: &[&str] = &[
    "About",
    "Case",
    "Cell",
    "Change",
    "Classes",
    "Comparison",
    "Entry",
    "Finding",
    "Lists",
    "Name",
    "Named",
    "Names",
    "Opening",
    "Packed",
    "Pair",
    "Part",
    "Place",
    "Places",
    "Reader",
    "Reading",
    "Table",
    "Telling",
    "Terms",
];

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
    let mut breaches = Vec::new();
    for (name, files) in &places {
        if !TWICE.contains(&name.as_str()) {
            breaches.push(format!("{name}: {}", files.join(", ")));
        }
    }
    for name in TWICE.iter().filter(|name| !places.contains_key(**name)) {
        breaches.push(format!("{name} is given once, and still listed"));
    }
    assert_clean("names of two types", &breaches);
}
