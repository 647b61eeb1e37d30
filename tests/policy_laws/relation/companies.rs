//! The same laws for changes as companies make them (tests/policy/changes), in networks completed at random.
//! Must not live here: what is told of them (tests/policy/changes).

use std::sync::OnceLock;

use serde_json::{Value, json};
use tailnet_kit::hujson;

use super::symmetry::judge_symmetry;
use super::{judge_alarm, judge_silence, seeds};
use crate::case::{Case, Law};
use crate::companies::companies;

/// Every change of every company.
fn changes() -> &'static [Value] {
    static CHANGES: OnceLock<Vec<Value>> = OnceLock::new();
    CHANGES.get_or_init(|| {
        let changes = companies().into_iter().flat_map(|company| company.changes);
        let read = |text: &String| -> Value {
            let plain = hujson::standardize(text).expect("HuJSON");
            serde_json::from_str(&plain).expect("JSON")
        };
        let document = |change: crate::companies::Change| {
            let ([policy, after], [context, later]) = (
                change.policies.each_ref().map(read),
                change.networks.each_ref().map(read),
            );
            let mut document = json!({"policy": policy, "after": after, "context": context});
            if context != later {
                document["contextAfter"] = later;
            }
            document
        };
        changes.map(document).collect()
    })
}

/// One change after the other.
fn of_company(seed: u64) -> Case {
    let changes = changes();
    let at = usize::try_from(seed).expect("a number") % changes.len();
    Case::new(changes[at].clone()).expect("a network")
}

#[test]
fn whatever_a_company_changes_is_reported() {
    Law {
        name: "companies silence",
        share: 4,
        draw: seeds,
        judge: judge_silence,
    }
    .holds_for(of_company);
}

#[test]
fn what_is_reported_of_a_company_for_certain_is_so() {
    Law {
        name: "companies alarm",
        share: 4,
        draw: seeds,
        judge: judge_alarm,
    }
    .holds_for(of_company);
}

#[test]
fn what_a_company_gains_one_way_it_loses_the_other_way() {
    Law {
        name: "companies symmetry",
        share: 20,
        draw: seeds,
        judge: judge_symmetry,
    }
    .holds_for(of_company);
}
