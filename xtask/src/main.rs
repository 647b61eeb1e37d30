//! `cargo xtask`: the commands of this repository. Must not live here: anything the product ships.

fn main() {}
