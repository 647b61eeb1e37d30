//! A Firefox to test in, and geckodriver, which drives it.
//! Must not live here: what is done in the browser; Chromium (`browser.rs`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::output::timed;
use crate::{browser, paths, run, tools};

/// The variables that pass the browser and its driver to the scripts here.
pub const VARIABLES: [&str; 2] = ["FIREFOX", "GECKODRIVER"];
/// Names under which Firefox is known.
const PROGRAMS: [&str; 2] = ["firefox-esr", "firefox"];

/// A Firefox that starts, and its driver; installs what is missing.
pub fn firefox() -> Result<[PathBuf; 2]> {
    Ok([program()?, tools::geckodriver()?.join("geckodriver")])
}

/// The Firefox named by the variable, else the one on this machine, else the distribution's package.
fn program() -> Result<PathBuf> {
    let [variable, _] = VARIABLES;
    let named = std::env::var_os(variable).map(PathBuf::from);
    if let Some(program) = named.or_else(installed) {
        return if starts(&program) {
            Ok(program)
        } else {
            bail!("{} does not start", program.display())
        };
    }
    if browser::can_apt() {
        timed("install firefox-esr (apt)", || browser::apt("firefox-esr"))?;
    }
    match installed() {
        Some(program) => Ok(program),
        None => {
            bail!("no Firefox: install one (Debian: firefox-esr), or set {variable} to its path")
        }
    }
}

fn installed() -> Option<PathBuf> {
    let mut programs = PROGRAMS.iter().filter_map(|name| paths::on_path(name));
    programs.find(|program| starts(program))
}

fn starts(program: &Path) -> bool {
    run::answer(Command::new(program).arg("--version")).is_some_and(|said| said.contains("Firefox"))
}
