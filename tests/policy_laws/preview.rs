//! Law: the rules that let a flow pass are among the previewed rules of its source and of its destination. Must not live here:
//! whether they are the right ones.

use std::net::IpAddr;

use serde_json::{Value, json};

use crate::case::{Case, Found, Law, each};
use crate::explain::explained;
use crate::questions::{Question, questions};

/// The lines of the rules that a preview shows.
fn previewed(case: &Case, query: &str) -> Vec<u64> {
    let query = query.parse().expect("a query");
    let preview = case.ask(|policy| {
        json!(
            policy
                .preview(&query, &case.context)
                .expect("a query that makes sense")
        )
    });
    let lines = preview["matches"].as_array().expect("matches").iter();
    lines.filter_map(|one| one["lineNumber"].as_u64()).collect()
}

/// The law does not apply to a flow that no rule lets pass; its previews are made all the same.
fn judge(case: &Case, asked: &[Question]) -> Found {
    let answered: Vec<_> = asked.iter().zip(explained(case, asked)).collect();
    each(&answered, |(asked, answer)| {
        let because = lines(answer);
        for query in queries(asked) {
            let previewed = previewed(case, &query);
            if let Some(line) = because.iter().find(|line| !previewed.contains(line)) {
                return Some(Err(format!(
                    "preview leaves out a rule: {asked} passes by line {line}, preview of {query} has {previewed:?}"
                )));
            }
        }
        (!because.is_empty()).then_some(Ok(()))
    })
}

fn lines(answer: &Value) -> Vec<u64> {
    let rules = answer["because"].as_array().into_iter().flatten();
    rules.filter_map(|rule| rule["line"].as_u64()).collect()
}

/// The source, and the destination where it is an address with a port.
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
        share: 20,
        draw: questions,
        judge,
    }
    .holds();
}
