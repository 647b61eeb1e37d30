//! The oracle compared with the recordings of the real service, which shows that it is right. Must not live here: the engine.

use serde_json::{Value, json};
use tailnet_kit::hujson;

use crate::oracle::Oracle;
use crate::oracle::compare::{difference, read_filter};
use crate::recordings::recordings;

/// One address in its filter was not replaced in step with the policy.
const DAMAGED: (&str, &str) = (
    "policytest-allpass-grants-only-tag-src-ipv6-literal-dst",
    "beedrill",
);

/// A recorded ruleset without its capabilities, in the form of the public API.
fn network_rules(ruleset: &Value) -> Value {
    let target = |target: &Value| {
        let (net, ports) = target
            .as_str()
            .and_then(|text| text.rsplit_once('|'))
            .expect("a net and ports");
        json!({"net": net, "ports": ports})
    };
    let rules = ruleset
        .as_array()
        .expect("rules")
        .iter()
        .filter(|rule| rule.get("c").is_none());
    rules
        .map(|rule| {
            let dst: Vec<Value> = rule["d"].as_array().expect("a list").iter().map(target).collect();
            json!({"src": rule["s"], "dst": dst, "proto": rule.get("p").cloned().unwrap_or(json!([1, 6, 17, 58]))})
        })
        .collect()
}

#[test]
fn the_oracle_lets_in_what_the_service_let_in() {
    let (mut judged, mut differences) = (0, Vec::new());
    for (_, recordings) in recordings() {
        for recording in recordings.iter().filter(|recording| recording.accepted()) {
            let text = hujson::standardize(recording.policy()).expect("HuJSON");
            let policy = serde_json::from_str(&text).expect("JSON");
            let oracle = Oracle::new(&policy, &recording.tailnet());
            for (at, device) in oracle.tailnet.devices.iter().enumerate() {
                let Some(ruleset) = recording.ruleset(&device.id) else {
                    continue;
                };
                if (recording.id(), device.id.as_str()) == DAMAGED {
                    continue;
                }
                let ours: Vec<_> = oracle.filter(at, None).cloned().collect();
                judged += 1;
                if let (_, Some(packet)) =
                    difference(&ours, &read_filter(&network_rules(ruleset)), &[])
                {
                    differences.push(format!("{} {}: {packet:?}", recording.id(), device.id));
                }
            }
        }
    }
    println!("oracle: {judged} filters compared");
    assert!(
        differences.is_empty(),
        "{} of {judged}\n{}",
        differences.len(),
        differences.join("\n")
    );
}
