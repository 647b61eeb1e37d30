//! The rules of the house, checked on the source text: length of files, opening comments, where JavaScript types and
//! panics are allowed; layers, circles and the length of functions in the files beside. Must not live here: tests of behaviour.
#![cfg(not(target_arch = "wasm32"))]

mod beside;
mod circles;
mod code;
mod codes;
mod functions;
mod layers;
mod modules;
mod names;
mod public;
mod references;
mod sources;

use sources::{
    Source, assert_clean, crate_files, is_comment, product_files, product_lines, sources,
};

const LONGEST_FILE: usize = 500;

/// A file of the demo is read at one sitting, and no line of it is packed.
const LONGEST_OF_PAGE: usize = 250;
const WIDEST_OF_PAGE: usize = 160;

#[test]
fn no_file_is_too_long_to_read() {
    let breaches: Vec<String> = product_files()
        .map(|source| (source.text.lines().count(), source.path))
        .filter(|(lines, _)| *lines > LONGEST_FILE)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    assert_clean("files over 500 lines", &breaches);
}

/// The README is read before anything else; what is longer has a page in `docs`.
const LONGEST_README: usize = 120;

#[test]
fn the_readme_is_short() {
    let lines = include_str!("../../README.md").lines().count();
    assert!(lines <= LONGEST_README, "{lines} lines");
}

/// What takes or runs whatever has the name in a registry, which until a release is not this package; `npx --no` runs what is installed.
const RUNS_A_STRANGER: [&str; 7] = [
    "npx tailnet-kit",
    "npx --yes",
    "npm install tailnet-kit",
    "npm i tailnet-kit",
    "bun add tailnet-kit",
    "npm:tailnet-kit",
    "cargo add tailnet-kit",
];

#[test]
fn no_guide_runs_a_package_of_somebody_else() {
    let mut breaches = Vec::new();
    let told = ["docs", "action", "examples"]
        .iter()
        .flat_map(|folder| sources(folder, &[".md", ".yml", ".yaml", ".rs"]));
    let shown = ["pkg/bin", "pkg/types"]
        .iter()
        .flat_map(|folder| sources(folder, &[".js", ".ts"]));
    for source in told.chain(shown) {
        for (index, line) in source.text.lines().enumerate() {
            if RUNS_A_STRANGER.iter().any(|words| line.contains(words)) {
                breaches.push(format!("{}:{}", source.path, index + 1));
            }
        }
    }
    // The README says once that the name is free, and beside the packed file what comes after a release.
    let says = |line: &str| line.contains("run none of it") || line.contains("once it is released");
    for (index, line) in include_str!("../../README.md").lines().enumerate() {
        if !says(line) && RUNS_A_STRANGER.iter().any(|words| line.contains(words)) {
            breaches.push(format!("README.md:{}", index + 1));
        }
    }
    assert_clean("snippets that run what npm has of the name", &breaches);
}

#[test]
fn each_file_of_the_demo_reads_easily() {
    let mut breaches = Vec::new();
    for source in sources("www/src", &[".ts"]) {
        let lines = source.text.lines().count();
        if lines > LONGEST_OF_PAGE {
            breaches.push(format!("{}: {lines} lines", source.path));
        }
        for (index, line) in source.text.lines().enumerate() {
            let width = line.chars().count();
            if width > WIDEST_OF_PAGE {
                breaches.push(format!("{}:{}: {width} characters", source.path, index + 1));
            }
        }
    }
    assert_clean("files of the demo that are hard to read", &breaches);
}

#[test]
fn every_file_opens_by_saying_what_lives_there() {
    let mut breaches = Vec::new();
    for source in product_files().chain(sources("tests", &[".rs", ".mjs", ".js", ".ts"])) {
        let mut lines = source
            .text
            .lines()
            .skip_while(|line| line.starts_with("#!") && !line.starts_with("#!["));
        let first = lines.next().unwrap_or_default();
        let opened = if source.path.ends_with(".rs") {
            first.starts_with("//!")
        } else {
            first.starts_with("//") || first.starts_with("/*")
        };
        if !opened {
            breaches.push(format!("{}: {first}", source.path));
        }
    }
    assert_clean(
        "files that do not open by saying what lives there",
        &breaches,
    );
}

#[test]
fn product_files_say_what_must_not_live_there() {
    let says = |source: &Source| {
        let opening: Vec<&str> = source
            .text
            .lines()
            .skip_while(|line| line.starts_with("#!/"))
            .take_while(|line| is_comment(line) || line.starts_with(" *"))
            .collect();
        opening.join(" ").to_lowercase().contains("not")
    };
    let breaches: Vec<String> = crate_files()
        .into_iter()
        .chain(sources("pkg/src", &[".js"]))
        .chain(sources("pkg/common", &[".js"]))
        .filter(|source| !says(source))
        .map(|source| source.path)
        .collect();
    assert_clean("files that do not say what must not live there", &breaches);
}

#[test]
fn javascript_types_stay_at_the_border() {
    const MARKS: &[&str] = &["JsValue", "wasm_bindgen", "js_sys", "web_sys", "gloo_net"];
    let mut breaches = Vec::new();
    for source in sources("src", &[".rs"]) {
        if source.path.starts_with("src/client/fetch") {
            continue;
        }
        for (number, line) in product_lines(&source).filter(|(_, line)| !is_comment(line)) {
            if MARKS.iter().any(|mark| line.contains(mark)) {
                breaches.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    assert_clean(
        "JavaScript types outside crates/wasm and client/fetch.rs",
        &breaches,
    );
}

#[test]
fn a_possible_panic_names_its_invariant() {
    const MARKS: &[&str] = &[
        ".unwrap()",
        ".expect(",
        "panic!(",
        "unreachable!(",
        "todo!(",
        "unimplemented!(",
    ];
    let mut breaches = Vec::new();
    for source in crate_files() {
        let mut excused_until = 0;
        for (number, line) in product_lines(&source) {
            if line.contains("// INVARIANT") {
                excused_until = number + 4;
            }
            let reachable = MARKS.iter().any(|mark| line.contains(mark));
            if reachable && !is_comment(line) && number > excused_until {
                breaches.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    assert_clean("a panic without an INVARIANT line", &breaches);
}

#[test]
fn platform_choice_is_made_on_modules() {
    const DECLARATIONS: &[&str] = &["mod ", "pub(crate) mod ", "pub mod ", "pub use ", "#[path"];
    let mut breaches = Vec::new();
    for source in crate_files() {
        let lines: Vec<(usize, &str)> = product_lines(&source).collect();
        for (at, (number, line)) in lines.iter().enumerate() {
            if !line.trim_start().starts_with("#[cfg(") {
                continue;
            }
            // An attribute may take several lines; its item follows the last one.
            let behind = lines.iter().skip(at);
            let mut behind = behind.skip_while(|(_, line)| !line.trim_end().ends_with(")]"));
            let next = behind.nth(1).map_or("", |(_, line)| line.trim_start());
            if !DECLARATIONS.iter().any(|start| next.starts_with(start)) {
                breaches.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    assert_clean("cfg on something else than a module", &breaches);
}

/// Paths stand in the rows of `src/api` alone, each once.
#[test]
fn each_path_template_is_written_once() {
    let (mut breaches, mut known) = (Vec::new(), Vec::new());
    for source in crate_files()
        .into_iter()
        .chain(sources("pkg/src", &[".js"]))
        .chain(sources("pkg/common", &[".js"]))
    {
        for (number, line) in product_lines(&source).filter(|(_, line)| !is_comment(line)) {
            let Some((_, path)) = line.split_once("\"/api/v2") else {
                continue;
            };
            let path = path.split('"').next().unwrap_or_default().to_owned();
            if !source.path.starts_with("src/api/") || known.contains(&path) {
                breaches.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
            known.push(path);
        }
    }
    assert_clean("a path outside src/api, or written twice", &breaches);
}

/// A body is the text between the line that ends in `{` and the closing brace in column one.
#[test]
fn bindings_are_at_most_five_lines() {
    let mut breaches = Vec::new();
    for source in sources("crates/wasm/src", &[".rs"]) {
        let mut exported = false;
        let mut opened: Option<usize> = None;
        for (number, line) in product_lines(&source) {
            exported |= line.starts_with("#[wasm_bindgen");
            if exported && opened.is_none() && line.ends_with('{') && !line.starts_with('#') {
                opened = Some(number);
            }
            if line == "}" {
                match opened {
                    Some(first) if exported && number - first > 6 => breaches.push(format!(
                        "{}:{first}: {} lines",
                        source.path,
                        number - first - 1
                    )),
                    _ => {}
                }
                (exported, opened) = (false, None);
            }
        }
    }
    assert_clean("bindings of more than five lines", &breaches);
}

/// A tag can be moved to other code; a commit cannot.
#[test]
fn the_workflows_name_actions_by_commit() {
    let pinned = |name: &str| {
        name.split_once('@').is_some_and(|(_, commit)| {
            let (commit, version) = commit.split_once(" # v").unwrap_or((commit, ""));
            commit.len() == 40
                && commit.bytes().all(|byte| byte.is_ascii_hexdigit())
                && !version.is_empty()
        })
    };
    let mut breaches = Vec::new();
    for source in sources(".github/workflows", &[".yml"]) {
        let names = source.text.lines().filter_map(|line| {
            let name = line.trim_start_matches(['-', ' ']).strip_prefix("uses: ")?;
            (!name.starts_with("./")).then_some(name)
        });
        let loose = names.filter(|name| !pinned(name));
        breaches.extend(loose.map(|name| format!("{}: {name}", source.path)));
    }
    assert_clean(
        "actions that are not named by commit and version",
        &breaches,
    );
}
