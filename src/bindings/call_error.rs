//! Errors of the client as what is thrown: plain objects with the fields of the contract's classes, among them
//! values that only JavaScript can hold. Must not live here: the wording of errors.

use js_sys::Object;
use serde::Serialize;
use wasm_bindgen::JsValue;

use super::convert::to_js;
use crate::api::{self, Kind, Operation, Refusal};
use crate::client::UpdateError;
use crate::client::fetch::{Cause, FetchError, Fetched, json_or_text, put};

/// An argument that a call cannot take, and which.
#[derive(Serialize)]
struct Argument<'e> {
    code: &'static str,
    message: String,
    argument: Option<&'e str>,
}

impl From<api::Error> for JsValue {
    fn from(error: api::Error) -> Self {
        let argument = match &error {
            api::Error::Argument { option, .. } => Some(option.as_str()),
            _ => None,
        };
        let (code, message) = (error.code().as_str(), error.to_string());
        to_js(&Argument {
            code,
            message,
            argument,
        })
    }
}

impl From<FetchError> for JsValue {
    fn from(error: FetchError) -> Self {
        describe(&error)
    }
}

impl From<UpdateError<FetchError, JsValue>> for JsValue {
    fn from(error: UpdateError<FetchError, JsValue>) -> Self {
        match error {
            UpdateError::Call(error) => error.into(),
            UpdateError::Edit(thrown) => thrown,
        }
    }
}

/// What every error of a call that was sent has.
#[derive(Serialize)]
struct Sent<'e> {
    code: &'static str,
    message: String,
    attempts: u32,
    method: &'static str,
    path: &'e str,
}

/// What an error has that the service answered, beside what only JavaScript can hold.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answered<'e> {
    #[serde(rename = "requestID")]
    request_id: Option<&'e str>,
    retry_after: Option<f64>,
    details: &'e [api::Detail],
}

/// The object for an error; what a hook or an edit threw is passed on as it is.
pub(super) fn describe(error: &FetchError) -> JsValue {
    match &error.kind {
        Kind::Hook(cause) => return cause.0.clone(),
        Kind::Argument(error) => return error.clone().into(),
        _ => {}
    }
    let object = Object::from(to_js(&Sent {
        code: error.code().as_str(),
        message: error.to_string(),
        attempts: error.attempts,
        method: error.method.as_str(),
        path: &error.path,
    }));
    if let Some(status) = error.status() {
        put(&object, "status", status);
    }
    add_fields(&object, error);
    object.into()
}

/// The object for an update that was stopped while its policy was being edited.
pub(super) fn aborted(cause: Cause) -> JsValue {
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
        Kind::Refused { refusal, response } => add_refusal(object, refusal, &response.body),
        Kind::Malformed { response, .. } => {
            put(object, "headers", response.body.headers());
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

fn add_refusal(object: &Object, refusal: &Refusal, fetched: &Fetched) {
    let fields = Object::from(to_js(&Answered {
        request_id: refusal.request_id.as_deref(),
        retry_after: refusal.retry_after,
        details: &refusal.details,
    }));
    Object::assign(object, &fields);
    put(object, "headers", fetched.headers());
    put(object, "body", json_or_text(&refusal.body.as_str().into()));
}
