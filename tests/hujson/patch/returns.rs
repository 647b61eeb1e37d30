//! Texts whose lines end in CR LF. Must not live here: cases in which the line ends do not matter.

use proptest::prelude::*;
use serde_json::json;
use tailnet_kit::hujson::{parse, patch};

use super::gives;
use crate::texts::{self, Extra, plain};

const TEXT: &str =
    "{\r\n\t// about a\r\n\t\"a\": 1, // one\r\n\t\"b\": [\r\n\t\t1,\r\n\t],\r\n}\r\n";

#[test]
fn a_new_member_ends_as_its_neighbours_do() {
    gives(
        TEXT,
        r#"[{"op":"add","path":"/c","value":3}]"#,
        "{\r\n\t// about a\r\n\t\"a\": 1, // one\r\n\t\"b\": [\r\n\t\t1,\r\n\t],\r\n\t\"c\": 3,\r\n}\r\n",
    );
    gives(
        "{\r\n}\r\n",
        r#"[{"op":"add","path":"/a","value":1}]"#,
        "{\r\n\t\"a\": 1\r\n}\r\n",
    );
}

#[test]
fn comments_move_and_go_in_whole_lines() {
    gives(
        TEXT,
        r#"[{"op":"move","from":"/a","path":"/z"}]"#,
        "{\r\n\t\"b\": [\r\n\t\t1,\r\n\t],\r\n\t// about a\r\n\t\"z\": 1, // one\r\n}\r\n",
    );
    gives(
        TEXT,
        r#"[{"op":"remove","path":"/a"}]"#,
        "{\r\n\t\"b\": [\r\n\t\t1,\r\n\t],\r\n}\r\n",
    );
}

#[test]
fn operations_may_have_other_line_ends_than_the_text() {
    let want = "[\n\t// two\n\t2,\n]\n";
    gives(
        "[\n]\n",
        "[{\"op\": \"add\", \"path\": \"/0\",\r\n// two\r\n\"value\": 2}]\r\n",
        &want.replace(",\n]", "\n]"),
    );
    gives(
        "[\r\n\t1,\r\n]\r\n",
        "[{\"op\": \"replace\", \"path\": \"/0\",\n// two\n\"value\": 2}]\n",
        &want.replace('\n', "\r\n"),
    );
}

#[test]
fn an_error_has_its_place_in_the_text() {
    for text in ["{\r\n\"a\": 'x',\r\n}", "[\r\n\"a\r\n"] {
        let error = patch(text, "[]").expect_err("no HuJSON");
        assert_eq!(error.syntax_error(), parse(text).err().as_ref());
        assert_eq!(error.code(), tailnet_kit::Code::HujsonSyntax);
    }
}

proptest! {
    #[test]
    fn lines_stay_what_they_are(text in texts::text(Extra::Comments), index in 0..3_usize) {
        let text = text.replace('\r', "").replace('\n', "\r\n");
        for operation in [
            json!({"op": "add", "path": "/new", "value": [1, {"a": "b".repeat(80)}]}),
            json!({"op": "add", "path": format!("/{index}"), "value": 1}),
            json!({"op": "remove", "path": format!("/{index}")}),
            json!({"op": "remove", "path": "/a"}),
            json!({"op": "copy", "from": "/a", "path": "/b"}),
        ] {
            let operations = json!([operation]).to_string();
            let feeds = text.replace('\r', "");
            match patch(&text, &operations) {
                Ok(out) => {
                    prop_assert_eq!(&plain(&out), &plain(&patch(&feeds, &operations).unwrap()));
                    // A text without a line break has no kind of its own.
                    let returns = out.matches("\r\n").count();
                    prop_assert!(!text.contains('\n') || returns == out.matches('\n').count());
                    prop_assert!(returns == out.matches('\r').count());
                }
                Err(_) => prop_assert!(patch(&feeds, &operations).is_err()),
            }
        }
    }
}
