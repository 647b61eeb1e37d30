//! The namespace `policy.edit`: texts of policies, with the rest as JSON text. Must not live here: anything but calls.

use wasm_bindgen::prelude::wasm_bindgen;

use super::arguments::Arguments;
use crate::policy::edit::{self, Error};

/// The text with one more rule.
#[wasm_bindgen]
pub fn edit_add_rule(text: &str, rule: &str, at: Option<usize>) -> Result<String, Error> {
    edit::add_rule(text, rule, at)
}

/// The text with one rule less.
#[wasm_bindgen]
pub fn edit_remove_rule(text: &str, index: usize) -> Result<String, Error> {
    edit::remove_rule(text, index)
}

/// The text with these members of a group, from the JSON of its name and of them.
#[wasm_bindgen]
pub fn edit_set_group(text: &str, arguments: &str) -> Result<String, Error> {
    let arguments = Arguments::read(arguments)?;
    let (name, members) = (arguments.text(0)?, arguments.optional(1, Arguments::texts)?);
    edit::set_group(text, name, members.as_deref())
}

/// The text with this address of an alias, from the JSON of its name and of the address.
#[wasm_bindgen]
pub fn edit_set_host(text: &str, arguments: &str) -> Result<String, Error> {
    let arguments = Arguments::read(arguments)?;
    let (name, address) = (arguments.text(0)?, arguments.optional(1, Arguments::text)?);
    edit::set_host(text, name, address)
}
