//! Which part of a source or of a destination is meant, as data, and as the list of texts that an answer writes.
//! Must not live here: which part that is (meant.rs, parts.rs, endpoints.rs), the part of both (access_change.rs), sentences (review/place.rs).

use serde::{Serialize, Serializer};

use super::cuts::{V4, V6};
use crate::cidr::Version;
use crate::policy::findings::words::joined;

/// Which part of a source or of a destination is meant. It is written as a list of texts, which is empty for all of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum PartOf {
    /// All of it.
    #[default]
    All,
    /// What has an address of one family: `IPv4`, `IPv6`.
    Family(Version),
    /// The addresses of it that no device has.
    Unowned,
    /// These alone: devices, logins and tags by name, addresses.
    Only(Vec<String>),
    /// All of it but these: `all but 10.0.0.0/8, tag:db`.
    AllBut(Vec<String>),
}

impl PartOf {
    /// These alone; all of it where there are none.
    pub fn only(names: Vec<String>) -> PartOf {
        match names.is_empty() {
            true => PartOf::All,
            false => PartOf::Only(names),
        }
    }

    /// Whether all of it is meant.
    pub fn is_all(&self) -> bool {
        *self == PartOf::All
    }

    /// Whether one name alone is meant.
    pub fn is_only(&self, name: &str) -> bool {
        matches!(self, PartOf::Only(names) if matches!(names.as_slice(), [own] if own == name))
    }

    /// The one family that is meant.
    pub fn family(&self) -> Option<Version> {
        match self {
            PartOf::Family(family) => Some(*family),
            _ => None,
        }
    }

    /// The same part without some more names: of all of it, or of all but some. What is named by itself stays as it is.
    pub fn without(self, mut names: Vec<String>) -> PartOf {
        match self {
            PartOf::All if !names.is_empty() => PartOf::AllBut(names),
            PartOf::AllBut(mut but) => {
                but.append(&mut names);
                PartOf::AllBut(but)
            }
            part => part,
        }
    }

    /// The texts of it; none for all of it.
    pub fn texts(&self) -> Vec<String> {
        match self {
            PartOf::All => Vec::new(),
            PartOf::Family(family) => vec![family_text(*family).to_owned()],
            PartOf::Unowned => vec!["addresses that no device has".to_owned()],
            PartOf::Only(names) => names.clone(),
            PartOf::AllBut(names) => vec![joined(&["all but ", &names.join(", ")])],
        }
    }

    /// The texts in one.
    pub fn text(&self) -> String {
        self.texts().join(", ")
    }
}

impl Serialize for PartOf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.texts().serialize(serializer)
    }
}

/// How a family is called.
pub fn family_text(family: Version) -> &'static str {
    match family {
        Version::V4 => "IPv4",
        Version::V6 => "IPv6",
    }
}

/// The families with their bits.
pub const FAMILIES: [(u8, Version); 2] = [(V4, Version::V4), (V6, Version::V6)];
