//! A policy in the other language: the same text with its comments, what that language cannot say, and whether it gives the same access.
//! Must not live here: how a string is written there (`words`), where strings and keys stand (`passes`), whom the users are there (`users`).

mod lost;
mod passes;
mod same;
mod users;
mod words;

use serde::Serialize;

use crate::hujson::{self, Document, Severity, splice};
use crate::tables::sort;

use super::findings::words::joined;
use super::language::dialect::Dialect;
use super::language::document::Policy;
use super::tailnet::context::PolicyContext;
use super::verdict::Error;
pub use lost::Lost;
use passes::Pass;
use users::Users;
use words::Words;

/// A policy in the other language.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Translation {
    /// The text, with the comments of the first.
    pub text: String,
    /// What is left out, or means something else there, in the order of the text; then what the other implementation would refuse.
    pub lost: Vec<Lost>,
    /// Whether all devices of the context reach the same, may log in to the same and have the same capabilities; `None` if that is undecided,
    /// as it is without devices.
    pub same_access: Option<bool>,
}

/// The logins of users in the other language, by those in this one.
pub type LoginsThere = Vec<(String, String)>;

/// Writes a policy in another dialect. The text is in the dialect of the context, else in the one that its first line names. Whatever would
/// be wider there is left out: a rule with a posture, for example. `logins` names users there by what names them here; without it users of
/// Headscale have their mail address as login.
///
/// # Errors
/// [`Error::Syntax`]; [`Error::Refused`] for a policy without answers; [`Error::Argument`] for a text that is in that dialect already.
///
/// ```
/// use tailnet_kit::policy::{Dialect, PolicyContext, translate};
///
/// let text = r#"{"acls": [{"action": "accept", "users": ["autogroup:admin", "ann@example.com"], "ports": ["*:22"]}]}"#;
/// let there = translate(text, &PolicyContext::default(), Dialect::Headscale, &Vec::new())?;
/// assert_eq!(there.text, r#"{"acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["*:22"]}]}"#);
/// assert_eq!(there.lost[0].pointer, "/acls/0/users/0");
/// # Ok::<(), tailnet_kit::policy::Error>(())
/// ```
pub fn translate(
    text: &str,
    context: &PolicyContext,
    to: Dialect,
    logins: &LoginsThere,
) -> Result<Translation, Error> {
    let from = context.dialect_of(text);
    if from == to {
        let words = "the text is in this dialect already";
        return Err(Error::Argument(words.to_owned()));
    }
    let context = &*context.known_for(text);
    let document = hujson::parse(from.document(text))?;
    let policy = Policy::read_as(&document, from);
    policy.accept(context)?;
    let users = Users::new(context, from, logins);
    let mut translation = Translation {
        text: String::new(),
        lost: Vec::new(),
        same_access: None,
    };
    let less = without(&policy, &users, to, &mut translation.lost)?;
    translation.text = rewritten(&less, &users, [from, to])?;
    let there = users.context(to);
    let said = hujson::parse(to.document(&translation.text))?;
    let read = Policy::read_as(&said, to);
    translation.lost.extend(refused(&read, &there));
    if read.accept(&there).is_ok() {
        translation.same_access = same::is_same([(&policy, context), (&read, &there)]);
    }
    Ok(translation)
}

/// The text without what the other dialect does not have.
fn without(
    policy: &Policy<'_>,
    users: &Users<'_>,
    to: Dialect,
    lost: &mut Vec<Lost>,
) -> Result<String, Error> {
    let words = Words::new(users, [policy.dialect, to]);
    let mut pass = Pass::new(words, policy.document);
    pass.conditional(policy);
    pass.document();
    lost.append(&mut pass.lost);
    lost.extend(meant_otherwise(policy));
    sort::sort_by(lost, |a, b| a.pointer.cmp(&b.pointer));
    let edited = hujson::edit(policy.document.text(), &pass.removals());
    edited.map_err(|error| Error::Argument(error.to_string()))
}

/// A text whose strings and keys are those of the other dialect.
fn rewritten(text: &str, users: &Users<'_>, [from, to]: [Dialect; 2]) -> Result<String, Error> {
    let document = hujson::parse(text)?;
    let mut pass = Pass::new(Words::new(users, [from, to]), &document);
    pass.document();
    let text = splice(text, &pass.splices).unwrap_or_default();
    Ok(marked(&text, to))
}

/// The text with the dialect in its first line, where that names one.
fn marked(text: &str, to: Dialect) -> String {
    match (Dialect::written(text), text.split_once('\n')) {
        (Some(_), Some((_, rest))) => joined(&["// tailnet-kit: dialect ", to.name(), "\n", rest]),
        _ => text.to_owned(),
    }
}

/// What the whole document means in one dialect, and not in the other.
fn meant_otherwise(policy: &Policy<'_>) -> Option<Lost> {
    let why = match policy.dialect {
        _ if policy.acls.is_some() || policy.grants.is_some() => return None,
        Dialect::Tailscale => {
            "without rules every address is let in there, and not the tailnet's alone"
        }
        Dialect::Headscale => "without rules the tailnet's addresses alone are let in there",
    };
    Some(Lost {
        pointer: String::new(),
        what: "no acls and no grants".to_owned(),
        why: why.to_owned(),
    })
}

/// What the other implementation would refuse all the same.
fn refused(policy: &Policy<'_>, context: &PolicyContext) -> Vec<Lost> {
    let issues = policy.check(context).issues.into_iter();
    let faults = issues.filter(|issue| issue.severity == Severity::Error);
    faults
        .map(|issue| Lost {
            pointer: issue.pointer.clone().unwrap_or_default(),
            what: at(policy.document, issue.pointer.as_deref()),
            why: joined(&["it would be refused there: ", &issue.message]),
        })
        .collect()
}

/// The text at a pointer.
fn at(document: &Document<'_>, pointer: Option<&str>) -> String {
    let found = pointer.and_then(|pointer| hujson::pointer::find(document, pointer));
    found.map_or_else(String::new, |value| value.raw().to_owned())
}
