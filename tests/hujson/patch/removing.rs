//! What a removed member takes along and what it leaves. Must not live here: the other operations.

use super::gives;

const TEXT: &str = "{\n\
    \t// header\n\
    \n\
    \t// above a\n\
    \t\"a\": 1, // behind a\n\
    \t// below a\n\
    \n\
    \t// above b\n\
    \t\"b\": 2, /* behind b */\n\
    \t\"c\": 3,\n\
    \t// below c\n\
    }\n";

#[test]
fn takes_the_comments_that_belong_to_the_member() {
    gives(
        TEXT,
        r#"[{"op":"remove","path":"/a"}]"#,
        "{\n\t// header\n\n\t// above b\n\t\"b\": 2, /* behind b */\n\t\"c\": 3,\n\t// below c\n}\n",
    );
    gives(
        TEXT,
        r#"[{"op":"remove","path":"/b"}]"#,
        "{\n\t// header\n\n\t// above a\n\t\"a\": 1, // behind a\n\t// below a\n\n\t\"c\": 3,\n\t// below c\n}\n",
    );
    gives(
        TEXT,
        r#"[{"op":"remove","path":"/c"}]"#,
        "{\n\t// header\n\n\t// above a\n\t\"a\": 1, // behind a\n\t// below a\n\n\t// above b\n\t\"b\": 2, /* behind b */\n}\n",
    );
}

#[test]
fn all_members_leaves_the_comments_of_none() {
    gives(
        TEXT,
        r#"[{"op":"remove","path":"/a"},{"op":"remove","path":"/b"},{"op":"remove","path":"/c"}]"#,
        "{\n\t// header\n}\n",
    );
}

#[test]
fn the_last_without_trailing_comma() {
    gives(
        "{\n  \"a\": 1, // one\n  \"b\": 2 // two\n}",
        r#"[{"op":"remove","path":"/b"}]"#,
        "{\n  \"a\": 1 // one\n}",
    );
}

#[test]
fn the_comma_goes_with_the_space_before_it() {
    gives("[1 , 2]", r#"[{"op":"remove","path":"/1"}]"#, "[1]");
    gives(
        "[\n  1\n  , 2\n  , 3\n]",
        r#"[{"op":"remove","path":"/2"}]"#,
        "[\n  1\n  , 2\n]",
    );
    gives(
        "[1 /*one*/ , 2]",
        r#"[{"op":"remove","path":"/1"}]"#,
        "[1 /*one*/ ]",
    );
}

#[test]
fn the_only_one() {
    gives(
        "{\n\t\"a\": 1,\n}\n",
        r#"[{"op":"remove","path":"/a"}]"#,
        "{}\n",
    );
    gives("[ 1 ]", r#"[{"op":"remove","path":"/0"}]"#, "[]");
}

#[test]
fn on_one_line() {
    gives("[1, 2, 3]", r#"[{"op":"remove","path":"/0"}]"#, "[2, 3]");
    gives("[1, 2, 3]", r#"[{"op":"remove","path":"/1"}]"#, "[1, 3]");
    gives(
        "[ 1, 2, 3 ]",
        r#"[{"op":"remove","path":"/2"}]"#,
        "[ 1, 2 ]",
    );
    gives(
        "[1, /*two*/ 2, 3]",
        r#"[{"op":"remove","path":"/1"}]"#,
        "[1, 3]",
    );
    gives(
        "[1 /*one*/, 2]",
        r#"[{"op":"remove","path":"/1"}]"#,
        "[1 /*one*/]",
    );
}

#[test]
fn on_lines_with_several() {
    gives(
        "[\n  1, 2,\n  3\n]",
        r#"[{"op":"remove","path":"/0"}]"#,
        "[\n  2,\n  3\n]",
    );
    gives(
        "[\n  1, 2,\n  3\n]",
        r#"[{"op":"remove","path":"/1"}]"#,
        "[\n  1,\n  3\n]",
    );
    gives(
        "[\n  1, 2,\n  3]",
        r#"[{"op":"remove","path":"/2"}]"#,
        "[\n  1, 2]",
    );
}

#[test]
fn leaves_one_blank_line() {
    gives(
        "[\n\t1,\n\n\t2,\n\n\t3,\n]",
        r#"[{"op":"remove","path":"/1"}]"#,
        "[\n\t1,\n\n\t3,\n]",
    );
    gives(
        "[\n\t1,\n\n\t2,\n]",
        r#"[{"op":"remove","path":"/1"}]"#,
        "[\n\t1,\n]",
    );
    gives(
        "[\n\t1,\n\n\t2,\n]",
        r#"[{"op":"remove","path":"/0"}]"#,
        "[\n\t2,\n]",
    );
}

#[test]
fn repeated_names_go_together() {
    gives(
        r#"{"a": 1, "b": 2, "a": 3}"#,
        r#"[{"op":"remove","path":"/a"}]"#,
        r#"{"b": 2}"#,
    );
}
