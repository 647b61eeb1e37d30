//! Edits without meaning: the review says that, and nothing else.
//! Must not live here: bad changes.

use tailnet_kit::hujson;
use tailnet_kit::policy::PolicyContext;

use super::{BASE, assert_laws, devices, edited, guarded};

#[track_caller]
fn assert_neutral(after: &str) {
    for context in [PolicyContext::default(), devices()] {
        let review = guarded(BASE, after, &context, None);
        assert!(review.unchanged, "{after}\n{review:#?}");
        assert!(review.access.is_empty() && review.ssh.is_empty() && review.exposed.is_empty());
        assert_eq!(review.summary.lines().count(), 1, "{}", review.summary);
        assert!(
            review.summary.contains("Nothing changes in meaning"),
            "{}",
            review.summary
        );
    }
    // The one line in the summary hides no other part of the review.
    assert_laws(BASE, after);
}

#[track_caller]
fn assert_neutral_edit(from: &str, to: &str) {
    assert_neutral(&edited(from, to));
}

#[test]
fn layout_and_comments() {
    assert_neutral(&hujson::format(BASE).expect("formats"));
    assert_neutral(&hujson::minimize(BASE).expect("minimizes"));
    assert_neutral(&hujson::standardize(BASE).expect("standardizes"));
    assert_neutral_edit("  // Who is who.\n", "");
    assert_neutral_edit(
        "  \"acls\": [\n",
        "  \"acls\": [\n\n    // Rules, at last.\n",
    );
    assert_neutral_edit("\"group:dev\": [", "\"group:dev\": [ /* two */ ");
}

#[test]
fn spelling() {
    assert_neutral_edit("\"acls\"", "\"ACLs\"");
    assert_neutral_edit("\"tagOwners\"", "\"TagOwners\"");
    assert_neutral_edit(
        r#""src": ["tag:web"], "dst""#,
        r#""users": ["tag:web"], "ports""#,
    );
    assert_neutral_edit(
        r#"{"src": "alice@example.com", "accept""#,
        r#"{"user": "alice@example.com", "allow""#,
    );
    assert_neutral_edit(r#""proto": "tcp""#, r#""proto": "6""#);
    assert_neutral_edit(r#""src": ["tag:ci"]"#, r#""src": [" tag:ci"]"#);
    assert_neutral_edit("\"bob@example.com\"", "\"\\u0062ob@example.com\"");
    assert_neutral_edit("autogroup:member", "autogroup:members");
    assert_neutral_edit(r#""action": "check""#, r#""action": " check""#);
    assert_neutral_edit(r#"{"level": 1}"#, r#"{"level": 1.0}"#);
    assert_neutral_edit(r#""ip": ["443"]"#, r#""ip": ["443"], "srcPosture": null"#);
}

#[test]
fn order() {
    assert_neutral_edit(
        r#"["alice@example.com", "bob@example.com"]"#,
        r#"["bob@example.com", "alice@example.com"]"#,
    );
    assert_neutral_edit(
        r#"["group:ops", "olga@example.com"]"#,
        r#"["olga@example.com", "group:ops"]"#,
    );
    assert_neutral_edit("80,443", "443,80");
    assert_neutral_edit(r#""tcp:443", "tcp:8443""#, r#""tcp:8443", "tcp:443""#);
    assert_neutral_edit(
        r#"["funnel", "drive:share"]"#,
        r#"["drive:share", "funnel"]"#,
    );
    // Moves the first line of a list to its end.
    for start in [
        "  \"acls\": [\n",
        "  \"grants\": [\n",
        "  \"ssh\": [\n",
        "  \"tests\": [\n",
    ] {
        let at = BASE.find(start).expect("a list") + start.len();
        let first = BASE[at..].find('\n').expect("a line") + at + 1;
        let end = BASE[at..].find("\n  ]").expect("an end") + at + 1;
        let moved = [
            &BASE[..at],
            &BASE[first..end],
            &BASE[at..first],
            &BASE[end..],
        ]
        .concat();
        assert_neutral(&moved);
    }
}

#[test]
fn rules_split_and_merged() {
    let web = r#"    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:80,443"]},"#;
    assert_neutral_edit(
        web,
        r#"    {"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:80,443"]},
    {"action": "accept", "src": ["bob@example.com"], "dst": ["tag:web:80,443"]},"#,
    );
    assert_neutral_edit(
        web,
        r#"    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:80"]},
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:443"]},"#,
    );
    assert_neutral_edit(
        web,
        r#"    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:80", "tag:web:443"]},"#,
    );
    assert_neutral_edit("8000-8100", "8000-8049,8050-8100");
    assert_neutral_edit(
        r#"    {"src": ["group:ops"], "dst": ["ipset:prod"], "ip": ["tcp:443", "tcp:8443"]},"#,
        r#"    {"src": ["group:ops"], "dst": ["ipset:prod"], "ip": ["tcp:443"]},
    {"src": ["group:ops"], "dst": ["ipset:prod"], "ip": ["tcp:8443"]},"#,
    );
    assert_neutral_edit(
        r#"    {"src": ["group:dev"], "dst": ["192.0.2.0/24"], "ip": ["443"], "via": ["tag:router"]},"#,
        r#"    {"src": ["alice@example.com"], "dst": ["192.0.2.0/24"], "ip": ["443"], "via": ["tag:router"]},
    {"src": ["bob@example.com"], "dst": ["192.0.2.0/24"], "ip": ["443"], "via": ["tag:router"]},"#,
    );
    assert_neutral_edit(
        r#"    {"action": "check", "src": ["group:ops"], "dst": ["tag:web", "tag:db"], "users": ["root", "ubuntu"]},"#,
        r#"    {"action": "check", "src": ["group:ops"], "dst": ["tag:web"], "users": ["root", "ubuntu"]},
    {"action": "check", "src": ["olga@example.com"], "dst": ["tag:db"], "users": ["root"]},
    {"action": "check", "src": ["group:ops"], "dst": ["tag:db"], "users": ["ubuntu"]},"#,
    );
    assert_neutral_edit(
        r#"    {"target": ["group:dev", "tag:ci"], "attr": ["funnel", "drive:share"]},"#,
        r#"    {"target": ["group:dev"], "attr": ["funnel", "drive:share"]},
    {"target": ["tag:ci"], "attr": ["funnel"]},
    {"target": ["tag:ci"], "attr": ["drive:share"]},"#,
    );
    assert_neutral_edit(
        r#"    {"src": "alice@example.com", "accept": ["tag:web:443"], "deny": ["tag:db:22"]},"#,
        r#"    {"src": "alice@example.com", "deny": ["tag:db:22"]},
    {"src": "alice@example.com", "accept": ["tag:web:443"]},"#,
    );
    // A rule that is already there.
    assert_neutral_edit(web, &[web, "\n", web].concat());
    assert_neutral_edit(
        web,
        &[
            web,
            "\n",
            r#"    {"action": "accept", "src": ["bob@example.com"], "dst": ["tag:web:443"]},"#,
        ]
        .concat(),
    );
}

#[test]
fn one_grammar_for_the_other() {
    assert_neutral_edit(
        r#"    {"action": "accept", "src": ["tag:web"], "dst": ["tag:db:5432"]},
  ],
  "grants": ["#,
        r#"  ],
  "grants": [
    {"src": ["tag:web"], "dst": ["tag:db"], "ip": ["5432"]},"#,
    );
    assert_neutral_edit(
        r#"    {"action": "accept", "src": ["carol@example.com"], "dst": ["tag:ci:22"], "srcPosture": ["posture:new"]},
    {"action": "accept", "src": ["tag:web"], "dst": ["tag:db:5432"]},
  ],
  "grants": ["#,
        r#"  ],
  "grants": [
    {"src": ["carol@example.com"], "dst": ["tag:ci"], "ip": ["22"], "srcPosture": ["posture:new"]},
    {"src": ["tag:web"], "dst": ["tag:db"], "ip": ["5432"]},"#,
    );
    assert_neutral_edit(
        r#"  ],
  "grants": [
    {"src": ["group:ops"], "dst": ["ipset:prod"], "ip": ["tcp:443", "tcp:8443"]},"#,
        r#"    {"action": "accept", "src": ["group:ops"], "proto": "tcp", "dst": ["ipset:prod:443,8443"]},
  ],
  "grants": ["#,
    );
}

#[test]
fn names() {
    assert_neutral_edit("group:dev", "group:developers");
    assert_neutral_edit("group:ops", "group:a");
    assert_neutral_edit("gate", "portal");
    assert_neutral_edit("ipset:prod", "ipset:live");
    assert_neutral_edit("posture:new", "posture:recent");
    assert_neutral_edit("gate:22", "10.0.0.1:22");
    assert_neutral_edit(
        r#""src": ["group:ops"], "dst": ["tag:web:22""#,
        r#""src": ["olga@example.com"], "dst": ["tag:web:22""#,
    );
    assert_neutral_edit(
        r#"["tag:router", "group:ops"]"#,
        r#"["olga@example.com", "tag:router"]"#,
    );
}
