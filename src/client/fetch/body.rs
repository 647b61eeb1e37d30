//! Bodies that stay with JavaScript, as strings or as what the engine's own parser makes of them.
//! Must not live here: reading them (`stream`), what a body should contain.
use std::borrow::Cow;

use js_sys::{JsString, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::decode::decode;
use crate::api::{ApiKey, Body, headers};

#[wasm_bindgen]
extern "C" {
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
    /// With its byte order mark; where not `valid`, what was no UTF-8 is replaced.
    Text {
        text: JsString,
        valid: bool,
    },
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

    /// `exact`: byte for byte, or not at all. Otherwise a byte order mark goes, and what is no UTF-8 is replaced.
    fn decode(&self, exact: bool) -> Result<JsString, JsValue> {
        let text = match &self.content {
            Content::Nothing => JsString::from(""),
            Content::Text { valid: false, .. } if exact => {
                return Err(js_sys::TypeError::new("not UTF-8").into());
            }
            Content::Text { text, .. } => text.clone(),
            Content::Bytes(bytes) => decode(bytes, exact)?,
        };
        if exact || !text.starts_with("\u{feff}", 0) {
            return Ok(text);
        }
        Ok(text.slice(1, text.length()))
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

    /// Without a copy on this side: a body that is kept of an error may be as long as any.
    fn redact(&mut self, key: &ApiKey) {
        for secret in key.forms() {
            let found = self.decode(false);
            if let Some(text) = found.ok().filter(|text| text.includes(&secret, 0)) {
                let text = text.split(&secret).join(headers::REDACTED);
                self.content = Content::Text { text, valid: true };
            }
        }
    }

    fn withhold(&mut self) {
        self.content = Content::Nothing;
    }
}
