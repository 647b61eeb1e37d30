//! What wasm-pack builds: the exports of `tailnet_kit`, linked by naming it. Must not live here: code.
#![forbid(unsafe_code)]

use tailnet_kit as _;
