//! From the crate of the exports to a wasm file with its glue: by wasm-pack where it is on `PATH`, by its two steps, the compiler and
//! wasm-bindgen, where it is not. Both give the same bytes, which `cargo xtask test wasm-pack` compares.
//! Must not live here: which files there are, what becomes of them (`files.rs`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::output::timed;
use crate::{paths, run, tools};

/// The crate with the exports.
pub const CRATE: &str = "crates/wasm";

/// What cargo builds, whoever calls it.
pub struct Build<'b> {
    /// The name of the files that wasm-bindgen writes.
    pub name: &'b str,
    pub features: &'b str,
    /// Settings of cargo, as `--config` takes them.
    pub config: String,
    /// Settings of cargo by the environment.
    pub settings: Vec<(&'static str, String)>,
    /// Cargo's folder for this build.
    pub target: PathBuf,
}

/// How a wasm file comes to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    WasmPack,
    Steps,
}

impl Way {
    /// wasm-pack where it is there.
    pub fn found() -> Way {
        match paths::on_path("wasm-pack") {
            Some(_) => Way::WasmPack,
            None => Way::Steps,
        }
    }

    /// Installs or builds what it takes beside the compiler; returns the folders that `PATH` has to have.
    pub fn prepare(self) -> Result<Vec<PathBuf>> {
        match self {
            Way::WasmPack => Ok(vec![tools::wasm_bindgen()?]),
            Way::Steps => {
                timed("build wasm-bindgen", || {
                    run::quiet("bind", &mut binder("build"))
                })?;
                Ok(Vec::new())
            }
        }
    }
}

impl Build<'_> {
    /// What cargo compiled. The crate is a wasm file alone, so that there is link-time optimisation.
    pub fn compiled(&self) -> PathBuf {
        let folder = self.target.join("wasm32-unknown-unknown/release");
        folder.join("tailnet_kit_wasm.wasm")
    }

    /// The wasm file, and its glue, that wasm-bindgen writes into a folder.
    pub fn bound(&self, folder: &Path) -> [PathBuf; 2] {
        ["wasm", "js"].map(|ending| folder.join(format!("{}_bg.{ending}", self.name)))
    }

    /// The commands, in turn, that write both into a folder, once what they take is prepared.
    pub fn commands(&self, way: Way, folder: &Path) -> Vec<Command> {
        let mut commands = match way {
            Way::WasmPack => vec![self.pack(folder)],
            Way::Steps => vec![self.compile(), self.bind(folder)],
        };
        commands.iter_mut().for_each(tools::forget_settings);
        commands
    }

    /// A program that compiles the crate.
    fn compiler(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("CARGO_TARGET_DIR", &self.target);
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command.current_dir(paths::root().join(CRATE));
        command
    }

    fn arguments(&self) -> [&str; 6] {
        [
            "--locked",
            "--no-default-features",
            "--features",
            self.features,
            "--config",
            &self.config,
        ]
    }

    /// What it is not to do: install or optimise anything, write declarations, or a package of its own.
    fn pack(&self, folder: &Path) -> Command {
        let mut command = self.compiler("wasm-pack");
        command
            .args(["build", ".", "--release", "--target", "bundler"])
            .args(["--mode", "no-install", "--no-opt", "--no-typescript"])
            .args(["--no-pack", "--no-gitignore", "--out-name", self.name])
            .arg("--out-dir")
            .arg(folder)
            .arg("--")
            .args(self.arguments());
        command
    }

    fn compile(&self) -> Command {
        let mut command = self.compiler("cargo");
        command
            .args(["build", "--lib", "--release"])
            .args(["--target", "wasm32-unknown-unknown"])
            .args(self.arguments());
        command
    }

    fn bind(&self, folder: &Path) -> Command {
        let mut command = binder("run");
        command.args(["--quiet", "--"]);
        command.arg(self.compiled()).arg(self.name).arg(folder);
        command
    }
}

/// Cargo, to build or run the program that has wasm-bindgen as a library: it is compiled in less than half the time that it takes to install
/// the command. A program of its own, so that commands without a package do not wait for it.
fn binder(verb: &str) -> Command {
    let mut command = Command::new("cargo");
    command.args([verb, "--locked", "--package", "bind"]);
    command.current_dir(paths::root());
    command
}
