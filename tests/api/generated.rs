//! What is made of the rows of operations and stays in the repository: the table of docs/operations.md. It must be
//! as the rows have it; `BLESS=1 cargo test --test api generated` writes it. Must not live here: what is made for the package
//! (`examples/operation_files`), what rows say.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tailnet_kit::api::Operation;
use tailnet_kit::api::retry::Rule;

/// Compares a file with what it should be, or writes it.
#[track_caller]
fn is(path: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, wanted).expect("a written file");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "{path:?} is not what the table of operations makes: `BLESS=1 cargo test --test api generated`"
    );
}

/// Compares the part of a file between two lines.
#[track_caller]
fn has(path: &str, [from, to]: [&str; 2], wanted: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = fs::read_to_string(file).expect("a text");
    let start = text.find(from).expect(from) + from.len();
    let start = start + text[start..].find('\n').expect("a line") + 1;
    let end = start + text[start..].find(to).expect(to);
    is(path, &format!("{}{wanted}{}", &text[..start], &text[end..]));
}

fn retried(operation: Operation) -> &'static str {
    match operation.rule() {
        Rule::Transient => "transient",
        Rule::RateLimitOnly => "429",
    }
}

#[test]
fn the_page_of_operations() {
    let mut table =
        "| call | request | retried on | its own errors |\n|---|---|---|---|\n".to_owned();
    for operation in Operation::ALL {
        let (name, route) = (operation.name(), operation.route());
        let path = route.template.trim_start_matches("/api/v2");
        let (method, rule, refusals) =
            (route.method, retried(operation), operation.words().refuses);
        let refusals = format!("{refusals} ").replace("  ", " ");
        writeln!(
            table,
            "| `{name}` | {method} `{path}` | {rule} | {}|",
            refusals.trim_start()
        )
        .expect("a row");
    }
    has(
        "docs/operations.md",
        ["<!-- operations", "<!-- end of operations -->"],
        &table,
    );
}
