//! `cargo xtask release`: whether this commit can be published, check by check; and its tag.
//! Must not live here: publishing, which the workflow `release` does when the tag is pushed.

mod address;
mod outcome;
mod rebuild;
mod record;
mod supply;

use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use self::outcome::Outcome;
use crate::output::line;
use crate::{npm, package, paths, run};

pub fn help() -> String {
    let lines: Vec<_> = CHECKS
        .iter()
        .map(|check| format!("  {:<12}{}", check.name, check.about))
        .collect();
    format!(
        "cargo xtask release [--dry-run] [CHECK]...\n\n\
         Makes every check, or those named, goes on after a failure and says what to do. If all pass it sets the tag of the version;\n\
         --dry-run sets none. When the tag is pushed, the workflow `release` publishes both packages.\n\n{}\n\n\
         cargo xtask release --address https://HOST/OWNER/NAME writes the repository's address in every place that names it;\n\
         cargo xtask release --packed writes the checksum of the packed file where hooks and jobs take it.",
        lines.join("\n")
    )
}

#[derive(Default)]
pub struct Options {
    pub dry_run: bool,
    pub checks: Vec<String>,
}

/// One check. `advice` is what to do when it fails.
struct Check {
    name: &'static str,
    about: &'static str,
    advice: &'static str,
    run: fn() -> Result<Outcome>,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The cheap ones first.
const CHECKS: &[Check] = &[
    Check {
        name: "tree",
        about: "nothing is left to commit",
        advice: "commit the changes, or stash them",
        run: || record::tree().map(Outcome::Good),
    },
    Check {
        name: "address",
        about: "every place names the repository's address",
        advice: "cargo xtask release --address https://HOST/OWNER/NAME",
        run: || address::check().map(Outcome::Good),
    },
    Check {
        name: "version",
        about: "every place names the version of Cargo.toml",
        advice: "write the same version in each of them",
        run: || record::version(VERSION).map(Outcome::Good),
    },
    Check {
        name: "changelog",
        about: "CHANGELOG.md has a dated entry for the version",
        advice: "put the heading `## VERSION - YEAR-MONTH-DAY` above what is under \"Unreleased\"",
        run: || record::changelog(VERSION).map(Outcome::Good),
    },
    Check {
        name: "tag",
        about: "no other commit has the tag of the version",
        advice: "a version is published once: take the next one",
        run: || record::tag(&tag()).map(Outcome::Good),
    },
    Check {
        name: "deny",
        about: "licences, sources and duplicates of the crates",
        advice: "deny.toml says what is allowed; https://embarkstudios.github.io/cargo-deny",
        run: supply::licences,
    },
    Check {
        name: "advisories",
        about: "known vulnerabilities of the crates",
        advice: "cargo update -p CRATE, or a line with its reason in deny.toml",
        run: supply::advisories,
    },
    Check {
        name: "audit",
        about: "known vulnerabilities of the npm packages",
        advice: "npm update NAME in the folder named",
        run: supply::audit,
    },
    Check {
        name: "semver",
        about: "the crate keeps what the last release promised",
        advice: "undo the change, or choose a version that may break",
        run: || supply::semver(&tag()),
    },
    Check {
        name: "crate",
        about: "the crate as it would be uploaded, built",
        advice: "`include` in Cargo.toml says what it holds",
        run: crate_package,
    },
    Check {
        name: "doc",
        about: "the crate's reference, as docs.rs makes it",
        advice: "cargo doc --no-deps --all-features names the link or the example",
        run: reference,
    },
    Check {
        name: "npm",
        about: "the npm package as it would be uploaded",
        advice: "cargo xtask package, then the row named: cd tests/js && node run.mjs --tarball FILE ROW",
        run: npm_package,
    },
    Check {
        name: "extension",
        about: "the extension for VS Code",
        advice: "editors/vscode/README.md says how it is packed; editors/vscode/build.mjs says what it holds",
        run: extension,
    },
    Check {
        name: "rebuild",
        about: "the npm package made again in another folder, with another home",
        advice: "unpack both files and compare them: a path, a time or an order of this machine is in one",
        run: rebuild::check,
    },
    Check {
        name: "action",
        about: "the action with its command; the checksum that hooks and jobs take",
        advice: "cargo xtask release --packed, and commit what it writes",
        run: action,
    },
];

fn tag() -> String {
    format!("v{VERSION}")
}

/// Writes the repository's address in every place that names it.
pub fn fill(url: &str) -> Result<ExitCode> {
    address::fill(url)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the checksum of the packed file where it is taken by.
pub fn fill_checksum() -> Result<ExitCode> {
    print!("{}", checksum(&["--write"])?);
    Ok(ExitCode::SUCCESS)
}

pub fn run(options: &Options) -> Result<ExitCode> {
    let names = &options.checks;
    if let Some(name) = names
        .iter()
        .find(|name| CHECKS.iter().all(|check| check.name != name.as_str()))
    {
        bail!("there is no check `{name}`\n\n{}", help());
    }
    let wanted = |check: &&Check| names.is_empty() || names.iter().any(|name| name == check.name);
    let (mut failed, mut left) = (Vec::new(), Vec::new());
    for check in CHECKS.iter().filter(wanted) {
        match attempt(check) {
            Ok(Outcome::NotRun(_)) => left.push(check.name),
            Ok(Outcome::Good(_) | Outcome::NotYet(_)) => {}
            Err(_) => failed.push(check.name),
        }
    }
    if !failed.is_empty() {
        println!("\n{} cannot be published yet: {}", tag(), failed.join(", "));
        return Ok(ExitCode::FAILURE);
    }
    if options.dry_run || !names.is_empty() {
        let untried = match &left[..] {
            [] => String::new(),
            names => format!("; not run: {}", names.join(", ")),
        };
        println!("\nnothing found blocks the release of {}{untried}", tag());
        return Ok(ExitCode::SUCCESS);
    }
    record::set_tag(&tag())?;
    println!("\n{0} is set. Publish it: git push origin {0}", tag());
    Ok(ExitCode::SUCCESS)
}

/// What to do about a check that cannot reach what it needs.
const ELSEWHERE: &str =
    "make it where the network has that; the workflow `release` does, and goes no further without";

/// What to do about a check that compares with a release where there was none.
const FIRST: &str = "nothing before the first release: it compares by itself once there is a tag";

/// Makes one check and prints its line, what it found, and what to do where it failed or was not run.
fn attempt(check: &Check) -> Result<Outcome> {
    let start = Instant::now();
    let result = (check.run)().and_then(|outcome| match outcome {
        Outcome::NotRun(why) if std::env::var_os("CI").is_some() => bail!("not run: {why}"),
        other => Ok(other),
    });
    line(
        &format!("{:<12}{}", check.name, check.about),
        result.is_ok(),
        start,
    );
    match &result {
        Ok(Outcome::Good(found)) => println!("       {found}"),
        Ok(Outcome::NotYet(why)) => {
            println!("1 not run: {}: {why}\n  -> {FIRST}", check.name);
        }
        Ok(Outcome::NotRun(why)) => println!("1 not run: {}: {why}\n  -> {ELSEWHERE}", check.name),
        Err(error) => println!("{}\n  -> {}", run::explain(error), check.advice),
    }
    result
}

/// What the crate's archive may hold: sources, documents, licences, and what Cargo adds.
const HELD: [&str; 6] = [
    "src/",
    "docs/",
    "README.md",
    "LICENSE",
    "Cargo.",
    ".cargo_vcs_info.json",
];

/// Packs and builds the crate as for the registry, without uploading it. Whether all is committed is a check of its own.
fn crate_package() -> Result<Outcome> {
    let cargo = |arguments: &[&str]| {
        run::quiet(
            "crate",
            Command::new("cargo")
                .args(arguments)
                .args(["--package", "tailnet-kit", "--locked", "--allow-dirty"])
                .current_dir(paths::root()),
        )
    };
    let listed = cargo(&["package", "--list"])?;
    let strays: Vec<_> = listed.lines().filter(|file| is_stray(file)).collect();
    ensure!(
        strays.is_empty(),
        "the crate must not hold {}",
        strays.join(", ")
    );
    let sizes = listed
        .lines()
        .filter_map(|file| paths::root().join(file).metadata().ok());
    let takes: u64 = sizes.map(|data| data.len()).sum();
    ensure!(
        takes <= MOST,
        "the crate takes {takes} bytes, more than {MOST}"
    );
    cargo(&["publish", "--dry-run"])?;
    let files = listed.lines().count();
    Ok(Outcome::Good(format!("{files} files, {takes} bytes")))
}

/// Makes the reference of the crate with all features; a warning, such as of a link that leads nowhere, is a fault.
fn reference() -> Result<Outcome> {
    let mut doc = Command::new("cargo");
    doc.args(["doc", "--no-deps", "--all-features", "--locked"])
        .env("RUSTDOCFLAGS", "-D warnings");
    run::quiet("doc", doc.current_dir(paths::root()))?;
    Ok(Outcome::Good("no warning, with all features".to_owned()))
}

/// The most that the crate may take before it is packed, in bytes: what it takes and a tenth more.
const MOST: u64 = 3_400_000;

/// What was not named, and what the site's tools leave beside the documents.
fn is_stray(file: &str) -> bool {
    let is_document = file.ends_with(".md") && !file.contains("node_modules");
    let is_beside = file.starts_with("docs/") && !is_document;
    is_beside || !HELD.iter().any(|held| file.starts_with(held))
}

/// The rows that look at the tarball itself; `cargo xtask test` says whether it works.
const ROWS: [&str; 6] = ["files", "packaging", "types", "api", "publint", "attw"];

fn npm_package() -> Result<Outcome> {
    let tarball = package::pack()?;
    npm::install("tests/js")?;
    let mut rows = Command::new("node");
    rows.arg("tests/js/run.mjs").arg("--tarball").arg(&tarball);
    run::quiet("npm", rows.args(ROWS).current_dir(paths::root()))?;
    let mut publish = npm::npm(&paths::root());
    publish.arg("publish").arg(&tarball);
    run::quiet(
        "npm publish",
        publish.args(["--dry-run", "--ignore-scripts", "--access=public"]),
    )?;
    Ok(Outcome::Good(format!("rows: {}", ROWS.join(", "))))
}

/// How heavy the extension may be, in bytes.
const EXTENSION: u64 = 1_800_000;

/// Makes the file that VS Code installs, which the workflow adds to the release.
fn extension() -> Result<Outcome> {
    let tarball = package::pack()?;
    npm::install("editors/vscode")?;
    let name = format!("tailnet-policy-{VERSION}.vsix");
    let file = paths::root().join("target/npm").join(&name);
    let mut pack = npm::npm(&paths::root().join("editors/vscode"));
    pack.args(["run", "package", "--", "--out"]).arg(&file);
    run::quiet("extension", pack.env("TARBALL", tarball))?;
    let bytes = std::fs::metadata(&file)?.len();
    ensure!(
        bytes <= EXTENSION,
        "{name} has {bytes} bytes, at most {EXTENSION} are wanted"
    );
    Ok(Outcome::Good(format!("target/npm/{name}, {bytes} bytes")))
}

/// Makes `target/action`, which the workflow puts on the branch of the action.
fn action() -> Result<Outcome> {
    let checksum = checksum(&[])?;
    let mut make = Command::new("node");
    run::quiet(
        "action",
        make.arg("pkg/scripts/action.mjs")
            .current_dir(paths::root()),
    )?;
    Ok(Outcome::Good(format!("target/action; {}", checksum.trim())))
}

/// The checksum of the packed file, which the hooks of pre-commit and the job of GitLab name.
fn checksum(arguments: &[&str]) -> Result<String> {
    let mut node = Command::new("node");
    node.arg("pkg/scripts/packed.mjs").arg(package::pack()?);
    run::quiet("packed", node.args(arguments).current_dir(paths::root()))
}

#[cfg(test)]
mod tests {
    use super::is_stray;
    use crate::paths;

    #[test]
    fn the_workflow_publishes_with_provenance() {
        let file = paths::root().join(".github/workflows/release.yml");
        let workflow = std::fs::read_to_string(file).unwrap();
        let publishes =
            |line: &&str| line.contains("npm publish") && line.contains(" --provenance");
        assert_eq!(workflow.lines().filter(publishes).count(), 1);
        assert!(workflow.contains("id-token: write"));
    }

    #[test]
    fn the_crate_holds_sources_documents_and_licences_only() {
        for file in [
            "src/lib.rs",
            "docs/service.md",
            "Cargo.toml.orig",
            "Cargo.lock",
            "LICENSE-MIT",
            ".cargo_vcs_info.json",
        ] {
            assert!(!is_stray(file), "{file}");
        }
        for file in [
            "tests/wire.rs",
            "pkg/package.json",
            "docs/package-lock.json",
            "docs/node_modules/typedoc/README.md",
            ".github/workflows/test.yml",
        ] {
            assert!(is_stray(file), "{file}");
        }
    }
}
