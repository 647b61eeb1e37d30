//! Questions as callers put them: a plain name, or an object that says what the name is.
//! Must not live here: what a name stands for (`policy`), the answers.

use tailnet_kit::hujson::{self, Document, Kind, Value};
use tailnet_kit::policy::{AccessOptions, By, Error, Flow, Query, Subject};

/// Whom or what a preview is about, from its JSON.
#[inline(never)]
pub(crate) fn query(json: &str) -> Result<Query, Error> {
    let document = read(json)?;
    let asked = document.root();
    if let Some(name) = asked.as_str() {
        return name.parse();
    }
    let (kind, name) = named(asked, "the query")?;
    match kind {
        "ipPort" => Query::ip_port(name)
            .ok_or_else(|| invalid(&format!("`{name}` is not an address and a port"))),
        "ip" => Err(invalid(
            "a query takes an `ipPort`, or an address as a `host`",
        )),
        _ => Ok(Query::Of(subject(kind, name)?)),
    }
}

/// The flow that is to be explained, from its JSON, at a time.
#[inline(never)]
pub(crate) fn flow(json: &str, now: &str) -> Result<Flow, Error> {
    let document = read(json)?;
    let asked = document.root();
    let from = asked
        .get("from")
        .ok_or_else(|| invalid("a flow needs a `from`"))?;
    let from = match from.as_str() {
        Some(name) => name.parse()?,
        None => {
            let (kind, name) = named(from, "`from`")?;
            subject(kind, name)?
        }
    };
    let to = text(asked, "to")?.ok_or_else(|| invalid("a flow needs a `to`"))?;
    only(asked, &["from", "to", "proto", "srcPostureAttrs", "user"])?;
    let flow = match (text(asked, "user")?, text(asked, "proto")?) {
        (Some(_), Some(_)) => return Err(invalid("a login has a `user` and no `proto`")),
        (Some(user), None) => Flow::login(&from, to, user)?,
        (None, proto) => Flow::new(&from, to, proto)?,
    };
    match member(asked, "srcPostureAttrs") {
        None => Ok(flow.at(now)),
        Some(attributes) => flow.at(now).with_posture_attributes(attributes.raw()),
    }
}

/// What a matrix is asked for, from the JSON of its options.
#[inline(never)]
pub(crate) fn access(json: &str) -> Result<AccessOptions, Error> {
    let document = read(json)?;
    let asked = document.root();
    only(asked, &["by", "from", "to", "base"])?;
    let by = match text(asked, "by")? {
        None | Some("name") => By::Name,
        Some("device") => By::Device,
        Some(_) => return Err(invalid("`by` is `name` or `device`")),
    };
    let (from, to) = (names(asked, "from")?, names(asked, "to")?);
    Ok(AccessOptions { by, from, to })
}

/// Texts by name, from the JSON of an object.
#[inline(never)]
pub(crate) fn texts(json: &str) -> Result<Vec<(String, String)>, Error> {
    let document = read(json)?;
    let mut texts = Vec::new();
    for member in document.root().members() {
        let (name, text) = (member.name.as_str(), member.value.as_str());
        texts.push((
            name.unwrap_or_default().to_owned(),
            text.unwrap_or_default().to_owned(),
        ));
    }
    Ok(texts)
}

fn read(json: &str) -> Result<Document<'_>, Error> {
    hujson::parse(json).map_err(|error| invalid(&error.to_string()))
}

/// The one member that says what a name is, and the name.
fn named<'t>(object: Value<'t>, what: &str) -> Result<(&'t str, &'t str), Error> {
    let mut members = object
        .members()
        .filter(|member| member.value.kind() != Kind::Null);
    let unfit = || {
        invalid(&format!(
            "{what} must be a name or an object with one member, such as `{{user: 'ann@example.com'}}`"
        ))
    };
    let (Some(only), None) = (members.next(), members.next()) else {
        return Err(unfit());
    };
    let named = only.name.as_str().zip(only.value.as_str());
    named.ok_or_else(unfit)
}

fn subject(kind: &str, name: &str) -> Result<Subject, Error> {
    let name = name.to_owned();
    Ok(match kind {
        "user" => Subject::User(name),
        "group" => Subject::Group(name),
        "tag" => Subject::Tag(name),
        "autogroup" => Subject::Autogroup(name),
        "host" => Subject::Host(name),
        "device" => Subject::Device(name),
        "ip" => Subject::Ip(name),
        _ => {
            return Err(invalid(&format!(
                "`{kind}` is not one of user, tag, group, autogroup, host, device"
            )));
        }
    })
}

/// Refuses a member of another name, which would be left out in silence.
fn only(object: Value<'_>, names: &[&str]) -> Result<(), Error> {
    let is_known = |name: Option<&str>| name.is_some_and(|name| names.contains(&name));
    match object
        .members()
        .find(|member| !is_known(member.name.as_str()))
    {
        None => Ok(()),
        Some(member) => Err(invalid(&format!(
            "`{}` is not one of {}",
            member.name.as_str().unwrap_or_default(),
            names.join(", ")
        ))),
    }
}

/// A member that is a text, where it is there.
fn text<'t>(object: Value<'t>, name: &str) -> Result<Option<&'t str>, Error> {
    let Some(value) = member(object, name) else {
        return Ok(None);
    };
    let text = value.as_str();
    text.map(Some)
        .ok_or_else(|| invalid(&format!("`{name}` must be a string")))
}

/// A member that is a name or a list of names, where it is there.
fn names(object: Value<'_>, name: &str) -> Result<Option<Vec<String>>, Error> {
    let Some(value) = member(object, name) else {
        return Ok(None);
    };
    if let Some(only) = value.as_str() {
        return Ok(Some(vec![only.to_owned()]));
    }
    let unfit = || invalid(&format!("`{name}` must be a name or a list of names"));
    if value.kind() != Kind::Array {
        return Err(unfit());
    }
    let mut names = Vec::new();
    for element in value.elements() {
        names.push(element.as_str().ok_or_else(unfit)?.to_owned());
    }
    Ok(Some(names))
}

fn member<'t>(object: Value<'t>, name: &str) -> Option<Value<'t>> {
    object.get(name).filter(|value| value.kind() != Kind::Null)
}

#[inline(never)]
fn invalid(message: &str) -> Error {
    Error::Argument(message.to_owned())
}
