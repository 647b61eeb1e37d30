//! Prints the JSON Schema of the policy file: draft 2020-12, or draft-07 with `draft-07` behind. The npm package takes its
//! schemas from here. Must not live here: the schema itself.

use tailnet_kit::policy::{Draft, schema};

fn main() {
    let draft = match std::env::args().nth(1).as_deref() {
        Some("draft-07") => Draft::Seven,
        _ => Draft::Latest,
    };
    print!("{}", schema(draft));
}
