//! The namespace `language`: texts with UTF-16 offsets in, answers with such offsets out.
//! Must not live here: anything but calls and that way of counting.
//!
//! `length` is that of the text in the buffer of `text`; the returned one that of the answer there, which is JSON.

use std::cell::RefCell;
use std::rc::Rc;

use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::dialect;
use crate::json::to_json;
use crate::packed;
use crate::spoken;
use crate::text::{put, with_text};
use crate::thrown::Thrown;
use tailnet_kit::hujson::{Units, byte_offset};
use tailnet_kit::policy::service::{self, Placed, SymbolKind, TextRange, Token, TokenType};
use tailnet_kit::policy::{Error, PolicyContext};

thread_local! {
    /// What is known of the tailnet: the facade hands it over before a verb that asks, if it is not what it handed over last.
    static KNOWN: RefCell<Rc<PolicyContext>> = RefCell::default();
    /// An answer that is numbers.
    static NUMBERS: RefCell<Vec<u32>> = RefCell::default();
}

/// Takes the JSON of a context for the verbs that follow. While somebody types it stays the same: to carry that of 200 devices
/// over with each call took 1.2 milliseconds of five.
#[wasm_bindgen]
pub fn language_context(length: usize) -> Result<(), Thrown> {
    let context = with_text(length, PolicyContext::read).map_err(Error::Argument)?;
    KNOWN.set(Rc::new(context));
    Ok(())
}

/// The issues of a text with their fixes.
#[wasm_bindgen]
pub fn language_diagnostics(length: usize) -> usize {
    let known = known();
    answer(length, |text| {
        service::diagnostics(text, known_for(text, &known))
    })
}

/// What may be written at an offset.
#[wasm_bindgen]
pub fn language_complete(length: usize, offset: usize) -> usize {
    let known = known();
    at(length, offset, |text, at| {
        service::complete(text, at, known_for(text, &known))
    })
}

/// What there is to know of the word at an offset.
#[wasm_bindgen]
pub fn language_hover(length: usize, offset: usize) -> usize {
    let known = known();
    at(length, offset, |text, at| {
        service::hover(text, at, known_for(text, &known))
    })
}

/// Verbs about what stands at an offset.
macro_rules! at_an_offset {
    ($($(#[$about:meta])+ $name:ident = $verb:ident;)+) => {$(
        $(#[$about])+
        #[wasm_bindgen]
        pub fn $name(length: usize, offset: usize, dialect: u8) -> usize {
            at(length, offset, |text, at| service::$verb(dialect::named(text, dialect), at))
        }
    )+};
}

at_an_offset! {
    /// Where the name at an offset is defined.
    language_definition = definition;
    /// Every place of the name at an offset.
    language_references = references;
    /// The name at an offset, if it can be renamed.
    language_renameable = renameable;
    /// What to select around an offset.
    language_selection = selection;
}

/// The edits that give the name at an offset another.
#[wasm_bindgen]
pub fn language_rename(
    length: usize,
    offset: usize,
    name: &str,
    dialect: u8,
) -> Result<usize, Thrown> {
    let edits = with_text(length, |text| renamed((text, dialect), offset, name));
    Ok(put(edits.map_err(Error::Argument)?))
}

/// The address of the numbers of the answer given last, which holds until the next call of any export. A copy of those of a
/// text of 5,000 lines took half a millisecond of five.
#[wasm_bindgen]
pub fn language_numbers() -> *const u32 {
    NUMBERS.with_borrow(Vec::as_ptr)
}

/// The outline: how many numbers it is. Its texts stand in the buffer then.
#[wasm_bindgen]
pub fn language_symbols(length: usize, dialect: u8) -> usize {
    let (texts, list) = with_text(length, |text| outline(text, dialect));
    put(texts);
    numbers(|| list)
}

/// What can be folded.
#[wasm_bindgen]
pub fn language_folding(length: usize) -> usize {
    answer(length, service::folding)
}

/// The tokens from one offset to another: how many numbers they are. A text has tens of thousands.
#[wasm_bindgen]
pub fn language_tokens(length: usize, from: usize, to: usize, dialect: u8) -> usize {
    let tokens = |text: &str| tokens((text, dialect), range(text, from, to));
    numbers(|| packed::tokens(with_text(length, tokens)))
}

/// The names of the types of tokens and of the kinds of symbols, each in the order of their numbers, as JSON text.
#[wasm_bindgen]
pub fn language_kinds() -> String {
    to_json(&(TokenType::all(), SymbolKind::all()))
}

/// The remarks from one offset to another.
#[wasm_bindgen]
pub fn language_inlay(length: usize, from: usize, to: usize) -> usize {
    let known = known();
    answer(length, |text| {
        service::inlay(text, Some(range(text, from, to)), known_for(text, &known))
    })
}

/// What can be done from one offset to another.
#[wasm_bindgen]
pub fn language_actions(length: usize, from: usize, to: usize) -> usize {
    let known = known();
    answer(length, |text| {
        service::actions(text, range(text, from, to), known_for(text, &known))
    })
}

/// The edits that give the name at an offset another, as JSON text.
fn renamed((text, dialect): (&str, u8), offset: usize, name: &str) -> Result<String, String> {
    let edits = service::rename_at(dialect::named(text, dialect), byte(text, offset), name);
    edits.map(|edits| counted(text, edits))
}

/// The outline of a text, packed.
fn outline(text: &str, dialect: u8) -> (String, Vec<u32>) {
    let symbols = service::symbols(dialect::named(text, dialect));
    packed::outline(&placed(text, symbols))
}

/// The tokens in a range of a text.
fn tokens((text, dialect): (&str, u8), range: TextRange) -> Vec<Token> {
    placed(
        text,
        service::tokens(dialect::named(text, dialect), Some(range)),
    )
}

/// What is known, for a text in a dialect that can be read.
fn known_for<'k>(text: &str, known: &'k PolicyContext) -> &'k PolicyContext {
    spoken::needs(known.dialect_of(text));
    known
}

fn known() -> Rc<PolicyContext> {
    KNOWN.with_borrow(Rc::clone)
}

/// The byte at a UTF-16 offset; the end of the text for one behind it.
fn byte(text: &str, offset: usize) -> usize {
    match text.as_bytes().get(..offset) {
        // No text has more units than bytes.
        None => text.len(),
        Some(before) if before.is_ascii() => offset,
        Some(_) => byte_offset(text, offset).unwrap_or(text.len()),
    }
}

fn range(text: &str, from: usize, to: usize) -> TextRange {
    let (from, to) = (byte(text, from), byte(text, to));
    TextRange { from, to }
}

/// Keeps an answer that is numbers; how many they are.
fn numbers(ask: impl FnOnce() -> Vec<u32>) -> usize {
    // Those of the answer before go first: there need not be room for both.
    NUMBERS.set(Vec::new());
    let numbers = ask();
    let count = numbers.len();
    NUMBERS.set(numbers);
    count
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
        let mut units = Units::of(text);
        answer.places(&mut |at| *at = units.before(*at));
    }
    answer
}
