//! Sources by what is said of them, so that one line is about all of whom the same is said.
//! Must not live here: what is said of one destination (words.rs), the headings (summary.rs).

use super::markdown::{NAMED, code, few};
use super::place::{SaidPlace, places};
use super::words::{self, Sentence};
use crate::policy::findings::words::joined;
use crate::policy::language::rule::RuleRef;
use crate::policy::relation::reported::vacancy_of;
use crate::policy::tailnet::parties::{Party, PartyKind};
use crate::tables::index::{Index, Numbers, Runs};
use crate::tables::sort;

/// How many groups of destinations are named in one line.
const GROUPS: usize = 4;

/// Sources by what is said of them. Sources share what they reach, so that it is put into words once.
#[derive(Default)]
pub struct SourcesAlike<'r> {
    /// The statement about each address in memory that was seen.
    addresses: Numbers,
    statements: Vec<usize>,
    /// The distinct statements.
    known: Index<'static>,
    said: Vec<Sentence<'r>>,
    /// What is said of some sources, each once.
    runs: Runs,
    alike: Vec<SaidOf<'r>>,
}

/// Sources of which the same is said.
struct SaidOf<'r> {
    sources: Vec<&'r Party>,
    said: Vec<usize>,
}

impl<'r> SourcesAlike<'r> {
    /// Adds what is said of a source.
    pub fn add<R>(
        &mut self,
        source: &'r Party,
        reaches: impl Iterator<Item = &'r R>,
        words: fn(&'r R) -> Sentence<'r>,
    ) {
        let mut run = Vec::new();
        for reach in reaches {
            let next = self.statements.len();
            let address = std::ptr::from_ref(reach).addr() as u64;
            let at = self.addresses.place(address, next);
            if at == next {
                let mut said = words(reach);
                said.is_of_source = said.today == Some(&*vacancy_of(source));
                let statement = self.statement(said);
                self.statements.push(statement);
            }
            run.extend(self.statements.get(at).copied());
        }
        if run.is_empty() {
            return;
        }
        let at = self.runs.place_of(&run);
        match self.alike.get_mut(at) {
            Some(alike) => alike.sources.push(source),
            None => self.alike.push(SaidOf {
                sources: vec![source],
                said: run,
            }),
        }
    }

    /// The index of a statement.
    fn statement(&mut self, said: Sentence<'r>) -> usize {
        let rules = words::rules(said.because, said.is_earlier);
        let reasons = said.reasons(&[]);
        let key = joined(&[said.verb, &said.to.text(), &said.said(), &reasons, &rules]);
        self.known.find(&key).unwrap_or_else(|| {
            self.known.set(key.into(), self.said.len());
            self.said.push(said);
            self.said.len() - 1
        })
    }

    /// One line for all sources of which the same is said; the worst first.
    pub fn lines(&self, [one, many]: [&str; 2]) -> Vec<String> {
        let mut lines = Vec::with_capacity(self.alike.len());
        for (at, alike) in self.alike.iter().enumerate() {
            let said = alike.said.iter().filter_map(|&at| self.said.get(at));
            let mut said: Vec<&Sentence<'_>> = said.collect();
            sort::sort_by(&mut said, |one, other| one.weight.cmp(&other.weight));
            let tier = alike.sources.iter().map(|party| tier_of(party)).min();
            let weight = (tier, said.first().map(|said| said.weight), at);
            lines.push((weight, alike, said));
        }
        sort::sort_by(&mut lines, |one, other| one.0.cmp(&other.0));
        let mut texts = Vec::with_capacity(lines.len());
        for (_, alike, said) in lines {
            let count = alike.sources.len();
            let verb = if count == 1 { one } else { many };
            texts.push(joined(&[
                &names(&alike.sources),
                verb,
                &grouped(&said, &alike.sources),
            ]));
        }
        texts
    }
}

/// The lines of several lists, each with its verb for one source and for several.
pub fn lines_of<const N: usize>(
    reported: &[SourcesAlike<'_>; N],
    verbs: [[&str; 2]; N],
) -> [Vec<String>; N] {
    let mut verbs = verbs.into_iter();
    reported
        .each_ref()
        .map(|it| it.lines(verbs.next().unwrap_or_default()))
}

/// Sources in the order of what it means that they reach something.
fn tier_of(party: &Party) -> u8 {
    match (party.kind, party.name.as_str()) {
        (PartyKind::Any, _) | (_, "autogroup:danger-all") => 0,
        (_, "autogroup:shared") => 1,
        (_, "autogroup:member") => 2,
        _ => 3,
    }
}

fn names(sources: &[&Party]) -> String {
    let mut sorted = sources.to_vec();
    sort::sort_by(&mut sorted, |one, other| tier_of(one).cmp(&tier_of(other)));
    let shown = sorted.iter().take(NAMED).map(|party| code(&party.name));
    few(shown.collect(), sources.len(), ", ")
}

/// Destinations of which the same is said of some sources, one behind the other; then the rules.
fn grouped(said: &[&Sentence<'_>], sources: &[&Party]) -> String {
    let mut groups: Vec<(&Sentence<'_>, [&str; 2], Vec<&SaidPlace>)> = Vec::new();
    let (mut by_words, mut known) = (Index::default(), Index::default());
    let reasons: Vec<String> = said.iter().map(|one| one.reasons(sources)).collect();
    let rests: Vec<String> = said.iter().map(|one| of_both_families(one, said)).collect();
    let mut because: [Vec<RuleRef>; 2] = Default::default();
    for (&one, [rest, reasons]) in said
        .iter()
        .zip(rests.iter().zip(&reasons).map(<[&String; 2]>::from))
    {
        let words = joined(&[one.verb, "\0", rest, "\0", reasons]);
        let place = joined(&[&one.to.text(), "\0", &words]);
        let at = by_words.find(&words).unwrap_or(groups.len());
        if at == groups.len() {
            by_words.set(words.into(), at);
            groups.push((one, [rest, reasons], Vec::new()));
        }
        // The same for two reasons, or of two families, is said once.
        if let (true, Some((.., own))) = (known.set(place.into(), at), groups.get_mut(at)) {
            own.push(&one.to);
        }
        if let Some(because) = because.get_mut(usize::from(one.is_earlier)) {
            because.extend_from_slice(one.because);
        }
    }
    // What is said of all of them is said once.
    let common = reasons.first().map_or("", String::as_str);
    let is_common = reasons.iter().all(|reasons| reasons == common);
    let mut shown = Vec::new();
    for (first, [rest, reasons], own) in groups.iter().take(GROUPS) {
        let reasons = if is_common { "" } else { *reasons };
        shown.push(joined(&[first.verb, &places(own), rest, reasons]));
    }
    let common = if is_common { common } else { "" };
    let [later, earlier] = because;
    let (later, earlier) = (words::rules(&later, false), words::rules(&earlier, true));
    joined(&[&few(shown, groups.len(), "; "), common, &later, &earlier])
}

/// What is said of a destination, without the family of the source where the same is said of the other.
fn of_both_families(one: &Sentence<'_>, all: &[&Sentence<'_>]) -> String {
    let is_other = |it: &&Sentence<'_>| {
        it.from.is_some()
            && it.from != one.from
            && (it.verb, &it.to, &it.after, it.today, &it.rest)
                == (one.verb, &one.to, &one.after, one.today, &one.rest)
    };
    match one.from.is_some() && all.iter().any(is_other) {
        true => one.rest.clone(),
        false => one.said(),
    }
}
