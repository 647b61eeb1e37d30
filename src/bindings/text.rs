//! Text between JavaScript and Rust through one buffer, which JavaScript fills by `encodeInto` and
//! reads by `TextDecoder`: several times as fast as the generated copying.
//!
//! JavaScript reserves, writes, calls an export with the number of bytes it wrote, and reads what
//! that export says is there. Must not live here: what becomes of the text.

use std::cell::RefCell;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The wasm memory, in which the buffer lies.
#[wasm_bindgen]
pub fn text_memory() -> JsValue {
    wasm_bindgen::memory()
}

/// The address of the buffer, made at least `length` bytes long; what it holds stays. An address
/// holds until the next call of any export.
#[wasm_bindgen]
pub fn text_reserve(length: usize) -> *const u8 {
    BUFFER.with_borrow_mut(|buffer| {
        let length = length.max(buffer.len());
        buffer.resize(length, 0);
        buffer.as_ptr()
    })
}

/// Lends out the first `length` bytes.
pub(super) fn with_bytes<R>(length: usize, act: impl FnOnce(&mut [u8]) -> R) -> R {
    BUFFER.with_borrow_mut(|buffer| act(buffer.get_mut(..length).unwrap_or_default()))
}

/// Lends out the first `length` bytes as text; as an empty one what is no UTF-8, which
/// `encodeInto` never writes.
pub(super) fn with_text<R>(length: usize, read: impl FnOnce(&str) -> R) -> R {
    with_bytes(length, |bytes| {
        read(str::from_utf8(bytes).unwrap_or_default())
    })
}

/// Puts a text in the place of the buffer; its length.
pub(super) fn put(text: String) -> usize {
    BUFFER.with_borrow_mut(|buffer| {
        *buffer = text.into_bytes();
        buffer.len()
    })
}
