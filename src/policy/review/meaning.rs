//! Whether two documents mean the same, whatever their layout, order and names.
//! Must not live here: what changed if they do not (diff.rs, diff_access.rs).
//!
//! What rules open is compared like access, without devices: for everyone and everything that either document names. The
//! rest is compared as sets of statements, with names replaced by what they stand for.

use super::names::{named, names_of, postures, set_of, spread};
use super::reach::Public;
use crate::policy::diff::{Change, plain};
use crate::policy::diff_access::{diff_between, parties};
use crate::policy::diff_ssh;
use crate::policy::findings::words::joined;
use crate::policy::language::document::{Policy, SshRule};
use crate::policy::language::json::Json;
use crate::policy::language::keys::Shape;
use crate::policy::language::login::SshAction;
use crate::policy::language::port_set::PortSet;
use crate::policy::language::rule::Rule;
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::party::Side;
use crate::tables::sort;

/// The sections whose meaning is compared here; any change in another section has a meaning.
const COMPARED: [&str; 13] = [
    "acls",
    "autoApprovers",
    "defaultSrcPosture",
    "grants",
    "groups",
    "hosts",
    "ipsets",
    "nodeAttrs",
    "postures",
    "ssh",
    "sshTests",
    "tagOwners",
    "tests",
];

/// Whether two documents mean the same, tests aside. `changes` are what `diff` finds.
#[inline(never)]
pub fn is_same<'p>([before, after]: [&'p Policy<'p>; 2], changes: &[Change]) -> bool {
    let is_compared = |change: &Change| {
        let mut tokens = change.pointer.split('/').skip(1);
        tokens
            .next()
            .is_some_and(|section| COMPARED.contains(&section))
    };
    changes.is_empty()
        || changes.iter().all(is_compared)
            && said(before) == said(after)
            && logins(before) == logins(after)
            && opens_alike([before, after])
}

/// Whether nobody gains or loses anything, whatever devices there are. Users covered only by `*` are members like any other.
fn opens_alike<'p>(policies: [&'p Policy<'p>; 2]) -> bool {
    let context = PolicyContext::default();
    let judges = policies.map(|policy| Judge::new(policy, &context));
    let judges = judges.each_ref();
    let mut sources = parties(judges, Side::Source);
    sources.push(Public::Everybody.stands());
    let places = parties(judges, Side::Destination);
    diff_between(judges, &sources, &places).is_empty()
        && diff_ssh::diff_of(judges.map(|judge| &judge.network)).is_empty()
}

/// Everything that a document says besides what its rules open, one statement per text.
fn said(policy: &Policy<'_>) -> Vec<String> {
    let mut said = Vec::new();
    definitions(policy, &mut said);
    approvers(policy, &mut said);
    attributes(policy, &mut said);
    for rule in policy.rules() {
        routed(policy, &rule, &mut said);
        capabilities(policy, &rule, &mut said);
    }
    set_of(said)
}

/// The definitions, whatever their names; tags keep their names, as devices have them.
fn definitions(policy: &Policy<'_>, said: &mut Vec<String>) {
    for (name, _) in policy.groups.iter() {
        let members = named(policy, name.text);
        said.push(joined(&["group ", &members.join(" ")]));
    }
    for name in policy.hosts.names().chain(policy.ipsets.names()) {
        said.push(joined(&["set ", &named(policy, name).join(" ")]));
    }
    for (name, _) in policy.postures.iter() {
        let conditions = postures(policy, std::slice::from_ref(name));
        said.push(joined(&["posture ", &conditions.join(" ")]));
    }
    let default = postures(policy, &policy.default_src_posture);
    said.push(joined(&["default posture ", &default.join(" || ")]));
    for (tag, owners) in policy.tag_owners.iter() {
        let owners = names_of(policy, owners).join(" ");
        said.push(joined(&["tag ", tag.name(), " ", &owners]));
    }
}

fn approvers(policy: &Policy<'_>, said: &mut Vec<String>) {
    let approvers = &policy.auto_approvers;
    for (what, by) in approvers.routes.iter().chain(&approvers.services) {
        let what = named(policy, what.name()).join(" ");
        for by in names_of(policy, by) {
            said.push(joined(&["approve ", &what, " ", &by]));
        }
    }
    for by in names_of(policy, &approvers.exit_node) {
        said.push(joined(&["approve exit node ", &by]));
    }
}

fn attributes(policy: &Policy<'_>, said: &mut Vec<String>) {
    for entry in &policy.node_attrs {
        for target in names_of(policy, &entry.targets) {
            let head = joined(&["attribute of ", &target, " "]);
            for word in entry.attributes.iter() {
                said.push(joined(&[&head, "attr ", word.name()]));
            }
            for word in entry.ip_pools.iter() {
                said.push(joined(&[&head, "pool ", word.name()]));
            }
            for capability in &entry.app {
                for value in values(Json::of(capability.values)) {
                    said.push(joined(&[
                        &head,
                        "app ",
                        capability.name.name(),
                        " ",
                        &value,
                    ]));
                }
            }
        }
    }
}

/// What passes through tagged routers only: without devices these are unknown.
fn routed(policy: &Policy<'_>, rule: &Rule<'_>, said: &mut Vec<String>) {
    if rule.via.is_empty() {
        return;
    }
    let way = asked(policy, rule);
    for from in names_of(policy, rule.sources) {
        for opening in rule.openings() {
            let ports = PortSet::of(opening.protocol, opening.ports)
                .texts()
                .join(" ");
            for to in spread(policy, opening.to) {
                said.push(joined(&["route ", &from, " ", &to, " ", &ports, &way]));
            }
        }
    }
}

fn capabilities(policy: &Policy<'_>, rule: &Rule<'_>, said: &mut Vec<String>) {
    if rule.app.is_empty() {
        return;
    }
    let way = asked(policy, rule);
    let destinations: Vec<_> = rule.destinations().copied().collect();
    let destinations = names_of(policy, &destinations);
    for capability in rule.app {
        for value in values(Json::of(capability.values)) {
            let what = joined(&[capability.name.name(), " ", &value]);
            for from in names_of(policy, rule.sources) {
                for to in &destinations {
                    said.push(joined(&["grant ", &from, " ", to, " ", &what, &way]));
                }
            }
        }
    }
}

/// The parts of a rule on which what it opens depends.
fn asked(policy: &Policy<'_>, rule: &Rule<'_>) -> String {
    let (via, postures) = (names_of(policy, rule.via), postures(policy, rule.postures));
    joined(&[" via ", &via.join(" "), " if ", &postures.join(" || ")])
}

/// The elements of a list; an empty list is not the same as none.
fn values(json: Json) -> Vec<String> {
    match json {
        Json::List(elements) if !elements.is_empty() => elements.iter().map(Json::text).collect(),
        other => vec![other.text()],
    }
}

/// What ssh rules say besides who may log in: periods, variables, recorders. For each source, destination and account,
/// what its rules say, in order, as the first match decides; none if no rule says any of it.
fn logins(policy: &Policy<'_>) -> Vec<(String, Vec<String>)> {
    let document = plain(policy.document.root(), Shape::Document);
    let Some(Json::List(listed)) = document.get("ssh") else {
        return Vec::new();
    };
    let others: Vec<String> = listed.iter().map(other_words).collect();
    if others.iter().all(String::is_empty) {
        return Vec::new();
    }
    let mut all: Vec<(String, (Option<SshAction>, usize), String)> = Vec::new();
    for (at, (rule, others)) in policy.ssh.iter().zip(&others).enumerate() {
        let action = rule.action.and_then(|word| SshAction::parse(word.text));
        let wanted = postures(policy, policy.postures_of(rule.postures.as_deref()));
        let text = joined(&[others, " if ", &wanted.join(" || ")]);
        for key in pairs(policy, rule) {
            all.push((key, (action, at), text.clone()));
        }
    }
    sort::sort(&mut all);
    let mut logins = Vec::new();
    for alike in all.chunk_by(|a, b| a.0 == b.0) {
        let mut texts: Vec<String> = alike.iter().map(|(.., text)| text.clone()).collect();
        texts.dedup();
        logins.extend(alike.first().map(|(key, ..)| (key.clone(), texts)));
    }
    logins
}

/// Source, destination and account, one text for each.
fn pairs(policy: &Policy<'_>, rule: &SshRule<'_>) -> Vec<String> {
    let mut pairs = Vec::new();
    let to = names_of(policy, &rule.destinations);
    for from in names_of(policy, &rule.sources) {
        for to in &to {
            for user in &rule.users {
                pairs.push(joined(&[&from, " ", to, " ", user.name()]));
            }
        }
    }
    pairs
}

/// The members of an ssh rule that do not say who may log in.
fn other_words(rule: &Json) -> String {
    let Json::Object(members) = rule else {
        return String::new();
    };
    let mut text = String::new();
    for (key, value) in members {
        if !["action", "src", "dst", "users", "srcPosture"].contains(&key.as_str()) {
            text.push_str(&joined(&[key, " ", &value.text(), " "]));
        }
    }
    text
}
