//! `cargo xtask package`: from the crate to the npm tarball.
//! Must not live here: how the wasm files are built (`package/files.rs`), what the package
//! holds beside them (`pkg/scripts/assemble.mjs` and `pkg/package.json` say that).

mod bound;
mod exports;
mod files;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};

use crate::output::timed;
use crate::{npm, paths, run};

pub use bound::CRATE;
pub use files::{Finish, compare_with_wasm_pack, features};

pub const HELP: &str = "\
cargo xtask package

Builds the wasm files, one for each part of the kit and one for all of it, optimises them, assembles pkg/ and packs it:
target/npm/tailnet-kit-VERSION.tgz is what `npm publish` takes. Prints the sizes. The wasm is built again only if
its sources have changed.";

/// The other sources of the package; the rest of `pkg` is made from these.
const PACKED: [&str; 13] = [
    "docs/issues",
    "pkg/bin",
    "pkg/common",
    "pkg/editors",
    "pkg/elements",
    "pkg/peers",
    "pkg/react",
    "pkg/package.json",
    "pkg/scripts",
    "pkg/src",
    "pkg/types",
    "README.md",
    "CHANGELOG.md",
];

pub fn run() -> Result<ExitCode> {
    let tarball = pack()?;
    print!("{}", sizes(&tarball)?);
    println!(
        "{}",
        tarball
            .strip_prefix(paths::root())
            .unwrap_or(&tarball)
            .display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Builds what is missing and writes the tarball; returns its path.
pub fn pack() -> Result<PathBuf> {
    assemble()?;
    let tarball = tarball();
    let folder = tarball.parent().unwrap_or(&tarball);
    fs::create_dir_all(folder)?;
    timed("pack", || {
        let mut pack = npm::npm(&paths::root().join("pkg"));
        run::quiet(
            "npm pack",
            pack.args(["pack", "--ignore-scripts", "--pack-destination"])
                .arg(folder),
        )
    })?;
    ensure!(tarball.is_file(), "npm pack left no {}", tarball.display());
    Ok(tarball)
}

/// The tarball of the last build, if there was one.
pub fn last() -> Option<PathBuf> {
    Some(tarball()).filter(|tarball| tarball.is_file())
}

/// Whether the tarball is newer than all its sources.
pub fn is_up_to_date() -> bool {
    let written = PACKED.map(|folder| paths::root().join(folder));
    paths::up_to_date(&tarball(), &written) && files::are_up_to_date()
}

fn tarball() -> PathBuf {
    let name = concat!("tailnet-kit-", env!("CARGO_PKG_VERSION"), ".tgz");
    paths::root().join("target/npm").join(name)
}

/// Makes `pkg/` complete, so that a page in this repository, such as the demo, can depend on it. Done once a run, as several
/// steps need it.
pub fn assemble() -> Result<()> {
    assemble_as(Finish::Whole)
}

/// The same with files of a finish, which is the same in all of a run.
pub fn assemble_as(finish: Finish) -> Result<()> {
    static ASSEMBLED: Mutex<bool> = Mutex::new(false);
    let mut assembled = ASSEMBLED.lock().unwrap_or_else(PoisonError::into_inner);
    if !*assembled {
        make_complete(finish)?;
        *assembled = true;
    }
    Ok(())
}

fn make_complete(finish: Finish) -> Result<()> {
    npm::install("pkg")?;
    // Where a draft is made, those that are there will do.
    let is_native_asked =
        finish == Finish::Whole || !paths::root().join("pkg/policy.schema.json").is_file();
    files::build(finish, || match is_native_asked {
        true => write_natively(),
        false => Ok(()),
    })?;
    timed("assemble", || {
        let mut node = Command::new("node");
        run::quiet(
            "assemble",
            node.arg("scripts/assemble.mjs")
                .current_dir(paths::root().join("pkg")),
        )
    })?;
    Ok(())
}

/// Writes what the crate itself says of its languages and operations, which takes a native build of it.
fn write_natively() -> Result<()> {
    timed("schemas", write_schemas)?;
    timed("operations", write_operations)
}

/// Writes the schemas of the policy file from the engine's table of keys.
fn write_schemas() -> Result<()> {
    for (draft, dialect, file) in [
        ("2020-12", "tailscale", "policy.schema.json"),
        ("draft-07", "tailscale", "policy.schema.draft-07.json"),
        ("draft-07", "headscale", "policy.schema.headscale.json"),
    ] {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([
            "run",
            "--quiet",
            "--example",
            "policy_schema",
            draft,
            dialect,
        ]);
        let printed = cargo.current_dir(paths::root()).output()?;
        ensure!(printed.status.success(), "no {file} was printed");
        fs::write(paths::root().join("pkg").join(file), printed.stdout)?;
    }
    Ok(())
}

/// Writes what is made of the table of operations: methods, declarations, `openapi.json`.
fn write_operations() -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--example", "operation_files"]);
    run::quiet("operations", cargo.current_dir(paths::root())).map(drop)
}

/// The size of each part of the package, with its limit; an error if one is above its limit.
pub fn sizes(tarball: &Path) -> Result<String> {
    npm::install("tests/js")?;
    let mut node = Command::new("node");
    node.args(["run.mjs", "--tarball"])
        .arg(tarball)
        .arg("sizes")
        .current_dir(paths::root().join("tests/js"));
    run::quiet("sizes", &mut node)
}
