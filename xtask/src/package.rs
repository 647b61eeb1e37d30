//! `cargo xtask package`: from the crate to the npm tarball.
//! Must not live here: what the package holds beside the wasm (`pkg/scripts/assemble.mjs` and `pkg/package.json` say that).

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};

use anyhow::{Result, bail, ensure};

use crate::output::timed;
use crate::{npm, paths, run, tools};

pub const HELP: &str = "\
cargo xtask package

Builds the wasm files, one for each part of the kit and one for all of it, optimises them, assembles pkg/ and packs it:
target/npm/tailnet-kit-VERSION.tgz is what `npm publish` takes. Prints the sizes. The wasm is built again only if
its sources have changed.";

/// One wasm file of the package: the crate, built with some of its features.
struct Module {
    name: &'static str,
    features: &'static str,
    compiled: Compiled,
}

/// How a file is compiled.
struct Compiled {
    opt_level: &'static str,
    /// The largest function that is inlined, in LLVM's measure: any function, and one marked `#[inline]` (as most of the standard library are).
    inlined: [u32; 2],
}

/// Compiled for speed. Level 3 makes the files larger and no faster. A third and half of the usual limits of inlining make
/// them a fifteenth smaller, and no slower in a direct comparison.
const FAST: Compiled = Compiled::new("2", [75, 150]);
/// As `FAST`, but for a little less inlining, with which the file for texts is smaller by half a KiB and as fast.
const TEXT: Compiled = Compiled::new("2", [70, 140]);
/// For modules that wait for a network: a fortieth smaller again, while a call takes two microseconds more.
const LIGHT: Compiled = Compiled::new("2", [10, 25]);
/// Compiled for size: the sandbox answers a handful of requests.
const SMALL: Compiled = Compiled::new("s", [75, 150]);

const FOLDER: &str = "pkg/wasm";

/// The largest first, so that both processors finish at about the same time.
const MODULES: [Module; 8] = [
    Module::new("tailnet_kit", "kit", FAST),
    Module::new("policy", "policy", FAST),
    Module::new("language", "language", FAST),
    Module::new("sandbox", "sandbox", SMALL),
    Module::new("client", "client,tlsf", LIGHT),
    Module::new("text", "text", TEXT),
    Module::new("gateway", "gateway,tlsf", LIGHT),
    Module::new("json5", "json5", FAST),
];

/// How many are built at a time: linking and optimising keep one processor busy each.
const AT_A_TIME: usize = 2;

/// The features of the crate with which each wasm file is built.
pub fn features() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|module| module.features)
}

/// What a wasm file is made from.
const SOURCES: [&str; 6] = [
    "src",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo",
    "rust-toolchain.toml",
    "pkg/package-lock.json",
];

/// The other sources of the package; the rest of `pkg` is made from these.
const PACKED: [&str; 8] = [
    "pkg/bin",
    "pkg/common",
    "pkg/editors",
    "pkg/package.json",
    "pkg/scripts",
    "pkg/src",
    "pkg/types",
    "README.md",
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
    paths::up_to_date(&tarball(), &written) && MODULES.iter().all(Module::is_up_to_date)
}

fn tarball() -> PathBuf {
    let name = concat!("tailnet-kit-", env!("CARGO_PKG_VERSION"), ".tgz");
    paths::root().join("target/npm").join(name)
}

/// Makes `pkg/` complete, so that a page in this repository, such as the demo, can depend on it. Done once a run, as several
/// steps need it.
pub fn assemble() -> Result<()> {
    static ASSEMBLED: Mutex<bool> = Mutex::new(false);
    let mut assembled = ASSEMBLED.lock().unwrap_or_else(PoisonError::into_inner);
    if !*assembled {
        make_complete()?;
        *assembled = true;
    }
    Ok(())
}

fn make_complete() -> Result<()> {
    npm::install("pkg")?;
    build_modules()?;
    timed("schemas", write_schemas)?;
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

/// Writes the schemas of the policy file from the engine's table of keys.
fn write_schemas() -> Result<()> {
    for (draft, file) in [
        ("2020-12", "policy.schema.json"),
        ("draft-07", "policy.schema.draft-07.json"),
    ] {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["run", "--quiet", "--example", "policy_schema", draft]);
        let printed = cargo.current_dir(paths::root()).output()?;
        ensure!(printed.status.success(), "no {file} was printed");
        fs::write(paths::root().join("pkg").join(file), printed.stdout)?;
    }
    Ok(())
}

/// Builds those wasm files that are older than their sources.
fn build_modules() -> Result<()> {
    let stale = MODULES.iter().filter(|module| !module.is_up_to_date());
    let stale: Vec<_> = stale.collect();
    if stale.is_empty() {
        return Ok(());
    }
    tools::wasm_target()?;
    let optimiser = paths::root().join("pkg/node_modules/.bin");
    let path = paths::search_path(&[optimiser, tools::wasm_bindgen()?])?;
    fs::create_dir_all(paths::root().join(FOLDER))?;
    let queue = Mutex::new(stale.into_iter());
    let next = || queue.lock().ok()?.next();
    thread::scope(|scope| {
        let lane = |number| {
            let target = paths::root().join("target/wasm").join(format!("{number}"));
            let (next, path) = (&next, &path);
            scope.spawn(move || {
                std::iter::from_fn(next).try_for_each(|module| module.build(&target, path))
            })
        };
        let lanes: Vec<_> = (0..AT_A_TIME).map(lane).collect();
        let outcome = |lane: ScopedJoinHandle<'_, Result<()>>| {
            lane.join().unwrap_or_else(|_| bail!("the build broke off"))
        };
        // All are waited for before the first error is returned.
        let outcomes: Vec<_> = lanes.into_iter().map(outcome).collect();
        outcomes.into_iter().collect()
    })
}

impl Compiled {
    const fn new(opt_level: &'static str, inlined: [u32; 2]) -> Self {
        Self { opt_level, inlined }
    }

    /// The compiler's flag. Not unrolling loops saves another fiftieth.
    fn flag(&self) -> String {
        let [any, marked] = self.inlined;
        format!(
            "'-Cllvm-args=-inline-threshold={any} -inlinehint-threshold={marked} -unroll-runtime=false -unroll-allow-partial=false'"
        )
    }
}

impl Module {
    const fn new(name: &'static str, features: &'static str, compiled: Compiled) -> Self {
        Self {
            name,
            features,
            compiled,
        }
    }

    /// A file whose name says what it marks: `pkg/wasm/NAME_bg.wasm`, `pkg/wasm/NAME.built`.
    fn file(&self, ending: &str) -> PathBuf {
        paths::root()
            .join(FOLDER)
            .join(format!("{}{ending}", self.name))
    }

    fn is_up_to_date(&self) -> bool {
        let sources = SOURCES.map(|source| paths::root().join(source));
        self.file("_bg.wasm").is_file() && paths::up_to_date(&self.file(".built"), &sources)
    }

    /// Compiles, binds and optimises. The stamp carries the time at which the build began, so that a source saved meanwhile
    /// counts as newer.
    fn build(&self, target: &Path, path: &OsStr) -> Result<()> {
        let started = self.file(".building");
        fs::write(&started, "")?;
        let label = format!("wasm {}", self.name);
        timed(&label, || {
            forget_compiled(target)?;
            for mut step in [self.compile(target), self.bind(target), self.optimise()] {
                run::quiet(&label, step.env("PATH", path))?;
            }
            Ok(())
        })?;
        fs::rename(&started, self.file(".built"))?;
        Ok(())
    }

    /// Built as a wasm file only: a crate that is built as a Rust library too gets no link-time optimisation.
    fn compile(&self, target: &Path) -> Command {
        let mut command = Command::new("cargo");
        command.args(["rustc", "--release", "--locked", "--lib"]);
        command.args(["--crate-type", "cdylib"]);
        command
            .args(["--target", "wasm32-unknown-unknown"])
            .args(["--no-default-features", "--features", self.features])
            .args(["--config", &self.flags()])
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", self.compiled.opt_level)
            .env("CARGO_TARGET_DIR", target);
        command.current_dir(paths::root());
        command
    }

    /// The flags added to those of `.cargo/config.toml`.
    fn flags(&self) -> String {
        let mut flags = without_paths_of_this_machine();
        flags.push(self.compiled.flag());
        let flags = flags.join(", ");
        format!("target.wasm32-unknown-unknown.rustflags = [{flags}]")
    }

    fn bind(&self, target: &Path) -> Command {
        let mut command = Command::new("wasm-bindgen");
        command
            .args(["--target", "bundler", "--out-name", self.name])
            .args(["--out-dir", FOLDER])
            .arg(compiled(target).join(COMPILED));
        command.current_dir(paths::root());
        command
    }

    /// Uses the wasm-opt of `pkg/node_modules`, which is first on `PATH`: old versions break the module. The first KiB of the
    /// memory is the end of the stack, so no value has an address that low; knowing this saves a little at each access. Once: more
    /// passes take minutes for a hundredth of the size, but for the small file that a page loads first.
    fn optimise(&self) -> Command {
        let file = self.file("_bg.wasm");
        let mut command = Command::new("wasm-opt");
        match self.name {
            "text" => command.args(["--flatten", "--rereloop", "-Oz", "-Oz", "--converge"]),
            _ => command.arg("-Oz"),
        };
        command.arg("--low-memory-unused");
        command.args(["--strip-debug", "--strip-producers", "--output"]);
        command.arg(&file).arg(&file);
        command
    }
}

/// The compiled file has the same name whatever features it was built with.
const COMPILED: &str = "tailnet_kit.wasm";

fn compiled(target: &Path) -> PathBuf {
    target.join("wasm32-unknown-unknown/release")
}

/// Removes the file that another module left in the target folder. The modules share the folder for the sake of their
/// dependencies, and Cargo would take that file for up to date.
fn forget_compiled(target: &Path) -> Result<()> {
    for folder in [compiled(target), compiled(target).join("deps")] {
        let file = folder.join(COMPILED);
        if file.is_file() {
            fs::remove_file(file)?;
        }
    }
    Ok(())
}

/// The flags that keep the folders of this machine out of a panic's message, which then names only the library's file.
fn without_paths_of_this_machine() -> Vec<String> {
    let homes = [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")];
    homes
        .iter()
        .filter_map(|(variable, folder)| paths::tool_home(variable, folder))
        .map(|home| format!("'--remap-path-prefix={}='", home.display()))
        .collect()
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
