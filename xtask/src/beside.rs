//! `cargo xtask test recorded --beside FOLDER` and `contract`: comparisons with what the repository does not hold, and so no part of
//! a whole run. Must not live here: what is compared (`tests/recorded`, `tests/js/beside`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::step::{Course, Shows, Step, Tests};
use crate::{npm, package, paths, run};

/// Tells the tests where the folder is.
const VARIABLE: &str = "TAILNET_KIT_BESIDE";

pub struct Comparison {
    pub name: &'static str,
    pub about: &'static str,
    /// What the folder must hold.
    needs: &'static str,
    /// The native test program, if there is one.
    native: Option<&'static str>,
    /// The rows of `tests/js/run.mjs`.
    rows: &'static [&'static str],
}

pub const COMPARISONS: &[Comparison] = &[
    Comparison {
        name: "recorded",
        about: "what the real service answered",
        needs: "policy-corpus",
        native: Some("recorded"),
        rows: &["recorded-schema", "recorded-answers"],
    },
    Comparison {
        name: "contract",
        about: "the declarations and a contract",
        needs: "contract.d.ts",
        native: None,
        rows: &["contract"],
    },
];

/// Runs the comparison with the files in `folder`; without them it fails.
pub fn run(comparison: &Comparison, folder: Option<&Path>, course: &mut Course) {
    let mut take = |what: &str, shows: Shows, work: &(dyn Fn(&Path) -> Result<String> + Sync)| {
        course.take(&Step {
            name: comparison.name,
            about: &format!("{}, {what}", comparison.about),
            advice: "with `--beside FOLDER`",
            tests: Tests::AtLeastOne,
            shows,
            run: &|| work(&complete(comparison, folder)?),
        });
    };
    if let Some(program) = comparison.native {
        take("natively", Shows::Closing, &|folder| {
            natively(program, folder)
        });
    }
    take("in Node", Shows::All, &|folder| in_node(comparison, folder));
}

/// The folder by its whole path, if it holds what is needed.
fn complete(comparison: &Comparison, folder: Option<&Path>) -> Result<PathBuf> {
    let Comparison { name, needs, .. } = comparison;
    let folder = folder.with_context(|| {
        format!("this compares with files that the repository does not hold: `cargo xtask test {name} --beside FOLDER` says where they are")
    })?;
    ensure!(
        folder.join(needs).exists(),
        "the folder of `--beside` holds no `{needs}`: name the folder in which it lies"
    );
    folder.canonicalize().context("the folder of `--beside`")
}

fn natively(program: &str, folder: &Path) -> Result<String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--locked", "--test", program]);
    cargo.env(VARIABLE, folder).current_dir(paths::root());
    run::quiet("recorded", &mut cargo)
}

/// Builds the package if it is older than its sources.
fn in_node(comparison: &Comparison, folder: &Path) -> Result<String> {
    let tarball = package::pack()?;
    npm::install("tests/js")?;
    let mut node = Command::new("node");
    node.arg("tests/js/run.mjs").arg("--tarball").arg(tarball);
    node.args(comparison.rows).env(VARIABLE, folder);
    let label = format!("{}-node", comparison.name);
    run::quiet(&label, node.current_dir(paths::root()))
}
