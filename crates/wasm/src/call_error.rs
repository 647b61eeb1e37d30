//! Errors of the client as what is thrown: plain objects with the fields of the declared classes, among them
//! values that only JavaScript can hold. Must not live here: the wording of errors.

use js_sys::{Array, Object};
use wasm_bindgen::JsValue;

use crate::api_error::thrown;
use crate::thrown::Thrown;
use tailnet_kit::api::{DeliveryFault, Detail, Kind, Operation, Refusal};
use tailnet_kit::client::UpdateError;
use tailnet_kit::client::fetch::bindings::{headers_object, json_or_text, put};
use tailnet_kit::client::fetch::{Cause, FetchError};

impl From<DeliveryFault> for Thrown {
    fn from(fault: DeliveryFault) -> Self {
        let object = thrown(fault.code(), fault.to_string());
        put(&object, "reason", fault.reason());
        Thrown(object.into())
    }
}

impl From<FetchError> for Thrown {
    fn from(error: FetchError) -> Self {
        Thrown(describe(&error))
    }
}

impl From<UpdateError<FetchError, Thrown>> for Thrown {
    fn from(error: UpdateError<FetchError, Thrown>) -> Self {
        match error {
            UpdateError::Call(error) => error.into(),
            UpdateError::Edit(thrown) => thrown,
        }
    }
}

/// The object for an error; what a hook or an edit threw is passed on as it is.
pub(crate) fn describe(error: &FetchError) -> JsValue {
    match &error.kind {
        Kind::Hook(cause) => return cause.0.clone(),
        Kind::Argument(error) => return Thrown::from(error.clone()).into(),
        _ => {}
    }
    let object = thrown(error.code(), error.to_string());
    put(&object, "attempts", error.attempts);
    put(&object, "method", error.method.as_str());
    put(&object, "path", error.path.as_str());
    if let Some(status) = error.status() {
        put(&object, "status", status);
    }
    add_fields(&object, error);
    object.into()
}

/// The object for an update that was stopped while its policy was being edited.
pub(crate) fn aborted(cause: Cause) -> JsValue {
    let route = Operation::SetAcl.route();
    describe(&FetchError {
        kind: Kind::Aborted(cause),
        attempts: 0,
        method: route.method,
        path: route.template.to_owned(),
    })
}

fn add_fields(object: &Object, error: &FetchError) {
    match &error.kind {
        Kind::Refused { refusal, response } => {
            add_refusal(object, refusal);
            put(object, "headers", headers_object(&response.headers));
        }
        Kind::Malformed { response, .. } => {
            put(object, "headers", headers_object(&response.headers));
            put(object, "body", response.body.json_or_text());
        }
        Kind::Conflict(last) => {
            add_fields(object, last);
            put(object, "failure", describe(last));
        }
        Kind::Timeout(Some(last)) => put(object, "failure", describe(last)),
        Kind::Connection { cause, .. } | Kind::Aborted(cause) => {
            put(object, "cause", cause.0.clone())
        }
        _ => {}
    }
}

fn add_refusal(object: &Object, refusal: &Refusal) {
    let request_id = refusal.request_id.as_deref();
    put(
        object,
        "requestID",
        request_id.map_or(JsValue::NULL, JsValue::from),
    );
    put(
        object,
        "retryAfter",
        refusal.retry_after.map_or(JsValue::NULL, JsValue::from),
    );
    let details = Array::new();
    for detail in &refusal.details {
        details.push(&described(detail));
    }
    put(object, "details", details);
    put(object, "body", json_or_text(&refusal.body.as_str().into()));
}

/// A detail as `JSON.parse` of the service's own would give it.
fn described(detail: &Detail) -> Object {
    let (object, errors) = (Object::new(), Array::new());
    if let Some(user) = &detail.user {
        put(&object, "user", user.as_str());
    }
    for error in &detail.errors {
        errors.push(&error.as_str().into());
    }
    put(&object, "errors", errors);
    object
}
