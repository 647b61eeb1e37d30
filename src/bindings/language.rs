//! The namespace `language`: texts with UTF-16 offsets in, answers with such offsets out.
//! Must not live here: anything but calls and that way of counting.
//!
//! `length` is that of the text in the buffer of `text`; the returned one that of the answer there, which is JSON.

use std::cell::Cell;
use std::rc::Rc;

use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use super::json::to_json;
use super::text::{put, with_text};
use crate::hujson::{Locator, byte_offset};
use crate::policy::service::{self, Placed, TextRange, Token, TokenType};
use crate::policy::{Error, PolicyContext};

/// The context that was given last, and its JSON: while somebody types, it stays the same.
type Known = Option<(Box<str>, Rc<PolicyContext>)>;

thread_local! {
    static KNOWN: Cell<Known> = const { Cell::new(None) };
}

/// The issues of a text with their fixes.
#[wasm_bindgen]
pub fn language_diagnostics(length: usize, context: &str) -> Result<usize, Error> {
    let known = read_context(context)?;
    Ok(answer(length, |text| service::diagnostics(text, &known)))
}

/// What may be written at an offset.
#[wasm_bindgen]
pub fn language_complete(length: usize, offset: usize, context: &str) -> Result<usize, Error> {
    let known = read_context(context)?;
    Ok(at(length, offset, |text, at| {
        service::complete(text, at, &known)
    }))
}

/// What there is to know of the word at an offset.
#[wasm_bindgen]
pub fn language_hover(length: usize, offset: usize, context: &str) -> Result<usize, Error> {
    let known = read_context(context)?;
    Ok(at(length, offset, |text, at| {
        service::hover(text, at, &known)
    }))
}

/// Where the name at an offset is defined.
#[wasm_bindgen]
pub fn language_definition(length: usize, offset: usize) -> usize {
    at(length, offset, service::definition)
}

/// Every place of the name at an offset.
#[wasm_bindgen]
pub fn language_references(length: usize, offset: usize) -> usize {
    at(length, offset, service::references)
}

/// The name at an offset, if it can be renamed.
#[wasm_bindgen]
pub fn language_renameable(length: usize, offset: usize) -> usize {
    at(length, offset, service::renameable)
}

/// The edits that give the name at an offset another.
#[wasm_bindgen]
pub fn language_rename(length: usize, offset: usize, name: &str) -> Result<usize, Error> {
    let edits = with_text(length, |text| {
        let edits = service::rename_at(text, byte(text, offset), name);
        edits.map(|edits| counted(text, edits))
    });
    edits.map(put).map_err(Error::Argument)
}

/// The outline.
#[wasm_bindgen]
pub fn language_symbols(length: usize) -> usize {
    answer(length, service::symbols)
}

/// What can be folded.
#[wasm_bindgen]
pub fn language_folding(length: usize) -> usize {
    answer(length, service::folding)
}

/// What to select around an offset.
#[wasm_bindgen]
pub fn language_selection(length: usize, offset: usize) -> usize {
    at(length, offset, service::selection)
}

/// The tokens from one offset to another: of each where it starts and ends, and twice the number of its type, one more where
/// a name is defined. A text has tens of thousands.
#[wasm_bindgen]
pub fn language_tokens(length: usize, from: usize, to: usize) -> Vec<u32> {
    let tokens = |text: &str| {
        let tokens = service::tokens(text, Some(range(text, from, to)));
        packed(placed(text, tokens))
    };
    with_text(length, tokens)
}

/// The names of the types of tokens, in the order of their numbers, as JSON text.
#[wasm_bindgen]
pub fn language_token_types() -> String {
    to_json(&TokenType::all())
}

/// The remarks from one offset to another.
#[wasm_bindgen]
pub fn language_inlay(
    length: usize,
    from: usize,
    to: usize,
    context: &str,
) -> Result<usize, Error> {
    let known = read_context(context)?;
    Ok(answer(length, |text| {
        service::inlay(text, Some(range(text, from, to)), &known)
    }))
}

/// What can be done from one offset to another.
#[wasm_bindgen]
pub fn language_actions(
    length: usize,
    from: usize,
    to: usize,
    context: &str,
) -> Result<usize, Error> {
    let known = read_context(context)?;
    Ok(answer(length, |text| {
        service::actions(text, range(text, from, to), &known)
    }))
}

/// What is known of the tailnet, from its JSON.
fn read_context(json: &str) -> Result<Rc<PolicyContext>, Error> {
    let known = match KNOWN.take() {
        Some((last, known)) if *last == *json => known,
        _ => Rc::new(PolicyContext::read(json).map_err(Error::Argument)?),
    };
    KNOWN.set(Some((json.into(), known.clone())));
    Ok(known)
}

/// The byte at a UTF-16 offset; the end of the text for one behind it.
fn byte(text: &str, offset: usize) -> usize {
    match text.is_ascii() {
        true => offset.min(text.len()),
        false => byte_offset(text, offset).unwrap_or(text.len()),
    }
}

fn range(text: &str, from: usize, to: usize) -> TextRange {
    let (from, to) = (byte(text, from), byte(text, to));
    TextRange { from, to }
}

fn answer<T: Placed + Serialize>(length: usize, ask: impl FnOnce(&str) -> T) -> usize {
    put(with_text(length, |text| counted(text, ask(text))))
}

fn at<T: Placed + Serialize>(
    length: usize,
    offset: usize,
    ask: impl FnOnce(&str, usize) -> T,
) -> usize {
    answer(length, |text| ask(text, byte(text, offset)))
}

/// An answer with its places in UTF-16 units, as JSON text.
fn counted<T: Placed + Serialize>(text: &str, answer: T) -> String {
    to_json(&placed(text, answer))
}

/// An answer with its places in UTF-16 units.
fn placed<T: Placed>(text: &str, mut answer: T) -> T {
    if !text.is_ascii() {
        let places = Locator::new(text);
        answer.places(&|at| *at = places.locate(*at).offset);
    }
    answer
}

fn packed(tokens: Vec<Token>) -> Vec<u32> {
    let mut packed = Vec::with_capacity(tokens.len() * 3);
    for token in tokens {
        let kind = token.kind.number() << 1 | u32::from(token.definition);
        packed.extend([token.from as u32, token.to as u32, kind]);
    }
    packed
}
