//! Candidates for a place in the order of use.
//! Must not live here: which there are (`candidates`).

use std::borrow::Cow;

use crate::policy::language::content::Role;
use crate::tables::index::Index;
use crate::tables::sort;

use super::answer::{CompletionItem, CompletionKind};
use super::uses::Uses;

/// What is asked about a place.
pub(super) struct Asked<'a> {
    pub role: Role,
    pub part: Part<'a>,
    /// What stands beside it already.
    pub present: &'a [&'a str],
    /// What was typed so far: others are left out.
    pub typed: &'a str,
    /// How many are wanted.
    pub most: usize,
}

/// What of a string is to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part<'a> {
    /// All of it, or what stands before its ports.
    Whole,
    /// Its ports.
    Ports,
    /// What an operation adds or removes.
    Operand,
    /// The operator behind the attribute of a condition.
    Operator,
    /// The value that this attribute is compared with.
    Value(&'a str),
}

/// Whether a label holds what was typed, whatever the case.
pub(super) fn is_meant(label: &str, typed: &str) -> bool {
    let (label, typed) = (label.as_bytes(), typed.trim_matches('"').as_bytes());
    let mut parts = label.windows(typed.len().max(1));
    typed.is_empty() || parts.any(|part| part.eq_ignore_ascii_case(typed))
}

/// Candidates, with what speaks for each.
pub(super) struct Ranked<'a> {
    uses: &'a Uses<'a>,
    asked: &'a Asked<'a>,
    seen: Index<'a>,
    found: Vec<Candidate<'a>>,
}

struct Candidate<'a> {
    score: i32,
    kind: CompletionKind,
    text: Cow<'a, str>,
    detail: Option<Cow<'a, str>>,
}

impl<'a> Ranked<'a> {
    pub fn new(uses: &'a Uses<'a>, asked: &'a Asked<'a>) -> Ranked<'a> {
        Ranked {
            uses,
            asked,
            seen: Index::default(),
            found: Vec::new(),
        }
    }

    /// Adds a candidate, once, if it is what was typed.
    #[inline(never)]
    pub fn add(
        &mut self,
        score: i32,
        kind: CompletionKind,
        text: Cow<'a, str>,
        detail: Option<Cow<'a, str>>,
    ) {
        if text.is_empty() || !is_meant(&text, self.asked.typed) || !self.seen.set(text.clone(), 0)
        {
            return;
        }
        let is_present = self.asked.present.contains(&text.as_ref());
        let score = score + self.used(&text) - if is_present { 1_000_000 } else { 0 };
        self.found.push(Candidate {
            score,
            kind,
            text,
            detail,
        });
    }

    /// How much its use so far speaks for a text: first what stands in this role elsewhere; then what was defined and is
    /// named nowhere yet, which waits for its first use.
    fn used(&self, text: &str) -> i32 {
        let Some(found) = self.uses.get(text) else {
            return 0;
        };
        let own = i32::try_from(found.own)
            .unwrap_or(i32::MAX / 4)
            .min(100_000);
        match (own, found.count) {
            (0, 0) => 15,
            (0, _) => 5,
            (own, _) => 20 + own,
        }
    }

    /// The first of them, of equal ones those that came first.
    pub fn items(&self) -> Vec<CompletionItem> {
        let mut order: Vec<(i32, usize)> = Vec::with_capacity(self.found.len());
        order.extend(
            self.found
                .iter()
                .enumerate()
                .map(|(at, one)| (-one.score, at)),
        );
        sort::sort(&mut order);
        let first = order.iter().take(self.asked.most);
        let first = first.filter_map(|(_, at)| self.found.get(*at));
        first.map(Candidate::item).collect()
    }
}

impl Candidate<'_> {
    fn item(&self) -> CompletionItem {
        CompletionItem {
            label: self.text.to_string(),
            kind: self.kind,
            insert: self.text.to_string(),
            snippet: false,
            detail: self.detail.as_deref().map(str::to_owned),
            documentation: None,
        }
    }
}
