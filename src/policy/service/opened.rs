//! What a rule lets through, in lines of Markdown: from whom, where to, as whom, under which conditions.
//! Must not live here: what its keys mean (`language::docs`), whom a name means (`resolved`).

use crate::hujson::{Document, Span};
use crate::policy::findings::words::joined;
use crate::policy::language::document::{Policy, SshRule, Word};
use crate::policy::language::rule::Rule;
use crate::policy::language::selector::Selector;
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::network::Network;

use super::resolved::ResolvedSelector;

/// How many sources, destinations and so on are listed.
const LISTED: usize = 12;

/// What the rule around a place opens; nothing where there is no rule.
pub(super) fn opened(
    document: &Document<'_>,
    context: &PolicyContext,
    at: usize,
) -> Option<String> {
    let place = Span { start: at, end: at };
    let policy = Policy::read_part(document, context.dialect_of(document.text()), place);
    let mut lines = OpenedLines {
        network: &Network::new(&policy, context),
        lines: Vec::new(),
    };
    let mut rules = policy.rules();
    let mut logins = policy.ssh.iter();
    if let Some(rule) = rules.find(|rule| is_in(rule.span, at)) {
        lines.rule(&rule);
    } else {
        lines.login(&policy, logins.find(|rule| is_in(rule.span, at))?);
    }
    Some(lines.lines.join("\n"))
}

fn is_in(span: Span, at: usize) -> bool {
    span.start <= at && at < span.end
}

struct OpenedLines<'n, 'p> {
    network: &'n Network<'p>,
    lines: Vec<String>,
}

impl OpenedLines<'_, '_> {
    fn rule(&mut self, rule: &Rule<'_>) {
        self.selectors("from", rule.sources);
        let mut openings = rule.openings().peekable();
        for to in rule.destinations().take(LISTED) {
            let mut ports = String::new();
            // INVARIANT: openings stand in the order of the destinations that they are at.
            while let Some(opening) = openings.next_if(|opening| std::ptr::eq(opening.to, to)) {
                ports.push_str(if ports.is_empty() { ", ports " } else { ", " });
                if let Some(protocol) = opening.protocol {
                    ports.push_str(&joined(&[&protocol.to_string(), ":"]));
                }
                ports.push_str(&opening.ports.to_string());
            }
            self.selector("to", to, &ports);
        }
        self.more(rule.destinations().count());
        let app = rule.app.iter().map(|capability| &capability.name);
        self.words("with", app);
        self.selectors("by way of", rule.via);
        self.words("on devices with", rule.postures.iter());
    }

    fn login(&mut self, policy: &Policy<'_>, rule: &SshRule<'_>) {
        self.selectors("from", &rule.sources);
        self.selectors("to", &rule.destinations);
        self.words("as", rule.users.iter());
        let postures = policy.postures_of(rule.postures.as_deref());
        self.words("on devices with", postures.iter());
    }

    fn selectors(&mut self, word: &str, selectors: &[Selector<'_>]) {
        for selector in selectors.iter().take(LISTED) {
            self.selector(word, selector, "");
        }
        self.more(selectors.len());
    }

    fn selector(&mut self, word: &str, selector: &Selector<'_>, ports: &str) {
        let name = selector.name();
        let words = ResolvedSelector::of(self.network, name).words();
        let words = words.map(|words| joined(&[" (", &words, ")"]));
        let words = words.unwrap_or_default();
        self.lines
            .push(joined(&["- ", word, " `", name, "`", ports, &words]));
    }

    /// Names, all in one line.
    fn words<'w>(&mut self, word: &str, words: impl Iterator<Item = &'w Word<'w>>) {
        let names: Vec<String> = words.map(|word| joined(&["`", word.name(), "`"])).collect();
        if !names.is_empty() {
            self.lines
                .push(joined(&["- ", word, " ", &names.join(", ")]));
        }
    }

    fn more(&mut self, count: usize) {
        if count > LISTED {
            let rest = (count - LISTED).to_string();
            self.lines.push(joined(&["- and ", &rest, " more"]));
        }
    }
}
