//! Objects of JavaScript, of any realm: their properties, and promises. Must not live here: what they stand for.
use js_sys::{Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// A property, or `undefined` where there is no object or its getter throws.
pub fn get(object: &JsValue, name: &str) -> JsValue {
    // `Reflect.get` throws for anything but an object, and the stack of that error costs more than a whole call.
    if object.is_object() {
        Reflect::get(object, &name.into()).unwrap_or_default()
    } else {
        JsValue::UNDEFINED
    }
}

/// Sets a property of a new object, which cannot fail.
pub fn put(object: &JsValue, name: &str, value: impl Into<JsValue>) {
    drop(Reflect::set(object, &name.into(), &value.into()));
}

/// The result of a call; a promise of any realm is awaited.
pub(super) async fn settled(returned: Result<JsValue, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(Promise::resolve(&returned?)).await
}
