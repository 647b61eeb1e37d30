//! The shape of tests, which Headscale judges before it runs them.
//! Must not live here: how they end.

use super::Stage;
use super::rules::prefix_of;
use crate::hujson::Span;
use crate::policy::findings::finding::{INVALID_SSH_TEST, TEST_FAILED};
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::{filled, joined, owned, shown};
use crate::policy::language::document::{SshTest, Test};
use crate::policy::language::headscale::ports::{destination, protocol};
use crate::policy::language::headscale::selectors::{host_fault, is_tag, kind_of, no_tag};
use crate::policy::language::selector::{Autogroup, Destination, Kind, Selector, trimmed};
use crate::tables::find::find;

impl Stage<'_> {
    pub fn tests(&mut self) {
        for (index, test) in self.policy.tests.iter().enumerate() {
            self.test(&joined(&["test ", &shown(&index)]), test);
        }
    }

    fn test(&mut self, entry: &str, test: &Test<'_>) {
        if test.accept.is_empty() && test.deny.is_empty() {
            let words = "%s: test entry must have at least one of \"accept\" or \"deny\"";
            self.no_test(test.span, words, &[entry]);
        }
        if let Some(named) = &test.protocol
            && let Ok((number, name)) = protocol(named.word.text)
            && !number.has_ports()
        {
            let words = "%s: test protocol must be tcp, udp, sctp, or empty: %q";
            self.say(TEST_FAILED, named.word.span, words, &[entry, &name]);
        }
        for (list, word) in [(&test.accept, "accept"), (&test.deny, "deny")] {
            for to in list {
                if let Some(fault) = self.destination_fault(to) {
                    let names = [entry, word, to.text(), &fault];
                    self.no_test(to.span(), "%s, %s %q: %s", &names);
                }
            }
        }
    }

    fn no_test(&mut self, span: Span, words: &str, names: &[&str]) {
        let hint = "list `HOST:PORT` of single addresses and ports, for tcp, udp or sctp";
        self.advise(TEST_FAILED, span, words, names, Some(Hint::words(hint)));
    }

    fn destination_fault(&self, to: &Destination<'_>) -> Option<String> {
        const RANGE: &str = "test destination must be a single host, not a CIDR range";
        if let Some(fault) = quote_fault(to.text()) {
            return Some(fault);
        }
        let (host, ports) = match destination(to.text()) {
            Ok(parts) => parts,
            Err(fault) => return Some(fault),
        };
        if let Some(fault) = host_fault(host) {
            return Some(fault);
        }
        let kind = kind_of(host);
        if kind == Some(Kind::Tag) && !is_tag(host) {
            return Some(no_tag(host));
        }
        let is_single = matches!(ports.ranges(), [range] if range.first == range.last);
        let fault = match kind {
            Some(Kind::Autogroup(Autogroup::Internet)) => {
                "autogroup:internet not valid as a test destination"
            }
            _ if !is_single => "test destination port must be a single port",
            Some(Kind::Prefix) => RANGE,
            Some(Kind::Host) if self.is_wide(&to.host) => RANGE,
            _ => return None,
        };
        Some(owned(fault))
    }

    /// Whether a prefix or an alias means more than one address.
    fn is_wide(&self, selector: &Selector<'_>) -> bool {
        let range = self.policy.range(selector);
        range.is_some_and(|range| range.first() != range.last())
    }

    pub fn ssh_tests(&mut self) {
        for (index, test) in self.policy.ssh_tests.iter().enumerate() {
            self.ssh_test(&joined(&["sshTest ", &shown(&index)]), test);
        }
    }

    fn ssh_test(&mut self, entry: &str, test: &SshTest<'_>) {
        let source = test.source.as_ref().map(|source| trimmed(source.text()));
        if source.is_none_or(str::is_empty) {
            let words = "%s: SSH tests entry must have a non-empty src";
            self.say(INVALID_SSH_TEST, test.span, words, &[entry]);
        }
        if test.destinations.is_empty() {
            let words = "%s: SSH tests entry must have at least one dst";
            self.say(INVALID_SSH_TEST, test.span, words, &[entry]);
        }
        for to in &test.destinations {
            self.ssh_test_end(entry, to, to.span);
        }
    }

    fn ssh_test_end(&mut self, entry: &str, to: &Selector<'_>, span: Span) {
        let name = trimmed(to.text());
        match to.kind {
            Kind::Tag if !self.policy.tag_owners.contains(name) => {
                let words = "%s: SSH tests dst contains unknown tag %q";
                self.say(INVALID_SSH_TEST, span, words, &[entry, name]);
            }
            Kind::Prefix | Kind::Host if !self.is_wide(to) => {}
            Kind::Prefix | Kind::Host | Kind::Autogroup(Autogroup::Internet) => {
                let usual = prefix_of(name).map_or_else(|| owned(name), |own| shown(&own));
                let words = "%s: SSH tests dst contains disallowed element %q";
                self.say(INVALID_SSH_TEST, span, words, &[entry, &usual]);
            }
            _ => {}
        }
    }
}

/// What a quote inside a destination does: it is read once more, in quotes that are not escaped.
fn quote_fault(text: &str) -> Option<String> {
    let at = find(text.as_bytes(), b"\"")?;
    let after = text.get(at + 1..).unwrap_or_default();
    let next = after.chars().next().unwrap_or('"');
    let words = "jsontext: invalid character '%s' after top-level value after offset %s";
    let names = [&shown(&next)[..], &shown(&(at + 2))];
    Some(filled(words, &names))
}
