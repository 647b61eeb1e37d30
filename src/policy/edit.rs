//! Edits of a policy's text that keep its comments: each verb becomes edits of the text as HuJSON.
//! Must not live here: how an edit changes a text (`hujson`), whether the result makes sense.

use std::fmt;

use crate::hujson::{self, Document, Edit, Kind, Value, quote};

use super::findings::words::joined;
use super::language::keys::Shape;

/// Why a text was not edited.
#[derive(Clone, Debug)]
pub enum Error {
    /// The text is no HuJSON.
    Syntax(hujson::Error),
    /// What was asked for makes no sense, or nothing is there to be changed.
    Argument(String),
}

impl Error {
    /// The stable code: `hujson_syntax` or `invalid_argument`.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Syntax(error) => error.code(),
            Error::Argument(_) => "invalid_argument",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax(error) => error.fmt(f),
            Error::Argument(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

impl From<hujson::Error> for Error {
    fn from(error: hujson::Error) -> Error {
        Error::Syntax(error)
    }
}

/// Adds a rule at a place of its list, at the end if none is given. It goes to `grants` if it has `ip`, `app` or `via`,
/// to `ssh` if it has `users` but no `ports`, else to `acls`; a list that is missing is made.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if the rule is no JSON object, the section is no list or the place is beyond its end.
pub fn add_rule(text: &str, rule: &str, at: Option<usize>) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let parsed = hujson::parse(rule).map_err(|error| Error::Argument(error.to_string()))?;
    let section = section_of(parsed.root())?;
    // As it was given: its keys keep their order.
    let rule = rule.to_owned();
    let (name, list) = member(&document, section, Kind::Array)?;
    let Some(list) = list else {
        return apply(
            text,
            &[put(&[&name], "[]".to_owned()), put(&[&name, "-"], rule)],
        );
    };
    let place = match at {
        Some(at) if at > list.elements().count() => {
            let message = joined(&["there is no place ", &at.to_string(), " in ", section]);
            return Err(Error::Argument(message));
        }
        Some(at) => at.to_string(),
        None => "-".to_owned(),
    };
    apply(text, &[put(&[&name, &place], rule)])
}

/// Removes the rule at a place of `acls`, or of `grants` where there are no acls.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if there is no such rule.
pub fn remove_rule(text: &str, index: usize) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let (name, list) = match member(&document, "acls", Kind::Array)? {
        (_, None) => member(&document, "grants", Kind::Array)?,
        acls => acls,
    };
    let missing = || Error::Argument(joined(&["there is no rule ", &index.to_string()]));
    let list = list.ok_or_else(missing)?;
    list.elements().nth(index).ok_or_else(missing)?;
    apply(text, &[remove(&[&name, &index.to_string()])])
}

/// Gives a group these members, or takes it out. The `group:` of its name may be left out; members that stay keep their
/// comments.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if it is no policy, its groups are no object or the name is empty.
pub fn set_group(text: &str, name: &str, members: Option<&[String]>) -> Result<String, Error> {
    let name = name.trim();
    let name = joined(&[
        "group:",
        named(name.strip_prefix("group:").unwrap_or(name))?,
    ]);
    let document = hujson::parse(text)?;
    let Some(members) = members else {
        return unset(text, &document, "groups", &name);
    };
    let (section, groups) = member(&document, "groups", Kind::Object)?;
    let path = [section.as_str(), name.as_str()];
    let Some(groups) = groups else {
        return make(text, path, list_of(members));
    };
    let list = groups.get(&name);
    match list.and_then(|list| set_list(path, list, members)) {
        Some(edits) => apply(text, &edits),
        None => apply(text, &[put(&path, list_of(members))]),
    }
}

/// Gives an alias this address or prefix, or takes it out.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if it is no policy, its hosts are no object or the name is empty.
pub fn set_host(text: &str, name: &str, address: Option<&str>) -> Result<String, Error> {
    let name = named(name)?;
    let document = hujson::parse(text)?;
    let Some(address) = address else {
        return unset(text, &document, "hosts", name);
    };
    let (section, hosts) = member(&document, "hosts", Kind::Object)?;
    let path = [section.as_str(), name];
    match hosts {
        Some(_) => apply(text, &[put(&path, string(address))]),
        None => make(text, path, string(address)),
    }
}

/// The section a rule belongs to, by its keys.
fn section_of(rule: Value<'_>) -> Result<&'static str, Error> {
    if rule.kind() != Kind::Object {
        return Err(Error::Argument("a rule is an object".to_owned()));
    }
    let has = |name: &str| {
        let mut keys = rule.members().filter_map(|member| member.name.as_str());
        keys.any(|key| key.eq_ignore_ascii_case(name))
    };
    if has("ip") || has("app") || has("via") {
        return Ok("grants");
    }
    match has("users") && !has("ports") && (has("src") || has("dst")) {
        true => Ok("ssh"),
        false => Ok("acls"),
    }
}

/// A name as it is, unless it is empty.
fn named(name: &str) -> Result<&str, Error> {
    match name.trim().is_empty() {
        true => Err(Error::Argument("an empty name".to_owned())),
        false => Ok(name),
    }
}

/// What a section is called in the document, and its value; none where it is missing or `null`, which comes to the same.
/// One of another kind is not replaced: what somebody wrote there would be lost.
fn member<'d>(
    document: &'d Document<'d>,
    key: &str,
    kind: Kind,
) -> Result<(String, Option<Value<'d>>), Error> {
    if document.root().kind() != Kind::Object {
        return Err(Error::Argument("a policy is an object".to_owned()));
    }
    let mut found = (key.to_owned(), None);
    for member in document.root().members() {
        let name = member.name.as_str().unwrap_or_default();
        if Shape::Document.key(name) != Some(key) {
            continue;
        }
        // Of repeated names the last counts that says something.
        let value = Some(member.value).filter(|value| value.kind() != Kind::Null);
        if value.is_some() || found.1.is_none() {
            found = (name.to_owned(), value);
        }
    }
    if found.1.is_some_and(|value| value.kind() != kind) {
        return Err(Error::Argument(joined(&[key, " is of another type"])));
    }
    Ok(found)
}

/// Takes an entry out of a section, if it is there.
fn unset(text: &str, document: &Document<'_>, key: &str, name: &str) -> Result<String, Error> {
    match member(document, key, Kind::Object)? {
        (section, Some(entries)) if entries.get(name).is_some() => {
            apply(text, &[remove(&[&section, name])])
        }
        _ => Ok(text.to_owned()),
    }
}

/// Edits that turn a list into the wanted one and leave alone what stays; `None` where it has to be written anew.
fn set_list([section, name]: [&str; 2], list: Value<'_>, wanted: &[String]) -> Option<Vec<Edit>> {
    let present: Option<Vec<_>> = list.elements().map(Value::as_str).collect();
    let present = present.filter(|_| list.kind() == Kind::Array)?;
    let stays = |at: &usize| {
        let text = present.get(*at);
        text.is_some_and(|text| wanted.iter().any(|name| name == *text))
    };
    let mut edits = Vec::new();
    for place in (0..present.len()).rev().filter(|place| !stays(place)) {
        edits.push(remove(&[section, name, &place.to_string()]));
    }
    let kept = (0..present.len()).filter(stays);
    let mut rest = kept.filter_map(|at| present.get(at)).peekable();
    for (place, member) in wanted.iter().enumerate() {
        if rest.next_if(|text| *text == member).is_none() {
            let path = [section, name, &place.to_string()];
            edits.push(put(&path, string(member)));
        }
    }
    rest.peek().is_none().then_some(edits)
}

/// A text as JSON.
fn string(text: &str) -> String {
    let mut out = String::new();
    quote(text, &mut out);
    out
}

/// Texts as a JSON list.
fn list_of(texts: &[String]) -> String {
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
    Edit::Put {
        path: owned(path),
        value,
    }
}

fn remove(path: &[&str]) -> Edit {
    Edit::Remove { path: owned(path) }
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|token| (*token).to_owned()).collect()
}

/// Makes a section with its first entry.
fn make(text: &str, path: [&str; 2], value: String) -> Result<String, Error> {
    let [section, _] = path;
    apply(text, &[put(&[section], "{}".to_owned()), put(&path, value)])
}

fn apply(text: &str, edits: &[Edit]) -> Result<String, Error> {
    hujson::edit(text, edits).map_err(|error| Error::Argument(error.to_string()))
}
