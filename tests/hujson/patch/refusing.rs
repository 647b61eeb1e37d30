//! What is refused, in which words. Must not live here: what is carried out.

use tailnet_kit::hujson::patch;

use super::refused;

#[test]
fn what_is_missing_or_no_index() {
    for (pointer, reason) in [
        ("/a/3", "index 3 is out of range: there are 2 elements"),
        ("/a/-", "`-` names the place behind the last element"),
        ("/a/01", "`01` is no array index"),
        ("/a/+1", "`+1` is no array index"),
        ("/a/1e0", "`1e0` is no array index"),
        ("/a/", "`` is no array index"),
        ("/a/x", "`x` is no array index"),
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
fn an_index_behind_the_end() {
    refused(
        "[1]",
        r#"[{"op":"add","path":"/2","value":1}]"#,
        "operation 0 (add `/2`): index 2 is out of range: there are 1 elements",
    );
}

#[test]
fn a_value_moved_into_itself() {
    refused(
        r#"{"a": {"b": 1}}"#,
        r#"[{"op":"move","from":"/a","path":"/a/b"}]"#,
        "operation 0 (move `/a/b`): `/a` cannot be moved into itself",
    );
}

#[test]
fn the_top_value_removed() {
    refused(
        "{}",
        r#"[{"op":"remove","path":""}]"#,
        "operation 0 (remove ``): the top value cannot be removed",
    );
}

#[test]
fn what_is_no_patch() {
    for (operations, message) in [
        ("{}", "the operations must be an array"),
        ("[1]", "operation 0: an operation must be an object"),
        (r#"[{"path":"/a"}]"#, "operation 0: member `op` is missing"),
        (
            r#"[{"op":"add","value":1}]"#,
            "operation 0: member `path` is missing",
        ),
        (
            r#"[{"op":"add","path":"/a"}]"#,
            "operation 0: member `value` is missing",
        ),
        (
            r#"[{"op":"move","path":"/a"}]"#,
            "operation 0: member `from` is missing",
        ),
        (
            r#"[{"op":1,"path":"/a"}]"#,
            "operation 0: member `op` must be a string",
        ),
        (
            r#"[{"op":"remove","path":"a"}]"#,
            "operation 0: member `path` is no JSON Pointer: `a`",
        ),
        (
            r#"[{"op":"remove","path":"/~2"}]"#,
            "operation 0: member `path` is no JSON Pointer: `/~2`",
        ),
        (
            r#"[{"op":"Add","path":"/a","value":1}]"#,
            "operation 0: there is no operation `Add`",
        ),
        (
            "[",
            "the operations are no JSON: hujson: line 1, column 2: parsing value: unexpected EOF",
        ),
    ] {
        let error = refused("{}", operations, message);
        assert_eq!(error.code(), "json_patch");
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
    assert_eq!((error.operation(), error.code()), (Some(1), "json_patch"));
}

#[test]
fn a_text_that_is_no_hujson() {
    let error = refused(
        "[,]",
        "[]",
        "hujson: line 1, column 2: invalid character ',' at start of value",
    );
    assert_eq!((error.operation(), error.code()), (None, "hujson_syntax"));
    assert_eq!(error.syntax_error().unwrap().position().column, 2);
}

#[test]
fn what_would_be_nested_too_deep() {
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
