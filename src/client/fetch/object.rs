//! Objects of JavaScript, of whichever realm: their properties, and promises among them. Must not live here: what they
//! stand for.
use js_sys::{Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// A property, or `undefined` where there is no object or its getter throws.
pub(crate) fn get(object: &JsValue, name: &str) -> JsValue {
    // Asking what is no object would throw, and the stack of that error costs more than a whole call.
    if object.is_object() {
        Reflect::get(object, &name.into()).unwrap_or_default()
    } else {
        JsValue::UNDEFINED
    }
}

/// Sets a property of a fresh object, which nothing prevents.
pub(crate) fn put(object: &JsValue, name: &str, value: impl Into<JsValue>) {
    drop(Reflect::set(object, &name.into(), &value.into()));
}

/// What a call returned, once any promise in it has settled, from whichever realm it is.
pub(super) async fn settled(returned: Result<JsValue, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(Promise::resolve(&returned?)).await
}
