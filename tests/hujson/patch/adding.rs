//! Where a new member or element goes and how it looks. Must not live here: the other operations.

use super::gives;

#[test]
fn to_an_expanded_object_with_a_trailing_comma() {
    gives(
        "{\n\t\"a\": 1, // one\n}\n",
        r#"[{"op":"add","path":"/b","value":2}]"#,
        "{\n\t\"a\": 1, // one\n\t\"b\": 2,\n}\n",
    );
}

#[test]
fn to_an_expanded_object_without_one() {
    gives(
        "{\n    \"a\": 1 // one\n}\n",
        r#"[{"op":"add","path":"/b","value":2}]"#,
        "{\n    \"a\": 1, // one\n    \"b\": 2\n}\n",
    );
}

#[test]
fn behind_the_comments_that_belong_to_the_last_member() {
    gives(
        "{\n\t\"a\": 1,\n\t// \"old\": 0,\n}\n",
        r#"[{"op":"add","path":"/b","value":2}]"#,
        "{\n\t\"a\": 1,\n\t// \"old\": 0,\n\t\"b\": 2,\n}\n",
    );
}

#[test]
fn before_the_comments_that_belong_to_nobody() {
    gives(
        "{\n\t\"a\": 1,\n\n\t// the end\n}\n",
        r#"[{"op":"add","path":"/b","value":2}]"#,
        "{\n\t\"a\": 1,\n\t\"b\": 2,\n\n\t// the end\n}\n",
    );
}

#[test]
fn at_the_front_of_an_array() {
    gives(
        "[ // list\n  // one\n  1,\n  2\n]",
        r#"[{"op":"add","path":"/0","value":0}]"#,
        "[ // list\n  0,\n  // one\n  1,\n  2\n]",
    );
}

#[test]
fn at_the_front_of_an_array_below_its_header() {
    let text = "[\n  // In this order.\n\n  // one\n  1,\n  2\n]";
    let longer = "[\n  // In this order.\n\n  0,\n  // one\n  1,\n  2\n]";
    gives(text, r#"[{"op":"add","path":"/0","value":0}]"#, longer);
    gives(longer, r#"[{"op":"remove","path":"/0"}]"#, text);
    gives(
        "[ // list\n  // header\n\n  // part one\n\n  1,\n]",
        r#"[{"op":"add","path":"/0","value":0}]"#,
        "[ // list\n  // header\n\n  0,\n  // part one\n\n  1,\n]",
    );
    gives(
        "[\n  /* header */\n\n  1]",
        "[{\"op\":\"add\",\"path\":\"/0\",\n// why\n\"value\":0}]",
        "[\n  /* header */\n\n  // why\n  0,\n  1]",
    );
}

#[test]
fn in_the_middle_of_an_array() {
    gives(
        "[\n  1, // one\n\n  // two\n  2,\n]",
        r#"[{"op":"add","path":"/1","value":1.5}]"#,
        "[\n  1, // one\n  1.5,\n\n  // two\n  2,\n]",
    );
}

#[test]
fn on_one_line() {
    gives(
        "[1,2]",
        r#"[{"op":"add","path":"/0","value":0}]"#,
        "[0,1,2]",
    );
    gives(
        "[1, 2]",
        r#"[{"op":"add","path":"/-","value":3}]"#,
        "[1, 2, 3]",
    );
    gives(
        "[ 1 ]",
        r#"[{"op":"add","path":"/0","value":0}]"#,
        "[ 0, 1 ]",
    );
    gives(
        "[1 /*one*/]",
        r#"[{"op":"add","path":"/1","value":2}]"#,
        "[1 /*one*/, 2]",
    );
    gives(
        "{\"a\": 1, /*one*/}",
        r#"[{"op":"add","path":"/b","value":2}]"#,
        "{\"a\": 1, /*one*/ \"b\": 2,}",
    );
    gives(
        "[/*one*/ 1]",
        r#"[{"op":"add","path":"/0","value":0}]"#,
        "[0, /*one*/ 1]",
    );
}

#[test]
fn behind_all_comments_of_what_has_become_the_last_element() {
    gives(
        "[1 /*one*/, /*two*/\n\n\t2]",
        r#"[{"op":"remove","path":"/1"},{"op":"add","path":"/-","value":3}]"#,
        "[1 /*one*/ /*two*/, 3]",
    );
}

#[test]
fn to_a_minified_text() {
    gives(
        r#"{"a":{"x":[]},"b":1}"#,
        r#"[{"op":"add","path":"/a/x/0","value":{"k":[1,2]}},{"op":"add","path":"/c","value":{}}]"#,
        r#"{"a":{"x":[{"k":[1,2]}]},"b":1,"c":{}}"#,
    );
}

#[test]
fn to_an_empty_composite() {
    gives(
        "{}",
        r#"[{"op":"add","path":"/a","value":[1,2]}]"#,
        "{\"a\": [1, 2]}",
    );
    gives("[ ]", r#"[{"op":"add","path":"/-","value":1}]"#, "[1]");
    gives(
        "{\n  \"a\": {\n  },\n}",
        r#"[{"op":"add","path":"/a/b","value":1}]"#,
        "{\n  \"a\": {\n    \"b\": 1,\n  },\n}",
    );
    gives(
        "{\n\t// nothing yet\n}",
        r#"[{"op":"add","path":"/b","value":1}]"#,
        "{\n\t// nothing yet\n\t\"b\": 1,\n}",
    );
    gives(
        "{\n  // nothing yet\n\n  // at all\n}",
        r#"[{"op":"add","path":"/b","value":{"c":"d"}}]"#,
        "{\n  // nothing yet\n\n  // at all\n  \"b\": {\"c\": \"d\"},\n}",
    );
    gives(
        "[ /* none */ ]",
        r#"[{"op":"add","path":"/0","value":1}]"#,
        "[ /* none */ 1]",
    );
}

#[test]
fn a_wide_value_in_canonical_layout() {
    gives(
        "{\n  \"acls\": [\n    {\"action\": \"accept\"},\n  ],\n}\n",
        r#"[{"op":"add","path":"/acls/-","value":{"action":"accept","src":["group:engineering","group:operations"],"dst":["tag:prod:22"]}}]"#,
        "{\n  \"acls\": [\n    {\"action\": \"accept\"},\n    {\n      \"action\": \"accept\",\n      \"src\":    [\"group:engineering\", \"group:operations\"],\n      \"dst\":    [\"tag:prod:22\"],\n    },\n  ],\n}\n",
    );
}

#[test]
fn in_the_column_of_the_members_above() {
    gives(
        "{\n\t\"alpha\": 1,\n\t\"be\":    2,\n}\n",
        r#"[{"op":"add","path":"/c","value":3}]"#,
        "{\n\t\"alpha\": 1,\n\t\"be\":    2,\n\t\"c\":     3,\n}\n",
    );
    gives(
        "{\n\t\"alpha\": 1,\n\t\"be\": 2,\n}\n",
        r#"[{"op":"add","path":"/c","value":3}]"#,
        "{\n\t\"alpha\": 1,\n\t\"be\": 2,\n\t\"c\": 3,\n}\n",
    );
}

#[test]
fn in_no_column_where_something_takes_several_lines() {
    gives(
        "{\n\t\"al\":   [\n\t\t1,\n\t],\n\t\"beta\": 2,\n}\n",
        r#"[{"op":"add","path":"/c","value":3}]"#,
        "{\n\t\"al\":   [\n\t\t1,\n\t],\n\t\"beta\": 2,\n\t\"c\": 3,\n}\n",
    );
    gives(
        "{\n\t\"alpha\": 1,\n\t\"be\":    2,\n}\n",
        "[{\"op\": \"add\", \"path\": \"/c\", \"value\": [\n3]}]",
        "{\n\t\"alpha\": 1,\n\t\"be\":    2,\n\t\"c\": [\n\t\t3,\n\t],\n}\n",
    );
}

#[test]
fn with_the_comments_around_the_value() {
    gives(
        "{\n\t\"a\": 1,\n}\n",
        "[{\"op\": \"add\", \"path\": \"/b\",\n  // above\n  // b\n  \"value\": [\n    1, // one\n  ], // behind\n}]",
        "{\n\t\"a\": 1,\n\t// above\n\t// b\n\t\"b\": [\n\t\t1, // one\n\t], // behind\n}\n",
    );
}

#[test]
fn with_comments_to_an_empty_composite() {
    gives(
        "{\n  \"x\": {}\n}",
        "[{\"op\": \"add\", \"path\": \"/x/a\",\n// why\n\"value\": [1]}]",
        "{\n  \"x\": {\n    // why\n    \"a\": [1]\n  }\n}",
    );
    gives(
        "{}",
        r#"[{"op":"add","path":"/a","value": /* one */ 1}]"#,
        r#"{/* one */ "a": 1}"#,
    );
    gives(
        "[ ]",
        "[{\"op\": \"add\", \"path\": \"/-\", \"value\": 1 // one\n}]",
        "[\n\t1 // one\n]",
    );
}

#[test]
fn a_line_comment_to_one_line() {
    gives(
        "[1, 2]",
        "[{\"op\": \"add\", \"path\": \"/1\", \"value\": 9 // nine\n}]",
        "[1,\n\t9, // nine\n2]",
    );
    gives(
        "[1, 2]",
        "[{\"op\": \"add\", \"path\": \"/-\",\n// three\n\"value\": 3}]",
        "[1, 2,\n\t// three\n\t3]",
    );
}

#[test]
fn over_an_existing_member_keeps_its_comments() {
    gives(
        "{\n  // about a\n  \"a\": /* ! */ 1, // one\n  \"b\": 2\n}",
        r#"[{"op":"add","path":"/a","value":{"x":1}}]"#,
        "{\n  // about a\n  \"a\": /* ! */ {\"x\": 1}, // one\n  \"b\": 2\n}",
    );
}

#[test]
fn names_are_escaped() {
    gives(
        "{}",
        r#"[{"op":"add","path":"/a~1\"\n~0","value":1}]"#,
        "{\"a/\\\"\\n~\": 1}",
    );
}

#[test]
fn literals_as_they_are_written() {
    gives(
        "{}",
        r#"[{"op":"add","path":"/a","value":["\ud800", 1.0e+2]}]"#,
        r#"{"a": ["\ud800", 1.0e+2]}"#,
    );
}

#[test]
fn to_a_list_that_begins_on_the_last_line_of_a_comment() {
    gives(
        "[ /*\n\t */ [\n\t\t//\n\t],\n]\n",
        r#"[{"op":"add","path":"/0/-","value":1}]"#,
        "[ /*\n\t */ [\n\t\t//\n\t\t1,\n\t],\n]\n",
    );
    gives(
        "[\n\t/*\n\n\t*/ null,\n]\n",
        r#"[{"op":"add","path":"/-","value":1}]"#,
        "[\n\t/*\n\n\t*/ null,\n\t1,\n]\n",
    );
}

#[test]
fn to_a_list_of_comments_alone_and_no_neighbour_moves() {
    gives(
        "{\n\t\"b\":    1,\n\t\"wide\": [\n\t\t// none\n\t],\n\t\"c\":    2,\n}\n",
        r#"[{"op":"add","path":"/wide/-","value":3}]"#,
        "{\n\t\"b\":    1,\n\t\"wide\": [\n\t\t// none\n\t\t3,\n\t],\n\t\"c\":    2,\n}\n",
    );
}
