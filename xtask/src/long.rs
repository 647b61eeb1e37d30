//! `cargo xtask test --long`: the tests that take hours and are not part of a usual run: fuzzing, ten million calls, the same
//! suites again and again. Must not live here: what a target, a call or a suite asserts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::output::timed;
use crate::step::{Course, Shows, Step, Tests};
use crate::{npm, package, paths, run};

/// Which parts to run, for how long and how often.
pub struct Options {
    /// How long each fuzz target runs.
    pub minutes: u64,
    /// How often each entry of the package is called.
    pub calls: u64,
    /// The parts to run; all of them if empty.
    pub parts: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            minutes: 60,
            calls: 10_000_000,
            parts: Vec::new(),
        }
    }
}

pub const HELP: &str = "\
cargo xtask test --long [--minutes N] [--calls N] [PART]...

The tests that take hours:
  fuzz    each target of tests/fuzz for an hour (--minutes), two at a time; a finding is left in tests/fuzz/artifacts
  calls   ten million calls (--calls) of each entry in one instance, in Node, without growth of memory
  again   the suites of the package and the demo three times, then once more beside four busy loops";

const PARTS: [&str; 3] = ["fuzz", "calls", "again"];

/// How many fuzzers run at a time: each keeps one processor busy.
const AT_A_TIME: usize = 2;

/// How many busy loops run beside the last round of the suites.
const BUSY_LOOPS: usize = 4;

/// Runs the parts named, or all of them; `suites` are run again and again.
pub fn run(options: &Options, suites: &[&Step<'_>]) -> Result<ExitCode> {
    if let Some(part) = options
        .parts
        .iter()
        .find(|part| !PARTS.contains(&part.as_str()))
    {
        bail!("there is no part `{part}`\n\n{HELP}");
    }
    let wanted = |part: &str| options.parts.is_empty() || options.parts.iter().any(|it| it == part);
    let mut course = Course::new();
    if wanted("fuzz") {
        course.take(&step("fuzz", "every target", &|| fuzz(options.minutes)));
    }
    if wanted("calls") {
        course.take(&step("calls", "memory", &|| calls(options.calls)));
    }
    if wanted("again") {
        for _ in 0..3 {
            suites.iter().for_each(|suite| course.take(suite));
        }
        println!("beside {BUSY_LOOPS} busy loops:");
        beside_busy_loops(|| suites.iter().for_each(|suite| course.take(suite)));
    }
    Ok(course.close())
}

fn step<'a>(
    name: &'a str,
    about: &'a str,
    run: &'a (dyn Fn() -> Result<String> + Sync),
) -> Step<'a> {
    Step {
        name,
        about,
        advice: "",
        tests: Tests::None,
        shows: Shows::All,
        run,
    }
}

/// Instruments each branch, so that the fuzzer sees which code an input reaches. These flags work on stable Rust. The address
/// sanitizer, which `cargo fuzz` adds, needs nightly and looks for faults that a crate without `unsafe` does not have.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// The targets, each with the seeds that it starts from.
const TARGETS: [(&str, Option<&str>); 9] = [
    ("policy", None),
    ("sandbox", None),
    ("headers", None),
    ("patch", Some("patch")),
    ("format", Some("text")),
    ("scan", Some("text")),
    ("standardize", Some("text")),
    ("json5", Some("text")),
    ("cidr", Some("cidr")),
];

/// Builds the targets and runs each for `minutes`; returns the closing figures of each.
fn fuzz(minutes: u64) -> Result<String> {
    let programs = build_targets()?;
    let queue = Mutex::new(TARGETS.iter());
    let next = || queue.lock().ok()?.next();
    let outcomes = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                for (target, seeds) in std::iter::from_fn(next) {
                    let outcome = timed(&format!("fuzz {target}, {minutes} min"), || {
                        fuzz_one(&programs, target, *seeds, minutes)
                    });
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes.push(outcome);
                    }
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap_or_default();
    outcomes.into_iter().collect()
}

/// Builds for this machine by name: without `--target`, Cargo would instrument the build scripts too.
fn build_targets() -> Result<PathBuf> {
    let version = run::answer(Command::new("rustc").arg("-vV")).unwrap_or_default();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not say which machine this is")?;
    let folder = paths::root().join("target/fuzz");
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--release", "--target", host])
        .args(["--manifest-path", "tests/fuzz/Cargo.toml"])
        .env("RUSTFLAGS", COVERAGE)
        .env("CARGO_TARGET_DIR", &folder)
        .current_dir(paths::root());
    run::quiet("fuzz-build", &mut cargo)?;
    Ok(folder.join(host).join("release"))
}

fn fuzz_one(programs: &Path, target: &str, seeds: Option<&str>, minutes: u64) -> Result<String> {
    let place = paths::root().join("tests/fuzz");
    let corpus = place.join("corpus").join(target);
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(place.join("artifacts"))?;
    let mut program = Command::new(programs.join(target));
    program.current_dir(&place).arg(corpus);
    program.args(seeds.map(|seeds| place.join("seeds").join(seeds)));
    program.arg(format!("-artifact_prefix=artifacts/{target}-"));
    program.arg(format!("-max_total_time={}", minutes * 60));
    program.args(["-timeout=20", "-rss_limit_mb=4096", "-print_final_stats=1"]);
    let limit = Duration::from_secs(minutes * 60 + 10 * 60);
    let printed = run::within(&format!("fuzz-{target}"), &mut program, limit)?;
    let figure = |name: &str| {
        let line = printed.lines().find(|line| line.contains(name));
        line.and_then(|line| line.rsplit(' ').next())
            .unwrap_or("?")
            .to_owned()
    };
    Ok(format!(
        "fuzz {target}: {} runs, {} a second, {} MB at most\n",
        figure("stat::number_of_executed_units"),
        figure("stat::average_exec_per_sec"),
        figure("stat::peak_rss_mb"),
    ))
}

fn calls(calls: u64) -> Result<String> {
    let tarball = package::pack()?;
    npm::install("tests/js")?;
    let mut node = Command::new("node");
    node.arg("tests/js/run.mjs").arg("--tarball").arg(tarball);
    node.arg("calls").env("CALLS", calls.to_string());
    let limit = Duration::from_secs(24 * 60 * 60);
    run::within("calls", node.current_dir(paths::root()), limit)
}

/// Keeps processors busy while the work is done.
fn beside_busy_loops(work: impl FnOnce()) {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..BUSY_LOOPS {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        work();
        done.store(true, Ordering::Relaxed);
    });
}
