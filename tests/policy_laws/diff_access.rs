//! Laws: a gain between two documents is a loss the other way round; nothing changes between a document and itself; and the
//! changes are those that `explain` shows for both documents. Must not live here: the matrix of one document.

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, Subject, diff_access};

use crate::case::{Case, Fault, Found, Judged, Law, each, nothing};
use crate::explain::verdict;
use crate::openings::{Probe, hold, postures};
use crate::oracle::Oracle;
use crate::oracle::tailnet::Device;
use crate::questions::{PROTOCOLS, port};
use crate::random::dice::Dice;
use crate::random::rules::attributes;

fn changes(case: &Case, before: &str, after: &str) -> Value {
    let (before, after) = (
        hujson::parse(before).expect("HuJSON"),
        hujson::parse(after).expect("HuJSON"),
    );
    json!(diff_access(
        &Policy::read(&before),
        &Policy::read(&after),
        &case.context
    ))
}

/// All gains, or all losses, each with its source; without partial ones, which need not be the same both ways.
fn side(changes: &Value, side: &str) -> Vec<String> {
    let mut found = Vec::new();
    for change in changes.as_array().into_iter().flatten() {
        for reach in change[side].as_array().into_iter().flatten() {
            let mut reach = reach.clone();
            reach.as_object_mut().expect("an object").remove("part");
            // A name that means another set in the other document is written with its set.
            let name = reach["destination"].as_str().unwrap_or_default();
            let name = json!(name.split(" (").next());
            reach["destination"] = name.clone();
            if reach.get("party").is_some() {
                reach["party"]["name"] = name;
            }
            let source = change["source"]
                .as_str()
                .and_then(|name| name.split(" (").next());
            found.push(format!("{} {reach}", source.unwrap_or_default()));
        }
    }
    found.sort_unstable();
    found
}

fn judge_reverse(case: &Case, _: &[()]) -> Found {
    let same = changes(case, &case.text, &case.text);
    if same != json!([]) {
        return Err(Fault::new(
            0,
            format!("something changes between a document and itself: {same}"),
        ));
    }
    let other = case.changed();
    let (there, back) = (
        changes(case, &case.text, &other.text),
        changes(case, &other.text, &case.text),
    );
    for (one, reverse) in [("gained", "lost"), ("lost", "gained")] {
        let (one, other) = (side(&there, one), side(&back, reverse));
        let alone = |list: &[String], from: &[String]| {
            list.iter()
                .find(|item| !from.contains(item))
                .cloned()
                .unwrap_or_default()
        };
        if one != other {
            let (here, elsewhere) = (alone(&one, &other), alone(&other, &one));
            return Err(Fault::new(
                0,
                format!(
                    "gained is not lost the other way round: only one way {here}, only the other way {elsewhere}"
                ),
            ));
        }
    }
    Ok(3)
}

#[test]
fn gains_are_losses_the_other_way_round() {
    Law {
        name: "diff_access reversed",
        share: 20,
        draw: nothing,
        judge: judge_reverse,
    }
    .holds();
}

/// A flow from a device to another, before and after.
struct Asked {
    from: String,
    to: String,
    port: u16,
    protocol: &'static str,
    attributes: Option<Value>,
}

fn draw(case: &Case, dice: &mut Dice) -> Vec<Asked> {
    let oracle = case.oracle();
    let devices = &oracle.tailnet.devices;
    let one = |_| Asked {
        from: dice.pick(devices).id.clone(),
        to: dice.pick(devices).id.clone(),
        port: port(dice, &oracle),
        protocol: PROTOCOLS[dice.below(PROTOCOLS.len())],
        attributes: attributes(dice),
    };
    (0..30).map(one).collect()
}

/// Whether a party of a change is the device, or a login or tag of the device.
fn is_of(party: &Value, device: &Device) -> bool {
    let name = party["name"].as_str();
    match party["kind"].as_str() {
        Some("device") => party["id"] == device.id.as_str(),
        Some("user") => device.user.as_deref() == name,
        Some("tag") => device.tags.iter().any(|tag| Some(tag.as_str()) == name),
        Some("any") => true,
        _ => false,
    }
}

/// The gains, or the losses, between two devices.
fn reaches<'c>(
    changes: &'c Value,
    side: &'c str,
    from: &'c Device,
    to: &'c Device,
) -> impl Iterator<Item = &'c Value> {
    let changes = changes.as_array().into_iter().flatten();
    changes
        .filter(|change| is_of(&change["party"], from))
        .flat_map(move |change| change[side].as_array().into_iter().flatten())
        .filter(move |reach| {
            let shares = from.user.is_some() && from.user == to.user;
            is_of(&reach["party"], to) || shares && reach["destination"] == "autogroup:self"
        })
}

/// Whether some change with the probe holds for each of its devices, and for this probe exactly.
fn listed(case: &Case, reaches: &[&Value], probe: &Probe<'_>) -> bool {
    let plain = Probe {
        attributes: None,
        ..*probe
    };
    // A partial change does not say which of its devices it is about.
    reaches.iter().any(|reach| {
        reach["part"].is_null()
            && (probe.attributes.is_none() || !hold(case, &reach["opens"], &plain))
    })
}

/// Whether the changes and the explanations of both documents agree about a flow.
fn agree(case: &Case, other: &Case, oracle: &Oracle, changes: &Value, asked: &Asked) -> Judged {
    let device = |id: &str| oracle.tailnet.devices.iter().find(|device| device.id == id);
    let (from, to) = (device(&asked.from)?, device(&asked.to)?);
    let attributes = asked.attributes.as_ref();
    // An opening without postures is about a source that meets none; one with postures, about a source that meets exactly one.
    let (held, held_after) = (postures(case, attributes), postures(other, attributes));
    let is_told_apart = attributes.is_none() || held.len() == 1 && held == held_after;
    // No packet passes between two devices without addresses of one family: nothing that is told of `*` or a tag is about them.
    let is_shared = |is_4: bool| {
        let has = |end: &Device| end.addresses.iter().any(|at| at.is_ipv4() == is_4);
        has(from) && has(to)
    };
    // A device does not send to itself over the network.
    if from.id == to.id || !is_told_apart || !(is_shared(true) || is_shared(false)) {
        return None;
    }
    let (port, protocol) = (asked.port, asked.protocol);
    let ends = [&asked.from, &asked.to].map(|id| Subject::Device(id.clone()));
    let said = |case: &Case| verdict(case, &ends[0], &ends[1], port, protocol, attributes);
    let (before, after) = (said(case)?, said(other)?);
    let probe = Probe {
        port,
        protocol,
        attributes,
    };
    for (side, gone, come) in [("gained", &before, &after), ("lost", &after, &before)] {
        let wanted = come == "allowed" && gone != "allowed";
        let about: Vec<&Value> = reaches(changes, side, from, to)
            .filter(|reach| hold(case, &reach["opens"], &probe))
            .collect();
        let listed = listed(case, &about, &probe);
        // Ports bring a ping along.
        let is_brought = protocol == "icmp" && reaches(changes, side, from, to).next().is_some();
        if listed && !wanted || wanted && about.is_empty() && !is_brought {
            let question = format!("{} to {} {protocol}/{port}", asked.from, asked.to);
            return Some(Err(format!(
                "{side} is {listed}, explain said {before} and says {after}: {question} with {attributes:?}; changes {changes}"
            )));
        }
    }
    Some(Ok(()))
}

fn judge(case: &Case, asked: &[Asked]) -> Found {
    let (oracle, other) = (case.oracle(), case.changed());
    let changes = changes(case, &case.text, &other.text);
    each(asked, |asked| agree(case, &other, &oracle, &changes, asked))
}

#[test]
fn changes_agree_with_explain_on_both_documents() {
    Law {
        name: "diff_access",
        share: 4,
        draw,
        judge,
    }
    .holds();
}
