//! What HuJSON is and is not: texts to accept, texts to refuse with place and reason.
//! Must not live here: what the verbs make of an accepted text.

use tailnet_kit::hujson::{self, MAX_DEPTH, parse};

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

#[test]
fn json_is_accepted() {
    for text in [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.5e+10",
        "1E400",
        "12.50",
        "{}",
        "[]",
        r#""""#,
        r#""\"\\\/\b\f\n\r\t\u00aF\ud800""#,
        "\"\u{7f}\u{a0}\u{feff}\u{1F600}\"",
        " \t\r\n[ 1 , 2 ] ",
        r#"{"a":{"b":[{"":null}]},"a":1}"#,
    ] {
        accepts(text);
    }
}

#[test]
fn comments_and_one_trailing_comma_are_accepted() {
    for text in [
        "[1,]",
        "{\"a\":1,}",
        "[[],]",
        "[1 , ]",
        "[1/**/,/**/]",
        "{\"a\"/*x*/:/*y*/1/*z*/,/*w*/}",
        "//\nnull",
        "null//\n",
        "/**/null/***/",
        "/* // */1",
        "// /*\n1",
        "/*\u{1F600}\u{0}\u{feff}*/1",
        "1//\r\n",
    ] {
        accepts(text);
    }
}

#[test]
fn characters_out_of_place() {
    let after_member = "after object value (expecting ',' or '}')";
    let after_element = "after array value (expecting ',' or ']')";
    for (text, column, character, place) in [
        ("[,]", 2, ",", "at start of value"),
        ("{,}", 2, ",", "at start of value"),
        ("[1,,]", 4, ",", "at start of value"),
        ("{\"a\":1,,}", 8, ",", "at start of value"),
        ("{\"a\":}", 6, "}", "at start of value"),
        ("{\"a\":,}", 6, ",", "at start of value"),
        ("[1}", 3, "}", after_element),
        ("[1 2]", 4, "2", after_element),
        ("[1:2]", 3, ":", after_element),
        ("[}", 2, "}", "at start of value"),
        ("{]", 2, "]", "at start of value"),
        ("{[}", 3, "}", "at start of value"),
        ("]", 1, "]", "at start of value"),
        ("{\"a\":1]", 7, "]", after_member),
        ("{\"a\":1 \"b\":2}", 8, "\"", after_member),
        ("{\"a\" 1}", 6, "1", "after object name"),
        ("{\"a\",}", 5, ",", "after object name"),
        ("{\"a\"}", 5, "}", "after object name"),
        ("{1:2}", 2, "1", "at start of object name"),
        ("{ null : 2}", 3, "n", "at start of object name"),
        ("{[1]:2}", 2, "[", "at start of object name"),
        ("{{}  2}", 2, "{", "at start of object name"),
        ("1,", 2, ",", "after top-level value"),
        ("1 2", 3, "2", "after top-level value"),
        ("[]]", 3, "]", "after top-level value"),
        ("1/", 2, "/", "after top-level value"),
        ("/", 1, "/", "at start of value"),
        ("[/ /]", 2, "/", "at start of value"),
        ("'a'", 1, "\\'", "at start of value"),
        ("\\", 1, "\\\\", "at start of value"),
        ("\u{feff}{}", 1, "\\ufeff", "at start of value"),
        ("[\u{a0}1]", 2, "\\u00a0", "at start of value"),
        ("[1\u{c}]", 3, "\\u000c", after_element),
        ("1\u{0}", 2, "\\u0000", "after top-level value"),
        ("\u{101234}", 1, "\\U00101234", "at start of value"),
        ("[é]", 2, "é", "at start of value"),
        ("[\u{301}]", 2, "\u{301}", "at start of value"),
        ("[\u{1F4A9}]", 2, "\u{1F4A9}", "at start of value"),
    ] {
        refuses(
            text,
            1,
            column,
            &format!("invalid character '{character}' {place}"),
        );
    }
}

#[test]
fn literals_are_judged_as_a_whole() {
    for literal in [
        "+1",
        "01",
        "-01",
        "1.",
        ".5",
        "-",
        "1e",
        "1e+",
        "0x10",
        "NaN",
        "Infinity",
        "-Infinity",
        "nul",
        "nulll",
        "True",
        "abc",
        "1a",
        "1-2",
        "--1",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u\"",
        "\"a\tb\"",
        "\"a\nb\"",
        "\"\u{1f}\"",
        "\"\\\u{e9}\"",
    ] {
        refuses(literal, 1, 1, &format!("invalid literal: {literal}"));
        refuses(
            &format!("[\n {literal} ]"),
            2,
            2,
            &format!("invalid literal: {literal}"),
        );
    }
    refuses("{foo: 1}", 1, 2, "invalid literal: foo");
    refuses("{\"\\q\": 1}", 1, 2, "invalid literal: \"\\q\"");
}

#[test]
fn ends_too_early() {
    for (text, column, what) in [
        ("", 1, "value"),
        ("  ", 3, "value"),
        ("[", 2, "value"),
        ("{", 2, "value"),
        ("[1,", 4, "value"),
        ("{\"a\":", 6, "value"),
        ("\"abc", 5, "string"),
        ("\"abc\\\"", 7, "string"),
        ("\"abc\\", 6, "string"),
        ("{\"a\"", 5, "object after name"),
        ("{\"a\":1", 7, "object after value"),
        ("[1 ", 4, "array after value"),
        ("1//", 2, "comment"),
        ("1 /*", 3, "comment"),
        ("/*/", 1, "comment"),
        ("//", 1, "comment"),
    ] {
        refuses(text, 1, column, &format!("parsing {what}: unexpected EOF"));
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
