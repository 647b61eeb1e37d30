//! The `policy` namespace: documents as text, questions and contexts as JSON text. Must not live here: anything but
//! calls; the form of questions is in `asked`.
//!
//! `length` is that of the document in the buffer of `text`.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::asked;
use super::convert::to_js;
use super::faults::from_json;
use super::text::with_text;
use crate::hujson;
use crate::policy::{self, Error, Policy, Preview, Topology, edit};

/// The verdict on a document; never throws for what the document says.
#[wasm_bindgen]
pub fn policy_check(length: usize, context: &str) -> Result<JsValue, Error> {
    let topology = topology(context)?;
    Ok(with_text(length, |acl| {
        to_js(&policy::check(acl, &topology))
    }))
}

/// The rules that concern a user, a tag, an alias, or an address and port. Lines are left out for a document that was no text.
#[wasm_bindgen]
pub fn policy_preview(
    length: usize,
    is_text: bool,
    query: &str,
    context: &str,
) -> Result<JsValue, Error> {
    let query = asked::query(query)?;
    let ask = |policy: &Policy<'_>, topology: &Topology| {
        Ok(shown(policy.preview(&query, topology)?, is_text))
    };
    with_text(length, |acl| accepted(acl, context, ask)?)
}

/// How the tests of a document end.
#[wasm_bindgen]
pub fn policy_run_tests(length: usize, context: &str) -> Result<JsValue, Error> {
    let topology = topology(context)?;
    with_text(length, |acl| {
        let document = hujson::parse(acl)?;
        Ok(to_js(&Policy::read(&document).run_tests(&topology)))
    })
}

/// Why a flow passes or not.
#[wasm_bindgen]
pub fn policy_explain(length: usize, flow: &str, context: &str) -> Result<JsValue, Error> {
    let flow = asked::flow(flow)?;
    let explain =
        |policy: &Policy<'_>, topology: &Topology| Ok(to_js(&policy.explain(&flow, topology)?));
    with_text(length, |acl| accepted(acl, context, explain)?)
}

/// What changed between two documents in meaning.
#[wasm_bindgen]
pub fn policy_diff(before: &str, after: &str) -> Result<JsValue, hujson::Error> {
    Ok(to_js(&policy::diff(before, after)?))
}

/// The parsed form of a document, as the text of `JSON.stringify`.
#[wasm_bindgen]
pub fn policy_to_json(length: usize) -> Result<String, hujson::Error> {
    with_text(length, policy::to_json)
}

/// The text with one more rule.
#[wasm_bindgen]
pub fn policy_add_rule(text: &str, rule: &str, at: Option<usize>) -> Result<String, Error> {
    edit::add_rule(text, rule, at)
}

/// The text with one rule less.
#[wasm_bindgen]
pub fn policy_remove_rule(text: &str, index: usize) -> Result<String, Error> {
    edit::remove_rule(text, index)
}

/// The text with these members of a group, from the JSON of its name and of them.
#[wasm_bindgen]
pub fn policy_set_group(text: &str, arguments: &str) -> Result<String, Error> {
    let (name, members): (String, Option<Vec<String>>) = from_json(arguments)?;
    edit::set_group(text, &name, members.as_deref())
}

/// The text with this address of an alias, from the JSON of its name and of the address.
#[wasm_bindgen]
pub fn policy_set_host(text: &str, arguments: &str) -> Result<String, Error> {
    let (name, address): (String, Option<String>) = from_json(arguments)?;
    edit::set_host(text, &name, address.as_deref())
}

/// The packet filter of each device, packed, as JSON text: too much for values made one by one.
#[wasm_bindgen]
pub fn policy_filters(length: usize, context: &str) -> Result<String, Error> {
    let ask = |policy: &Policy<'_>, topology: &Topology| {
        let filters = policy.filters(topology);
        text(&policy::packed_filters(topology, &filters))
    };
    with_text(length, |acl| accepted(acl, context, ask))
}

/// The ssh rules of each device, packed, as JSON text.
#[wasm_bindgen]
pub fn policy_ssh(length: usize, context: &str) -> Result<String, Error> {
    let ask = |policy: &Policy<'_>, topology: &Topology| text(&policy.ssh_rules(topology).packed());
    with_text(length, |acl| accepted(acl, context, ask))
}

/// Who reaches what, packed, as JSON text.
#[wasm_bindgen]
pub fn policy_access(length: usize, context: &str) -> Result<String, Error> {
    let ask = |policy: &Policy<'_>, _: &Topology| text(&policy.access().packed());
    with_text(length, |acl| accepted(acl, context, ask))
}

/// Who gains and who loses access between two documents, as JSON text.
#[wasm_bindgen]
pub fn policy_diff_access(before: &str, after: &str, context: &str) -> Result<String, Error> {
    accepted(before, context, |before, topology| {
        let changes =
            |after: &Policy<'_>, _: &Topology| policy::diff_access(before, after, topology);
        Ok(text(&accepted(after, context, changes)?))
    })?
}

/// Nothing in the shapes of this file can fail to become JSON.
fn text(found: &impl Serialize) -> String {
    serde_json::to_string(found).unwrap_or_default()
}

#[inline(never)]
fn topology(json: &str) -> Result<Topology, Error> {
    Topology::read(json).map_err(Error::Argument)
}

/// Lines of a text that nobody wrote mean nothing.
fn shown(preview: Preview<'_>, is_text: bool) -> JsValue {
    match is_text {
        true => to_js(&preview),
        false => to_js(&preview.without_lines()),
    }
}

/// Asks something of a policy that the service would take.
fn accepted<T>(
    acl: &str,
    context: &str,
    ask: impl FnOnce(&Policy<'_>, &Topology) -> T,
) -> Result<T, Error> {
    let topology = topology(context)?;
    let document = hujson::parse(acl)?;
    let policy = Policy::read(&document);
    policy.accept(&topology)?;
    Ok(ask(&policy, &topology))
}
