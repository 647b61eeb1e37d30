//! The verbs of HuJSON: their results for an accepted text, and their laws.
//! Must not live here: the grammar (`parse`), the layout (`format`), changes (`patch`), the import (`json5`).

use proptest::prelude::*;
use tailnet_kit::hujson::{
    Change, Kind, Locator, Span, Value, byte_offset, duplicates, is_standard, minimize, parse,
    pointer, standardize,
};

use crate::texts::{self, Extra, meaning};

#[track_caller]
fn standardizes(text: &str, want: &str) {
    assert_eq!(standardize(text).as_deref(), Ok(want), "{text:?}");
    assert_eq!(is_standard(text), text == want, "{text:?}");
}

#[test]
fn comments_and_trailing_commas_become_blanks() {
    standardizes("[1,]", "[1 ]");
    standardizes("{\"a\" : 1 ,\n}", "{\"a\" : 1  \n}");
    standardizes("[1, /*x*/ // y\n]", "[1            \n]");
    standardizes(
        "// \u{e9}\t\u{1F600}\r\n1/*\r\t\n*/",
        "     \t    \r\n1  \r\t\n  ",
    );
    standardizes("[\"//\", \"/*\", \",]\"]", "[\"//\", \"/*\", \",]\"]");
    standardizes(" null ", " null ");
    assert!(!is_standard("[1,,]"));
    assert!(!is_standard(""));
}

#[test]
fn minimized_text_has_no_space() {
    let text = "/* a */ { \"a b\" : [ 1.50 , {} , [ ] , ] , // x\n \"c\\u0041\" : null , }\n";
    assert_eq!(
        minimize(text).as_deref(),
        Ok("{\"a b\":[1.50,{},[]],\"c\\u0041\":null}")
    );
    assert_eq!(
        minimize("[,]").map_err(|error| error.to_string()),
        Err("hujson: line 1, column 2: invalid character ',' at start of value".to_owned())
    );
}

#[test]
fn values_have_a_kind_and_a_place() {
    let text = "{ \"\\u00e9\\n\\ud83d\\ude00\\ud800x\" : [true, -1.5e3, null] /* end */ }";
    let document = parse(text).expect("valid");
    let member = document.root().members().next().expect("one member");
    assert_eq!(member.name.as_str(), Some("\u{e9}\n\u{1F600}\u{fffd}x"));
    let kinds: Vec<_> = member.value.elements().map(Value::kind).collect();
    assert_eq!(kinds, [Kind::Bool, Kind::Number, Kind::Null]);
    assert_eq!(member.value.raw(), "[true, -1.5e3, null]");
    assert_eq!(
        member.value.elements().next().and_then(Value::as_bool),
        Some(true)
    );
    assert_eq!(member.value.elements().next().and_then(Value::as_str), None);
    assert_eq!(
        document.root().span(),
        Span {
            start: 0,
            end: text.len()
        }
    );
}

#[test]
fn pointers_find_values() {
    let text = r#"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"m~n":8," ":7,"__proto__":{"x":1},"foo2":1,"foo2":2}"#;
    let document = parse(text).expect("valid");
    let find = |at: &str| pointer::find(&document, at).map(Value::raw);
    for (at, want) in [
        ("", text),
        ("/foo", "[\"bar\",\"baz\"]"),
        ("/foo/0", "\"bar\""),
        ("/", "0"),
        ("/a~1b", "1"),
        ("/c%d", "2"),
        ("/m~0n", "8"),
        ("/ ", "7"),
        ("/__proto__/x", "1"),
        ("/foo2", "2"),
    ] {
        assert_eq!(find(at), Some(want), "{at:?}");
    }
    for at in [
        "foo",
        "/bar",
        "/foo/2",
        "/foo/-",
        "/foo/00",
        "/foo/+1",
        "/foo/",
        "/m~n",
        "/m~2n",
        "/~",
        "/foo/0/x",
        "/foo/99999999999999999999",
    ] {
        assert_eq!(find(at), None, "{at:?}");
    }
}

#[test]
fn places_have_pointers() {
    let text = "// é😀\n{ \"a\" : [ 1 , {\"x/y\": \"é\"} ], /* c */ \"b\":2 } ";
    let document = parse(text).expect("valid");
    for (mark, want) in [
        ("//", ""),
        ("{ ", ""),
        ("\"a\"", "/a"),
        (" : [", ""),
        ("[ 1", "/a"),
        ("1 ,", "/a/0"),
        (" , {", "/a"),
        ("\"x", "/a/1/x~1y"),
        ("\"é\"", "/a/1/x~1y"),
        ("/* c", ""),
        ("\"b\"", "/b"),
        ("2 }", "/b"),
    ] {
        let at = text.find(mark).expect(mark);
        assert_eq!(pointer::pointer_at(&document, at), want, "{mark:?}");
    }
    assert_eq!(pointer::pointer_at(&document, text.len()), "");
}

#[test]
fn repeated_names_are_reported_with_both_places() {
    let text = "{\"a\": [{\"b/c\": 1, \"\\u0062/c\": 2}], \"a\": 3, \"a\": 4}";
    let document = parse(text).expect("valid");
    let found: Vec<_> = duplicates(&document)
        .into_iter()
        .map(|found| (found.pointer, found.first.start, found.again.start))
        .collect();
    assert_eq!(
        found,
        [
            ("/a/0/b~1c".to_owned(), 8, 18),
            ("/a".to_owned(), 1, 35),
            ("/a".to_owned(), 1, 43)
        ]
    );
}

#[test]
fn a_locator_agrees_with_a_plain_count() {
    let text = "\u{1F600}\u{e9}\r\n".repeat(1_000);
    let places = Locator::new(&text);
    for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |lf| lf + 1);
        let position = places.locate(at);
        assert_eq!(position.line, before.matches('\n').count() + 1);
        assert_eq!(position.column, at - line_start + 1);
        assert_eq!(position.offset, before.encode_utf16().count());
        assert_eq!(byte_offset(&text, position.offset), Some(at));
        assert_eq!(places.byte_at(position.offset), Some(at));
    }
    assert_eq!(
        places.byte_at(4_996),
        Some(7_992),
        "half of a pair is its character"
    );
    for beyond in [5_001, 50_000] {
        assert_eq!(byte_offset(&text, beyond), None);
        assert_eq!(places.byte_at(beyond), None);
    }
}

/// The plain value of an indexed one, as serde_json represents it.
fn plain(value: Value<'_>) -> serde_json::Value {
    match value.kind() {
        Kind::Object => value
            .members()
            .map(|member| {
                (
                    member.name.as_str().unwrap_or_default().to_owned(),
                    plain(member.value),
                )
            })
            .collect(),
        Kind::Array => value.elements().map(plain).collect(),
        Kind::String => value.as_str().unwrap_or_default().into(),
        Kind::Bool => value.as_bool().into(),
        Kind::Null => serde_json::Value::Null,
        Kind::Number => serde_json::from_str(value.raw()).expect("a number"),
    }
}

/// The text put together again from the spans of literals and the text between them.
fn printed(value: Value<'_>, text: &str, out: &mut String) {
    let from = out.len();
    let span = value.span();
    assert!(from <= span.start && span.end <= text.len());
    for inner in value
        .members()
        .flat_map(|member| [member.name, member.value])
        .chain(value.elements())
    {
        assert!(inner.span().start > span.start && inner.span().end < span.end);
        printed(inner, text, out);
    }
    let rest = out.len().max(span.start);
    if out.len() < rest {
        out.push_str(&text[from..rest]);
    }
    out.push_str(&text[out.len()..span.end]);
}

/// The later text, made from the earlier one and the change.
fn changed(old: &str, new: &str) -> (usize, String) {
    let change = Change::between(old, new);
    let units: Vec<u16> = old.encode_utf16().collect();
    let (before, behind) = (
        &units[..change.before],
        &units[units.len() - change.behind..],
    );
    let middle: Vec<u16> = new[change.new.clone()].encode_utf16().collect();
    let whole = String::from_utf16(&[before, &middle, behind].concat()).expect("whole characters");
    (change.new.len(), whole)
}

#[test]
fn a_change_is_what_differs_in_whole_characters() {
    for (old, new, length) in [
        ("", "", 0),
        ("[1]", "[1]", 0),
        ("[1]", "[12]", 1),
        ("[1, 1]", "[1, 1, 1]", 3),
        ("aaa", "a", 0),
        ("\u{E9}", "\u{E8}", 2),
        ("\u{1F600}a", "\u{1F601}a", 4),
        ("\u{1F600}", "\u{5F600}", 4),
        ("", "\u{E9}", 2),
    ] {
        assert_eq!(changed(old, new), (length, new.to_owned()), "{old:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_change_makes_the_later_text(
        start in "[a\u{E9}\u{1F600}]{0,150}",
        (old, new) in ("[ab\u{E8}\u{E9}]{0,3}", "[ab\u{E8}\u{E9}]{0,3}"),
        end in "[a\u{E9}\u{1F600}]{0,150}",
    ) {
        let (old, new) = ([&*start, &old, &end].concat(), [&*start, &new, &end].concat());
        prop_assert_eq!(changed(&old, &new).1, new);
    }

    #[test]
    fn printing_the_index_gives_the_text(text in texts::text(Extra::Comments)) {
        let document = parse(&text).expect("valid");
        let mut out = String::new();
        printed(document.root(), &text, &mut out);
        out.push_str(&text[out.len()..]);
        prop_assert_eq!(out, text);
    }

    #[test]
    fn standardized_text_keeps_length_breaks_and_meaning(text in texts::text(Extra::Comments)) {
        let standard = standardize(&text).expect("valid");
        prop_assert_eq!(standard.len(), text.len());
        for (was, is) in text.bytes().zip(standard.bytes()) {
            prop_assert!(was == is || is == b' ' && !matches!(was, b'\r' | b'\n' | b'\t'));
        }
        prop_assert!(is_standard(&standard));
        prop_assert_eq!(meaning(&standard), meaning(&text));
        let value = plain(parse(&text).expect("valid").root());
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&standard).expect("JSON"), value.clone());
        let minimal = minimize(&text).expect("valid");
        prop_assert_eq!(minimize(&standard).expect("valid"), minimal.clone());
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&minimal).expect("JSON"), value);
    }

    #[test]
    fn json_is_standard(text in texts::text(Extra::Space)) {
        prop_assert!(is_standard(&text));
        prop_assert_eq!(standardize(&text), Ok(text));
    }

    #[test]
    fn the_pointer_of_each_place_finds_what_holds_it(text in texts::text(Extra::Comments)) {
        let document = parse(&text).expect("valid");
        for (at, _) in text.char_indices() {
            let Some(found) = pointer::find(&document, &pointer::pointer_at(&document, at)) else {
                prop_assert!(!duplicates(&document).is_empty());
                continue;
            };
            let (top, span) = (document.root().span(), found.span());
            let inside = top.start <= at && at < top.end;
            prop_assert!(!inside || at < span.end || !duplicates(&document).is_empty());
        }
    }

    #[test]
    fn serde_json_agrees_on_any_text(text in "[\\[\\]{},:\"a1 \\n\\\\u00e-]{0,12}") {
        let json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        let comma = text.contains(',');
        prop_assert!(parse(&text).is_ok() == json || comma && !json);
    }
}
