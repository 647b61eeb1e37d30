//! Law: every fix removes its issue and adds none. Must not live here: what a single fix changes.

use crate::texts::{asks_all, documents, random};
use tailnet_kit::policy::service;
use tailnet_kit::policy::{PolicyContext, check};

use super::{applied, json};

/// The codes of the issues of a text, each as often as it occurs.
fn codes(text: &str, context: &PolicyContext) -> Vec<&'static str> {
    let mut codes: Vec<_> = check(text, context)
        .issues
        .iter()
        .map(|issue| issue.code)
        .collect();
    codes.sort_unstable();
    codes
}

#[track_caller]
fn every_fix_removes_its_issue(text: &str, context: &PolicyContext, fixes: &mut Vec<&'static str>) {
    let before = codes(text, context);
    for diagnostic in service::diagnostics(text, context) {
        for fix in &diagnostic.fixes {
            let after = codes(&applied(text, fix), context);
            let count =
                |codes: &[&str], code: &str| codes.iter().filter(|known| **known == code).count();
            let own = diagnostic.issue.code;
            if own == "hujson_syntax" {
                continue;
            }
            assert!(
                count(&after, own) < count(&before, own),
                "{}: {text}",
                json(fix)
            );
            for code in &after {
                let is_no_more = count(&after, code) <= count(&before, code);
                // A new definition is empty; and what was named in a removed place alone is unused.
                assert!(
                    is_no_more || matches!(*code, "never_matches" | "unused_name"),
                    "{code}: {}: {text}",
                    json(fix)
                );
            }
            fixes.push(own);
        }
    }
}

#[test]
fn a_fix_removes_its_issue_and_adds_none() {
    let (mut fixes, mut all) = (Vec::new(), Vec::new());
    let more = if asks_all() { 2_000 } else { 80 };
    for given in documents().into_iter().chain(random(more)) {
        // What a context adds is an issue of its own, so each text is asked with and without one.
        for context in [given.context(), PolicyContext::default()] {
            all.extend(codes(&given.text, &context));
            every_fix_removes_its_issue(&given.text, &context, &mut fixes);
        }
    }
    println!("{} issues, {} fixes", all.len(), fixes.len());
    all.sort_unstable();
    all.dedup();
    // Only the context says whom `user:*@` means. A text that is not HuJSON, and a wrong ssh test, have a fix only where one
    // token is wrong, or where a similar name is known.
    // Devices are changed elsewhere.
    let open = [
        "hujson_syntax",
        "invalid_selector",
        "invalid_ssh_test",
        "tag_without_device",
    ];
    let without = all.iter().filter(|code| !fixes.contains(code));
    let without: Vec<_> = without.filter(|code| !open.contains(code)).collect();
    assert!(without.is_empty(), "{without:?}");
}
