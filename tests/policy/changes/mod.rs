//! Changes as companies make them, each with the summary that a reviewer reads. A folder is a company: `policy.hujson`, its
//! `network.hujson`, and `changes.txt` with small edits of the two. Every summary was read by eye and compared with
//! docs/policy-language.md; BLESS=1 writes those of today in place of them, to be read again.
//! Must not live here: single facts of a review (tests/policy/review), cases in which an answer was wrong (tests/policy/silence.rs).

use tailnet_kit::hujson;
use tailnet_kit::policy::{Judge, Judged, Policy, PolicyContext, review};

use crate::companies::{Company, companies};

/// Lines of a summary at most.
const LINES: usize = 60;

fn summary_of(policies: [&str; 2], networks: [&str; 2]) -> String {
    let documents = policies.map(|text| hujson::parse(text).expect("HuJSON"));
    let policies = documents.each_ref().map(Policy::read);
    let contexts = networks.map(|text| -> PolicyContext {
        let plain = hujson::standardize(text).expect("HuJSON");
        serde_json::from_str(&plain).expect("a context")
    });
    let is_one = networks[0] == networks[1];
    let context = |at: usize| &contexts[if is_one { 0 } else { at }];
    let checks = [0, 1].map(|at| {
        let check = policies[at].check(context(at));
        policies[at].accept(context(at)).expect("has answers");
        check
    });
    let judges = [0, 1].map(|at| Judge::new(&policies[at], context(at)));
    let judged = |at: usize| Judged {
        judge: &judges[at],
        check: &checks[at],
    };
    review(judged(0), judged(1), None).summary
}

fn judge(company: &Company, wrong: &mut Vec<String>) {
    let mut blessed = String::new();
    for change in &company.changes {
        let policies = change.policies.each_ref().map(String::as_str);
        let summary = summary_of(policies, change.networks.each_ref().map(String::as_str));
        assert!(summary.lines().count() <= LINES, "{}", change.head);
        if summary != change.summary {
            let folder = company.folder.display();
            wrong.push(format!("{folder}: {}{summary}", change.head));
        }
        blessed += &change.head;
        for line in summary.lines() {
            blessed += format!("| {line}").trim_end();
            blessed.push('\n');
        }
        blessed.push('\n');
    }
    if std::env::var_os("BLESS").is_some() {
        let text = blessed.trim_end().to_owned() + "\n";
        std::fs::write(company.folder.join("changes.txt"), text).expect("written");
    }
}

#[test]
fn every_change_has_the_summary_that_was_read() {
    let companies = companies();
    let mut wrong = Vec::new();
    companies.iter().for_each(|it| judge(it, &mut wrong));
    let count: usize = companies.iter().map(|it| it.changes.len()).sum();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 100, "{count} changes");
}
