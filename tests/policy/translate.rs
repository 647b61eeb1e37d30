//! A policy in the other language: its text, what is lost, and whether the network has the same access. Must not live here: verdicts in
//! either language.

use serde_json::{Value, json};
use tailnet_kit::policy::{Dialect, PolicyContext, Translation, check, translate};

use crate::random::dice::Dice;
use crate::random::{policies, tailnets};

/// Two users, with a device each, and a server with a tag.
fn network(dialect: &str) -> PolicyContext {
    let users: Value = match dialect {
        "headscale" => json!([
            {"loginName": "ann", "id": "1", "email": "ann@example.com"},
            {"loginName": "bob", "id": "2", "email": "bob@example.com"},
        ]),
        _ => json!([
            {"loginName": "ann@example.com", "role": "member"},
            {"loginName": "bob@example.com", "role": "admin"},
        ]),
    };
    let [ann, bob] = match dialect {
        "headscale" => ["1", "2"],
        _ => ["ann@example.com", "bob@example.com"],
    };
    serde_json::from_value(json!({
        "dialect": dialect,
        "users": users,
        "devices": [
            {"id": "7", "hostname": "laptop", "user": ann, "addresses": ["100.64.0.1"]},
            {"id": "8", "hostname": "phone", "user": bob, "addresses": ["100.64.0.2"]},
            {"id": "9", "hostname": "server", "tags": ["tag:db"], "addresses": ["100.64.0.3"]},
        ],
    }))
    .expect("a context")
}

#[track_caller]
fn there(text: &str, to: Dialect) -> Translation {
    let from = match to {
        Dialect::Headscale => "tailscale",
        Dialect::Tailscale => "headscale",
    };
    translate(text, &network(from), to, &Vec::new()).expect("a translation")
}

#[test]
fn keys_and_users_are_written_as_there_and_comments_are_kept() {
    let text = r#"{
	// who
	"Groups": {"group:dev": ["ann@example.com"]}, // us
	"tagOwners": {"tag:db": ["group:dev"]},
	"acls": [
		{"action": "accept", "users": ["group:dev"], "ports": ["tag:db:22,443"], "proto": "tcp"}, // the database
	],
}
"#;
    let found = there(text, Dialect::Headscale);
    let wanted = text
        .replace("\"users\"", "\"src\"")
        .replace("\"ports\"", "\"dst\"");
    assert_eq!(found.text, wanted);
    assert_eq!((found.lost, found.same_access), (Vec::new(), Some(true)));
}

#[test]
fn what_headscale_does_not_have_is_left_out_and_told() {
    let text = r#"{
	"postures": {"posture:new": ["node:tsVersion >= '1.80'"]},
	"tagOwners": {"tag:db": ["autogroup:admin"]},
	"acls": [
		{"action": "accept", "src": ["autogroup:admin", "ann@example.com"], "dst": ["tag:db:22"]},
		{"action": "accept", "src": ["*"], "dst": ["tag:db:80"], "srcPosture": ["posture:new"]},
	],
}
"#;
    let found = there(text, Dialect::Headscale);
    let pointers: Vec<&str> = found
        .lost
        .iter()
        .map(|lost| lost.pointer.as_str())
        .collect();
    assert_eq!(
        pointers,
        [
            "/acls/0/src/0",
            "/acls/1",
            "/postures",
            "/tagOwners/tag:db/0"
        ]
    );
    assert!(
        check(&found.text, &network("headscale")).accepted,
        "{}",
        found.text
    );
    assert!(!found.text.contains("posture"), "{}", found.text);
    // The administrator reaches the server no more.
    assert_eq!(found.same_access, Some(false));
}

#[test]
fn what_loses_a_capability_there_is_not_the_same() {
    let text = |name: &str| {
        format!(
            r#"{{"tagOwners": {{"tag:db": []}}, "grants": [{{"src": ["ann@example.com"], "dst": ["tag:db"], "ip": ["443"], "app": {{"{name}": [{{"a": 1}}]}}}}]}}"#
        )
    };
    let kept = there(&text("tailscale.com/cap/kubernetes"), Dialect::Headscale);
    assert_eq!((kept.lost, kept.same_access), (Vec::new(), Some(true)));
    // The number was written as a text.
    assert_eq!(kept.text, text("tailscale.com/cap/kubernetes"));
    // The source that is lost had nothing but the capability.
    let text = |src: &str| {
        format!(
            r#"{{"tagOwners": {{"tag:db": []}}, "grants": [{{"src": [{src}"ann@example.com"], "dst": ["tag:db"], "app": {{"example.com/x": []}}}}]}}"#
        )
    };
    let found = |src: &str| there(&text(src), Dialect::Headscale).same_access;
    assert_eq!(found(""), Some(true));
    assert_eq!(found("\"autogroup:admin\", "), Some(false));
}

#[test]
fn a_policy_of_headscale_becomes_one_of_the_service() {
    let text = r#"// tailnet-kit: dialect headscale
{
	"tag_owners": {"tag:db": ["ann@"]},
	"acls": [{"src": ["ann@"], "dst": ["tag:db:0-22"]}], // no action
	"grants": [{"src": ["bob@"], "dst": ["tag:db"], "ip": ["tcp:80,443"]}],
}
"#;
    let found = there(text, Dialect::Tailscale);
    let wanted = r#"// tailnet-kit: dialect tailscale
{
	"tagOwners": {"tag:db": ["ann@example.com"]},
	"acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:db:1-22"]}], // no action
	"grants": [{"src": ["bob@example.com"], "dst": ["tag:db"], "ip": ["tcp:80", "tcp:443"]}],
}
"#;
    assert_eq!(found.text, wanted);
    assert_eq!(found.lost, Vec::new());
}

#[test]
fn logins_are_given_where_the_network_does_not_say_them() {
    let text = r#"{"acls": [{"src": ["ann@"], "dst": ["*:22"]}]}"#;
    let nobody = PolicyContext::read(r#"{"dialect": "headscale"}"#).expect("a context");
    let without = translate(text, &nobody, Dialect::Tailscale, &Vec::new()).expect("a translation");
    assert_eq!(
        without.lost[0].why,
        "it is not said which login this user has there"
    );
    let logins = vec![("ann".to_owned(), "ann@corp.example".to_owned())];
    let with = translate(text, &nobody, Dialect::Tailscale, &logins).expect("a translation");
    assert!(with.text.contains("ann@corp.example"), "{}", with.text);
    // Without devices there is nothing to compare.
    assert_eq!((with.lost, with.same_access), (Vec::new(), None));
}

#[test]
fn a_text_in_that_dialect_already_and_a_refused_one_have_no_translation() {
    let context = network("tailscale");
    let same = translate("{}", &context, Dialect::Tailscale, &Vec::new());
    assert!(same.is_err_and(|error| error.to_string() == "the text is in this dialect already"));
    let refused = r#"{"acls": [{"action": "drop", "src": ["*"], "dst": ["*:*"]}]}"#;
    assert!(translate(refused, &context, Dialect::Headscale, &Vec::new()).is_err());
}

#[test]
fn nobody_there_becomes_nobody_here() {
    let found = there(
        r#"{"groups": {"group:g": [" ann@", "bob@"]}, "acls": [{"src": ["group:g"], "dst": ["*:22"]}]}"#,
        Dialect::Tailscale,
    );
    assert!(
        found.text.contains(r#""group:g": ["bob@example.com"]"#),
        "{}",
        found.text
    );
    assert_eq!(found.lost[0].pointer, "/groups/group:g/0");
    assert_eq!(found.same_access, Some(true));
}

/// Neither text would do what the other does: in one the destination is every subnet, in the other nothing.
#[test]
fn all_behind_via_is_told_and_left_out() {
    let text = |user: &str| {
        let via = r#""tagOwners": {"tag:db": []}, "grants": [{"src": ["USER"], "dst": ["*", "10.0.0.0/8"], "ip": ["*"], "via": ["tag:db"]}]"#;
        format!("{{{}}}", via.replace("USER", user))
    };
    for (user, to) in [
        ("ann@", Dialect::Tailscale),
        ("ann@example.com", Dialect::Headscale),
    ] {
        let found = there(&text(user), to);
        assert_eq!(found.lost.len(), 1, "{:?}", found.lost);
        assert_eq!(found.lost[0].pointer, "/grants/0/dst/0");
        assert!(
            found.text.contains(r#""dst": ["10.0.0.0/8"]"#),
            "{}",
            found.text
        );
        assert_eq!(found.same_access, Some(true));
    }
}

/// There a group of an identity provider would be read as a user, whom nobody is.
#[test]
fn a_synced_group_is_lost_there() {
    let text = r#"{"acls": [{"action": "accept", "src": ["group:eng@example.com", "ann@example.com"], "dst": ["*:22"]}]}"#;
    let found = there(text, Dialect::Headscale);
    assert_eq!(found.lost[0].pointer, "/acls/0/src/0");
    assert_eq!(
        found.lost[0].why,
        "Headscale takes a name with an `@` for a user"
    );
    assert!(
        found.text.contains(r#""src": ["ann@example.com"]"#),
        "{}",
        found.text
    );
}

#[test]
fn no_rules_mean_another_thing_there() {
    let found = there("{}", Dialect::Headscale);
    assert_eq!(found.lost[0].what, "no acls and no grants");
}

#[test]
fn there_and_back_is_the_same_access_where_nothing_is_lost() {
    let mut asked = 0;
    for seed in 0..400 {
        let mut dice = Dice::new(9_000_000 + seed);
        let text = policies::policy(&mut dice).to_string();
        let mut known = tailnets::tailnet(&mut dice);
        let context: PolicyContext = serde_json::from_value(known.clone()).expect("a context");
        known["dialect"] = json!("headscale");
        for user in known["users"].as_array_mut().into_iter().flatten() {
            user["email"] = user["loginName"].clone();
        }
        let other: PolicyContext = serde_json::from_value(known).expect("a context");
        let Ok(over) = translate(&text, &context, Dialect::Headscale, &Vec::new()) else {
            continue;
        };
        // What the other language has not is gone now, so that this text says all that both can say.
        let Ok(back) = translate(&over.text, &other, Dialect::Tailscale, &Vec::new()) else {
            continue;
        };
        if context.devices.is_none() || !back.lost.is_empty() {
            continue;
        }
        assert_ne!(
            back.same_access,
            Some(false),
            "seed {seed}: {}\n{}",
            over.text,
            back.text
        );
        let again = translate(&back.text, &context, Dialect::Headscale, &Vec::new())
            .expect("a translation");
        if again.lost.is_empty() {
            assert_ne!(again.same_access, Some(false), "seed {seed}: {}", back.text);
            asked += 1;
        }
    }
    assert!(asked > 5, "{asked}");
}
