//! The programs that building and testing need: which version, where each is looked for, how it is installed.
//! Must not live here: browsers (`browser.rs`), npm packages (`npm.rs`), what the programs are used for.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::output::timed;
use crate::{paths, run};

const GECKODRIVER: &str = "0.36.0";
const CARGO_DENY: &str = "0.20.2";
const WASM_PACK: &str = "0.15.1";
const SEMVER_CHECKS: &str = "0.51.0";
const NODE_AT_LEAST: u32 = 20;

/// A Rust program, in one exact version.
struct Tool {
    package: &'static str,
    program: &'static str,
    version: String,
}

/// The folder with `geckodriver`, which drives Firefox; installs it if need be.
pub fn geckodriver() -> Result<PathBuf> {
    Tool::named("geckodriver", GECKODRIVER).folder()
}

/// The folder with `cargo-deny`, which checks what the crate depends on.
pub fn cargo_deny() -> Result<PathBuf> {
    Tool::named("cargo-deny", CARGO_DENY).folder()
}

/// The folder with `cargo-semver-checks`, which compares the crate's public items with those of an earlier version.
pub fn semver_checks() -> Result<PathBuf> {
    Tool::named("cargo-semver-checks", SEMVER_CHECKS).folder()
}

/// The folder with `wasm-pack`, which runs the tests in wasm; the package is built through it where it is on `PATH` anyway.
pub fn wasm_pack() -> Result<PathBuf> {
    Tool::named("wasm-pack", WASM_PACK).folder()
}

/// The folder with `wasm-bindgen` and its test runner, which wasm-pack calls, in exactly the version of the crate's dependency: the two share
/// a private format.
pub fn wasm_bindgen() -> Result<PathBuf> {
    Tool {
        package: "wasm-bindgen-cli",
        program: "wasm-bindgen",
        version: locked("wasm-bindgen")?,
    }
    .folder()
}

/// Keeps the user's own settings of wasm-bindgen and its test runner from a command: the files would be others than elsewhere, or the
/// tests something else, or nothing.
pub fn forget_settings(command: &mut Command) {
    let names = env::vars_os().map(|(name, _)| name);
    for name in names.filter(|name| name.to_string_lossy().starts_with("WASM_BINDGEN_")) {
        command.env_remove(name);
    }
}

/// Makes sure that rustc can compile to wasm.
pub fn wasm_target() -> Result<()> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let sysroot = run::answer(Command::new("rustc").args(["--print", "sysroot"]))
        .context("`rustc` is not there")?;
    if Path::new(&sysroot)
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib")
        .is_dir()
    {
        return Ok(());
    }
    ensure!(
        paths::on_path("rustup").is_some(),
        "this Rust has no target {TARGET}, and there is no rustup to add it"
    );
    timed("install the wasm target", || {
        run::quiet(
            "rustup",
            Command::new("rustup")
                .args(["target", "add", TARGET])
                .current_dir(paths::root()),
        )
    })?;
    Ok(())
}

/// Makes sure that Node and npm are there.
pub fn node() -> Result<()> {
    let advice = format!(
        "Node {NODE_AT_LEAST} or newer with npm is needed: see nodejs.org, or your distribution's packages"
    );
    let version =
        run::answer(Command::new("node").arg("--version")).with_context(|| advice.clone())?;
    let major = version
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|number| number.parse::<u32>().ok());
    ensure!(
        major.is_some_and(|major| major >= NODE_AT_LEAST),
        "this is Node {version}. {advice}"
    );
    ensure!(
        paths::on_path("npm").is_some(),
        "there is Node {version} but no npm. {advice}"
    );
    Ok(())
}

/// The version of `package` in Cargo.lock.
fn locked(package: &str) -> Result<String> {
    let lock = std::fs::read_to_string(paths::root().join("Cargo.lock"))
        .context("cannot read Cargo.lock")?;
    let name = format!("name = \"{package}\"");
    let line = lock.lines().skip_while(|line| *line != name).nth(1);
    let version = line
        .and_then(|line| line.strip_prefix("version = \""))
        .and_then(|rest| rest.strip_suffix('"'));
    Ok(version
        .with_context(|| format!("Cargo.lock does not name {package}"))?
        .to_owned())
}

impl Tool {
    fn named(program: &'static str, version: &str) -> Self {
        Self {
            package: program,
            program,
            version: version.to_owned(),
        }
    }

    /// The folder of the program: on `PATH` or in the cache, where it is installed if need be.
    fn folder(&self) -> Result<PathBuf> {
        let found =
            paths::on_path(self.program).and_then(|file| file.parent().map(Path::to_path_buf));
        if let Some(folder) = found.filter(|folder| self.is_in(folder)) {
            return Ok(folder);
        }
        let root = paths::cache()?.join(format!("{}-{}", self.package, self.version));
        let folder = root.join("bin");
        if self.is_in(&folder) {
            return Ok(folder);
        }
        timed(
            &format!("install {} {}", self.package, self.version),
            || self.install(&root),
        )?;
        if !self.is_in(&folder) {
            bail!(
                "{} {} was installed but does not run: {}",
                self.package,
                self.version,
                folder.display()
            );
        }
        Ok(folder)
    }

    fn is_in(&self, folder: &Path) -> bool {
        let said = run::answer(Command::new(folder.join(self.program)).arg("--version"));
        said.is_some_and(|said| said.split_whitespace().nth(1) == Some(self.version.as_str()))
    }

    /// `--force`, because a folder whose program does not run is a broken install. Without optimisation: wasm-bindgen compiles in 131 s
    /// of processor so, in place of about 337, and then takes 3 s a file in place of 1. Settings meant for the builds of this repository must not
    /// reach the build of the tool.
    fn install(&self, root: &Path) -> Result<()> {
        let mut cargo = Command::new("cargo");
        cargo
            .args([
                "install",
                "--locked",
                "--force",
                "--debug",
                "--config",
                "profile.dev.debug=0",
                "--version",
                &self.version,
                "--root",
            ])
            .arg(root)
            .arg(self.package);
        for name in [
            "CARGO_BUILD_TARGET",
            "CARGO_ENCODED_RUSTFLAGS",
            "RUSTFLAGS",
            "CARGO_TARGET_DIR",
        ] {
            cargo.env_remove(name);
        }
        run::quiet(&format!("install {}", self.package), &mut cargo).with_context(|| {
            format!(
                "cannot install {} {}: is the registry of Rust packages within reach?",
                self.package, self.version
            )
        })?;
        Ok(())
    }
}
