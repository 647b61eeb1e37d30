//! `cargo xtask test`: the steps of a whole run, in order, the last of them beside each other.
//! Must not live here: how a step's programs are found or installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::thread;

use anyhow::{Result, bail, ensure};

use crate::beside::{self, COMPARISONS};
use crate::long;
use crate::room::{self, ROOMS};
use crate::step::{Course, Shows, Step, Tests};
use crate::{browser, docs, firefox, npm, package, paths, run, tools};

const STEPS: &[Step<'static>] = &[
    Step {
        name: "fmt",
        about: "formatting",
        advice: "cargo fmt --all",
        tests: Tests::None,
        shows: Shows::Closing,
        run: &fmt,
    },
    Step {
        name: "js",
        about: "layout and lints of JavaScript and TypeScript",
        advice: "tests/js/node_modules/.bin/biome check --write",
        tests: Tests::None,
        shows: Shows::Closing,
        run: &js,
    },
    Step {
        name: "clippy",
        about: "lints, native; warnings are errors",
        advice: "",
        tests: Tests::None,
        shows: Shows::Closing,
        run: &clippy,
    },
    Step {
        name: "clippy-wasm",
        about: "lints, wasm: as a whole, and for each file",
        advice: "",
        tests: Tests::None,
        shows: Shows::Closing,
        run: &clippy_wasm,
    },
    Step {
        name: "native",
        about: "native tests",
        advice: "cargo test --test ROOM FILE runs one file of tests/ROOM",
        tests: Tests::AtLeastOne,
        shows: Shows::Closing,
        run: &native,
    },
    Step {
        name: "doc",
        about: "the examples in the documentation",
        advice: "cargo test --doc",
        tests: Tests::None,
        shows: Shows::Closing,
        run: &doc,
    },
    Step {
        name: "wasm-node",
        about: "the crate in wasm, and conversions to JavaScript, in Node",
        advice: "wasm-pack test --node",
        tests: Tests::AtLeastOne,
        shows: Shows::Closing,
        run: &wasm_node,
    },
    Step {
        name: "wasm-chromium",
        about: "the same in headless Chromium",
        advice: "wasm-pack test --headless --chrome",
        tests: Tests::AtLeastOne,
        shows: Shows::Closing,
        run: &wasm_chromium,
    },
    Step {
        name: "package",
        about: "the npm tarball",
        advice: "cargo xtask package",
        tests: Tests::None,
        shows: Shows::All,
        run: &package,
    },
    Step {
        name: "wasm-pack",
        about: "wasm-pack gives the package's files, and leaves the sources alone",
        advice: "",
        tests: Tests::None,
        shows: Shows::All,
        run: &wasm_pack,
    },
    Step {
        name: "docs",
        about: "the site: every link leads somewhere",
        advice: "cargo xtask docs",
        tests: Tests::None,
        shows: Shows::Closing,
        run: &site,
    },
    Step {
        name: "packed",
        about: "the tarball, installed and used in every runtime",
        advice: "cd tests/js && node run.mjs --tarball FILE ROW runs one row",
        tests: Tests::AtLeastOne,
        shows: Shows::All,
        run: &packed,
    },
    Step {
        name: "demo",
        about: "the demo page in headless Chromium and Firefox",
        advice: "node --test tests/demo/run.mjs",
        tests: Tests::AtLeastOne,
        shows: Shows::Closing,
        run: &demo,
    },
];

/// The last steps run beside each other: a row waits for a browser, a pause or npm for a third of its time.
const TOGETHER: [&str; 2] = ["packed", "demo"];

const WASM: [&str; 2] = ["--target", "wasm32-unknown-unknown"];

pub fn help() -> String {
    let line = |name: &str, about: &str| format!("  {name:<15}{about}\n");
    let steps: String = STEPS.iter().map(|it| line(it.name, it.about)).collect();
    let rooms: String = ROOMS.iter().map(|it| line(it.name, it.about)).collect();
    let comparisons: String = COMPARISONS
        .iter()
        .map(|it| line(it.name, it.about))
        .collect();
    format!(
        "cargo xtask test [STEP | ROOM]... [--beside FOLDER]\n\nRuns every step, or those named, in this order; goes on after a failure and names all that failed.\n\n{steps}\n\
         A room holds the tests of one part, native and, with the package of the last build, in Node: seconds, once built.\n\n{rooms}\n\
         Two steps run only where they are named: they compare with a folder that the repository does not hold. Without `--beside FOLDER`, or\n\
         with a folder that does not hold all they need, they fail.\n\n{comparisons}\n\
         cargo xtask test --long --help lists the tests that take hours.\n\
         The output of each program is kept in target/xtask/."
    )
}

/// Runs the tests that take hours: see [`long::HELP`].
pub fn run_long(options: &long::Options) -> Result<ExitCode> {
    let again = STEPS
        .iter()
        .filter(|step| ["packed", "demo"].contains(&step.name));
    long::run(options, &again.collect::<Vec<_>>())
}

/// Runs the steps and rooms named, or all steps; `beside` is the folder that comparisons need.
pub fn run(names: &[String], beside: Option<&Path>) -> Result<ExitCode> {
    let steps = STEPS.iter().map(|step| step.name);
    let rooms = ROOMS.iter().map(|room| room.name);
    let comparisons = COMPARISONS.iter().map(|comparison| comparison.name);
    let known: Vec<&str> = steps.chain(rooms).chain(comparisons).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("there is no step and no room `{name}`\n\n{}", help());
    }
    let named = |name: &str| names.iter().any(|named| named == name);
    let compared = || COMPARISONS.iter().filter(|it| named(it.name));
    if beside.is_some() && compared().next().is_none() {
        bail!("`--beside` is for `recorded` and `contract`: name one of them, or both");
    }
    let mut course = Course::new();
    let chosen = STEPS
        .iter()
        .filter(|step| names.is_empty() || named(step.name));
    let (together, alone): (Vec<_>, Vec<_>) =
        chosen.partition(|step| TOGETHER.contains(&step.name));
    alone.into_iter().for_each(|step| course.take(step));
    course.take_together(&together);
    for room in ROOMS.iter().filter(|room| named(room.name)) {
        room::run(room, &mut course);
    }
    for comparison in compared() {
        beside::run(comparison, beside, &mut course);
    }
    Ok(course.close())
}

fn cargo(label: &str, arguments: &[&str]) -> Result<String> {
    run::quiet(
        label,
        Command::new("cargo")
            .args(arguments)
            .current_dir(paths::root()),
    )
}

fn fmt() -> Result<String> {
    cargo("fmt", &["fmt", "--all", "--check"])
}

/// One layout and one set of lints for all, which `biome.json` describes; a warning is an error.
fn js() -> Result<String> {
    let biome = npm::install("tests/js")?.join("biome");
    run::quiet(
        "js",
        Command::new(biome)
            .args(["ci", "--error-on-warnings"])
            .current_dir(paths::root()),
    )
}

fn clippy() -> Result<String> {
    let lint = |name: &str, targets: &[&str]| {
        let start = ["clippy", "--locked"];
        cargo(name, &[&start, targets, &["--", "-D", "warnings"]].concat())
    };
    let all = lint("clippy", &["--workspace", "--all-targets"])?;
    // A test program that no run of all tests has is no part of all targets.
    Ok(all + &lint("clippy-recorded", &["--test", "recorded"])?)
}

fn clippy_wasm() -> Result<String> {
    tools::wasm_target()?;
    let [flag, target] = WASM;
    let lint = |name: &str, features: &[&str]| {
        let start = [
            "clippy",
            "--locked",
            "--lib",
            "--package",
            "tailnet-kit-wasm",
            flag,
            target,
        ];
        cargo(
            name,
            &[&start, features, &["--", "-D", "warnings"]].concat(),
        )
    };
    lint("clippy-wasm", &[])?;
    let mut printed = String::new();
    for features in package::features() {
        let alone = ["--no-default-features", "--features", features];
        printed += &lint(&format!("clippy-wasm-{features}"), &alone)?;
    }
    Ok(printed)
}

/// Without `crates/bind`, which has no tests and takes half a minute to compile: the step `wasm-pack` compares what it writes.
fn native() -> Result<String> {
    cargo(
        "native",
        &[
            "test",
            "--locked",
            "--workspace",
            "--exclude",
            "bind",
            "--no-fail-fast",
            "--lib",
            "--bins",
            "--tests",
        ],
    )
}

fn doc() -> Result<String> {
    cargo("doc", &["test", "--locked", "--doc"])
}

fn package() -> Result<String> {
    let tarball = package::pack()?;
    let place = tarball.strip_prefix(paths::root());
    Ok(format!("{}\n", place.unwrap_or(&tarball).display()))
}

fn wasm_node() -> Result<String> {
    tools::node()?;
    wasm_tests("wasm-node", |pack| {
        pack.args(["--node", "--mode", "no-install"]);
    })
}

/// Where no driver fits the browser, wasm-pack fetches one.
fn wasm_chromium() -> Result<String> {
    let (browser, driver) = (browser::chromium()?, browser::chromedriver());
    wasm_tests("wasm-chromium", |pack| {
        pack.args(["--headless", "--chrome"]);
        pack.env(browser::VARIABLE, &browser);
        // The tests of conversions run in Node unless this says otherwise.
        pack.env("WASM_BINDGEN_USE_BROWSER", "1");
        if let Some(driver) = &driver {
            pack.args(["--mode", "no-install", "--chromedriver"])
                .arg(driver);
        }
    })
}

/// Runs `wasm-pack test` for the crate and for that of the exports.
fn wasm_tests(label: &str, choose: impl Fn(&mut Command)) -> Result<String> {
    tools::wasm_target()?;
    let path = paths::search_path(&[tools::wasm_pack()?, tools::wasm_bindgen()?])?;
    let run = |folder: &str| {
        let mut pack = Command::new("wasm-pack");
        tools::forget_settings(&mut pack);
        pack.arg("test");
        choose(&mut pack);
        pack.args([folder, "--locked"]);
        let label = format!("{label}-{}", folder.replace('/', "-"));
        run::quiet(&label, pack.env("PATH", &path).current_dir(paths::root()))
    };
    Ok(run(".")? + &run(package::CRATE)?)
}

/// `wasm-pack build` at the root says what is missing there and writes nothing; for the crate of the exports it gives what the
/// package is made of.
fn wasm_pack() -> Result<String> {
    let tool = tools::wasm_pack()?;
    let before = tracked()?;
    let mut pack = Command::new(tool.join("wasm-pack"));
    pack.args(["build", "--mode", "no-install", "."])
        .current_dir(paths::root());
    let refused = pack.output()?;
    ensure!(
        !refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("cdylib"),
        "`wasm-pack build` at the root does not refuse"
    );
    package::assemble()?;
    let same = package::compare_with_wasm_pack(&tool)?;
    ensure!(
        tracked()? == before,
        "wasm-pack changed sources: see `git status`"
    );
    Ok(same)
}

/// What git says of the files here.
fn tracked() -> Result<String> {
    let mut git = Command::new("git");
    run::quiet(
        "git",
        git.args(["status", "--porcelain"])
            .current_dir(paths::root()),
    )
}

/// How many programs share the rows on the tarball, each with a service of its own: a row spends much of its time waiting for
/// a browser, a pause or npm. Each takes the next row when it is done with one: with every second row given to each, one ended
/// after 405 s and the other after 573.
const SIDE_BY_SIDE: usize = 2;

/// The folders whose npm packages the rows use. VS Code, in the last of them, is part of a usual run: it adds 300 MB with the
/// extension's own tools and half a minute, once, and its row takes as long as the slower ones.
const PACKED_NEEDS: [&str; 4] = ["tests/js", "docs", "editors/vscode", "tests/js/vscode"];
const DEMO_NEEDS: [&str; 3] = ["www", "tests/js", "tests/demo"];

/// Makes the package complete, and installs npm packages and browsers, for one step at a time, as two of them share some of these. Gives the
/// variables that name the browsers.
fn equip(folders: &[&str]) -> Result<Vec<(&'static str, PathBuf)>> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock();
    package::assemble()?;
    for folder in folders {
        npm::install(folder)?;
    }
    let mut browsers = vec![(browser::VARIABLE, browser::chromium()?)];
    browsers.extend(firefox::VARIABLES.into_iter().zip(firefox::firefox()?));
    Ok(browsers)
}

fn packed() -> Result<String> {
    let browsers = equip(&PACKED_NEEDS)?;
    let tarball = package::pack()?;
    let shared = paths::root().join("target/xtask/rows");
    if shared.exists() {
        fs::remove_dir_all(&shared)?;
    }
    fs::create_dir_all(&shared)?;
    let rows = |part: usize| {
        let mut node = Command::new("node");
        node.arg("tests/js/run.mjs").arg("--tarball").arg(&tarball);
        node.arg("--shared").arg(&shared);
        node.args(["--programs", &SIDE_BY_SIDE.to_string()]);
        node.envs(browsers.iter().map(|(name, program)| (name, program)));
        run::quiet(&format!("packed-{part}"), node.current_dir(paths::root()))
    };
    thread::scope(|scope| {
        let parts = 1..=SIDE_BY_SIDE;
        let parts: Vec<_> = parts.map(|part| scope.spawn(move || rows(part))).collect();
        // All are waited for before the first error is returned.
        let outcomes: Vec<_> = parts
            .into_iter()
            .map(|part| part.join().unwrap_or_else(|_| bail!("the rows broke off")))
            .collect();
        outcomes.into_iter().collect()
    })
}

fn site() -> Result<String> {
    docs::build().map(|_| String::new())
}

fn demo() -> Result<String> {
    let browsers = equip(&DEMO_NEEDS)?;
    let mut page = npm::npm(&paths::root().join("www"));
    run::quiet("demo-types", page.args(["exec", "tsc", "--", "--noEmit"]))?;
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=spec", "tests/demo/run.mjs"]);
    run::quiet("demo", node.envs(browsers).current_dir(paths::root()))
}
