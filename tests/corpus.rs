//! Replays the recordings of the real service: our verdict and message on each policy against what it said.
//! Must not live here: what each device was told (tests/corpus_network.rs).
#![cfg(not(target_arch = "wasm32"))]

mod recordings;

use recordings::{Recording, recordings};
use tailnet_kit::policy::{Topology, check};

/// Recordings whose addresses were not replaced together with those of the devices, as their README says.
const DAMAGED: [&str; 1] = ["sshtest-malformed-dst-bare-ipv6"];

/// Judges every recording and prints how many agree; the differences fail the test.
fn replay(what: &str, differs: impl Fn(&Recording, &Topology) -> Option<String>) {
    let mut differences = Vec::new();
    for (category, recordings) in recordings(what) {
        let (mut judged, mut agreed) = (0, 0);
        for recording in &recordings {
            if DAMAGED.contains(&recording.id()) {
                println!("{what}: {} left out: a damaged recording", recording.id());
                continue;
            }
            let difference = differs(recording, &recording.topology());
            judged += 1;
            agreed += usize::from(difference.is_none());
            differences.extend(difference.map(|line| format!("{}: {line}", recording.id())));
        }
        println!("{what}: {category}: {agreed} of {judged} agree");
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn verdict_and_message_are_those_of_the_service() {
    replay("verdict", |recording, topology| {
        let check = check(recording.policy(), topology);
        let said = recording.message();
        let agrees = recording.accepted() == check.accepted && check.message.as_deref() == said;
        (!agrees).then(|| format!("the service: {said:?}, we: {:?}", check.message))
    });
}

/// Less knowledge may leave a question open; it must never turn a verdict into another.
#[test]
fn without_a_topology_nothing_is_guessed() {
    replay("verdict by text alone", |recording, _| {
        let check = check(recording.policy(), &Topology::default());
        let said = recording.message();
        let agrees = check.accepted || check.message.as_deref() == said;
        (!agrees).then(|| format!("the service: {said:?}, we: {:?}", check.message))
    });
}
