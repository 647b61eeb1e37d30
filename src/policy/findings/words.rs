//! Words for messages: quoting as the service quotes, the nearest known name, what to do about each kind of finding.
//! Must not live here: what is checked.

use std::cell::Cell;
use std::fmt::{Display, Write};

use super::hint::{Hint, Message, recorded};
use crate::tables::find::split_once;

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

/// The parts joined. Many messages are made so: each `format!` would be more code.
#[inline(never)]
pub(crate) fn joined(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        out.push_str(part);
    }
    out
}

/// These words with each `%q` replaced by the next of the names in quotes, and each `%s` by the next as it is; a name that
/// nothing asks for is left out. A call is less code than parts of which some are quoted: 1.4 KiB (Brotli) of the file of the dialect.
#[inline(never)]
pub(crate) fn filled(words: &str, names: &[&str]) -> String {
    let (mut out, mut rest) = (String::new(), words);
    for name in names {
        let Some((before, after)) = split_once(rest, "%") else {
            break;
        };
        out.push_str(before);
        match after.starts_with('q') {
            true => out.push_str(&quoted(name)),
            false => out.push_str(name),
        }
        rest = after.get(1..).unwrap_or_default();
    }
    out + rest
}

/// Words observed in an answer, filled in the same way.
#[inline(never)]
pub(crate) fn said(words: &str, names: &[&str]) -> Message {
    recorded(&[&filled(words, names)])
}

/// A text of its own. Each `to_owned` is an allocation that may fail, which is 80 bytes.
#[inline(never)]
pub(crate) fn owned(text: &str) -> String {
    text.to_owned()
}

/// A value as a text. Each `to_string` is a copy of all of this.
#[inline(never)]
pub(crate) fn shown(value: &dyn Display) -> String {
    value.to_string()
}

/// Faults as one message, as Headscale joins them: alone as it is, several in a list.
pub(crate) fn together(faults: &[String]) -> String {
    match faults {
        [one] => one.clone(),
        _ => {
            let mut out = "multiple errors:".to_owned();
            for fault in faults {
                out.push_str("\n\t");
                out.push_str(fault);
            }
            out
        }
    }
}

/// `did you mean X?` for the nearest of the known names, if one is near.
#[inline(never)]
pub(crate) fn did_you_mean(name: &str, known: &mut dyn Iterator<Item = &str>) -> Option<String> {
    nearest(name, known).map(|hint| hint.text)
}

/// The same as a hint.
pub(crate) fn nearest(name: &str, known: &mut dyn Iterator<Item = &str>) -> Option<Hint> {
    let guesses = Guesses {
        left: Cell::new(usize::MAX),
    };
    guesses.did_you_mean(name, known)
}

/// Guesses of what was meant by the unknown names of one document. The comparisons for all of them together are limited,
/// so that even a document with a great many such names takes little time.
#[derive(Debug)]
pub(crate) struct Guesses {
    /// How many more letters may be compared.
    left: Cell<usize>,
}

/// How many letters are compared for one document, and how many more for each of its bytes.
const COMPARED: usize = 500_000;
const COMPARED_EACH: usize = 4;

/// The longest name that is compared, in bytes.
const LONGEST: usize = 200;

impl Guesses {
    /// Those about a document with this text.
    pub fn of(text: &str) -> Guesses {
        let more = text.len().saturating_mul(COMPARED_EACH);
        Guesses {
            left: Cell::new(more.saturating_add(COMPARED)),
        }
    }

    /// The known name that differs in case only, or else in one letter.
    pub fn one_edit_away<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
        let own = letters(name);
        let within = |edits| {
            let near = |known: &&&str| distance(&own, &letters(known), edits).is_some();
            known.iter().find(near).copied()
        };
        let fits = name.len() <= LONGEST;
        fits.then(|| within(0).or_else(|| within(1))).flatten()
    }

    /// As [`did_you_mean`]; nothing once too much was compared.
    #[inline(never)]
    pub fn did_you_mean(&self, name: &str, known: &mut dyn Iterator<Item = &str>) -> Option<Hint> {
        // Prefixes and mail domains are long and alike; only the rest of a name decides how much may differ.
        let own = name.split_once(':').map_or(name, |(_, own)| own);
        let own = own.split_once('@').map_or(own, |(own, _)| own);
        let limit = 1 + own.chars().count() / 4;
        if name.len() > LONGEST {
            return None;
        }
        let letters_of_name = letters(name);
        // A difference in length is a distance too, and quickly found; a letter has four bytes at most.
        let is_ascii = name.len() == letters_of_name.len();
        let longer = limit * if is_ascii { 1 } else { 4 };
        let mut nearest: Option<(usize, &str)> = None;
        for candidate in known {
            let mut cells = 1;
            if candidate.len() <= LONGEST && name.len().abs_diff(candidate.len()) <= longer {
                let own = letters(candidate);
                cells += letters_of_name.len() * own.len();
                if let Some(distance) = distance(&letters_of_name, &own, limit) {
                    let found = (distance, candidate);
                    nearest = Some(nearest.map_or(found, |known| known.min(found)));
                }
            }
            self.left.set(self.left.get().checked_sub(cells)?);
        }
        nearest.map(|(_, candidate)| Hint::meant(candidate))
    }
}

/// How many letters must be added, removed, changed or swapped with their neighbour (optimal string alignment); none
/// if more than the limit.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row: Vec<usize> = Vec::new();
    for (i, &x) in a.iter().enumerate() {
        row.clear();
        row.push(i + 1);
        let mut least = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let change = at(&last, j) + usize::from(x != y);
            let mut best = change.min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(&y) && b.get(j - 1) == Some(&x);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            least = least.min(best);
            row.push(best);
        }
        // From here on it only grows: a swap takes two from the last row but one, which is as far as this.
        if least > limit + 1 {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last.last().copied().filter(|found| *found <= limit)
}

/// Upper and lower case are equal in ASCII only: the table for all others is some KiB of the wasm file.
fn letters(text: &str) -> Vec<char> {
    let mut letters = Vec::with_capacity(text.len());
    for letter in text.chars() {
        letters.push(letter.to_ascii_lowercase());
    }
    letters
}

/// What to do about a finding that has no hint of its own. Every code of a finding but those that always have one is here.
pub(crate) fn general(code: &str) -> Option<Hint> {
    Some(Hint::marked(match code {
        "wrong_type" => "a rule is an object, a list stands in brackets, a name in quotes",
        "unknown_field" => {
            let words = "remove it: the policy language has no such key here";
            return Some(Hint::remove(&[words]));
        }
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
    }))
}
