//! The files of the repository that the rules of the house check. Must not live here: rules.
use std::fs;
use std::path::{Path, PathBuf};

pub struct Source {
    /// The path from the root of the repository, with `/` between folders.
    pub path: String,
    pub text: String,
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `folder` with one of the endings, generated and installed folders left out.
pub fn sources(folder: &str, endings: &[&str]) -> Vec<Source> {
    const SKIPPED: &[&str] = &[
        "node_modules",
        "wasm",
        "cjs",
        "esm",
        "load",
        "dist",
        "target",
    ];
    fn walk(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                let is_source = path.ends_with("crates/wasm");
                if is_source || !SKIPPED.contains(&name.as_str()) {
                    walk(&path, endings, found);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), endings, &mut found);
    found.sort();
    found
        .into_iter()
        .map(|path| Source {
            text: fs::read_to_string(&path).expect("a source file is text"),
            path: path
                .strip_prefix(root())
                .expect("below the root")
                .to_string_lossy()
                .into_owned(),
        })
        .collect()
}

/// The Rust of the package: the crate, and that of the exports.
pub fn crate_files() -> Vec<Source> {
    let mut files = sources("src", &[".rs"]);
    files.extend(sources("crates/wasm/src", &[".rs"]));
    files
}

pub fn product_files() -> impl Iterator<Item = Source> {
    sources("src", &[".rs"])
        .into_iter()
        .chain(sources("crates", &[".rs"]))
        .chain(sources("xtask", &[".rs"]))
        .chain(sources("pkg", &[".js", ".mjs"]))
        .chain(sources("www", &[".ts"]))
        .chain(sources("examples", &[".js", ".mjs", ".ts", ".rs"]))
}

/// The lines of a Rust file before its test module, numbered from 1.
pub fn product_lines(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    source
        .text
        .lines()
        .take_while(|line| !line.contains("#[cfg(test)]"))
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

pub fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") || line.starts_with("/*") || line.starts_with("* ")
}

#[track_caller]
pub fn assert_clean(rule: &str, breaches: &[String]) {
    assert!(breaches.is_empty(), "{rule}:\n{}", breaches.join("\n"));
}
