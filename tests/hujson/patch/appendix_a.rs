//! Appendix A of RFC 6902, by number. Must not live here: layout beyond these texts.

use super::{gives, refused};

#[test]
fn a1_adding_an_object_member() {
    gives(
        r#"{ "foo": "bar"}"#,
        r#"[{ "op": "add", "path": "/baz", "value": "qux" }]"#,
        r#"{ "foo": "bar", "baz": "qux"}"#,
    );
}

#[test]
fn a2_adding_an_array_element() {
    gives(
        r#"{ "foo": [ "bar", "baz" ] }"#,
        r#"[{ "op": "add", "path": "/foo/1", "value": "qux" }]"#,
        r#"{ "foo": [ "bar", "qux", "baz" ] }"#,
    );
}

#[test]
fn a3_removing_an_object_member() {
    gives(
        "{\n  \"baz\": \"qux\",\n  \"foo\": \"bar\"\n}",
        r#"[{ "op": "remove", "path": "/baz" }]"#,
        "{\n  \"foo\": \"bar\"\n}",
    );
}

#[test]
fn a4_removing_an_array_element() {
    gives(
        r#"{ "foo": [ "bar", "qux", "baz" ] }"#,
        r#"[{ "op": "remove", "path": "/foo/1" }]"#,
        r#"{ "foo": [ "bar", "baz" ] }"#,
    );
}

#[test]
fn a5_replacing_a_value() {
    gives(
        "{\n  \"baz\": \"qux\",\n  \"foo\": \"bar\"\n}",
        r#"[{ "op": "replace", "path": "/baz", "value": "boo" }]"#,
        "{\n  \"baz\": \"boo\",\n  \"foo\": \"bar\"\n}",
    );
}

#[test]
fn a6_moving_a_value() {
    gives(
        "{\n  \"foo\": {\n    \"bar\": \"baz\",\n    \"waldo\": \"fred\"\n  },\n  \"qux\": {\n    \"corge\": \"grault\"\n  }\n}",
        r#"[{ "op": "move", "from": "/foo/waldo", "path": "/qux/thud" }]"#,
        "{\n  \"foo\": {\n    \"bar\": \"baz\"\n  },\n  \"qux\": {\n    \"corge\": \"grault\",\n    \"thud\": \"fred\"\n  }\n}",
    );
}

#[test]
fn a7_moving_an_array_element() {
    gives(
        r#"{ "foo": [ "all", "grass", "cows", "eat" ] }"#,
        r#"[{ "op": "move", "from": "/foo/1", "path": "/foo/3" }]"#,
        r#"{ "foo": [ "all", "cows", "eat", "grass" ] }"#,
    );
}

#[test]
fn a8_testing_a_value_success() {
    let text = r#"{ "baz": "qux", "foo": [ "a", 2, "c" ] }"#;
    gives(
        text,
        r#"[{ "op": "test", "path": "/baz", "value": "qux" }, { "op": "test", "path": "/foo/1", "value": 2 }]"#,
        text,
    );
}

#[test]
fn a9_testing_a_value_error() {
    refused(
        r#"{ "baz": "qux" }"#,
        r#"[{ "op": "test", "path": "/baz", "value": "bar" }]"#,
        "operation 0 (test `/baz`): the value there is another",
    );
}

#[test]
fn a10_adding_a_nested_member_object() {
    gives(
        r#"{ "foo": "bar" }"#,
        r#"[{ "op": "add", "path": "/child", "value": { "grandchild": { } } }]"#,
        r#"{ "foo": "bar", "child": {"grandchild": {}} }"#,
    );
}

#[test]
fn a11_ignoring_unrecognized_elements() {
    gives(
        r#"{ "foo": "bar" }"#,
        r#"[{ "op": "add", "path": "/baz", "value": "qux", "xyz": 123 }]"#,
        r#"{ "foo": "bar", "baz": "qux" }"#,
    );
}

#[test]
fn a12_adding_to_a_nonexistent_target() {
    refused(
        r#"{ "foo": "bar" }"#,
        r#"[{ "op": "add", "path": "/baz/bat", "value": "qux" }]"#,
        "operation 0 (add `/baz/bat`): there is no member `baz`",
    );
}

#[test]
fn a13_invalid_json_patch_document() {
    refused(
        r#"{ "foo": "bar" }"#,
        r#"[{ "op": "add", "path": "/baz", "value": "qux", "op": "remove" }]"#,
        "operation 0: member `op` stands twice",
    );
}

#[test]
fn a14_escape_ordering() {
    let text = r#"{ "/": 9, "~1": 10 }"#;
    gives(
        text,
        r#"[{"op": "test", "path": "/~01", "value": 10}]"#,
        text,
    );
}

#[test]
fn a15_comparing_strings_and_numbers() {
    refused(
        r#"{ "/": 9, "~1": 10 }"#,
        r#"[{"op": "test", "path": "/~01", "value": "10"}]"#,
        "operation 0 (test `/~01`): the value there is another",
    );
}

#[test]
fn a16_adding_an_array_value() {
    gives(
        r#"{ "foo": ["bar"] }"#,
        r#"[{ "op": "add", "path": "/foo/-", "value": ["abc", "def"] }]"#,
        r#"{ "foo": ["bar", ["abc", "def"]] }"#,
    );
}
