//! The refusals of a service: read by a client and written by a server.
//! Must not live here: the codes, how a call ends, the form of dates.
use std::fmt;

use serde::Serialize;

use super::headers;
use super::message::{Headers, Response};
use super::retry_after;
use crate::Code;
use crate::hujson::{self, Document, Kind};

/// An answer that is not a success, read leniently: whatever its body, the status is kept.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Refusal {
    /// The status code.
    pub status: u16,
    /// The service's `message`, or its counterpart in an error of OAuth (RFC 6749, section 5.2); without one, the body's
    /// text if it is short and plain, else the status.
    pub message: String,
    /// What the service says about single tests or users.
    pub details: Vec<Detail>,
    /// Seconds to wait, from `Retry-After` in either form.
    pub retry_after: Option<f64>,
    /// The answer's identifier, if the server names one.
    pub request_id: Option<String>,
    /// The body as text.
    pub body: String,
    /// What is wrong, where the service has decided that and its status says otherwise. Then there is no sense in asking again.
    pub decided: Option<Code>,
}

/// One entry of a refusal's `data`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Detail {
    /// The user or thing that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// What was found.
    pub errors: Vec<String>,
}

impl Detail {
    /// Reads every entry that is an object; a member of the wrong type counts as absent.
    fn read_all(json: Option<&Document<'_>>) -> Vec<Detail> {
        let mut details = Vec::new();
        let Some(data) = json.and_then(|json| json.root().get("data")) else {
            return details;
        };
        for entry in data.elements().filter(|entry| entry.kind() == Kind::Object) {
            let user = entry.get("user").and_then(|user| user.as_str());
            let errors = entry.get("errors").into_iter();
            let errors = errors.flat_map(|errors| errors.elements());
            let texts = errors.filter_map(|error| error.as_str());
            details.push(Detail {
                user: user.map(str::to_owned),
                errors: texts.map(str::to_owned).collect(),
            });
        }
        details
    }
}

/// The longest body that is shown in place of a message, in bytes.
const SHOWN: usize = 200;

impl Refusal {
    /// Reads an answer. `now` is the clock in milliseconds since 1970, for dates in `Retry-After`.
    pub fn read(status: u16, headers: &Headers, body: &str, now: f64) -> Refusal {
        let json = hujson::document(body);
        let said = |name| {
            let text = json.as_ref()?.root().get(name)?.as_str();
            text.filter(|text| !text.is_empty())
        };
        let message = ["message", "error_description", "error"]
            .into_iter()
            .find_map(said)
            .map_or_else(
                || plain_message(status, body, json.is_some()),
                str::to_owned,
            );
        Refusal {
            status,
            message,
            details: Detail::read_all(json.as_ref()),
            retry_after: headers
                .get(headers::RETRY_AFTER)
                .and_then(|value| retry_after::seconds(value, now)),
            request_id: headers::REQUEST_ID
                .iter()
                .find_map(|name| headers.get(name))
                .map(str::to_owned),
            body: body.to_owned(),
            decided: None,
        }
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        self.decided
            .unwrap_or_else(|| Code::for_status(self.status))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A line for an answer without a `message`: a short plain body, else the status.
fn plain_message(status: u16, body: &str, is_json: bool) -> String {
    let text = body.trim();
    let plain = !text.is_empty() && text.len() <= SHOWN && !text.starts_with('<') && !is_json;
    if plain {
        text.to_owned()
    } else {
        format!("the service answered with status {status}")
    }
}

/// The body that the service sends with a refusal; the counterpart of [`Refusal::read`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RefusalBody {
    /// What went wrong, for people.
    pub message: String,
    /// What was found, one entry for each test or user; absent where there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<Detail>,
}

impl Response {
    /// The answer of a server that refuses a request, with a message and nothing else.
    pub fn refusal(status: u16, message: impl Into<String>) -> Response {
        let body = RefusalBody {
            message: message.into(),
            data: Vec::new(),
        };
        Response::json(status, &body)
    }
}
