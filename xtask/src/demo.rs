//! `cargo xtask demo`: builds what is missing and serves the demo page, or writes it to a folder.
//! Must not live here: the page itself (`www/`).

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::output::timed;
use crate::package::Finish;
use crate::{npm, package, paths, run};

pub const DEFAULT_PORT: u16 = 8080;
pub const HELP: &str = "\
cargo xtask demo [--draft] [--port N | --build FOLDER]

Builds what is missing and serves the demo at http://127.0.0.1:8080/ (or another port) until Ctrl-C.
--build writes its files to a new or empty folder instead: any static host serves them, at any path.
--draft is for who edits: the wasm is hardly optimised, larger and slower, and a changed line is on the page in less than a minute.";

/// Serves the page until Ctrl-C. The page is built first, so that it is the one that would be deployed.
pub fn run(port: u16, finish: Finish) -> Result<ExitCode> {
    free(port)?;
    let programs = build(&paths::root().join("www/dist"), finish)?;
    println!(
        "the demo is at http://{}:{port}/ (end it with Ctrl-C)",
        Ipv4Addr::LOCALHOST
    );
    let mut vite = Command::new(programs.join("vite"));
    vite.args([
        "preview",
        "--host",
        "127.0.0.1",
        "--strictPort",
        "--port",
        &port.to_string(),
        "--logLevel",
        "warn",
    ]);
    let status = vite
        .current_dir(paths::root().join("www"))
        .status()
        .context("cannot start vite")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Writes the built page to a folder that holds nothing else.
pub fn leave(folder: &Path, finish: Finish) -> Result<ExitCode> {
    let folder = std::path::absolute(folder)?;
    let shown = folder.display();
    if folder
        .read_dir()
        .is_ok_and(|mut files| files.next().is_some())
    {
        bail!("{shown} is not empty: name a new folder");
    }
    build(&folder, finish)?;
    println!("the demo is in {shown}: any static host serves it, at any path");
    Ok(ExitCode::SUCCESS)
}

/// Builds the page into a folder; returns the folder of the page's build programs.
fn build(folder: &Path, finish: Finish) -> Result<PathBuf> {
    package::assemble_as(finish)?;
    let programs = npm::install("www")?;
    timed("demo page", || {
        let mut page = npm::npm(&paths::root().join("www"));
        page.args(["run", "build", "--", "--outDir"]).arg(folder);
        run::quiet("demo page", &mut page)
    })?;
    Ok(programs)
}

/// Fails where the port is taken, before anything is built.
fn free(port: u16) -> Result<()> {
    let asked = (Ipv4Addr::LOCALHOST, port);
    TcpListener::bind(asked)
        .map(drop)
        .with_context(|| format!("port {port} is not free: choose another with --port"))
}
