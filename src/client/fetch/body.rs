//! Bodies that stay with JavaScript, as strings or as the values that the engine's JSON parser makes of them.
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
    /// The body without a byte order mark; invalid UTF-8 is replaced.
    text: JsString,
}

impl Fetched {
    /// A body as `readBody` of the host object gives it; an empty one for `undefined`.
    pub(super) fn new(response: JsValue, body: &JsValue) -> Self {
        Fetched {
            response,
            exact: get(body, "exact").dyn_into().ok(),
            text: get(body, "text").dyn_into().unwrap_or_else(|_| "".into()),
        }
    }

    /// The value of the body's JSON, by the engine's parser; `undefined` for an empty body.
    ///
    /// # Errors
    /// What `JSON.parse` throws.
    pub fn json(&self) -> Result<JsValue, JsValue> {
        if self.text.length() == 0 {
            return Ok(JsValue::UNDEFINED);
        }
        json_parse(&self.text)
    }

    /// The body as a string, byte for byte; `None` where it is not UTF-8.
    pub fn string(&self) -> Option<JsString> {
        self.exact.clone()
    }

    /// The value of the body's JSON, the text where it is not JSON, `null` where it is empty.
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

/// The value of a JSON text, the text itself where it is not JSON, `null` where it is empty.
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

    /// Works on the JavaScript side, without a copy: the body of an error can be as long as any other.
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
