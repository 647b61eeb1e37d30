//! `cargo xtask`: the commands of this repository, their arguments and their help.
//! What a command does lives in the module of its name. Must not live here: anything the product ships.

mod bench;
mod beside;
mod browser;
mod demo;
mod docs;
mod firefox;
mod long;
mod npm;
mod output;
mod package;
mod paths;
mod release;
mod room;
mod run;
mod step;
mod test;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use lexopt::prelude::*;

const HELP: &str = "\
cargo xtask COMMAND        (cargo xtask COMMAND --help says more)

  demo      build what is missing and serve the demo page
  test      every check of the repository, or the steps named, or what concerns a room such as `policy`
  package   build the npm package: target/npm/tailnet-kit-VERSION.tgz
  docs      the site of the reference and the guides: target/docs/
  bench     compare with other libraries, in Node and in Chromium, and measure the crate natively
  release   check that a release can be published, and set its tag

Each command installs what it needs and says so: the wasm target, tools such as wasm-pack (into the user's
cache folder), npm packages (beside each package-lock.json), a Chromium, a Firefox. Needed beforehand: rustup, Node 20.16 or newer.";

fn main() -> ExitCode {
    match dispatch() {
        Ok(code) => code,
        Err(error) => {
            // An error in the arguments already names its cause; for any other, the whole chain is shown.
            match error.is::<lexopt::Error>() {
                true => eprintln!("error: {error}"),
                false => eprintln!("{}", run::explain(&error)),
            }
            ExitCode::FAILURE
        }
    }
}

/// Reads the command and hands the rest of the line to it.
fn dispatch() -> Result<ExitCode> {
    let mut arguments = lexopt::Parser::from_env();
    let command = match arguments.next()? {
        None | Some(Short('h') | Long("help")) => "help".to_owned(),
        Some(Value(name)) => name.string()?,
        Some(other) => return Err(other.unexpected().into()),
    };
    match command.as_str() {
        "help" => Ok(say(HELP)),
        "demo" => run_demo(arguments),
        "test" => run_test(arguments),
        "package" => run_package(arguments),
        "docs" => run_docs(arguments),
        "bench" => run_bench(arguments),
        "release" => run_release(arguments),
        other => bail!("there is no command `{other}`\n\n{HELP}"),
    }
}

fn say(text: &str) -> ExitCode {
    println!("{text}");
    ExitCode::SUCCESS
}

fn run_demo(mut arguments: lexopt::Parser) -> Result<ExitCode> {
    let mut port = demo::DEFAULT_PORT;
    let (mut folder, mut finish) = (None, package::Finish::Whole);
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("draft") => finish = package::Finish::Draft,
            Long("port") => port = arguments.value()?.parse()?,
            Long("build") => folder = Some(arguments.value()?),
            Short('h') | Long("help") => return Ok(say(demo::HELP)),
            other => return Err(other.unexpected().into()),
        }
    }
    match folder {
        Some(folder) => demo::leave(folder.as_ref(), finish),
        None => demo::run(port, finish),
    }
}

fn run_test(mut arguments: lexopt::Parser) -> Result<ExitCode> {
    let mut names = Vec::new();
    let (mut long, mut beside) = (None, None);
    while let Some(argument) = arguments.next()? {
        match (argument, &mut long) {
            (Value(name), _) => names.push(name.string()?),
            (Long("long"), None) => long = Some(long::Options::default()),
            (Long("beside"), None) => beside = Some(PathBuf::from(arguments.value()?)),
            (Long("minutes"), Some(long)) => long.minutes = arguments.value()?.parse()?,
            (Long("calls"), Some(long)) => long.calls = arguments.value()?.parse()?,
            (Short('h') | Long("help"), None) => return Ok(say(&test::help())),
            (Short('h') | Long("help"), Some(_)) => return Ok(say(long::HELP)),
            (other, _) => return Err(other.unexpected().into()),
        }
    }
    match long {
        Some(options) => test::run_long(&long::Options {
            parts: names,
            ..options
        }),
        None => test::run(&names, beside.as_deref()),
    }
}

fn run_package(mut arguments: lexopt::Parser) -> Result<ExitCode> {
    match arguments.next()? {
        None => package::run(),
        Some(Short('h') | Long("help")) => Ok(say(package::HELP)),
        Some(other) => Err(other.unexpected().into()),
    }
}

fn run_docs(mut arguments: lexopt::Parser) -> Result<ExitCode> {
    match arguments.next()? {
        None => docs::run(),
        Some(Short('h') | Long("help")) => Ok(say(docs::HELP)),
        Some(other) => Err(other.unexpected().into()),
    }
}

fn run_bench(mut arguments: lexopt::Parser) -> Result<ExitCode> {
    let mut options = bench::Options::default();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("quick") => options.quick = true,
            Value(name) => options.suites.push(name.string()?),
            Short('h') | Long("help") => return Ok(say(bench::HELP)),
            other => return Err(other.unexpected().into()),
        }
    }
    bench::run(&options)
}

fn run_release(mut arguments: lexopt::Parser) -> Result<ExitCode> {
    let mut options = release::Options::default();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("dry-run") => options.dry_run = true,
            Long("address") => return release::fill(&arguments.value()?.string()?),
            Long("packed") => return release::fill_checksum(),
            Value(name) => options.checks.push(name.string()?),
            Short('h') | Long("help") => return Ok(say(&release::help())),
            other => return Err(other.unexpected().into()),
        }
    }
    release::run(&options)
}
