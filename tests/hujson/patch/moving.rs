//! Moves and copies, and their comments. Must not live here: the other operations.

use super::gives;

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

#[test]
fn the_only_member_keeps_its_line_under_a_new_name() {
    let renamed = r#"[{"op":"move","from":"/a","path":"/b"}]"#;
    gives("{\n\t\"a\": 1,\n}\n", renamed, "{\n\t\"b\": 1,\n}\n");
    gives("{\n  \"a\": 1\n}\n", renamed, "{\n  \"b\": 1\n}\n");
    gives(
        "{\n\n  // above\n  \"a\": [1], // behind\n\n}",
        renamed,
        "{\n  // above\n  \"b\": [1], // behind\n}",
    );
    gives("{ \"a\": 1 }", renamed, "{\"b\": 1}");
    gives("{\"a\":1}", renamed, "{\"b\":1}");
}

#[test]
fn what_comes_after_the_last_one_stands_as_it_did() {
    gives(
        "{\n  \"groups\": {\n    \"group:a\": [\"x@y.z\"],\n  },\n}\n",
        r#"[{"op":"remove","path":"/groups/group:a"},{"op":"add","path":"/groups/group:b","value":[]}]"#,
        "{\n  \"groups\": {\n    \"group:b\": [],\n  },\n}\n",
    );
    gives(
        "[\n  1\n]\n",
        r#"[{"op":"remove","path":"/0"},{"op":"add","path":"/-","value":{"a":[2]}}]"#,
        "[\n  {\"a\": [2]}\n]\n",
    );
    gives(
        "{\"a\": [\n 1,\n], \"b\": 2}",
        r#"[{"op":"remove","path":"/a/0"},{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/c/0","value":3}]"#,
        "{\"a\": [], \"b\": 2, \"c\": [3]}",
    );
}
