//! Prefixes as text: the verdicts of Go's netip, canonical forms, the stricter check with its
//! suggestions. Must not live here: sets, routes, DNS names (see `set.rs`, `names.rs`).

use std::net::IpAddr;

use proptest::prelude::*;
use tailnet_kit::cidr::{
    Address, BareAddress, HostBits, Ipv4Mapped, Options, Prefix, Range, check, check_spelling,
};

/// Made by `tests/cidr/verdicts.go`, so by Go itself.
const VERDICTS: &str = include_str!("verdicts.txt");

/// The texts of the table with Go's result: the prefix as printed and as masked, or nothing where Go refuses it.
fn verdicts() -> Vec<(String, Option<(&'static str, &'static str)>)> {
    let rows = VERDICTS.lines().filter(|line| line.starts_with('"'));
    rows.map(|line| {
        let mut columns = line.split('\t');
        let text = columns.next().expect("a row has a text");
        let text = text.replace("\\x00", "\\u0000");
        let text = serde_json::from_str(&text).expect("the text is quoted");
        (text, columns.next().zip(columns.next()))
    })
    .collect()
}

#[test]
fn every_text_of_the_table_is_judged_and_printed_as_go_does() {
    let verdicts = verdicts();
    assert!(verdicts.len() >= 250, "{} texts", verdicts.len());
    for (text, go) in verdicts {
        let ours = Prefix::parse(&text).ok();
        let ours = ours.map(|prefix| (prefix.to_string(), prefix.masked().to_string()));
        let go = go.map(|(printed, masked)| (printed.to_owned(), masked.to_owned()));
        assert_eq!(ours, go, "{text:?}");
    }
}

#[test]
fn check_accepts_only_what_go_accepts() {
    for (text, go) in verdicts() {
        match (check(&text, Options::default()), go) {
            (Ok(prefix), Some((printed, _))) => assert_eq!(prefix.to_string(), printed),
            (Ok(prefix), None) => panic!("{text:?} passed as {prefix}"),
            (Err(error), Some((printed, masked))) => assert!(
                printed != masked || printed.starts_with("::ffff:"),
                "{text:?}: {error}"
            ),
            (Err(_), None) => {}
        }
    }
}

fn options(text: &str) -> Options {
    serde_json::from_str(text).expect("options as JavaScript gives them")
}

#[track_caller]
fn accepted(text: &str, json: &str, canonical: &str) {
    let prefix = check(text, options(json)).map(|prefix| prefix.to_string());
    assert_eq!(prefix.as_deref(), Ok(canonical), "{text} {json}");
}

#[track_caller]
fn refused(text: &str, json: &str, code: &str, suggestion: Option<&str>) {
    let error = check(text, options(json)).expect_err(text);
    assert_eq!((error.code(), error.suggestion()), (code, suggestion));
    let message = error.to_string();
    assert!(
        message.starts_with('`') && !message.ends_with('.'),
        "{message}"
    );
    assert!(!message.contains(char::is_control), "{message}");
    assert!(suggestion.is_none_or(|suggestion| message.contains(suggestion)));
}

#[test]
fn host_bits_are_refused_with_the_masked_prefix_or_masked() {
    refused("10.1.2.3/8", "{}", "host_bits", Some("10.0.0.0/8"));
    refused("1.2.3.4/0", "{}", "host_bits", Some("0.0.0.0/0"));
    refused("2001:DB8::1/32", "{}", "host_bits", Some("2001:db8::/32"));
    accepted("10.1.2.3/8", r#"{"hostBits":"mask"}"#, "10.0.0.0/8");
    accepted("::1/0", r#"{"hostBits":"mask"}"#, "::/0");
}

#[test]
fn a_bare_address_is_refused_with_its_host_prefix_or_read_as_that_prefix() {
    refused("10.1.2.3", "{}", "bare_address", Some("10.1.2.3/32"));
    refused("FD7A::1", "{}", "bare_address", Some("fd7a::1/128"));
    refused("::ffff:1.2.3.4", "{}", "bare_address", Some("1.2.3.4/32"));
    let host = r#"{"bareAddress":"host"}"#;
    accepted("10.1.2.3", host, "10.1.2.3/32");
    accepted("::1", host, "::1/128");
    refused("::ffff:1.2.3.4", host, "ipv4_mapped", Some("1.2.3.4/32"));
    refused("fe80::1%eth0", host, "zone", None);
}

#[test]
fn a_mapped_prefix_is_refused_unwrapped_or_kept() {
    refused(
        "::ffff:10.0.0.0/104",
        "{}",
        "ipv4_mapped",
        Some("10.0.0.0/8"),
    );
    refused(
        "::ffff:10.1.2.3/104",
        "{}",
        "ipv4_mapped",
        Some("10.0.0.0/8"),
    );
    refused("::ffff:0:0/96", "{}", "ipv4_mapped", Some("0.0.0.0/0"));
    refused("::ffff:1.2.3.4/95", "{}", "ipv4_mapped", None);
    let unwrap = r#"{"ipv4Mapped":"unwrap"}"#;
    accepted("::ffff:10.0.0.0/104", unwrap, "10.0.0.0/8");
    accepted("::ffff:a00:0/104", unwrap, "10.0.0.0/8");
    accepted("::ffff:0:0/96", unwrap, "0.0.0.0/0");
    refused(
        "::ffff:10.1.0.0/104",
        unwrap,
        "host_bits",
        Some("10.0.0.0/8"),
    );
    refused("::ffff:1.2.3.4", unwrap, "bare_address", Some("1.2.3.4/32"));
    refused("::ffff:1.2.3.4/95", unwrap, "ipv4_mapped", None);
    let unwrap_masked = r#"{"ipv4Mapped":"unwrap","hostBits":"mask"}"#;
    accepted("::ffff:10.1.0.0/104", unwrap_masked, "10.0.0.0/8");
    refused("::ffff:10.1.0.0/64", unwrap_masked, "ipv4_mapped", None);
    let keep = r#"{"ipv4Mapped":"keep"}"#;
    accepted("::ffff:10.0.0.0/104", keep, "::ffff:10.0.0.0/104");
    refused("::ffff:1.2.3.4/64", keep, "host_bits", Some("::/64"));
    accepted("::1.2.3.4/128", "{}", "::102:304/128");
    accepted("64:ff9b::/96", "{}", "64:ff9b::/96");
}

#[test]
fn each_text_that_is_not_a_prefix_has_a_code() {
    for (text, code) in [
        ("", "bad_address"),
        ("example.com", "bad_address"),
        ("10.0.0/8", "bad_address"),
        ("1:2:3:4:5:6:7::8/64", "bad_address"),
        ("01.2.3.4/8", "leading_zero"),
        ("10.0.0.0/08", "leading_zero"),
        ("10.0.0.0/+8", "bad_prefix_length"),
        ("fe80::1%eth0/64", "zone"),
        ("10.0.0.0/", "bad_prefix_length"),
        ("10.0.0.0/33", "bad_prefix_length"),
        ("::/129", "bad_prefix_length"),
        ("10.0.0.0/x", "bad_prefix_length"),
        ("10.0.0.0/255.0.255.0", "bad_prefix_length"),
        ("10.0.0.0\u{7}\n/8", "bad_address"),
    ] {
        refused(text, "{}", code, None);
    }
}

#[test]
fn blanks_around_and_a_mask_for_a_length_are_corrected() {
    refused(" 10.0.0.0/8\n", "{}", "bad_address", Some("10.0.0.0/8"));
    refused("10.1.2.3 ", "{}", "bad_address", Some("10.1.2.3/32"));
    refused(" nothing ", "{}", "bad_address", None);
    refused(
        "10.1.0.0/255.0.0.0",
        "{}",
        "bad_prefix_length",
        Some("10.0.0.0/8"),
    );
    refused(
        "0.0.0.0/0.0.0.0",
        "{}",
        "bad_prefix_length",
        Some("0.0.0.0/0"),
    );
    refused("::/255.0.0.0", "{}", "bad_prefix_length", None);
}

#[test]
fn a_long_text_is_clipped_in_the_message() {
    let error = check(&"é".repeat(5000), Options::default()).expect_err("no prefix");
    assert!(error.to_string().chars().count() < 150, "{error}");
}

#[test]
fn ranges_have_two_ends_of_a_family_in_order() {
    let code = |text| Range::parse(text).map_err(|error| error.code());
    let range = Range::parse("10.0.0.1-10.0.0.9").expect("a range");
    assert_eq!(range.to_string(), "10.0.0.1-10.0.0.9");
    assert_eq!(code("10.0.0.9-10.0.0.1"), Err("bad_range"));
    assert_eq!(code("10.0.0.1-::1"), Err("bad_range"));
    assert_eq!(code("10.0.0.1"), Err("bad_range"));
    assert_eq!(code("10.0.0.1-x"), Err("bad_address"));
    assert_eq!(code("10.0.0.1-10.0.0.02"), Err("leading_zero"));
    let prefix = |text| Range::parse(text).expect("a range").as_prefix();
    assert_eq!(
        prefix("10.0.0.0-10.0.0.255"),
        Prefix::parse("10.0.0.0/24").ok()
    );
    assert_eq!(prefix("::-::"), Prefix::parse("::/128").ok());
    assert_eq!(prefix("10.0.0.1-10.0.0.2"), None);
    assert_eq!(prefix("10.0.0.0-10.0.0.2"), None);
}

/// Texts similar to prefixes: characters of prefixes in any order, and valid prefixes with one change.
fn near_prefixes() -> impl Strategy<Value = String> {
    let written =
        (any::<IpAddr>(), 0..140u8).prop_map(|(address, bits)| format!("{address}/{bits}"));
    let changed = (written, "[0-9a-fA-F.:/% +]?", 0..50usize, 0..2usize).prop_map(
        |(mut text, piece, at, removed)| {
            let start = at.min(text.len());
            let end = (start + removed).min(text.len());
            text.replace_range(start..end, &piece);
            text
        },
    );
    let few_groups = "(::)?([0-9a-f]{0,5}:{1,2}){0,8}([0-9a-f]{1,4}|1\\.2\\.3\\.4)?/[0-9]{1,3}";
    prop_oneof![
        changed,
        "[0-9a-fA-F.:/%+ -]{0,24}",
        few_groups,
        any::<String>()
    ]
}

/// Every combination of options.
fn all_options() -> impl Iterator<Item = Options> {
    let combine = |host_bits| {
        [BareAddress::Error, BareAddress::Host]
            .into_iter()
            .flat_map(move |bare_address| {
                [Ipv4Mapped::Error, Ipv4Mapped::Unwrap, Ipv4Mapped::Keep].map(|ipv4_mapped| {
                    Options {
                        host_bits,
                        bare_address,
                        ipv4_mapped,
                    }
                })
            })
    };
    [HostBits::Error, HostBits::Mask]
        .into_iter()
        .flat_map(combine)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// The standard library's parser of addresses is an independent oracle: where there is no zone
    /// it and Go agree (no leading zeros in an octet, a `::` for at least one group).
    #[test]
    fn addresses_are_those_of_the_standard_library(text in near_prefixes()) {
        let address = text.rsplit_once('/').map_or(text.as_str(), |(address, _)| address);
        let ours = Address::parse(address).ok();
        let theirs = address.parse::<IpAddr>().ok().map(Address::from);
        prop_assert_eq!(ours, theirs, "{}", address);
    }

    #[test]
    fn canonical_text_is_that_of_the_standard_library_and_reads_back(address: IpAddr) {
        let ours = Address::from(address);
        prop_assert_eq!(ours.to_string(), address.to_string());
        prop_assert_eq!(Address::parse(&ours.to_string()), Ok(ours));
    }

    #[test]
    fn sparse_addresses_print_as_the_standard_library_does(groups in prop::array::uniform8(
        prop_oneof![3 => Just(0u16), 1 => Just(0xffff), 1 => any::<u16>()]
    )) {
        let address = IpAddr::from(groups);
        prop_assert_eq!(Address::from(address).to_string(), address.to_string());
    }

    #[test]
    fn normalising_is_idempotent_and_suggestions_pass(text in near_prefixes()) {
        for options in all_options() {
            match check(&text, options) {
                Ok(prefix) => {
                    let canonical = prefix.to_string();
                    prop_assert!(!prefix.has_host_bits());
                    prop_assert_eq!(check(&canonical, options), Ok(prefix));
                    prop_assert_eq!(check_spelling(&text, options), Ok((prefix, text == canonical)));
                    prop_assert_eq!(check_spelling(&canonical, options), Ok((prefix, true)));
                    prop_assert_eq!(Prefix::parse(&canonical), Ok(prefix));
                }
                Err(error) => {
                    prop_assert!(!error.to_string().contains(char::is_control));
                    if let Some(suggestion) = error.suggestion() {
                        let passed = check(suggestion, options).map(|prefix| prefix.to_string());
                        prop_assert_eq!(passed.as_deref(), Ok(suggestion));
                    }
                }
            }
        }
    }
}
