//! Text between JavaScript and Rust through one buffer, which JavaScript fills by `encodeInto` and
//! reads by `TextDecoder`: several times as fast as the generated copying.
//!
//! JavaScript reserves, writes, calls an export with the number of bytes it wrote, and reads what
//! that export says is there. Must not live here: what becomes of the text.

use std::cell::RefCell;

use simdutf8::basic::from_utf8;
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

/// Makes one byte of each of the first `units` pairs of bytes: the UTF-16 unit they are, or 255 for
/// what lies beyond Latin-1.
#[wasm_bindgen]
pub fn text_narrow(units: usize) {
    with_bytes(units * 2, narrow);
}

/// Whether the first `length` bytes are ASCII.
#[wasm_bindgen]
pub fn text_is_ascii(length: usize) -> bool {
    with_bytes(length, |bytes| bytes.is_ascii())
}

/// In place, since no byte is written that is still to be read; in groups that make one vector.
fn narrow(bytes: &mut [u8]) {
    let mut at = 0;
    while let Some(&group) = bytes.get(2 * at..).and_then(<[u8]>::first_chunk::<32>) {
        let mut narrowed = [0; 16];
        for (unit, pair) in narrowed.iter_mut().zip(group.as_chunks().0) {
            *unit = u16::from_le_bytes(*pair).min(0xFF) as u8;
        }
        if let Some(place) = bytes.get_mut(at..at + 16) {
            place.copy_from_slice(&narrowed);
        }
        at += 16;
    }
    while let Some(&pair) = bytes.get(2 * at..).and_then(<[u8]>::first_chunk) {
        if let Some(place) = bytes.get_mut(at) {
            *place = u16::from_le_bytes(pair).min(0xFF) as u8;
        }
        at += 1;
    }
}

/// Lends out the first `length` bytes. Meanwhile the buffer is not in its place: a call that the
/// end of the stack cuts short takes it along, and leaves the place free.
pub(crate) fn with_bytes<R>(length: usize, act: impl FnOnce(&mut [u8]) -> R) -> R {
    let mut buffer = BUFFER.take();
    let result = act(buffer.get_mut(..length).unwrap_or_default());
    BUFFER.set(buffer);
    result
}

/// Lends out the first `length` bytes as text; as an empty one what is no UTF-8, which
/// `encodeInto` never writes.
pub(crate) fn with_text<R>(length: usize, read: impl FnOnce(&str) -> R) -> R {
    with_bytes(length, |bytes| read(from_utf8(bytes).unwrap_or_default()))
}

/// Puts a text in the place of the buffer; its length.
pub(crate) fn put(text: String) -> usize {
    BUFFER.with_borrow_mut(|buffer| {
        *buffer = text.into_bytes();
        buffer.len()
    })
}
