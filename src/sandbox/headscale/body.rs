//! What a request carries, read as each release reads it: 0.30 by its schema, the others as the gateway of gRPC does, which knows no missing
//! members and ignores the ones that it does not know. Must not live here: which operation takes what.

use serde_json::{Map, Value};

use super::refusal::{Kind, Refusal};
use crate::api::Request;
use crate::api::headscale::Release;
use crate::api::payload::from_json;
use crate::sandbox::clock;

/// The members of a body.
pub(super) struct Body {
    members: Map<String, Value>,
    is_strict: bool,
}

impl Body {
    /// The body of a request that may have these members, or none at all.
    ///
    /// # Errors
    /// A refusal of what is no JSON object; by 0.30 also of a member that is not among these.
    pub fn read(request: &Request, release: Release, known: &[&str]) -> Result<Body, Refusal> {
        let is_strict = release >= Release::V30;
        let members = match request.body.as_slice() {
            [] => Map::new(),
            text => from_json(text).map_err(|_| {
                Refusal::bad("the body is no JSON object").while_doing(reading(is_strict))
            })?,
        };
        let strange = members.keys().find(|name| !known.contains(&name.as_str()));
        if let (true, Some(name)) = (is_strict, strange) {
            return Err(malformed(name, "unexpected property"));
        }
        Ok(Body { members, is_strict })
    }

    /// A text; null is none.
    pub fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        match self.members.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            // The JSON of protocol buffers takes numbers for texts of digits.
            Some(Value::Number(number)) if !self.is_strict => Ok(Some(number.to_string())),
            Some(_) => Err(malformed(name, "expected string")),
        }
    }

    /// A text that has to be there; before 0.30 an absent one is empty.
    pub fn required(&self, name: &str) -> Result<String, Refusal> {
        match (self.text(name)?, self.is_strict) {
            (Some(text), _) => Ok(text),
            (None, false) => Ok(String::new()),
            (None, true) => Err(missing(name)),
        }
    }

    /// A flag; absent is false.
    pub fn flag(&self, name: &str) -> Result<bool, Refusal> {
        match self.members.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(malformed(name, "expected boolean")),
        }
    }

    /// A list of texts.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>, Refusal> {
        let items = match self.members.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Array(items)) => items,
            Some(_) => return Err(malformed(name, "expected array")),
        };
        let text = |item: &Value| item.as_str().map(str::to_owned);
        let texts: Option<Vec<String>> = items.iter().map(text).collect();
        match texts {
            Some(texts) => Ok(Some(texts)),
            None => Err(malformed(name, "expected string")),
        }
    }

    /// A list of texts that has to be there; before 0.30 an absent one is empty.
    pub fn required_texts(&self, name: &str) -> Result<Vec<String>, Refusal> {
        match (self.texts(name)?, self.is_strict) {
            (Some(texts), _) => Ok(texts),
            (None, false) => Ok(Vec::new()),
            (None, true) => Err(missing(name)),
        }
    }

    /// A time, as all answers write it; Go's zero is none.
    pub fn time(&self, name: &str) -> Result<Option<String>, Refusal> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        match clock::parse(&text) {
            Some(at) if at <= 0 => Ok(None),
            Some(at) => Ok(Some(clock::utc(at))),
            None => Err(malformed(name, "expected string to be RFC 3339 date-time")),
        }
    }
}

/// What a release was doing when it could not read a body.
fn reading(is_strict: bool) -> &'static str {
    if is_strict { "validation failed" } else { "" }
}

fn malformed(name: &str, reason: &str) -> Refusal {
    Refusal::new(Kind::Malformed, reason)
        .while_doing("validation failed")
        .at(format!("body.{name}"))
}

fn missing(name: &str) -> Refusal {
    let reason = format!("expected required property {name} to be present");
    Refusal::new(Kind::Malformed, reason)
        .while_doing("validation failed")
        .at("body".to_owned())
}
