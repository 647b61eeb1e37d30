//! The version of a policy and the condition of a write: `ETag` and `If-Match`, written and read side by side.
//! Must not live here: which version a server keeps.
use std::fmt;

use super::error::Error;
use super::headers::{ETAG, IF_MATCH};
use super::message::Headers;

/// The version of a policy, exactly as the server sent it (RFC 9110, section 8.8.3).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ETag(String);

impl ETag {
    /// A strong tag around these characters.
    pub fn strong(opaque: &str) -> Self {
        ETag(format!("\"{opaque}\""))
    }

    /// The tag of an answer. `None` where there is none, where it is empty, and where a browser hides it.
    pub fn read(headers: &Headers) -> Option<Self> {
        let value = headers.get(ETAG)?.trim();
        (!value.is_empty()).then(|| ETag(value.to_owned()))
    }

    /// The tag as the header has it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The condition of a write (RFC 9110, section 13.1.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IfMatch {
    /// `*`: any stored version.
    Any,
    /// One of these tags, as the header has them.
    Tags(Vec<String>),
}

/// The tag of a policy that nobody has changed yet.
const NEVER_CHANGED: &str = "\"ts-default\"";

impl IfMatch {
    /// The condition that a caller writes: a tag with or without its quotes, or `*`.
    ///
    /// # Errors
    /// [`Error::Argument`] naming `ifMatch` for an empty text or tag, which would leave the write unguarded, and
    /// for characters that no tag has.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        if text == "*" {
            return Ok(IfMatch::Any);
        }
        let bare = text.strip_prefix("W/").unwrap_or(text);
        let quoted = bare
            .strip_prefix('"')
            .and_then(|inner| inner.strip_suffix('"'));
        let opaque = quoted.unwrap_or(text);
        if opaque.is_empty() {
            let reason =
                "must not be empty: pass the `etag` of what was read, or `overwrite: true`";
            return Err(Error::argument("ifMatch", reason));
        }
        let is_tag_character = |c: char| c.is_ascii_graphic() && c != '"';
        if !opaque.chars().all(is_tag_character) {
            return Err(Error::argument("ifMatch", "is no entity tag"));
        }
        Ok(match quoted {
            Some(_) => IfMatch::Tags(vec![text.to_owned()]),
            None => IfMatch::from(ETag::strong(text)),
        })
    }

    /// The condition of a request, if it has one. A bare word is read as a tag without its quotes, and a tag that was quoted
    /// and escaped once more (as by Go's `%q`) as the tag itself.
    pub fn read(headers: &Headers) -> Option<Self> {
        let value = headers.get(IF_MATCH)?;
        let tags = value
            .split(',')
            .map(str::trim)
            .filter(|tag| !tag.is_empty());
        let tags: Vec<String> = tags
            .map(|tag| match tag.starts_with("W/") {
                true => tag.to_owned(),
                false => format!("\"{}\"", tag.trim_matches(['"', '\\'])),
            })
            .collect();
        Some(match value.trim() {
            "*" => IfMatch::Any,
            _ => IfMatch::Tags(tags),
        })
    }

    /// The value of the header.
    pub fn to_value(&self) -> String {
        match self {
            IfMatch::Any => "*".to_owned(),
            IfMatch::Tags(tags) => tags.join(", "),
        }
    }

    /// Whether a write under this condition may change the policy that has this tag.
    /// Weak tags match nothing.
    pub fn allows(&self, current: &ETag, never_changed: bool) -> bool {
        match self {
            IfMatch::Any => true,
            IfMatch::Tags(tags) => tags
                .iter()
                .any(|tag| tag == current.as_str() || (never_changed && tag == NEVER_CHANGED)),
        }
    }
}

impl From<ETag> for IfMatch {
    fn from(tag: ETag) -> Self {
        IfMatch::Tags(vec![tag.0])
    }
}
