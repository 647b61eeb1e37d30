//! A Chromium to test in: the one on this machine, else the distribution's package, else the test tool's own download.
//! Must not live here: what is done in the browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::output::timed;
use crate::{npm, paths, run};

/// Names under which Chromium is known, the plain one first.
const PROGRAMS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];
/// The variable in which a person may name a browser, and which passes the browser found to every script here.
pub const VARIABLE: &str = "CHROMIUM";
/// The folder whose package-lock.json pins playwright-core.
const TEST_TOOL: &str = "tests/js";

/// A Chromium that starts; installs one if need be.
pub fn chromium() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        let named = PathBuf::from(named);
        return if starts(&named) {
            Ok(named)
        } else {
            bail!("{VARIABLE} names {}, which does not start", named.display())
        };
    }
    let downloaded = || downloaded().ok().filter(|program| starts(program));
    installed().or_else(downloaded).map_or_else(install, Ok)
}

/// The WebDriver of the distribution's Chromium, which fits its version; none where the distribution has none.
pub fn chromedriver() -> Option<PathBuf> {
    let program = || paths::on_path("chromedriver");
    program().or_else(|| {
        let installed =
            can_apt().then(|| timed("install chromium-driver (apt)", || apt("chromium-driver")));
        installed?.ok().and_then(|()| program())
    })
}

fn installed() -> Option<PathBuf> {
    PROGRAMS
        .iter()
        .filter_map(|program| paths::on_path(program))
        .find(|program| starts(program))
}

/// Whether the program is a browser that runs: some distributions ship only a wrapper without one.
fn starts(program: &Path) -> bool {
    run::answer(Command::new(program).arg("--version")).is_some_and(|said| said.contains("Chrom"))
}

fn install() -> Result<PathBuf> {
    if can_apt() {
        match timed("install chromium (apt)", || apt("chromium")) {
            Ok(()) => {
                if let Some(program) = installed() {
                    return Ok(program);
                }
                println!(
                    "  the distribution's package brought no Chromium that starts; trying the test tool's own"
                );
            }
            Err(error) => println!(
                "{}\n  trying the test tool's own Chromium",
                run::explain(&error)
            ),
        }
    }
    timed("install chromium (playwright)", download)?;
    let program = downloaded()?;
    if starts(&program) {
        return Ok(program);
    }
    bail!(
        "{} does not start: system libraries may be missing (as root: `npx playwright-core install-deps chromium` in {TEST_TOOL}); \
         or set {VARIABLE} to a Chromium that does",
        program.display()
    )
}

/// Whether this process may install packages of the distribution.
pub fn can_apt() -> bool {
    let is_root = run::answer(Command::new("id").arg("-u")).as_deref() == Some("0");
    is_root && paths::on_path("apt-get").is_some()
}

/// Installs a package of the distribution.
pub fn apt(package: &str) -> Result<()> {
    let mut apt = Command::new("apt-get");
    run::quiet(
        "apt-get update",
        apt.args(["update", "-q"])
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )?;
    let mut apt = Command::new("apt-get");
    apt.args(["install", "-q", "-y", "--no-install-recommends", package])
        .env("DEBIAN_FRONTEND", "noninteractive");
    run::quiet("apt-get install", &mut apt)?;
    Ok(())
}

fn download() -> Result<()> {
    let programs = npm::install(TEST_TOOL)?;
    run::quiet(
        "playwright",
        Command::new(programs.join("playwright-core")).args(["install", "chromium"]),
    )
    .with_context(|| format!("no Chromium: install one, or set {VARIABLE} to its path"))?;
    Ok(())
}

/// Where playwright-core keeps the Chromium that belongs to its version.
fn downloaded() -> Result<PathBuf> {
    npm::install(TEST_TOOL)?;
    let script = "console.log(require('playwright-core').chromium.executablePath())";
    let mut node = Command::new("node");
    let said = run::answer(
        node.args(["-e", script])
            .current_dir(paths::root().join(TEST_TOOL)),
    );
    Ok(PathBuf::from(said.context(
        "playwright-core does not say where its Chromium is",
    )?))
}
