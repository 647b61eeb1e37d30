//! Plain names as questions: read as the object that says what the name is. The table is shared with every runtime.
//! Must not live here: what is answered (`policy_preview`, `policy_verbs`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use proptest::prelude::*;
use serde_json::Value;
use tailnet_kit::policy::{Error, Query, Subject};

/// A name, then what it asks a preview, then who it is as the source of a flow; null where it is refused.
fn table() -> Vec<(String, Value, Value)> {
    serde_json::from_str(include_str!("policy/names.json")).expect("a table")
}

/// The one member of an object.
fn member(object: &Value) -> Option<(&str, &str)> {
    let (key, text) = object.as_object()?.iter().next()?;
    Some((key, text.as_str()?))
}

type Read<T> = Result<T, (String, String)>;

/// What a name is read as, or the code and words of its refusal.
fn read<T: FromStr<Err = Error>>(name: &str) -> Read<T> {
    name.parse()
        .map_err(|error: Error| (error.code().to_owned(), error.to_string()))
}

fn refused<T>(name: &str, wanted: &str) -> Read<T> {
    let message = format!("`{name}` is not {wanted}");
    Err(("invalid_argument".to_owned(), message))
}

#[test]
fn a_name_asks_a_preview_what_its_object_asks() {
    for (name, query, _) in table() {
        let wanted = match member(&query) {
            Some(("user", text)) => Ok(Query::User(text.to_owned())),
            Some(("tag", text)) => Ok(Query::Tag(text.to_owned())),
            Some(("host", text)) => Ok(Query::Host(text.to_owned())),
            Some(("ipPort", text)) => match Query::ip_port(text) {
                Some(query) => Ok(query),
                None => refused(&name, "an address and a port"),
            },
            _ => refused(&name, "a name"),
        };
        assert_eq!(read(&name), wanted);
    }
}

#[test]
fn a_name_sends_as_its_object_does() {
    for (name, _, from) in table() {
        let wanted = match member(&from) {
            Some(("user", text)) => Ok(Subject::User(text.to_owned())),
            Some(("group", text)) => Ok(Subject::Group(text.to_owned())),
            Some(("tag", text)) => Ok(Subject::Tag(text.to_owned())),
            Some(("host", text)) => Ok(Subject::Host(text.to_owned())),
            Some(("ip", text)) => Ok(Subject::Ip(text.to_owned())),
            _ => refused(&name, "a name"),
        };
        assert_eq!(read(&name), wanted);
    }
}

fn address() -> impl Strategy<Value = IpAddr> {
    // Groups with zeros and decimal digits alone are the ones that look like ports.
    let group = prop_oneof![Just(0_u16), 0_u16..0x10, any::<u16>()];
    let v6 = prop::array::uniform8(group).prop_map(|groups| Ipv6Addr::from(groups).into());
    prop_oneof![
        any::<u32>().prop_map(|bits| Ipv4Addr::from(bits).into()),
        v6
    ]
}

proptest! {
    /// As the standard library writes them: an address is never taken for one with a port, nor the other way round.
    #[test]
    fn an_address_is_told_from_one_with_a_port(address in address(), port: u16) {
        let bare = address.to_string();
        prop_assert_eq!(read(&bare), Ok(Query::Host(bare.clone())));
        prop_assert_eq!(read(&bare), Ok(Subject::Ip(bare.clone())));
        let text = SocketAddr::new(address, port).to_string();
        let wanted = Query::IpPort { address: address.into(), port, text: text.clone() };
        prop_assert_eq!(read(&text), Ok(wanted));
    }

    /// Whatever is typed is kept as it was typed; only what names nothing is refused.
    #[test]
    fn what_is_typed_is_kept(name in "([ a-z0-9@:.*/\\[\\]-]|tag:|group:|10\\.0\\.0\\.1){0,12}") {
        match name.parse::<Query>() {
            Ok(query) => prop_assert_eq!(query.text(), &name),
            Err(error) => prop_assert_eq!(error.code(), "invalid_argument"),
        }
        let empty = name.trim().is_empty();
        prop_assert_eq!(name.parse::<Subject>().is_err(), empty);
        prop_assert!(!empty || name.parse::<Query>().is_err());
    }
}
