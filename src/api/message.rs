//! HTTP messages as plain values: what a client writes and a server reads, and the way back.
//! Must not live here: what any header or body means.
use std::fmt;

use serde::Serialize;

use super::headers::same_name;

/// An HTTP method (RFC 9110, section 9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// Reads.
    Get,
    /// Reads, without the body.
    Head,
    /// Replaces or asks.
    Post,
    /// Replaces.
    Put,
    /// Changes in part.
    Patch,
    /// Removes.
    Delete,
    /// Asks what is allowed.
    Options,
}

impl Method {
    /// Every method, in the order of the declaration.
    pub const ALL: [Method; 7] = [
        Method::Get,
        Method::Head,
        Method::Post,
        Method::Put,
        Method::Patch,
        Method::Delete,
        Method::Options,
    ];

    /// The name on the wire, upper case.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
            Method::Options => "OPTIONS",
        }
    }

    /// The method of that name in any letter case, or `None` where it is not one of [`Method::ALL`].
    pub fn parse(name: &str) -> Option<Method> {
        Method::ALL
            .into_iter()
            .find(|method| same_name(method.as_str(), name))
    }

    /// Whether the method promises to change nothing (RFC 9110, section 9.2.1).
    pub fn is_safe(self) -> bool {
        matches!(self, Method::Get | Method::Head | Method::Options)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Header fields in the order in which they were set; names are compared without regard to case.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// No fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// The first value under this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter()
            .find(|(known, _)| same_name(known, name))
            .map(|(_, value)| value)
    }

    /// Removes secrets from the values: the whole value of a field that is secret by its name; from others, what `clean` removes.
    pub fn conceal(&mut self, clean: impl Fn(&str) -> String) {
        for (name, value) in &mut self.0 {
            *value = match super::headers::is_secret(name) {
                true => super::headers::REDACTED.to_owned(),
                false => clean(value),
            };
        }
    }

    /// Replaces all values under this name by this one.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.remove(name);
        self.append(name, value);
    }

    /// Adds a value to those with this name.
    pub fn append(&mut self, name: &str, value: impl Into<String>) {
        self.0.push((name.to_owned(), value.into()));
    }

    /// Removes all values under this name.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| !same_name(known, name));
    }

    /// All fields as (name, value), in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Shows no values that may be secret.
impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.iter().map(|(name, value)| {
            let secret = super::headers::is_secret(name);
            (
                name,
                if secret {
                    super::headers::REDACTED
                } else {
                    value
                },
            )
        });
        f.debug_map().entries(shown).finish()
    }
}

/// A request on its way to a server.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// What is asked for.
    pub method: Method,
    /// Path and query as they stand on the wire, percent-encoded; a client puts its base URL before them
    /// (origin form and absolute form of RFC 9112, section 3.2).
    pub target: String,
    /// Header fields.
    pub headers: Headers,
    /// The body; empty where there is none.
    pub body: Vec<u8>,
}

impl Request {
    /// A request without header fields and body.
    pub fn new(method: Method, target: impl Into<String>) -> Self {
        Request {
            method,
            target: target.into(),
            headers: Headers::new(),
            body: Vec::new(),
        }
    }

    /// A request in parts, as JavaScript has them: any method, the URL or its path and query, header fields, body.
    pub fn of_parts((method, target, headers, body): (&str, &str, Headers, Vec<u8>)) -> Self {
        Request {
            // No operation has OPTIONS, so it stands for every method that is not one of HTTP's usual ones.
            method: Method::parse(method).unwrap_or(Method::Options),
            target: target.to_owned(),
            headers,
            body,
        }
    }

    /// The same with a body and the media type that names it.
    pub fn with_body(mut self, media_type: &str, body: Vec<u8>) -> Self {
        self.headers
            .set(super::headers::CONTENT_TYPE, media_type.to_owned());
        self.body = body;
        self
    }

    /// Gives it a body in JSON.
    pub fn set_json(&mut self, value: &impl Serialize) {
        self.headers
            .set(super::headers::CONTENT_TYPE, super::headers::JSON);
        self.body = json(value);
    }

    /// The same with a body that is JSON already.
    pub fn with_json_text(self, text: String) -> Self {
        self.with_body(super::headers::JSON, text.into_bytes())
    }

    /// The path of the target, still percent-encoded; `/` where the target has none.
    pub fn path(&self) -> &str {
        super::uri::split_target(&self.target).0
    }

    /// The query of the target without its `?`, still percent-encoded; empty where there is none.
    pub fn query(&self) -> &str {
        super::uri::split_target(&self.target).1
    }
}

/// Shows no body, as it may be a policy or a secret.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("target", &self.target)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

/// A server's answer. `B` is the body: bytes, or a handle to a text that stays with JavaScript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response<B = Vec<u8>> {
    /// The status code (RFC 9110, section 15).
    pub status: u16,
    /// Header fields.
    pub headers: Headers,
    /// The whole body; empty where there is none.
    pub body: B,
}

impl<B> Response<B> {
    /// Whether the status is one of 200 to 299.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

impl Response {
    /// An answer with an empty body.
    pub fn empty(status: u16) -> Self {
        Response {
            status,
            headers: Headers::new(),
            body: Vec::new(),
        }
    }

    /// An answer with a body and the media type that names it.
    pub fn with_body(status: u16, media_type: &str, body: Vec<u8>) -> Self {
        let mut response = Response::empty(status);
        response
            .headers
            .set(super::headers::CONTENT_TYPE, media_type.to_owned());
        response.body = body;
        response
    }

    /// An answer with a JSON body.
    pub fn json(status: u16, value: &impl Serialize) -> Self {
        Response::with_body(status, super::headers::JSON, json(value))
    }
}

/// The value as JSON text. The wire types have string keys and finite numbers only, so writing them cannot fail.
fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
