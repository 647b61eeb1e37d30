//! What a release takes from others, and what it promises them: licences, known holes, the public items of the crate.
//! Must not live here: which of these are let pass (`deny.toml`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::outcome::Outcome;
use super::record::tag_before;
use crate::run::Failed;
use crate::{npm, paths, run, tools};

/// The folders whose npm packages make or test what is released.
const LOCKED: [&str; 6] = [
    "pkg",
    "editors/vscode",
    "tests/js",
    "tests/demo",
    "www",
    "benches/js",
];

/// What a program says where the list of holes, or the network itself, is out of reach.
const OUT_OF_REACH: [&str; 3] = [
    "failed to fetch advisory database",
    "audit endpoint returned an error",
    "getaddrinfo",
];

/// Licences, sources and doubles of the crates.
pub fn licences() -> Result<Outcome> {
    let deny = tools::cargo_deny()?;
    cargo(
        "deny",
        &deny,
        &["deny", "--locked", "check", "licenses", "bans", "sources"],
    )?;
    Ok(Outcome::Good("licences, sources, doubles".to_owned()))
}

/// Known holes in the crates.
pub fn advisories() -> Result<Outcome> {
    let deny = tools::cargo_deny()?;
    let checked = cargo(
        "advisories",
        &deny,
        &["deny", "--locked", "check", "advisories"],
    );
    within_reach(checked, "none known in the crates")
}

/// Known holes in the npm packages. The released one needs none at run time, but carries pieces of some.
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

/// The crate breaks nothing that the version before it promised, or its own version says that it may.
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

/// A check that failed for want of the network has not been made.
fn within_reach(checked: Result<String>, good: &str) -> Result<Outcome> {
    let Err(error) = checked else {
        return Ok(Outcome::Good(good.to_owned()));
    };
    let words = error
        .downcast_ref::<Failed>()
        .and_then(|failed| out_of_reach(&failed.output));
    words.map_or(Err(error), |words| Ok(Outcome::NotRun(words)))
}

/// The line that says so.
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
    fn what_is_out_of_reach_is_told_from_what_is_wrong() {
        let reached = |text| out_of_reach(text).is_none();
        assert!(reached("found 2 vulnerabilities (1 high)"));
        assert!(reached("advisories FAILED"));
        assert!(!reached("x\nnpm error audit endpoint returned an error\n"));
        assert!(!reached(
            "[ERROR] failed to fetch advisory database https://a.example"
        ));
    }
}
