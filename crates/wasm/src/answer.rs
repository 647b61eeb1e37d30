//! Responses of the web in parts, for the sandbox.
//! Must not live here: what is answered.

use serde::Serialize;

use tailnet_kit::api::Response;

/// What a `Response` of the web is made from.
#[derive(Serialize)]
pub(crate) struct Answer<'r> {
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
