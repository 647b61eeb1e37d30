//! The language service on the structure of a text: outline, folds, selections, tokens, names.
//! Must not live here: completion and what needs a verdict (tests/policy/service/diagnostics.rs).

use serde_json::{Value, json};
use tailnet_kit::policy::service::{self, TextRange, TokenType};

const TEXT: &str = r#"// Who may
// reach what.
{
  "groups": {
    "group:dev": ["ann@example.com", "bob@example.com"],
  },
  "tagOwners": {"tag:db": ["group:dev"]},
  "acls": [
    // The one rule.
    {
      "action": "accept",
      "src": ["group:dev"],
      "dst": ["tag:db:80,443", "10.0.0.1:*"],
    },
  ],
  "tests": [{"src": "group:dev", "accept": ["tag:db:80"]}],
}
"#;

fn json(answer: impl serde::Serialize) -> Value {
    serde_json::to_value(answer).expect("JSON")
}

/// The part of the text, or its place, between two bytes of an answer.
fn part(text: &str, range: &Value) -> String {
    let at = |name: &str| range[name].as_u64().expect("a place") as usize;
    text[at("from")..at("to")].to_owned()
}

fn find(part: &str) -> usize {
    TEXT.find(part).unwrap_or_else(|| panic!("{part}"))
}

#[test]
fn the_outline_has_sections_names_rules_and_tests() {
    let symbols = json(service::symbols(TEXT));
    let short = |symbol: &Value| {
        format!(
            "{} {}",
            symbol["kind"].as_str().unwrap(),
            symbol["name"].as_str().unwrap()
        )
    };
    let mut lines = Vec::new();
    for section in symbols.as_array().unwrap() {
        lines.push(short(section));
        for child in section["children"].as_array().unwrap() {
            lines.push(format!(
                "  {}: {}",
                short(child),
                child["detail"].as_str().unwrap_or("-")
            ));
        }
    }
    let wanted = [
        "section groups",
        "  group group:dev: ann@example.com, bob@example.com",
        "section tagOwners",
        "  tag tag:db: group:dev",
        "section acls",
        "  rule group:dev → tag:db:80,443, 10.0.0.1:*: -",
        "section tests",
        "  test group:dev → tag:db:80: -",
    ];
    assert_eq!(lines, wanted);
    let group = &symbols[0]["children"][0];
    assert_eq!(part(TEXT, &group["selection"]), "\"group:dev\"");
    assert!(part(TEXT, &group["range"]).ends_with("\"bob@example.com\"]"));
}

#[test]
fn values_over_several_lines_can_be_folded() {
    let folds = json(service::folding(TEXT));
    let kinds: Vec<_> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| fold["kind"].clone())
        .collect();
    assert_eq!(kinds, ["comment", "section", "section", "entry"]);
    assert_eq!(part(TEXT, &folds[0]), "\n// reach what.");
    assert!(part(TEXT, &folds[3]).starts_with("\n      \"action\""));
}

#[test]
fn a_selection_grows_from_the_part_of_a_string_to_the_text() {
    let ranges = json(service::selection(TEXT, find("db:80,443")));
    let parts: Vec<_> = ranges
        .as_array()
        .unwrap()
        .iter()
        .map(|range| part(TEXT, range))
        .collect();
    let first: Vec<_> = parts.iter().take(5).map(String::as_str).collect();
    let list = r#"["tag:db:80,443", "10.0.0.1:*"]"#;
    let member = format!("\"dst\": {list}");
    assert_eq!(
        first,
        [
            "tag:db",
            "tag:db:80,443",
            "\"tag:db:80,443\"",
            list,
            &member
        ]
    );
    assert_eq!(parts.last().map(String::as_str), Some(TEXT));
    assert!(
        parts
            .windows(2)
            .all(|pair| pair[1].contains(&pair[0]) && pair[0] != pair[1])
    );
}

#[test]
fn tokens_say_what_is_in_strings() {
    let tokens = json(service::tokens(TEXT, None));
    let tokens = tokens.as_array().unwrap();
    let shown =
        |token: &Value| format!("{} {}", token["type"].as_str().unwrap(), part(TEXT, token));
    let line = |start: &str| {
        let from = find(start) as u64;
        let to = from + TEXT[from as usize..].find('\n').unwrap() as u64;
        let inside = tokens
            .iter()
            .filter(|t| (from..to).contains(&t["from"].as_u64().unwrap()));
        inside.map(shown).collect::<Vec<_>>()
    };
    let wanted = [
        "key \"dst\"",
        "punctuation :",
        "punctuation [",
        "string \"",
        "tag tag:db",
        "string :",
        "port 80,443",
        "string \"",
        "punctuation ,",
        "string \"",
        "address 10.0.0.1",
        "string :",
        "port *",
        "string \"",
        "punctuation ]",
        "punctuation ,",
    ];
    assert_eq!(line("\"dst\": [\"tag:db:80"), wanted);
    assert_eq!(shown(&tokens[0]), "comment // Who may");
    let defined: Vec<_> = tokens
        .iter()
        .filter(|token| token["definition"] == json!(true))
        .map(shown)
        .collect();
    assert_eq!(defined, ["group group:dev", "tag tag:db"]);
    assert!(
        tokens
            .windows(2)
            .all(|pair| pair[0]["to"].as_u64() <= pair[1]["from"].as_u64())
    );
}

#[test]
fn tokens_of_a_range_are_those_that_touch_it() {
    let from = find("\"tests\"");
    let range = TextRange { from, to: from + 7 };
    let tokens = json(service::tokens(TEXT, Some(range)));
    let shown: Vec<_> = tokens
        .as_array()
        .unwrap()
        .iter()
        .map(|token| part(TEXT, token))
        .collect();
    assert_eq!(shown, ["\"tests\"", ":"]);
}

#[test]
fn text_that_is_not_hujson_is_invalid() {
    let text = r#"{acls: [{"src": nobody, "dst": ["tag:db:2"#;
    let tokens = json(service::tokens(text, None));
    let shown: Vec<_> = tokens
        .as_array()
        .unwrap()
        .iter()
        .filter(|token| token["type"] != "punctuation")
        .map(|token| format!("{} {}", token["type"].as_str().unwrap(), part(text, token)))
        .collect();
    let wanted = [
        "key acls",
        "key \"src\"",
        "invalid nobody",
        "key \"dst\"",
        "string \"",
        "tag tag:db",
        "string :",
        "port 2",
    ];
    assert_eq!(shown, wanted);
}

#[test]
fn a_name_leads_to_its_definition_and_all_its_places() {
    let at = find("group:dev\"],\n      \"dst\"") + 3;
    let definition = json(service::definition(TEXT, at));
    assert_eq!(definition["from"], json!(find("group:dev\": [")));
    let references = json(service::references(TEXT, at));
    let shown: Vec<_> = references
        .as_array()
        .unwrap()
        .iter()
        .map(|place| {
            format!(
                "{} {}",
                place["pointer"].as_str().unwrap(),
                place["definition"]
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "/groups/group:dev true",
            "/tagOwners/tag:db/0 false",
            "/acls/0/src/0 false",
            "/tests/0/src false"
        ]
    );
    assert_eq!(json(service::definition(TEXT, find("ann@"))), Value::Null);
    assert_eq!(
        json(service::references(TEXT, find("accept\","))),
        json!([])
    );
}

#[test]
fn a_word_without_the_prefix_of_its_place_cannot_be_renamed() {
    let text = r#"{"hosts": {"gr": "10.0.0.1"}, "groups": {"gr"#;
    assert_eq!(json(service::renameable(text, text.len())), Value::Null);
    service::rename_at(text, text.len(), "hx").expect_err("a group without its prefix");
}

#[test]
fn a_name_is_renamed_in_broken_text_too() {
    let at = find("tag:db:80,443");
    assert_eq!(
        json(service::renameable(TEXT, at)),
        json!({"from": at, "to": at + 6, "name": "tag:db", "kind": "tag"})
    );
    assert_eq!(
        json(service::renameable(TEXT, find("10.0.0.1"))),
        Value::Null
    );
    let broken = TEXT.trim_end().trim_end_matches('}');
    let edits = json(service::rename_at(broken, at, "store").expect("a name"));
    let places: Vec<_> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| part(broken, edit))
        .collect();
    assert_eq!(places, ["tag:db"; 3]);
    assert_eq!(edits[0]["insert"], "tag:store");
    let error = service::rename_at(TEXT, at, "tag:1").expect_err("no tag");
    assert!(error.contains("not a valid tag"), "{error}");
    assert!(service::rename_at(TEXT, find("10.0.0.1"), "x").is_err());
}

#[test]
fn each_type_of_token_has_its_number() {
    for (at, kind) in TokenType::all().into_iter().enumerate() {
        assert_eq!(kind.number() as usize, at);
    }
}
