//! The blanking scan against the full parser: with a strict JSON parser for the text that the scan
//! leaves, both must accept exactly the same texts. Must not live here: single faults (`parse`).

use crate::texts::{self, Extra, meaning};
use proptest::prelude::*;
use serde::de::IgnoredAny;
use tailnet_kit::hujson::{self, Blanked, MAX_DEPTH};

/// Blanks the text and lets serde_json check the rest.
fn accepted_by_scan(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let outcome = hujson::blank(&mut bytes);
    let changed = bytes != text.as_bytes();
    if outcome == Blanked::Refused {
        assert!(!changed && rest(text).is_none(), "{text:?}");
        return None;
    }
    assert_eq!(changed, outcome == Blanked::Something, "{text:?}");
    assert_eq!(bytes.len(), text.len());
    let blanked = String::from_utf8(bytes).expect("whole characters are blanked");
    let judged = is_json(&blanked);
    assert_eq!(
        judged,
        rest(text).is_some_and(|rest| is_json(&rest)),
        "{text:?}"
    );
    judged.then_some(blanked)
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The text without the cuts.
fn rest(text: &str) -> Option<String> {
    let cuts = hujson::cuts(text.as_bytes())?;
    let (mut rest, mut from) = (String::new(), 0);
    for cut in cuts.chunks(2) {
        assert!(from <= cut[0] && cut[0] < cut[1], "{text:?}: {cuts:?}");
        rest.push_str(&text[from as usize..cut[0] as usize]);
        from = cut[1];
    }
    rest.push_str(&text[from as usize..]);
    let mut bytes = text.as_bytes().to_vec();
    let length = hujson::squeeze(&mut bytes).expect("no other verdict than that of the cuts");
    assert_eq!(&bytes[..length], rest.as_bytes(), "{text:?}");
    Some(rest)
}

#[track_caller]
fn agree(text: &str) {
    let parsed = hujson::parse(text);
    let scanned = accepted_by_scan(text);
    assert_eq!(
        parsed.is_ok(),
        scanned.is_some(),
        "{text:?}: {:?}",
        parsed.err()
    );
    assert_eq!(parsed.err(), hujson::check(text).err(), "{text:?}");
}

#[test]
fn commas_that_are_not_trailing_stay_for_the_strict_parser() {
    for text in [
        "[,]",
        "{,}",
        "[1,,]",
        "[1, ,]",
        "[1,/**/,]",
        "[/**/,/**/]",
        ",",
        ",]",
        "1,",
        "[1],",
        "{\"a\":,}",
        "{\"a\",}",
        "[1,}",
        "{\"a\":1,]",
        "[1,]",
        "[1,]]",
        "[[],]",
        "[[1,],]",
        "[1,//\n]",
        "[1,//]\n]",
        "[1,//]",
        "[\",]\"]",
        "[\"//\",]",
        "[\"/*\"]",
        "[1/]",
        "[1/ /]",
        "/",
        "1/",
        "1//",
        "1/*",
        "1/*/",
        "1/**/",
        "\"",
        "\"\\",
        "[\"\\\",]\"]",
        "[1,\u{b}]",
        "[1,\u{0}]",
        "1/**/2",
        "[1/**/2]",
        "[1/**/ //\n2]",
        "[1 /**/ /**/2]",
        "[1/**//**/ 2]",
        "[tru/**/e]",
        "[1/**/,/**/]",
        "[1,\u{b}/**/]",
        "[1,/**/\u{b}]",
        "[1\u{b}/**/,]",
        "",
        " ",
        "//\n",
        "\u{feff}1",
        "\"\\ud800\"",
        "\"\u{2028}\"",
        "[1,/*\u{1F600}*/]",
        "+1",
        "01",
        "1.",
        "NaN",
        "'a'",
        "{a:1}",
        "[\"a\tb\"]",
        "[1,\"]\"]",
        "\\\"a\"",
        "[\\,]",
    ] {
        for shift in 0..70 {
            agree(&format!("{}{text}", " ".repeat(shift)));
            agree(&format!(
                "[{}{text}{}]",
                " ".repeat(shift),
                " ".repeat(shift)
            ));
        }
    }
}

#[test]
fn depth_is_limited_in_both() {
    for depth in [1, MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, 600, 100_000] {
        agree(&("[".repeat(depth) + &"]".repeat(depth)));
        agree(&("[ ".repeat(depth) + &"], ".repeat(depth)));
        agree(&("{\"a\":".repeat(depth) + "1" + &"}".repeat(depth)));
    }
    let wide = "[],".repeat(2_000);
    agree(&format!("[{wide}]"));
    agree(&format!(
        "{}{wide}{}",
        "[".repeat(MAX_DEPTH - 1),
        "]".repeat(MAX_DEPTH - 1)
    ));
    agree(&format!(
        "{}{wide}{}",
        "[".repeat(MAX_DEPTH),
        "]".repeat(MAX_DEPTH)
    ));
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"a\"",
    "\"\"",
    "\"a\":1",
    "1",
    "-0.5e3",
    "null",
    "true",
    " ",
    "\n",
    "\r",
    "\t",
    "//",
    "// x, ] \" \n",
    "/*",
    "*/",
    "/* \" , */",
    "/**/",
    "/",
    "*",
    "\\",
    "\"",
    "\\\"",
    "\"\\\\\"",
    "\"//\"",
    "\"/*\"",
    "\u{e9}",
    "\"\u{1F600}\"",
    "/*\u{1F600}*/",
    "\u{b}",
    "a",
    "                                                                ",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn soup_of_pieces(text in soup()) {
        agree(&text);
    }

    #[test]
    fn documents(text in texts::text(Extra::Comments)) {
        let blanked = accepted_by_scan(&text).expect("HuJSON");
        prop_assert_eq!(meaning(&blanked), meaning(&text));
        prop_assert_eq!(meaning(&rest(&text).expect("HuJSON")), meaning(&text));
        agree(&text);
    }

    #[test]
    fn json_is_left_alone(text in texts::text(Extra::Space)) {
        prop_assert_eq!(hujson::blank(&mut text.as_bytes().to_vec()), Blanked::Nothing);
    }

    /// A document with pieces put in, or bytes taken out, at some places.
    #[test]
    fn mutated_documents(
        text in texts::text(Extra::Comments),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(PIECES), 0..4_usize), 1..4),
    ) {
        let mut characters: Vec<char> = text.chars().collect();
        for (place, piece, removed) in changes {
            let at = place.index(characters.len() + 1);
            let end = (at + removed).min(characters.len());
            characters.splice(at..end, piece.chars().take(if removed == 3 { 0 } else { 3 }));
        }
        agree(&String::from_iter(characters));
    }
}
