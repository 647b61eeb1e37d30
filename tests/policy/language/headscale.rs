//! Each row of docs/headscale-language.md has documents of our own with the answers that Headscale gives; they are beside, in the form
//! of those of the other language, and about the network `village`. Must not live here: recordings of Headscale, laws.

use serde_json::{Value, json};
use tailnet_kit::policy::check;

use super::network::networks;
use super::rows::{rows_of, unlike};
use super::{Case, cases, differences};

const LANGUAGE: &str = "docs/headscale-language.md";

fn documents() -> Vec<Case> {
    cases("tests/policy/language/headscale", "village")
}

#[test]
fn each_row_of_headscales_language_has_a_document() {
    let prose = ["the-policy-language-of-headscale"];
    let missing = unlike(LANGUAGE, documents(), &["autogroups"], &prose);
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn each_document_has_the_answers_that_headscale_gives() {
    let differences = differences(&documents());
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

/// A policy that has a selector in the place of a column of the table of autogroups, among others that fit it.
fn policy(column: usize, selector: &str) -> Value {
    let rule = |from: &str, to: &str| json!({"src": [from], "dst": [to]});
    let login = |from: &str, to: &str| json!({"action": "accept", "src": [from], "dst": [to], "users": ["root"]});
    match column {
        1 => json!({"acls": [rule(selector, "100.64.0.3:22")]}),
        2 => json!({"acls": [rule("ann@", &format!("{selector}:22"))]}),
        3 => json!({"grants": [{"src": ["ann@"], "dst": [selector], "ip": ["22"]}]}),
        4 => json!({"tagOwners": {"tag:web": []}, "ssh": [login(selector, "tag:web")]}),
        5 => json!({"ssh": [login("ann@", selector)]}),
        _ => json!({"nodeAttrs": [{"target": [selector], "attr": ["a"]}]}),
    }
}

/// The rows have six columns of places, and messages by their short names.
#[test]
fn autogroups_stand_where_headscale_takes_them() {
    let network = &networks()["village"];
    let (cells, messages): (Vec<_>, Vec<_>) = rows_of(LANGUAGE, "autogroups")
        .into_iter()
        .partition(|row| row.len() > 1);
    let message = |name: &str, selector: &str| {
        let line = messages
            .iter()
            .find_map(|row| row[0].strip_prefix(&format!("- {name}: ")));
        let words = line.unwrap_or_else(|| panic!("no message {name}"));
        words.trim_matches('`').replace('X', selector)
    };
    let mut asked = 0;
    for row in &cells {
        let named = row[0].replace('`', "");
        let selectors: Vec<&str> = match named.as_str() {
            "any other, roles too" => vec!["autogroup:admin", "autogroup:shared", "autogroup:x"],
            named => named.split(", ").collect(),
        };
        for selector in selectors {
            for (column, cell) in row.iter().enumerate().take(7).skip(1) {
                asked += 1;
                let policy = policy(column, selector).to_string();
                let wanted = (cell != "yes").then(|| message(cell, selector));
                assert_eq!(check(&policy, &network.context).message, wanted, "{policy}");
            }
        }
    }
    assert_eq!(asked, 54);
}
