//! The result of a guard's assertion, in words. Must not live here: whether it holds (`prove`), Markdown.

use crate::hujson;
use crate::policy::findings::words::joined;
use crate::policy::prove::ProofResult;

/// What is claimed: the reason given by the guard's author, or else the claim itself, without the text of another policy.
pub fn claim(result: &ProofResult) -> String {
    let text = result.assertion.as_str();
    let Ok(document) = hujson::parse(text) else {
        return text.to_owned();
    };
    let root = document.root();
    if let Some(why) = root.get("why").and_then(|why| why.as_str()) {
        return why.to_owned();
    }
    for kind in ["noMoreThan", "sameAs"] {
        let Some(other) = root.get(kind) else {
            continue;
        };
        return match other.as_str().filter(|name| !name.contains(['{', '\n'])) {
            Some(name) => joined(&[kind, " ", name]),
            None => joined(&[kind, " the given policy"]),
        };
    }
    text.to_owned()
}

/// The counterexample, and why it is one or why there is none.
pub fn reason(result: &ProofResult) -> Option<String> {
    let Some(found) = &result.counterexample else {
        return result.why.clone();
    };
    let mut words = String::new();
    let path = match found.path.is_empty() {
        true => std::slice::from_ref(&found.flow),
        false => &found.path,
    };
    for hop in path {
        words.push_str(if words.is_empty() { "" } else { ", then " });
        words.push_str(&hop.words());
    }
    if let Some(why) = &result.why {
        words.push_str(&joined(&[": ", why]));
    }
    Some(words)
}
