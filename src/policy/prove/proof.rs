//! The types of a proof. Must not live here: how it is made.

use serde::Serialize;

use crate::policy::findings::words::joined;
use crate::policy::language::json::PlainJson;
use crate::policy::language::rule::RuleRef;

/// Whether the assertions of a guard hold.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Proof {
    /// Whether all hold; nothing where one is undecided and none is false.
    pub holds: Option<bool>,
    /// One for each assertion, in their order.
    pub results: Vec<ProofResult>,
}

/// Whether one assertion holds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ProofResult {
    /// The assertion.
    pub assertion: PlainJson,
    /// Nothing where it is undecided and no counterexample is known (docs/policy-language.md#assertions).
    pub holds: Option<bool>,
    /// Its line in the guard file.
    pub line: Option<usize>,
    /// A flow or login that is not as it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// The rules that allow the counterexample or leave it undecided; for `always`, the rules that allow the flow.
    pub because: Vec<RuleRef>,
    /// Why it is undecided; why it is false where no rule says so; or what a claim that holds did not ask, and of whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A flow or a login that is not as an assertion says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Counterexample {
    /// The flow; of a path its last hop.
    pub flow: NamedFlow,
    /// The first rule that allows it; nothing where access is missing.
    pub rule: Option<RuleRef>,
    /// Each hop in their order, where it leads over devices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<NamedFlow>,
}

/// A flow or a login as `explain` takes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct NamedFlow {
    /// Who sends: a login, device, tag, autogroup, alias or address.
    pub from: String,
    /// Who would receive, with the port; 0 where the protocol has none. Of a login without port.
    pub to: String,
    /// The protocol by name, or its number; not of a login.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proto: Option<String>,
    /// The account, of a login.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
}

impl NamedFlow {
    /// It in words.
    pub fn words(&self) -> String {
        let (from, to) = (self.from.as_str(), self.to.as_str());
        match (&self.user, &self.proto) {
            (Some(user), _) => joined(&[from, " to ", to, " as ", user]),
            (_, Some(proto)) => {
                let to = to.strip_suffix(":0").unwrap_or(to);
                joined(&[from, " to ", to, " by ", proto])
            }
            _ => joined(&[from, " to ", to]),
        }
    }
}

/// What was found about one assertion.
#[derive(Clone, Debug, Default)]
pub(super) struct ProofFinding {
    pub counterexample: Option<Counterexample>,
    pub because: Vec<RuleRef>,
    /// Why it is undecided.
    pub why: Option<String>,
    /// Why it is false although no flow is against it: it says nothing.
    pub void: Option<String>,
    /// What there is to say about a claim that is false, or that holds.
    pub note: Option<String>,
    /// Which of its names mean nobody, to be said where it holds.
    pub empty: Option<String>,
}

impl ProofFinding {
    /// About an assertion that says nothing.
    pub fn void(why: String) -> ProofFinding {
        ProofFinding {
            void: Some(why),
            ..ProofFinding::default()
        }
    }

    /// Whether the assertion holds, as far as is known.
    pub fn holds(&self) -> Option<bool> {
        match (&self.void, &self.counterexample, &self.why) {
            (Some(_), ..) | (_, Some(_), _) => Some(false),
            (None, None, Some(_)) => None,
            (None, None, None) => Some(true),
        }
    }

    /// The result for an assertion.
    pub fn result(self, assertion: PlainJson, line: Option<usize>) -> ProofResult {
        let holds = self.holds();
        ProofResult {
            assertion,
            holds,
            line,
            counterexample: self.counterexample,
            because: self.because,
            why: match holds {
                None => self.why,
                Some(false) => self.void.or(self.note),
                Some(true) => match (self.empty, self.note) {
                    (Some(empty), Some(note)) => Some(joined(&[&empty, "; ", &note])),
                    (empty, note) => empty.or(note),
                },
            },
        }
    }
}
