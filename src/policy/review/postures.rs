//! Which postures have other conditions than before, and in which direction.
//! Must not live here: who gains and loses by it (diff_access.rs).

use serde::Serialize;

use crate::policy::language::document::{Policy, Word};
use crate::policy::language::posture::Condition;
use crate::tables::sort;

/// In which direction a definition changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PostureTurn {
    /// Fewer devices meet it.
    Tighter,
    /// More devices meet it.
    Looser,
    /// Neither follows from the other, or it is new or gone.
    Other,
    /// It is written differently and means the same.
    Same,
}

/// A posture whose definition changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct PostureChange {
    /// Its name.
    pub name: String,
    /// In which direction.
    pub now: PostureTurn,
    /// The conditions of the earlier document; none where it has no such posture.
    pub before: Option<Vec<String>>,
    /// The conditions of the later document; none where it has no such posture.
    pub after: Option<Vec<String>>,
}

/// The postures of either document whose text differs, by name.
#[inline(never)]
pub fn changed([before, after]: [&Policy<'_>; 2]) -> Vec<PostureChange> {
    let mut names: Vec<&str> = Vec::new();
    for policy in [before, after] {
        names.extend(policy.postures.iter().map(|(name, _)| name.name()));
    }
    sort::sort(&mut names);
    names.dedup();
    let mut changed = Vec::new();
    for name in names {
        let [old, new] = [before, after].map(|policy| texts(policy, name));
        if old == new {
            continue;
        }
        let now = match (&old, &new) {
            (Some(old), Some(new)) => turn(old, new),
            _ => PostureTurn::Other,
        };
        changed.push(PostureChange {
            name: name.to_owned(),
            now,
            before: old,
            after: new,
        });
    }
    changed
}

/// Whether a rule of one of the documents asks for a posture whose conditions are other ones.
pub fn are_meant(changed: &[PostureChange], policies: [&Policy<'_>; 2]) -> bool {
    let mut changed = changed.iter().filter(|it| it.is_redefined());
    changed.any(|it| {
        let is_it = |word: &Word<'_>| word.name() == it.name;
        policies.iter().any(|policy| {
            let of_ssh = policy
                .ssh
                .iter()
                .map(|rule| policy.postures_of(rule.postures.as_deref()));
            let mut all = policy.rules().map(|rule| rule.postures).chain(of_ssh);
            all.any(|named| named.iter().any(is_it))
        })
    })
}

impl PostureChange {
    /// Whether both documents have it, with conditions that mean something else.
    pub fn is_redefined(&self) -> bool {
        self.before.is_some() && self.after.is_some() && self.now != PostureTurn::Same
    }
}

fn texts(policy: &Policy<'_>, name: &str) -> Option<Vec<String>> {
    let conditions = policy.postures.get(name)?.iter();
    Some(conditions.map(|word| word.name().to_owned()).collect())
}

fn turn(before: &[String], after: &[String]) -> PostureTurn {
    let [old, new] = [before, after].map(|texts| {
        let conditions = texts.iter().map(|text| Condition::parse(text));
        conditions.collect::<Option<Vec<_>>>()
    });
    let (Some(old), Some(new)) = (old, new) else {
        return PostureTurn::Other;
    };
    match (
        Condition::all_follow(&new, &old),
        Condition::all_follow(&old, &new),
    ) {
        (true, true) => PostureTurn::Same,
        (true, false) => PostureTurn::Looser,
        (false, true) => PostureTurn::Tighter,
        (false, false) => PostureTurn::Other,
    }
}
