//! The wasm files of the package: how each is compiled, bound, optimised, and cut out of the file that has them all
//! (docs/cutting.md). Must not live here: which exports a file has (`exports.rs`), how one is cut (`crates/cut`), what calls the
//! compiler and wasm-bindgen (`bound.rs`).

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread::{self, ScopedJoinHandle};

use anyhow::{Context, Result, bail, ensure};
use cut::{Apart, Kit};

use super::bound::{Build, CRATE, Way};
use super::exports;
use crate::output::timed;
use crate::{paths, run, tools};

/// How the crate is compiled.
struct Compiled {
    opt_level: &'static str,
    /// The largest function that is inlined, in LLVM's measure: any function, and one marked `#[inline]` (as most of the standard library are).
    inlined: [u32; 2],
}

/// Compiled for speed. Level 3 makes the files larger and no faster. A third and half of the usual limits of inlining make
/// them a fifteenth smaller, and no slower in a direct comparison.
const FAST: Compiled = Compiled::new("2", [75, 150]);
/// As `FAST`, but for a little less inlining, with which the file for all texts is smaller by 1.1 KiB.
const TEXT: Compiled = Compiled::new("2", [60, 120]);
/// For modules that wait for a network: a fortieth smaller again, while a call takes two microseconds more.
const LIGHT: Compiled = Compiled::new("2", [10, 25]);

/// A link of the crate with some of its features.
struct Link {
    name: &'static str,
    features: &'static str,
    compiled: Compiled,
    /// The files that are cut out of it, each with the feature whose exports it has; none where it is a file itself.
    cut: &'static [(&'static str, &'static str)],
    /// The same for those that leave a dialect to `ADDED`.
    hosts: &'static [(&'static str, &'static str)],
}

/// The longest first, so that both processors finish at about the same time. Client and gateway are
/// compiled for size; the file for all texts, which who starts the wasm by hand loads first, is a twentieth smaller when it is linked by itself.
const LINKS: [Link; 4] = [
    Link {
        name: "linked",
        features: "kit,language,headscale,sandbox",
        compiled: FAST,
        cut: &[
            ("tailnet_kit", "kit"),
            ("cidr", "cidr"),
            ("hujson", "hujson"),
            ("edit", "edit"),
            ("json5", "json5"),
            ("headscale", "headscale"),
            ("sandbox", "sandbox"),
        ],
        hosts: &[
            ("check", "check"),
            ("policy", "policy"),
            ("language", "language"),
        ],
    },
    Link::alone("client", "client", LIGHT),
    Link::alone("text", "text", TEXT),
    Link::alone("gateway", "gateway", LIGHT),
];

/// All files out of one link that takes seconds once its crates are built, to look at while one edits: compiled with little optimisation and
/// part by part, and not optimised afterwards.
const DRAFT: Link = Link {
    name: "draft",
    features: "kit,language,headscale,sandbox",
    compiled: Compiled::new("1", [75, 150]),
    cut: &[
        ("tailnet_kit", "kit"),
        ("text", "text"),
        ("cidr", "cidr"),
        ("hujson", "hujson"),
        ("edit", "edit"),
        ("json5", "json5"),
        ("client", "client"),
        ("gateway", "gateway"),
        ("headscale", "headscale"),
        ("sandbox", "sandbox"),
    ],
    hosts: LINKS[0].hosts,
};

/// How much is done to the files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// What is published.
    Whole,
    /// Enough to look at.
    Draft,
}

/// What is added to a running file when a policy of Headscale is first asked about, and the names of the data that it has.
const ADDED: &str = "dialect";
const APART: Apart<'_> = Apart("HEADSCALE_");

/// How many are built at a time: linking and optimising keep one processor busy each.
const AT_A_TIME: usize = 2;

const FOLDER: &str = "pkg/wasm";

/// What a wasm file is made from.
const SOURCES: [&str; 7] = [
    "src",
    CRATE,
    "Cargo.toml",
    "Cargo.lock",
    ".cargo",
    "rust-toolchain.toml",
    "pkg/package-lock.json",
];

/// What cuts.
const CUTTER: &str = "crates/cut/src";

/// The sets of features with which the crate is compiled.
pub fn features() -> impl Iterator<Item = &'static str> {
    LINKS.iter().map(|link| link.features)
}

pub fn are_up_to_date() -> bool {
    LINKS.iter().all(Link::is_up_to_date)
}

/// Builds those wasm files that are older than their sources. Those of another finish count as older. Does something else beside that, as a
/// processor is idle while the longest link is still under way.
pub fn build(finish: Finish, beside: impl FnOnce() -> Result<()> + Send) -> Result<()> {
    let (wanted, other): (&[Link], &[Link]) = match finish {
        Finish::Whole => (&LINKS, &[DRAFT]),
        Finish::Draft => (&[DRAFT], &LINKS),
    };
    let stale = wanted.iter().filter(|link| !link.is_up_to_date());
    let stale: Vec<_> = stale.collect();
    if stale.is_empty() {
        return beside();
    }
    for link in other {
        let stamp = file(link.name, ".built");
        if stamp.exists() {
            fs::remove_file(stamp)?;
        }
    }
    tools::wasm_target()?;
    let path = search_path(Way::found().prepare()?)?;
    fs::create_dir_all(paths::root().join(FOLDER))?;
    let left = Mutex::new(stale.iter().map(|link| link.name).collect());
    println!("{}", announcement(finish, &stale, wanted.len()));
    let queue = Mutex::new(stale.into_iter());
    let next = || queue.lock().ok()?.next();
    thread::scope(|scope| {
        let (next, path, left) = (&next, &path, &left);
        let one = move |link: &Link| {
            link.build(path)?;
            say_left(link.name, left);
            Ok(())
        };
        let lane = |_| scope.spawn(move || std::iter::from_fn(next).try_for_each(one));
        let mut lanes: Vec<_> = (0..AT_A_TIME).map(lane).collect();
        lanes.push(scope.spawn(beside));
        let outcome = |lane: ScopedJoinHandle<'_, Result<()>>| {
            lane.join().unwrap_or_else(|_| bail!("the build broke off"))
        };
        // All are waited for before the first error is returned.
        let outcomes: Vec<_> = lanes.into_iter().map(outcome).collect();
        outcomes.into_iter().collect()
    })
}

/// What is to be built, and why that takes as long as it does.
fn announcement(finish: Finish, stale: &[&Link], all: usize) -> String {
    let names: Vec<_> = stale.iter().map(|link| link.name).collect();
    let (number, names) = (names.len(), names.join(", "));
    match finish {
        Finish::Whole => format!(
            "wasm: {number} of {all} links to build ({names}). Each is compiled as one unit, so that no file has what it does not need: most of the time"
        ),
        Finish::Draft => "wasm: a draft to build, part by part: minutes the first time, seconds after a changed line".to_owned(),
    }
}

/// Says what is not built yet, now that one more is.
fn say_left(built: &str, left: &Mutex<Vec<&str>>) {
    let Ok(mut left) = left.lock() else { return };
    left.retain(|name| *name != built);
    if !left.is_empty() {
        println!("  wasm: left: {}", left.join(", "));
    }
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

impl Link {
    const fn alone(name: &'static str, features: &'static str, compiled: Compiled) -> Self {
        Self {
            name,
            features,
            compiled,
            cut: &[],
            hosts: &[],
        }
    }

    fn is_draft(&self) -> bool {
        self.name == DRAFT.name
    }

    /// The files of the package that are made of it.
    fn files(&self) -> impl Iterator<Item = &'static str> {
        let itself = self.cut.is_empty().then_some(self.name);
        let cut = self.cut.iter().chain(self.hosts).map(|(name, _)| *name);
        cut.chain(itself)
    }

    fn is_up_to_date(&self) -> bool {
        let cutter = (!self.cut.is_empty()).then_some(CUTTER);
        let sources = SOURCES.into_iter().chain(cutter);
        let sources: Vec<_> = sources.map(|source| paths::root().join(source)).collect();
        let mut files = self
            .files()
            .chain((!self.hosts.is_empty()).then_some(ADDED));
        files.all(|name| file(name, "_bg.wasm").is_file())
            && paths::up_to_date(&file(self.name, ".built"), &sources)
    }

    /// Compiles, binds and optimises, and cuts. The stamp carries the time at which the build began, so that a source saved
    /// meanwhile counts as newer.
    fn build(&self, path: &OsStr) -> Result<()> {
        let started = file(self.name, ".building");
        fs::write(&started, "")?;
        let label = format!("wasm {}", self.name);
        timed(&label, || {
            let build = self.compiled();
            let folder = build.target.join("bound");
            let commands = build.commands(Way::found(), &folder);
            let steps = commands.len() + usize::from(!self.is_draft());
            let step = |number| format!("{label}, step {number} of {steps}");
            for (done, mut command) in commands.into_iter().enumerate() {
                run::quiet(&step(done + 1), command.env("PATH", path))?;
            }
            let bound = Bound::read(&build, &folder)?;
            if self.is_draft() {
                return self.write(&build, &bound, &bound.wasm);
            }
            let optimised = build.target.join("optimised.wasm");
            let mut optimise = self.optimise(&build.bound(&folder)[0], &optimised);
            run::quiet(&step(steps), optimise.env("PATH", path))?;
            self.write(&build, &bound, &read(&optimised)?)
        })?;
        fs::rename(&started, file(self.name, ".built"))?;
        Ok(())
    }

    /// Each link has a folder of its own: Cargo builds all anew in one where the flags changed.
    fn compiled(&self) -> Build<'_> {
        let mut settings = vec![(
            "CARGO_PROFILE_RELEASE_OPT_LEVEL",
            self.compiled.opt_level.to_owned(),
        )];
        if !self.cut.is_empty() {
            settings.push(("CARGO_PROFILE_RELEASE_STRIP", "none".to_owned()));
        }
        if self.is_draft() {
            for (setting, value) in [
                ("CARGO_PROFILE_RELEASE_LTO", "off"),
                ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "64"),
                ("CARGO_PROFILE_RELEASE_INCREMENTAL", "true"),
            ] {
                settings.push((setting, value.to_owned()));
            }
        }
        Build {
            name: self.name,
            features: self.features,
            config: self.flags(),
            settings,
            target: paths::root().join("target/wasm").join(self.name),
        }
    }

    /// The flags added to those of `.cargo/config.toml`.
    fn flags(&self) -> String {
        let mut flags = without_paths_of_this_machine();
        flags.push(self.compiled.flag());
        if !self.cut.is_empty() {
            flags.push("'-Clink-arg=--emit-relocs'".to_owned());
        }
        let flags = flags.join(", ");
        format!("target.wasm32-unknown-unknown.rustflags = [{flags}]")
    }

    /// Uses the wasm-opt of `pkg/node_modules`, which is first on `PATH`: old versions break the module. The first KiB of the
    /// memory is the end of the stack, so no value has an address that low; knowing this saves a little at each access. Once: more
    /// passes take minutes for a hundredth of the size, but for the small file that a page loads first. In the others a function that is
    /// called once stays one: in small functions Brotli finds more that is alike, another hundredth, and no call takes longer.
    fn optimise(&self, bound: &Path, optimised: &Path) -> Command {
        let mut command = Command::new("wasm-opt");
        match self.name {
            "text" => command.args(["--flatten", "--rereloop", "-Oz", "-Oz", "--converge"]),
            _ => command.args(["-Oz", "--one-caller-inline-max-function-size=0"]),
        };
        command.arg("--low-memory-unused");
        command.args(["--strip-debug", "--strip-producers", "--output"]);
        command.arg(optimised).arg(bound);
        command
    }

    /// Writes the files of the package: the optimised one, or those that are cut out of it.
    fn write(&self, build: &Build<'_>, bound: &Bound, optimised: &[u8]) -> Result<()> {
        if self.cut.is_empty() {
            return write(self.name, optimised, &bound.glue);
        }
        let linked = read(&build.compiled())?;
        let kit = Kit::read(&linked, &bound.wasm, optimised, &bound.glue)?;
        let exports: Vec<&str> = kit.exports().collect();
        let of = |&(name, feature): &(&'static str, &str)| {
            anyhow::Ok((name, exports::of(feature, &exports)?))
        };
        let alone = self.cut.iter().map(of).collect::<Result<Vec<_>>>()?;
        let hosts = self.hosts.iter().map(of).collect::<Result<Vec<_>>>()?;
        for (name, wanted) in &alone {
            let part = kit.cut(name, wanted)?;
            write(name, &part.wasm, &part.glue)?;
        }
        let (parts, added) = kit.cut_apart(APART, &hosts)?;
        for ((name, _), part) in hosts.iter().zip(parts) {
            write(name, &part.wasm, &part.glue)?;
        }
        fs::write(file(ADDED, "_bg.wasm"), added)?;
        let used = alone.iter().chain(&hosts).flat_map(|(_, wanted)| wanted);
        let used: HashSet<_> = used.collect();
        for export in &exports {
            ensure!(
                used.contains(export),
                "no module of crates/wasm has the export `{export}`"
            );
        }
        Ok(())
    }
}

/// What wasm-bindgen wrote.
struct Bound {
    wasm: Vec<u8>,
    glue: String,
}

impl Bound {
    fn read(build: &Build<'_>, folder: &Path) -> Result<Bound> {
        let [wasm, glue] = build.bound(folder);
        let glue = String::from_utf8(read(&glue)?).context("the glue is no text")?;
        Ok(Bound {
            wasm: read(&wasm)?,
            glue,
        })
    }
}

/// Fails unless wasm-pack gives each file as it was built, byte for byte.
pub fn compare_with_wasm_pack(wasm_pack: &Path) -> Result<String> {
    let mut folders = vec![wasm_pack.to_path_buf()];
    for way in [Way::Steps, Way::WasmPack] {
        folders.extend(way.prepare()?);
    }
    let path = search_path(folders)?;
    for link in &LINKS {
        let build = link.compiled();
        let [steps, packed] = ["steps", "packed"].map(|name| build.target.join(name));
        for (way, folder) in [(Way::Steps, &steps), (Way::WasmPack, &packed)] {
            for mut command in build.commands(way, folder) {
                run::quiet(
                    &format!("wasm-pack {}", link.name),
                    command.env("PATH", &path),
                )?;
            }
        }
        for (one, other) in build.bound(&steps).iter().zip(build.bound(&packed)) {
            ensure!(
                read(one)? == read(&other)?,
                "wasm-pack gives another {} than the compiler and wasm-bindgen do",
                other.display()
            );
        }
    }
    Ok(format!("{} links are the same by wasm-pack\n", LINKS.len()))
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Writes a wasm file of the package, and its glue.
fn write(name: &str, wasm: &[u8], glue: &str) -> Result<()> {
    fs::write(file(name, "_bg.wasm"), wasm)?;
    fs::write(file(name, "_bg.js"), glue)?;
    Ok(())
}

/// `PATH` with wasm-opt and these folders before everything else.
fn search_path(mut folders: Vec<PathBuf>) -> Result<OsString> {
    folders.insert(0, paths::root().join("pkg/node_modules/.bin"));
    paths::search_path(&folders)
}

/// A file whose name says what it marks: `pkg/wasm/NAME_bg.wasm`, `pkg/wasm/NAME.built`.
fn file(name: &str, ending: &str) -> PathBuf {
    paths::root().join(FOLDER).join(format!("{name}{ending}"))
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
