//! `cargo xtask test`: the steps, in order, and the report on them.
//! Must not live here: how a step's programs are found or installed.

use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::output::{Counts, closing_lines, line};
use crate::{package, paths, run, tools};

/// One check. `run` returns what its programs printed; the tests counted therein are the step's, or the step counts as one.
struct Step {
    name: &'static str,
    about: &'static str,
    advice: &'static str,
    tests: Tests,
    run: fn() -> Result<String>,
}

/// Whether a step that ran no test has done its work. A runner that finds nothing to run says so and succeeds.
#[derive(PartialEq, Eq)]
enum Tests {
    None,
    AtLeastOne,
}

const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "formatting",
        advice: "cargo fmt --all",
        tests: Tests::None,
        run: fmt,
    },
    Step {
        name: "clippy",
        about: "lints, native; warnings are errors",
        advice: "",
        tests: Tests::None,
        run: clippy,
    },
    Step {
        name: "clippy-wasm",
        about: "lints, wasm, with and without the sandbox",
        advice: "",
        tests: Tests::None,
        run: clippy_wasm,
    },
    Step {
        name: "native",
        about: "native tests",
        advice: "cargo test --test NAME runs one file",
        tests: Tests::AtLeastOne,
        run: native,
    },
    Step {
        name: "doc",
        about: "the examples in the documentation",
        advice: "cargo test --doc",
        tests: Tests::None,
        run: doc,
    },
    Step {
        name: "package",
        about: "the npm tarball",
        advice: "cargo xtask package",
        tests: Tests::None,
        run: package,
    },
];

const WASM: [&str; 2] = ["--target", "wasm32-unknown-unknown"];

pub fn help() -> String {
    let lines: Vec<_> = STEPS
        .iter()
        .map(|step| format!("  {:<14}{}", step.name, step.about))
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
    println!("{} passed, {} failed", sum.passed, sum.failed);
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
    let text = result
        .as_ref()
        .map_or_else(|error| format!("{error:#}"), Clone::clone);
    let mut counts = Counts::read(&text);
    let result = result.and_then(|_| judge(step, counts));
    let good = result.is_ok();
    if good && counts == Counts::default() {
        counts.passed = 1;
    }
    if !good && counts.failed == 0 {
        counts.failed = 1;
    }
    line(&format!("{:<12}{}", step.name, step.about), good, start);
    match result {
        Ok(()) => closing_lines(&text).for_each(|closing| println!("{closing}")),
        Err(error) => println!("{error:#}\n{}", advice(step)),
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
    cargo(
        "clippy-wasm",
        &[
            "clippy", "--locked", "--lib", flag, target, "--", "-D", "warnings",
        ],
    )?;
    cargo(
        "clippy-wasm-core",
        &[
            "clippy",
            "--locked",
            "--lib",
            "--no-default-features",
            flag,
            target,
            "--",
            "-D",
            "warnings",
        ],
    )
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
    package::sizes(&package::pack()?)
}
