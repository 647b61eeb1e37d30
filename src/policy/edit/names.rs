//! Named and single things of a policy: groups, aliases, owners, ipsets, postures, approvers, options.
//! Must not live here: entries of lists (`lists`), whether the result makes sense.
//!
//! Each function takes the new value, or `None` to remove it; removing what does not exist changes nothing. A missing
//! section is created. The prefix of a name may be left out. Elements of lists that stay keep their comments.

use super::{EditError, apply, known, list_of, member, owned, put, section, take_out, wanted};
use crate::hujson::{self, Edit, Kind, Value, string_of};
use crate::policy::findings::words::joined;
use crate::policy::language::grammar::Object;
use crate::policy::language::text::PolicyText;

/// What is approved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Approval<'a> {
    /// Routes inside this prefix.
    Route(&'a str),
    /// Exit nodes.
    ExitNode,
    /// Hosts of this service.
    Service(&'a str),
}

/// The options of the network.
const OPTIONS: [&str; 4] = [
    "derpMap",
    "disableIPv4",
    "oneCGNATRoute",
    "randomizeClientPort",
];

/// Sets the members of a group, or removes it.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if it is not a policy, its groups are not an object, or the name is empty.
pub fn set_group<'t>(
    text: impl Into<PolicyText<'t>>,
    name: &str,
    members: Option<&[String]>,
) -> Result<String, EditError> {
    set_named(text.into(), "groups", ("group:", name), members)
}

/// Sets the owners of a tag, or removes it.
///
/// # Errors
/// Those of [`set_group`].
pub fn set_tag_owners<'t>(
    text: impl Into<PolicyText<'t>>,
    tag: &str,
    owners: Option<&[String]>,
) -> Result<String, EditError> {
    set_named(text.into(), "tagOwners", ("tag:", tag), owners)
}

/// Sets the operations of an ipset, or removes it.
///
/// # Errors
/// Those of [`set_group`].
pub fn set_ipset<'t>(
    text: impl Into<PolicyText<'t>>,
    name: &str,
    steps: Option<&[String]>,
) -> Result<String, EditError> {
    set_named(text.into(), "ipsets", ("ipset:", name), steps)
}

/// Sets the conditions of a posture, or removes it.
///
/// # Errors
/// Those of [`set_group`].
pub fn set_posture<'t>(
    text: impl Into<PolicyText<'t>>,
    name: &str,
    conditions: Option<&[String]>,
) -> Result<String, EditError> {
    set_named(text.into(), "postures", ("posture:", name), conditions)
}

/// Sets the address or prefix of an alias, or removes it.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if it is not a policy, its hosts are not an object, or the name is empty.
pub fn set_host<'t>(
    text: impl Into<PolicyText<'t>>,
    name: &str,
    address: Option<&str>,
) -> Result<String, EditError> {
    let address = address.map(string_of);
    set_entry(text.into(), "hosts", named(name)?, address)
}

/// Sets the configuration of an attribute, as JSON, or removes it.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if it is not a policy, its `attrConfig` is not an object, or the name is empty.
pub fn set_attr_config<'t>(
    text: impl Into<PolicyText<'t>>,
    name: &str,
    config: Option<&str>,
) -> Result<String, EditError> {
    set_entry(
        text.into(),
        "attrConfig",
        named(name)?,
        config.map(str::to_owned),
    )
}

/// Sets the postures for rules that name none, or removes them.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if it is not a policy, or has something else there.
pub fn set_default_src_posture<'t>(
    text: impl Into<PolicyText<'t>>,
    names: Option<&[String]>,
) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    let document = hujson::parse(text)?;
    let (name, present) = section(&document, dialect, "defaultSrcPosture", Some(Kind::Array))?;
    apply(text, &list_at(&[&name], present, names))
}

/// Sets an option, as JSON, or removes it.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if it is not a policy, or there is no such option.
pub fn set_option<'t>(
    text: impl Into<PolicyText<'t>>,
    option: &str,
    value: Option<&str>,
) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    if !OPTIONS.contains(&option) {
        let [first, second, third, last] = OPTIONS;
        let known = joined(&[first, ", ", second, ", ", third, " and ", last]);
        let words = ["no option is called `", option, "`: there are ", &known];
        return Err(EditError::Argument(joined(&words)));
    }
    let document = hujson::parse(text)?;
    let (name, present) = section(&document, dialect, option, None)?;
    let edit = match value {
        Some(value) => Some(put(&[&name], value.to_owned())),
        None => present.map(|_| take_out(&[&name])),
    };
    edit.map_or_else(|| Ok(text.to_owned()), |edit| apply(text, &[edit]))
}

/// Sets who approves routes, exit nodes or hosts of a service, or removes that.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if it is not a policy, has something else there, or the name is empty.
pub fn set_auto_approvers<'t>(
    text: impl Into<PolicyText<'t>>,
    what: Approval<'_>,
    approvers: Option<&[String]>,
) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    let document = hujson::parse(text)?;
    let (outer, approval) = section(&document, dialect, "autoApprovers", Some(Kind::Object))?;
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
    let keys = Object::approvers(dialect);
    known(keys, key)?;
    let (inner, place) = match approval {
        Some(approval) => member(approval, keys, key, Some(kind))?,
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
    PolicyText { text, dialect }: PolicyText<'_>,
    key: &str,
    (prefix, name): (&str, &str),
    texts: Option<&[String]>,
) -> Result<String, EditError> {
    let name = with_prefix(prefix, name)?;
    let document = hujson::parse(text)?;
    let (outer, entries) = section(&document, dialect, key, Some(Kind::Object))?;
    let present = entries.and_then(|entries| entries.get(&name));
    let edits = list_at(&[&outer, &name], present, texts);
    with_sections(text, [(&[outer.as_str()][..], entries)].into_iter(), edits)
}

/// A value under a name.
fn set_entry(
    PolicyText { text, dialect }: PolicyText<'_>,
    key: &str,
    name: &str,
    value: Option<String>,
) -> Result<String, EditError> {
    let document = hujson::parse(text)?;
    let (outer, entries) = section(&document, dialect, key, Some(Kind::Object))?;
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

/// Carries out the edits; missing sections are created first if anything is added to them.
fn with_sections<'p>(
    text: &str,
    sections: impl Iterator<Item = (&'p [&'p str], Option<Value<'p>>)>,
    edits: Vec<Edit>,
) -> Result<String, EditError> {
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

/// The edits that set the list at a path to these texts, or remove it.
fn list_at(path: &[&str], present: Option<Value<'_>>, texts: Option<&[String]>) -> Vec<Edit> {
    let Some(texts) = texts else {
        return present.map(|_| take_out(path)).into_iter().collect();
    };
    let names: Vec<&str> = texts.iter().map(String::as_str).collect();
    let kept = present.and_then(|list| wanted::texts(&owned(path), list, &names));
    kept.unwrap_or_else(|| vec![put(path, list_of(texts))])
}

/// A name with its prefix, whether or not it was given.
fn with_prefix(prefix: &str, name: &str) -> Result<String, EditError> {
    let name = name.trim();
    Ok(joined(&[
        prefix,
        named(name.strip_prefix(prefix).unwrap_or(name))?,
    ]))
}

/// A name as it is, unless it is empty.
fn named(name: &str) -> Result<&str, EditError> {
    match name.trim().is_empty() {
        true => Err(EditError::Argument("an empty name".to_owned())),
        false => Ok(name),
    }
}
