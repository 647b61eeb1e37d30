//! What docs.rs shows of the public modules: an example each, and no rule of the house, which is in plain comments below; nothing that is there for the
//! bindings of JavaScript alone; and answers that may grow.
//! Must not live here: checks of private modules.
use std::path::Path;

use super::sources::{assert_clean, product_lines, root, sources};

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

/// The file and those of the public modules below it, at every depth; modules for wasm and those for bindings are not on docs.rs.
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
        if before.contains("wasm32") || before.contains("\"bindings\"") {
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

/// The attributes and documentation in front of a line, up to the item before it.
fn ahead<'t>(lines: &[&'t str], at: usize) -> Vec<&'t str> {
    let above = lines[..at].iter().rev().map(|line| line.trim_start());
    above
        .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
        .collect()
}

#[test]
fn what_only_bindings_need_is_behind_their_feature() {
    let feature = "#[cfg(feature = \"bindings\")]";
    let mut breaches = Vec::new();
    for source in sources("src", &[".rs"]) {
        let lines: Vec<&str> = product_lines(&source).map(|(_, line)| line).collect();
        for (at, line) in lines.iter().enumerate() {
            let packs = line.starts_with("pub use") && line.contains("packed")
                || line.trim_start().starts_with("pub fn packed(");
            let hides = line.trim() == "#[doc(hidden)]";
            if (packs || hides)
                && !ahead(&lines, at).contains(&feature)
                && lines.get(at + 1) != Some(&feature)
            {
                breaches.push(format!("{}:{}: {line}", source.path, at + 1));
            }
            if line.contains("pub fn ") && line.contains("_js(") {
                breaches.push(format!("{}:{}: {line}", source.path, at + 1));
            }
        }
    }
    assert_clean("plumbing in the public API", &breaches);
}

/// What the client also sends, and so is made by whoever uses it; all else that is read of an answer may grow.
const SENT: [&str; 13] = [
    "DeviceCapabilities",
    "DeviceCreation",
    "DnsConfiguration",
    "DnsResolver",
    "DnsSwitches",
    "KeyCapabilities",
    "LogStream",
    "Nameservers",
    "NewDeviceInvite",
    "NewUserInvite",
    "Preferences",
    "SearchPaths",
    "VipService",
];

#[test]
fn answers_of_the_service_may_grow() {
    let mut breaches = Vec::new();
    for source in sources("src/api", &[".rs"]) {
        let lines: Vec<&str> = product_lines(&source).map(|(_, line)| line).collect();
        for (at, line) in lines.iter().enumerate() {
            let name = line
                .strip_prefix("pub struct ")
                .and_then(|rest| rest.strip_suffix(" {"));
            let attributes = ahead(&lines, at).join(" ");
            if name.is_some_and(|name| !SENT.contains(&name))
                && attributes.contains("Deserialize")
                && !attributes.contains("#[non_exhaustive]")
            {
                breaches.push(format!("{}:{}: {line}", source.path, at + 1));
            }
        }
    }
    assert_clean("`#[non_exhaustive]` is missing", &breaches);
}

/// Types of which a further variant would be a new question to every caller, who must answer it: closed on purpose.
const CLOSED: [&str; 1] = ["UpdateError"];

#[test]
fn answers_of_a_policy_and_errors_may_grow() {
    let mut breaches = Vec::new();
    let exports = std::fs::read_to_string(root().join("src/policy/mod.rs")).expect("the module");
    let exports: String = exports
        .split("pub use ")
        .skip(1)
        .filter_map(|after| after.split(';').next())
        .collect();
    let exported = |name: &str| {
        let mut words = exports.split(|sign: char| !sign.is_alphanumeric());
        words.any(|word| word == name)
    };
    for source in sources("src", &[".rs"]) {
        let lines: Vec<&str> = product_lines(&source).map(|(_, line)| line).collect();
        for (at, line) in lines.iter().enumerate() {
            let named = |keyword| {
                line.strip_prefix(keyword)?
                    .split(['<', ' ', '(', ';'])
                    .next()
            };
            let attributes = ahead(&lines, at).join(" ");
            let grows = if let Some(name) = named("pub enum ") {
                (name.ends_with("Error") || name.ends_with("Fault") && name != "RangeFault")
                    && !CLOSED.contains(&name)
            } else if let Some(name) = named("pub struct ") {
                let fields = lines.iter().skip(at + 1).take_while(|line| **line != "}");
                source.path.starts_with("src/policy/")
                    && exported(name)
                    && attributes.contains("Serialize")
                    && !attributes.contains("Deserialize")
                    && !attributes.contains("Default")
                    && line.ends_with('{')
                    && fields.clone().any(|line| line.starts_with("    pub "))
            } else {
                false
            };
            if grows && !attributes.contains("#[non_exhaustive]") {
                breaches.push(format!("{}:{}: {line}", source.path, at + 1));
            }
        }
    }
    assert_clean("`#[non_exhaustive]` is missing", &breaches);
}
