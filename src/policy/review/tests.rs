//! Which tests an edit adds, and which it removes.
//! Must not live here: how tests end.

use serde::Serialize;

use super::names::{spread, whole};
use crate::hujson::Value;
use crate::policy::findings::words::joined;
use crate::policy::language::document::{AclProtocol, Policy, SshTest, Test};
use crate::policy::language::json::Json;
use crate::policy::language::rule::Lines;
use crate::policy::language::selector::{Destination, Selector};
use crate::policy::test_report::TestSection;
use crate::tables::index::Index;

/// One entry of a document's tests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
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
    /// Those of the earlier document; the data has their places alone, as nothing of them is left.
    #[serde(serialize_with = "places")]
    pub removed: Vec<ChangedTest>,
    /// Those of the later document that stand for one of the earlier and no longer check all that it did.
    pub changed: Vec<ChangedTest>,
}

/// An entry that checks less than before, or is gone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChangedTest {
    /// The entry of the later document; of the earlier one, where it is gone.
    #[serde(flatten)]
    pub test: TestRef,
    /// The destinations, as they were written, that no test checks any more as this one did.
    pub no_longer: Vec<String>,
}

fn places<S: serde::Serializer>(tests: &[ChangedTest], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(tests.iter().map(|test| &test.test))
}

impl Tests {
    /// The effect of an edit on the tests: the checks of one entry may be split, in another order, or use other names.
    pub fn of([before, after]: [&Policy<'_>; 2]) -> Tests {
        let (before, after) = (entries(before), entries(after));
        let mut tests = Tests {
            added: Vec::new(),
            removed: Vec::new(),
            changed: Vec::new(),
        };
        let mut added = only(&after, &before);
        for (entry, gone) in only(&before, &after) {
            // An entry with the same source that stands for it, whatever else it checks.
            let stays = after.iter().find(|other| other.head == entry.head);
            let Some(stays) = stays else {
                tests.removed.push(ChangedTest {
                    test: entry.place.clone(),
                    no_longer: gone,
                });
                continue;
            };
            tests.changed.push(ChangedTest {
                test: stays.place.clone(),
                no_longer: gone,
            });
            let is_more = |(other, new): &(&TestEntry, Vec<String>)| {
                other.place != stays.place || new.len() > entry.claims.len()
            };
            added.retain(is_more);
        }
        tests.added = added
            .into_iter()
            .map(|(entry, _)| entry.place.clone())
            .collect();
        tests
    }
}

/// An entry, and each check that it makes, with its destination as written.
struct TestEntry {
    place: TestRef,
    /// Where it asks from, and how.
    head: String,
    claims: Vec<(String, String)>,
}

/// The entries that check something which no entry of the other document checks, each with the destinations.
fn only<'e>(own: &'e [TestEntry], other: &[TestEntry]) -> Vec<(&'e TestEntry, Vec<String>)> {
    let mut known = Index::default();
    for (claim, _) in other.iter().flat_map(|entry| &entry.claims) {
        known.set(claim.as_str().into(), 0);
    }
    let mut found = Vec::new();
    for entry in own {
        let new = entry
            .claims
            .iter()
            .filter(|(claim, _)| known.find(claim).is_none());
        let mut new: Vec<String> = new.map(|(_, to)| to.clone()).collect();
        new.dedup();
        if !new.is_empty() {
            found.push((entry, new));
        }
    }
    found
}

fn entries(policy: &Policy<'_>) -> Vec<TestEntry> {
    let mut entries = Vec::new();
    let mut lines = Lines::new(policy.document.text());
    let mut add = |section, index, start, source: &Option<Selector<'_>>, stated: Stated| {
        let (head, mut claims) = stated;
        if claims.is_empty() {
            claims.push((head.clone(), String::new()));
        }
        entries.push(TestEntry {
            place: TestRef {
                section,
                index,
                line: lines.line_of(start),
                src: source.map_or(String::new(), |source| source.text().to_owned()),
            },
            head,
            claims,
        });
    };
    for (index, test) in policy.tests.iter().enumerate() {
        let stated = stated(policy, test);
        add(
            TestSection::Tests,
            index,
            test.span.start,
            &test.source,
            stated,
        );
    }
    for (index, test) in policy.ssh_tests.iter().enumerate() {
        let stated = stated_of_ssh(policy, test);
        add(
            TestSection::SshTests,
            index,
            test.span.start,
            &test.source,
            stated,
        );
    }
    entries
}

/// The head of a test, and its claims, each with the destination that it is about.
type Stated = (String, Vec<(String, String)>);

fn stated(policy: &Policy<'_>, test: &Test<'_>) -> Stated {
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
            let claim = joined(&[&head, says, &destination(policy, to)]);
            claims.push((claim, to.text().trim().to_owned()));
        }
    }
    (head, claims)
}

fn stated_of_ssh(policy: &Policy<'_>, test: &SshTest<'_>) -> Stated {
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
                let claim = joined(&[&head, " ", &whole(policy, to), says, user.name()]);
                claims.push((claim, joined(&[to.name(), " as ", user.name()])));
            }
        }
    }
    (head, claims)
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
