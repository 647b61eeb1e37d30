//! What has a name in a policy, or is the only one of its kind: groups, aliases, owners, address sets, postures, approvers, options.
//! Must not live here: entries of lists (`lists`), whether the result makes sense.
//!
//! Each takes what is wanted, or `None` to take the thing out; taking out what is not there changes nothing. A section that is
//! missing is made. The prefix of a name may be left out. Elements of lists that stay keep their comments.

use super::{Error, apply, list_of, member, owned, put, section, string, take_out, wanted};
use crate::hujson::{self, Edit, Kind, Value};
use crate::policy::findings::words::joined;
use crate::policy::language::keys::{APPROVERS, Shape};

/// Whose approval is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Approval<'a> {
    /// Of the routes inside this prefix.
    Route(&'a str),
    /// Of exit nodes.
    ExitNode,
    /// Of the hosts of this service.
    Service(&'a str),
}

/// The options that stand alone.
const OPTIONS: [&str; 4] = [
    "derpMap",
    "disableIPv4",
    "oneCGNATRoute",
    "randomizeClientPort",
];

/// Gives a group these members, or takes it out.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if it is no policy, its groups are no object or the name is empty.
pub fn set_group(text: &str, name: &str, members: Option<&[String]>) -> Result<String, Error> {
    set_named(text, "groups", ("group:", name), members)
}

/// Gives a tag these owners, or takes it out.
///
/// # Errors
/// As [`set_group`].
pub fn set_tag_owners(text: &str, tag: &str, owners: Option<&[String]>) -> Result<String, Error> {
    set_named(text, "tagOwners", ("tag:", tag), owners)
}

/// Gives a set of addresses these operations, or takes it out.
///
/// # Errors
/// As [`set_group`].
pub fn set_ipset(text: &str, name: &str, steps: Option<&[String]>) -> Result<String, Error> {
    set_named(text, "ipsets", ("ipset:", name), steps)
}

/// Gives a posture these conditions, or takes it out.
///
/// # Errors
/// As [`set_group`].
pub fn set_posture(text: &str, name: &str, conditions: Option<&[String]>) -> Result<String, Error> {
    set_named(text, "postures", ("posture:", name), conditions)
}

/// Gives an alias this address or prefix, or takes it out.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if it is no policy, its hosts are no object or the name is empty.
pub fn set_host(text: &str, name: &str, address: Option<&str>) -> Result<String, Error> {
    let address = address.map(string);
    set_entry(text, "hosts", named(name)?, address)
}

/// Gives an attribute this configuration, as JSON, or takes it out.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if it is no policy, its `attrConfig` is no object or the name is empty.
pub fn set_attr_config(text: &str, name: &str, config: Option<&str>) -> Result<String, Error> {
    set_entry(text, "attrConfig", named(name)?, config.map(str::to_owned))
}

/// Names the postures that count where a rule names none, or takes that out.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if it is no policy or has something else there.
pub fn set_default_src_posture(text: &str, names: Option<&[String]>) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let (name, present) = section(&document, "defaultSrcPosture", Some(Kind::Array))?;
    apply(text, &list_at(&[&name], present, names))
}

/// Gives an option this value, as JSON, or takes it out.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if it is no policy or there is no such option.
pub fn set_option(text: &str, option: &str, value: Option<&str>) -> Result<String, Error> {
    if !OPTIONS.contains(&option) {
        let [first, second, third, last] = OPTIONS;
        let known = joined(&[first, ", ", second, ", ", third, " and ", last]);
        let words = ["no option is called `", option, "`: there are ", &known];
        return Err(Error::Argument(joined(&words)));
    }
    let document = hujson::parse(text)?;
    let (name, present) = section(&document, option, None)?;
    let edit = match value {
        Some(value) => Some(put(&[&name], value.to_owned())),
        None => present.map(|_| take_out(&[&name])),
    };
    edit.map_or_else(|| Ok(text.to_owned()), |edit| apply(text, &[edit]))
}

/// Says who approves routes, exit nodes or hosts of a service by being who they are, or takes that out.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if it is no policy, has something else there or the name is empty.
pub fn set_auto_approvers(
    text: &str,
    what: Approval<'_>,
    approvers: Option<&[String]>,
) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let (outer, approval) = section(&document, "autoApprovers", Some(Kind::Object))?;
    let (key, name) = match what {
        Approval::Route(prefix) => ("routes", Some(named(prefix)?.to_owned())),
        Approval::ExitNode => ("exitNode", None),
        Approval::Service(name) => ("services", Some(with_prefix("svc:", name)?)),
    };
    let kind = if name.is_some() {
        Kind::Object
    } else {
        Kind::Array
    };
    let shape = Shape::Rule("autoApprovers", APPROVERS);
    let (inner, place) = match approval {
        Some(approval) => member(approval, shape, key, Some(kind))?,
        None => (key.to_owned(), None),
    };
    let missing = [
        (&[outer.as_str()][..], approval),
        (&[&outer, &inner], place),
    ];
    let Some(name) = name else {
        let made = missing.into_iter().take(1);
        return with_sections(text, made, list_at(&[&outer, &inner], place, approvers));
    };
    let present = place.and_then(|place| place.get(&name));
    let edits = list_at(&[&outer, &inner, &name], present, approvers);
    with_sections(text, missing.into_iter(), edits)
}

/// A list under a name with a prefix.
fn set_named(
    text: &str,
    key: &str,
    (prefix, name): (&str, &str),
    texts: Option<&[String]>,
) -> Result<String, Error> {
    let name = with_prefix(prefix, name)?;
    let document = hujson::parse(text)?;
    let (outer, entries) = section(&document, key, Some(Kind::Object))?;
    let present = entries.and_then(|entries| entries.get(&name));
    let edits = list_at(&[&outer, &name], present, texts);
    with_sections(text, [(&[outer.as_str()][..], entries)].into_iter(), edits)
}

/// A value under a name.
fn set_entry(text: &str, key: &str, name: &str, value: Option<String>) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let (outer, entries) = section(&document, key, Some(Kind::Object))?;
    let present = entries.and_then(|entries| entries.get(name));
    let edits = match value {
        Some(value) => vec![put(&[&outer, name], value)],
        None => present
            .map(|_| take_out(&[&outer, name]))
            .into_iter()
            .collect(),
    };
    with_sections(text, [(&[outer.as_str()][..], entries)].into_iter(), edits)
}

/// Carries out the edits; sections that are missing are made before, where there is anything to put into them.
fn with_sections<'p>(
    text: &str,
    sections: impl Iterator<Item = (&'p [&'p str], Option<Value<'p>>)>,
    edits: Vec<Edit>,
) -> Result<String, Error> {
    if edits.is_empty() {
        return Ok(text.to_owned());
    }
    let missing = sections.filter(|(_, present)| present.is_none());
    let mut all: Vec<Edit> = missing
        .map(|(path, _)| put(path, "{}".to_owned()))
        .collect();
    all.extend(edits);
    apply(text, &all)
}

/// The edits that make the list at a path hold these texts, or take it out.
fn list_at(path: &[&str], present: Option<Value<'_>>, texts: Option<&[String]>) -> Vec<Edit> {
    let Some(texts) = texts else {
        return present.map(|_| take_out(path)).into_iter().collect();
    };
    let names: Vec<&str> = texts.iter().map(String::as_str).collect();
    let kept = present.and_then(|list| wanted::texts(&owned(path), list, &names));
    kept.unwrap_or_else(|| vec![put(path, list_of(texts))])
}

/// A name with its prefix, whether or not it was given.
fn with_prefix(prefix: &str, name: &str) -> Result<String, Error> {
    let name = name.trim();
    Ok(joined(&[
        prefix,
        named(name.strip_prefix(prefix).unwrap_or(name))?,
    ]))
}

/// A name as it is, unless it is empty.
fn named(name: &str) -> Result<&str, Error> {
    match name.trim().is_empty() {
        true => Err(Error::Argument("an empty name".to_owned())),
        false => Ok(name),
    }
}
