//! Which exports a wasm file has: those of the modules of `crates/wasm` that its feature of the crate brings.
//! Must not live here: building the files.

use std::collections::HashSet;
use std::fs;

use anyhow::{Context, Result, ensure};

use crate::paths;

/// Those of `exports` that the crate has when it is built with this feature alone.
pub fn of<'e>(feature: &str, exports: &[&'e str]) -> Result<Vec<&'e str>> {
    let features = brought(&read("Cargo.toml")?, feature);
    let mut found = Vec::new();
    for (conditions, module) in modules(&read("src/lib.rs")?) {
        if conditions
            .iter()
            .any(|condition| features.contains(condition))
        {
            let text = read(&format!("src/{module}.rs"))?;
            found.extend(named(&text, exports));
        }
    }
    ensure!(!found.is_empty(), "the feature `{feature}` exports nothing");
    Ok(found)
}

fn read(path: &str) -> Result<String> {
    let file = paths::root().join(super::bound::CRATE).join(path);
    fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
}

/// The feature and those that it brings, as the manifest says.
fn brought(manifest: &str, feature: &str) -> Vec<String> {
    let start = format!("{feature} = [");
    let lines = manifest.lines().skip_while(|line| *line != "[features]");
    let line = lines
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .find_map(|line| line.strip_prefix(&start));
    let brought = quoted(line.unwrap_or_default()).flat_map(|other| brought(manifest, other));
    [feature.to_owned()].into_iter().chain(brought).collect()
}

/// Each module with the features any of which brings it.
fn modules(text: &str) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let mut condition = String::new();
    for line in text.lines() {
        if line.starts_with("#[cfg(") {
            condition.clear();
        }
        if let Some(module) = line.strip_prefix("mod ") {
            let features = quoted(&condition).map(str::to_owned).collect();
            found.push((features, module.trim_end_matches(';').to_owned()));
            condition.clear();
        } else {
            condition.push_str(line);
        }
    }
    found
}

/// What stands between quotation marks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

/// Those that a module names outside of its comments; a macro may write the functions.
fn named<'e>(text: &str, exports: &[&'e str]) -> Vec<&'e str> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let words = code.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    let words: HashSet<&str> = words.collect();
    let named = exports.iter().copied();
    named.filter(|export| words.contains(export)).collect()
}

#[cfg(test)]
mod tests {
    use super::{brought, modules, named};

    #[test]
    fn a_feature_brings_others() {
        let manifest = "[features]\nkit = [\"text\", \"all\"]\nall = [\"dep:sha2\"]\n[dependencies]\ntext = [\"no\"]\n";
        assert_eq!(brought(manifest, "kit"), ["kit", "text", "all", "dep:sha2"]);
        assert_eq!(brought(manifest, "text"), ["text"]);
    }

    #[test]
    fn modules_stand_under_their_features() {
        let text = "mod free;\n#[cfg(any(\n    feature = \"a\",\n    feature = \"b\"\n))]\nmod two;\n\n#[cfg(feature = \"c\")]\nmod one;\n";
        let expected = [
            (vec![], "free".to_owned()),
            (vec!["a".to_owned(), "b".to_owned()], "two".to_owned()),
            (vec!["c".to_owned()], "one".to_owned()),
        ];
        assert_eq!(modules(text), expected);
    }

    #[test]
    fn a_module_has_what_its_code_names() {
        let text = "/// Not `other`.\n#[wasm_bindgen]\npub fn one(a: u8) {}\ndifferences! {\n    two = |a| a;\n}\n";
        let exports = ["one", "two", "other", "on"];
        assert_eq!(named(text, &exports), ["one", "two"]);
    }
}
