//! The trait that every call implements, both ways: the client uses the upper half, the sandbox the lower.
//! Must not live here: the calls themselves.
use serde::de::{DeserializeOwned, Error as _, IgnoredAny};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::error::Error;
use super::message::{Request, Response};
use super::operation::Operation;
use super::place::{PathStyle, Scope};
use super::retry::Rule;

/// A call: its row of the route table, and how it and its answer are written and read.
pub trait Endpoint: Sized {
    /// The row of the table.
    const OPERATION: Operation;
    /// What a success carries.
    type Output;

    /// The tailnet, device or other thing that the call concerns.
    fn scope(&self) -> Scope;

    /// The request, without base URL and credentials. By default: no query, no body.
    fn to_request(&self, style: PathStyle) -> Request {
        request(Self::OPERATION, &self.scope(), style)
    }

    /// After which failures the call may be repeated. By default, the rule of its operation.
    fn rule(&self) -> Rule {
        Rule::of(Self::OPERATION)
    }

    /// Reads a success.
    ///
    /// # Errors
    /// [`Error::Malformed`] where the body is not what was promised.
    fn output(response: &Response) -> Result<Self::Output, Error>;

    /// Reads a request that the route table has matched.
    ///
    /// # Errors
    /// [`Error::Argument`] names the field that is missing or wrong. Content types are ignored.
    fn from_request(scope: Scope, request: &Request) -> Result<Self, Error>;

    /// Writes a success.
    fn respond(output: &Self::Output) -> Response;
}

/// The form that most calls have: a scope, at most a query and a JSON object, and an answer in JSON.
pub trait Plain: Sized {
    /// The row of the table.
    const OPERATION: Operation;
    /// The status of a success.
    const STATUS: u16 = 200;
    /// What a success carries.
    type Output: Serialize + DeserializeOwned;

    /// The tailnet, device or other thing that the call concerns.
    fn scope(&self) -> Scope;

    /// After which failures the call may be repeated. By default, the rule of its operation.
    fn rule(&self) -> Rule {
        Rule::of(Self::OPERATION)
    }

    /// Writes the query. By default there is none.
    fn query(&self, _target: &mut String) {}

    /// What is sent. By default nothing.
    fn body(&self) -> Option<Value> {
        None
    }

    /// Reads a request that the route table has matched.
    ///
    /// # Errors
    /// [`Error::Argument`] names the field that is missing or wrong.
    fn read(scope: &Scope, request: &Request) -> Result<Self, Error>;
}

impl<C: Plain> Endpoint for C {
    const OPERATION: Operation = <C as Plain>::OPERATION;
    type Output = <C as Plain>::Output;

    fn scope(&self) -> Scope {
        Plain::scope(self)
    }

    fn to_request(&self, style: PathStyle) -> Request {
        let mut request = request(<C as Plain>::OPERATION, &Plain::scope(self), style);
        self.query(&mut request.target);
        match self.body() {
            Some(body) => request.with_json(&body),
            None => request,
        }
    }

    fn rule(&self) -> Rule {
        Plain::rule(self)
    }

    fn output(response: &Response) -> Result<Self::Output, Error> {
        read_output(response)
    }

    fn from_request(scope: Scope, request: &Request) -> Result<Self, Error> {
        Self::read(&scope, request)
    }

    fn respond(output: &Self::Output) -> Response {
        Response::json(Self::STATUS, output)
    }
}

/// Makes calls that have a scope and nothing else: `Name -> output, status { field: type = part of the scope, }`.
macro_rules! bare_calls {
    ($($(#[$what:meta])+ $name:ident -> $output:ty, $status:literal {
        $($(#[$field_what:meta])+ $field:ident: $type:ty = $part:ident,)+
    })+) => {$(
        $(#[$what])+
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $name {
            $($(#[$field_what])+ pub $field: $type,)+
        }

        impl Plain for $name {
            const OPERATION: Operation = Operation::$name;
            const STATUS: u16 = $status;
            type Output = $output;

            fn scope(&self) -> Scope {
                Scope::default()$(.and(self.$field.clone()))+
            }

            fn read(scope: &Scope, _: &Request) -> Result<Self, Error> {
                $(let $field = scope.$part()?;)+
                Ok($name { $($field),+ })
            }
        }
    )+};
}
pub(super) use bare_calls;

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

/// The request of an operation, without query and body.
pub(crate) fn request(operation: Operation, scope: &Scope, style: PathStyle) -> Request {
    Request::new(operation.route().method, operation.path(scope, style))
}

/// Reads the JSON body of a success.
///
/// # Errors
/// [`Error::Malformed`] with the message of the JSON reader.
pub(crate) fn read_output<T: DeserializeOwned>(response: &Response) -> Result<T, Error> {
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

/// The JSON object in a request's body, whatever its content type. Unknown fields are ignored.
///
/// Read by hand: a derived reader for each body would make a server several times as large.
pub struct Input(Map<String, Value>);

impl Input {
    /// Reads the body.
    ///
    /// # Errors
    /// [`Error::Argument`] where it is not a JSON object.
    pub fn read(request: &Request) -> Result<Input, Error> {
        match from_json(&request.body) {
            Ok(Value::Object(fields)) => Ok(Input(fields)),
            Ok(_) => Err(Error::argument("body", "must be a JSON object")),
            Err(error) => Err(Error::argument("body", format!("cannot be read: {error}"))),
        }
    }

    /// A list of texts; `null` is an empty one, as Go writes it.
    ///
    /// # Errors
    /// [`Error::Argument`] where it is missing or is anything else.
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
    /// [`Error::Argument`] where it is missing or is anything else.
    pub fn flag(&self, name: &'static str) -> Result<bool, Error> {
        let flag = self.field(name)?.as_bool();
        flag.ok_or_else(|| Error::argument(name, "must be true or false"))
    }

    /// A text.
    ///
    /// # Errors
    /// [`Error::Argument`] where it is missing or is anything else.
    pub fn text(&self, name: &'static str) -> Result<&str, Error> {
        let text = self.field(name)?.as_str();
        text.ok_or_else(|| Error::argument(name, "must be a text"))
    }

    /// A text that may be missing; `null` and an empty one count as missing.
    ///
    /// # Errors
    /// [`Error::Argument`] where it is anything else.
    pub fn optional_text(&self, name: &'static str) -> Result<Option<String>, Error> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => Ok(Some(self.text(name)?.to_owned()).filter(|text| !text.is_empty())),
        }
    }

    /// Any value; `null` where it is missing.
    pub fn value(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or(&Value::Null)
    }

    /// The whole object, as one of the wire types, none of which needs a member.
    ///
    /// # Errors
    /// [`Error::Argument`] with the message of the JSON reader, naming the first member that cannot be read by itself.
    pub fn into<T: DeserializeOwned>(self) -> Result<T, Error> {
        let read = |members| serde_json::from_value::<T>(Value::Object(members));
        read(self.0.clone())
            .map_err(|error| self.unreadable(&error, &|members| read(members).is_err()))
    }

    /// Apart from `into`, of which there is one for each wire type.
    #[inline(never)]
    fn unreadable(
        self,
        error: &serde_json::Error,
        is_unreadable: &dyn Fn(Map<String, Value>) -> bool,
    ) -> Error {
        let alone = |(name, value): &(String, Value)| {
            is_unreadable(Map::from_iter([(name.clone(), value.clone())]))
        };
        let found = self.0.into_iter().find(alone);
        let name = found.map_or_else(|| "body".to_owned(), |(name, _)| name);
        Error::argument(name, format!("cannot be used: {error}"))
    }

    /// The members, in no particular order.
    pub fn members(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    fn field(&self, name: &'static str) -> Result<&Value, Error> {
        self.0
            .get(name)
            .ok_or_else(|| Error::argument(name, "is missing from the body"))
    }
}

/// Reads `null` as the default value, since Go writes an empty list as `null`.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
