//! Warnings about what the service accepts although it is probably not meant.
//! Must not live here: refusals, what the service itself warns of, rules that cover each other.

use crate::cidr::{Address, Prefix};
use crate::hujson::Span;

use super::adviser::{Adviser, NO_HOST_BITS};
use super::logins::KnownLogins;
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::document::{IpEntry, Policy, Word};
use crate::policy::language::duration::{Duration, Period};
use crate::policy::language::keys::is_older;
use crate::policy::language::rule::{Rule, Section};
use crate::policy::language::selector::{Destination, Kind, Selector, are_distinct};
use crate::policy::tailnet::context::PolicyContext;
use crate::tables::index::Index;

/// From how many entries on a list is compared by hashes: up to there a scan is faster.
const MANY: usize = 16;

impl Policy<'_> {
    /// All findings that are not refusals.
    #[inline(never)]
    pub fn advice(&self, context: &PolicyContext) -> Vec<Finding> {
        let mut adviser = Adviser::of(self, context);
        adviser.spelling();
        adviser.default();
        adviser.aliases();
        adviser.members();
        adviser.approvers();
        adviser.too_open();
        adviser.conditions();
        adviser.unused();
        adviser.unreached();
        adviser.today();
        for rule in self.rules() {
            adviser.rule(rule);
        }
        for rule in &self.ssh {
            adviser.period(rule.check_period.as_ref());
            adviser.accounts(&rule.users);
            adviser.lists(&rule.sources);
            adviser.lists(&rule.destinations);
            adviser.nothing_in(rule);
        }
        let Adviser {
            mut found, faults, ..
        } = adviser;
        found.extend(self.warnings(context));
        found.extend(self.covered(&faults));
        found.extend(self.shadowed(&faults));
        found
    }

    /// The part of it that is about rules which can never match.
    pub fn never_matching(&self, context: &PolicyContext) -> Vec<Finding> {
        let mut adviser = Adviser::of(self, context);
        for rule in self.rules() {
            adviser.nothing_by(&rule);
        }
        for rule in &self.ssh {
            adviser.nothing_in(rule);
        }
        adviser.found
    }
}

impl<'p> Adviser<'p> {
    /// Today's names for older ones, each once.
    fn spelling(&mut self) {
        for &(span, modern) in &self.policy.old_names {
            let text = self.policy.document.text();
            let written = text.get(span.start..span.end).unwrap_or_default();
            let message = match is_older(written.trim_matches('"'), modern) {
                true => joined(&[written, " is an older spelling"]),
                false => joined(&[written, " is written ", &quoted(modern)]),
            };
            let hint = Hint::write(&["write ", modern]);
            self.warn("old_spelling", span, message, Some(hint));
        }
        if let [_, Some(span)] = self.policy.member_names {
            let message = "\"autogroup:members\" is an older spelling".to_owned();
            let hint = Hint::marked("write `autogroup:member`");
            self.warn("old_spelling", span, message, Some(hint));
        }
    }

    /// The documented minimum is a minute; the service accepts less.
    fn period(&mut self, period: Option<&Word<'_>>) {
        if let Some(word) = period
            && let Ok(Period::Every(period)) = Period::parse(word.name())
            && (Duration::ZERO..Duration::MINUTE).contains(&period)
            && self.policy.dialect.has_shortest_period()
        {
            let period = period.to_string();
            let message = joined(&["checkPeriod ", &period, " is below the minimum (1m)"]);
            let hint = Hint::marked("write `1m` or more, or `always`");
            self.warn("short_check_period", word.span, message, Some(hint));
        }
    }

    /// Accounts that look like patterns, but are taken literally (docs/policy-language.md#ssh-rules).
    fn accounts(&mut self, users: &[Word<'_>]) {
        for user in users {
            let name = user.name();
            let is_special = |rest: &str| rest.strip_prefix("*@").is_some_and(|d| !d.is_empty());
            let hint = if let Some(rest) = name.strip_prefix("localpart:") {
                if is_special(rest) {
                    continue;
                }
                "localpart:*@DOMAIN"
            } else if name.starts_with("autogroup:") && name != "autogroup:nonroot" {
                "autogroup:nonroot"
            } else {
                continue;
            };
            let message = joined(&[
                &quoted(name),
                " is taken literally, as the name of an account",
            ]);
            let hint = Hint::write(&["only ", hint, " is special"]);
            self.warn("invalid_users", user.span, message, Some(hint));
        }
    }

    fn default(&mut self) {
        if self.policy.allows_all() && self.faults.is_empty() {
            let message = "without acls and grants everyone reaches everything";
            let hint = Hint::marked("add `\"acls\": []` to allow nothing");
            self.warn("allows_all", self.brace(), message.to_owned(), Some(hint));
        }
    }

    fn aliases(&mut self) {
        let policy = self.policy;
        for (alias, address) in policy.hosts.iter() {
            // One with an @ is refused for that.
            let kind = Kind::of(alias.name());
            if !matches!(kind, Kind::Host | Kind::User | Kind::Domain) {
                let name = quoted(alias.text);
                const WORDS: &str = " is never used: rules read it as something else";
                let message = joined(&["alias ", &name, WORDS]);
                let hint = Hint::words("choose another name");
                self.warn("shadowed_alias", alias.span, message, Some(hint));
            }
            self.host_bits(address.name(), address.span);
        }
    }

    /// A prefix with host bits: the service drops them.
    fn host_bits(&mut self, text: &str, span: Span) {
        let prefix = Prefix::parse(text)
            .ok()
            .filter(|prefix| prefix.has_host_bits());
        if let Some(prefix) = prefix {
            let message = joined(&[&quoted(text), " has bits outside its prefix"]);
            let hint = Hint::write(&["it means ", &prefix.masked().to_string()]);
            self.warn("host_bits", span, message, Some(hint));
        }
    }

    fn members(&mut self) {
        let policy = self.policy;
        for (_, members) in policy.groups.iter() {
            self.repeated_selectors(members);
            for member in members {
                if member.kind == Kind::Host {
                    self.bare_login(member);
                }
            }
        }
    }

    /// A member whose login is incomplete: the service accepts it and finds nobody.
    fn bare_login(&mut self, member: &Selector<'_>) {
        let name = member.name();
        let named = || KnownLogins::named(self.policy, self.context);
        let known = self.named.get_or_init(named).of_local_part(name);
        let hint = match known {
            Some(login) => Hint::meant(login),
            None => {
                Hint::marked("write it whole: `NAME@example.com`, `NAME@github`, `NAME@passkey`")
            }
        };
        let message = joined(&[&quoted(name), " is no login: logins hold an @"]);
        self.warn("bare_login", member.span, message, Some(hint));
    }

    fn approvers(&mut self) {
        let approvers = &self.policy.auto_approvers;
        let is_exit =
            |route: &Word<'_>| Prefix::parse(route.name()).is_ok_and(|prefix| prefix.length() == 0);
        let exit = approvers.routes.iter().find(|(route, _)| is_exit(route));
        if let (Some((route, _)), true) = (exit, approvers.exit_node.is_empty()) {
            let name = quoted(route.name());
            const WORDS: &str = " as a route does not approve exit nodes";
            let message = joined(&["approving ", &name, WORDS]);
            let hint = Hint::words("list who may run exit nodes under `exitNode`");
            self.warn("exit_node_route", route.span, message, Some(hint));
        }
        for (route, _) in &approvers.routes {
            self.host_bits(route.name(), route.span);
        }
    }

    fn rule(&mut self, rule: Rule<'p>) {
        let policy = self.policy;
        if let (Section::Acls, Some(rule)) = (rule.section, policy.acl_rules().get(rule.index)) {
            let to = &rule.destinations;
            if to.len() >= MANY || !are_distinct(to.iter().map(|to| &to.host)) {
                let entry = |at| {
                    to.get(at)
                        .map(|to: &Destination<'_>| (to.text(), to.span()))
                };
                self.repeated(to.len(), &entry);
            }
            for to in &rule.destinations {
                self.selector(&to.host);
                self.two_readings(to);
            }
        }
        if let (Section::Grants, Some(grant)) = (rule.section, policy.grant_rules().get(rule.index))
        {
            self.lists(&grant.destinations);
            let ip = &grant.ip;
            let entry = |at| {
                let entry: Option<&IpEntry<'_>> = ip.get(at);
                entry.map(|entry| (entry.word.name(), entry.word.span))
            };
            self.repeated(ip.len(), &entry);
        }
        self.lists(rule.sources);
        self.nothing_by(&rule);
        self.nobody_at(&rule);
        self.open_sources(&rule);
    }

    /// An IPv6 address whose last group is taken for a port.
    fn two_readings(&mut self, to: &Destination<'_>) {
        let host = to.host.name();
        if to.host.kind != Kind::Address || !host.contains(':') {
            return;
        }
        let text = to.text().trim();
        if Address::parse(text).is_ok()
            && let Some((_, port)) = text.rsplit_once(':')
        {
            let message = joined(&[&quoted(text), " is read as port ", port, " of ", host]);
            let read = joined(&["[", host, "]:", port]);
            let whole = joined(&["[", text, "]:*"]);
            let hint = Hint::write(&["write ", &read, ", or ", &whole]);
            self.warn("invalid_port", to.span(), message, Some(hint));
        }
    }

    fn lists(&mut self, selectors: &[Selector<'_>]) {
        self.repeated_selectors(selectors);
        for selector in selectors {
            self.selector(selector);
        }
    }

    fn selector(&mut self, selector: &Selector<'_>) {
        match selector.kind {
            Kind::Prefix if self.fine.get(selector) & NO_HOST_BITS == 0 => {
                let before = self.found.len();
                self.host_bits(selector.name(), selector.span);
                if self.found.len() == before {
                    self.fine.add(selector, NO_HOST_BITS);
                }
            }
            Kind::User => {
                let name = selector.name();
                if let Some(listed) = &self.listed
                    && !listed.contains(name)
                {
                    let message = joined(&["user not found: ", &quoted(name)]);
                    let advice = || Hint::words(self.policy.dialect.advice_on_unknown_users());
                    let hint = self.guesses.did_you_mean(name, &mut listed.iter());
                    let hint = hint.unwrap_or_else(advice);
                    self.warn("unknown_user", selector.span, message, Some(hint));
                }
            }
            _ => {}
        }
    }

    fn repeated_selectors(&mut self, selectors: &[Selector<'_>]) {
        if selectors.len() < MANY && are_distinct(selectors.iter()) {
            return;
        }
        let entry = |at| {
            let selector: Option<&Selector<'_>> = selectors.get(at);
            selector.map(|selector| (selector.name(), selector.span))
        };
        self.repeated(selectors.len(), &entry);
    }

    /// Duplicate entries in a list of so many.
    #[inline(never)]
    fn repeated<'w>(&mut self, count: usize, entry: &dyn Fn(usize) -> Option<(&'w str, Span)>) {
        let mut many = Index::default();
        for at in 0..count {
            let Some((text, span)) = entry(at) else {
                continue;
            };
            let repeated = match count {
                0..MANY => {
                    (0..at).any(|before| entry(before).is_some_and(|(other, _)| other == text))
                }
                _ => !many.set(text.into(), 0),
            };
            if repeated {
                let message = joined(&[&quoted(text), " is listed twice"]);
                self.warn(
                    "repeated_entry",
                    span,
                    message,
                    Some(Hint::remove(&["remove it"])),
                );
            }
        }
    }
}
