//! The JSON Schema of the policy file: plain JSON with every key of the language, described.
//! Must not live here: what it accepts and refuses (`tests/js/checks/schema.mjs`, by a validator).

use serde_json::Value;
use tailnet_kit::policy::{Dialect, Draft, schema};

fn read(draft: Draft) -> Value {
    in_dialect(draft, Dialect::Tailscale)
}

fn in_dialect(draft: Draft, dialect: Dialect) -> Value {
    serde_json::from_str(&schema(draft, dialect)).expect("JSON")
}

#[test]
fn each_key_has_a_description() {
    let schema = read(Draft::Latest);
    let sections = schema["properties"].as_object().expect("keys");
    assert_eq!(sections.len(), 18, "docs/policy-language.md#document");
    all_are_described(&schema);
    let schema = in_dialect(Draft::Latest, Dialect::Headscale);
    let sections = schema["properties"].as_object().expect("keys");
    assert_eq!(sections.len(), 11, "docs/headscale-language.md#keys");
    all_are_described(&schema);
}

fn all_are_described(schema: &Value) {
    let sections = schema["properties"].as_object().expect("keys");
    for (name, section) in sections {
        let described = |value: &Value| {
            value["description"]
                .as_str()
                .is_some_and(|text| text.ends_with('.'))
        };
        assert!(described(section), "{name}");
        let entry = if section["items"].is_object() {
            &section["items"]
        } else {
            section
        };
        for (key, value) in entry["properties"].as_object().into_iter().flatten() {
            assert!(described(value), "{name}: {key}");
        }
    }
}

#[test]
fn the_drafts_differ_in_their_dialect_alone() {
    let (mut latest, mut seven) = (read(Draft::Latest), read(Draft::Seven));
    assert_eq!(
        latest["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    assert_eq!(seven["$schema"], "http://json-schema.org/draft-07/schema#");
    latest["$schema"].take();
    seven["$schema"].take();
    assert_eq!(latest, seven);
}
