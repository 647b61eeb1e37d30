//! Bodies that stay with JavaScript, as strings or as what the engine's own parser makes of them.
//! Must not live here: reading them (the facade), what a body should contain.
use std::borrow::Cow;

use js_sys::JsString;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::object::get;
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
    /// The body byte for byte, where it is UTF-8.
    exact: Option<JsString>,
    /// The body without a byte order mark; what is no UTF-8 is replaced.
    text: JsString,
}

impl Fetched {
    /// One with a body as `readBody` of the host object gives it; with `undefined`, with an empty one.
    pub(super) fn new(response: JsValue, body: &JsValue) -> Self {
        Fetched {
            response,
            exact: get(body, "exact").dyn_into().ok(),
            text: get(body, "text").dyn_into().unwrap_or_else(|_| "".into()),
        }
    }

    /// The body as the value of its JSON, by the engine's own parser; `undefined` for an empty body.
    ///
    /// # Errors
    /// What `JSON.parse` throws.
    pub fn json(&self) -> Result<JsValue, JsValue> {
        if self.text.length() == 0 {
            return Ok(JsValue::UNDEFINED);
        }
        json_parse(&self.text)
    }

    /// The body as a string, byte for byte; nothing where it is no UTF-8.
    pub fn string(&self) -> Option<JsString> {
        self.exact.clone()
    }

    /// The body as the value of its JSON, as a string where it is none, `null` where it is empty.
    pub fn json_or_text(&self) -> JsValue {
        json_or_text(&self.text)
    }

    /// The body as a string, `undefined` where it is empty.
    pub fn text_or_nothing(&self) -> JsValue {
        if self.text.length() == 0 {
            JsValue::UNDEFINED
        } else {
            self.text.clone().into()
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
        let text = self.exact.as_ref()?;
        Some(Cow::Owned(String::from(text)))
    }

    fn text_lossy(&self) -> Cow<'_, str> {
        Cow::Owned(String::from(&self.text))
    }

    /// Without a copy on this side: a body that is kept of an error may be as long as any.
    fn redact(&mut self, key: &ApiKey) {
        for secret in key.forms() {
            if self.text.includes(&secret, 0) {
                self.text = self.text.split(&secret).join(headers::REDACTED);
                self.exact = Some(self.text.clone());
            }
        }
    }

    fn withhold(&mut self) {
        *self = Fetched::new(self.response.clone(), &JsValue::UNDEFINED);
    }
}
