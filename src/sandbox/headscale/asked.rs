//! An accepted request: what its path, its query and its body say. Must not live here: what is done with any of it.

use super::body::Body;
use super::refusal::Refusal;
use super::store::number;
use crate::api::headscale::Release;
use crate::api::{Request, uri};

/// A request for an operation.
pub(super) struct Asked<'r> {
    /// The texts in the variable segments of the path.
    pub places: Vec<String>,
    pub request: &'r Request,
    pub release: Release,
    pub now: i64,
}

impl Asked<'_> {
    /// The first text of the path.
    pub fn first(&self) -> &str {
        self.places.first().map_or("", String::as_str)
    }

    /// The second text of the path.
    pub fn second(&self) -> &str {
        self.places.get(1).map_or("", String::as_str)
    }

    /// The id in the path, which has this name there.
    pub fn id(&self, name: &str) -> Result<&str, Refusal> {
        let text = self.first();
        let wrong = || {
            let reason = "error: strconv.ParseUint: parsing";
            Refusal::bad(format!(
                "type mismatch, parameter: {name}, {reason} {text:?}: invalid syntax"
            ))
        };
        number(text).map(|_| text).ok_or_else(wrong)
    }

    /// A parameter of the query; an empty one counts as none.
    pub fn query(&self, name: &str) -> Option<String> {
        uri::query_value(self.request.query(), name).filter(|value| !value.is_empty())
    }

    /// The body, which may have these members.
    pub fn body(&self, known: &[&str]) -> Result<Body, Refusal> {
        Body::read(self.request, self.release, known)
    }
}
