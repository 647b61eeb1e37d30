//! One trait for every call, both ways: the client uses the upper half, the sandbox the lower.
//! Must not live here: the calls themselves.
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

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

/// The JSON object that a request carries, whatever its label. Fields that nobody asks for are passed over.
///
/// Read by hand: a derived reader for each body makes a server several times as large.
pub struct Input(Map<String, Value>);

impl Input {
    /// Reads the body.
    ///
    /// # Errors
    /// [`Error::Argument`] where it is no JSON object.
    pub fn read(request: &Request) -> Result<Input, Error> {
        match serde_json::from_slice(&request.body) {
            Ok(Value::Object(fields)) => Ok(Input(fields)),
            Ok(_) => Err(Error::argument("body", "must be a JSON object")),
            Err(error) => Err(Error::argument("body", format!("cannot be read: {error}"))),
        }
    }

    /// A list of texts; `null` is an empty one (Go writes it so).
    ///
    /// # Errors
    /// [`Error::Argument`] where it is missing or anything else.
    pub fn texts(&self, name: &'static str) -> Result<Vec<String>, Error> {
        let mut texts = Vec::new();
        let items = match self.field(name)? {
            Value::Null => return Ok(texts),
            Value::Array(items) => items,
            _ => return Err(Error::argument(name, "must be a list of texts")),
        };
        for item in items {
            match item {
                Value::String(text) => texts.push(text.clone()),
                _ => return Err(Error::argument(name, "must be a list of texts")),
            }
        }
        Ok(texts)
    }

    /// True or false.
    ///
    /// # Errors
    /// [`Error::Argument`] where it is missing or anything else.
    pub fn flag(&self, name: &'static str) -> Result<bool, Error> {
        let flag = self.field(name)?.as_bool();
        flag.ok_or_else(|| Error::argument(name, "must be true or false"))
    }

    /// A text.
    ///
    /// # Errors
    /// [`Error::Argument`] where it is missing or anything else.
    pub fn text(&self, name: &'static str) -> Result<&str, Error> {
        let text = self.field(name)?.as_str();
        text.ok_or_else(|| Error::argument(name, "must be a text"))
    }

    fn field(&self, name: &'static str) -> Result<&Value, Error> {
        self.0
            .get(name)
            .ok_or_else(|| Error::argument(name, "is missing from the body"))
    }
}

/// For lists: `null` is an empty list (Go writes it so).
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
