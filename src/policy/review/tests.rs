//! Which tests an edit adds, and which it removes.
//! Must not live here: how tests end.

use serde::Serialize;

use super::names::{spread, whole};
use crate::hujson::Value;
use crate::policy::findings::words::joined;
use crate::policy::language::document::{AclProtocol, Policy};
use crate::policy::language::json::Json;
use crate::policy::language::rule::Lines;
use crate::policy::language::selector::{Destination, Selector};
use crate::policy::test_report::TestSection;
use crate::tables::index::Index;

/// One entry of a document's tests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TestRef {
    /// The list that contains it.
    pub section: TestSection,
    /// Its index in the list, from 0.
    pub index: usize,
    /// The line of its `{`, from 1.
    pub line: usize,
    /// Its source as written; empty if it has none.
    pub src: String,
}

/// Entries that check something which no entry of the other document checks.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tests {
    /// Those of the later document.
    pub added: Vec<TestRef>,
    /// Those of the earlier document.
    pub removed: Vec<TestRef>,
}

impl Tests {
    /// The effect of an edit on the tests: the checks of one entry may be split, in another order, or use other names.
    pub fn of(before: &Policy<'_>, after: &Policy<'_>) -> Tests {
        let (before, after) = (entries(before), entries(after));
        Tests {
            added: only(&after, &before),
            removed: only(&before, &after),
        }
    }
}

/// An entry, and each check that it makes.
struct Entry {
    place: TestRef,
    claims: Vec<String>,
}

fn only(own: &[Entry], other: &[Entry]) -> Vec<TestRef> {
    let mut known = Index::default();
    for claim in other.iter().flat_map(|entry| &entry.claims) {
        known.set(claim.as_str().into(), 0);
    }
    let is_new = |entry: &&Entry| entry.claims.iter().any(|claim| known.find(claim).is_none());
    own.iter()
        .filter(is_new)
        .map(|entry| entry.place.clone())
        .collect()
}

fn entries(policy: &Policy<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut lines = Lines::new(policy.document.text());
    let mut add = |section, index, line, source: &Option<Selector<'_>>, claims: Vec<String>| {
        entries.push(Entry {
            place: TestRef {
                section,
                index,
                line,
                src: source.map_or(String::new(), |source| source.text().to_owned()),
            },
            claims,
        });
    };
    for (index, test) in policy.tests.iter().enumerate() {
        let head = joined(&[
            "test ",
            &from(policy, &test.source),
            " ",
            &protocol(test.protocol.as_ref()),
            &attributes(test.posture_attributes),
        ]);
        let mut claims = Vec::new();
        for (says, list) in [(" accept ", &test.accept), (" deny ", &test.deny)] {
            for to in list {
                claims.push(joined(&[&head, says, &destination(policy, to)]));
            }
        }
        if claims.is_empty() {
            claims.push(head);
        }
        let line = lines.line_of(test.span.start);
        add(TestSection::Tests, index, line, &test.source, claims);
    }
    for (index, test) in policy.ssh_tests.iter().enumerate() {
        let from = from(policy, &test.source);
        let head = joined(&["ssh ", &from, &attributes(test.posture_attributes)]);
        let mut claims = Vec::new();
        let lists = [
            (" accept ", &test.accept),
            (" check ", &test.check),
            (" deny ", &test.deny),
        ];
        for to in &test.destinations {
            for (says, users) in lists {
                for user in users {
                    claims.push(joined(&[&head, " ", &whole(policy, to), says, user.name()]));
                }
            }
        }
        if claims.is_empty() {
            claims.push(head);
        }
        let line = lines.line_of(test.span.start);
        add(TestSection::SshTests, index, line, &test.source, claims);
    }
    entries
}

fn from(policy: &Policy<'_>, source: &Option<Selector<'_>>) -> String {
    source.map_or(String::new(), |source| whole(policy, &source))
}

fn protocol(named: Option<&AclProtocol<'_>>) -> String {
    match named {
        None => String::new(),
        Some(named) => match &named.protocol {
            Ok(protocol) => protocol.0.to_string(),
            Err(_) => named.word.name().to_owned(),
        },
    }
}

fn attributes(value: Option<Value<'_>>) -> String {
    value.map_or(String::new(), |value| Json::of(value).text())
}

/// The host as what it stands for, with its ports as written.
fn destination(policy: &Policy<'_>, to: &Destination<'_>) -> String {
    let text = to.text().trim();
    let ports = text.rsplit_once(':').map_or("", |(_, ports)| ports);
    joined(&[&spread(policy, &to.host).join(","), ":", ports])
}
