//! No circles: files that name each other, directly or through others, cannot be read one after the other.
//! Must not live here: which layer may name which (`layers`).
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::modules::Modules;
use crate::sources::{Source, assert_clean, sources};

/// Imports from file to file, with the names that are imported.
#[derive(Default)]
struct Arrows(BTreeMap<String, BTreeMap<String, BTreeSet<String>>>);

impl Arrows {
    fn add(&mut self, from: &str, to: &str, what: &str) {
        if from != to {
            let ends = self.0.entry(from.to_owned()).or_default();
            let names = ends.entry(to.to_owned()).or_default();
            names.insert(what.to_owned());
        }
    }

    /// Every file that the arrows from this one lead to, directly or through others.
    fn reached(&self, from: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            for to in self.0.get(file).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(to.as_str()) {
                    open.push(to);
                }
            }
        }
        reached
    }

    /// The arrows that are part of a circle.
    fn circles(&self) -> Vec<String> {
        let reached: BTreeMap<&str, BTreeSet<&str>> = self
            .0
            .keys()
            .map(|file| (file.as_str(), self.reached(file)))
            .collect();
        let leads = |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
        let mut found = Vec::new();
        for (from, ends) in &self.0 {
            for (to, names) in ends.iter().filter(|(to, _)| leads(to, from)) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                found.push(format!("{from} -> {to}: {}", names.join(", ")));
            }
        }
        found
    }
}

/// The re-exports in a folder's own file are a map of the files in it, and not arrows.
fn in_rust(sources: &[Source]) -> Arrows {
    let modules = Modules::of(sources);
    let mut arrows = Arrows::default();
    for (module, file) in modules.iter() {
        for named in &file.named {
            let Some(target) = modules.find(module, file, &named.path) else {
                continue;
            };
            let public = named.import.as_ref().is_some_and(|import| import.public);
            if public && target.starts_with(&format!("{module}::")) {
                continue;
            }
            let what = named.path.last().map_or("", String::as_str);
            for to in modules.files(&target) {
                arrows.add(&file.path, &to.path, what);
            }
        }
    }
    arrows
}

/// Imports of JavaScript and TypeScript: the text in quotes after `from`, `import` or `import(`.
fn in_javascript(sources: &[Source]) -> Arrows {
    let paths: BTreeSet<&str> = sources.iter().map(|source| source.path.as_str()).collect();
    let mut arrows = Arrows::default();
    for source in sources {
        for (at, mark) in source.text.match_indices(['\'', '"']) {
            let before = source.text[..at].trim_end_matches([' ', '(']);
            if !before.ends_with("from") && !before.ends_with("import") {
                continue;
            }
            let named = source.text[at + 1..].split(mark).next().unwrap_or_default();
            let Some(path) = beside(&source.path, named) else {
                continue;
            };
            // Declarations and TypeScript files are imported by the name of their script.
            let stem = path.trim_end_matches(".js");
            for path in [path.clone(), format!("{stem}.ts"), format!("{stem}.d.ts")] {
                if paths.contains(path.as_str()) {
                    arrows.add(&source.path, &path, named);
                }
            }
        }
    }
    arrows
}

/// The path that a relative import leads to; nothing for the import of a package.
fn beside(file: &str, import: &str) -> Option<String> {
    let import = import.split('?').next()?;
    let mut folder = Path::new(file).parent()?;
    let mut inside = import;
    while let Some(rest) = inside.strip_prefix("../") {
        (folder, inside) = (folder.parent()?, rest);
    }
    let relative = inside.strip_prefix("./").unwrap_or(inside);
    import
        .starts_with('.')
        .then(|| folder.join(relative).to_string_lossy().into_owned())
}

#[test]
fn no_file_in_rust_is_part_of_a_circle() {
    let circles = |folder: &&str| in_rust(&sources(folder, &[".rs"])).circles();
    let found: Vec<String> = ["src", "xtask/src"].iter().flat_map(circles).collect();
    assert_clean("circles", &found);
}

#[test]
fn no_file_in_javascript_is_part_of_a_circle() {
    let folders = ["pkg", "www", "examples", "benches", "tests/js"];
    let circles =
        |folder: &&str| in_javascript(&sources(folder, &[".js", ".mjs", ".ts"])).circles();
    let found: Vec<String> = folders.iter().flat_map(circles).collect();
    assert_clean("circles", &found);
}

fn source(path: &str, text: &str) -> Source {
    let (path, text) = (path.to_owned(), text.to_owned());
    Source { path, text }
}

#[test]
fn a_circle_is_found_through_re_exports_and_over_several_lines() {
    let files = [
        source(
            "src/mod_a/mod.rs",
            "mod one;\nmod two;\npub use one::One;\npub use two::{\n    Deep as Two,\n    Other,\n};",
        ),
        source(
            "src/mod_a/one.rs",
            "use super::{\n    // the other\n    Two,\n};\nstruct One(Two);",
        ),
        source(
            "src/mod_a/two.rs",
            "struct Deep;\nfn f() -> crate::mod_a::One { todo() }",
        ),
        source("src/mod_a/three.rs", "use super::two;\nfn f() { two::g() }"),
    ];
    assert_eq!(
        in_rust(&files).circles(),
        [
            "src/mod_a/one.rs -> src/mod_a/two.rs: Two",
            "src/mod_a/two.rs -> src/mod_a/one.rs: One"
        ]
    );
    let files = [
        source("www/src/a.ts", "import {\n  type B,\n} from './b.js';\n"),
        source("www/src/b.ts", "const c = () => import('./c.js?worker');\n"),
        source("www/src/c.ts", "import '../src/a.js';\nimport './d.js';\n"),
        source("www/src/d.ts", "import 'a';\n"),
    ];
    assert_eq!(
        in_javascript(&files).circles(),
        [
            "www/src/a.ts -> www/src/b.ts: ./b.js",
            "www/src/b.ts -> www/src/c.ts: ./c.js?worker",
            "www/src/c.ts -> www/src/a.ts: ../src/a.js"
        ]
    );
}
