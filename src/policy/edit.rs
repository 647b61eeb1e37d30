//! Edits of a policy's text that keep its comments: each becomes a JSON Patch (RFC 6902).
//! Must not live here: how a patch changes a text (`hujson`), whether the result makes sense.

use serde_json::{Value as Json, json};

use crate::hujson::{self, Document, Kind, Value, pointer};

use super::check::Error;
use super::keys::Shape;

/// Adds a rule at a place of its list, at the end if none is given. It goes to `grants` if it has `ip`, `app` or `via`,
/// to `ssh` if it has `users` but no `ports`, else to `acls`; a list that is missing is made.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if the rule is no JSON object or the place is beyond the end.
pub fn add_rule(text: &str, rule: &str, at: Option<usize>) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let parsed: Json =
        serde_json::from_str(rule).map_err(|error| Error::Argument(error.to_string()))?;
    let section = section_of(&parsed)?;
    let alone = format!("[{rule}]");
    let Some((name, list)) = member(&document, section)? else {
        return put(text, "add", &[section], &alone);
    };
    let place = match at {
        Some(at) if at > list.elements().count() => {
            return Err(Error::Argument(format!(
                "there is no place {at} in {section}"
            )));
        }
        Some(at) => at.to_string(),
        None => "-".to_owned(),
    };
    match list.kind() {
        // As it was given: its keys keep their order.
        Kind::Array => put(text, "add", &[&name, &place], rule),
        _ => put(text, "replace", &[&name], &alone),
    }
}

/// Removes the rule at a place of `acls`, or of `grants` where there are no acls.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if there is no such rule.
pub fn remove_rule(text: &str, index: usize) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let list = match member(&document, "acls")? {
        Some(list) => Some(list),
        None => member(&document, "grants")?,
    };
    let missing = || Error::Argument(format!("there is no rule {index}"));
    let (name, list) = list.ok_or_else(missing)?;
    list.elements().nth(index).ok_or_else(missing)?;
    remove(text, &[&name, &index.to_string()])
}

/// Gives a group these members, or takes it out. The `group:` of its name may be left out; members that stay keep their
/// comments.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if it is no policy.
pub fn set_group(text: &str, name: &str, members: Option<&[String]>) -> Result<String, Error> {
    let name = match name.starts_with("group:") {
        true => name.to_owned(),
        false => format!("group:{name}"),
    };
    let document = hujson::parse(text)?;
    let Some(members) = members else {
        return unset(text, &document, "groups", &name);
    };
    let Some((section, groups)) = member(&document, "groups")? else {
        return add(text, &["groups"], json!({ name: members }));
    };
    let operations = groups
        .get(&name)
        .and_then(|list| set_list(&[&section, &name], list, members));
    match operations {
        Some(operations) => patch(text, operations),
        None => add(text, &[&section, &name], json!(members)),
    }
}

/// Gives an alias this address or prefix, or takes it out.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if it is no policy.
pub fn set_host(text: &str, name: &str, address: Option<&str>) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let Some(address) = address else {
        return unset(text, &document, "hosts", name);
    };
    let Some((section, hosts)) = member(&document, "hosts")? else {
        return add(text, &["hosts"], json!({ name: address }));
    };
    match hosts.get(name) {
        Some(_) => replace(text, &[&section, name], json!(address)),
        None => add(text, &[&section, name], json!(address)),
    }
}

/// The section a rule belongs to, by its keys.
fn section_of(rule: &Json) -> Result<&'static str, Error> {
    let not_object = || Error::Argument("a rule is an object".to_owned());
    let keys = rule.as_object().ok_or_else(not_object)?;
    let has = |name: &str| keys.keys().any(|key| key.eq_ignore_ascii_case(name));
    if has("ip") || has("app") || has("via") {
        return Ok("grants");
    }
    match has("users") && !has("ports") && (has("src") || has("dst")) {
        true => Ok("ssh"),
        false => Ok("acls"),
    }
}

/// A section of the document with its name as written; one that is `null` counts as missing.
fn member<'d>(document: &'d Document<'d>, key: &str) -> Result<Option<(String, Value<'d>)>, Error> {
    if document.root().kind() != Kind::Object {
        return Err(Error::Argument("a policy is an object".to_owned()));
    }
    let named = document.root().members().filter_map(|member| {
        let name = member.name.as_str()?;
        let known = Shape::Document.key(&name) == Some(key);
        known.then(|| (name.into_owned(), member.value))
    });
    // Of repeated names the last counts.
    Ok(named.last().filter(|(_, value)| value.kind() != Kind::Null))
}

/// Takes an entry out of a section, if it is there.
fn unset(text: &str, document: &Document<'_>, key: &str, name: &str) -> Result<String, Error> {
    match member(document, key)? {
        Some((section, entries)) if entries.get(name).is_some() => remove(text, &[&section, name]),
        _ => Ok(text.to_owned()),
    }
}

/// Operations that turn a list into the wanted one and leave alone what stays; `None` where it has to be written anew.
fn set_list(path: &[&str], list: Value<'_>, wanted: &[String]) -> Option<Vec<Json>> {
    let present: Option<Vec<_>> = list.elements().map(Value::as_str).collect();
    let present = present.filter(|_| list.kind() == Kind::Array)?;
    let stays = |at: &usize| {
        let text = present.get(*at);
        text.is_some_and(|text| wanted.iter().any(|name| name == text))
    };
    let list_path = at(path);
    let kept: Vec<usize> = (0..present.len()).filter(stays).collect();
    let kept_texts = kept.iter().filter_map(|&at| present.get(at));
    let mut rest = kept_texts.peekable();
    let mut operations: Vec<Json> = (0..present.len())
        .rev()
        .filter(|at| !stays(at))
        .map(|at| json!({"op": "remove", "path": format!("{list_path}/{at}")}))
        .collect();
    for (at, name) in wanted.iter().enumerate() {
        if rest.next_if(|text| **text == **name).is_none() {
            let path = format!("{list_path}/{at}");
            operations.push(json!({"op": "add", "path": path, "value": name}));
        }
    }
    rest.peek().is_none().then_some(operations)
}

fn at(path: &[&str]) -> String {
    let escaped = path
        .iter()
        .map(|token| format!("/{}", pointer::escape(token)));
    escaped.collect()
}

fn add(text: &str, path: &[&str], value: Json) -> Result<String, Error> {
    put(text, "add", path, &value.to_string())
}

fn replace(text: &str, path: &[&str], value: Json) -> Result<String, Error> {
    put(text, "replace", path, &value.to_string())
}

/// Puts a value, given as JSON text, in its place.
fn put(text: &str, operation: &str, path: &[&str], value: &str) -> Result<String, Error> {
    let path = Json::from(at(path));
    let patch = format!(r#"[{{"op": "{operation}", "path": {path}, "value": {value}}}]"#);
    apply(text, &patch)
}

fn remove(text: &str, path: &[&str]) -> Result<String, Error> {
    patch(text, vec![json!({"op": "remove", "path": at(path)})])
}

fn patch(text: &str, operations: Vec<Json>) -> Result<String, Error> {
    apply(text, &Json::Array(operations).to_string())
}

fn apply(text: &str, patch: &str) -> Result<String, Error> {
    hujson::patch(text, patch).map_err(|error| Error::Argument(error.to_string()))
}
