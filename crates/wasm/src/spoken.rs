//! Whether this file has what reads a dialect. Must not live here: which dialect a text is in.

use tailnet_kit::policy::{Dialect, Policy};
use wasm_bindgen::throw_val;

/// What is thrown: a mark for the host, which is no error that anybody gets.
const ABSENT: &str = "dialect_absent";

/// Throws unless the dialect can be read. The host then adds the file that has it and calls again, or says what to import
/// (`pkg/common/host.js`); nothing may be borrowed here, as nothing is given back.
pub(crate) fn needs(dialect: Dialect) {
    if !Policy::reads(dialect) {
        throw_val(ABSENT.into());
    }
}
