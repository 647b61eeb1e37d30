//! What a policy does not say, made from what Headscale lists: its users and nodes. Must not live here: rules, the API itself.

use crate::api::Error;
use crate::api::given::{self, Object};
use crate::hujson::{Kind, Value, quote};

/// The JSON of a `PolicyContext`, with the dialect set, from that of `{users, nodes}` as the API lists both.
///
/// A node has its `tags`, or those that releases before 0.28 list as forced and valid ones; one with tags has no user. Routes are served where they are
/// both announced and approved.
///
/// # Errors
/// [`Error::Argument`] where a list is missing, or an entry of one is no object.
pub fn context(text: &str) -> Result<String, Error> {
    let document = given::read(text)?;
    let listed = Object::required(document.root(), "arguments")?;
    let mut out = r#"{"dialect":"headscale","users":"#.to_owned();
    list(&mut out, listed, "users", user)?;
    out.push_str(r#","devices":"#);
    list(&mut out, listed, "nodes", device)?;
    out.push('}');
    Ok(out)
}

fn list(
    out: &mut String,
    listed: Object<'_>,
    name: &'static str,
    write: fn(&mut String, Value<'_>),
) -> Result<(), Error> {
    let wrong = || Error::argument(name, "must be a list of what the API lists");
    let given = listed.get(name).ok_or_else(wrong)?;
    if given.kind() != Kind::Array {
        return Err(wrong());
    }
    let mut separator = '[';
    for entry in given.elements() {
        if entry.kind() != Kind::Object {
            return Err(wrong());
        }
        out.push(separator);
        write(out, entry);
        separator = ',';
    }
    out.push_str(if separator == '[' { "[]" } else { "]" });
    Ok(())
}

fn user(out: &mut String, user: Value<'_>) {
    let email = text(user, "email");
    // The name of a user of OIDC may be missing.
    let name = text(user, "name").or(email).unwrap_or_default();
    out.push('{');
    member(out, "loginName", name);
    for (written, given) in [
        ("id", text(user, "id")),
        ("email", email),
        ("providerId", text(user, "providerId")),
    ] {
        if let Some(given) = given {
            out.push(',');
            member(out, written, given);
        }
    }
    out.push('}');
}

fn device(out: &mut String, node: Value<'_>) {
    let name = text(node, "name").unwrap_or_default();
    out.push('{');
    member(out, "id", text(node, "id").unwrap_or_default());
    out.push(',');
    member(out, "name", text(node, "givenName").unwrap_or(name));
    out.push(',');
    member(out, "hostname", name);
    texts(out, "addresses", &all(node, "ipAddresses"));
    let (announced, approved) = (all(node, "availableRoutes"), all(node, "approvedRoutes"));
    let served: Vec<&str> = approved
        .into_iter()
        .filter(|route| announced.contains(route))
        .collect();
    texts(out, "advertisedRoutes", &announced);
    texts(out, "enabledRoutes", &served);
    let mut tags = all(node, "tags");
    for older in ["forcedTags", "validTags"] {
        for tag in all(node, older) {
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
    }
    let owner = node.get("user").and_then(|user| text(user, "id"));
    match owner {
        _ if !tags.is_empty() => texts(out, "tags", &tags),
        Some(owner) => {
            out.push(',');
            member(out, "user", owner);
        }
        None => {}
    }
    out.push('}');
}

fn text<'v>(object: Value<'v>, name: &str) -> Option<&'v str> {
    let text = object.get(name)?.as_str()?;
    Some(text).filter(|text| !text.is_empty())
}

/// The texts of a list; none where it is missing.
fn all<'v>(object: Value<'v>, name: &str) -> Vec<&'v str> {
    let list = object.get(name).into_iter();
    let entries = list.flat_map(|list| list.elements());
    entries.filter_map(|entry| entry.as_str()).collect()
}

fn member(out: &mut String, name: &str, text: &str) {
    quote(name, out);
    out.push(':');
    quote(text, out);
}

fn texts(out: &mut String, name: &str, texts: &[&str]) {
    out.push(',');
    quote(name, out);
    out.push_str(":[");
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        quote(text, out);
    }
    out.push(']');
}
