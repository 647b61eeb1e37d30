//! What requests and answers carry, written and read once for client and server.
//! Must not live here: the bodies themselves, paths, which operation sends what (`operation`).
use serde::de::{DeserializeOwned, Error as _, IgnoredAny};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::Error;
use super::message::{Request, Response};
use super::place::Scope;
use super::retry::Rule;
use super::shape::{Form, Shape};

/// What a request carries beside its path: a body, a query, header fields.
pub trait Payload: Sized {
    /// What is checked of it before it is sent.
    const FORM: Form;

    /// Adds it to a request.
    fn write(&self, request: &mut Request);

    /// Reads it from a request, whatever its content type.
    ///
    /// # Errors
    /// [`Error::Argument`] names the member that is missing or wrong.
    fn read(request: &Request) -> Result<Self, Error>;

    /// After which failures it may be sent again, where that hangs on what it carries.
    fn rule(&self, _: &Scope) -> Option<Rule> {
        None
    }
}

/// What a success carries.
pub trait Answer: Sized {
    /// What is checked of it, and which part a caller in JavaScript gets.
    const SHAPE: Shape;

    /// Reads a success.
    ///
    /// # Errors
    /// [`Error::Malformed`] where the body is not what was promised.
    fn read(response: &Response) -> Result<Self, Error>;

    /// Writes a success.
    fn write(&self) -> Response;
}

/// Makes types with serde answers: the whole JSON body. `Type: what is checked,`.
macro_rules! given_as_json {
    ($($type:ty: $shape:expr,)+) => {$(
        impl $crate::api::payload::Answer for $type {
            const SHAPE: $crate::api::shape::Shape = $shape;

            fn read(response: &$crate::api::message::Response) -> Result<Self, $crate::api::error::Error> {
                $crate::api::payload::read_output(response)
            }

            fn write(&self) -> $crate::api::message::Response {
                $crate::api::message::Response::json(200, self)
            }
        }
    )+};
}
pub(super) use given_as_json;

/// Makes lists of types with serde answers: the body is the list, or `null` for an empty one. `Type,`.
macro_rules! given_as_items {
    ($($type:ty,)+) => {$(
        impl $crate::api::payload::Answer for Vec<$type> {
            const SHAPE: $crate::api::shape::Shape = $crate::api::shape::Shape::Items;

            fn read(response: &$crate::api::message::Response) -> Result<Self, $crate::api::error::Error> {
                let items: Option<Self> = $crate::api::payload::read_output(response)?;
                Ok(items.unwrap_or_default())
            }

            fn write(&self) -> $crate::api::message::Response {
                $crate::api::message::Response::json(200, self)
            }
        }
    )+};
}
pub(super) use given_as_items;

impl Answer for () {
    const SHAPE: Shape = Shape::Nothing;

    fn read(_: &Response) -> Result<(), Error> {
        Ok(())
    }

    fn write(&self) -> Response {
        Response::empty(200)
    }
}

/// A success without content. Services write it as no body, `null` or `{}`; all are accepted, and `{}` is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Done;

impl Serialize for Done {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_map(Some(0))?.end()
    }
}

impl<'de> Deserialize<'de> for Done {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Done, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Done)
    }
}

given_as_json! { Done: Shape::Nothing, }

/// A success that only says that something will be done: status 202.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accepted;

impl Answer for Accepted {
    const SHAPE: Shape = Shape::Nothing;

    fn read(response: &Response) -> Result<Accepted, Error> {
        Done::read(response).map(|Done| Accepted)
    }

    fn write(&self) -> Response {
        Response::json(202, &Done)
    }
}

/// Reads the JSON body of a success.
///
/// # Errors
/// [`Error::Malformed`] with the message of the JSON reader.
pub(super) fn read_output<T: DeserializeOwned>(response: &Response) -> Result<T, Error> {
    let body = match response.body.as_slice() {
        [] => b"null",
        body => body,
    };
    from_json(body)
        .map_err(|error| Error::malformed("", format!("is not what was promised: {error}")))
}

/// Reads JSON, always as text: a reader of bytes beside that of text would add 4 KiB (Brotli) to the sandbox.
///
/// # Errors
/// The errors of the reader, and one for bytes that are not UTF-8.
pub(crate) fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    let text = str::from_utf8(bytes).map_err(serde_json::Error::custom)?;
    serde_json::from_str(text)
}

/// Reads `null` as the default value, since Go writes an empty list as `null`.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
