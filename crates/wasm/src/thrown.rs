//! What an export throws. It returns `Result<_, Thrown>`; the `From` of the error does the rest.
//! Must not live here: what errors are made of (`error`, `faults`, `api_error`, `call_error`).

use wasm_bindgen::JsValue;

/// An error as the object that is thrown.
pub(crate) struct Thrown(pub JsValue);

impl From<Thrown> for JsValue {
    fn from(thrown: Thrown) -> Self {
        thrown.0
    }
}

/// What a function of the caller threw, as it is.
impl From<JsValue> for Thrown {
    fn from(thrown: JsValue) -> Self {
        Thrown(thrown)
    }
}
