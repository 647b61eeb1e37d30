//! Entries of the sections that are lists: rules, tests, node attributes. Must not live here: whether an entry is valid.

use super::{EditError, apply, owned, put, section, take_out, wanted};
use crate::hujson::{self, Document, Edit, Kind, Value};
use crate::policy::findings::words::joined;
use crate::policy::language::dialect::Dialect;
use crate::policy::language::text::PolicyText;

/// A section of the document that is a list of entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListSection {
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

impl ListSection {
    /// All of them, in the order of the language's table of keys.
    pub const ALL: [ListSection; 6] = [
        ListSection::Acls,
        ListSection::Tests,
        ListSection::Grants,
        ListSection::Ssh,
        ListSection::SshTests,
        ListSection::NodeAttrs,
    ];

    /// Its key today.
    pub fn name(self) -> &'static str {
        match self {
            ListSection::Acls => "acls",
            ListSection::Grants => "grants",
            ListSection::Ssh => "ssh",
            ListSection::Tests => "tests",
            ListSection::SshTests => "sshTests",
            ListSection::NodeAttrs => "nodeAttrs",
        }
    }

    /// The section with this key.
    ///
    /// # Errors
    /// [`EditError::Argument`] for any other name.
    pub fn by_name(name: &str) -> Result<ListSection, EditError> {
        let mut all = ListSection::ALL.into_iter();
        let found = all.find(|section| section.name() == name);
        found.ok_or_else(|| {
            let names = "acls, grants, ssh, tests, sshTests or nodeAttrs";
            EditError::Argument(joined(&[
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
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if the rule is not a JSON object, the section not a list, or the index beyond its end.
pub fn add_rule<'t>(
    text: impl Into<PolicyText<'t>>,
    rule: &str,
    at: Option<usize>,
) -> Result<String, EditError> {
    let text = text.into();
    let parsed = hujson::parse(rule).map_err(|error| EditError::Argument(error.to_string()))?;
    add(text, section_of(parsed.root())?, rule, at)
}

/// Removes the rule at an index of `acls`, or of `grants` if there are no acls.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if there is no such rule.
pub fn remove_rule<'t>(text: impl Into<PolicyText<'t>>, index: usize) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    let document = hujson::parse(text)?;
    let (_, acls) = section(
        &document,
        dialect,
        ListSection::Acls.name(),
        Some(Kind::Array),
    )?;
    match acls {
        Some(_) => remove((text, dialect), ListSection::Acls, index),
        None => remove((text, dialect), ListSection::Grants, index),
    }
}

/// Adds an entry, as JSON, at an index of a section, at the end if none is given; a missing section is created.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if the entry is not JSON, the section not a list, or the index beyond its end.
pub fn add<'t>(
    text: impl Into<PolicyText<'t>>,
    to: ListSection,
    entry: &str,
    at: Option<usize>,
) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    let document = hujson::parse(text)?;
    let (name, list) = section(&document, dialect, to.name(), Some(Kind::Array))?;
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
/// Those of [`add`], and [`EditError::Argument`] if there is no such entry.
pub fn replace<'t>(
    text: impl Into<PolicyText<'t>>,
    of: ListSection,
    index: usize,
    entry: &str,
) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    let document = hujson::parse(text)?;
    let wanted = hujson::parse(entry).map_err(|error| EditError::Argument(error.to_string()))?;
    let (name, present) = found((&document, dialect), of, index)?;
    let path = owned(&[&name, &index.to_string()]);
    apply(text, &wanted::instead(&path, present, wanted.root()))
}

/// Removes an entry, with its own comments.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if there is no such entry.
pub fn remove<'t>(
    text: impl Into<PolicyText<'t>>,
    of: ListSection,
    index: usize,
) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    let document = hujson::parse(text)?;
    let (name, _) = found((&document, dialect), of, index)?;
    apply(text, &[take_out(&[&name, &index.to_string()])])
}

/// Moves an entry, with its own comments, within its section: `to` is its index afterwards.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if there is no such entry or index.
pub fn relocate<'t>(
    text: impl Into<PolicyText<'t>>,
    of: ListSection,
    from: usize,
    to: usize,
) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    let document = hujson::parse(text)?;
    let (name, _) = found((&document, dialect), of, from)?;
    found((&document, dialect), of, to)?;
    let (from, path) = (
        owned(&[&name, &from.to_string()]),
        owned(&[&name, &to.to_string()]),
    );
    apply(text, &[Edit::Move { from, path }])
}

/// The name of the section in the document, and the entry.
pub(super) fn found<'d>(
    (document, dialect): (&'d Document<'d>, Dialect),
    of: ListSection,
    index: usize,
) -> Result<(String, Value<'d>), EditError> {
    let (name, list) = section(document, dialect, of.name(), Some(Kind::Array))?;
    let entry = list.and_then(|list| list.elements().nth(index));
    match entry {
        Some(entry) => Ok((name, entry)),
        None => Err(nothing_at(of, index)),
    }
}

fn beyond(section: ListSection, at: usize, count: usize) -> Result<(), EditError> {
    match at > count {
        true => Err(nothing_at(section, at)),
        false => Ok(()),
    }
}

fn nothing_at(section: ListSection, index: usize) -> EditError {
    let place = [
        "there is no place ",
        &index.to_string(),
        " in ",
        section.name(),
    ];
    EditError::Argument(joined(&place))
}

/// The section a rule belongs to, by its keys.
fn section_of(rule: Value<'_>) -> Result<ListSection, EditError> {
    if rule.kind() != Kind::Object {
        return Err(EditError::Argument("a rule must be an object".to_owned()));
    }
    let has = |name: &str| {
        let mut keys = rule.members().filter_map(|member| member.name.as_str());
        keys.any(|key| key.eq_ignore_ascii_case(name))
    };
    if has("ip") || has("app") || has("via") {
        return Ok(ListSection::Grants);
    }
    match has("users") && !has("ports") && (has("src") || has("dst")) {
        true => Ok(ListSection::Ssh),
        false => Ok(ListSection::Acls),
    }
}
