//! Headers and responses of the web in parts, for those that answer instead of asking: the sandbox and the gateway.
//! Must not live here: what is answered.

use serde::Serialize;

use tailnet_kit::api::{Headers, Response};
use tailnet_kit::hujson;

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

/// Header fields from the JSON text of a list of pairs.
pub(crate) fn fields(pairs: &str) -> Headers {
    let mut headers = Headers::new();
    let Some(pairs) = hujson::document(pairs) else {
        return headers;
    };
    for pair in pairs.root().elements() {
        let mut texts = pair.elements().filter_map(|text| text.as_str());
        if let (Some(name), Some(value)) = (texts.next(), texts.next()) {
            headers.append(name, value.to_owned());
        }
    }
    headers
}
