//! Completion: which items are offered where, in which order, and what they replace.
//! Must not live here: other verbs of the language service (tests/policy/service/outline.rs, tests/policy/service/diagnostics.rs).

use crate::texts::{Given, asks_all, documents, random};
use tailnet_kit::hujson::{self, Kind};
use tailnet_kit::policy::service::{CompletionItem, CompletionList, complete, hover};
use tailnet_kit::policy::{PolicyContext, check};

/// Completes where `|` stands in a text without context.
fn at(text: &str) -> (String, usize, CompletionList) {
    let offset = text.find('|').expect("a place");
    let text = text.replacen('|', "", 1);
    let list = complete(&text, offset, &PolicyContext::default());
    (text, offset, list)
}

fn labels(text: &str) -> Vec<String> {
    at(text)
        .2
        .items
        .into_iter()
        .map(|item| item.label)
        .collect()
}

/// The text of a snippet with its default values, and the offset of its first place to fill in.
fn filled(item: &CompletionItem) -> (String, Option<usize>) {
    if !item.snippet {
        return (item.insert.clone(), None);
    }
    let (mut out, mut stop, mut rest) = (String::new(), None, item.insert.as_str());
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let escaped = rest.chars().next().unwrap();
                out.push(escaped);
                rest = &rest[escaped.len_utf8()..];
            }
            '$' => {
                stop.get_or_insert(out.len());
                rest = match rest.strip_prefix('{') {
                    Some(inner) => {
                        let (place, behind) = inner.split_once('}').unwrap();
                        out.push_str(place.split_once(':').map_or("", |(_, default)| default));
                        behind
                    }
                    None => &rest[1..],
                };
            }
            c => out.push(c),
        }
    }
    (out, stop)
}

/// The text after the item with this label is taken.
#[track_caller]
fn taken(text: &str, label: &str) -> String {
    let (text, _, list) = at(text);
    let item = list.items.iter().find(|item| item.label == label);
    let item = item.unwrap_or_else(|| panic!("{label} is not offered"));
    format!(
        "{}{}{}",
        &text[..list.from],
        filled(item).0,
        &text[list.to..]
    )
}

#[test]
fn the_keys_offered_are_those_still_missing() {
    assert_eq!(
        labels(r#"{"acls": [{"action": "accept", |}]}"#),
        ["src", "dst", "proto", "srcPosture"]
    );
    assert_eq!(labels(r#"{"grants": [{"src": [], "d|"}]}"#), ["dst"]);
    assert_eq!(
        labels(r#"{"acls": [{"Users": [], |}]}"#),
        ["action", "ports", "proto", "srcPosture"]
    );
    assert!(labels("{|}").contains(&"groups".to_owned()));
    assert!(
        labels(r#"{"acls": [], |"#).contains(&"tests".to_owned()),
        "in a text without an end"
    );
}

#[test]
fn a_key_is_completed_with_the_form_of_its_value() {
    assert_eq!(
        taken(r#"{"acls": [{|}]}"#, "src"),
        r#"{"acls": [{"src": [""],}]}"#
    );
    assert_eq!(
        taken(r#"{"acls": [{"sr|"}]}"#, "src"),
        r#"{"acls": [{"src": [""],}]}"#
    );
    assert_eq!(
        taken(r#"{"acls": [{"|": ["*"]}]}"#, "src"),
        r#"{"acls": [{"src": ["*"]}]}"#
    );
    assert_eq!(
        taken(r#"{"acls": [{"|" /* who */ : ["*"]}]}"#, "src"),
        r#"{"acls": [{"src" /* who */ : ["*"]}]}"#
    );
    assert_eq!(
        taken(
            r#"{sr|, "acls": []}"#.replace("sr", "gr").as_str(),
            "groups"
        ),
        r#"{"groups": {}, "acls": []}"#
    );
    assert_eq!(
        taken(r#"{"groups": {|}}"#, "group:"),
        r#"{"groups": {"group:NAME": [""],}}"#
    );
}

#[test]
fn options_have_keys_and_values_too() {
    assert_eq!(
        labels(r#"{"attrConfig": {"custom:tier": {"type": "string", |}}}"#),
        ["allowSetByNode", "broadcastToPeers"]
    );
    assert_eq!(
        labels(r#"{"attrConfig": {"custom:tier": {"type": "|"}}}"#),
        ["string", "number"]
    );
    assert_eq!(
        taken(r#"{"attrConfig": {"custom:tier": {|}}}"#, "allowSetByNode"),
        r#"{"attrConfig": {"custom:tier": {"allowSetByNode": true,}}}"#
    );
    assert_eq!(
        labels(r#"{"derpMap": {|}}"#),
        ["OmitDefaultRegions", "Regions"]
    );
    assert_eq!(
        labels(r#"{"derpMap": {"Regions": {"900": {"RegionID": 900, |}}}}"#),
        ["RegionCode", "RegionName", "Nodes"]
    );
    let relay = labels(r#"{"derpMap": {"Regions": {"900": {"Nodes": [{"Name": "900a", |}]}}}}"#);
    assert!(relay.contains(&"HostName".to_owned()) && !relay.contains(&"Name".to_owned()));
    assert_eq!(
        labels(r#"{"oneCGNATRoute": "|"}"#),
        ["mac-always", "mac-never"]
    );
    assert_eq!(
        labels(
            r#"{"nodeAttrs": [{"target": ["*"], "app": {"tailscale.com/app-connectors": [{|}]}}]}"#
        ),
        ["name", "connectors", "domains", "routes"]
    );
    let connector = r#"{"tagOwners": {"tag:way": []}, "nodeAttrs": [{"app": {"tailscale.com/app-connectors": [{"connectors": ["|"]}]}}]}"#;
    assert_eq!(labels(connector), ["tag:way"]);
}

#[test]
fn every_key_that_is_offered_says_what_it_is_for() {
    for text in [
        "{|}",
        r#"{"acls": [{|}]}"#,
        r#"{"autoApprovers": {|}}"#,
        r#"{"attrConfig": {"custom:tier": {|}}}"#,
        r#"{"derpMap": {|}}"#,
        r#"{"derpMap": {"Regions": {"900": {|}}}}"#,
        r#"{"derpMap": {"Regions": {"900": {"Nodes": [{|}]}}}}"#,
    ] {
        for item in at(text).2.items {
            let sentence = item.documentation.unwrap_or_default();
            assert!(sentence.ends_with('.'), "{}", item.label);
            let there = text.replace('|', &format!("\"{}\"", item.label));
            let offset = text.find('|').unwrap() + 1;
            let hover = hover(&there, offset, &PolicyContext::default()).expect("a hover");
            assert!(hover.markdown.contains(&sentence), "{}", hover.markdown);
        }
    }
}

const NAMES: &str = r#""groups": {"group:dev": ["ann@example.com"]}, "hosts": {"web": "10.0.0.1"}, "tagOwners": {"tag:db": []},"#;

#[test]
fn the_values_allowed_at_a_place_are_offered() {
    let source = labels(&format!(r#"{{{NAMES} "acls": [{{"src": ["|"]}}]}}"#));
    for name in [
        "group:dev",
        "tag:db",
        "web",
        "ann@example.com",
        "*",
        "autogroup:member",
        "autogroup:danger-all",
    ] {
        assert!(source.contains(&name.to_owned()), "{name}: {source:?}");
    }
    for name in ["autogroup:self", "autogroup:internet"] {
        assert!(!source.contains(&name.to_owned()), "{name} is no source");
    }
    let via = labels(&format!(r#"{{{NAMES} "grants": [{{"via": ["|"]}}]}}"#));
    assert_eq!(via, ["tag:db"]);
    assert_eq!(labels(r#"{"ssh": [{"action": "|"}]}"#), ["accept", "check"]);
    assert_eq!(labels(r#"{"acls": [{"action": |}]}"#), ["accept"]);
    let ports = at(&format!(r#"{{{NAMES} "acls": [{{"dst": ["tag:db:|"]}}]}}"#))
        .2
        .items;
    let ssh = ports
        .iter()
        .find(|item| item.label == "22")
        .expect("a port");
    assert_eq!(ssh.detail.as_deref(), Some("ssh"));
    assert_eq!(
        labels(r#"{"postures": {"posture:x": ["node:os |"]}}"#)[..2],
        ["==", "!="]
    );
    assert!(
        labels(r#"{"postures": {"posture:x": ["node:os == |"]}}"#).contains(&"'macos'".to_owned())
    );
    let operand = labels(&format!(
        r#"{{{NAMES} "ipsets": {{"ipset:x": ["add |"]}}}}"#
    ));
    assert!(operand.contains(&"host:web".to_owned()), "{operand:?}");
    assert_eq!(labels("{} // |"), [""; 0]);
}

#[test]
fn inserted_text_fits_the_text_around_it() {
    let names = |rest: &str| format!("{{{NAMES} {rest}");
    let wanted = names(r#""acls": [{"src": ["group:dev"]}]}"#);
    for text in [
        r#""acls": [{"src": ["|"]}]}"#,
        r#""acls": [{"src": [|]}]}"#,
        r#""acls": [{"src": |}]}"#,
        r#""acls": [{"src": ["gr|"]}]}"#,
        "\"acls\": [{\"src\": [\"gr|]}]}",
    ] {
        assert_eq!(taken(&names(text), "group:dev"), wanted, "{text}");
    }
    assert_eq!(
        taken(&names(r#""acls": [{"dst": ["|"]}]}"#), "tag:db"),
        names(r#""acls": [{"dst": ["tag:db:*"]}]}"#)
    );
    assert_eq!(
        taken(&names(r#""acls": [{"dst": ["ta|:22"]}]}"#), "tag:db"),
        names(r#""acls": [{"dst": ["tag:db:22"]}]}"#)
    );
    assert_eq!(
        taken(&names(r#""acls": [{"dst": ["web:22,|,80"]}]}"#), "443"),
        names(r#""acls": [{"dst": ["web:22,443,80"]}]}"#)
    );
}

#[test]
fn a_missing_comma_is_inserted_too() {
    let text = r#"{"grants": [{"via": ["tag:a" |]}]}"#
        .replace("\"grants\"", "\"tagOwners\": {\"tag:b\": []}, \"grants\"");
    let wanted = text.replace(" |]", " , \"tag:b\"]");
    assert_eq!(taken(&text, "tag:b"), wanted);
}

#[test]
fn a_whole_rule_is_offered_in_a_list_of_rules() {
    assert_eq!(labels(r#"{"acls": [|]}"#), ["rule", "rule for a protocol"]);
    let text = taken(r#"{"grants": |}"#, "grant");
    assert!(hujson::parse(&text).is_ok(), "{text}");
}

/// The strings of a text: start, end, and whether each is the name of a member.
fn strings(value: hujson::Value<'_>, found: &mut Vec<(usize, usize)>) {
    let mut add =
        |value: hujson::Value<'_>| found.push((value.span().start + 1, value.span().end - 1));
    match value.kind() {
        Kind::String => add(value),
        Kind::Object => value.members().for_each(|member| {
            found.push((member.name.span().start + 1, member.name.span().end - 1));
            strings(member.value, found);
        }),
        _ => value.elements().for_each(|element| strings(element, found)),
    }
}

/// The worst position in the list at which a part of the string was offered while it was written; none if it had to be typed.
fn rank(text: &str, (from, to): (usize, usize), context: &PolicyContext) -> Option<usize> {
    let wanted = &text[from..to];
    let (mut written, mut worst) = (String::new(), 0);
    for _ in 0..20 {
        let now = format!("{}{written}{}", &text[..from], &text[to..]);
        let list = complete(&now, from + written.len(), context);
        let mut best: Option<(usize, usize)> = None;
        for (place, item) in list.items.iter().enumerate() {
            let (insert, stop) = filled(item);
            let before = &now[from..list.from];
            let is_whole = format!("{before}{insert}") == wanted;
            let part = &insert[..stop.unwrap_or(insert.len())];
            let part = format!("{before}{part}");
            let length = if is_whole {
                wanted.len()
            } else if wanted.starts_with(&part) {
                part.len()
            } else {
                continue;
            };
            if length > written.len() && best.is_none_or(|(known, _)| known < length) {
                best = Some((length, place));
            }
        }
        match best {
            Some((length, place)) => {
                worst = worst.max(place);
                written = wanted[..length].to_owned();
            }
            None => match wanted[written.len()..].chars().next() {
                Some(c @ (',' | ':' | '-' | ' ')) if !written.is_empty() => written.push(c),
                _ => return None,
            },
        }
        if written == wanted {
            return Some(worst);
        }
    }
    None
}

/// Whether only the blanked string had this value: neither the rest of the document nor the context names it, and its port
/// occurs nowhere else. An address is no name: it is offered where the context knows it or an alias has it.
fn is_new(text: &str, (from, to): (usize, usize), context: &str) -> bool {
    let wanted = &text[from..to];
    let rest = format!("{}|{}|{context}", &text[..from], &text[to..]);
    let is_known = |part: &str| {
        let place = if is_address(part) { context } else { &rest };
        place.contains(&format!("\"{part}\"")) || place.contains(&format!("\"{part}:"))
    };
    let of_ports = |c: char| c.is_ascii_digit() || matches!(c, ',' | '-' | '*');
    match wanted.rsplit_once(':') {
        Some((host, ports)) if !is_address(wanted) && ports.chars().all(of_ports) => {
            !is_known(host) || ports != "*" && !rest.contains(&format!(":{ports}\""))
        }
        // Nobody's address.
        _ if wanted.ends_with('@') => true,
        _ => wanted.bytes().all(|byte| byte.is_ascii_digit()) || !is_known(wanted),
    }
}

/// An address or a prefix, in brackets or without.
fn is_address(part: &str) -> bool {
    let bare = part.trim_start_matches('[').trim_end_matches(']');
    let base = bare.split_once('/').map_or(bare, |(base, _)| base);
    base.parse::<std::net::IpAddr>().is_ok()
}

/// How the strings of texts were offered while they were written.
#[derive(Default)]
struct Offers {
    asked: usize,
    first: usize,
    /// What only the writer knows.
    new: usize,
    /// What makes no sense in its place.
    wrong: usize,
    missing: Vec<String>,
    late: Vec<String>,
}

impl Offers {
    fn ask(&mut self, given: &Given) {
        let (text, context) = (given.text.as_str(), given.context());
        let words = given.tailnet.to_string();
        let Ok(document) = hujson::parse(text) else {
            return;
        };
        let check = check(text, &context);
        let is_doubtful = |from: usize| check.issues.iter().any(|issue| issue.offset + 1 == from);
        let mut places = Vec::new();
        strings(document.root(), &mut places);
        for place in places {
            let (from, to) = place;
            let name = format!("{}: {}", given.name, &text[from..to]);
            let pointer = hujson::pointer::pointer_at(&document, from);
            // Parameters of an application are not part of the language.
            let is_own = pointer
                .split_once("/app/")
                .is_some_and(|(_, rest)| rest.contains('/'));
            // What an ipset may hold is offered from the document alone.
            let words = match pointer.starts_with("/ipsets/") {
                true => "",
                false => &words,
            };
            match rank(text, place, &context).or_else(|| operand_rank(text, place, &context)) {
                None if is_own || is_new(text, place, words) => self.new += 1,
                None if !check.accepted || is_doubtful(from) => self.wrong += 1,
                None => self.missing.push(name),
                Some(rank) => {
                    self.asked += 1;
                    self.first += usize::from(rank < 5);
                    if rank >= 5 {
                        self.late.push(format!("{name} ({rank})"));
                    }
                }
            }
        }
    }

    #[track_caller]
    fn are_complete(&self, least: usize) {
        let Offers {
            asked,
            first,
            new,
            wrong,
            ..
        } = self;
        println!(
            "{asked} offered, {first} of them among the first five; not offered: {new} that only the writer knows, {wrong} that make no sense there"
        );
        let late = self.late.iter().step_by(self.late.len() / 60 + 1);
        println!("late: {:#?}", late.collect::<Vec<_>>());
        let missing = &self.missing;
        let some = &missing[..missing.len().min(60)];
        assert!(missing.is_empty(), "{} missing: {some:#?}", missing.len());
        assert!(*asked >= least, "{asked} asked");
    }
}

/// An operand of an ipset may stand alone; it is offered with the operator that it then has.
fn operand_rank(text: &str, (from, to): (usize, usize), context: &PolicyContext) -> Option<usize> {
    let written = format!("{}add {}", &text[..from], &text[from..]);
    rank(&written, (from, to + "add ".len()), context)
}

#[test]
fn a_removed_name_is_offered_in_its_place() {
    let mut offers = Offers::default();
    documents().iter().for_each(|given| offers.ask(given));
    offers.are_complete(700);
    let Offers { asked, first, .. } = offers;
    assert!(first * 10 >= asked * 9, "{first} of {asked}");
}

/// Random rules name anybody, so no name is likelier than others; but each is offered.
#[test]
fn a_name_removed_from_a_random_policy_is_offered_in_its_place() {
    let mut offers = Offers::default();
    let count = if asks_all() { 400 } else { 30 };
    random(count).for_each(|given| offers.ask(&given));
    offers.are_complete(2_000);
}

/// A list of completions began and ended before the place that was asked about.
#[test]
fn behind_a_word_that_is_no_document_the_list_is_there() {
    let list = complete("acls:", 5, &PolicyContext::default());
    assert_eq!((list.from, list.to), (5, 5));
}
