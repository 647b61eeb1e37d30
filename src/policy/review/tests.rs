//! Which tests an edit adds, and which it removes.
//! Must not live here: how tests end.

use serde::Serialize;

use super::names::{spread, whole};
use crate::hujson::Value;
use crate::policy::findings::words::joined;
use crate::policy::language::document::{AclProtocol, Policy};
use crate::policy::language::json::Json;
use crate::policy::language::rule::Lines;
use crate::policy::language::selector::{Kind, Selector};
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
    /// Those of the later document that replace one of the earlier and no longer check all that it did.
    pub changed: Vec<ChangedTest>,
    /// Of those that are added, the ones that replace one of the earlier document and check more, with what.
    #[serde(skip)]
    pub grown: Vec<ChangedTest>,
}

/// An entry that checks less than before, or is gone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChangedTest {
    /// The entry of the later document; of the earlier one, where it is gone.
    #[serde(flatten)]
    pub test: TestRef,
    /// The destinations, as they were written, that no test checks any more as this one did; with what of a name has changed, where it
    /// is written as before.
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
            grown: Vec::new(),
        };
        let mut added = only(&after, &before, &|_, _| None);
        for (entry, gone) in only(&before, &after, &TestClaim::less) {
            let Some(stays) = entry.in_place(&after) else {
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
        for (entry, more) in &added {
            if entry.in_place(&before).is_some() {
                tests.grown.push(ChangedTest {
                    test: entry.place.clone(),
                    no_longer: more.clone(),
                });
            }
        }
        tests.added = added
            .into_iter()
            .map(|(entry, _)| entry.place.clone())
            .collect();
        tests
    }
}

/// An entry, and each check that it makes.
struct TestEntry {
    place: TestRef,
    /// Where it asks from, and how: by what names mean, and as written.
    head: String,
    written: String,
    /// The protocol by number; empty for all.
    protocol: String,
    /// The attributes of the source.
    attributes: String,
    claims: Vec<TestClaim>,
}

/// One check.
struct TestClaim {
    /// What it says, by what names mean.
    key: String,
    /// The same as written.
    written: String,
    /// The destination as written.
    to: String,
    /// The groups and aliases in it.
    names: Vec<TestName>,
    /// Checks of other protocols that together check as much.
    instead: Vec<Vec<String>>,
    /// Checks of other protocols that check a part, with the words for the rest.
    partly: Vec<(String, &'static str)>,
}

/// A group or alias, and what it means.
#[derive(Clone)]
struct TestName {
    name: String,
    is_group: bool,
    is: Vec<String>,
}

impl TestClaim {
    /// The destination, and what of its names a check that is written the same no longer has.
    fn less(&self, other: &TestClaim) -> Option<String> {
        let mut notes = Vec::new();
        for (own, other) in self.names.iter().zip(&other.names) {
            let mut gone = own.is.clone();
            gone.retain(|one| !other.is.contains(one));
            // Whoever joins a group is checked, too.
            if gone.is_empty() {
                continue;
            }
            notes.push(match own.is_group {
                true => joined(&[&own.name, " without ", &gone.join(", ")]),
                false => {
                    let [before, after] = [own, other].map(|it| it.is.join(", "));
                    joined(&[&own.name, ": ", &before, " → ", &after])
                }
            });
        }
        (!notes.is_empty()).then(|| joined(&[&self.to, " (", &notes.join("; "), ")"]))
    }
}

/// The entries that check something which no entry of the other document checks, each with the destinations. Of what is written the same
/// there, `less` tells what is missing.
fn only<'e>(
    own: &'e [TestEntry],
    other: &[TestEntry],
    less: &dyn Fn(&TestClaim, &TestClaim) -> Option<String>,
) -> Vec<(&'e TestEntry, Vec<String>)> {
    let (mut keys, mut written, mut claims) = (Index::default(), Index::default(), Vec::new());
    for claim in other.iter().flat_map(|entry| &entry.claims) {
        keys.set(claim.key.as_str().into(), 0);
        written.set(claim.written.as_str().into(), claims.len());
        claims.push(claim);
    }
    let mut found = Vec::new();
    for entry in own {
        let new = entry.claims.iter();
        let has = |key: &String| keys.find(key).is_some();
        let is_instead = |all: &Vec<String>| all.iter().all(has);
        let new = new.filter(|it| !has(&it.key) && !it.instead.iter().any(is_instead));
        let new = new.filter_map(|claim| {
            let same = written.find(&claim.written).and_then(|at| claims.get(at));
            let mut partly = claim.partly.iter();
            let rest = partly.find(|(key, _)| has(key));
            let rest = rest.map_or("", |(_, words)| words);
            same.map_or_else(
                || Some(joined(&[&claim.to, rest])),
                |same| less(claim, same),
            )
        });
        let mut new: Vec<String> = new.collect();
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
    for (index, test) in policy.tests.iter().enumerate() {
        let (section, line) = (TestSection::Tests, lines.line_of(test.span.start));
        let mut entry = TestEntry::new(policy, (section, index, line), &test.source);
        let protocol = protocol(test.protocol.as_ref());
        entry.add_to_head(&protocol, attributes(test.posture_attributes));
        for (says, list) in [("accept", &test.accept), ("deny", &test.deny)] {
            for to in list {
                let text = to.text().trim();
                let ports = text.rsplit_once(':').map_or("", |(_, ports)| ports);
                entry.claim(policy, &to.host, &[says, ports], text.to_owned());
            }
        }
        entries.push(entry.or_bare());
    }
    for (index, test) in policy.ssh_tests.iter().enumerate() {
        let (section, line) = (TestSection::SshTests, lines.line_of(test.span.start));
        let mut entry = TestEntry::new(policy, (section, index, line), &test.source);
        entry.add_to_head("ssh", attributes(test.posture_attributes));
        let lists = [
            ("accept", &test.accept),
            ("check", &test.check),
            ("deny", &test.deny),
        ];
        for to in &test.destinations {
            for (says, users) in lists {
                for user in users {
                    let text = joined(&[to.name(), " as ", user.name()]);
                    entry.claim(policy, to, &[says, user.name()], text);
                }
            }
        }
        entries.push(entry.or_bare());
    }
    entries
}

impl TestEntry {
    fn new(
        policy: &Policy<'_>,
        (section, index, line): (TestSection, usize, usize),
        source: &Option<Selector<'_>>,
    ) -> TestEntry {
        let src = source.map_or(String::new(), |source| source.text().to_owned());
        let head = source.map_or(String::new(), |source| whole(policy, &source));
        TestEntry {
            written: src.trim().to_owned(),
            place: TestRef {
                section,
                index,
                line,
                src,
            },
            head,
            protocol: String::new(),
            attributes: String::new(),
            claims: Vec::new(),
        }
    }

    fn add_to_head(&mut self, protocol: &str, attributes: String) {
        protocol.clone_into(&mut self.protocol);
        self.attributes = attributes;
    }

    /// An entry of another document that takes its place: with the same source, whatever else it checks, over whichever protocol.
    fn in_place<'e>(&self, all: &'e [TestEntry]) -> Option<&'e TestEntry> {
        let is_of = |other: &&TestEntry, has_protocol: bool| {
            (other.head == self.head || other.written == self.written)
                && other.place.section == self.place.section
                && other.attributes == self.attributes
                && (!has_protocol || other.protocol == self.protocol)
        };
        let same = all.iter().find(|other| is_of(other, true));
        same.or_else(|| all.iter().find(|other| is_of(other, false)))
    }

    fn key(&self, protocol: &str, says: &str, to: &str) -> String {
        joined(&[
            &self.head,
            " ",
            protocol,
            " ",
            &self.attributes,
            " ",
            says,
            " ",
            to,
        ])
    }

    fn claim(&mut self, policy: &Policy<'_>, to: &Selector<'_>, says: &[&str], text: String) {
        let source = Selector::new(&self.place.src, to.span);
        let names = [source, *to].map(|selector| meaning(policy, &selector));
        let place = whole(policy, to);
        let what = says.join(" ");
        // Without a protocol, TCP or UDP is enough to let it pass (docs/policy-language.md#tests).
        let over = |protocol| self.key(protocol, &what, &place);
        let (instead, partly) = match (says.first(), self.protocol.as_str()) {
            (Some(&"accept"), "") => (vec![vec![over("6")], vec![over("17")]], Vec::new()),
            (Some(&"deny"), "") => (
                vec![vec![over("6"), over("17")]],
                vec![(over("6"), " over UDP"), (over("17"), " over TCP")],
            ),
            (Some(&"deny"), "6" | "17") => (vec![vec![over("")]], Vec::new()),
            _ => Default::default(),
        };
        self.claims.push(TestClaim {
            instead,
            partly,
            key: self.key(&self.protocol, &what, &place),
            written: joined(&[
                &self.written,
                " ",
                &self.protocol,
                " ",
                &self.attributes,
                " ",
                &what,
                " ",
                to.name(),
            ]),
            to: text,
            names: names.into_iter().flatten().collect(),
        });
    }

    /// An entry that says nothing is one check of nothing.
    fn or_bare(mut self) -> TestEntry {
        if self.claims.is_empty() {
            self.claims.push(TestClaim {
                key: self.key(&self.protocol, "", ""),
                written: joined(&[&self.written, " ", &self.protocol, " ", &self.attributes]),
                to: String::new(),
                names: Vec::new(),
                instead: Vec::new(),
                partly: Vec::new(),
            });
        }
        self
    }
}

fn meaning(policy: &Policy<'_>, selector: &Selector<'_>) -> Option<TestName> {
    let is_group = selector.kind == Kind::Group;
    (is_group || selector.kind == Kind::Host).then(|| TestName {
        name: selector.name().to_owned(),
        is_group,
        is: spread(policy, selector),
    })
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
