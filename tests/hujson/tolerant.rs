//! The tree of broken texts: what is found in them; every text has a tree.
//! Must not live here: what a policy is, the wording of syntax errors (`parse`).

use crate::effort::Effort;
use crate::texts::{Extra, text as documents};
use proptest::prelude::*;
use tailnet_kit::hujson::{self, Kind, MAX_DEPTH, Span, Value, tolerant};

/// The tree in short: names and values as they read, `_` for what is missing.
fn outline(value: Value<'_>) -> String {
    let text = |value: Value<'_>| match value.is_missing() {
        true => "_".to_owned(),
        false => value.as_str().unwrap_or(value.raw()).to_owned(),
    };
    match value.kind() {
        Kind::Object => {
            let members = value.members();
            let members = members.map(|m| format!("{}={}", text(m.name), outline(m.value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(" "))
        }
        Kind::Array => {
            let elements: Vec<_> = value.elements().map(outline).collect();
            format!("[{}]", elements.join(" "))
        }
        _ => text(value),
    }
}

#[track_caller]
fn reads(text: &str, wanted: &str) {
    let read = tolerant(text);
    assert_eq!(outline(read.document.root()), wanted, "{text}");
    assert!(!read.faults.is_empty(), "{text}");
}

#[test]
fn missing_names_and_values_are_empty() {
    reads("", "_");
    reads("// nothing yet\n", "_");
    reads("{", "{}");
    reads(r#"{"acls""#, "{acls=_}");
    reads(r#"{"acls":"#, "{acls=_}");
    reads(r#"{"acls":}"#, "{acls=_}");
    reads(r#"{"a": , "b": 1}"#, "{a=_ b=1}");
    reads(r#"{"a", "b": 1}"#, "{a=_ b=1}");
    reads(r#"{"a": [1, , 2]}"#, "{a=[1 2]}");
    reads(r#"{: 1}"#, "{_=1}");
}

#[test]
fn a_missing_comma_ends_no_list_and_no_object() {
    reads(r#"{"a": ["x" "y"] "b": 1}"#, "{a=[x y] b=1}");
    reads("{\n  \"a\": 1\n  \"b\": {}\n}", "{a=1 b={}}");
}

#[test]
fn a_name_is_known_by_its_colon() {
    reads(r#"{"src": "dst": ["x"]}"#, "{src=_ dst=[x]}");
    reads(r#"{"src": ["x", "dst": ["y"]}"#, "{src=[x] dst=[y]}");
    reads("{\n \"acc\n \"src\": [1]}", "{acc=_ src=[1]}");
    reads("{\"acc\"\n \"src\": [1]}", "{acc=_ src=[1]}");
}

#[test]
fn a_string_without_an_end_ends_with_its_line() {
    reads(
        "{\"src\": [\"group:d],\n\"dst\": []}",
        "{src=[group:d] dst=[]}",
    );
    reads(r#"{"src": ["group:d, "tag:x"]}"#, "{src=[group:d tag:x]}");
    reads("{\"acls: [\n1]}", "{acls=[1]}");
    reads("[\"a\\\"", "[a\\\"]");
}

#[test]
fn a_word_is_a_string_without_quotes() {
    reads(
        "{acls: [accept, tag:db, 'x']}",
        "{acls=[accept tag:db 'x']}",
    );
    reads("{true: false}", "{true=false}");
}

#[test]
fn a_missing_bracket_is_found_by_what_follows() {
    reads(r#"[{"a": 1, {"b": 2}]"#, "[{a=1} {b=2}]");
    reads(r#"{"a": [1, 2}"#, "{a=[1 2]}");
    reads(r#"{"a": 1}, "b": 2}"#, "{a=1 b=2}");
    reads(r#"{"a": 1]}"#, "{a=1}");
    let unclosed = "{\n  \"acls\": [\n    {\"src\": [\n  ],\n  \"groups\": {}\n}\n";
    reads(unclosed, "{acls=[{src=[]}] groups={}}");
}

/// Without the indentation the last bracket would be the missing one.
#[test]
fn a_bracket_indented_too_little_closes_all_that_is_indented_more() {
    let text = "{\n  \"a\": {\n      \"b\": { \"c\": 1,\n        \"d\": 2\n  }, \"e\": 3, \"f\": [4, 5]\n}\n";
    reads(text, "{a={b={c=1 d=2}} e=3 f=[4 5]}");
}

#[test]
fn a_colon_at_the_start_of_a_line_takes_no_name_out_of_what_has_ended() {
    for text in ["{{a\"\n:{", "{\"b\": {\"a\": \"c\"\n:1}"] {
        let read = tolerant(text);
        assert!(is_in_order(read.document.root(), text), "{text}");
    }
}

#[test]
fn an_open_composite_reaches_to_the_end_of_the_text() {
    let text = r#"{"acls": [{"src": [ "#;
    let read = tolerant(text);
    let acls = read.document.root().get("acls").expect("acls");
    assert_eq!(acls.span().end, text.len());
}

#[test]
fn places_inside_a_string_are_those_of_the_text() {
    let text = r#"["a\u00e9b", "x"#;
    let read = tolerant(text);
    let found: Vec<_> = read.document.root().elements().collect();
    let [escaped, open] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(text.get(escaped.byte_of(3)..escaped.byte_of(4)), Some("b"));
    assert_eq!(text.get(open.byte_of(0)..), Some("x"));
    assert_eq!(open.inside_span().end, text.len());
}

/// A megabyte of text that a bad parser would read again and again takes seconds at most, on a busy machine too.
#[test]
fn time_grows_with_the_length_alone() {
    for part in [
        "\"a\"b", "\"\\\"", "[", "]", "{", ":", "\"a\":", "\"", "/*", "a ", "{[", "\"x\" ",
    ] {
        let text = part.repeat(1_000_000 / part.len());
        let effort = Effort::begin();
        let read = tolerant(&text);
        assert!(!read.faults.is_empty());
        assert!(effort.so_far().as_secs() < 5, "{part}");
    }
}

#[test]
fn depth_has_its_limit() {
    let text = "[".repeat(MAX_DEPTH * 2);
    let read = tolerant(&text);
    let (mut depth, mut value) = (0, Some(read.document.root()));
    while let Some(inner) = value {
        (depth, value) = (depth + 1, inner.elements().next());
    }
    assert_eq!(depth, MAX_DEPTH);
}

/// Every span is inside the text, inside its parent, and after the sibling before it.
fn is_in_order(value: Value<'_>, text: &str) -> bool {
    let span = value.span();
    let mut at = span.start;
    let parts = value
        .members()
        .flat_map(|member| [member.name, member.value]);
    let mut parts = parts.chain(value.elements());
    text.get(span.start..span.end).is_some()
        && parts.all(|part| {
            let inner = part.span();
            let fits = at <= inner.start && inner.end <= span.end;
            at = inner.end;
            fits && is_in_order(part, text)
        })
}

/// The spans of a tree in order, followed by those of its faults.
fn spans(value: Value<'_>, faults: &[Span], found: &mut Vec<Span>) {
    found.push(value.span());
    for member in value.members() {
        found.push(member.name.span());
        spans(member.value, &[], found);
    }
    for element in value.elements() {
        spans(element, &[], found);
    }
    found.extend(faults);
}

/// A text with some characters replaced.
fn broken(text: &str, at: prop::sample::Index, length: usize, put: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let at = at.index(characters.len() + 1);
    let before = characters.iter().take(at).copied();
    let behind = characters.iter().skip(at + length).copied();
    before.chain(put.chars()).chain(behind).collect()
}

proptest! {
    #[test]
    fn hujson_has_the_tree_of_the_strict_parser(text in documents(Extra::Comments)) {
        let read = tolerant(&text);
        prop_assert!(read.faults.is_empty());
        let strict = hujson::parse(&text).expect("a document");
        prop_assert_eq!(outline(read.document.root()), outline(strict.root()));
    }

    #[test]
    fn a_text_that_is_not_hujson_has_faults_and_a_tree(
        text in documents(Extra::Comments), at in any::<prop::sample::Index>(), length in 0_usize..4, put in "[\\[\\]{}:,\"/*a1 \n\u{e9}]{0,3}"
    ) {
        let text = broken(&text, at, length, &put);
        let read = tolerant(&text);
        prop_assert_eq!(read.faults.is_empty(), hujson::parse(&text).is_ok(), "{}", text);
        prop_assert!(is_in_order(read.document.root(), &text), "{}", text);
    }

    /// Such a text is read from its start, while any other is read on after its valid part.
    #[test]
    fn a_bracket_too_many_above_a_text_changes_nothing_below(
        text in documents(Extra::Comments), is_formatted in any::<bool>(), at in any::<prop::sample::Index>(), length in 0_usize..4,
        put in "[\\[\\]{}:,\"/*a1 \n\u{e9}]{0,3}", is_cut in any::<bool>()
    ) {
        let text = if is_formatted { hujson::format(&text).expect("a document") } else { text };
        let length = if is_cut { text.len() } else { length };
        let text = broken(&text, at, length, &put);
        let below = format!("]\n{text}");
        let (read, below) = (tolerant(&text), tolerant(&below));
        let (mut own, mut moved) = (Vec::new(), Vec::new());
        spans(read.document.root(), &read.faults, &mut own);
        spans(below.document.root(), below.faults.get(1..).unwrap_or_default(), &mut moved);
        for span in &mut moved {
            *span = Span { start: span.start - 2, end: span.end - 2 };
        }
        prop_assert_eq!(own, moved, "{}", text);
    }

    #[test]
    fn any_text_has_a_tree(text in "[\\[\\]{}:,\"/*a\\\\1 \n\u{e9}]{0,40}") {
        let read = tolerant(&text);
        prop_assert_eq!(read.faults.is_empty(), hujson::parse(&text).is_ok(), "{}", text);
        prop_assert!(is_in_order(read.document.root(), &text), "{}", text);
    }
}
