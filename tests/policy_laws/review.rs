//! Laws: a review says what `diff_access` and `diff_ssh` say, and nothing about an edit without meaning; users who are locked out
//! reach nobody. Must not live here: what is gained and lost.

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    By, Judge, Judged, Party, PartyKind, Policy, Review, diff_access, diff_ssh, review,
};

use crate::case::{Case, Fault, Found, Law, nothing};
use crate::oracle::Oracle;
use crate::oracle::document::texts;
use crate::oracle::span::{Span, internet};
use crate::oracle::tailnet::Device;

/// A question about two documents and the review between them.
fn of<T>(case: &Case, after: &str, ask: impl FnOnce(&Policy<'_>, &Policy<'_>, &Review) -> T) -> T {
    let (old, new) = (hujson::parse(&case.text), hujson::parse(after));
    let (old, new) = (old.expect("HuJSON"), new.expect("HuJSON"));
    let (old, new) = (Policy::read(&old), Policy::read(&new));
    let checks = [old.check(&case.context), new.check(&case.context)];
    let judges = [&old, &new].map(|policy| Judge::new(policy, &case.context));
    let judged = |at: usize| Judged {
        judge: &judges[at],
        check: &checks[at],
    };
    let found = review(judged(0), judged(1), None);
    ask(&old, &new, &found)
}

/// Whether somebody receives what is sent to a part of a destination: nobody has anything of addresses to which no device and no route leads.
fn is_received(oracle: &Oracle, to: &Party, part: &[String]) -> bool {
    let mut set: Vec<Span> = part.iter().filter_map(|text| Span::read(text)).collect();
    if set.is_empty() || set.len() < part.len() {
        if !to.kind.is_of_addresses() {
            return true;
        }
        set = oracle.tailnet.set(&to.name);
    }
    let is_of = |device: &Device, span: &Span| {
        let has_exit = device.exits[usize::from(span.first.is_ipv6())];
        device.addresses.iter().any(|it| span.contains(*it))
            || device.subnets.iter().any(|it| it.overlaps(*span))
            || has_exit && internet().iter().any(|it| it.overlaps(*span))
    };
    let mut devices = oracle.tailnet.devices.iter();
    devices.any(|device| set.iter().any(|it| is_of(device, it)))
}

fn judge(case: &Case, _: &[()]) -> Found {
    let after = case.changed().text;
    let fault = |what: &str, found: &Review| Err(Fault::new(0, format!("{what}: {found:?}")));
    of(case, &after, |old, new, found| {
        if found.access != diff_access(old, new, &case.context) {
            return fault("access is not that of diff_access", found);
        }
        if found.ssh != diff_ssh(old, new, &case.context) {
            return fault("ssh is not that of diff_ssh", found);
        }
        if found.unchanged
            && *old.document.text() != *new.document.text()
            && !found.exposed.is_empty()
        {
            return fault("something is exposed by an edit without meaning", found);
        }
        if found.summary.lines().count() > 60 {
            return fault("the summary is too long", found);
        }
        // A user who is locked out has no cell but the one with itself, and what nobody receives.
        let Ok(matrix) = new.access(&case.context, By::Device) else {
            return Ok(1);
        };
        let oracle = case.changed().oracle();
        let shown = json!(matrix);
        for cell in shown["cells"].as_array().expect("cells") {
            let place = |side: &str| cell[side].as_u64().expect("a place") as usize;
            let (from, to) = (
                &matrix.sources[place("source")],
                &matrix.destinations[place("destination")],
            );
            let is_out = |party: &Party| party.kind == PartyKind::Device && party.id == from.id;
            if found.locked_out.iter().any(is_out)
                && from.id != to.id
                && is_received(&oracle, to, &texts(cell["part"].get("to")))
            {
                return fault("who is locked out reaches somebody", found);
            }
        }
        Ok(1)
    })
}

#[test]
fn a_review_says_what_its_parts_say() {
    Law {
        name: "review",
        share: 8,
        draw: nothing,
        judge,
    }
    .holds();
}

/// One entry for each pair of elements of two lists of an entry; the entry itself where one of the lists is missing.
fn split(entries: &Value, keys: [&str; 2]) -> Value {
    let mut all = Vec::new();
    for entry in entries.as_array().into_iter().flatten() {
        let [Some(from), Some(to)] = keys.map(|key| entry[key].as_array()) else {
            all.push(entry.clone());
            continue;
        };
        for from in from {
            for to in to {
                let mut one = entry.clone();
                (one[keys[0]], one[keys[1]]) = (json!([from]), json!([to]));
                all.push(one);
            }
        }
    }
    all.reverse();
    json!(all)
}

/// The same policy in other words: rules split and in another order, groups with other names, another layout.
fn in_other_words(policy: &Value) -> Vec<String> {
    let mut apart = policy.clone();
    for section in ["acls", "grants"] {
        if apart.get(section).is_some() {
            let listed = split(&apart[section], ["src", "dst"]);
            apart[section] = split(&listed, ["users", "ports"]);
        }
    }
    let renamed = policy.to_string().replace("\"group:", "\"group:zz");
    let laid_out = hujson::format(&policy.to_string()).expect("HuJSON");
    vec![apart.to_string(), renamed, laid_out]
}

fn judge_neutral(case: &Case, _: &[()]) -> Found {
    for (at, after) in in_other_words(case.policy()).iter().enumerate() {
        let says = of(case, after, |_, new, found| {
            let is_refused = new.accept(&case.context).is_err();
            (!is_refused && !found.unchanged)
                .then(|| format!("edit {at} has a meaning: {after} {found:?}"))
        });
        if let Some(says) = says {
            return Err(Fault::new(0, says));
        }
    }
    Ok(1)
}

#[test]
fn the_same_policy_in_other_words_is_no_change() {
    Law {
        name: "review of other words",
        share: 8,
        draw: nothing,
        judge: judge_neutral,
    }
    .holds();
}
