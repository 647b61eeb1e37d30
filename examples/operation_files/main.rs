//! Writes the files of the npm package that are made of the rows of the table of operations: `openapi.json`, the methods of the clients and their
//! declarations. `cargo xtask package` runs it: `cargo run --example operation_files`. Must not live here: what is in the files.

mod bodies;
mod declarations;
#[path = "../../tests/common/exchanges.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod exchanges;
mod methods;
mod openapi;
mod types;

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    for (file, text) in [
        ("openapi.json", openapi::document()),
        ("src/methods.js", methods::module()),
        ("src/headscale-methods.js", methods::headscale_module()),
        ("types/methods.d.ts", declarations::methods()),
        (
            "types/headscale-methods.d.ts",
            declarations::headscale_methods(),
        ),
        ("types/operation.d.ts", declarations::names()),
    ] {
        let pkg = Path::new(env!("CARGO_MANIFEST_DIR")).join("pkg");
        fs::write(pkg.join(file), text)?;
    }
    Ok(())
}
