//! Entries of the sections that are lists: rules, tests, node attributes. Must not live here: whether an entry is valid.

use super::{Error, apply, owned, put, section, take_out, wanted};
use crate::hujson::{self, Document, Edit, Kind, Value};
use crate::policy::findings::words::joined;

/// A section of the document that is a list of entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// `acls`.
    Acls,
    /// `grants`.
    Grants,
    /// `ssh`.
    Ssh,
    /// `tests`.
    Tests,
    /// `sshTests`.
    SshTests,
    /// `nodeAttrs`.
    NodeAttrs,
}

impl Section {
    /// All of them, in the order of the language's table of keys.
    pub const ALL: [Section; 6] = [
        Section::Acls,
        Section::Tests,
        Section::Grants,
        Section::Ssh,
        Section::SshTests,
        Section::NodeAttrs,
    ];

    /// Its key today.
    pub fn name(self) -> &'static str {
        match self {
            Section::Acls => "acls",
            Section::Grants => "grants",
            Section::Ssh => "ssh",
            Section::Tests => "tests",
            Section::SshTests => "sshTests",
            Section::NodeAttrs => "nodeAttrs",
        }
    }

    /// The section with this key.
    ///
    /// # Errors
    /// [`Error::Argument`] for any other name.
    pub fn by_name(name: &str) -> Result<Section, Error> {
        let mut all = Section::ALL.into_iter();
        let found = all.find(|section| section.name() == name);
        found.ok_or_else(|| {
            let names = "acls, grants, ssh, tests, sshTests or nodeAttrs";
            Error::Argument(joined(&[
                "no section is called `",
                name,
                "`: it is one of ",
                names,
            ]))
        })
    }
}

/// Adds a rule at an index of its list, at the end if none is given. It goes to `grants` if it has `ip`, `app` or `via`,
/// to `ssh` if it has `users` but no `ports`, else to `acls`; a missing list is created.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if the rule is not a JSON object, the section not a list, or the index beyond its end.
pub fn add_rule(text: &str, rule: &str, at: Option<usize>) -> Result<String, Error> {
    let parsed = hujson::parse(rule).map_err(|error| Error::Argument(error.to_string()))?;
    add(text, section_of(parsed.root())?, rule, at)
}

/// Removes the rule at an index of `acls`, or of `grants` if there are no acls.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if there is no such rule.
pub fn remove_rule(text: &str, index: usize) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let (_, acls) = section(&document, Section::Acls.name(), Some(Kind::Array))?;
    match acls {
        Some(_) => remove(text, Section::Acls, index),
        None => remove(text, Section::Grants, index),
    }
}

/// Adds an entry, as JSON, at an index of a section, at the end if none is given; a missing section is created.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if the entry is not JSON, the section not a list, or the index beyond its end.
pub fn add(text: &str, to: Section, entry: &str, at: Option<usize>) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let (name, list) = section(&document, to.name(), Some(Kind::Array))?;
    // As it was given: its keys keep their order.
    let entry = entry.to_owned();
    let Some(list) = list else {
        beyond(to, at.unwrap_or_default(), 0)?;
        let made = put(&[&name], "[]".to_owned());
        return apply(text, &[made, put(&[&name, "-"], entry)]);
    };
    let count = list.elements().count();
    beyond(to, at.unwrap_or_default(), count)?;
    let place = match at {
        Some(at) if at < count => at.to_string(),
        _ => "-".to_owned(),
    };
    apply(text, &[put(&[&name, &place], entry)])
}

/// Replaces an entry by another, as JSON. What both have stays as it is written: members keep their place and their
/// comments, and so do the elements of lists that stay.
///
/// # Errors
/// Those of [`add`], and [`Error::Argument`] if there is no such entry.
pub fn replace(text: &str, of: Section, index: usize, entry: &str) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let wanted = hujson::parse(entry).map_err(|error| Error::Argument(error.to_string()))?;
    let (name, present) = found(&document, of, index)?;
    let path = owned(&[&name, &index.to_string()]);
    apply(text, &wanted::instead(&path, present, wanted.root()))
}

/// Removes an entry, with its own comments.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if there is no such entry.
pub fn remove(text: &str, of: Section, index: usize) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let (name, _) = found(&document, of, index)?;
    apply(text, &[take_out(&[&name, &index.to_string()])])
}

/// Moves an entry, with its own comments, within its section: `to` is its index afterwards.
///
/// # Errors
/// [`Error::Syntax`] for the text, [`Error::Argument`] if there is no such entry or index.
pub fn relocate(text: &str, of: Section, from: usize, to: usize) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let (name, _) = found(&document, of, from)?;
    found(&document, of, to)?;
    let (from, path) = (
        owned(&[&name, &from.to_string()]),
        owned(&[&name, &to.to_string()]),
    );
    apply(text, &[Edit::Move { from, path }])
}

/// The name of the section in the document, and the entry.
pub(super) fn found<'d>(
    document: &'d Document<'d>,
    of: Section,
    index: usize,
) -> Result<(String, Value<'d>), Error> {
    let (name, list) = section(document, of.name(), Some(Kind::Array))?;
    let entry = list.and_then(|list| list.elements().nth(index));
    match entry {
        Some(entry) => Ok((name, entry)),
        None => Err(nothing_at(of, index)),
    }
}

fn beyond(section: Section, at: usize, count: usize) -> Result<(), Error> {
    match at > count {
        true => Err(nothing_at(section, at)),
        false => Ok(()),
    }
}

fn nothing_at(section: Section, index: usize) -> Error {
    let place = [
        "there is no place ",
        &index.to_string(),
        " in ",
        section.name(),
    ];
    Error::Argument(joined(&place))
}

/// The section a rule belongs to, by its keys.
fn section_of(rule: Value<'_>) -> Result<Section, Error> {
    if rule.kind() != Kind::Object {
        return Err(Error::Argument("a rule must be an object".to_owned()));
    }
    let has = |name: &str| {
        let mut keys = rule.members().filter_map(|member| member.name.as_str());
        keys.any(|key| key.eq_ignore_ascii_case(name))
    };
    if has("ip") || has("app") || has("via") {
        return Ok(Section::Grants);
    }
    match has("users") && !has("ports") && (has("src") || has("dst")) {
        true => Ok(Section::Ssh),
        false => Ok(Section::Acls),
    }
}
