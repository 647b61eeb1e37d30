//! What a release takes from others and what it promises to others: licences, known vulnerabilities, the public items of the
//! crate. Must not live here: which licences and advisories are accepted (`deny.toml`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::outcome::Outcome;
use super::record::tag_before;
use crate::run::Failed;
use crate::{npm, paths, run, tools};

/// The folders whose npm packages build or test what is released. `tests/js/vscode` is not one: it is an old VS Code on purpose, as
/// that runs in the oldest Node that is supported, and only tests open it, on this machine.
const LOCKED: [&str; 6] = [
    "pkg",
    "editors/vscode",
    "tests/js",
    "tests/demo",
    "www",
    "benches/js",
];

/// What a program prints where the list of vulnerabilities, or the network itself, is out of reach.
const OUT_OF_REACH: [&str; 3] = [
    "failed to fetch advisory database",
    "audit endpoint returned an error",
    "getaddrinfo",
];

/// Checks the crates' licences, their sources, and that none is there in two versions.
pub fn licences() -> Result<Outcome> {
    let deny = tools::cargo_deny()?;
    cargo(
        "deny",
        &deny,
        &["deny", "--locked", "check", "licenses", "bans", "sources"],
    )?;
    Ok(Outcome::Good("licences, sources, duplicates".to_owned()))
}

/// Looks for known vulnerabilities of the crates.
pub fn advisories() -> Result<Outcome> {
    let deny = tools::cargo_deny()?;
    let checked = cargo(
        "advisories",
        &deny,
        &["deny", "--locked", "check", "advisories"],
    );
    within_reach(checked, "none known in the crates")
}

/// Looks for known vulnerabilities of the npm packages. The released package needs none at run time, but carries pieces of some.
pub fn audit() -> Result<Outcome> {
    for folder in LOCKED {
        let mut npm = npm::npm(&paths::root().join(folder));
        let audited = run::quiet(
            &format!("audit {folder}"),
            npm.args(["audit", "--audit-level=high"]),
        );
        match within_reach(audited, "")? {
            Outcome::Good(_) => continue,
            other => return Ok(other),
        }
    }
    Ok(Outcome::Good(format!(
        "none known in the npm packages of {}",
        LOCKED.join(", ")
    )))
}

/// Checks that the crate keeps what the version before it promised, or that its version number allows it to break that.
pub fn semver(tag: &str) -> Result<Outcome> {
    let Some(before) = tag_before(tag) else {
        return Ok(Outcome::NotYet("no earlier tag to compare with".to_owned()));
    };
    let tool = tools::semver_checks()?;
    let arguments = [
        "semver-checks",
        "--package",
        "tailnet-kit",
        "--baseline-rev",
    ];
    cargo("semver", &tool, &[&arguments[..], &[&before]].concat())?;
    Ok(Outcome::Good(format!("compared with {before}")))
}

fn cargo(label: &str, folder: &Path, arguments: &[&str]) -> Result<String> {
    let path = paths::search_path(&[PathBuf::from(folder)])?;
    run::quiet(
        label,
        Command::new("cargo")
            .args(arguments)
            .env("PATH", path)
            .current_dir(paths::root()),
    )
}

/// A check that failed for want of the network counts as not run.
fn within_reach(checked: Result<String>, good: &str) -> Result<Outcome> {
    let Err(error) = checked else {
        return Ok(Outcome::Good(good.to_owned()));
    };
    let words = error
        .downcast_ref::<Failed>()
        .and_then(|failed| out_of_reach(&failed.output));
    words.map_or(Err(error), |words| Ok(Outcome::NotRun(words)))
}

/// The words in the output that say that something is out of reach.
fn out_of_reach(output: &str) -> Option<String> {
    let said = |line: &&str| OUT_OF_REACH.iter().any(|words| line.contains(words));
    let line = output.lines().find(said)?;
    let words = OUT_OF_REACH.iter().find(|words| line.contains(**words))?;
    Some((*words).to_owned())
}

#[cfg(test)]
mod tests {
    use super::out_of_reach;

    #[test]
    fn an_unreachable_service_is_told_apart_from_a_finding() {
        let reached = |text| out_of_reach(text).is_none();
        assert!(reached("found 2 vulnerabilities (1 high)"));
        assert!(reached("advisories FAILED"));
        assert!(!reached("x\nnpm error audit endpoint returned an error\n"));
        assert!(!reached(
            "[ERROR] failed to fetch advisory database https://a.example"
        ));
    }
}
