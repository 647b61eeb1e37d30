//! The namespace `policy.edit`: texts of policies in the buffer of `text`, by their lengths and dialects, with the rest as the JSON text
//! of a list.
//! An edit leaves the new text in the buffer and returns its length. Must not live here: anything but calls.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{Arguments, unfit};
use crate::convert::to_js;
use crate::dialect;
use crate::error::InvalidArgument;
use crate::splices::text_edits;
use crate::text::{put, with_text};
use crate::texts::with_texts;
use crate::thrown::Thrown;
use tailnet_kit::hujson::{self, Locator, Span, Splice, Value};
use tailnet_kit::policy::PolicyText;
use tailnet_kit::policy::edit::{self, Approval, Disabled, EditError, ListSection};

/// Edits: what each makes of a text and the JSON of its arguments; the length of the new text, which is in the buffer then.
macro_rules! edits {
    ($($(#[$about:meta])+ $name:ident = |$text:ident, $given:ident| $edited:expr;)+) => {$(
        $(#[$about])+
        #[wasm_bindgen]
        pub fn $name(length: usize, dialect: u8, arguments: &str) -> Result<usize, Thrown> {
            edited((length, dialect), arguments, &|$text, $given| $edited)
        }
    )+};
}

edits! {
    /// The text with one more rule, from the JSON of it and its place.
    edit_add_rule = |text, given| edit::add_rule(text, entry(given, 0), place(given, 1)?);
    /// The text with one rule less, from the JSON of its place.
    edit_remove_rule = |text, given| edit::remove_rule(text, given.place(0)?);
    /// The text with one more entry, from the JSON of its section, of it and its place.
    edit_add = |text, given| edit::add(text, section(given)?, entry(given, 1), place(given, 2)?);
    /// The text with another entry, from the JSON of its section, its place and of it.
    edit_replace = |text, given| edit::replace(text, section(given)?, given.place(1)?, entry(given, 2));
    /// The text with one entry less, from the JSON of its section and place.
    edit_remove = |text, given| edit::remove(text, section(given)?, given.place(1)?);
    /// The text with an entry in another place, from the JSON of its section and both places.
    edit_move = |text, given| edit::relocate(text, section(given)?, given.place(1)?, given.place(2)?);
    /// The text with an entry as a comment, from the JSON of its section and place.
    edit_disable = |text, given| edit::disable(text, section(given)?, given.place(1)?);
    /// The text with that entry again, from the JSON of the UTF-16 offset of its comment.
    edit_enable = |text, given| {
        let at = hujson::byte_offset(text.text, given.place(0)?);
        edit::enable(text, placed(at)?)
    };
    /// The text with these members of a group, from the JSON of its name and of them.
    edit_set_group = |text, given| edit::set_group(text, given.text(0)?, list(given, 1)?.as_deref());
    /// The text with these owners of a tag, from the JSON of both.
    edit_set_tag_owners = |text, given| edit::set_tag_owners(text, given.text(0)?, list(given, 1)?.as_deref());
    /// The text with these operations of an ipset, from the JSON of its name and of them.
    edit_set_ipset = |text, given| edit::set_ipset(text, given.text(0)?, list(given, 1)?.as_deref());
    /// The text with these conditions of a posture, from the JSON of its name and of them.
    edit_set_posture = |text, given| edit::set_posture(text, given.text(0)?, list(given, 1)?.as_deref());
    /// The text with these postures by default, from the JSON of them.
    edit_set_default_src_posture = |text, given| edit::set_default_src_posture(text, list(given, 0)?.as_deref());
    /// The text with these approvers, from the JSON of what they approve and of them.
    edit_set_auto_approvers = |text, given|
        edit::set_auto_approvers(text, approval(given)?, list(given, 1)?.as_deref());
    /// The text with this address of an alias, from the JSON of its name and of the address.
    edit_set_host = |text, given| edit::set_host(text, given.text(0)?, given.optional(1, Arguments::text)?);
    /// The text with this configuration of an attribute, from the JSON of its name and of it.
    edit_set_attr_config = |text, given| edit::set_attr_config(text, given.text(0)?, given.given(1).map(Value::raw));
    /// The text with this value of an option, from the JSON of its name and of it.
    edit_set_option = |text, given| edit::set_option(text, given.text(0)?, given.given(1).map(Value::raw));
    /// The text with these edits, from the JSON of their list.
    edit_apply = |text, given| applied(text, given);
}

/// The entries that are comments: `[{ section, line, offset, length }]`, in the order of the text.
#[wasm_bindgen]
pub fn edit_disabled(length: usize, dialect: u8) -> Result<JsValue, Thrown> {
    with_text(length, |text| {
        Ok(to_js(&Place::all(dialect::named(text, dialect))?))
    })
}

/// The smallest edits that make one text of another: `[{ from, to, insert }]`.
#[wasm_bindgen]
pub fn edit_changes(before: usize, after: usize) -> JsValue {
    with_texts([before, after], changes)
}

#[derive(Serialize)]
struct Place {
    section: &'static str,
    line: usize,
    offset: usize,
    length: usize,
}

impl Place {
    fn all(text: PolicyText<'_>) -> Result<Vec<Place>, EditError> {
        let places = Locator::new(text.text);
        let all = edit::disabled(text)?;
        Ok(all.iter().map(|one| Place::of(one, &places)).collect())
    }

    fn of(disabled: &Disabled, places: &Locator<'_>) -> Self {
        let start = places.locate(disabled.span.start);
        Place {
            section: disabled.section.name(),
            line: start.line,
            offset: start.offset,
            length: places.utf16_len(disabled.span),
        }
    }
}

fn changes([before, after]: [&str; 2]) -> JsValue {
    to_js(&text_edits(before, &hujson::changes(before, after)))
}

/// What a verb makes of a text and its arguments.
type Verb<'v> = &'v dyn Fn(PolicyText<'_>, &Arguments<'_>) -> Result<String, EditError>;

/// Puts what a verb makes of the text in the buffer there; its length. Not inlined, as every verb calls it.
#[inline(never)]
fn edited(
    (length, dialect): (usize, u8),
    arguments: &str,
    verb: Verb<'_>,
) -> Result<usize, Thrown> {
    let arguments = Arguments::read(arguments)?;
    Ok(put(with_text(length, |text| {
        verb(dialect::named(text, dialect), &arguments)
    })?))
}

/// A place that may be left out.
fn place(given: &Arguments<'_>, at: usize) -> Result<Option<usize>, InvalidArgument> {
    given.optional(at, Arguments::place)
}

/// An entry as JSON.
fn entry<'a>(given: &'a Arguments<'_>, at: usize) -> &'a str {
    given.given(at).map_or("null", Value::raw)
}

/// Texts, or `null` to take something out.
fn list(given: &Arguments<'_>, at: usize) -> Result<Option<Vec<String>>, InvalidArgument> {
    given.optional(at, Arguments::texts)
}

fn section(given: &Arguments<'_>) -> Result<ListSection, EditError> {
    ListSection::by_name(given.text(0)?)
}

fn approval<'a>(given: &'a Arguments<'_>) -> Result<Approval<'a>, InvalidArgument> {
    let what = given.given(0);
    let member = |name| what.and_then(|what| what.get(name));
    let text = |name| member(name).and_then(Value::as_str);
    match (
        text("route"),
        text("service"),
        member("exitNode").and_then(Value::as_bool),
    ) {
        (Some(prefix), None, None) => Ok(Approval::Route(prefix)),
        (None, Some(name), None) => Ok(Approval::Service(name)),
        (None, None, Some(true)) => Ok(Approval::ExitNode),
        _ => Err(unfit("{route}, {exitNode: true} or {service}")),
    }
}

/// The text with the edits of a list in UTF-16 offsets.
fn applied(text: PolicyText<'_>, given: &Arguments<'_>) -> Result<String, EditError> {
    let text = text.text;
    let edits = given.given(0).into_iter().flat_map(Value::elements);
    let places = Locator::new(text);
    let mut splices = Vec::new();
    for edit in edits {
        let offset = |name| edit.get(name).and_then(|value| value.raw().parse().ok());
        let insert = edit.get("insert").and_then(Value::as_str);
        let (Some(from), Some(to), Some(insert)) = (offset("from"), offset("to"), insert) else {
            return Err(unfit("edits {from, to, insert}").into());
        };
        let (start, end) = (placed(places.byte_at(from))?, placed(places.byte_at(to))?);
        let insert = insert.to_owned();
        splices.push(Splice {
            span: Span { start, end },
            insert,
        });
    }
    let spliced = hujson::splice(text, &splices);
    spliced.ok_or_else(|| EditError::Argument("edits overlap, or end before they begin".to_owned()))
}

/// The byte that was found at a UTF-16 offset.
fn placed(byte: Option<usize>) -> Result<usize, InvalidArgument> {
    byte.ok_or_else(|| unfit("a place in the text"))
}
