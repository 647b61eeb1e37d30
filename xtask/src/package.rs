//! `cargo xtask package`: from the crate to the npm tarball.
//! Must not live here: what the package holds beyond the wasm (`pkg/scripts/assemble.mjs` and `pkg/package.json` say).

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread::{self, ScopedJoinHandle};

use anyhow::{Context, Result, bail, ensure};

use crate::output::timed;
use crate::{npm, paths, run, tools};

pub const HELP: &str = "\
cargo xtask package

Builds the two wasm files (the core, and the sandbox's), optimises them, assembles pkg/ and packs it:
target/npm/tailnet-kit-VERSION.tgz is what `npm publish` takes. Prints the sizes. The wasm is built again only if
its sources have changed.";

/// One wasm file of the package: the same crate with another feature.
struct Module {
    name: &'static str,
    folder: &'static str,
    feature: &'static str,
    /// For speed (2) or for size (s): the core is measured by both, the sandbox answers a handful of requests. Level 3 makes the
    /// core larger and no faster.
    opt_level: &'static str,
}

const MODULES: [Module; 2] = [
    Module {
        name: "tailnet_kit",
        folder: "pkg/wasm",
        feature: "kit",
        opt_level: "2",
    },
    Module {
        name: "sandbox",
        folder: "pkg/wasm/sandbox",
        feature: "sandbox",
        opt_level: "s",
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
    build_modules()?;
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

/// Builds those wasm files that are older than their sources, side by side: linking and optimising keep one processor each.
fn build_modules() -> Result<()> {
    let stale: Vec<_> = MODULES
        .iter()
        .filter(|module| !module.is_up_to_date())
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    tools::wasm_target()?;
    let optimiser = paths::root().join("pkg/node_modules/.bin");
    let path = paths::search_path(&[optimiser, tools::wasm_bindgen()?])?;
    thread::scope(|scope| {
        let build = |module: &'static Module| scope.spawn(|| module.build(&path));
        let builds: Vec<_> = stale.into_iter().map(build).collect();
        let outcome = |build: ScopedJoinHandle<'_, Result<()>>| {
            build
                .join()
                .unwrap_or_else(|_| bail!("the build broke off"))
        };
        // All are waited for before the first error is told.
        let outcomes: Vec<_> = builds.into_iter().map(outcome).collect();
        outcomes.into_iter().collect()
    })
}

impl Module {
    /// A file whose name says what it marks: `pkg/wasm/NAME_bg.wasm`, `pkg/wasm/NAME.built`.
    fn file(&self, ending: &str) -> PathBuf {
        paths::root()
            .join(self.folder)
            .join(format!("{}{ending}", self.name))
    }

    fn is_up_to_date(&self) -> bool {
        let sources = SOURCES.map(|source| paths::root().join(source));
        self.file("_bg.wasm").is_file() && paths::up_to_date(&self.file(".built"), &sources)
    }

    /// Compiles, binds and optimises. The stamp carries the time at which the build began, so that a source saved meanwhile
    /// counts as newer.
    fn build(&self, path: &OsStr) -> Result<()> {
        let started = self.file(".building");
        fs::create_dir_all(paths::root().join(self.folder))?;
        fs::write(&started, "")?;
        let label = format!("wasm {}", self.name);
        timed(&label, || {
            for mut step in [self.compile(), self.bind(), self.optimise()] {
                run::quiet(&label, step.env("PATH", path))?;
            }
            Ok(())
        })?;
        fs::rename(&started, self.file(".built"))?;
        Ok(())
    }

    /// Each module has a target folder of its own, as the crate's file in it bears the same name.
    fn target(&self) -> PathBuf {
        paths::root().join("target/wasm").join(self.name)
    }

    /// Built as nothing but a wasm file: a crate that is a Rust library at once goes without link-time optimisation.
    fn compile(&self) -> Command {
        let mut command = Command::new("cargo");
        command.args(["rustc", "--release", "--locked", "--lib"]);
        command.args(["--crate-type", "cdylib"]);
        command
            .args(["--target", "wasm32-unknown-unknown"])
            .args(["--no-default-features", "--features", self.feature])
            .args(["--config", &without_paths_of_this_machine()])
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", self.opt_level)
            .env("CARGO_TARGET_DIR", self.target());
        command.current_dir(paths::root());
        command
    }

    fn bind(&self) -> Command {
        let compiled = self.target().join("wasm32-unknown-unknown/release");
        let mut command = Command::new("wasm-bindgen");
        command
            .args(["--target", "bundler", "--out-name", self.name, "--out-dir"])
            .arg(self.folder)
            .arg(compiled.join("tailnet_kit.wasm"));
        command.current_dir(paths::root());
        command
    }

    /// By the wasm-opt of `pkg/node_modules`, which is first on `PATH`: old ones break the module. The first KiB of the memory is
    /// the end of the stack, so that no address is so low; knowing this saves a little at each access.
    fn optimise(&self) -> Command {
        let file = self.file("_bg.wasm");
        let mut command = Command::new("wasm-opt");
        command.args(["-Oz", "--converge", "--low-memory-unused"]);
        command.args(["--strip-debug", "--strip-producers", "--output"]);
        command.arg(&file).arg(&file);
        command
    }
}

/// The setting by which the messages of a panic name a library's file and not the folders of whoever built it.
fn without_paths_of_this_machine() -> String {
    let homes = [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")];
    let flags: Vec<_> = homes
        .iter()
        .filter_map(|(variable, folder)| paths::tool_home(variable, folder))
        .map(|home| format!("'--remap-path-prefix={}='", home.display()))
        .collect();
    format!(
        "target.wasm32-unknown-unknown.rustflags = [{}]",
        flags.join(", ")
    )
}

/// Raw, gzip and brotli size of each wasm file, of the glue and facade, and of the tarball.
pub fn sizes(tarball: &Path) -> Result<String> {
    let mut node = Command::new("node");
    node.arg("xtask/js/sizes.mjs")
        .arg(tarball)
        .current_dir(paths::root());
    run::quiet("sizes", &mut node).context("cannot measure the package")
}
