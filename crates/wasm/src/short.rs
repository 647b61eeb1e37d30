//! Short texts between JavaScript and Rust through a place that never moves: JavaScript writes and reads its bytes one by one,
//! which for a prefix takes a fraction of the time of encoders and decoders.
//! Must not live here: texts of any length (`text`), what becomes of the text.

use std::cell::RefCell;

use simdutf8::basic::from_utf8;
use wasm_bindgen::prelude::wasm_bindgen;

/// The longest prefix takes 43.
const PLACE: usize = 64;

thread_local! {
    static SHORT: RefCell<[u8; PLACE]> = const { RefCell::new([0; PLACE]) };
}

/// The address of the place, which is 64 bytes long.
#[wasm_bindgen]
pub fn short_place() -> *const u8 {
    SHORT.with_borrow(|place| place.as_ptr())
}

/// Lends out the first `length` bytes as text, empty if they are none.
pub(crate) fn with_short<R>(length: usize, read: impl FnOnce(&str) -> R) -> R {
    let place = SHORT.with_borrow(|place| *place);
    let text = place.get(..length).unwrap_or_default();
    read(from_utf8(text).unwrap_or_default())
}

/// Puts a text into the place, as far as it fits; its length there.
pub(crate) fn put_short(text: &str) -> usize {
    SHORT.with_borrow_mut(|place| {
        for (place, byte) in place.iter_mut().zip(text.bytes()) {
            *place = byte;
        }
    });
    text.len().min(PLACE)
}
