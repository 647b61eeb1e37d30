//! What the bindings of JavaScript read arguments and write answers with, as the transport does. Must not live here: what the transport alone needs.
use std::future::Future;

use wasm_bindgen::JsValue;

use super::cause::Cause;
use super::watch::Watch;
use crate::api::{Headers, Interrupted};

pub use super::body::json_or_text;
pub use super::object::{get, put};

/// The same fields as a `Headers` of this realm.
pub fn headers_object(fields: &Headers) -> JsValue {
    let Ok(object) = web_sys::Headers::new() else {
        return JsValue::NULL;
    };
    for (name, value) in fields.iter() {
        // Fields of a `Headers` can be added to another one; those of a lookalike may be invalid, and are then left out.
        drop(object.append(name, value));
    }
    object.into()
}

/// Waits for work that does not know the call's signal.
///
/// # Errors
/// The reason of the abort, as soon as the signal of the host object is aborted.
pub async fn until_aborted<X>(host: &JsValue, work: impl Future<Output = X>) -> Result<X, Cause> {
    let watch = Watch::start(&get(host, "signal"), None);
    let done = watch.race(async { Ok(work.await) }).await;
    done.map_err(|fault| match fault {
        Interrupted::Aborted(cause) => cause,
        _ => Cause(JsValue::UNDEFINED),
    })
}
