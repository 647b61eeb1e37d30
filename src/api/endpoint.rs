//! One trait for every call, both ways: the client uses the upper half, the sandbox the lower.
//! Must not live here: the calls themselves.
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use super::error::Error;
use super::message::{Request, Response};
use super::route::{Operation, PathStyle, Scope};

/// A call: its row of the route table, and how it and its answer are written and read.
pub trait Endpoint: Sized {
    /// The row of the table.
    const OPERATION: Operation;
    /// What a success carries.
    type Output;

    /// Whom the call concerns.
    fn scope(&self) -> Scope;

    /// The request, without base URL and credentials. By default: no query, no body.
    fn to_request(&self, style: PathStyle) -> Request {
        request(Self::OPERATION, &self.scope(), style)
    }

    /// Reads a success.
    ///
    /// # Errors
    /// [`Error::Malformed`] where the body is not what was promised.
    fn output(response: &Response) -> Result<Self::Output, Error>;

    /// Reads a request that the route table has matched.
    ///
    /// # Errors
    /// [`Error::Argument`] names the field that is missing or wrong. Content types are not looked at.
    fn from_request(scope: Scope, request: &Request) -> Result<Self, Error>;

    /// Writes a success.
    fn respond(output: &Self::Output) -> Response;
}

/// The bare request of an operation.
pub(crate) fn request(operation: Operation, scope: &Scope, style: PathStyle) -> Request {
    Request::new(operation.route().method, operation.path(scope, style))
}

/// Reads the JSON body of a success.
///
/// # Errors
/// [`Error::Malformed`] with the reader's own words.
pub(crate) fn read_output<T: DeserializeOwned>(response: &Response) -> Result<T, Error> {
    serde_json::from_slice(&response.body)
        .map_err(|error| Error::malformed("", format!("is not what was promised: {error}")))
}

/// Reads the JSON body of a request, whatever its label.
///
/// # Errors
/// [`Error::Argument`] with the reader's own words.
pub(crate) fn read_input<T: DeserializeOwned>(request: &Request) -> Result<T, Error> {
    serde_json::from_slice(&request.body)
        .map_err(|error| Error::argument("body", format!("cannot be read: {error}")))
}

/// For lists: `null` is an empty list (Go writes it so).
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
