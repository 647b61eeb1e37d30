//! Sources by what is said of them, so that one line is about all of whom the same is said.
//! Must not live here: what is said of one destination (words.rs), the headings (summary.rs).

use super::markdown::{NAMED, code, few};
use super::words::{self, Said};
use crate::policy::findings::words::joined;
use crate::tables::index::{Index, Numbers, Runs};

/// Sources by what is said of them. Sources share what they reach, so that it is put into words once.
#[derive(Default)]
pub struct Reached<'r> {
    /// The statement about each address in memory that was seen.
    addresses: Numbers,
    statements: Vec<usize>,
    /// The distinct statements.
    known: Index<'static>,
    said: Vec<Said<'r>>,
    /// What is said of some sources, each once.
    runs: Runs,
    alike: Vec<Alike<'r>>,
}

/// Sources of which the same is said.
struct Alike<'r> {
    sources: Vec<&'r str>,
    /// The first statements, and how many there are.
    said: Vec<usize>,
    count: usize,
}

impl<'r> Reached<'r> {
    /// Adds what is said of a source.
    pub fn add<R>(
        &mut self,
        source: &'r str,
        reaches: impl Iterator<Item = &'r R>,
        words: fn(&'r R) -> Said<'r>,
    ) {
        let mut run = Vec::new();
        for reach in reaches {
            let next = self.statements.len();
            let address = std::ptr::from_ref(reach).addr() as u64;
            let at = self.addresses.place(address, next);
            if at == next {
                let statement = self.statement(words(reach));
                self.statements.push(statement);
            }
            run.extend(self.statements.get(at).copied());
        }
        if run.is_empty() {
            return;
        }
        let (at, count) = (self.runs.place_of(&run), run.len());
        run.truncate(NAMED);
        match self.alike.get_mut(at) {
            Some(alike) => alike.sources.push(source),
            None => self.alike.push(Alike {
                sources: vec![source],
                said: run,
                count,
            }),
        }
    }

    /// The index of a statement.
    fn statement(&mut self, said: Said<'r>) -> usize {
        let key = joined(&[&said.text, &words::rules(said.because)]);
        self.known.find(&key).unwrap_or_else(|| {
            self.known.set(key.into(), self.said.len());
            self.said.push(said);
            self.said.len() - 1
        })
    }

    /// One line for all sources of which the same is said.
    pub fn lines(&self, [one, many]: [&str; 2]) -> Vec<String> {
        let mut lines = Vec::with_capacity(self.alike.len());
        for alike in &self.alike {
            let (mut said, mut because) = (Vec::new(), Vec::new());
            for statement in alike.said.iter().filter_map(|&at| self.said.get(at)) {
                said.push(statement.text.clone());
                because.extend_from_slice(statement.because);
            }
            let count = alike.sources.len();
            let verb = if count == 1 { one } else { many };
            let sources = alike.sources.iter().take(NAMED).map(|name| code(name));
            let sources = few(sources.collect(), count, ", ");
            let said = few(said, alike.count, "; ");
            lines.push(joined(&[&sources, verb, &said, &words::rules(&because)]));
        }
        lines
    }
}
