//! `bind WASM NAME FOLDER`: writes `NAME_bg.wasm` and its glue into a folder, byte for byte as the command `wasm-bindgen` does, of which this is
//! the library, so that no command has to be installed. Must not live here: what is bound, and what becomes of it (`xtask/src/package`).

use std::env;
use std::ffi::OsString;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let [wasm, name, folder] = arguments.as_slice() else {
        bail!("usage: bind WASM NAME FOLDER");
    };
    // With the names as the compiler writes them, by which the cutter finds a function.
    Bindgen::new()
        .bundler(true)?
        .typescript(false)
        .demangle(false)
        .input_path(wasm)
        .out_name(name.to_str().context("the name is no text")?)
        .generate(folder)
}
