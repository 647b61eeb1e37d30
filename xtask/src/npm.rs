//! npm packages: installed as each package-lock.json says, and again only when that file has changed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::output::timed;
use crate::{paths, run, tools};

/// Installs the packages of `folder` (relative to the repository) where they are missing or old; returns the folder of their programs.
pub fn install(folder: &str) -> Result<PathBuf> {
    let place = paths::root().join(folder);
    let modules = place.join("node_modules");
    let programs = modules.join(".bin");
    let stamp = modules.join(".installed-lock.json");
    let lock = std::fs::read(place.join("package-lock.json"))
        .with_context(|| format!("cannot read {folder}/package-lock.json"))?;
    if std::fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(programs);
    }
    tools::node()?;
    timed(&format!("install npm packages of {folder}"), || {
        clean_install(folder, &place, &modules)
    })?;
    std::fs::write(&stamp, lock)?;
    Ok(programs)
}

/// Does what `npm ci` does, without one check: `npm ci` refuses a lock file that lacks the optional packages of other systems,
/// and npm writes such a file where a registry does not offer them. `--no-save` leaves the lock file as it is.
fn clean_install(folder: &str, place: &Path, modules: &Path) -> Result<()> {
    if modules.exists() {
        std::fs::remove_dir_all(modules)?;
    }
    let mut install = npm(place);
    install.args([
        "install",
        "--no-save",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]);
    run::quiet(&format!("npm {folder}"), &mut install).with_context(|| {
        format!("cannot install the npm packages of {folder}: is the registry within reach?")
    })?;
    Ok(())
}

/// npm in `folder`, without questions and without notices of updates.
pub fn npm(folder: &Path) -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(folder)
        .env("npm_config_update_notifier", "false")
        .env("npm_config_yes", "true");
    npm
}
