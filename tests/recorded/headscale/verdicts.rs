//! Verdicts, messages and the texts of tests, as Headscale recorded them.
//! Must not live here: what a node receives (tests/recorded/headscale/network.rs).

use tailnet_kit::policy::TestSection;

use super::{Case, cases, checked, replay};

/// How Headscale judges a document before it runs any test.
#[test]
fn a_refusal_has_the_words_of_headscale() {
    replay("message", |case| {
        let refused = case.text("verdict") == Some("refused");
        let ours = checked(case);
        let words = ours.message.clone().unwrap_or_default();
        let of_tests = ours.issues.iter().any(|issue| issue.code == "test_failed");
        let agrees = match refused {
            true => case.said(&words),
            false => ours.accepted || of_tests,
        };
        let theirs = case.text("message");
        Some(
            (!agrees)
                .then(|| format!("{}\n  theirs {theirs:?}\n  ours   {words:?}", case.policy())),
        )
    });
}

/// The texts of failing tests, section by section.
#[test]
fn failing_tests_have_the_words_of_headscale() {
    replay("tests", |case| {
        if case.text("verdict") == Some("refused") {
            return None;
        }
        let ours = checked(case);
        let section = |section: TestSection| {
            let results = ours.tests.results.iter();
            let own = results.filter(|result| result.section == section);
            let lines: Vec<&str> = own
                .flat_map(|result| &result.errors)
                .map(String::as_str)
                .collect();
            (!lines.is_empty()).then(|| format!("test(s) failed:\n{}", lines.join("\n")))
        };
        let (tests, ssh) = (section(TestSection::Tests), section(TestSection::SshTests));
        let agrees =
            tests.as_deref() == case.text("tests") && ssh.as_deref() == case.text("sshTests");
        let theirs = (case.text("tests"), case.text("sshTests"));
        Some((!agrees).then(|| {
            format!(
                "{}\n  theirs {theirs:?}\n  ours   {:?}",
                case.policy(),
                (tests, ssh)
            )
        }))
    });
}

/// Headscale lists every address of a source of ssh tests, and does not end for a wide one. We do, and leave it undecided.
#[test]
fn what_headscale_does_not_end_is_undecided() {
    let cases = cases();
    let endless: Vec<&Case> = cases.iter().filter(|case| case.was_endless()).collect();
    assert_eq!(endless.len(), 1);
    let check = checked(endless[0]);
    assert_eq!(
        (check.accepted, check.tests.results[0].passed),
        (true, None)
    );
}
