//! The import of JSON5: its result, where a text is refused, and that the json5 crate reads the same.
//! Must not live here: texts that are HuJSON already.

use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value as Json;
use tailnet_kit::hujson::{self, from_json5, minimize};

use crate::texts::{self, Extra, meaning};

#[test]
fn it_becomes_hujson() {
    for (text, want) in [
        ("{a: 1}", "{\"a\": 1}\n"),
        (
            "{$_\\u0061: 'it\\'s \"x\"', 'b\"': \"\\x41\\\n\\v\"}",
            "{\"$_a\": \"it's \\\"x\\\"\", \"b\\\"\": \"A\\u000b\"}\n",
        ),
        (
            "[0xFF, -0x10, +1, .5, 5., 5.e3, -.5E-2, 1e400, 1.10, 123456789012345678901234567890]",
            "[255, -16, 1, 0.5, 5, 5e3, -0.5E-2, 1e400, 1.10, 123456789012345678901234567890]\n",
        ),
        (
            "\u{feff}[\u{a0}null,\u{2028}true,\u{b}'\u{2028}',]",
            "[\n\tnull,\n\ttrue, \"\u{2028}\",\n]\n",
        ),
        (
            "{null: null, Infinity: 1, NaN: [true]}",
            "{\"null\": null, \"Infinity\": 1, \"NaN\": [true]}\n",
        ),
        (
            "// top\n{/* in */ a: 1, // behind\n} // end",
            "// top\n{ /* in */\n\t\"a\": 1, // behind\n} // end\n",
        ),
        ("{a: 1, a: 2, b: {}}", "{\"a\": 1, \"a\": 2, \"b\": {}}\n"),
    ] {
        let got = from_json5(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(minimize(&got), minimize(want), "{text:?}");
        assert_eq!(got, hujson::format(&got).expect("HuJSON"), "{text:?}");
    }
}

#[test]
fn faults_have_places() {
    for (text, line, column, reason) in [
        ("[1,\n  NaN]", 2, 3, "invalid literal: NaN"),
        ("{a: -Infinity}", 1, 5, "invalid literal: -Infinity"),
        ("{a 1}", 1, 4, "expected colon"),
        ("[\u{e9}]", 1, 2, "expected value"),
        ("[1", 1, 3, "EOF parsing array"),
        ("[\r\n'\u{1F600}', 01]", 2, 9, "leading zero"),
        ("[\n\n01]", 3, 1, "leading zero"),
        ("[\n\r\n\n01]", 4, 1, "leading zero"),
        ("1 2", 1, 3, "trailing characters"),
    ] {
        let error = from_json5(text).expect_err(text);
        assert_eq!(
            error.to_string(),
            format!("hujson: line {line}, column {column}: {reason}"),
            "{text:?}"
        );
    }
    for open in ["[", "{a:", "['", "/*", "[//\n"] {
        let error = from_json5(&open.repeat(100_000)).expect_err("not closed");
        assert_eq!(error.code(), "hujson_syntax");
    }
}

#[test]
fn a_stray_surrogate_is_the_fault() {
    for (text, offset, want) in [
        (
            "{a: 'x\u{fffd}'}",
            6,
            "line 1, column 7: invalid UTF-8 in string",
        ),
        (
            "{a: 1}\n // \u{fffd}",
            11,
            "line 2, column 2: invalid UTF-8 in comment",
        ),
        (
            "{a\u{fffd}: 1}",
            2,
            "line 1, column 3: invalid character '\\xed' at start of value",
        ),
        (
            "{a: 1}\u{fffd}",
            6,
            "line 1, column 7: invalid character '\\xed' at start of value",
        ),
    ] {
        let error = hujson::refuse_surrogate_in_json5(text, offset);
        assert_eq!(error.to_string(), format!("hujson: {want}"), "{text:?}");
        assert_eq!(error.hint(), Some("half of a surrogate pair: remove it"));
    }
}

#[test]
fn line_breaks_stay_as_they_are() {
    for (text, want) in [
        (
            "{\n// about a\na: 1, // one\n// about b\nb: 2}",
            "{\n\t// about a\n\t\"a\": 1, // one\n\t// about b\n\t\"b\": 2,\n}\n",
        ),
        (
            "// top\r\n{\r\n  a: 1,\r\n\r\n  b: 2, // two\r\n}\r\n",
            "// top\n{\n\t\"a\": 1,\n\n\t\"b\": 2, // two\n}\n",
        ),
        ("[\r'a',\r'b'] // end", "[\n\t\"a\",\n\t\"b\",\n] // end\n"),
    ] {
        assert_eq!(from_json5(text).as_deref(), Ok(want), "{text:?}");
    }
}

#[test]
fn hujson_is_only_formatted() {
    for text in [
        "[1,\n\r2]",
        "[\"\\ud800\", // one\r\n1]",
        "{\"a\": 1.0 /* x\r */}",
    ] {
        assert_eq!(from_json5(text), hujson::format(text), "{text:?}");
    }
}

/// HuJSON ends a line comment at a line feed, JSON5 at other line ends too.
#[test]
fn a_comment_ends_where_json5_ends_it() {
    for end in ["\r", "\u{2028}", "\u{2029}"] {
        let text = format!("[// one{end}1, // two\n2]");
        let imported = from_json5(&text).expect("JSON5");
        assert_eq!(minimize(&imported).as_deref(), Ok("[1,2]"), "{text:?}");
        let text = format!("[// one{end}NaN, // two\n2]");
        let error = from_json5(&text).expect_err("NaN");
        assert_eq!(error.reason(), "invalid literal: NaN", "{text:?}");
        // The text that JSON5 refuses is still HuJSON.
        let text = format!("[// one{end}%\n2]");
        assert_eq!(from_json5(&text), hujson::format(&text), "{text:?}");
    }
}

/// Marks the comments of generated texts, and nothing else in them.
const MARK: char = '\u{a7}';

fn gap() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        4 => Just(""),
        1 => prop::sample::select(vec![
            " ", "\n", "\r\n", "\t", "\u{b}", "\u{c}", "\u{a0}", "\u{feff}", "\u{2028}", "\u{3000}",
            "// \u{a7}\n", "//\u{a7}\r", "// \u{a7}\u{2029}", "/* \u{a7}\n */", "/*\u{a7}*/",
        ]),
    ]
}

/// Values as people paste them; most of them use a form that HuJSON does not have.
fn value() -> impl Strategy<Value = String> {
    let literal = prop::sample::select(vec![
        "null",
        "true",
        "0",
        "-1.5e3",
        "+1",
        ".5",
        "5.",
        "-.5E-2",
        "5.e1",
        "0x1F",
        "-0Xab",
        "+0x0",
        "'a'",
        "\"a\"",
        "'it\\'s'",
        "'\"'",
        "\"'\"",
        "'\\x41\\v\\0'",
        "'a\\\nb\\\r\nc'",
        "'\\u00e9\u{2028}'",
        "'// no /* comment'",
        "'\\a\\/'",
    ]);
    let name = prop::sample::select(vec![
        "a", "$b", "_c", "\u{e9}1", "\\u0061b", "null", "Infinity", "'a'", "\"b c\"", "'\\''",
    ]);
    literal
        .prop_map(str::to_owned)
        .prop_recursive(4, 32, 4, move |inner| {
            let slot = (gap(), inner, gap())
                .prop_map(|(a, value, b)| format!("{a}{value}{b}"))
                .boxed();
            let member = (gap(), name.clone(), gap(), slot.clone())
                .prop_map(|(a, name, b, value)| format!("{a}{name}{b}:{value}"));
            let comma = prop::sample::select(vec!["", ","]);
            prop_oneof![
                (prop::collection::vec(slot, 1..4), comma.clone())
                    .prop_map(|(slots, comma)| format!("[{}{comma}]", slots.join(","))),
                (prop::collection::vec(member, 1..4), comma)
                    .prop_map(|(slots, comma)| format!("{{{}{comma}}}", slots.join(","))),
            ]
        })
}

/// All numbers as floats: the crate and serde_json disagree on which of them are whole.
fn floats(value: Json) -> Json {
    match value {
        Json::Number(number) => number.as_f64().into(),
        Json::Array(elements) => elements.into_iter().map(floats).collect(),
        Json::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, floats(value)))
            .collect(),
        other => other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn hujson_is_json5(text in texts::text(Extra::Comments)) {
        let value = texts::plain(&text);
        prop_assert_eq!(json5::from_str::<Json>(&text).expect("JSON5"), value);
        prop_assert_eq!(meaning(&from_json5(&text).expect("JSON5")), meaning(&text));
    }

    #[test]
    fn values_are_those_of_the_crate(before in gap(), value in value(), after in gap()) {
        let text = format!("{before}{value}{after}");
        let imported = from_json5(&text).expect("JSON5");
        let theirs = json5::from_str::<Json>(&text).expect("JSON5");
        let ours = minimize(&imported).expect("HuJSON");
        prop_assert_eq!(floats(serde_json::from_str(&ours).expect("JSON")), floats(theirs));
        prop_assert_eq!(hujson::format(&imported).expect("HuJSON"), imported.clone());
        prop_assert_eq!(imported.matches(MARK).count(), text.matches(MARK).count(), "{}", imported);
    }

    #[test]
    fn the_crate_agrees_on_any_text(text in "[\\[\\]{},:'\"a1x \n\r/*.+\\-\\\\]{0,14}") {
        as_the_crate(&text)?;
    }

    #[test]
    fn the_crate_agrees_on_any_words(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..9)) {
        as_the_crate(&words.concat())?;
    }

    #[test]
    fn the_crate_agrees_on_spoilt_values(value in value(), at in any::<prop::sample::Index>(), put in prop::sample::select(WORDS.to_vec())) {
        let places: Vec<usize> = value.char_indices().map(|(at, _)| at).collect();
        let (before, behind) = value.split_at(*at.get(&places));
        as_the_crate(&format!("{before}{put}{behind}"))?;
        as_the_crate(before)?;
    }
}

/// Words of JSON5, whole and in parts.
const WORDS: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "null",
    "nul",
    "true",
    "tru",
    "false",
    "f",
    "Infinity",
    "Inf",
    "NaN",
    "Na",
    "+",
    "-",
    ".",
    "0",
    "00",
    "1",
    "9",
    "e",
    "E+",
    "e-1",
    "0x",
    "0X1f",
    "0xg",
    "0x80000000000000000000000000000000",
    "0x800000000000000000000000000000001",
    "340282366920938463463374607431768211456",
    "'",
    "\"",
    "'a'",
    "\"b\"",
    "'\\x4'",
    "\\",
    "\\u",
    "\\u0061",
    "\\u00",
    "\\ud83d\\ude00",
    "\\ud83d",
    "'\\ud83d\\u0061'",
    "'\\ud83d\\ude00'",
    "'\\1'",
    "'\\08'",
    "'\\\r\n'",
    "a",
    "$",
    "\u{e9}",
    "\u{200d}",
    "%",
    "\u{1f600}",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\u{2028}",
    "\u{a0}",
    "\u{85}",
    "/",
    "//",
    "// a\n",
    "/*",
    "*/",
    "/*/",
    "/**/",
    "/* a */",
];

/// Asserts that a text is accepted or refused as by the crate, at the same place and in the same words.
fn as_the_crate(text: &str) -> Result<(), TestCaseError> {
    let ours = from_json5(text);
    let theirs = json5::from_str::<IgnoredAny>(text);
    if hujson::check(text).is_ok() {
        prop_assert!(ours.is_ok(), "{text:?}");
        return Ok(());
    }
    match (ours, theirs) {
        (Ok(_), Ok(_)) => {}
        // Numbers that JSON does not have are refused here only.
        (Err(ours), Ok(_)) => {
            prop_assert!(
                ours.reason().starts_with("invalid literal: "),
                "{text:?}: {ours}"
            );
        }
        (ours, Err(theirs)) => {
            let Err(ours) = ours else {
                return Err(TestCaseError::fail(format!("{text:?} is taken: {theirs}")));
            };
            let words = theirs.code().map(|code| code.to_string());
            let words = words.unwrap_or_else(|| "invalid number".to_owned());
            prop_assert_eq!(ours.reason(), &words, "{:?}", text);
            let place = theirs.position().filter(|_| !words.starts_with("EOF"));
            let at = place.map_or(text.len(), |place| byte_of(text, place));
            let offset = text[..at].encode_utf16().count();
            prop_assert_eq!(ours.position().offset, offset, "{:?}: {}", text, ours);
        }
    }
    Ok(())
}

/// The byte offset of a place that the crate counts in its own lines and in characters.
fn byte_of(text: &str, place: json5::Position) -> usize {
    let is_there = |at: &usize| json5::Position::from_offset(*at, text) == place;
    let mut starts = text.char_indices().map(|(at, _)| at);
    // A place between CR and LF counts as after both.
    starts.rfind(is_there).unwrap_or(text.len())
}
