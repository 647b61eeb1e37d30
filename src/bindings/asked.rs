//! Questions as callers put them: a plain name, or an object that says what the name is.
//! Must not live here: how a plain name is read (`policy`), the answers.

use std::fmt::{self, Formatter};

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::faults::from_json;
use crate::policy::{Error, Flow, Query, Subject};

/// Whom or what a preview is about.
#[inline(never)]
pub(super) fn query(json: &str) -> Result<Query, Error> {
    let named = match from_json(json)? {
        Asked::Plain(name) => return name.parse(),
        Asked::Named(named) => named,
    };
    match (named.user, named.ip_port, named.tag, named.host) {
        (Some(user), None, None, None) => Ok(Query::User(user)),
        (None, Some(text), None, None) => Query::ip_port(&text)
            .ok_or_else(|| Error::Argument(format!("`{text}` is not an address and a port"))),
        (None, None, Some(tag), None) => Ok(Query::Tag(tag)),
        (None, None, None, Some(host)) => Ok(Query::Host(host)),
        _ => Err(Error::Argument(
            "ask for one of user, ipPort, tag, host".to_owned(),
        )),
    }
}

/// The flow that is to be explained.
#[inline(never)]
pub(super) fn flow(json: &str) -> Result<Flow, Error> {
    let flow = from_json::<FlowArgument>(json)?;
    Flow::new(&flow.from.subject()?, &flow.to, flow.proto.as_deref())
}

#[derive(Deserialize)]
#[serde(expecting = "an object with `from` and `to`")]
struct FlowArgument {
    from: Asked,
    to: String,
    proto: Option<String>,
}

enum Asked {
    Plain(String),
    Named(Named),
}

/// One of these.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    user: Option<String>,
    group: Option<String>,
    tag: Option<String>,
    host: Option<String>,
    ip: Option<String>,
    ip_port: Option<String>,
}

impl Asked {
    fn subject(self) -> Result<Subject, Error> {
        let named = match self {
            Asked::Plain(name) => return name.parse(),
            Asked::Named(named) => named,
        };
        let subjects = [
            named.user.map(Subject::User),
            named.group.map(Subject::Group),
            named.tag.map(Subject::Tag),
            named.host.map(Subject::Host),
            named.ip.map(Subject::Ip),
        ];
        let mut subjects = subjects.into_iter().flatten();
        match (subjects.next(), subjects.next()) {
            (Some(from), None) => Ok(from),
            _ => Err(Error::Argument(
                "from is one of user, group, tag, host, ip".to_owned(),
            )),
        }
    }
}

impl<'de> Deserialize<'de> for Asked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AskedVisitor)
    }
}

struct AskedVisitor;

impl<'de> Visitor<'de> for AskedVisitor {
    type Value = Asked;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name or an object such as `{user: 'ann@example.com'}`")
    }

    fn visit_str<E>(self, name: &str) -> Result<Asked, E> {
        Ok(Asked::Plain(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Asked, A::Error> {
        Named::deserialize(MapAccessDeserializer::new(map)).map(Asked::Named)
    }
}
