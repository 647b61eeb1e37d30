//! Prefixes as text: the verdicts of Go's netip, canonical forms, the stricter check with its
//! suggestions. Must not live here: sets, routes, DNS names (see `cidr_sets.rs`, `cidr_names.rs`).
#![cfg(not(target_arch = "wasm32"))]

use tailnet_kit::cidr::{Options, Prefix, check};

/// Made by `tests/cidr/verdicts.go`, that is by Go itself.
const VERDICTS: &str = include_str!("cidr/verdicts.txt");

/// The texts of the table with Go's reading: as printed and masked, or nothing where refused.
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
