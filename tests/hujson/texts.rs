//! HuJSON texts for property tests, and their values, read from the tape.
//!
//! Must not live here: what a verb should do with them.

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use tailnet_kit::hujson::{Kind, Value, parse};

/// What a generated text may have between its tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extra {
    /// Space of every kind.
    Space,
    /// Space, comments and trailing commas.
    Comments,
}

/// A whole text.
pub fn text(extra: Extra) -> impl Strategy<Value = String> {
    (gap(extra), value(extra), gap(extra))
        .prop_map(|(before, value, after)| format!("{before}{value}{after}"))
}

/// A value without anything around it.
pub fn value(extra: Extra) -> impl Strategy<Value = String> {
    literal().prop_recursive(5, 48, 6, move |inner| {
        let slot = (gap(extra), inner, gap(extra))
            .prop_map(|(a, value, b)| format!("{a}{value}{b}"))
            .boxed();
        let member = (gap(extra), name(), gap(extra), slot.clone())
            .prop_map(|(a, name, b, value)| format!("{a}{name}{b}:{value}"));
        prop_oneof![
            composite('[', slot, ']', extra),
            composite('{', member, '}', extra),
        ]
    })
}

fn composite(
    open: char,
    slot: impl Strategy<Value = String>,
    close: char,
    extra: Extra,
) -> impl Strategy<Value = String> {
    let slots = prop::collection::vec(slot, 0..6);
    (slots, any::<bool>(), gap(extra)).prop_map(move |(slots, comma, gap)| {
        let comma = comma && !slots.is_empty() && extra == Extra::Comments;
        let comma = if comma { "," } else { "" };
        format!("{open}{}{comma}{gap}{close}", slots.join(","))
    })
}

/// A name, out of a few, so that repeated names occur.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        r#"[a-e]{1,3}"#.prop_map(|name| format!("\"{name}\"")),
        Just(r#""\u0061/~é\n""#.to_owned()),
        Just("\"\"".to_owned()),
    ]
}

fn literal() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "null",
            "true",
            "false",
            "0",
            "-1.50e+3",
            r#""\ud83d\ude02\\""#
        ])
        .prop_map(str::to_owned),
        "[1-9][0-9]{0,12}",
        "\"[ -!#-\\[\\]-~é😊]{0,50}\"",
    ]
}

/// Extra between two tokens, mostly little.
pub fn gap(extra: Extra) -> impl Strategy<Value = String> {
    let space = prop::sample::select(vec![
        "", "", " ", "\n", "\t", "\n\n", "\r\n", "\n\r", "\r", "\n\n\n  ",
    ]);
    let comment = prop_oneof![
        "//[ a-z*/\té]{0,12}\r?\n",
        "/\\*[ a-z\té]{0,12}\\*/",
        "/\\*( ?[a-z* \t]{0,6}\r?\n){1,4}[ \t]{0,2}( x)?\\*/",
    ];
    let rare = if extra == Extra::Comments { 1 } else { 0 };
    let piece = prop_oneof![8 => space.prop_map(str::to_owned), rare => comment];
    prop::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

/// The value of a text: numbers as they are written, members as pairs in their order.
pub fn meaning(text: &str) -> Json {
    exact(
        parse(text)
            .unwrap_or_else(|error| panic!("{error}: {text:?}"))
            .root(),
    )
}

fn exact(value: Value<'_>) -> Json {
    match value.kind() {
        Kind::Null => Json::Null,
        Kind::Bool => json!(value.as_bool()),
        Kind::Number => json!({ "number": value.raw() }),
        Kind::String => json!(value.as_str()),
        Kind::Array => value.elements().map(exact).collect(),
        Kind::Object => (value.members())
            .map(|member| json!([exact(member.name), exact(member.value)]))
            .collect(),
    }
}

/// The value of a text for `JSON.parse`: of repeated names the last one counts.
pub fn plain(text: &str) -> Json {
    lossy(
        parse(text)
            .unwrap_or_else(|error| panic!("{error}: {text:?}"))
            .root(),
    )
}

fn lossy(value: Value<'_>) -> Json {
    match value.kind() {
        Kind::Null | Kind::Bool | Kind::Number => serde_json::from_str(value.raw()).unwrap(),
        Kind::String => json!(value.as_str()),
        Kind::Array => value.elements().map(lossy).collect(),
        Kind::Object => (value.members())
            .map(|member| {
                (
                    member.name.as_str().unwrap().to_owned(),
                    lossy(member.value),
                )
            })
            .collect(),
    }
}

/// The comments of a text in order, without the space in them.
pub fn comments(text: &str) -> Vec<String> {
    let mut comments = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/']) {
        rest = &rest[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap()
        } else if let Some(inside) = rest.strip_prefix("/*") {
            inside.find("*/").unwrap() + "/**/".len()
        } else {
            string_length(rest)
        };
        if rest.starts_with('/') {
            comments.push(rest[..length].split_whitespace().collect());
        }
        rest = &rest[length..];
    }
    comments
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let inside = text[1..].bytes().take_while(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        !ends
    });
    inside.count() + 2
}
