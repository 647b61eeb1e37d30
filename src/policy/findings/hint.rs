//! What a finding says and what to do about it, as data: the words with their origin, the hint with what to write.
//! Must not live here: what is checked, how a fix is made of a hint (`service::fixes`).

use crate::hujson::Origin;

/// What a finding says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// In words.
    pub text: String,
    /// Where the words come from (docs/policy-language.md#refusals).
    pub origin: Origin,
}

impl From<String> for Message {
    /// In our own words.
    fn from(text: String) -> Message {
        let origin = Origin::Ours;
        Message { text, origin }
    }
}

/// Words observed in an answer of the service.
pub(crate) fn recorded(parts: &[&str]) -> Message {
    let (text, origin) = (parts.concat(), Origin::Recorded);
    Message { text, origin }
}

/// Words of the service's documentation, or of published source.
pub(crate) fn documented(parts: &[&str]) -> Message {
    let (text, origin) = (parts.concat(), Origin::Documented);
    Message { text, origin }
}

/// Words of our own.
pub(crate) fn ours(parts: &[&str]) -> Message {
    parts.concat().into()
}

/// What to do about a finding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hint {
    /// In words, what to write in backticks.
    pub text: String,
    /// What to write: any of these may be what removes the finding.
    pub write: Vec<Write>,
}

/// A change that a hint proposes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Write {
    /// This, in place of the name in question, of its string or of the value; or as a member.
    Text(String),
    /// The second, wherever the place of the finding has the first.
    Instead(String, String),
    /// This entry, in this section.
    Entry(&'static str, String),
    /// Nothing: the place of the finding is to be removed.
    Nothing,
}

impl Hint {
    /// Words alone.
    pub fn words(text: &str) -> Hint {
        Hint {
            text: text.to_owned(),
            write: Vec::new(),
        }
    }

    /// Words, and between them what to write: each second part.
    #[inline(never)]
    pub fn write(parts: &[&str]) -> Hint {
        let mut hint = Hint::default();
        for (at, part) in parts.iter().enumerate() {
            if at % 2 == 0 {
                hint.text.push_str(part);
            } else {
                hint.text.push_str(&["`", part, "`"].concat());
                hint.write.push(Write::Text((*part).to_owned()));
            }
        }
        hint
    }

    /// Words that have what to write in backticks: for those that are known beforehand.
    pub fn marked(words: &str) -> Hint {
        let parts: Vec<&str> = words.split('`').collect();
        Hint::write(&parts)
    }

    /// The same, where the place of the finding may also be removed.
    pub fn remove(parts: &[&str]) -> Hint {
        let mut hint = Hint::write(parts);
        hint.write.push(Write::Nothing);
        hint
    }

    /// That a name was meant.
    pub fn meant(name: &str) -> Hint {
        Hint::write(&["did you mean ", name, "?"])
    }

    /// This hint, and behind it the other.
    pub fn and(mut self, other: Hint) -> Hint {
        self.text.push_str(&other.text);
        self.write.extend(other.write);
        self
    }

    /// Whether the place of the finding may be removed.
    pub fn removes(&self) -> bool {
        self.write.contains(&Write::Nothing)
    }
}
