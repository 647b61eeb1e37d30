//! `cargo xtask test`: the steps, in order, and the report on them.
//! Must not live here: how a step's programs are found or installed.

use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::output::{Counts, closing_lines, line, not_run};
use crate::run::Failed;
use crate::{browser, firefox, npm, package, paths, run, tools};

/// One check. `run` returns what its programs printed; the tests counted therein are the step's, or the step counts as one.
struct Step {
    name: &'static str,
    about: &'static str,
    advice: &'static str,
    tests: Tests,
    shows: Shows,
    run: fn() -> Result<String>,
}

/// Whether a step that ran no test has done its work. A runner that finds nothing to run says so and succeeds.
#[derive(PartialEq, Eq)]
enum Tests {
    None,
    AtLeastOne,
}

/// What is shown of a step that ended well.
#[derive(PartialEq, Eq)]
enum Shows {
    /// The closing lines of its test runners.
    Closing,
    /// All: it is short, and each line says something.
    All,
}

const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "formatting",
        advice: "cargo fmt --all",
        tests: Tests::None,
        shows: Shows::Closing,
        run: fmt,
    },
    Step {
        name: "js",
        about: "layout and lints of JavaScript and TypeScript",
        advice: "tests/js/node_modules/.bin/biome check --write",
        tests: Tests::None,
        shows: Shows::Closing,
        run: js,
    },
    Step {
        name: "clippy",
        about: "lints, native; warnings are errors",
        advice: "",
        tests: Tests::None,
        shows: Shows::Closing,
        run: clippy,
    },
    Step {
        name: "clippy-wasm",
        about: "lints, wasm, as a whole and as each of its files",
        advice: "",
        tests: Tests::None,
        shows: Shows::Closing,
        run: clippy_wasm,
    },
    Step {
        name: "native",
        about: "native tests",
        advice: "cargo test --test NAME runs one file",
        tests: Tests::AtLeastOne,
        shows: Shows::Closing,
        run: native,
    },
    Step {
        name: "doc",
        about: "the examples in the documentation",
        advice: "cargo test --doc",
        tests: Tests::None,
        shows: Shows::Closing,
        run: doc,
    },
    Step {
        name: "wasm-node",
        about: "conversions to and from JavaScript, in Node",
        advice: "",
        tests: Tests::AtLeastOne,
        shows: Shows::Closing,
        run: wasm_node,
    },
    Step {
        name: "wasm-chromium",
        about: "the same in headless Chromium",
        advice: "",
        tests: Tests::AtLeastOne,
        shows: Shows::Closing,
        run: wasm_chromium,
    },
    Step {
        name: "package",
        about: "the npm tarball",
        advice: "cargo xtask package",
        tests: Tests::None,
        shows: Shows::All,
        run: package,
    },
    Step {
        name: "packed",
        about: "the tarball, installed and used in every runtime",
        advice: "cd tests/js && node run.mjs --tarball FILE ROW runs one row",
        tests: Tests::AtLeastOne,
        shows: Shows::All,
        run: packed,
    },
    Step {
        name: "demo",
        about: "the demo page in headless Chromium and Firefox",
        advice: "node --test tests/demo/run.mjs",
        tests: Tests::AtLeastOne,
        shows: Shows::Closing,
        run: demo,
    },
];

const WASM: [&str; 2] = ["--target", "wasm32-unknown-unknown"];

pub fn help() -> String {
    let lines: Vec<_> = STEPS
        .iter()
        .map(|step| format!("  {:<15}{}", step.name, step.about))
        .collect();
    format!(
        "cargo xtask test [STEP]...\n\nRuns every step, or those named, in this order; goes on after a failure and names all that failed.\n\n{}\n\n\
         The output of each program is kept in target/xtask/.",
        lines.join("\n")
    )
}

/// Runs the steps named, or all.
pub fn run(names: &[String]) -> Result<ExitCode> {
    if let Some(name) = names
        .iter()
        .find(|name| STEPS.iter().all(|step| step.name != name.as_str()))
    {
        bail!("there is no step `{name}`\n\n{}", help());
    }
    let wanted = |step: &&Step| names.is_empty() || names.iter().any(|name| name == step.name);
    let start = Instant::now();
    let mut sum = Counts::default();
    let mut failed = Vec::new();
    for step in STEPS.iter().filter(wanted) {
        let (counts, good) = attempt(step);
        sum.add(counts);
        if !good {
            failed.push(step.name);
        }
    }
    println!("\n{:.0} s", start.elapsed().as_secs_f64());
    if !failed.is_empty() {
        println!(
            "failed: {}\nonce more, these alone: cargo xtask test {}",
            failed.join(", "),
            failed.join(" ")
        );
    }
    println!("{sum}");
    Ok(if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs one step and prints its line, the closing lines of its runners, and on failure what went wrong.
fn attempt(step: &Step) -> (Counts, bool) {
    let start = Instant::now();
    let result = (step.run)();
    let text = match &result {
        Ok(output) => output.clone(),
        Err(error) => error
            .downcast_ref::<Failed>()
            .map_or_else(String::new, |failed| failed.output.clone()),
    };
    let mut counts = Counts::read(&text);
    let result = result.and_then(|_| judge(step, counts));
    let good = result.is_ok();
    if good && counts == Counts::default() {
        counts.passed = 1;
    }
    if !good && counts.failed == 0 {
        counts.failed = 1;
    }
    line(&format!("{:<15}{}", step.name, step.about), good, start);
    if counts.not_run > 0 {
        println!("{:<15}{} not run", step.name, counts.not_run);
    }
    match result {
        Ok(()) if step.shows == Shows::All => print!("{text}"),
        Ok(()) => not_run(&text)
            .map(str::to_owned)
            .chain(closing_lines(&text, counts))
            .for_each(|closing| println!("{closing}")),
        Err(error) => println!("{}\n{}", run::explain(&error), advice(step)),
    }
    (counts, good)
}

/// A runner that ended well may still have done too little.
fn judge(step: &Step, counts: Counts) -> Result<()> {
    ensure!(
        counts.ignored == 0,
        "{} tests were ignored: every test runs, or goes",
        counts.ignored
    );
    ensure!(
        counts.failed == 0,
        "{} tests failed, though the runner ended well",
        counts.failed
    );
    ensure!(
        step.tests == Tests::None || counts.passed > 0,
        "not one test ran"
    );
    Ok(())
}

fn advice(step: &Step) -> String {
    let more = if step.advice.is_empty() {
        String::new()
    } else {
        format!("; {}", step.advice)
    };
    format!("  -> cargo xtask test {}{more}", step.name)
}

fn cargo(label: &str, arguments: &[&str]) -> Result<String> {
    run::quiet(
        label,
        Command::new("cargo")
            .args(arguments)
            .current_dir(paths::root()),
    )
}

fn fmt() -> Result<String> {
    cargo("fmt", &["fmt", "--all", "--check"])
}

/// One dialect for all of it, which `biome.json` describes; a warning is an error.
fn js() -> Result<String> {
    let biome = npm::install("tests/js")?.join("biome");
    run::quiet(
        "js",
        Command::new(biome)
            .args(["ci", "--error-on-warnings"])
            .current_dir(paths::root()),
    )
}

fn clippy() -> Result<String> {
    cargo(
        "clippy",
        &[
            "clippy",
            "--locked",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
    )
}

fn clippy_wasm() -> Result<String> {
    tools::wasm_target()?;
    let [flag, target] = WASM;
    let lint = |name: &str, features: &[&str]| {
        let start = ["clippy", "--locked", "--lib", flag, target];
        cargo(
            name,
            &[&start, features, &["--", "-D", "warnings"]].concat(),
        )
    };
    lint("clippy-wasm", &[])?;
    let mut printed = String::new();
    for feature in package::features() {
        let alone = ["--no-default-features", "--features", feature];
        printed += &lint(&format!("clippy-wasm-{feature}"), &alone)?;
    }
    Ok(printed)
}

fn native() -> Result<String> {
    cargo(
        "native",
        &[
            "test",
            "--locked",
            "--workspace",
            "--no-fail-fast",
            "--lib",
            "--bins",
            "--tests",
        ],
    )
}

fn doc() -> Result<String> {
    cargo("doc", &["test", "--locked", "--doc"])
}

fn package() -> Result<String> {
    let tarball = package::pack()?;
    let place = tarball.strip_prefix(paths::root());
    Ok(format!("{}\n", place.unwrap_or(&tarball).display()))
}

fn wasm_node() -> Result<String> {
    tools::node()?;
    wasm_tests(
        "wasm-node",
        "wasm-bindgen-test-runner",
        &mut Command::new("cargo"),
    )
}

fn wasm_chromium() -> Result<String> {
    npm::install("tests/js")?;
    let mut cargo = Command::new("cargo");
    cargo.env(browser::VARIABLE, browser::chromium()?);
    wasm_tests("wasm-chromium", "node tests/web-chromium.mjs", &mut cargo)
}

/// Runs tests/web.rs by `runner`. Settings of the person's own for that runner would have it test something else, or nothing.
fn wasm_tests(label: &str, runner: &str, cargo: &mut Command) -> Result<String> {
    tools::wasm_target()?;
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("WASM_BINDGEN_"))
    {
        cargo.env_remove(name);
    }
    cargo
        .args(["test", "--locked", "--test", "web"])
        .args(WASM)
        .current_dir(paths::root());
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner);
    run::quiet(
        label,
        cargo.env("PATH", paths::search_path(&[tools::wasm_bindgen()?])?),
    )
}

fn packed() -> Result<String> {
    let tarball = package::pack()?;
    npm::install("tests/js")?;
    npm::install("docs")?;
    let mut node = Command::new("node");
    node.arg("tests/js/run.mjs").arg("--tarball").arg(tarball);
    node.env(browser::VARIABLE, browser::chromium()?);
    node.envs(firefox::VARIABLES.into_iter().zip(firefox::firefox()?));
    run::quiet("packed", node.current_dir(paths::root()))
}

fn demo() -> Result<String> {
    package::assemble()?;
    npm::install("www")?;
    npm::install("tests/js")?;
    npm::install("tests/demo")?;
    let mut page = npm::npm(&paths::root().join("www"));
    run::quiet("demo-types", page.args(["exec", "tsc", "--", "--noEmit"]))?;
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=spec", "tests/demo/run.mjs"]);
    node.env(browser::VARIABLE, browser::chromium()?);
    node.envs(firefox::VARIABLES.into_iter().zip(firefox::firefox()?));
    run::quiet("demo", node.current_dir(paths::root()))
}
