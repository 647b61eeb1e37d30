//! UTF-8 to strings, by the engine's own decoder: in one go, or piece by piece as a body comes in.
//! Must not live here: reading bodies (`stream`), what they should contain.
use js_sys::{JsString, Object, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::object::put;

#[wasm_bindgen]
extern "C" {
    type TextDecoder;
    #[wasm_bindgen(constructor)]
    fn new(label: &str, options: &JsValue) -> TextDecoder;
    #[wasm_bindgen(method, catch)]
    fn decode(this: &TextDecoder, bytes: &Uint8Array) -> Result<JsString, JsValue>;
    #[wasm_bindgen(method, catch, js_name = decode)]
    fn decode_piece(
        this: &TextDecoder,
        bytes: &Uint8Array,
        options: &JsValue,
    ) -> Result<JsString, JsValue>;
}

/// A decoder that leaves a byte order mark where it is; one that is not `strict` replaces what is no UTF-8.
fn decoder(strict: bool) -> TextDecoder {
    let options = Object::new();
    put(&options, "fatal", strict);
    put(&options, "ignoreBOM", true);
    TextDecoder::new("utf-8", &options)
}

/// The text of these bytes, its byte order mark with it.
///
/// # Errors
/// With `strict`, what `TextDecoder` throws for bytes that are no UTF-8; the others are replaced otherwise.
pub(super) fn decode(bytes: &Uint8Array, strict: bool) -> Result<JsString, JsValue> {
    decoder(strict).decode(bytes)
}

/// A text that comes in pieces, which may end within a character.
pub(super) struct Pieces {
    decoder: TextDecoder,
    more: Object,
    text: JsString,
    /// Whether all so far was UTF-8.
    valid: bool,
    /// How many bytes came so far, and the last three of them: as many as the decoder may hold back.
    size: usize,
    tail: Vec<u8>,
}

impl Pieces {
    pub(super) fn new() -> Self {
        let more = Object::new();
        put(&more, "stream", true);
        Pieces {
            decoder: decoder(true),
            more,
            text: JsString::from(""),
            valid: true,
            size: 0,
            tail: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, piece: &Uint8Array) -> Result<(), JsValue> {
        let decoded = match self.decoder.decode_piece(piece, &self.more) {
            Err(_) if self.valid => {
                self.give_up()?;
                self.decoder.decode_piece(piece, &self.more)
            }
            decoded => decoded,
        };
        self.text = self.text.concat(&decoded?.into());
        let length = piece.length();
        self.size += length as usize;
        self.tail
            .extend(piece.subarray(length.saturating_sub(3), length).to_vec());
        self.tail.drain(..self.tail.len().saturating_sub(3));
        Ok(())
    }

    /// The text, and whether all of it was UTF-8.
    pub(super) fn finish(mut self) -> Result<(JsString, bool), JsValue> {
        let nothing = Uint8Array::new_with_length(0);
        let rest = match self.decoder.decode(&nothing) {
            Err(_) if self.valid => {
                self.give_up()?;
                self.decoder.decode(&nothing)
            }
            rest => rest,
        };
        Ok((self.text.concat(&rest?.into()), self.valid))
    }

    /// Goes on with a decoder that replaces. What the strict one held back went with it: the bytes that came and are
    /// not in the text.
    fn give_up(&mut self) -> Result<(), JsValue> {
        self.valid = false;
        self.decoder = decoder(false);
        let held = self.size.saturating_sub(String::from(&self.text).len());
        let held = self.tail.len().saturating_sub(held);
        let held = Uint8Array::from(self.tail.get(held..).unwrap_or_default());
        let decoded = self.decoder.decode_piece(&held, &self.more)?;
        self.text = self.text.concat(&decoded);
        Ok(())
    }
}
