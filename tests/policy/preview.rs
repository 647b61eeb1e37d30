//! The preview: which rules concern a user, or an address and port (docs/policy-language.md#preview).

use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext, Preview, Query, Subject};

/// Asks for a preview and passes it to `see`.
fn preview(text: &str, query: &Query, context: &PolicyContext, see: impl FnOnce(Preview<'_>)) {
    let document = hujson::parse(text).expect("the text is HuJSON");
    let policy = Policy::read(&document);
    assert_eq!(policy.faults, []);
    see(policy.preview(query, context).expect("an answer"));
}

fn user(login: &str) -> Query {
    Query::Of(Subject::User(login.to_owned()))
}

fn ip_port(text: &str) -> Query {
    Query::ip_port(text).expect("an address and a port")
}

fn context(json: &str) -> PolicyContext {
    serde_json::from_str(json).expect("a context")
}

/// Lines of the matches, then of the unknown ones.
#[track_caller]
fn lines(text: &str, query: &Query, context: &PolicyContext, matches: &[usize], unknown: &[usize]) {
    preview(text, query, context, |preview| {
        let found: Vec<_> = preview
            .matches
            .iter()
            .filter_map(|m| m.line_number)
            .collect();
        assert_eq!(found, matches, "matches of {query:?}");
        let open: Vec<_> = preview.unknown.iter().map(|r| r.line).collect();
        assert_eq!(open, unknown, "unknown of {query:?}");
    });
}

/// The old grammar as it is published: comments, tests, groups and hosts above a rule on line 19.
const OLD: &str = r#"// A policy in the old grammar.
{
  // What must stay as it is.
  "Tests": [
    {"User": "ann@example.com", "Allow": ["web:80"], "Deny": ["web:22"]},
  ],
  // Who belongs together.
  "Groups": {
    "group:dev": ["ann@example.com", "bob@example.com"],
  },

  // Names for addresses.
  "Hosts": {
    "web": "100.64.0.9",
  },
  /* The rules:
     one so far. */
  "ACLs": [
    {"Action": "accept", "Users": ["group:dev", "carol@example.com"], "Ports": ["web:80,443"]},
  ],
}
"#;

#[test]
fn line_number_counts_the_lines_of_the_submitted_text() {
    preview(
        OLD,
        &user("bob@example.com"),
        &PolicyContext::default(),
        |preview| {
            assert_eq!(preview.user, "bob@example.com");
            let [rule] = &preview.matches[..] else {
                panic!("one match: {preview:?}")
            };
            assert_eq!(rule.users, ["group:dev", "carol@example.com"]);
            assert_eq!(rule.ports, ["web:80,443"]);
            assert_eq!(rule.line_number, Some(19));
            assert_eq!(preview.unknown, []);
        },
    );
    lines(
        &OLD.replace('\n', "\r\n"),
        &user("carol@example.com"),
        &PolicyContext::default(),
        &[19],
        &[],
    );
    lines(
        OLD,
        &user("dave@example.com"),
        &PolicyContext::default(),
        &[],
        &[],
    );
}

#[test]
fn an_address_and_port_is_read_as_destination() {
    let nothing = PolicyContext::default();
    lines(OLD, &ip_port("100.64.0.9:443"), &nothing, &[19], &[]);
    lines(OLD, &ip_port("100.64.0.9:22"), &nothing, &[], &[]);
    lines(OLD, &ip_port("100.64.0.8:443"), &nothing, &[], &[]);
    assert_eq!(
        Query::ip_port("[fd7a::1]:80"),
        Query::ip_port("[fd7a::1]:80")
    );
    for wrong in [
        "",
        "100.64.0.1",
        "web:80",
        "100.64.0.1:",
        "100.64.0.1:+80",
        "100.64.0.1:70000",
        "1.2.3.04:80",
    ] {
        assert_eq!(Query::ip_port(wrong), None, "{wrong}");
    }
}

/// Both sections, several shapes of rule; lines counted from 1.
const NEW: &str = r#"{
  "groups": {"group:ops": ["ann@example.com"]},
  "hosts": {"box": "100.64.0.1", "lan": "10.0.0.0/8"},
  "grants": [
    {
      "src": ["group:ops"], "dst": ["tag:web", "fd7a:115c:a1e0::9"], "ip": ["443", "udp:53", "*"],
    },
    {"src": ["autogroup:admin"], "dst": ["*"], "ip": ["*"]},
  ],
  "acls": [
    {"action": "accept", "src": ["autogroup:member"], "dst": ["tag:web:80-90"]},
    {"action": "accept", "src": ["box"], "dst": ["autogroup:internet:*"]},
    {"action": "accept", "src": ["lan"], "dst": ["bob@example.com:22"]},
    {"action": "accept", "src": ["tag:web"], "dst": ["*:*"]},
    {"action": "accept", "src": ["user:*@example.com"], "dst": ["lan:*"]},
  ],
}"#;

#[test]
fn rules_are_in_file_order_and_grants_show_their_ports() {
    preview(
        NEW,
        &user("ann@example.com"),
        &PolicyContext::default(),
        |preview| {
            let first = &preview.matches[0];
            assert_eq!(first.line_number, Some(5));
            assert_eq!(
                first.ports,
                [
                    "tag:web:443",
                    "tag:web:udp:53",
                    "tag:web:*",
                    "[fd7a:115c:a1e0::9]:443",
                    "[fd7a:115c:a1e0::9]:udp:53",
                    "[fd7a:115c:a1e0::9]:*"
                ]
            );
        },
    );
}

#[test]
fn a_match_that_the_text_does_not_decide_is_unknown_without_a_context() {
    let ann = user("ann@example.com");
    lines(NEW, &ann, &PolicyContext::default(), &[5, 11, 15], &[8, 12]);
    let known = context(
        r#"{"users": [{"loginName": "ann@example.com", "role": "admin"}],
            "devices": [{"id": "1", "user": "ann@example.com", "addresses": ["100.64.0.1"]}]}"#,
    );
    lines(NEW, &ann, &known, &[5, 8, 11, 12, 15], &[]);
    let other = context(
        r#"{"users": [{"loginName": "ann@example.com", "role": "member"}],
            "devices": [{"id": "1", "user": "ann@example.com", "tags": ["tag:web"], "addresses": ["100.64.0.1"]}]}"#,
    );
    lines(NEW, &ann, &other, &[5, 11, 15], &[]);
}

#[test]
fn a_destination_by_identity_needs_the_devices() {
    let query = ip_port("100.64.0.7:80");
    lines(NEW, &query, &PolicyContext::default(), &[8, 14], &[5, 11]);
    let tagged =
        context(r#"{"devices": [{"id": "1", "tags": ["tag:web"], "addresses": ["100.64.0.7"]}]}"#);
    lines(NEW, &query, &tagged, &[5, 8, 11, 14], &[]);
    let owned = context(
        r#"{"devices": [{"id": "1", "user": "bob@example.com", "addresses": ["100.64.0.7"]}]}"#,
    );
    lines(NEW, &ip_port("100.64.0.7:22"), &owned, &[8, 13, 14], &[]);
    lines(
        NEW,
        &ip_port("8.8.8.8:53"),
        &PolicyContext::default(),
        &[8, 12, 14],
        &[],
    );
    lines(
        NEW,
        &ip_port("10.1.2.3:53"),
        &PolicyContext::default(),
        &[8, 14, 15],
        &[],
    );
}

fn tag(name: &str) -> Query {
    Query::Of(Subject::Tag(name.to_owned()))
}

fn host(name: &str) -> Query {
    Query::Of(Subject::Host(name.to_owned()))
}

/// docs/policy-language.md#preview: `*`, `autogroup:tagged` and the tag itself cover a tag; no selector of users does.
#[test]
fn a_tag_is_asked_about_as_source_and_as_destination() {
    let nothing = PolicyContext::default();
    lines(NEW, &tag("tag:web"), &nothing, &[5, 8, 11, 14], &[12]);
    lines(NEW, &tag("web"), &nothing, &[5, 8, 11, 14], &[12]);
    let elsewhere =
        context(r#"{"devices": [{"id": "1", "tags": ["tag:web"], "addresses": ["100.64.0.7"]}]}"#);
    lines(NEW, &tag("tag:web"), &elsewhere, &[5, 8, 11, 14], &[]);
    let at_box =
        context(r#"{"devices": [{"id": "1", "tags": ["tag:web"], "addresses": ["100.64.0.1"]}]}"#);
    lines(NEW, &tag("tag:web"), &at_box, &[5, 8, 11, 12, 14], &[]);
    lines(NEW, &tag("tag:db"), &at_box, &[8, 14], &[]);
    let tagged = r#"{"grants": [
      {"src": ["autogroup:tagged"], "dst": ["autogroup:self"], "app": {"example.com/cap": [{}]}},
      {"src": ["ann@example.com"], "dst": ["autogroup:tagged"], "app": {"example.com/cap": [{}]}},
      {"src": ["autogroup:member"], "dst": ["autogroup:internet"], "ip": ["*"]},
    ]}"#;
    lines(tagged, &tag("tag:web"), &nothing, &[2, 3], &[]);
}

/// An alias stands for its addresses; `*` as a source is the tailnet, as a destination everything.
#[test]
fn an_alias_is_asked_about_by_its_addresses_on_both_sides() {
    let nothing = PolicyContext::default();
    lines(NEW, &host("lan"), &nothing, &[8, 13, 14, 15], &[]);
    lines(NEW, &host("10.1.0.0/16"), &nothing, &[8, 13, 14, 15], &[]);
    lines(NEW, &host("box"), &nothing, &[8, 12, 14], &[5, 11, 13, 15]);
    let known = context(
        r#"{"users": [{"loginName": "bob@example.com", "role": "member"}],
            "devices": [{"id": "1", "user": "bob@example.com", "addresses": ["100.64.0.1"]}]}"#,
    );
    lines(NEW, &host("box"), &known, &[8, 11, 12, 13, 14, 15], &[]);
    lines(NEW, &host("nowhere"), &nothing, &[], &[]);
    let anyone = r#"{"hosts": {"lan": "10.0.0.0/8", "out": "8.8.8.8"}, "acls": [
      {"action": "accept", "src": ["*"], "dst": ["autogroup:internet:*"]},
      {"action": "accept", "src": ["autogroup:danger-all"], "dst": ["100.64.0.1:22"]},
    ]}"#;
    lines(anyone, &host("out"), &nothing, &[2, 3], &[]);
    lines(anyone, &host("lan"), &nothing, &[3], &[2]);
    let routed = context(
        r#"{"devices": [{"id": "1", "user": "a@b.c", "addresses": ["100.64.0.1"],
            "advertisedRoutes": ["10.2.0.0/16"], "enabledRoutes": ["10.2.0.0/16"]}]}"#,
    );
    lines(anyone, &host("lan"), &routed, &[2, 3], &[]);
    lines(anyone, &host("10.3.0.1"), &routed, &[3], &[]);
}

#[test]
fn the_old_spelling_gives_the_same_answer() {
    let renamed = NEW
        .replace("\"src\"", "\"Users\"")
        .replace("\"dst\"", "\"PORTS\"");
    let (grants, acls) = (
        NEW.find("acls").expect("acls"),
        renamed.find("acls").expect("acls"),
    );
    let old = format!("{}{}", &NEW[..grants], &renamed[acls..]);
    lines(
        &old,
        &user("ann@example.com"),
        &PolicyContext::default(),
        &[5, 11, 15],
        &[8, 12],
    );
}

fn group(name: &str) -> Query {
    Query::Of(Subject::Group(name.to_owned()))
}

fn autogroup(name: &str) -> Query {
    Query::Of(Subject::Autogroup(name.to_owned()))
}

/// A group stands for its members on either side: a rule for one of them, or for all, concerns it.
#[test]
fn a_group_is_asked_about_as_source_and_as_destination() {
    let text = r#"{"groups": {"group:ops": ["ann@example.com", "bob@example.com"], "group:dev": ["carol@example.com"]}, "acls": [
      {"action": "accept", "src": ["group:ops"], "dst": ["10.0.0.1:22"]},
      {"action": "accept", "src": ["ann@example.com"], "dst": ["10.0.0.1:22"]},
      {"action": "accept", "src": ["carol@example.com"], "dst": ["bob@example.com:22"]},
      {"action": "accept", "src": ["group:dev"], "dst": ["10.0.0.1:22"]},
      {"action": "accept", "src": ["autogroup:member"], "dst": ["10.0.0.1:22"]},
      {"action": "accept", "src": ["autogroup:tagged"], "dst": ["10.0.0.1:22"]},
    ]}"#;
    let nothing = PolicyContext::default();
    lines(text, &group("group:ops"), &nothing, &[2, 3, 4, 6], &[]);
    lines(text, &group("ops"), &nothing, &[2, 3, 4, 6], &[]);
    lines(text, &group("group:dev"), &nothing, &[4, 5, 6], &[]);
}

#[test]
fn an_autogroup_is_asked_about_as_source_and_as_destination() {
    let text = r#"{"tagOwners": {"tag:web": []}, "acls": [
      {"action": "accept", "src": ["autogroup:member"], "dst": ["10.0.0.1:22"]},
      {"action": "accept", "src": ["autogroup:tagged"], "dst": ["autogroup:member:22"]},
      {"action": "accept", "src": ["*"], "dst": ["autogroup:internet:443"]},
    ]}"#;
    let nothing = PolicyContext::default();
    lines(text, &autogroup("member"), &nothing, &[2, 3, 4], &[]);
    lines(text, &autogroup("autogroup:tagged"), &nothing, &[3, 4], &[]);
    lines(text, &autogroup("internet"), &nothing, &[4], &[]);
}

/// An unknown name must not read as "no access".
#[test]
fn an_undefined_name_is_unresolved_and_a_malformed_address_is_an_error() {
    let nothing = PolicyContext::default();
    for query in [tag("tag:none"), group("group:none"), host("nowhere")] {
        preview(NEW, &query, &nothing, |preview| {
            assert_eq!(preview.unresolved.len(), 1, "{query:?}");
        });
    }
    let document = hujson::parse(NEW).expect("HuJSON");
    let (policy, query) = (Policy::read(&document), host("10.0.0.0/99"));
    let error = policy.preview(&query, &nothing);
    assert_eq!(error.expect_err("an error").code(), "invalid_argument");
}
