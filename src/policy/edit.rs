//! Edits of a policy's text that keep its comments: each verb becomes edits of the text as HuJSON.
//!
//! ```
//! use tailnet_kit::policy::edit;
//!
//! let text = "{\n  // who\n  \"groups\": {\"group:dev\": []},\n}\n";
//! let changed = edit::set_group(text, "dev", Some(&["ann@example.com".to_owned()]))?;
//! assert_eq!(changed, text.replace("[]", r#"["ann@example.com"]"#));
//! # Ok::<(), edit::EditError>(())
//! ```
//!
//! The text is one in the dialect that its first line names, or is given with a dialect ([`PolicyText`]).
//!
//! [`PolicyText`]: super::PolicyText
// Must not live here: how an edit changes a text (`hujson`), whether the result makes sense. The rooms: entries of lists (`lists`), texts in a
// list of an entry (`entries`), things with a name (`names`), entries that are comments for a while (`disabled`).

mod disabled;
mod entries;
mod lists;
mod names;
mod wanted;

use std::fmt;

pub use self::disabled::{Disabled, disable, disabled, enable};
pub(crate) use self::entries::extend;
pub use self::lists::{ListSection, add, add_rule, relocate, remove, remove_rule, replace};
pub use self::names::{
    Approval, set_attr_config, set_auto_approvers, set_default_src_posture, set_group, set_host,
    set_ipset, set_option, set_posture, set_tag_owners,
};
use super::findings::words::joined;
use super::language::dialect::Dialect;
use super::language::grammar::Object;
use crate::Code;
use crate::hujson::{self, Document, Edit, Kind, Value, quote};

/// Why a text could not be edited.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum EditError {
    /// The text is not HuJSON.
    Syntax(hujson::Error),
    /// The arguments make no sense, or the place to change does not exist.
    Argument(String),
}

impl EditError {
    /// The stable code: `hujson_syntax` or `invalid_argument`.
    pub fn code(&self) -> Code {
        match self {
            EditError::Syntax(error) => error.code(),
            EditError::Argument(_) => Code::InvalidArgument,
        }
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Syntax(error) => error.fmt(f),
            EditError::Argument(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for EditError {}

impl From<hujson::Error> for EditError {
    fn from(error: hujson::Error) -> EditError {
        EditError::Syntax(error)
    }
}

/// The name of a key of an object in the document, and its value; none if it is missing or `null`, which means the
/// same. A value of another type is not replaced, as something that somebody wrote would be lost.
fn member<'d>(
    object: Value<'d>,
    of: &Object,
    key: &str,
    kind: Option<Kind>,
) -> Result<(String, Option<Value<'d>>), EditError> {
    known(of, key)?;
    let mut found = (key.to_owned(), None);
    for member in object.members() {
        let name = member.name.as_str().unwrap_or_default();
        if of.key(name).map(|key| key.name) != Some(key) {
            continue;
        }
        // Of repeated names the last counts that says something.
        let value = Some(member.value).filter(|value| value.kind() != Kind::Null);
        if value.is_some() || found.1.is_none() {
            found = (name.to_owned(), value);
        }
    }
    let fits = |value: Value<'_>| kind.is_none_or(|kind| value.kind() == kind);
    match found.1.is_none_or(fits) {
        true => Ok(found),
        false => Err(EditError::Argument(joined(&[key, " has another type"]))),
    }
}

/// Refuses a key that the objects of a dialect do not have.
fn known(of: &Object, key: &str) -> Result<(), EditError> {
    let words = ["policies of this dialect have no ", key];
    let none = || EditError::Argument(joined(&words));
    of.key(key).map(|_| ()).ok_or_else(none)
}

/// The same of a section of the document.
fn section<'d>(
    document: &'d Document<'d>,
    dialect: Dialect,
    key: &str,
    kind: Option<Kind>,
) -> Result<(String, Option<Value<'d>>), EditError> {
    let root = document.root();
    match root.kind() {
        Kind::Object => member(root, Object::document(dialect), key, kind),
        _ => Err(EditError::Argument("a policy must be an object".to_owned())),
    }
}

/// Texts as a JSON list.
pub(crate) fn list_of(texts: &[String]) -> String {
    let mut out = String::from("[");
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        quote(text, &mut out);
    }
    out + "]"
}

fn put(path: &[&str], value: String) -> Edit {
    let path = owned(path);
    Edit::Put { path, value }
}

fn take_out(path: &[&str]) -> Edit {
    let path = owned(path);
    Edit::Remove { path }
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|token| (*token).to_owned()).collect()
}

fn apply(text: &str, edits: &[Edit]) -> Result<String, EditError> {
    hujson::edit(text, edits).map_err(|error| EditError::Argument(error.to_string()))
}
