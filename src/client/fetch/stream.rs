//! Reading a body to its end, within a limit. Must not live here: what a body means (`body`).
use js_sys::{Array, Function, JsString, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use super::body::Content;
use super::cause::{Fault, connection};
use super::decode::Pieces;
use super::object::{get, put, settled};
use super::place::is_browser;
use crate::api::Interrupted;

/// How much of a body is asked for at once where it is decoded piece by piece: it stays in the processor's cache.
const PIECE: u32 = 256 * 1024;

/// The whole body: by its stream, so that the limit holds whatever the headers say, or as text where a stand-in
/// for a response has no stream.
pub(super) async fn content(response: &JsValue, status: u16, limit: u64) -> Result<Content, Fault> {
    let body = get(response, "body");
    if let Ok(get_reader) = get(&body, "getReader").dyn_into::<Function>() {
        let bound = Bound { status, limit };
        if let Some(reader) = piece_reader(&get_reader, &body) {
            return read_pieces(&reader, bound).await;
        }
        let reader = get_reader.call0(&body).map_err(connection)?;
        return read_chunks(&reader, bound).await.map(Content::Bytes);
    }
    let Ok(text) = get(response, "text").dyn_into::<Function>() else {
        return Ok(Content::Nothing);
    };
    let text = settled(text.call0(response)).await.map_err(connection)?;
    let text: JsString = text.dyn_into().unwrap_or_else(|_| JsString::from(""));
    if u64::from(text.length()) > limit {
        return Err(Interrupted::TooLarge { status });
    }
    Ok(Content::Text { text, valid: true })
}

/// A reader that fills our own buffer, where that pays: browsers give the chunks in memory that is new each time, and
/// decode pieces as fast as the whole. Node does neither, and other runtimes' streams of bytes are not to be trusted.
fn piece_reader(get_reader: &Function, body: &JsValue) -> Option<JsValue> {
    if !is_browser() {
        return None;
    }
    let options = js_sys::Object::new();
    put(&options, "mode", "byob");
    get_reader.call1(body, &options).ok()
}

/// The limit of a body, and the status that came before it.
#[derive(Clone, Copy)]
struct Bound {
    status: u16,
    limit: u64,
}

impl Bound {
    /// Ends the reading where the body is too large.
    fn hold(self, size: u32, reader: &JsValue) -> Result<(), Fault> {
        if u64::from(size) <= self.limit {
            return Ok(());
        }
        let cancelled = method(reader, "cancel")?.call0(reader);
        wasm_bindgen_futures::spawn_local(async { drop(settled(cancelled).await) });
        let status = self.status;
        Err(Interrupted::TooLarge { status })
    }
}

fn method(reader: &JsValue, name: &str) -> Result<Function, Fault> {
    get(reader, name).dyn_into().map_err(connection)
}

async fn read_pieces(reader: &JsValue, bound: Bound) -> Result<Content, Fault> {
    let read = method(reader, "read")?;
    let mut pieces = Pieces::new();
    let mut size: u32 = 0;
    let mut room = Uint8Array::new_with_length(PIECE);
    loop {
        let step = settled(read.call1(reader, &room)).await;
        let step = step.map_err(connection)?;
        if get(&step, "done").is_truthy() {
            break;
        }
        let piece: Uint8Array = get(&step, "value").unchecked_into();
        size = size.saturating_add(piece.length());
        bound.hold(size, reader)?;
        pieces.push(&piece).map_err(connection)?;
        room = Uint8Array::new(&piece.buffer());
    }
    let (text, valid) = pieces.finish().map_err(connection)?;
    Ok(Content::Text { text, valid })
}

async fn read_chunks(reader: &JsValue, bound: Bound) -> Result<Uint8Array, Fault> {
    let read = method(reader, "read")?;
    let mut chunks: Vec<Uint8Array> = Vec::new();
    let mut size: u32 = 0;
    loop {
        let step = settled(read.call0(reader)).await.map_err(connection)?;
        if get(&step, "done").is_truthy() {
            break;
        }
        // A chunk of another realm fails the cast; the constructor copies it.
        let chunk = get(&step, "value").dyn_into();
        let chunk = chunk.unwrap_or_else(|foreign: JsValue| Uint8Array::new(&foreign));
        size = size.saturating_add(chunk.length());
        bound.hold(size, reader)?;
        chunks.push(chunk);
    }
    joined(chunks, size)
}

fn joined(mut chunks: Vec<Uint8Array>, size: u32) -> Result<Uint8Array, Fault> {
    if chunks.len() == 1 {
        return Ok(chunks.remove(0));
    }
    // Unlike the type's own constructor this one reports it when there is no memory left.
    let constructor: Function = get(&js_sys::global(), "Uint8Array").unchecked_into();
    let whole = Reflect::construct(&constructor, &Array::of1(&size.into())).map_err(connection)?;
    let whole: Uint8Array = whole.unchecked_into();
    let mut offset: u32 = 0;
    for chunk in chunks {
        whole.set(&chunk, offset);
        offset = offset.saturating_add(chunk.length());
    }
    Ok(whole)
}
