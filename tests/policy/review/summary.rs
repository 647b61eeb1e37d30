//! The summary: its content and its length, and that no name breaks out of its code span.
//! Must not live here: what a review finds.

use serde_json::json;
use tailnet_kit::policy::PolicyContext;

use super::{BASE, edited, guarded, reviewed};

#[test]
fn it_is_read_from_top_to_bottom() {
    let after = edited(r#""bob@example.com"]"#, r#""mallory@example.com"]"#)
        .replace(r#"["root", "ubuntu"]"#, r#"["root", "admin"]"#);
    let guard = r#"[
  {"always": {"from": "group:ops", "to": "tag:web", "ports": "22"}, "why": "ops reach the web"},
  {"never": {"from": "mallory@example.com", "to": "tag:web"}, "why": "nobody new"},
  {"never": {"from": "autogroup:owner", "to": "tag:web"}, "why": "who knows"},
]"#;
    let review = guarded(BASE, &after, &PolicyContext::default(), Some(guard));
    let headings: Vec<&str> = review
        .summary
        .lines()
        .filter(|line| line.starts_with('#'))
        .collect();
    assert_eq!(
        headings,
        [
            "### Guard",
            "### Gains access",
            "### Gains SSH logins",
            "### Gains powers",
            "### Loses access",
            "### Loses SSH logins",
            "### Loses powers",
        ]
    );
    let lines: Vec<&str> = review.summary.lines().collect();
    assert_eq!(
        lines[0],
        "**1 gains access, 1 loses access, 2 gain SSH logins, 2 lose SSH logins, 1 gains powers, 1 loses powers** **Guard: 1 broken, 1 undecided** of 3."
    );
    assert!(
        lines.contains(&"- `mallory@example.com` reaches `192.0.2.0/24` on `443` through `tag:router`; `tag:web` on `80 443` — acls[0] line 22, grants[1] line 32"),
        "{}",
        review.summary
    );
    // Of these, the network rules open port 22 to the web only (base.hujson).
    assert!(
        lines.contains(
            &"- `mallory@example.com` logs in to `tag:ci` as `autogroup:nonroot` (no network rule opens port 22 for it) — ssh[1] line 39"
        ),
        "{}",
        review.summary
    );
    assert!(lines.contains(&"- `olga@example.com` no longer logs in to `tag:web` as `ubuntu` after a check; `tag:db` as `ubuntu` after a check (no network rule opens port 22 for it) — ssh[0] line 38 of the old text"), "{}", review.summary);
    assert!(
        lines.contains(
            &"- broken: `nobody new` (line 3): `mallory@example.com to tag:web:80 by tcp` — acls[0] line 22"
        ),
        "{}",
        review.summary
    );
}

#[test]
fn an_edit_without_meaning_takes_one_line_and_its_guard() {
    // The older spelling of an autogroup means the same, and gets a warning.
    let after = edited("autogroup:member", "autogroup:members");
    let same = "**Nothing changes in meaning**: access, logins, powers and settings are the same";
    assert_eq!(
        reviewed(BASE, &after).summary,
        format!("{same}; 1 new warning.\n")
    );
    let told = |guard: &str| guarded(BASE, &after, &PolicyContext::default(), Some(guard)).summary;
    let holds = r#"{"never": {"from": "tag:web", "to": "tag:ci"}}"#;
    assert_eq!(
        told(&format!("[{holds}, {holds}]")),
        format!("{same}; 1 new warning. Guard: all 2 hold.\n")
    );
    let broken = r#"{"always": {"from": "tag:web", "to": "tag:ci", "ports": "22"}, "why": "the web | reaches CI"}"#;
    assert_eq!(
        told(&format!("[{holds},\n{broken}]")),
        format!(
            "{same}; 1 new warning. **Guard: 1 broken, 0 undecided** of 2.\n\n### Guard\n- broken: `the web ¦ reaches CI` (line 2): `tag:web to tag:ci:22 by tcp: no rule comes near`\n"
        )
    );
}

/// Whoever now needs a posture, but may have another name that needs none, was in two lists at once.
#[test]
fn what_perhaps_needs_a_posture_is_said_once() {
    let text = |posture: &str| {
        format!(
            r#"{{"tagOwners": {{"tag:db": []}}, "postures": {{"posture:p": ["custom:p == true"]}}, "acls": [], "ssh": [
  {{"action": "accept", "src": ["autogroup:admin"], "dst": ["tag:db"], "users": ["root"]}},
  {{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:db"], "users": ["root"]{posture}}},
]}}"#
        )
    };
    let before = text("");
    let unknown = "(no network rule opens port 22 for it) (`who is in autogroup:admin is not known`) — ssh[1] line 3 of the old text\n";
    let said = |after: &str| reviewed(&before, after).summary;
    assert_eq!(
        said(&text(r#", "srcPosture": ["posture:p"]"#)),
        format!(
            "**1 undecided by SSH**\n\n### SSH logins undecided\n- `ann@example.com` perhaps logs in to `tag:db` as `root` now only with `posture:p` {unknown}"
        )
    );
    let gone = before.replace(r#""ann@example.com""#, r#""tag:db""#);
    assert_eq!(
        said(&gone).lines().next(),
        Some("**1 gains SSH logins, 1 undecided by SSH**")
    );
    // That they may have had it already is no reason to doubt what they gain.
    let gained = reviewed(&gone, &before).summary;
    let line = "- `ann@example.com` logs in to `tag:db` as `root` (no network rule opens port 22 for it) — ssh[1] line 3\n";
    assert!(gained.contains(line), "{gained}");
}

/// Over one family everything but the alias is new, over the other everything: it was said twice.
#[test]
fn everything_that_all_of_a_source_gains_is_said_once() {
    let text = |more: &str| {
        format!(
            r#"{{"hosts": {{"nas": "100.64.0.9"}}, "acls": [{{"action": "accept", "src": ["*"], "dst": ["nas:22"{more}]}}]}}"#
        )
    };
    let said = reviewed(&text(""), &text(r#", "*:22""#)).summary;
    let gained = said.split("### Gains access\n").nth(1);
    assert_eq!(
        gained,
        Some("- `*` reaches everything (`*`) on `22` — acls[0] line 1\n")
    );
}

/// A group was once told by its name, which is the same before and after.
#[test]
fn a_group_with_other_members_is_told_by_them_and_more_ports_are_no_new_access() {
    let text = |members: &str, ports: &str| {
        format!(
            r#"{{"groups": {{"group:g": [{members}]}}, "acls": [{{"action": "accept", "src": ["group:g"], "dst": ["10.0.0.1:{ports}"]}}]}}"#
        )
    };
    let (ann, bob) = (r#""ann@example.com""#, r#""bob@example.com""#);
    let both = format!("{ann}, {bob}");
    let said = reviewed(&text(ann, "22"), &text(bob, "22")).summary;
    assert!(said.starts_with("**1 gains access, 1 locked out, 1 loses access**\n"));
    assert!(said.contains("`ann@example.com` no longer reaches") && !said.contains("group:g"));
    let said = reviewed(&text(&both, "22"), &text(&both, "22,80")).summary;
    assert_eq!(
        said,
        "**2 reach more ports**\n\n### Gains access\n- `ann@example.com`, `bob@example.com` reach `10.0.0.1` on `80` — acls[0] line 1\n"
    );
}

#[test]
fn it_has_sixty_lines_at_most_and_counts_the_rest() {
    let rules = |port: u16| {
        let mut rules = Vec::new();
        for at in 0..300 {
            rules.push(json!({"action": "accept", "src": [format!("u{at}@example.com")], "dst": [format!("10.0.{at}.1:{port}", at = at % 250)]}));
        }
        let logins: Vec<_> = (0..300).map(|at| json!({"action": "accept", "src": [format!("u{at}@example.com")], "dst": ["tag:a"], "users": [format!("p{port}")]})).collect();
        json!({"tagOwners": {"tag:a": []}, "acls": rules, "ssh": logins, "tests": [{"src": "u1@example.com", "accept": [format!("10.0.1.1:{port}")]}]}).to_string()
    };
    let review = reviewed(&rules(22), &rules(23));
    let lines = review.summary.lines().count();
    assert!(
        (50..=60).contains(&lines),
        "{lines} lines\n{}",
        review.summary
    );
    let parts = review.summary.split("\n### ").skip(1);
    for part in parts {
        let (heading, lines) = part.split_once('\n').expect("lines");
        let shown = lines.lines().filter(|line| line.starts_with("- ")).count();
        // Every part keeps its first line, and says how many there are.
        assert!(shown > 0, "{heading}");
        if heading.starts_with("Gains access") {
            assert_eq!(heading, format!("Gains access: {shown} of 300"));
        }
    }
}

#[test]
fn no_name_breaks_out_of_its_code_span() {
    let names = [
        "<img src=x onerror=alert(1)>",
        "`code` ``",
        "a|b",
        "@everybody",
        "line\nbreak # heading",
        "\u{202e}txt",
        "![x](http://example.com)",
        "`",
        "` \\`",
    ];
    for name in names {
        let after = json!({"tagOwners": {"tag:a": []}, "ssh": [
            {"action": "accept", "src": ["alice@example.com"], "dst": ["tag:a"], "users": [name]},
        ]});
        let review = reviewed(r#"{"tagOwners": {"tag:a": []}}"#, &after.to_string());
        let lines: Vec<&str> = review.summary.lines().collect();
        // The verdict, a blank line and a heading, the login.
        assert_eq!(lines.len(), 4, "{}", review.summary);
        assert!(
            lines[3].starts_with("- `alice@example.com` logs in to `tag:a` as `"),
            "{}",
            lines[3]
        );
        assert_plain_outside_code(lines[3]);
    }
}

/// Removes the code spans as CommonMark 6.1 reads them; only our own words may be left.
#[track_caller]
fn assert_plain_outside_code(line: &str) {
    let mut outside = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        outside.push_str(&rest[..at]);
        let run = rest[at..].bytes().take_while(|byte| *byte == b'`').count();
        let fence = "`".repeat(run);
        let inside = &rest[at + run..];
        // The first run of just as many backticks ends it.
        let mut from = 0;
        let end = loop {
            let found = inside[from..]
                .find(&fence)
                .unwrap_or_else(|| panic!("no end: {line}"))
                + from;
            let length = inside[found..]
                .bytes()
                .take_while(|byte| *byte == b'`')
                .count();
            if length == run {
                break found;
            }
            from = found + length;
        };
        rest = &inside[end + run..];
    }
    outside.push_str(rest);
    let is_ours = |c: char| c.is_ascii_alphanumeric() || " -—,;:()[]~/".contains(c);
    assert!(
        outside.chars().all(is_ours) && !line.contains('|') && !line.contains('\u{202e}'),
        "{line}\n{outside}"
    );
}
