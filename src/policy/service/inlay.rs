//! Remarks between the words: whom a selector means, whether a test passes, which rule no device can use.
//! Must not live here: how tests are run, how names are resolved.

use crate::hujson::{self, Document, Span};
use crate::policy::language::content::{NameKind, StringRole};
use crate::policy::language::dialect::Dialect;
use crate::policy::language::document::Policy;
use crate::policy::language::pieces::PieceKind;
use crate::policy::language::places::{StringPlace, walk_in};
use crate::policy::language::rule::Rule;
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::network::Network;
use crate::tables::index::Index;
use crate::tables::sort;

use super::answer::{Inlay, InlayKind, TextRange};
use super::resolved::ResolvedSelector;

/// The remarks in a range, or in the whole text; none in a text that is not HuJSON.
#[inline(never)]
pub fn inlay(text: &str, range: Option<TextRange>, context: &PolicyContext) -> Vec<Inlay> {
    let Ok(document) = hujson::parse(text) else {
        return Vec::new();
    };
    let context = &*context.known_for(text);
    let dialect = context.dialect_of(text);
    let range = range.unwrap_or(TextRange {
        from: 0,
        to: text.len(),
    });
    let policy = read(&document, dialect, range);
    let network = Network::new(&policy, context);
    let mut remarks = Remarks {
        network: &network,
        range,
        found: Vec::new(),
        by_text: Index::default(),
        remarks: Vec::new(),
    };
    let mut is_seen = |span: Span| range.touches(span);
    walk_in(&document, dialect, &mut is_seen, &mut |place, _| {
        remarks.selector(&place);
    });
    remarks.tests(context);
    remarks.rules(context);
    let mut found = remarks.found;
    sort::sort_by(&mut found, |a, b| a.at.cmp(&b.at));
    found
}

/// The part of a document that the remarks in a range are about; all of it where there is a test, which any rule can decide.
fn read<'d>(document: &'d Document<'d>, dialect: Dialect, range: TextRange) -> Policy<'d> {
    let part = Span {
        start: range.from,
        end: range.to,
    };
    let policy = Policy::read_part(document, dialect, part);
    match policy.tests.is_empty() && policy.ssh_tests.is_empty() {
        true => policy,
        false => Policy::read_as(document, dialect),
    }
}

struct Remarks<'a, 'p> {
    network: &'a Network<'p>,
    range: TextRange,
    found: Vec<Inlay>,
    /// The remark for each name so far: a few names are on every line.
    by_text: Index<'a>,
    remarks: Vec<Option<(String, Option<String>)>>,
}

impl<'a> Remarks<'a, '_> {
    fn add(&mut self, at: usize, kind: InlayKind, text: String, tooltip: Option<String>) {
        if self.range.from <= at && at <= self.range.to {
            self.found.push(Inlay {
                at,
                text,
                kind,
                tooltip,
            });
        }
    }

    /// Whom a selector of a rule means.
    fn selector(&mut self, place: &StringPlace<'a>) {
        let is_of_rule = matches!(
            place.role,
            StringRole::Source
                | StringRole::Destination
                | StringRole::DestinationPorts
                | StringRole::SshSource
                | StringRole::SshDestination
                | StringRole::Target
        );
        let span = place.value.span();
        // Names outside the range are not resolved.
        if !is_of_rule || span.end < self.range.from || self.range.to < span.end {
            return;
        }
        let Some(piece) = place.pieces().into_iter().next() else {
            return;
        };
        let is_compared = match piece.kind {
            PieceKind::Name(kind) => kind != NameKind::Service,
            PieceKind::Autogroup => !matches!(piece.text, "autogroup:self" | "autogroup:internet"),
            PieceKind::User => true,
            _ => false,
        };
        if !is_compared {
            return;
        }
        let next = self.remarks.len();
        let at = self.by_text.place(piece.text, next);
        if at == next {
            self.remarks.push(self.resolved(piece.text, piece.kind));
        }
        if let Some(Some((words, tooltip))) = self.remarks.get(at) {
            let (words, tooltip) = (words.clone(), tooltip.clone());
            self.add(span.end, InlayKind::Resolves, words, tooltip);
        }
    }

    /// Whom a name means, in words and by its devices.
    fn resolved(&self, text: &str, kind: PieceKind) -> Option<(String, Option<String>)> {
        let found = ResolvedSelector::of(self.network, text);
        let host = self.network.policy.hosts.get(text);
        let host = host.filter(|_| kind == PieceKind::Name(NameKind::Host));
        let words = match host {
            Some(host) => host.text().to_owned(),
            None => found.words()?,
        };
        Some((words, found.devices(self.network.context, 12)))
    }

    /// Whether each test passes.
    fn tests(&mut self, context: &PolicyContext) {
        let policy = self.network.policy;
        for result in policy.run_tests(context).results {
            let Some(span) = result.span(policy) else {
                continue;
            };
            let (text, tooltip) = match result.passed {
                Some(true) => ("passed", None),
                Some(false) => ("failed", Some(result.errors.join("\n"))),
                None => ("open", Some("text and context cannot decide it".to_owned())),
            };
            self.add(span.end, InlayKind::Test, text.to_owned(), tooltip);
        }
    }

    /// Rules that nothing can use: they never match by the text alone, or no known device is a source or a destination.
    fn rules(&mut self, context: &PolicyContext) {
        let policy = self.network.policy;
        let mut remarks: Vec<Span> = Vec::new();
        for finding in policy.never_matching(context) {
            remarks.push(finding.span);
            let why = Some(finding.message);
            self.add(
                finding.span.end,
                InlayKind::Unreached,
                "never used".to_owned(),
                why,
            );
        }
        if context.devices.is_none() {
            return;
        }
        for rule in policy.rules() {
            if self.range.touches(rule.span)
                && !remarks.contains(&rule.span)
                && let Some(why) = self.unreached(&rule)
            {
                self.add(
                    rule.span.end,
                    InlayKind::Unreached,
                    "never used".to_owned(),
                    Some(why),
                );
            }
        }
    }

    /// Why no known device can use a rule.
    fn unreached(&self, rule: &Rule<'_>) -> Option<String> {
        let is_nobody = |selector: &Selector<'_>| {
            let is_who = matches!(selector.kind, Kind::Group | Kind::Tag | Kind::User);
            is_who && self.network.devices_of(selector).is_empty()
        };
        if !rule.sources.is_empty() && rule.sources.iter().all(is_nobody) {
            return Some("no device is a source".to_owned());
        }
        let mut destinations = rule.destinations().peekable();
        let is_any = destinations.peek().is_some();
        let nobody = is_any && destinations.all(is_nobody);
        nobody.then(|| "no device is a destination".to_owned())
    }
}
