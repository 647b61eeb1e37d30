//! What docs.rs shows of the public modules: an example each, and no rule of the house, which is in plain comments below.
//! Must not live here: checks of private modules.
use std::path::Path;

use super::sources::{assert_clean, root};

#[test]
fn public_modules_show_an_example_and_no_rule_of_the_house() {
    let mut breaches = Vec::new();
    for path in public("src/lib.rs") {
        let text = std::fs::read_to_string(root().join(&path)).expect("a module has a file");
        let docs: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("//!"))
            .collect();
        let docs = docs.join("\n");
        if !docs.contains("//! ```\n") {
            breaches.push(format!("{path}: no example"));
        }
        if ["live here", "lives here"]
            .iter()
            .any(|rule| docs.to_lowercase().contains(rule))
        {
            breaches.push(format!("{path}: a rule of the house"));
        }
    }
    assert_clean("public modules that do not read well on docs.rs", &breaches);
}

/// The file and those of the public modules below it, at every depth; modules for wasm and hidden ones are not on docs.rs.
fn public(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(path)).expect("a module has a file");
    let parent = Path::new(path).with_extension("");
    let folder = match parent.file_name().and_then(|name| name.to_str()) {
        Some("lib" | "mod") => parent.parent().unwrap_or(&parent).to_owned(),
        _ => parent,
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut found = vec![path.to_owned()];
    for pair in lines.windows(2) {
        let [before, line] = pair else { continue };
        let Some(name) = line
            .strip_prefix("pub mod ")
            .and_then(|rest| rest.strip_suffix(';'))
        else {
            continue;
        };
        if before.contains("wasm32") || before.contains("doc(hidden)") {
            continue;
        }
        let [file, room] =
            [format!("{name}.rs"), format!("{name}/mod.rs")].map(|file| folder.join(file));
        let file = if root().join(&file).is_file() {
            file
        } else {
            room
        };
        found.extend(public(&file.to_string_lossy()));
    }
    found
}
