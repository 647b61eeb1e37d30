//! The types of a proof. Must not live here: how it is made.

use serde::Serialize;

use crate::policy::language::json::PlainJson;
use crate::policy::language::rule::RuleRef;

/// Whether the assertions of a guard hold.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Proof {
    /// Whether all hold; nothing where one is open and none is false.
    pub holds: Option<bool>,
    /// One for each assertion, in their order.
    pub results: Vec<ProofResult>,
}

/// Whether one assertion holds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProofResult {
    /// The assertion.
    pub assertion: PlainJson,
    /// Nothing where it is open and no counterexample is known (docs/policy-language.md#assertions).
    pub holds: Option<bool>,
    /// Its line in the guard file.
    pub line: Option<usize>,
    /// A flow or login that is not as it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// The rules that allow the counterexample or leave it open; for `always`, the rules that allow the flow.
    pub because: Vec<RuleRef>,
    /// Why it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A flow or a login that is not as an assertion says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Counterexample {
    /// Who sends: a login, tag, autogroup or address.
    pub from: String,
    /// Who would receive.
    pub to: String,
    /// The protocol by name, or its number.
    pub protocol: String,
    /// The port; 0 where the protocol has none.
    pub port: u16,
    /// The account, of a login.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The first rule that allows it; nothing where access is missing.
    pub rule: Option<RuleRef>,
}

/// What was found about one assertion.
#[derive(Clone, Debug, Default)]
pub(super) struct Finding {
    pub counterexample: Option<Counterexample>,
    pub because: Vec<RuleRef>,
    /// Why it is open.
    pub why: Option<String>,
}

impl Finding {
    /// Whether the assertion holds, as far as is known.
    pub fn holds(&self) -> Option<bool> {
        match (&self.counterexample, &self.why) {
            (Some(_), _) => Some(false),
            (None, Some(_)) => None,
            (None, None) => Some(true),
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
            why: self.why.filter(|_| holds.is_none()),
        }
    }
}
