//! Edits as values, of which the verbs on policies are made: they do what a JSON Patch with the same operations does.
//! Must not live here: patches (the files beside), the verbs on policies (tests/policy/verbs.rs).

use proptest::prelude::*;
use serde_json::json;
use tailnet_kit::hujson::{Edit, edit, patch, pointer};
use tailnet_kit::policy;

const TEXT: &str =
    "{\n  // head\n  \"a\": [1, /* two */ 2], // behind\n  \"b/c~d\": {\"e\": null},\n}\n";

fn put(path: &[&str], value: &str) -> Edit {
    Edit::Put {
        path: path.iter().map(|token| (*token).to_owned()).collect(),
        value: value.to_owned(),
    }
}

fn remove(path: &[&str]) -> Edit {
    Edit::Remove {
        path: path.iter().map(|token| (*token).to_owned()).collect(),
    }
}

#[test]
fn edits_are_made_in_turn_and_comments_stay() {
    let edits = [
        put(&["a", "0"], "0"),
        put(&["b/c~d", "e"], "[]"),
        remove(&["a", "2"]),
        put(&["f"], "true"),
    ];
    assert_eq!(
        edit(TEXT, &edits).as_deref().ok(),
        Some(
            "{\n  // head\n  \"a\": [0, 1], // behind\n  \"b/c~d\": {\"e\": []},\n  \"f\": true,\n}\n"
        )
    );
}

#[test]
fn comments_around_a_value_come_along() {
    let edits = [
        put(&["a"], "[]"),
        put(&["a", "-"], "// why\n{\"x\": 1} // so\n"),
    ];
    assert_eq!(
        edit("{\n  \"b\": 1,\n}", &edits).as_deref().ok(),
        Some("{\n  \"b\": 1,\n  \"a\": [\n    // why\n    {\"x\": 1}, // so\n  ],\n}")
    );
}

#[test]
fn lines_keep_their_ends() {
    let text = TEXT.replace('\n', "\r\n");
    let edited = edit(&text, &[put(&["a", "-"], "{\r\n\"x\": 1}")]).expect("an edit");
    assert_eq!(edited.matches('\n').count(), edited.matches("\r\n").count());
}

#[test]
fn an_edit_that_cannot_be_done_says_which_and_why() {
    let edits = [put(&["f"], "1"), remove(&["b/c~d", "nothing"])];
    let error = edit(TEXT, &edits).expect_err("no such member");
    assert_eq!(error.operation(), Some(1));
    assert!(
        error.to_string().contains("(remove `/b~1c~0d/nothing`)"),
        "{error}"
    );
    let error = edit(TEXT, &[put(&["f"], "{")]).expect_err("no value");
    assert_eq!(
        (error.operation(), error.code()),
        (Some(0), tailnet_kit::Code::JsonPatch)
    );
    let error = edit("{", &[put(&["f"], "1")]).expect_err("no text");
    assert_eq!(error.code(), "hujson_syntax");
}

fn path() -> impl Strategy<Value = Vec<String>> {
    let token = prop::sample::select(vec!["a", "b/c~d", "e", "0", "1", "-", "new"]);
    prop::collection::vec(token.prop_map(str::to_owned), 0..3)
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let value = prop::sample::select(vec![
        "1",
        "\"x\"",
        "[]",
        "{}",
        "[1, {\"y\": []}]",
        "{\"z\": null}",
    ]);
    prop_oneof![
        3 => (path(), value).prop_map(|(path, value)| Edit::Put { path, value: value.to_owned() }),
        1 => path().prop_map(|path| Edit::Remove { path }),
        1 => (path(), path()).prop_map(|(from, path)| Edit::Move { from, path }),
    ]
}

proptest! {
    #[test]
    fn an_edit_does_what_the_same_operation_of_a_patch_does(edits in prop::collection::vec(any_edit(), 0..4)) {
        let pointer = |path: &[String]| path.iter().map(|token| format!("/{}", pointer::escape(token))).collect::<String>();
        let operation = |edit: &Edit| match edit {
            Edit::Put { path, value } => {
                let path = json!(pointer(path));
                format!("{{\"op\": \"add\", \"path\": {path}, \"value\": {value}}}")
            }
            Edit::Remove { path } => json!({"op": "remove", "path": pointer(path)}).to_string(),
            Edit::Move { from, path } => {
                json!({"op": "move", "from": pointer(from), "path": pointer(path)}).to_string()
            }
        };
        let operations: Vec<String> = edits.iter().map(operation).collect();
        let patched = patch(TEXT, &format!("[{}]", operations.join(",")));
        prop_assert_eq!(edit(TEXT, &edits), patched);
    }
}

#[test]
fn a_section_that_a_verb_makes_looks_like_its_document() {
    let member = ["a@x".to_owned()];
    assert_eq!(
        policy::edit::set_group("{\"acls\":[]}", "group:a", Some(&member))
            .as_deref()
            .ok(),
        Some("{\"acls\":[],\"groups\":{\"group:a\":[\"a@x\"]}}")
    );
    assert_eq!(
        policy::edit::set_host("{\n  \"acls\": [],\n}\n", "h", Some("10.0.0.1"))
            .as_deref()
            .ok(),
        Some("{\n  \"acls\": [],\n  \"hosts\": {\"h\": \"10.0.0.1\"},\n}\n")
    );
}
