//! Sources by what may become of something that is undecided.
//! Must not live here: why it is undecided (words.rs), the headings (summary.rs).

use super::reached::{SourcesAlike, lines_of};
use super::words::Sentence;
use crate::policy::tailnet::parties::Party;
use crate::policy::tailnet::prospect::Prospect;

/// What may become of something that is undecided.
#[derive(Clone, Copy, PartialEq)]
pub enum Doubt {
    /// It may be gained.
    Gained,
    /// It may be gained as well as lost.
    Either,
    /// It may be lost.
    Lost,
    /// It is kept, but perhaps on conditions alone.
    Bound,
}

impl Doubt {
    /// That of a difference by what may become of it.
    pub fn of(may: Option<Prospect>) -> Doubt {
        match may {
            Some(Prospect::Gained) => Doubt::Gained,
            Some(Prospect::Lost) => Doubt::Lost,
            None => Doubt::Either,
        }
    }

    /// That of what a name loses, on any condition or not, and a wider name may keep.
    pub fn of_lost(is_free: bool) -> Doubt {
        match is_free {
            true => Doubt::Lost,
            false => Doubt::Bound,
        }
    }
}

/// What is undecided by what may become of it, as in [`Doubt`].
#[derive(Default)]
pub struct UndecidedLines<'r>(pub [SourcesAlike<'r>; 4]);

impl<'r> UndecidedLines<'r> {
    /// Adds what is undecided for a source, each with what may become of it.
    pub fn add<R: 'r>(
        &mut self,
        source: &'r Party,
        reaches: impl Iterator<Item = (&'r R, Doubt)>,
        words: fn(&'r R) -> Sentence<'r>,
    ) {
        let reaches: Vec<_> = reaches.collect();
        let doubts = [Doubt::Gained, Doubt::Either, Doubt::Lost, Doubt::Bound];
        for (reported, doubt) in self.0.iter_mut().zip(doubts) {
            let own = reaches.iter().filter(|(_, own)| *own == doubt);
            reported.add(source, own.map(|(reach, _)| *reach), words);
        }
    }

    /// The lines of access or logins, of which the last verb is that of what is kept.
    pub fn lines(&self, kept: [&'static str; 2]) -> Vec<String> {
        let [gain, either, lose] = [" may gain ", " may gain or lose ", " may lose "];
        let verbs = [[gain; 2], [either; 2], [lose; 2], kept];
        lines_of(&self.0, verbs).concat()
    }
}
