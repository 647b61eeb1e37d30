//! The candidates for a place, the likeliest first.
//! Must not live here: which there are (`candidates`).

use std::borrow::Cow;

use crate::policy::language::content::StringRole;
use crate::tables::index::Index;
use crate::tables::sort;

use super::answer::{CompletionItem, CompletionKind};
use super::uses::Uses;

/// The question about a place.
pub(super) struct CompletionQuery<'a> {
    pub role: StringRole,
    pub part: StringPart<'a>,
    /// The texts that are beside it already.
    pub present: &'a [&'a str],
    /// The text typed so far: candidates without it are left out.
    pub typed: &'a str,
    /// How many are wanted.
    pub most: usize,
}

/// The part of a string that is to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StringPart<'a> {
    /// All of it, or the part before its ports.
    Whole,
    /// Its ports.
    Ports,
    /// The name that an operation adds or removes.
    Operand,
    /// The operator after the attribute of a condition.
    Operator,
    /// The value that this attribute is compared with.
    Value(&'a str),
}

/// Whether a label contains the typed text, in any letter case.
pub(super) fn is_meant(label: &str, typed: &str) -> bool {
    let (label, typed) = (label.as_bytes(), typed.trim_matches('"').as_bytes());
    let mut parts = label.windows(typed.len().max(1));
    typed.is_empty() || parts.any(|part| part.eq_ignore_ascii_case(typed))
}

/// Candidates with their scores.
pub(super) struct Ranked<'a> {
    uses: &'a Uses<'a>,
    asked: &'a CompletionQuery<'a>,
    seen: Index<'a>,
    found: Vec<RankedItem<'a>>,
}

struct RankedItem<'a> {
    score: i32,
    kind: CompletionKind,
    text: Cow<'a, str>,
    detail: Option<Cow<'a, str>>,
}

impl<'a> Ranked<'a> {
    pub fn new(uses: &'a Uses<'a>, asked: &'a CompletionQuery<'a>) -> Ranked<'a> {
        Ranked {
            uses,
            asked,
            seen: Index::default(),
            found: Vec::new(),
        }
    }

    /// Adds a candidate, once, if it fits the typed text.
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
        self.found.push(RankedItem {
            score,
            kind,
            text,
            detail,
        });
    }

    /// The score of a text by its use so far: highest for texts with this role elsewhere, then for names that are defined and not
    /// used yet.
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

    /// The first candidates; equal ones stay in their order.
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
        first.map(RankedItem::item).collect()
    }
}

impl RankedItem<'_> {
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
