//! Whether the npm package comes out the same elsewhere: in another folder, with another home. Must not live here: how it is built (`package.rs`).

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::outcome::Outcome;
use crate::output::timed;
use crate::{package, paths, run};

/// What says which registries there are, in a user's home and in cargo's.
const SETTINGS: [&str; 3] = [".npmrc", ".cargo/config.toml", ".cargo/credentials.toml"];

/// How long the other build may take: the programs in it have limits of their own, so this one only ends what hangs between them.
const LIMIT: Duration = Duration::from_hours(4);

/// Clones the commit into a folder of its own, builds the package there, and compares the bytes. The toolchain and the tools are the same, as their
/// versions are fixed; what cargo and npm keep is not. Where they differ the clone stays, to be looked at.
pub fn check() -> Result<Outcome> {
    let ours = package::pack()?;
    let place = env::temp_dir().join(format!("tailnet-kit-rebuild-{}", std::process::id()));
    let (home, folder) = (place.join("home"), place.join("another/folder"));
    fs::create_dir_all(home.join(".cargo"))?;
    take_settings(&home)?;
    let mut clone = Command::new("git");
    clone.args(["clone", "--quiet", "--no-hardlinks"]);
    timed("clone", || {
        run::quiet("clone", clone.arg(paths::root()).arg(&folder))
    })?;
    println!(
        "rebuild: the package once more, from empty caches, in {}: as long as `cargo xtask package` takes in a new clone",
        folder.display()
    );
    let mut build = Command::new("cargo");
    build.args(["xtask", "package"]).current_dir(&folder);
    build
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_HOME", home.join(".cargo"))
        .envs(paths::tool_home("RUSTUP_HOME", ".rustup").map(|home| ("RUSTUP_HOME", home)))
        .envs(
            paths::cache()?
                .parent()
                .map(|cache| ("XDG_CACHE_HOME", cache)),
        )
        .env("HOME", &home);
    timed("build there", || run::within("rebuild", &mut build, LIMIT))?;
    let name = ours.file_name().context("the packed file has no name")?;
    let theirs = folder.join("target/npm").join(name);
    ensure!(
        fs::read(&ours)? == fs::read(&theirs)?,
        "{} is another file than {}",
        theirs.display(),
        ours.display()
    );
    fs::remove_dir_all(&place)?;
    Ok(Outcome::Good(
        "the same bytes in another folder, with another home".to_owned(),
    ))
}

/// Registries of the user hold for the other home, too.
fn take_settings(home: &Path) -> Result<()> {
    let Some(own) = env::home_dir() else {
        return Ok(());
    };
    for settings in SETTINGS {
        let from = own.join(settings);
        if from.is_file() {
            fs::copy(from, home.join(settings))?;
        }
    }
    Ok(())
}
