//! Bodies of requests in JSON: read by hand, and types whose members are written down once.
//! Must not live here: which operation sends which.
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::Error;
use super::message::Request;
use super::payload::from_json;
use super::shape::MemberKind;

/// An object with these members. They are put in one by one: `collect` would sort them first, by code that nothing else uses.
pub(crate) fn object<'n>(
    members: impl IntoIterator<Item = (&'n str, Value)>,
) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, value) in members {
        object.insert(name.to_owned(), value);
    }
    object
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

    /// True or false, or nothing; `null` counts as missing.
    ///
    /// # Errors
    /// [`Error::Argument`] where it is anything else.
    pub fn optional_flag(&self, name: &'static str) -> Result<Option<bool>, Error> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => self.flag(name).map(Some),
        }
    }

    /// An object.
    ///
    /// # Errors
    /// [`Error::Argument`] where it is missing or is anything else.
    pub fn object(&self, name: &'static str) -> Result<Map<String, Value>, Error> {
        let object = self.field(name)?.as_object();
        object
            .cloned()
            .ok_or_else(|| Error::argument(name, "must be an object"))
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
            is_unreadable(object([(name.as_str(), value.clone())]))
        };
        let found = self.0.into_iter().find(alone);
        let name = found.map_or_else(|| "body".to_owned(), |(name, _)| name);
        Error::argument(name, format!("cannot be used: {error}"))
    }

    fn field(&self, name: &'static str) -> Result<&Value, Error> {
        self.0
            .get(name)
            .ok_or_else(|| Error::argument(name, "is missing from the body"))
    }
}

/// What a member of a body can be.
pub trait Field: Sized {
    /// Its type, as it is checked before it is sent.
    const KIND: MemberKind;

    /// Reads it.
    ///
    /// # Errors
    /// [`Error::Argument`] where it is missing or is anything else.
    fn read(input: &Input, name: &'static str) -> Result<Self, Error>;

    /// Its value in JSON; nothing for a member that is not sent.
    fn write(&self) -> Option<Value>;
}

/// `Type: kind, how it is read, how it is written;`
macro_rules! fields {
    ($($type:ty: $kind:ident, |$input:ident, $name:ident| $read:expr, |$value:ident| $written:expr;)+) => {$(
        impl Field for $type {
            const KIND: MemberKind = MemberKind::$kind;

            fn read($input: &Input, $name: &'static str) -> Result<Self, Error> {
                $read
            }

            fn write(&self) -> Option<Value> {
                let $value = self;
                $written
            }
        }
    )+};
}

fields! {
    String: Text, |input, name| input.text(name).map(str::to_owned), |text| Some(text.as_str().into());
    Option<String>: Any, |input, name| input.optional_text(name), |text| text.as_deref().map(Value::from);
    Vec<String>: Texts, |input, name| input.texts(name), |texts| Some(texts.clone().into());
    bool: Flag, |input, name| input.flag(name), |flag| Some((*flag).into());
    Option<bool>: Any, |input, name| input.optional_flag(name), |flag| flag.map(Value::from);
    Value: Scalar, |input, name| Ok(input.value(name).clone()), |value| Some(value.clone());
    Map<String, Value>: Object, |input, name| input.object(name), |members| Some(members.clone().into());
}

/// Makes types of bodies: `Name { field: type = "name of the member", }`. Read by hand, as [`Input`] says.
macro_rules! bodies {
    ($($(#[$what:meta])+ $name:ident { $($(#[$field_what:meta])+ $field:ident: $type:ty = $member:literal,)+ })+) => {$(
        $(#[$what])+
        #[derive(Clone, PartialEq, Debug, Default)]
        pub struct $name {
            $($(#[$field_what])+ pub $field: $type,)+
        }

        impl $crate::api::payload::Payload for $name {
            const FORM: $crate::api::shape::Form = $crate::api::shape::Form::Object(&[
                $($crate::api::shape::member($member, <$type as $crate::api::input::Field>::KIND),)+
            ]);

            fn write(&self, request: &mut $crate::api::message::Request) {
                let mut body = serde_json::Map::new();
                $(if let Some(value) = $crate::api::input::Field::write(&self.$field) {
                    body.insert($member.to_owned(), value);
                })+
                request.set_json(&body);
            }

            fn read(request: &$crate::api::message::Request) -> Result<Self, $crate::api::error::Error> {
                let input = $crate::api::input::Input::read(request)?;
                Ok($name { $($field: $crate::api::input::Field::read(&input, $member)?,)+ })
            }
        }
    )+};
}
pub(super) use bodies;

/// Makes types with serde payloads: the whole JSON body. `Type: the members that are checked,`.
macro_rules! sent_as_json {
    ($($type:ty: $members:expr,)+) => {$(
        impl $crate::api::payload::Payload for $type {
            const FORM: $crate::api::shape::Form = $crate::api::shape::Form::Object($members);

            fn write(&self, request: &mut $crate::api::message::Request) {
                request.set_json(self);
            }

            fn read(request: &$crate::api::message::Request) -> Result<Self, $crate::api::error::Error> {
                $crate::api::input::Input::read(request)?.into()
            }
        }
    )+};
}
pub(super) use sent_as_json;

/// Makes lists of types with serde payloads: the body is the list. `Type,`.
macro_rules! sent_as_items {
    ($($type:ty,)+) => {$(
        impl $crate::api::payload::Payload for Vec<$type> {
            const FORM: $crate::api::shape::Form = $crate::api::shape::Form::List;

            fn write(&self, request: &mut $crate::api::message::Request) {
                request.set_json(self);
            }

            fn read(request: &$crate::api::message::Request) -> Result<Self, $crate::api::error::Error> {
                let items = $crate::api::payload::from_json(&request.body);
                items.map_err(|error| $crate::api::error::Error::argument("body", format!("must be a JSON list: {error}")))
            }
        }
    )+};
}
pub(super) use sent_as_items;
