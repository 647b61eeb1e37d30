//! `cargo xtask package`: from the crate to the npm tarball.
//! Must not live here: what the package holds beyond the wasm (`pkg/scripts/assemble.mjs` and `pkg/package.json` say).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::output::timed;
use crate::{npm, paths, run, tools};

pub const HELP: &str = "\
cargo xtask package

Builds the two wasm files (the core, and the sandbox's), optimises them, assembles pkg/ and packs it:
target/npm/tailnet-kit-VERSION.tgz is what `npm publish` takes. Prints the sizes. The wasm is built again only if
its sources have changed.";

/// One wasm file of the package: the same crate, with and without the sandbox.
struct Module {
    name: &'static str,
    folder: &'static str,
    features: &'static [&'static str],
}

const MODULES: [Module; 2] = [
    Module {
        name: "tailnet_kit",
        folder: "pkg/wasm",
        features: &["--no-default-features"],
    },
    Module {
        name: "sandbox",
        folder: "pkg/wasm/sandbox",
        features: &[],
    },
];

/// What a wasm file is made from.
const SOURCES: [&str; 6] = [
    "src",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo",
    "rust-toolchain.toml",
    "pkg/package-lock.json",
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

/// Builds what is missing and leaves the tarball; returns its path.
pub fn pack() -> Result<PathBuf> {
    assemble()?;
    let folder = paths::root().join("target/npm");
    fs::create_dir_all(&folder)?;
    let tarball = folder.join(concat!("tailnet-kit-", env!("CARGO_PKG_VERSION"), ".tgz"));
    timed("pack", || {
        let mut pack = npm::npm(&paths::root().join("pkg"));
        run::quiet(
            "npm pack",
            pack.args(["pack", "--ignore-scripts", "--pack-destination"])
                .arg(&folder),
        )
    })?;
    ensure!(tarball.is_file(), "npm pack left no {}", tarball.display());
    Ok(tarball)
}

/// Makes `pkg/` complete: what a dashboard in this repository, such as the demo, can depend on.
pub fn assemble() -> Result<()> {
    npm::install("pkg")?;
    for module in &MODULES {
        build(module)?;
    }
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

/// Compiles, binds and optimises one wasm file, unless it is newer than its sources. The stamp carries the time at which the
/// build began, so that a source saved meanwhile counts as newer.
fn build(module: &Module) -> Result<()> {
    let root = paths::root();
    let output = root
        .join(module.folder)
        .join(format!("{}_bg.wasm", module.name));
    let stamp = root
        .join(module.folder)
        .join(format!("{}.built", module.name));
    if output.is_file() && paths::up_to_date(&stamp, &SOURCES.map(|source| root.join(source))) {
        return Ok(());
    }
    tools::wasm_target()?;
    let tools = [
        root.join("pkg/node_modules/.bin"),
        tools::wasm_pack()?,
        tools::wasm_bindgen()?,
    ];
    let started = root
        .join("target")
        .join(format!("{}.building", module.name));
    fs::create_dir_all(root.join("target"))?;
    fs::write(&started, "")?;
    let label = format!("wasm {}", module.name);
    timed(&label, || {
        run::quiet(
            &label,
            wasm_pack(module, &root).env("PATH", paths::search_path(&tools)?),
        )
    })?;
    fs::rename(&started, &stamp)?;
    Ok(())
}

/// The wasm-opt of `pkg/node_modules` has to come first on `PATH`: wasm-pack takes the first there is, and old ones break the module.
fn wasm_pack(module: &Module, root: &Path) -> Command {
    let mut command = Command::new("wasm-pack");
    command.args([
        "build",
        "--release",
        "--target",
        "bundler",
        "--no-pack",
        "--no-gitignore",
    ]);
    command.args([
        "--out-dir",
        module.folder,
        "--out-name",
        module.name,
        "--",
        "--locked",
    ]);
    command.args(module.features).current_dir(root);
    command
}

/// Raw, gzip and brotli size of each wasm file, of the glue and facade, and of the tarball.
pub fn sizes(tarball: &Path) -> Result<String> {
    let mut node = Command::new("node");
    node.arg("xtask/js/sizes.mjs")
        .arg(tarball)
        .current_dir(paths::root());
    run::quiet("sizes", &mut node).context("cannot measure the package")
}
