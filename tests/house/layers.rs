//! A module names only those below it: the modules of the crate, and the rooms of the policy engine.
//! Must not live here: circles between files (`circles`).
use std::fs;

use crate::modules::Modules;
use crate::sources::{Source, assert_clean, root, sources};

/// A module and the modules below it that it may name.
const LAYERS: &[(&str, &[&str])] = &[
    ("tables", &[]),
    ("code", &[]),
    ("hujson", &["tables", "code"]),
    ("cidr", &["tables"]),
    ("policy", &["tables", "code", "hujson", "cidr"]),
    ("api", &["tables", "code", "hujson", "cidr", "policy"]),
    (
        "client",
        &["tables", "code", "hujson", "cidr", "policy", "api"],
    ),
    (
        "gateway",
        &["tables", "code", "hujson", "cidr", "policy", "api"],
    ),
    (
        "sandbox",
        &["tables", "code", "hujson", "cidr", "policy", "api"],
    ),
];

/// The same inside the policy engine; the verbs, which are beside the rooms, may name all of them. A verb of several files is
/// a room too, which names the verbs that it uses.
const ROOMS: &[(&str, &[&str])] = &[
    ("findings", &[]),
    ("language", &["findings"]),
    ("edit", &["findings", "language"]),
    ("tailnet", &["findings", "language"]),
    ("validate", &["findings", "language", "tailnet"]),
    // Below the verbs, which put into words what it finds.
    ("relation", &["findings", "language", "tailnet"]),
    // Tests of one dialect, which ask the ssh rules of each device.
    (
        "overlaps",
        &["findings", "language", "tailnet", "ssh", "test_report"],
    ),
    // A verb of several files, which compares what others answer.
    (
        "translate",
        &[
            "findings",
            "language",
            "tailnet",
            "access_matrix",
            "access_options",
            "logins",
            "verdict",
        ],
    ),
    // A verb of several files, which uses others.
    (
        "prove",
        &[
            "findings",
            "language",
            "tailnet",
            "relation",
            "explain",
            "explanation",
            "question",
            "resolve",
            "verdict",
        ],
    ),
    (
        "powers",
        &[
            "findings",
            "language",
            "tailnet",
            "access",
            "access_change",
            "access_options",
        ],
    ),
    (
        "review",
        &[
            "findings",
            "language",
            "tailnet",
            "verdict",
            "test_report",
            "access_change",
            "ssh_change",
            "unusable",
            "diff",
            "diff_access",
            "diff_ssh",
            "relation",
            "powers",
            "prove",
        ],
    ),
    (
        "repair",
        &[
            "findings",
            "language",
            "tailnet",
            "verdict",
            "question",
            "resolve",
            "edit",
            "explanation",
            "access_change",
            "diff_access",
            "diff_ssh",
        ],
    ),
    // Above the verbs that it uses.
    (
        "service",
        &[
            "findings",
            "language",
            "tailnet",
            "validate",
            "check",
            "rename",
            "resolve",
            "test_report",
        ],
    ),
];

/// The part of a module's path after `stem`, up to the next `::`.
fn part<'a>(module: &'a str, stem: &str) -> Option<&'a str> {
    module.strip_prefix(stem)?.split("::").next()
}

/// The places where a part of `stem` names one that is not below it.
fn breaches(modules: &Modules, stem: &str, layers: &[(&str, &[&str])]) -> Vec<String> {
    let mut breaches = Vec::new();
    for (module, file) in modules.iter() {
        let own = part(module, stem);
        let Some((own, below)) = layers.iter().find(|(layer, _)| own == Some(layer)) else {
            continue;
        };
        for named in &file.named {
            let target = modules.find(module, file, &named.path);
            let Some(other) = target.as_deref().and_then(|target| part(target, stem)) else {
                continue;
            };
            if other != *own && !below.contains(&other) {
                let (path, line) = (&file.path, named.line);
                breaches.push(format!("{path}:{line}: {own} names {other}"));
            }
        }
    }
    breaches
}

#[test]
fn a_module_names_only_those_below_it() {
    let modules = Modules::of(&sources("src", &[".rs"]));
    assert_clean("layering", &breaches(&modules, "", LAYERS));
    assert_clean("rooms", &breaches(&modules, "policy::", ROOMS));
}

#[test]
fn every_module_of_the_crate_has_its_layer() {
    let listed = |name: &str| LAYERS.iter().any(|(layer, _)| *layer == name);
    let mut breaches = Vec::new();
    for entry in fs::read_dir(root().join("src")).expect("src").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let module = name.trim_end_matches(".rs");
        if module != "lib" && !listed(module) {
            breaches.push(name);
        }
    }
    assert_clean("modules without a layer", &breaches);
}

#[test]
fn every_room_of_the_policy_engine_has_its_layer() {
    let listed = |name: &str| ROOMS.iter().any(|(layer, _)| *layer == name);
    let mut breaches = Vec::new();
    for entry in fs::read_dir(root().join("src/policy"))
        .expect("src/policy")
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && !listed(&name) {
            breaches.push(name);
        }
    }
    assert_clean("rooms without a layer", &breaches);
}

#[test]
fn an_import_over_several_lines_is_found() {
    let source = |path: &str, text: &str| {
        let (path, text) = (path.to_owned(), text.to_owned());
        Source { path, text }
    };
    let files = [
        source("src/lib.rs", "pub mod api;\npub mod cidr;\npub mod policy;"),
        source("src/api/mod.rs", "pub struct Code;"),
        source(
            "src/cidr/mod.rs",
            "use crate::{\n    api::{\n        Code as C,\n    },\n};",
        ),
        source("src/policy/mod.rs", "fn f() { crate::cidr::g() }"),
    ];
    let found = breaches(&Modules::of(&files), "", LAYERS);
    assert_eq!(found, ["src/cidr/mod.rs:3: cidr names api"]);
}
