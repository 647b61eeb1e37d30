//! What HuJSON is and is not: texts to accept, texts to refuse with place and reason.
//! Must not live here: the verbs' results for an accepted text.

use tailnet_kit::hujson::{self, MAX_DEPTH, Units, parse};

#[track_caller]
fn accepts(text: &str) {
    if let Err(error) = parse(text) {
        panic!("{text:?}: {error}");
    }
}

#[track_caller]
fn refuses(text: &str, line: usize, column: usize, reason: &str) {
    let error = parse(text).expect_err(text);
    let shown = format!("hujson: line {line}, column {column}: {reason}");
    assert_eq!(error.to_string(), shown, "{text:?}");
    assert_eq!(error.reason(), reason);
    assert_eq!(error.code(), "hujson_syntax");
    assert_eq!(
        (error.position().line, error.position().column),
        (line, column)
    );
}

/// Texts that are HuJSON; the tests of the package use the same ones in every runtime.
const ACCEPTED: &str = include_str!("accepted.json");
/// Texts that are not HuJSON, with the line, the column and the reason; also used in every runtime.
const REFUSED: &str = include_str!("refused.json");

#[test]
fn every_text_of_the_table_is_accepted() {
    let texts: Vec<String> = serde_json::from_str(ACCEPTED).expect("a table");
    assert!(texts.len() >= 28, "{} texts", texts.len());
    for text in texts {
        accepts(&text);
    }
}

#[test]
fn every_text_of_the_table_is_refused_at_its_place() {
    let rows: Vec<(String, usize, usize, String)> = serde_json::from_str(REFUSED).expect("a table");
    assert!(rows.len() >= 120, "{} texts", rows.len());
    for (text, line, column, reason) in rows {
        refuses(&text, line, column, &reason);
    }
}

#[test]
fn places_count_bytes_for_people_and_units_for_editors() {
    let error = parse("// \u{1F600}\r\n[\"\u{e9}\u{1F600}\", 'x']").expect_err("single quotes");
    let position = error.position();
    assert_eq!((position.line, position.column), (2, 12));
    assert_eq!((position.offset, error.utf16_len()), (15, 1));
    assert_eq!(
        error.hint(),
        Some("single quotes: HuJSON wants double quotes")
    );
}

#[test]
fn units_are_counted_before_any_byte_in_any_order() {
    let text = "a\u{e9}\n\u{65e5}\u{1F600} ".repeat(400); // more than one mark of a locator
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let wanted: Vec<(usize, usize)> = ends
        .map(|at| (at, text[..at].encode_utf16().count()))
        .collect();
    let mut units = Units::of(&text);
    for step in [1, 7, 463, 2_399] {
        for index in 0..wanted.len() {
            let (at, count) = wanted[index * step % wanted.len()];
            assert_eq!(units.before(at), count, "before byte {at}");
        }
    }
    let (end, count) = wanted[wanted.len() - 1];
    assert_eq!(units.before(end + 1), count);
}

#[test]
fn a_hint_says_what_to_do() {
    let kind = "the bracket is of the wrong kind: expected ";
    for (text, hint) in [
        ("", "a value is missing at the end"),
        ("{\"a\":", "a value is missing at the end"),
        ("[-]", "a minus sign wants a number behind it"),
        ("['a']", "single quotes: HuJSON wants double quotes"),
        ("{\u{201c}a\u{201d}: 1}", "HuJSON wants plain double quotes"),
        ("[`a`]", "HuJSON wants plain double quotes"),
        ("\u{feff}{}", "byte-order mark: remove it"),
        ("[1,\u{a0}2]", "no-break space: use a plain blank"),
        ("[1\u{3000}]", "space of another kind: use a plain blank"),
        ("# x\n[]", "comments start with // or /*"),
        ("[1, / x\n]", "comments start with // or /*"),
        ("[1,,]", "one comma too many: remove it"),
        (
            "{\"a\":}",
            "a value is missing or the bracket is of the wrong kind",
        ),
        ("[$x]", "names and strings want double quotes"),
        ("{1: 2}", "names want double quotes"),
        ("{a: 1}", "names want double quotes"),
        ("{\"a\" 1}", "a colon is missing after the name"),
        ("[1 2]", "a comma is missing before this"),
        (
            "{\"a\": 1 // one\n\n\"b\": 2}",
            "a comma is missing at the end of line 1",
        ),
        ("{\"a\": 1]", &format!("{kind}}}")),
        ("[1}", &format!("{kind}]")),
        (
            "[\n{\"a\": \"}\"\n]",
            &format!("{kind}}} for the {{ at line 2"),
        ),
        ("[\"a\": 1]", "members belong in an object: { instead of ["),
        ("[1; 2]", "values are separated by commas"),
        ("{}}", "one closing bracket too many: remove it"),
        ("{},", "no comma may follow the top value: remove it"),
        ("{} {}", "a text holds one value only"),
        ("[\"a", "a closing double quote is missing"),
        ("[] // x", "a line comment must end with a line break"),
        ("[] /* x", "a closing */ is missing"),
        ("{\"a\"", "a colon and a value are missing"),
        ("{\"a\": 1", "a closing } is missing"),
        ("[1", "a closing ] is missing"),
        ("[1,\n", "a closing ] is missing for the [ at line 1"),
        (
            "{\n  \"a\": {\n    \"b\": 1,\n  \"c\": [\n  ]\n}\n",
            "a closing } is missing for the { at line 2",
        ),
        (
            "\"a\": []",
            "members belong in an object: { before them and } after",
        ),
        (
            "[\"a\n\"]",
            "a string may not span lines: a closing quote is missing, or write \\n",
        ),
        ("[\"a\t\"]", "control characters in strings must be escaped"),
        (
            "[\"\\d\"]",
            "escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits",
        ),
        ("[-Infinity]", "JSON cannot hold NaN or Infinity"),
        ("[True]", "write true"),
        ("[FALSE]", "write false"),
        ("[undefined]", "write null"),
        ("[0xFF]", "write the number in decimal"),
        ("[+1]", "a number has no plus sign in front"),
        (
            "[.5]",
            "a number has no leading zero and a digit on either side of its point",
        ),
        ("[yes]", "strings want double quotes"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!(error.hint(), Some(hint), "{text:?}");
    }
    let stray = hujson::refuse_surrogate("[\"\u{fffd}\"]", 2);
    assert_eq!(stray.hint(), Some("half of a surrogate pair: remove it"));
    // Nothing useful can be said.
    assert_eq!(parse("@").expect_err("a character").hint(), None);
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    accepts(&nested(MAX_DEPTH));
    refuses(
        &nested(MAX_DEPTH + 1),
        1,
        MAX_DEPTH + 1,
        "nested deeper than 512 levels",
    );
    refuses(
        &"[{\"a\":".repeat(100_000),
        1,
        6 * 256 + 1,
        "nested deeper than 512 levels",
    );
}

#[test]
fn stray_surrogates_are_invalid_utf_8() {
    let refused = |text: &str, offset: usize| {
        let error = hujson::refuse_surrogate(text, offset);
        assert_eq!(error.code(), "hujson_syntax");
        (error.to_string(), error.position().offset)
    };
    for (text, offset, want, at) in [
        (
            "{\"é\": \"😀\u{fffd}\"}",
            9,
            "line 1, column 13: invalid UTF-8 in string",
            9,
        ),
        (
            "{\n\"\u{fffd}",
            3,
            "line 2, column 2: invalid UTF-8 in string",
            3,
        ),
        (
            "[1] //\u{fffd}\n",
            6,
            "line 1, column 5: invalid UTF-8 in comment",
            4,
        ),
        (
            "/* \u{fffd}",
            3,
            "line 1, column 1: invalid UTF-8 in comment",
            0,
        ),
        (
            "[ \u{fffd}]",
            2,
            "line 1, column 3: invalid character '\\xed' at start of value",
            2,
        ),
        (
            "[1\u{fffd}]",
            2,
            "line 1, column 3: invalid character '\\xed' after array value (expecting ',' or ']')",
            2,
        ),
        (
            "1\u{fffd}",
            1,
            "line 1, column 2: invalid character '\\xed' after top-level value",
            1,
        ),
        (
            "[, \"\u{fffd}\"]",
            4,
            "line 1, column 2: invalid character ',' at start of value",
            1,
        ),
        (
            "[\"\\q\", \"\u{fffd}\"]",
            8,
            "line 1, column 2: invalid literal: \"\\q\"",
            1,
        ),
    ] {
        assert_eq!(
            refused(text, offset),
            (format!("hujson: {want}"), at),
            "{text:?}"
        );
    }
}
