//! Help for messages: quoting as the service quotes, the nearest known name, what to do about each kind of finding.
//! Must not live here: what is checked.

use std::fmt::Write;

/// The text in double quotes, quotes and backslashes and controls in it escaped, as Go's `%q` has it.
#[inline(never)]
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            c if c.is_control() && u32::from(c) < 0x80 => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The parts one after the other. Many messages are made so: `format!` is more code at each place.
#[inline(never)]
pub(crate) fn joined(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        out.push_str(part);
    }
    out
}

/// `did you mean X?` for the nearest of the known names, if one is near.
#[inline(never)]
pub(crate) fn did_you_mean(name: &str, known: &mut dyn Iterator<Item = &str>) -> Option<String> {
    // Prefixes and mail domains are long and alike; only what is a name's own says how much may differ.
    let own = name.split_once(':').map_or(name, |(_, own)| own);
    let own = own.split_once('@').map_or(own, |(own, _)| own);
    let limit = 1 + own.chars().count() / 4;
    let mut nearest: Option<(usize, &str)> = None;
    for candidate in known {
        // A difference in length is a distance too, and quickly found.
        if name.len().abs_diff(candidate.len()) > 4 * limit {
            continue;
        }
        let found = (distance(name, candidate), candidate);
        if found.0 <= limit && nearest.is_none_or(|nearest| found < nearest) {
            nearest = Some(found);
        }
    }
    nearest.map(|(_, candidate)| joined(&["did you mean `", candidate, "`?"]))
}

/// How many letters must be added, removed, changed or swapped with their neighbour, case aside
/// (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (letters(a), letters(b));
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, &y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let change = at(&last, j) + usize::from(x != y);
            let mut best = change.min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(&y) && b.get(j - 1) == Some(&x);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

fn letters(text: &str) -> Vec<char> {
    let mut letters = Vec::with_capacity(text.len());
    for letter in text.chars() {
        letters.extend(letter.to_lowercase());
    }
    letters
}

/// What to do about a finding that has no hint of its own. Every code of a finding but those that always have one is here.
pub(crate) fn general(code: &str) -> Option<&'static str> {
    Some(match code {
        "wrong_type" => "a rule is an object, a list stands in brackets, a name in quotes",
        "unknown_field" => "remove it: the policy language has no such key here",
        "duplicate_key" => "merge them into one",
        "mixed_spelling" => "write `src` and `dst`",
        "invalid_action" => "write `\"action\": \"accept\"`; what no rule accepts is dropped",
        "invalid_port" => {
            "write `HOST:PORTS`, with one port, a range `80-90`, a list `80,443`, or `*`"
        }
        "unknown_protocol" => "write tcp, udp, icmp, sctp or the number of a protocol",
        "invalid_source" => {
            "sources are users, groups, tags, addresses, aliases or autogroups with members"
        }
        "invalid_destination" => {
            "destinations are users, groups, tags, addresses, aliases or autogroups"
        }
        "invalid_via" => "name the tag of the devices that route",
        "invalid_capability" => "write `DOMAIN/PATH` with a domain of your own",
        "unknown_group" => "define it in groups",
        "unsynced_group" => "define it in groups, or let the identity provider send it",
        "unknown_host" => "define it in hosts",
        "unknown_ipset" => "define it in ipsets",
        "unknown_posture" => "define it in postures",
        "unknown_autogroup" => {
            "there is autogroup:member, tagged, self, internet and one for each role"
        }
        "unknown_user" => "check the spelling, or invite the user",
        "foreign_domain" => "only domains of this tailnet can stand here",
        "invalid_member" => "list login names; groups do not hold groups or tags",
        "invalid_owner" => "list users, groups, autogroups or tags",
        "invalid_host" => "rename the alias",
        "invalid_tag" => "write `tag:` and a letter, then letters, digits or dashes",
        "invalid_ipset" => {
            "list addresses, prefixes, ranges, `host:ALIAS` or other ipsets, each after `add` or `remove`"
        }
        "invalid_posture" => "write `posture:NAME` with conditions such as `node:os == 'linux'`",
        "invalid_address" => "write an address or a prefix",
        "invalid_service" => "write `svc:NAME`",
        "invalid_target" => {
            "targets are users, groups, tags, addresses, aliases, autogroups or `*`"
        }
        "invalid_pool" => "choose a prefix of 100.64.0.0/10 outside the ranges of the service",
        "invalid_users" => "name the accounts to log in as, or `autogroup:nonroot`",
        "invalid_env" => "name the variables to pass on, with `*` for any characters",
        "invalid_check_period" => "write a time such as `12h`, at most 168h, or `always`",
        "invalid_ssh_test" => "name users, tags or aliases of a single address",
        "test_failed" => {
            "change the rules or the test; explaining the flow shows the rule that misses"
        }
        "never_matches" => "complete or remove it",
        _ => return None,
    })
}
