//! Moves and copies, and their comments. Must not live here: the other operations.

use crate::gives;

#[test]
fn to_another_depth_with_comments() {
    gives(
        "{\n  \"a\": {\n    // above\n    \"x\": [\n      1, // one\n      /* two\n         lines */\n      2\n    ], // behind\n    \"y\": 1\n  },\n  \"b\": 2\n}",
        r#"[{"op":"move","from":"/a/x","path":"/z"}]"#,
        "{\n  \"a\": {\n    \"y\": 1\n  },\n  \"b\": 2,\n  // above\n  \"z\": [\n    1, // one\n    /* two\n       lines */\n    2\n  ] // behind\n}",
    );
}

#[test]
fn onto_itself_changes_nothing() {
    let text = "{\"a\": [1, /*2*/ 2,]}";
    gives(text, r#"[{"op":"move","from":"/a/1","path":"/a/1"}]"#, text);
}

#[test]
fn over_the_top_value() {
    gives(
        "// header\n{\"a\": [1, /*2*/ 2,]} // footer\n",
        r#"[{"op":"move","from":"/a","path":""}]"#,
        "// header\n[1, /*2*/ 2,] // footer\n",
    );
}

#[test]
fn copies_keep_the_original() {
    gives(
        "{\n\t// above\n\t\"a\": [1,], // behind\n}\n",
        r#"[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/0","value":0}]"#,
        "{\n\t// above\n\t\"a\": [1,], // behind\n\t// above\n\t\"b\": [0, 1,], // behind\n}\n",
    );
}

#[test]
fn the_top_value_can_be_copied_into_itself() {
    gives(
        r#"{"a": 1}"#,
        r#"[{"op":"copy","from":"","path":"/b"}]"#,
        r#"{"a": 1, "b": {"a": 1}}"#,
    );
}
