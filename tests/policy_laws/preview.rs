//! Law: the rules that let a flow pass are among those previewed for its source and for its destination. Must not live here:
//! whether they are the right ones.

use std::net::IpAddr;

use serde_json::{Value, json};

use crate::case::{Case, Fault, Found, Law};
use crate::explain::explained;
use crate::questions::{Question, questions};

/// The lines of the rules that a preview shows.
fn previewed(case: &Case, query: &str) -> Vec<u64> {
    let query = query.parse().expect("a query");
    let preview = case.ask(|policy| {
        json!(
            policy
                .preview(&query, &case.topology)
                .expect("a query that makes sense")
        )
    });
    let lines = preview["matches"].as_array().expect("matches").iter();
    lines.filter_map(|one| one["lineNumber"].as_u64()).collect()
}

fn judge(case: &Case, asked: &[Question]) -> Found {
    for (at, (asked, answer)) in asked.iter().zip(explained(case, asked)).enumerate() {
        let because = lines(&answer);
        for query in queries(asked) {
            let previewed = previewed(case, &query);
            if let Some(line) = because.iter().find(|line| !previewed.contains(line)) {
                return Err(Fault::new(
                    at,
                    format!(
                        "preview leaves out a rule: {asked} passes by line {line}, preview of {query} has {previewed:?}"
                    ),
                ));
            }
        }
    }
    Ok(asked.len())
}

fn lines(answer: &Value) -> Vec<u64> {
    let rules = answer["because"].as_array().into_iter().flatten();
    rules.filter_map(|rule| rule["line"].as_u64()).collect()
}

/// The source, and the destination where it is an address with a port that matters.
fn queries(asked: &Question) -> Vec<String> {
    let mut queries = vec![asked.from.clone()];
    if asked.to.parse::<IpAddr>().is_ok() && ["tcp", "udp", "sctp"].contains(&asked.protocol) {
        queries.push(asked.destination());
    }
    queries
}

#[test]
fn a_preview_holds_every_rule_that_an_explanation_names() {
    Law {
        name: "preview",
        share: 2,
        draw: questions,
        judge,
    }
    .holds();
}
