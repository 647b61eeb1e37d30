//! Prints the JSON Schema of the policy file: draft 2020-12, or draft-07 with `draft-07` behind; of Headscale's with `headscale` behind that. The npm package takes its
//! schemas from here. Must not live here: the schema itself.

use tailnet_kit::policy::{Dialect, Draft, schema};

fn main() {
    let draft = match std::env::args().nth(1).as_deref() {
        Some("draft-07") => Draft::Seven,
        _ => Draft::Latest,
    };
    let dialect = std::env::args().nth(2);
    let dialect = dialect
        .and_then(|name| Dialect::parse(&name))
        .unwrap_or_default();
    print!("{}", schema(draft, dialect));
}
