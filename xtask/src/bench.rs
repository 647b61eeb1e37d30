//! `cargo xtask bench`: compares the package with other libraries, and measures the crate natively.
//! Must not live here: what is measured, and how (`benches/`).

use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::{browser, npm, package, paths};

pub const HELP: &str = "\
cargo xtask bench [--quick] [SUITE]...

Measures the package side by side with other libraries, interleaved, in Node and in Chromium, and prints tables of
ratios; then the sizes; then the crate natively. --quick takes smaller inputs and fewer rounds.
Suites: those of benches/js/suites/ by name, `sandbox`, `start`, `sizes`, `native`; all of them if none is named.";

#[derive(Default)]
pub struct Options {
    pub quick: bool,
    pub suites: Vec<String>,
}

pub fn run(options: &Options) -> Result<ExitCode> {
    let wanted =
        |name: &str| options.suites.is_empty() || options.suites.iter().any(|suite| suite == name);
    let scripted: Vec<_> = options
        .suites
        .iter()
        .filter(|suite| !["sizes", "native"].contains(&suite.as_str()))
        .collect();
    if options.suites.is_empty() || !scripted.is_empty() {
        package::assemble()?;
        npm::install("benches/js")?;
        let mut node = Command::new("node");
        node.arg("benches/js/run.mjs")
            .args(options.quick.then_some("--quick"))
            .args(scripted);
        show(node.env(browser::VARIABLE, browser::chromium()?))?;
    }
    if wanted("sizes") {
        print!("\n{}", package::sizes(&package::pack()?)?);
    }
    if wanted("native") {
        let mut cargo = Command::new("cargo");
        cargo.args(["bench", "--locked", "--bench", "native", "--", "--noplot"]);
        show(cargo.args(options.quick.then_some("--quick")))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs a program that prints its tables straight to the terminal.
fn show(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command
        .current_dir(paths::root())
        .status()
        .with_context(|| format!("cannot start {name}"))?;
    ensure!(status.success(), "{name}: {status}");
    Ok(())
}
