//! Bodies that stay with JavaScript: read in full, within a limit, and parsed by the engine.
//! Must not live here: what a body should contain.
use std::borrow::Cow;

use js_sys::{Array, Function, JsString, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::{Fault, connection, get, put, settled};
use crate::api::{Body, Interrupted};

#[wasm_bindgen]
extern "C" {
    type TextDecoder;
    #[wasm_bindgen(constructor)]
    fn new(label: &str, options: &JsValue) -> TextDecoder;
    #[wasm_bindgen(method, catch)]
    fn decode(this: &TextDecoder, bytes: &Uint8Array) -> Result<JsString, JsValue>;

    #[wasm_bindgen(js_namespace = JSON, js_name = parse, catch)]
    fn json_parse(text: &JsString) -> Result<JsValue, JsValue>;
}

/// A body that stays with JavaScript, and the response it came in.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The response as `fetch` or a hook gave it; its body has been read.
    pub response: JsValue,
    pub(super) content: Content,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Nothing,
    Bytes(Uint8Array),
    Text(JsString),
}

impl Fetched {
    /// The body as the value of its JSON, by the engine's own parser; `undefined` for an empty body.
    ///
    /// # Errors
    /// What `JSON.parse` throws.
    pub fn json(&self) -> Result<JsValue, JsValue> {
        let text = self.decode(false)?;
        if text.length() == 0 {
            return Ok(JsValue::UNDEFINED);
        }
        json_parse(&text)
    }

    /// The body as a string, byte for byte.
    ///
    /// # Errors
    /// What `TextDecoder` throws for bytes that are no UTF-8.
    pub fn string(&self) -> Result<JsString, JsValue> {
        self.decode(true)
    }

    /// The body as the value of its JSON, as a string where it is none, `null` where it is empty.
    pub fn json_or_text(&self) -> JsValue {
        self.decode(false)
            .map_or(JsValue::NULL, |text| json_or_text(&text))
    }

    /// The body as a string, `undefined` where it is empty.
    pub fn text_or_nothing(&self) -> JsValue {
        let text = self.decode(false).unwrap_or_else(|_| JsString::from(""));
        if text.length() == 0 {
            JsValue::UNDEFINED
        } else {
            text.into()
        }
    }

    /// The header fields of the response, as a `Headers` of this realm where it has none.
    pub fn headers(&self) -> JsValue {
        let headers = get(&self.response, "headers");
        if headers.is_object() {
            return headers;
        }
        web_sys::Headers::new().map_or(JsValue::NULL, JsValue::from)
    }

    fn decode(&self, exact: bool) -> Result<JsString, JsValue> {
        match &self.content {
            Content::Nothing => Ok(JsString::from("")),
            Content::Text(text) => Ok(text.clone()),
            Content::Bytes(bytes) => {
                let options = Object::new();
                put(&options, "fatal", exact);
                put(&options, "ignoreBOM", exact);
                TextDecoder::new("utf-8", &options).decode(bytes)
            }
        }
    }
}

/// The value of a JSON text, the text itself where it is none, `null` where it is empty.
pub fn json_or_text(text: &JsString) -> JsValue {
    if text.length() == 0 {
        return JsValue::NULL;
    }
    json_parse(text).unwrap_or_else(|_| text.into())
}

impl Body for Fetched {
    fn text(&self) -> Option<Cow<'_, str>> {
        self.decode(true)
            .ok()
            .map(|text| Cow::Owned(String::from(text)))
    }

    fn text_lossy(&self) -> Cow<'_, str> {
        self.decode(false)
            .map_or(Cow::Borrowed(""), |text| Cow::Owned(String::from(text)))
    }
}

/// The whole body: by its stream, so that the limit holds whatever the headers say, or as text where a stand-in
/// for a response has no stream.
pub(super) async fn content(response: &JsValue, status: u16, limit: u64) -> Result<Content, Fault> {
    let body = get(response, "body");
    if let Ok(reader) = get(&body, "getReader").dyn_into::<Function>() {
        let reader = reader.call0(&body).map_err(connection)?;
        return read_stream(&reader, status, limit)
            .await
            .map(Content::Bytes);
    }
    let Ok(text) = get(response, "text").dyn_into::<Function>() else {
        return Ok(Content::Nothing);
    };
    let text = settled(text.call0(response)).await.map_err(connection)?;
    let text: JsString = text.dyn_into().unwrap_or_else(|_| JsString::from(""));
    if u64::from(text.length()) > limit {
        return Err(Interrupted::TooLarge { status });
    }
    Ok(Content::Text(text))
}

async fn read_stream(reader: &JsValue, status: u16, limit: u64) -> Result<Uint8Array, Fault> {
    let method = |name: &str| get(reader, name).dyn_into::<Function>().map_err(connection);
    let read = method("read")?;
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
        if u64::from(size) > limit {
            let cancelled = method("cancel")?.call0(reader);
            wasm_bindgen_futures::spawn_local(async { drop(settled(cancelled).await) });
            return Err(Interrupted::TooLarge { status });
        }
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
