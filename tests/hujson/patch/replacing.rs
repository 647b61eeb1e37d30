//! What a replaced value leaves as it was. Must not live here: the other operations.

use super::gives;

#[test]
fn only_the_value_changes() {
    gives(
        "{\n  \"a\" : /*x*/ [1,2] /*y*/ , // z\n}",
        r#"[{"op":"replace","path":"/a","value":"new"}]"#,
        "{\n  \"a\" : /*x*/ \"new\" /*y*/ , // z\n}",
    );
}

#[test]
fn the_top_value() {
    gives(
        "// header\n{\"a\": 1}\n// footer\n",
        r#"[{"op":"replace","path":"","value":[1]}]"#,
        "// header\n[1]\n// footer\n",
    );
    gives("1", r#"[{"op":"add","path":"","value":null}]"#, "null");
}

#[test]
fn comments_of_the_new_value_take_the_place_of_the_old() {
    gives(
        "{\n\t// old\n\t\"a\": 1, // old\n\n\t// other\n}",
        "[{\"op\":\"replace\",\"path\":\"/a\",\n// new\n\"value\":2 // new too\n}]",
        "{\n\t// new\n\t\"a\": 2, // new too\n\n\t// other\n}",
    );
    gives(
        "[\n\t1, // old\n\t// old too\n]",
        "[{\"op\":\"replace\",\"path\":\"/0\",\"value\":2 // new\n}]",
        "[\n\t2, // new\n]",
    );
}
