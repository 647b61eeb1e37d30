//! Law: every fix removes its issue and adds none. Must not live here: what a single fix changes.

use crate::recordings::recordings;
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
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/policy/documents");
    for file in std::fs::read_dir(folder).expect(folder).flatten() {
        let text = std::fs::read_to_string(file.path()).expect("a text");
        if file
            .path()
            .extension()
            .is_some_and(|ending| ending == "hujson")
        {
            for text in text
                .split("//# ")
                .filter(|text| text.contains('{'))
                .map(|text| format!("//# {text}"))
            {
                all.extend(codes(&text, &PolicyContext::default()));
                every_fix_removes_its_issue(&text, &PolicyContext::default(), &mut fixes);
            }
        }
    }
    let step = match std::env::var_os("POLICY_LANGUAGE_ALL") {
        Some(_) => 1,
        None => 7,
    };
    for (_, recordings) in recordings("fix") {
        for recording in recordings.iter().step_by(step) {
            all.extend(codes(recording.policy(), &recording.context()));
            every_fix_removes_its_issue(recording.policy(), &recording.context(), &mut fixes);
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
