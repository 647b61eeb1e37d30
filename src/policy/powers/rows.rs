//! The entries of the answer: a statement of the document for one of its parties.
//! Must not live here: which parties a difference is about.

use super::extent::Extent;
use super::holders::Who;
use super::power::{Power, PowerKind};
use super::recorded::written;
use super::statements::{Combination, Statement};
use super::today;
use crate::policy::language::json::{Json, PlainJson};
use crate::policy::language::selector::Kind;
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::parties::{Party, PartyKind};

/// The entries of one statement as they stand in the list of all powers.
pub fn add_all<'p>(network: &Network<'p>, statement: &Statement<'p>, powers: &mut Vec<Power>) {
    let mut sessions = Vec::new();
    for case in Combination::all(statement) {
        match case.from {
            Some(_) => sessions.push((case, statement.extent_at(network, &case), None)),
            None => add(network, case, &statement.extent, None, powers),
        }
    }
    sessions.retain(|(_, extent, _)| !extent.is_empty());
    add_sessions(network, &sessions, powers);
}

/// The entries of one combination: one for each range of a route, else one in all.
pub fn add<'p>(
    network: &Network<'p>,
    case: Combination<'_, 'p>,
    extent: &Extent,
    why: Option<&str>,
    powers: &mut Vec<Power>,
) {
    let statement = case.statement;
    if statement.kind != PowerKind::Route {
        let value = value(&case, extent);
        powers.push(row(network, &case, statement.what.clone(), value, why));
        return;
    }
    for range in extent.routes.ranges() {
        let what = Net::Range(range).to_string();
        powers.push(row(network, &case, what, None, why));
    }
}

fn row<'p>(
    network: &Network<'p>,
    case: &Combination<'_, 'p>,
    what: String,
    value: Option<PlainJson>,
    why: Option<&str>,
) -> Power {
    let (statement, who) = (case.statement, case.who);
    let party = who.party();
    let mut through = Vec::new();
    // A tag owns a tag: its devices and keys may take it, which is a step.
    if statement.kind == PowerKind::Tag && who.selector.kind == Kind::Tag {
        through.push(party.name.clone());
    }
    through.extend(statement.terms.through.iter().map(|tag| (*tag).to_owned()));
    Power {
        who: party.name.clone(),
        party,
        kind: statement.kind,
        what,
        value,
        pointer: statement.pointer.clone(),
        through,
        opens: None,
        today: today::hindrance(network, case),
        may: None,
        why: why.map(str::to_owned),
    }
}

/// What a capability hands out, where, and under which postures.
fn value(case: &Combination<'_, '_>, extent: &Extent) -> Option<PlainJson> {
    if case.statement.kind != PowerKind::Capability {
        return None;
    }
    let mut members = vec![("app".to_owned(), list(&extent.values))];
    if let Some(on) = case.on {
        members.push(("on".to_owned(), Json::Text(on.party().name)));
    }
    add_postures(case.statement, &mut members);
    Some(Json::object(members).plain())
}

/// Values that are plain JSON already stand as they are.
fn list(values: &[PlainJson]) -> Json {
    let literals = values.iter().map(|value| value.as_str().to_owned());
    Json::List(literals.map(Json::Literal).collect())
}

fn add_postures(statement: &Statement<'_>, members: &mut Vec<(String, Json)>) {
    if !statement.terms.postures.is_empty() {
        let names = statement.terms.postures.iter();
        let names = names.map(|name| Json::Text((*name).to_owned())).collect();
        members.push(("srcPosture".to_owned(), Json::List(names)));
    }
}

/// Recorded sessions: sources of one destination with the same accounts share an entry.
pub fn add_sessions<'p>(
    network: &Network<'p>,
    sessions: &[(Combination<'_, 'p>, Extent, Option<String>)],
    powers: &mut Vec<Power>,
) {
    let mut done = vec![false; sessions.len()];
    for (at, (case, extent, why)) in sessions.iter().enumerate() {
        if done.get(at) == Some(&true) {
            continue;
        }
        let mut sources = Vec::new();
        for ((other, accounts, words), done) in sessions.iter().zip(&mut done).skip(at) {
            let is_alike = other.who.name() == case.who.name()
                && other.on.map(Who::name) == case.on.map(Who::name)
                && (accounts, words) == (extent, why);
            if is_alike {
                *done = true;
                sources.extend(other.from.map(|from| Json::Text(from.party().name)));
            }
        }
        let users = written(&extent.values, &case.statement.extent.values);
        let enforced = case.statement.terms.is_enforced.to_string();
        let mut members = vec![
            ("enforceRecorder".to_owned(), Json::Literal(enforced)),
            ("src".to_owned(), Json::List(sources)),
            ("users".to_owned(), list(&users)),
        ];
        add_postures(case.statement, &mut members);
        let value = Some(Json::object(members).plain());
        let what = case.on.map(|on| on.party().name).unwrap_or_default();
        powers.push(row(network, case, what, value, why.as_deref()));
    }
}

/// A part of a set of addresses as a party of its own.
pub fn part_of(net: Net) -> Party {
    let name = net.to_string();
    let kind = match (name.contains('/'), name.contains('-')) {
        (true, _) => PartyKind::Prefix,
        (_, true) => PartyKind::Range,
        _ => PartyKind::Address,
    };
    Party {
        kind,
        name,
        id: None,
    }
}
