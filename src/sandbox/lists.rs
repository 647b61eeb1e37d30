//! Empty lists as the service sometimes answers them, which clients must accept. Must not live here: what is listed.

use serde_json::{Map, Value};

use crate::api::payload::from_json;
use crate::api::{Operation, Response};

/// The answer to an operation without its list, if that is empty.
pub(super) fn without_empty(operation: Operation, response: Response) -> Response {
    let (name, stays) = match operation {
        Operation::ListWebhooks => ("webhooks", false),
        Operation::ListServiceHosts => ("hosts", false),
        Operation::GetAuditLog => ("logs", true),
        _ => return response,
    };
    let Ok(mut body) = from_json::<Map<String, Value>>(&response.body) else {
        return response;
    };
    if body
        .get(name)
        .and_then(Value::as_array)
        .is_none_or(|list| !list.is_empty())
    {
        return response;
    }
    body.remove(name);
    if stays {
        body.insert(name.to_owned(), Value::Null);
    }
    Response::json(response.status, &body)
}
