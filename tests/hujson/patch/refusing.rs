//! Refused patches that a document cannot show: error codes and places, limits. Must not live here: patches that succeed.

use tailnet_kit::hujson::patch;

use super::refused;

#[test]
fn paths_that_are_missing_or_not_an_index() {
    for (pointer, reason) in [
        ("/a/3", "index 3 is out of range: there are 2 elements"),
        ("/a/-", "`-` names the place after the last element"),
        ("/a/01", "`01` is not an array index"),
        ("/a/+1", "`+1` is not an array index"),
        ("/a/1e0", "`1e0` is not an array index"),
        ("/a/", "`` is not an array index"),
        ("/a/x", "`x` is not an array index"),
        ("/b", "there is no member `b`"),
        ("/", "there is no member ``"),
        ("/n/x", "a literal has no member `x`"),
        ("/n/x/y", "a literal has no member `x`"),
    ] {
        for (name, rest) in [
            ("remove", ""),
            ("replace", r#","value":1"#),
            ("test", r#","value":1"#),
        ] {
            refused(
                r#"{"a": [1, 2], "n": 1}"#,
                &format!(r#"[{{"op":"{name}","path":"{pointer}"{rest}}}]"#),
                &format!("operation 0 ({name} `{pointer}`): {reason}"),
            );
        }
    }
}

#[test]
fn by_the_index_of_the_operation() {
    let operations = r#"[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}]"#;
    let error = refused(
        "{}",
        operations,
        "operation 1 (remove `/b`): there is no member `b`",
    );
    assert_eq!(
        (error.operation(), error.code()),
        (Some(1), tailnet_kit::Code::JsonPatch)
    );
}

#[test]
fn a_text_that_is_not_hujson() {
    let error = refused(
        "[,]",
        "[]",
        "hujson: line 1, column 2: invalid character ',' at start of value",
    );
    assert_eq!(
        (error.operation(), error.code()),
        (None, tailnet_kit::Code::HujsonSyntax)
    );
    assert_eq!(error.syntax_error().unwrap().position().column, 2);
}

#[test]
fn values_that_would_be_nested_too_deep() {
    let depth = tailnet_kit::hujson::MAX_DEPTH;
    let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let path = "/0".repeat(depth - 1);
    assert!(
        patch(
            &text,
            &format!(r#"[{{"op":"add","path":"{path}/0","value":1}}]"#)
        )
        .is_ok()
    );
    let error = patch(
        &text,
        &format!(r#"[{{"op":"add","path":"{path}/0","value":[]}}]"#),
    )
    .unwrap_err();
    assert_eq!(
        error.reason(),
        "the result would be nested deeper than 512 levels"
    );
}

#[test]
fn copies_of_copies_without_end() {
    let text = format!("[\"{}\"]", "x".repeat(1 << 20));
    let operation = r#"{"op":"copy","from":"","path":"/-"},"#;
    let operations = format!("[{}]", operation.repeat(60));
    assert_eq!(patch(&text, &operations).unwrap_err().operation(), Some(5));
}
