//! The shape of tests, which Headscale judges before it runs them.
//! Must not live here: how they end.

use super::{Stage, quoted};
use crate::hujson::Span;
use crate::policy::findings::finding::{Finding, INVALID_SSH_TEST, TEST_FAILED};
use crate::policy::findings::hint::{Hint, recorded};
use crate::policy::language::document::{SshTest, Test};
use crate::policy::language::headscale::ports::{destination, protocol};
use crate::policy::language::headscale::selectors::{host_fault, is_tag, kind_of, no_tag};
use crate::policy::language::selector::{Autogroup, Destination, Kind, Selector, trimmed};

impl Stage<'_> {
    pub fn tests(&mut self) {
        for (index, test) in self.policy.tests.iter().enumerate() {
            self.test(&["test ", &index.to_string()].concat(), test);
        }
    }

    fn test(&mut self, entry: &str, test: &Test<'_>) {
        if test.accept.is_empty() && test.deny.is_empty() {
            let words = ": test entry must have at least one of \"accept\" or \"deny\"";
            self.no_test(test.span, &[entry, words]);
        }
        if let Some(named) = &test.protocol
            && let Ok((number, name)) = protocol(&named.word.text.to_ascii_lowercase())
            && !number.has_ports()
        {
            let words = ": test protocol must be tcp, udp, sctp, or empty: ";
            self.say(
                TEST_FAILED,
                named.word.span,
                &[entry, words, &quoted(&name)],
            );
        }
        for (list, word) in [(&test.accept, "accept"), (&test.deny, "deny")] {
            for to in list {
                if let Some(fault) = self.destination_fault(to) {
                    let text = quoted(to.text());
                    let parts = [entry, ", ", word, " ", &text, ": ", &fault];
                    self.no_test(to.span(), &parts);
                }
            }
        }
    }

    fn no_test(&mut self, span: Span, parts: &[&str]) {
        let hint = "list `HOST:PORT` of single addresses and ports, for tcp, udp or sctp";
        let fault = Finding::error(TEST_FAILED, span, recorded(parts));
        self.found.push(fault.hint(Some(Hint::words(hint))));
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
        if kind == Some(Kind::Autogroup(Autogroup::Internet)) {
            return Some("autogroup:internet not valid as a test destination".to_owned());
        }
        let is_single = matches!(ports.ranges(), [range] if range.first == range.last);
        if !is_single {
            return Some("test destination port must be a single port".to_owned());
        }
        let is_wide =
            kind == Some(Kind::Prefix) || kind == Some(Kind::Host) && self.is_wide(&to.host);
        is_wide.then(|| RANGE.to_owned())
    }

    /// Whether a prefix or an alias means more than one address.
    fn is_wide(&self, selector: &Selector<'_>) -> bool {
        let range = self.policy.range(selector);
        range.is_some_and(|range| range.first() != range.last())
    }

    pub fn ssh_tests(&mut self) {
        for (index, test) in self.policy.ssh_tests.iter().enumerate() {
            self.ssh_test(&["sshTest ", &index.to_string()].concat(), test);
        }
    }

    fn ssh_test(&mut self, entry: &str, test: &SshTest<'_>) {
        let source = test.source.as_ref().map(|source| trimmed(source.text()));
        if source.is_none_or(str::is_empty) {
            let words = ": SSH tests entry must have a non-empty src";
            self.say(INVALID_SSH_TEST, test.span, &[entry, words]);
        }
        if test.destinations.is_empty() {
            let words = ": SSH tests entry must have at least one dst";
            self.say(INVALID_SSH_TEST, test.span, &[entry, words]);
        }
        for to in &test.destinations {
            self.ssh_test_end(entry, to, to.span);
        }
    }

    fn ssh_test_end(&mut self, entry: &str, to: &Selector<'_>, span: Span) {
        let name = trimmed(to.text());
        match to.kind {
            Kind::Tag if !self.policy.tag_owners.contains(name) => {
                let words = ": SSH tests dst contains unknown tag ";
                self.say(INVALID_SSH_TEST, span, &[entry, words, &quoted(name)]);
            }
            Kind::Prefix | Kind::Host if !self.is_wide(to) => {}
            Kind::Prefix | Kind::Host | Kind::Autogroup(Autogroup::Internet) => {
                let usual = crate::cidr::Prefix::parse(name).map(|own| own.masked().to_string());
                let shown = usual.unwrap_or_else(|_| name.to_owned());
                let words = ": SSH tests dst contains disallowed element ";
                self.say(INVALID_SSH_TEST, span, &[entry, words, &quoted(&shown)]);
            }
            _ => {}
        }
    }
}

/// What a quote inside a destination does: it is read once more, in quotes that are not escaped.
fn quote_fault(text: &str) -> Option<String> {
    let at = text.find('"')?;
    let after = text.get(at + 1..).unwrap_or_default();
    let next = after.chars().next().unwrap_or('"');
    let offset = (at + 2).to_string();
    let words = "' after top-level value after offset ";
    Some(
        [
            "jsontext: invalid character '",
            &next.to_string(),
            words,
            &offset,
        ]
        .concat(),
    )
}
