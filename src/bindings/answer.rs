//! Headers and responses of the web in parts, for those that answer instead of asking: the sandbox and the gateway.
//! Must not live here: what is answered.

use serde::Serialize;

use crate::api::{Headers, Response};

/// What a `Response` of the web is made from.
#[derive(Serialize)]
pub(super) struct Answer<'r> {
    status: u16,
    headers: Vec<(&'r str, &'r str)>,
    body: &'r str,
}

impl<'r> From<&'r Response> for Answer<'r> {
    fn from(response: &'r Response) -> Self {
        Answer {
            status: response.status,
            headers: response.headers.iter().collect(),
            body: str::from_utf8(&response.body).unwrap_or_default(),
        }
    }
}

/// Header fields from the JSON text of a list of pairs.
pub(super) fn fields(pairs: &str) -> Headers {
    let pairs: Vec<(String, String)> = serde_json::from_str(pairs).unwrap_or_default();
    let mut headers = Headers::new();
    for (name, value) in pairs {
        headers.append(&name, value);
    }
    headers
}
