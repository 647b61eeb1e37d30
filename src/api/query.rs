//! Queries: types whose parameters are written down once. Must not live here: which operation sends which, percent-encoding (`uri`).
use super::shape::MemberKind;
use super::uri;

/// What a parameter of a query can be.
pub trait Parameter: Sized {
    /// Its type, as it is checked before it is sent.
    const KIND: MemberKind;

    /// Appends it to a target.
    fn write(&self, name: &str, target: &mut String);

    /// Reads it from a query. Services ignore what they do not understand, so nothing is an error here.
    fn read(name: &str, query: &str) -> Self;
}

/// One that must be there; empty where it is not.
impl Parameter for String {
    const KIND: MemberKind = MemberKind::Text;

    fn write(&self, name: &str, target: &mut String) {
        uri::push_query(target, name, self);
    }

    fn read(name: &str, query: &str) -> String {
        uri::query_value(query, name).unwrap_or_default()
    }
}

impl Parameter for Option<String> {
    const KIND: MemberKind = MemberKind::Any;

    fn write(&self, name: &str, target: &mut String) {
        if let Some(value) = self {
            uri::push_query(target, name, value);
        }
    }

    fn read(name: &str, query: &str) -> Option<String> {
        uri::query_value(query, name)
    }
}

/// One parameter for each value.
impl Parameter for Vec<String> {
    const KIND: MemberKind = MemberKind::Texts;

    fn write(&self, name: &str, target: &mut String) {
        for value in self {
            uri::push_query(target, name, value);
        }
    }

    fn read(name: &str, query: &str) -> Vec<String> {
        let named = uri::query_pairs(query).filter(|(known, _)| known == name);
        named.map(|(_, value)| value).collect()
    }
}

/// `true` or absent.
impl Parameter for bool {
    const KIND: MemberKind = MemberKind::Flag;

    fn write(&self, name: &str, target: &mut String) {
        if *self {
            uri::push_query(target, name, "true");
        }
    }

    fn read(name: &str, query: &str) -> bool {
        uri::query_value(query, name).is_some_and(|value| value == "true")
    }
}

/// Makes types of queries: `Name { field: type = "name of the parameter", }`.
macro_rules! queries {
    ($($(#[$what:meta])+ $name:ident { $($(#[$field_what:meta])+ $field:ident: $type:ty = $parameter:literal,)+ })+) => {$(
        $(#[$what])+
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct $name {
            $($(#[$field_what])+ pub $field: $type,)+
        }

        impl $crate::api::payload::Payload for $name {
            const FORM: $crate::api::shape::Form = $crate::api::shape::Form::Query(&[
                $($crate::api::shape::member($parameter, <$type as $crate::api::query::Parameter>::KIND),)+
            ]);

            fn write(&self, request: &mut $crate::api::message::Request) {
                $($crate::api::query::Parameter::write(&self.$field, $parameter, &mut request.target);)+
            }

            fn read(request: &$crate::api::message::Request) -> Result<Self, $crate::api::error::Error> {
                Ok($name { $($field: $crate::api::query::Parameter::read($parameter, request.query()),)+ })
            }
        }
    )+};
}
pub(super) use queries;
