//! The `policy` namespace but for the verbs of `check`: documents as text, questions and contexts as JSON text. Must not live here:
//! anything but calls; the form of questions is in `asked`.
//!
//! `length` is that of the document in the buffer of `text`; `before` and `after` are those of two, each with `context` behind it,
//! that of its context. These lie one behind the other; an empty `context_after` stands for the same context.

use std::rc::Rc;

use serde::{Serialize, Serializer};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::json::{through_json, to_json};
use crate::splices::{TextEdit, text_edits};
use crate::texts::with_texts;
use crate::thrown::Thrown;
use crate::{asked, dialect, memo, spoken};
use tailnet_kit::policy::{
    self, AccessChange, Dialect, Error, Guard, LoginsThere, PolicyContext, Repair,
    diff_access_between, diff_powers, diff_ssh_between,
};

/// What changed between two documents in meaning.
#[wasm_bindgen]
pub fn policy_diff(
    before: usize,
    after: usize,
    dialect_before: u8,
    dialect_after: u8,
) -> Result<JsValue, Thrown> {
    with_texts([before, after], |[before, after]| {
        let before = dialect::named(before, dialect_before);
        let after = dialect::named(after, dialect_after);
        Ok(through_json(&policy::diff(before, after)?))
    })
}

/// Answers about the devices of a context, each as JSON text.
macro_rules! of_devices {
    ($($(#[$about:meta])+ $name:ident = |$policy:ident, $context:ident| $found:expr;)+) => {$(
        $(#[$about])+
        #[wasm_bindgen]
        pub fn $name(length: usize, context: usize) -> Result<String, Thrown> {
            let reading = memo::open(length, context)?;
            let ($policy, $context) = (reading.policy(), reading.context_of_devices()?);
            Ok(to_json(&$found))
        }
    )+};
}

of_devices! {
    /// The packet filter of each device, packed: too much for values made one by one.
    policy_filters = |policy, context| policy::packed_filters(context, &policy.filters(context));
    /// The ssh rules of each device, packed.
    policy_ssh = |policy, context| policy::packed_ssh_rules(&policy.ssh_rules(context));
    /// What `nodeAttrs` give each device, by its id.
    policy_node_attrs = |policy, context| ByDevice(context, policy.node_attributes(context));
    /// Whom each device sees, packed.
    policy_visible_peers = |policy, context| policy::packed_peers(context, &policy.visible_peers(context));
    /// What becomes of the routes that each device advertises, by its id.
    policy_approved_routes = |policy, context| ByDevice(context, policy.approved_routes(context));
}

/// Who reaches what, packed, as JSON text: compared with the document of the third text, unless that is empty.
#[wasm_bindgen]
pub fn policy_access(
    length: usize,
    context: usize,
    base: usize,
    options: &str,
) -> Result<String, Thrown> {
    let options = asked::access(options)?;
    let (text, base) = memo::open_beside([length, context, base])?;
    let base = base.as_deref().map(memo::Reading::judge);
    let matrix = text.judge().access_since(base, &options)?;
    Ok(to_json(&policy::packed_matrix(&matrix)))
}

/// Who may log in to what, as JSON text: compared with the document of the third text, unless that is empty.
#[wasm_bindgen]
pub fn policy_logins(
    length: usize,
    context: usize,
    base: usize,
    options: &str,
) -> Result<String, Thrown> {
    let options = asked::access(options)?;
    let (text, base) = memo::open_beside([length, context, base])?;
    let base = base.as_deref().map(memo::Reading::judge);
    Ok(to_json(&text.judge().logins_since(base, &options)?))
}

/// What somebody may do besides reaching, packed, as JSON text.
#[wasm_bindgen]
pub fn policy_powers(length: usize, context: usize) -> Result<String, Thrown> {
    let reading = memo::open(length, context)?;
    let powers = reading.policy().powers(reading.context());
    Ok(to_json(&policy::packed_powers(powers)))
}

/// Differences between two documents, each in its own context, as JSON text.
macro_rules! differences {
    ($($(#[$about:meta])* $name:ident = |$before:ident, $after:ident| $changes:expr;)*) => {
        $($(#[$about])*
        #[wasm_bindgen]
        pub fn $name(
            before: usize,
            context: usize,
            after: usize,
            context_after: usize,
        ) -> Result<String, Thrown> {
            let [$before, $after] = memo::open_both([before, context, after, context_after])?;
            Ok(to_json(&$changes))
        })*
    };
}

differences! {
    /// Who gains and who loses access, packed.
    policy_diff_access = |before, after| policy::packed_changes(
        &diff_access_between([before.judge(), after.judge()])
    );
    /// Who gains and who loses logins.
    policy_diff_ssh = |before, after| diff_ssh_between([before.judge(), after.judge()]);
    /// Who gains and who loses powers, packed.
    policy_diff_powers = |before, after| policy::packed_power_changes(diff_powers(
        before.policy(),
        after.policy(),
        [before.context(), after.context()],
    ));
}

/// Everything that a reviewer of a change wants to know, as JSON text of a pair: who gains and who loses access, packed, and all
/// but that. `guard` is a guard file, or the JSON text of a list.
#[wasm_bindgen]
pub fn policy_review(
    before: usize,
    context: usize,
    after: usize,
    context_after: usize,
    guard: Option<String>,
    is_file: bool,
    bases: &str,
) -> Result<String, Thrown> {
    let guard = guard.map(|text| Guard::read(&text, is_file));
    let guard = guard.transpose()?;
    let readings = memo::open_both([before, context, after, context_after])?;
    Ok(reviewed(&readings, guard.as_ref(), &asked::texts(bases)?)?)
}

fn reviewed(
    [before, after]: &[Rc<memo::Reading>; 2],
    guard: Option<&Guard>,
    bases: &[(String, String)],
) -> Result<String, Error> {
    let (old, new) = (before.check(), after.check());
    let (old, new) = (before.judged(&old), after.judged(&new));
    let prove = |guard| after.policy().prove(guard, bases, after.context());
    let proof = guard.map(prove).transpose()?;
    let mut found = policy::review(old, new, proof);
    let access = std::mem::take(&mut found.access);
    Ok(to_json(&(policy::packed_changes(&access), &found)))
}

/// Whether the assertions of a guard hold, as JSON text; `bases` are the texts of other policies by name.
#[wasm_bindgen]
pub fn policy_prove(
    length: usize,
    context: usize,
    guard: &str,
    is_file: bool,
    bases: &str,
) -> Result<String, Thrown> {
    let (guard, bases) = (Guard::read(guard, is_file)?, asked::texts(bases)?);
    let reading = memo::open(length, context)?;
    let proof = (reading.policy()).prove(&guard, &bases, reading.context())?;
    Ok(to_json(&proof))
}

/// The smallest edits that allow a flow, as JSON text.
#[wasm_bindgen]
pub fn policy_repair(
    length: usize,
    context: usize,
    flow: &str,
    now: &str,
) -> Result<String, Thrown> {
    let flow = asked::flow(flow, now)?;
    let reading = memo::open(length, context)?;
    let repairs = reading.judge().repair(&flow)?;
    let shown = |repair| ShownRepair::of(reading.text(), repair);
    Ok(to_json(&repairs.iter().map(shown).collect::<Vec<_>>()))
}

#[derive(Serialize)]
struct ShownRepair<'r> {
    edits: Vec<TextEdit<'r>>,
    text: &'r str,
    title: &'r str,
    changes: &'r [AccessChange],
}

impl<'r> ShownRepair<'r> {
    fn of(text: &str, repair: &'r Repair) -> ShownRepair<'r> {
        ShownRepair {
            edits: text_edits(text, &repair.edits),
            text: &repair.text,
            title: &repair.title,
            changes: &repair.changes,
        }
    }
}

/// The text in the other language, what is lost, and whether the network has the same access, as JSON text. `to` is the number of a dialect, `logins`
/// the JSON of an object: users there by users here. One of the two languages is Headscale's.
#[wasm_bindgen]
pub fn policy_translate(
    length: usize,
    context: usize,
    to: u8,
    logins: &str,
) -> Result<String, Thrown> {
    spoken::needs(Dialect::Headscale);
    let (to, logins) = (dialect::of(to), asked::texts(logins)?);
    with_texts([length, context], |[text, context]| {
        Ok(translated(text, context, to, &logins)?)
    })
}

fn translated(
    text: &str,
    context: &str,
    to: Dialect,
    logins: &LoginsThere,
) -> Result<String, Error> {
    let context = PolicyContext::read(context).map_err(Error::Argument)?;
    Ok(to_json(&policy::translate(text, &context, to, logins)?))
}

/// The text with another name for a thing, wherever the name stands. Here and not beside the other edits: it knows what may stand
/// where, as the engine does, and whoever edits texts alone does without that.
#[wasm_bindgen]
pub fn policy_rename(text: &str, from: &str, to: &str, dialect: u8) -> Result<String, Thrown> {
    Ok(policy::rename(dialect::named(text, dialect), from, to)?)
}

/// What was found of each device, under its id.
struct ByDevice<'t, T>(&'t PolicyContext, Vec<T>);

impl<T: Serialize> Serialize for ByDevice<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ids = self.0.devices.iter().flatten().map(|device| &device.id);
        serializer.collect_map(ids.zip(&self.1))
    }
}
