//! References to rules, and the lines they stand on.
//! Must not live here: what the rules say.

use serde::Serialize;

/// A section of rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Section {
    /// `acls`
    Acls,
    /// `grants`
    Grants,
    /// `ssh`
    Ssh,
}

/// Names one rule of a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct RuleRef {
    /// The list it stands in.
    pub section: Section,
    /// Its place in that list, from 0.
    pub index: usize,
    /// The line of its `{`, from 1.
    pub line: usize,
}

/// Counts lines for offsets that mostly ascend: together at most one pass over the text.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Lines<'t> {
    /// Starts at the top.
    pub fn new(text: &'t str) -> Lines<'t> {
        Lines {
            text,
            at: 0,
            line: 1,
        }
    }

    /// The line, from 1, of the byte at `offset`. One that lies before the last asked starts over.
    pub fn line_of(&mut self, offset: usize) -> usize {
        if offset < self.at {
            (self.at, self.line) = (0, 1);
        }
        let between = self.text.as_bytes().get(self.at..offset);
        let breaks = between.unwrap_or_default().iter();
        self.line += breaks.filter(|&&byte| byte == b'\n').count();
        self.at = offset;
        self.line
    }
}
