//! The policy text on the wire: its formats, the condition of a write, every byte and the tag (docs/service.md#policy).
//! Must not live here: verdicts on a policy (`perform.rs`).

use crate::service::{POLICY, service};

const ACL: &str = "/api/v2/tailnet/corp.example/acl";

/// docs/service.md#policy
#[test]
fn json_is_returned_only_where_accept_names_it() {
    let named = [
        "application/json",
        "application/json;q=0.9, */*",
        "text/html, Application/JSON",
        "application/json; charset=utf-8",
    ];
    let unnamed = [
        "",
        "*/*",
        "application/*",
        "application/hujson",
        "text/json",
        "application/json;q=0",
    ];
    for (accepts, media_type) in [
        (&named[..], "application/json"),
        (&unnamed[..], "application/hujson"),
    ] {
        for accept in accepts {
            let headers: &[(&str, &str)] = if accept.is_empty() {
                &[]
            } else {
                &[("accept", accept)]
            };
            for (method, body) in [("GET", ""), ("POST", POLICY)] {
                let answer = service().ask(method, ACL, headers, body);
                assert_eq!(
                    answer.header("content-type"),
                    Some(media_type),
                    "{method} with `{accept}`"
                );
            }
        }
    }
}

/// docs/service.md#policy
#[test]
fn the_condition_of_a_write() {
    let current = service().get(ACL).etag();
    let bare = current.trim_matches('"').to_owned();
    let listed = format!("\"other\", {current}");
    let weak = format!("W/{current}");
    // A Go client quotes the tag (`%q`), even one that is quoted already.
    let twice = format!("{current:?}");
    for (condition, status) in [
        (current.as_str(), 200),
        (bare.as_str(), 200),
        ("*", 200),
        (listed.as_str(), 200),
        (twice.as_str(), 200),
        ("ts-default", 200),
        ("\"ts-default\"", 200),
        ("\"0\"", 412),
        (weak.as_str(), 412),
        ("", 412),
    ] {
        let mut service = service();
        let answer = service.ask("POST", ACL, &[("if-match", condition)], "{}");
        assert_eq!(answer.0.status, status, "{condition}");
        assert_eq!(
            service.get(ACL).text(),
            if status == 200 { "{}" } else { POLICY },
            "{condition}"
        );
    }
    let mut changed = service();
    changed.post(ACL, "{}");
    changed
        .ask("POST", ACL, &[("if-match", "\"ts-default\"")], "{}")
        .refuses(412, "");
    let saved = changed.0.state().to_json();
    let mut restarted = service();
    restarted.0.restore_json(&saved).expect("a snapshot");
    restarted
        .ask("POST", ACL, &[("if-match", "ts-default")], "{}")
        .refuses(412, "");
}

/// `printf '{}\n' | sha256sum`, and so on: the texts in the layout of the reference formatter, which ends with a line break.
const TAGS: [(&str, &[&str]); 3] = [
    (
        "\"ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356\"",
        &["{}", "{} ", "\n{}", "{}\r\n", "\t{\r}\u{0020}"],
    ),
    (
        "\"99da70d87d436657826c1b97333561071acd862a637dbd3d6dca12dd0eb09ceb\"",
        &["{\"acls\":[ ],}", "{\"acls\": []}\n"],
    ),
    (
        "\"b5106be160a9b5354c186df3fea5c25fcaf2855a0dad64015b170e07a24c7b02\"",
        &["{ /* ü \u{1F600} */ }"],
    ),
];

/// docs/service.md#policy
#[test]
fn every_byte_comes_back_and_the_tag_is_that_of_the_canonical_layout() {
    let mut service = service();
    for (tag, texts) in TAGS {
        for text in texts {
            let answer = service.post(ACL, text);
            assert_eq!(answer.text(), *text);
            assert_eq!(service.get(ACL).text(), *text);
            assert_eq!(answer.etag(), tag, "{text:?}");
            assert_eq!(service.get(ACL).etag(), tag, "{text:?}");
        }
    }
}
