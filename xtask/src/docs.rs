//! `cargo xtask docs`: the site of the package's reference and guides.
//! Must not live here: what it says (the declarations in `pkg`, the documents in `docs`), or how it looks (`docs/typedoc.json`).

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Result, ensure};

use crate::output::timed;
use crate::{npm, paths, run};

pub const HELP: &str = "\
cargo xtask docs

Writes the site of the package into target/docs: a page for each declared name, the documents of docs/ and the guides.
A link that leads nowhere is an error. Any static host serves it; index.html opens from the disk as well.";

pub fn run() -> Result<ExitCode> {
    let site = build()?;
    let place = site.strip_prefix(paths::root());
    println!("{}", place.unwrap_or(&site).display());
    Ok(ExitCode::SUCCESS)
}

/// Writes the site; returns its first page.
pub fn build() -> Result<PathBuf> {
    let programs = npm::install("docs")?;
    timed("site", || {
        let mut types = Command::new("node");
        types.arg("scripts/types.mjs");
        run::quiet("types", types.current_dir(paths::root().join("pkg")))?;
        let mut typedoc = Command::new(programs.join("typedoc"));
        typedoc.current_dir(paths::root().join("docs"));
        run::quiet("docs", &mut typedoc)
    })?;
    let page = paths::root().join("target/docs/index.html");
    ensure!(page.is_file(), "typedoc left no {}", page.display());
    Ok(page)
}
