//! What was meant by a name that is no key, and which names are older.
//! Must not live here: the keys (`grammar`).

use super::grammar::{Key, Object};
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::Guesses;

/// Names that people use for some keys.
const CALLED: [(&str, Key); 14] = [
    ("source", Key::Src),
    ("sources", Key::Src),
    ("from", Key::Src),
    ("users", Key::Src),
    ("destination", Key::Dst),
    ("destinations", Key::Dst),
    ("dest", Key::Dst),
    ("to", Key::Dst),
    ("ports", Key::Dst),
    ("protocol", Key::Proto),
    ("rules", Key::Acls),
    ("aliases", Key::Hosts),
    ("owners", Key::TagOwners),
    ("targets", Key::Target),
];

/// Keys that people try to use for remarks.
const REMARKS: [&str; 8] = [
    "comment",
    "comments",
    "_comment",
    "description",
    "note",
    "notes",
    "//",
    "#",
];

/// Whether a name is the older grammar's name of this key, and not only today's in another case: all its keys
/// began with a capital letter.
pub(crate) fn is_older(written: &str, modern: &str) -> bool {
    const KNOWN: [&str; 9] = [
        "acls",
        "groups",
        "hosts",
        "tests",
        "tagOwners",
        "oneCGNATRoute",
        "action",
        "proto",
        "deny",
    ];
    !written.eq_ignore_ascii_case(modern) || KNOWN.contains(&modern)
}

impl Object {
    /// What to do about a name that is not one of these.
    pub fn hint(&self, name: &str, guesses: &Guesses) -> Option<Hint> {
        let is_name = |known: &str| known.eq_ignore_ascii_case(name);
        if let Some(hint) = self.stranger(name) {
            return Some(Hint::marked(hint));
        }
        if REMARKS.into_iter().any(is_name) {
            return Some(Hint::words("write `// …`: comments are not members"));
        }
        let called = CALLED.iter().filter(|(known, _)| is_name(known));
        let mut meant =
            called.filter_map(|(_, key)| self.keys.iter().find(|spec| spec.key == *key));
        match meant.next() {
            Some(spec) => Some(Hint::meant(spec.name)),
            None => {
                let old = self.keys.iter().filter_map(|spec| spec.old);
                guesses.did_you_mean(name, &mut self.keys.iter().map(|spec| spec.name).chain(old))
            }
        }
    }
}
