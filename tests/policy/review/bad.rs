//! Bad changes, each made by replacing a part of the base, and where the review must name them.
//! Must not live here: edits without meaning.

use tailnet_kit::policy::{Direction, Public, RuleRef};

use super::{BASE, assert_laws, edited, line_of, reviewed};

/// Where a change is named: whom it concerns, and a text on its line.
enum Named {
    /// Access of the first to the second, by a rule of the later document.
    Gains(&'static str, &'static str, &'static str),
    /// Lost access, by a rule of the earlier document.
    Loses(&'static str, &'static str, &'static str),
    /// A login of the first at the second, under an account.
    LogsIn(&'static str, &'static str, &'static str, &'static str),
    LogsOut(&'static str, &'static str, &'static str, &'static str),
    /// A login that no longer needs a check.
    Unchecked(&'static str, &'static str, &'static str, &'static str),
    /// A destination that is open to many.
    Open(Public, &'static str, &'static str),
    LockedOut(&'static str),
    /// An issue of this code.
    Issue(&'static str, &'static str),
    TestRemoved(&'static str),
    /// A test that no longer checks this destination.
    TestLess(&'static str),
    /// A place in the text, for a section that opens nothing by itself.
    Changed(&'static str),
}
use Named::*;

fn stands(rules: &[RuleRef], text: &str, part: &str) -> bool {
    rules.iter().any(|rule| rule.line == line_of(text, part))
}

#[track_caller]
fn assert_named(from: &str, to: &str, names: &[Named]) {
    let after = edited(from, to);
    let review = reviewed(BASE, &after);
    assert!(!review.unchanged, "{to}");
    let access = |source: &str, place: &str, gained: bool, text: &str, part: &str| {
        let mut own = review
            .access
            .iter()
            .filter(|change| change.source == source);
        own.any(|change| {
            let list = if gained { &change.gained } else { &change.lost };
            let mut list = list.iter().filter(|reach| reach.destination == place);
            list.any(|reach| stands(&reach.because, text, part))
        })
    };
    let login = |source: &str, place: &str, user: &str, gained: bool, text: &str, part: &str| {
        let mut own = review.ssh.iter().filter(|change| change.source == source);
        own.any(|change| {
            let list = if gained { &change.gained } else { &change.lost };
            let mut list = list.iter().filter(|reach| reach.destination == place);
            list.any(|reach| {
                reach.users.iter().any(|known| known == user) && stands(&reach.because, text, part)
            })
        })
    };
    for name in names {
        let (found, what) = match *name {
            Gains(source, place, part) => (access(source, place, true, &after, part), source),
            Loses(source, place, part) => (access(source, place, false, BASE, part), source),
            LogsIn(source, place, user, part) => {
                (login(source, place, user, true, &after, part), source)
            }
            LogsOut(source, place, user, part) => {
                (login(source, place, user, false, BASE, part), source)
            }
            Unchecked(source, place, user, part) => {
                let mut own = review.ssh.iter().filter(|change| change.source == source);
                let found = own.any(|change| {
                    change.checked.iter().any(|checked| {
                        checked.now == Direction::Looser
                            && checked.reach.destination == place
                            && checked.reach.users.iter().any(|known| known == user)
                            && stands(&checked.reach.because, &after, part)
                    })
                });
                (found, source)
            }
            TestLess(to) => {
                let mut changed = review.tests.changed.iter();
                (
                    changed.any(|test| test.no_longer.iter().any(|it| it == to)),
                    to,
                )
            }
            Open(to, place, part) => {
                let mut open = review.exposed.iter().filter(|open| open.to == to);
                (
                    open.any(|open| {
                        open.destination == place && stands(&open.because, &after, part)
                    }),
                    place,
                )
            }
            LockedOut(who) => (review.locked_out.iter().any(|party| party.name == who), who),
            Issue(code, part) => {
                let line = line_of(&after, part);
                (
                    review
                        .issues
                        .iter()
                        .any(|issue| issue.code == code && issue.line == line),
                    code,
                )
            }
            TestRemoved(part) => {
                let line = line_of(BASE, part);
                (
                    review
                        .tests
                        .removed
                        .iter()
                        .any(|test| test.test.line == line),
                    part,
                )
            }
            Changed(pointer) => (
                review
                    .changes
                    .iter()
                    .any(|change| change.pointer == pointer),
                pointer,
            ),
        };
        assert!(found, "{from} -> {to}: {what} is not named\n{review:#?}");
    }
    assert_laws(BASE, &after);
}

const WEB: &str = r#"["tag:web:80,443"]"#;
const DEV: &str = r#""src": ["group:dev"], "dst": ["tag:web"#;

#[test]
fn ports_and_protocols() {
    let (alice, web) = ("alice@example.com", "tag:web");
    assert_named(WEB, r#"["tag:web:80-443"]"#, &[Gains(alice, web, "80-443")]);
    assert_named(WEB, r#"["tag:web:*"]"#, &[Gains(alice, web, "tag:web:*")]);
    assert_named(WEB, r#"["tag:web:443"]"#, &[Loses(alice, web, "80,443")]);
    assert_named(
        "8000-8100",
        "8000-9100",
        &[Gains("tag:ci", web, "8000-9100")],
    );
    assert_named(
        r#""proto": "tcp", "#,
        "",
        &[Gains("tag:ci", web, "8000-8100")],
    );
    assert_named(
        r#""proto": "tcp""#,
        r#""proto": "udp""#,
        &[
            Gains("tag:ci", web, r#""proto": "udp""#),
            Loses("tag:ci", web, r#""proto": "tcp""#),
        ],
    );
    assert_named(
        r#""tcp:443", "tcp:8443""#,
        r#""tcp:*""#,
        &[Gains("olga@example.com", "ipset:prod", "tcp:*")],
    );
}

#[test]
fn sources() {
    let (everybody, outsiders, anyone) = (Public::Everybody, Public::Outsiders, Public::Anyone);
    let opened = |source: &str| format!(r#""src": ["{source}"], "dst": ["tag:web"#);
    assert_named(DEV, &opened("*"), &[Open(everybody, "tag:web", r#"["*"]"#)]);
    assert_named(
        DEV,
        &opened("autogroup:member"),
        &[
            Open(everybody, "tag:web", "80,443"),
            Gains("olga@example.com", "tag:web", "80,443"),
        ],
    );
    assert_named(
        DEV,
        &opened("autogroup:shared"),
        &[
            Open(outsiders, "tag:web", "80,443"),
            Loses("alice@example.com", "tag:web", "80,443"),
        ],
    );
    assert_named(
        DEV,
        &opened("autogroup:danger-all"),
        &[Open(anyone, "tag:web", "danger-all")],
    );
    assert_named(
        r#""bob@example.com"]"#,
        r#""bob@example.com", "mallory@example.com"]"#,
        &[
            Gains("mallory@example.com", "tag:web", "80,443"),
            LogsIn(
                "mallory@example.com",
                "tag:ci",
                "autogroup:nonroot",
                "nonroot",
            ),
        ],
    );
    assert_named(
        r#", "bob@example.com"]"#,
        "]",
        &[
            Loses("bob@example.com", "tag:web", "80,443"),
            LogsOut("bob@example.com", "tag:ci", "autogroup:nonroot", "nonroot"),
        ],
    );
    assert_named(
        "carol@example.com",
        "car0l@example.com",
        &[
            Gains("car0l@example.com", "tag:ci", "car0l"),
            Loses("carol@example.com", "tag:ci", "carol"),
            LogsOut(
                "carol@example.com",
                "tag:ci",
                "root",
                r#""users": ["root"], "srcP"#,
            ),
        ],
    );
}

#[test]
fn destinations() {
    let olga = "olga@example.com";
    assert_named(
        r#""tag:web:22", "tag:db:5432""#,
        r#""tag:web:22", "*:5432""#,
        &[Gains(olga, "*", "*:5432")],
    );
    assert_named(
        "autogroup:self:*",
        "autogroup:member:*",
        &[Open(
            Public::Everybody,
            "autogroup:member",
            "autogroup:member:*",
        )],
    );
    assert_named(
        r#""gate": "10.0.0.1""#,
        r#""gate": "10.0.0.2""#,
        &[Changed("/hosts/gate")],
    );
    assert_named(
        r#""10.0.0.0/24","#,
        r#""10.0.0.0/16","#,
        &[Changed("/hosts/lan")],
    );
    assert_named(
        r#", "remove 10.1.9.0/24""#,
        "",
        &[Changed("/ipsets/ipset:prod")],
    );
    assert_named(
        r#""tag:db:5432"]},
    {"action": "accept", "src": ["tag:ci"]"#,
        r#""tag:db:5432", "tag:router:*"]},
    {"action": "accept", "src": ["tag:ci"]"#,
        &[Gains(olga, "tag:router", "tag:router:*")],
    );
}

#[test]
fn whole_rules() {
    assert_named(
        r#"    {"action": "accept", "src": ["group:ops"], "dst": ["tag:web:22", "tag:db:5432"]},
"#,
        "",
        &[
            Loses("olga@example.com", "tag:db", "tag:web:22"),
            Loses("olga@example.com", "tag:web", "tag:web:22"),
            Issue("test_failed", r#"{"src": "olga@example.com", "accept""#),
        ],
    );
    assert_named(
        r#"    {"action": "accept", "src": ["tag:web"], "dst": ["tag:db:5432"]},
"#,
        "",
        &[
            Loses("tag:web", "tag:db", r#"["tag:web"], "dst": ["tag:db"#),
            LockedOut("tag:web"),
        ],
    );
    assert_named(
        r#"  "grants": ["#,
        r#"  "grants": [
    {"src": ["*"], "dst": ["*"], "ip": ["*"]},"#,
        &[
            Open(Public::Everybody, "*", r#"{"src": ["*"]"#),
            Issue("broad_rule", r#"{"src": ["*"]"#),
        ],
    );
    let acls = BASE.find("  \"acls\"").expect("acls");
    let ssh = BASE.find("  // Who logs in").expect("ssh");
    let after = BASE[..acls].to_owned() + &BASE[ssh..];
    let review = reviewed(BASE, &after);
    assert!(
        review
            .exposed
            .iter()
            .any(|open| open.to == Public::Everybody && open.destination == "*")
    );
    assert_laws(BASE, &after);
}

#[test]
fn conditions() {
    let carol = "carol@example.com";
    assert_named(
        r#"["tag:ci:22"], "srcPosture": ["posture:new"]}"#,
        r#"["tag:ci:22"]}"#,
        &[Gains(carol, "tag:ci", "tag:ci:22")],
    );
    assert_named(
        r#", "node:osVersion >= '14'""#,
        "",
        &[
            Gains(carol, "tag:ci", "tag:ci:22"),
            Changed("/postures/posture:new"),
        ],
    );
    assert_named(
        r#"["root"], "srcPosture": ["posture:new"]}"#,
        r#"["root"]}"#,
        &[LogsIn(carol, "tag:ci", "root", r#""users": ["root"]}"#)],
    );
    assert_named(
        r#", "via": ["tag:router"]"#,
        "",
        &[Gains("alice@example.com", "192.0.2.0/24", "192.0.2.0/24")],
    );
    assert_named(
        r#""via": ["tag:router"]"#,
        r#""via": ["tag:ci"]"#,
        &[Changed("/grants/1/via")],
    );
    assert_named(
        r#"  "acls": ["#,
        r#"  "defaultSrcPosture": ["posture:new"],
  "acls": ["#,
        &[Loses("alice@example.com", "tag:web", "80,443")],
    );
}

#[test]
fn logins() {
    let (alice, olga) = ("alice@example.com", "olga@example.com");
    assert_named(
        r#"["autogroup:nonroot"]"#,
        r#"["autogroup:nonroot", "root"]"#,
        &[LogsIn(alice, "tag:ci", "root", r#", "root"]"#)],
    );
    assert_named(
        r#""action": "check""#,
        r#""action": "accept""#,
        &[
            Unchecked(olga, "tag:web", "root", r#"["root", "ubuntu"]"#),
            Issue("test_failed", r#""check": ["root"]"#),
        ],
    );
    assert_named(
        r#"["group:dev"], "dst": ["tag:ci"]"#,
        r#"["autogroup:member"], "dst": ["tag:ci"]"#,
        &[
            LogsIn("autogroup:member", "tag:ci", "autogroup:nonroot", "nonroot"),
            LogsIn(olga, "tag:ci", "autogroup:nonroot", "nonroot"),
        ],
    );
    assert_named(
        r#"["group:dev"], "dst": ["tag:ci"]"#,
        r#"["group:dev"], "dst": ["tag:ci", "tag:db"]"#,
        &[LogsIn(
            alice,
            "tag:db",
            "autogroup:nonroot",
            r#""tag:ci", "tag:db""#,
        )],
    );
    assert_named(
        r#"    {"action": "check", "src": ["group:ops"], "dst": ["tag:web", "tag:db"], "users": ["root", "ubuntu"]},
"#,
        "",
        &[
            LogsOut(olga, "tag:db", "ubuntu", r#""action": "check""#),
            Issue("test_failed", r#""check": ["root"]"#),
        ],
    );
    assert_named(
        r#"["root", "ubuntu"]}"#,
        r#"["root", "ubuntu"], "checkPeriod": "30s"}"#,
        &[
            Issue("short_check_period", "30s"),
            Changed("/ssh/0/checkPeriod"),
        ],
    );
}

#[test]
fn sections_that_open_nothing_by_themselves() {
    assert_named(
        r#""tag:web":    ["group:ops"]"#,
        r#""tag:web":    ["group:ops", "mallory@example.com"]"#,
        &[Changed("/tagOwners/tag:web")],
    );
    assert_named(
        r#""tag:router": []"#,
        r#""tag:router": ["autogroup:member"]"#,
        &[Changed("/tagOwners/tag:router")],
    );
    assert_named(
        r#""exitNode": ["tag:router"]"#,
        r#""exitNode": ["tag:router", "group:dev"]"#,
        &[Changed("/autoApprovers/exitNode")],
    );
    assert_named(
        r#"{"10.0.0.0/24": ["#,
        r#"{"10.0.0.0/8": ["#,
        &[Changed("/autoApprovers/routes/10.0.0.0~18")],
    );
    assert_named(
        r#"["group:dev", "tag:ci"], "attr""#,
        r#"["autogroup:member", "tag:ci"], "attr""#,
        &[Changed("/nodeAttrs/0")],
    );
    assert_named(
        r#"{"level": 1}"#,
        r#"{"level": 9}"#,
        &[Changed("/grants/2/app/example.com~1cap~1admin")],
    );
    assert_named(
        r#"["olga@example.com"], "dst": ["tag:db"], "app""#,
        r#"["group:dev"], "dst": ["tag:db"], "app""#,
        &[Changed("/grants/2/src")],
    );
    assert_named(
        r#"  "nodeAttrs": ["#,
        r#"  "randomizeClientPort": true,
  "nodeAttrs": ["#,
        &[Changed("/randomizeClientPort")],
    );
}

#[test]
fn removed_tests() {
    assert_named(
        r#"    {"src": "olga@example.com", "accept": ["tag:db:5432"]},
"#,
        "",
        &[TestRemoved(r#"{"src": "olga@example.com", "accept""#)],
    );
    assert_named(r#", "deny": ["tag:db:22"]"#, "", &[TestLess("tag:db:22")]);
    assert_named(
        r#"    {"src": "olga@example.com", "dst": ["tag:web"], "check": ["root"]},
"#,
        "",
        &[TestRemoved(r#""check": ["root"]"#)],
    );
}

/// With devices users are listed by name, and a user without any access left is locked out.
#[test]
fn a_user_without_any_access_left_is_named() {
    let context = super::devices();
    let after = edited("carol@example.com", "dora@example.com");
    let after = after.replace(
        r#"    {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:*"]},
"#,
        "",
    );
    let review = super::guarded(BASE, &after, &context, None);
    let out: Vec<&str> = review
        .locked_out
        .iter()
        .map(|party| party.name.as_str())
        .collect();
    // Carol had the build machines and nothing else; Alice keeps the web.
    assert_eq!(out, ["carol@example.com"]);
    // A login needs the network too.
    let out = edited(
        r#""src": ["carol@example.com"], "dst": ["tag:ci:22"]"#,
        r#""src": ["dora@example.com"], "dst": ["tag:ci:22"]"#,
    );
    let review = super::guarded(BASE, &out, &context, None);
    assert_eq!(review.locked_out.len(), 1, "{:?}", review.locked_out);
}

/// Access that only `*` gives is still somebody's access.
#[test]
fn access_of_all_to_their_own_devices_is_a_change() {
    let text = |ports: &str| {
        format!(
            r#"{{"acls": [{{"action": "accept", "src": ["*"], "dst": ["autogroup:self:{ports}"]}}]}}"#
        )
    };
    let review = reviewed(&text("22"), &text("*"));
    assert!(!review.unchanged, "{review:#?}");
    let text = |to: &str| {
        format!(
            r#"{{"acls": [{{"action": "accept", "src": ["alice@example.com"], "dst": ["{to}"]}}]}}"#
        )
    };
    for (before, after) in [
        ("autogroup:internet:*", "autogroup:internet:443"),
        ("10.0.0.0/8:22", "10.0.0.0/9:22"),
        ("10.0.0.1:22", "[fd7a:115c:a1e0::1]:22"),
        ("autogroup:tagged:22", "autogroup:member:22"),
    ] {
        assert!(!reviewed(&text(before), &text(after)).unchanged, "{before}");
        assert_laws(&text(before), &text(after));
    }
}
