//! Routes of a device, nameserver entries, search paths. Must not live here: prefixes as text, sets.

use proptest::prelude::*;
use tailnet_kit::cidr::names::{Finding, Severity, check_nameserver, check_search_path};
use tailnet_kit::cidr::{ExitNode, Prefix, Summary, summarize};

fn prefixes(texts: &[&str]) -> Vec<Prefix> {
    texts
        .iter()
        .map(|text| Prefix::parse(text).expect("a prefix"))
        .collect()
}

fn summary(advertised: &[&str], enabled: &[&str]) -> Summary {
    summarize(&prefixes(advertised), &prefixes(enabled))
}

#[test]
fn routes_are_sorted_by_state_and_order() {
    let summary = summary(
        &["fd7a::/48", "192.168.0.0/16", "10.0.0.0/8", "10.0.0.0/8"],
        &["172.16.0.0/12", "10.1.2.3/8", "fd7a::/48"],
    );
    assert_eq!(summary.active, prefixes(&["10.0.0.0/8", "fd7a::/48"]));
    assert_eq!(summary.pending, prefixes(&["192.168.0.0/16"]));
    assert_eq!(summary.enabled_only, prefixes(&["172.16.0.0/12"]));
    assert_eq!(summary.exit_node, ExitNode::No);
    assert_eq!(summary.overlaps, []);
}

#[test]
fn an_exit_node_needs_both_default_routes_active() {
    let both = &["0.0.0.0/0", "::/0"];
    assert_eq!(summary(both, both).exit_node, ExitNode::Yes);
    assert_eq!(summary(both, &["0.0.0.0/0"]).exit_node, ExitNode::Half);
    assert_eq!(summary(&["::/0"], both).exit_node, ExitNode::Half);
    assert_eq!(summary(both, &[]).exit_node, ExitNode::No);
    assert_eq!(summary(&["0.0.0.0/0"], &["::/0"]).exit_node, ExitNode::No);
    assert_eq!(summary(&[], &[]).exit_node, ExitNode::No);
}

#[test]
fn overlaps_name_each_pair_once_wider_first() {
    let summary = summary(
        &["10.1.0.0/16", "10.0.0.0/8", "10.1.2.0/24", "::/0"],
        &["10.2.0.0/16", "10.0.0.0/8"],
    );
    let pairs: Vec<String> = summary
        .overlaps
        .iter()
        .map(|(wider, narrower)| format!("{wider} {narrower}"))
        .collect();
    assert_eq!(
        pairs,
        [
            "10.0.0.0/8 10.1.0.0/16",
            "10.0.0.0/8 10.1.2.0/24",
            "10.0.0.0/8 10.2.0.0/16",
            "10.1.0.0/16 10.1.2.0/24",
        ]
    );
}

#[test]
fn a_summary_is_the_object_of_the_contract() {
    let json = serde_json::to_string(&summary(&["::/0"], &["::/0", "fd7a::/48"])).expect("json");
    let expected = r#"{"active":["::/0"],"pending":[],"enabledOnly":["fd7a::/48"],"exitNode":"half","overlaps":[["::/0","fd7a::/48"]]}"#;
    assert_eq!(json, expected);
}

#[track_caller]
fn nameserver(text: &str, code: &str, severity: Severity, hint: &str) {
    let finding = check_nameserver(text).expect(text);
    assert_eq!((finding.code, finding.severity), (code, severity), "{text}");
    assert_eq!(finding.place, 0..text.len());
    assert!(finding.hint.unwrap_or_default().contains(hint), "{text}");
}

#[test]
fn plain_addresses_are_nameservers() {
    for text in [
        "1.1.1.1",
        "10.0.0.53",
        "192.168.1.1",
        "2606:4700::1111",
        "FD00::53",
    ] {
        assert_eq!(check_nameserver(text), None, "{text}");
    }
}

#[test]
fn a_nameserver_that_is_not_an_address_is_named_for_what_it_is() {
    use Severity::Error;
    nameserver("", "empty", Error, "");
    nameserver(" \t", "empty", Error, "");
    nameserver(" 1.1.1.1", "blank", Error, "write `1.1.1.1`");
    nameserver(
        "https://dns.example/dns-query",
        "url",
        Error,
        "DNS over HTTPS",
    );
    nameserver("tls://1.1.1.1", "url", Error, "IP address");
    nameserver("1.1.1.1, 8.8.8.8", "several", Error, "entry of its own");
    nameserver("1.1.1.1 8.8.8.8", "several", Error, "entry of its own");
    nameserver("1.1.1.1/32", "prefix", Error, "write `1.1.1.1`");
    nameserver("1.1.1.1:53", "port", Error, "write `1.1.1.1`");
    nameserver("[2001:DB8::1]:53", "port", Error, "write `2001:db8::1`");
    nameserver("[::1]", "port", Error, "write `::1`");
    nameserver(
        "dns.google",
        "host_name",
        Error,
        "address that the name stands for",
    );
    nameserver("localhost", "host_name", Error, "");
    nameserver("1.1.1", "bad_address", Error, "");
    nameserver("1.1.1.256", "bad_address", Error, "");
    nameserver("08.8.8.8", "leading_zero", Error, "without zeros");
    nameserver("fe80::1%eth0", "zone", Error, "every device");
}

#[test]
fn addresses_that_cannot_be_a_server_are_reported() {
    use Severity::{Error, Warning};
    nameserver("0.0.0.0", "unspecified", Error, "one DNS server");
    nameserver("::", "unspecified", Error, "one DNS server");
    nameserver("224.0.0.251", "multicast", Error, "one DNS server");
    nameserver("ff02::fb", "multicast", Error, "one DNS server");
    nameserver("255.255.255.255", "broadcast", Error, "one DNS server");
    nameserver("127.0.0.53", "loopback", Warning, "every device");
    nameserver("::1", "loopback", Warning, "every device");
    nameserver("169.254.1.1", "link_local", Warning, "every device");
    nameserver("fe80::1", "link_local", Warning, "every device");
    nameserver("::ffff:1.1.1.1", "ipv4_mapped", Warning, "write `1.1.1.1`");
    nameserver(
        "100.100.100.100",
        "own_resolver",
        Warning,
        "outside the tailnet",
    );
    nameserver(
        "fd7a:115c:a1e0::53",
        "own_resolver",
        Warning,
        "outside the tailnet",
    );
}

/// The codes with the marked parts of the text.
fn marked(text: &str) -> Vec<(&'static str, &str)> {
    let part = |finding: &Finding| text.get(finding.place.clone()).expect("a part of the text");
    let findings = check_search_path(text);
    findings
        .iter()
        .map(|finding| (finding.code, part(finding)))
        .collect()
}

#[test]
fn domain_names_are_search_paths() {
    let longest = [
        "a".repeat(63),
        "b".repeat(63),
        "c".repeat(63),
        "d".repeat(61),
    ]
    .join(".");
    assert_eq!(longest.len(), 253);
    for text in [
        "example.com",
        "example.com.",
        "corp",
        "Corp.Example.COM",
        "10.in-addr.arpa",
        "xn--exmple-cua.com",
        "a-b.c--d.e1",
        "3com.com",
        &longest,
        &format!("{longest}."),
    ] {
        assert_eq!(marked(text), [], "{text}");
    }
}

#[test]
fn a_search_path_that_is_not_a_domain_name_is_named_for_what_it_is() {
    assert_eq!(marked(""), [("empty", "")]);
    assert_eq!(marked(" corp.example"), [("blank", " corp.example")]);
    assert_eq!(
        marked("https://corp.example/x"),
        [("url", "https://corp.example/x")]
    );
    assert_eq!(marked("10.0.0.1"), [("address", "10.0.0.1")]);
    assert_eq!(marked("fd00::1"), [("address", "fd00::1")]);
    assert_eq!(marked("10.0.0.0/8"), [("prefix", "10.0.0.0/8")]);
    let hint = |text| {
        check_search_path(text)
            .swap_remove(0)
            .hint
            .unwrap_or_default()
    };
    assert_eq!(hint("https://corp.example:80/x"), "write `corp.example`");
    assert_eq!(hint(" corp.example"), "write `corp.example`");
}

#[test]
fn each_faulty_label_is_marked_at_its_place() {
    let long = "x".repeat(64);
    assert_eq!(marked("*.example.com"), [("wildcard", "*")]);
    assert_eq!(marked(".example.com"), [("empty_label", "")]);
    assert_eq!(marked("example..com"), [("empty_label", "")]);
    assert_eq!(marked("example.com.."), [("empty_label", "")]);
    assert_eq!(marked("."), [("empty_label", ""), ("empty_label", "")]);
    assert_eq!(marked("-a.b-.com"), [("hyphen", "-a"), ("hyphen", "b-")]);
    assert_eq!(marked("a.exämple.com"), [("not_ascii", "ä")]);
    assert_eq!(marked("a b.com"), [("bad_character", " ")]);
    assert_eq!(marked("example.com/x"), [("bad_character", "/")]);
    assert_eq!(marked("example.com:53"), [("bad_character", ":")]);
    assert_eq!(
        marked("_tcp.a_b.com"),
        [("underscore", "_"), ("underscore", "_")]
    );
    assert_eq!(
        marked(&format!("{long}.com")),
        [("long_label", long.as_str())]
    );
    assert_eq!(marked("example.123"), [("numeric_top", "123")]);
    assert_eq!(marked("office.local"), [("local_domain", "local")]);
    let name = vec!["x".repeat(50); 5].join(".");
    assert_eq!(marked(&name), [("long_name", name.as_str())]);
}

#[test]
fn an_entry_that_may_work_is_a_warning() {
    for text in ["a_b.com", "office.local"] {
        let severities = check_search_path(text)
            .into_iter()
            .map(|finding| finding.severity);
        assert_eq!(
            severities.collect::<Vec<_>>(),
            [Severity::Warning],
            "{text}"
        );
    }
}

proptest! {
    #[test]
    fn every_finding_marks_a_part_of_the_text(text in prop_oneof![any::<String>(), "[a-z0-9._*é/:-]{0,20}"]) {
        let findings = check_search_path(&text).into_iter().chain(check_nameserver(&text));
        for finding in findings {
            prop_assert!(text.get(finding.place).is_some());
            prop_assert!(!finding.message.contains(char::is_control));
        }
    }
}
