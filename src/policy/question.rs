//! Plain names, as somebody types them into one field, read as what they name (policy-language.md 3).
//! Must not live here: how selectors are told apart (`selector`), the answers.

use std::str::FromStr;

use super::check::Error;
use super::explain::{NOWHERE, Subject, argument};
use super::language::selector::{Destination, Kind, trimmed};
use super::preview::Query;

impl FromStr for Query {
    type Err = Error;

    /// Reads `tag:…` as a tag, a name with `@` as a user, an address with a port as [`Query::ip_port`] does, and
    /// everything else as an alias, address or prefix. What is an address by itself is no address with a port: of
    /// `fd7a::1:80` only brackets, `[fd7a::1]:80`, make a port.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty name, or an address before a colon without one port after it.
    fn from_str(text: &str) -> Result<Query, Error> {
        let kind = kind_of(text)?;
        if kind.is_numeric() {
            return Ok(Query::Host(text.to_owned()));
        }
        if let Some(query) = Query::ip_port(text) {
            return Ok(query);
        }
        match kind {
            Kind::Tag => Ok(Query::Tag(text.to_owned())),
            Kind::User | Kind::Domain => Ok(Query::User(text.to_owned())),
            _ if Destination::new(text, NOWHERE).host.kind == Kind::Address => {
                Err(argument(text, "an address and a port"))
            }
            _ => Ok(Query::Host(text.to_owned())),
        }
    }
}

impl FromStr for Subject {
    type Err = Error;

    /// Reads a name as the `src` of a test is read: `group:…`, `tag:…`, an address, a user where there is an `@`, else
    /// an alias.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty name.
    fn from_str(text: &str) -> Result<Subject, Error> {
        let kind = kind_of(text)?;
        let name = text.to_owned();
        Ok(match kind {
            Kind::Group => Subject::Group(name),
            Kind::Tag => Subject::Tag(name),
            Kind::Address => Subject::Ip(name),
            Kind::User | Kind::Domain => Subject::User(name),
            _ => Subject::Host(name),
        })
    }
}

/// What a name is, where there is one.
fn kind_of(text: &str) -> Result<Kind, Error> {
    match trimmed(text) {
        "" => Err(argument(text, "a name")),
        name => Ok(Kind::of(name)),
    }
}
