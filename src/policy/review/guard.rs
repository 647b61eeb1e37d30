//! The result of a guard's assertion, in words. Must not live here: whether it holds (`prove`), Markdown.

use crate::hujson;
use crate::policy::prove::ProofResult;

/// What is claimed: the reason given by the guard's author, or else the claim itself.
pub fn claim(result: &ProofResult) -> String {
    let text = result.assertion.as_str();
    let document = hujson::parse(text).ok();
    let why = document.and_then(|document| {
        let why = document.root().get("why")?.as_str()?;
        Some(why.to_owned())
    });
    why.unwrap_or_else(|| text.to_owned())
}

/// The counterexample, or why it is undecided.
pub fn reason(result: &ProofResult) -> Option<String> {
    let Some(found) = &result.counterexample else {
        return result.why.clone();
    };
    Some(found.flow.words())
}
