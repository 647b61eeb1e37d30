//! Who gains and who loses powers between two documents. Must not live here: the powers of one document.

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext, diff_powers};

use super::{context, lines};

fn changes_in(before: &str, after: &str, contexts: [&PolicyContext; 2]) -> Value {
    let (before, after) = (hujson::parse(before), hujson::parse(after));
    let (before, after) = (before.expect("parses"), after.expect("parses"));
    let changes = diff_powers(&Policy::read(&before), &Policy::read(&after), contexts);
    serde_json::to_value(changes).expect("serializes")
}

fn changes(before: &str, after: &str) -> Value {
    let context = PolicyContext::default();
    changes_in(before, after, [&context, &context])
}

/// Each change in one line: `+` gained, `-` lost, `?` undecided.
fn signed(changes: &Value) -> Vec<String> {
    let mut all = Vec::new();
    for change in changes.as_array().expect("a list") {
        for (list, sign) in [("gained", "+"), ("lost", "-"), ("undecided", "?")] {
            for line in lines(&change[list]) {
                all.push(format!("{sign} {line}"));
            }
        }
    }
    all
}

#[track_caller]
fn assert_changes(before: &str, after: &str, expected: &[&str]) {
    assert_eq!(signed(&changes(before, after)), expected);
}

/// The entry that stands alone in a list of the only change.
#[track_caller]
fn only(changes: &Value, list: &str) -> Value {
    assert_eq!(changes.as_array().map(Vec::len), Some(1), "{changes}");
    assert_eq!(
        changes[0][list].as_array().map(Vec::len),
        Some(1),
        "{changes}"
    );
    changes[0][list][0].clone()
}

fn owners(owners: &str) -> String {
    format!(
        r#"{{"groups": {{"group:ops": ["alice@example.com", "bob@example.com"]}},
           "tagOwners": {{"tag:prod": [{owners}], "tag:ci": []}},
           "acls": [{{"action": "accept", "src": ["tag:prod"], "dst": ["tag:ci:22"]}}]}}"#
    )
}

// Everybody may become prod.
#[test]
fn everybody_who_may_take_a_tag_gains_what_it_reaches() {
    let changes = changes(
        &owners(r#""alice@example.com""#),
        &owners(r#""alice@example.com", "autogroup:member""#),
    );
    let gained = only(&changes, "gained");
    assert_eq!(
        changes[0]["party"],
        json!({"kind": "autogroup", "name": "autogroup:member"})
    );
    assert_eq!(gained["what"], "tag:prod");
    assert_eq!(gained["opens"][0]["destination"], "tag:ci");
}

#[test]
fn whoever_keeps_a_power_by_a_wider_name_does_not_lose_it() {
    assert_changes(
        &owners(r#""group:ops""#),
        &owners(r#""autogroup:member""#),
        &["+ autogroup:member tag tag:prod"],
    );
}

/// The changes of who may put `tag:prod` on a device where all users are known: Alice is an admin, Bob and Carol are members.
fn among_known(before: &str, after: &str) -> Vec<String> {
    let context = context(json!({"users": [
        {"loginName": "alice@example.com", "role": "admin"},
        {"loginName": "bob@example.com", "role": "member"},
        {"loginName": "carol@example.com", "role": "member"},
    ]}));
    let contexts = [&context, &context];
    signed(&changes_in(&owners(before), &owners(after), contexts))
}

// docs/policy-language.md#definitions: an owner of a tag may put it on a device. Alice and Bob still may.
#[test]
fn of_a_broad_name_only_those_users_lose_a_power_who_do_not_keep_it() {
    let member = r#""autogroup:member""#;
    for kept in [r#""autogroup:admin", "bob@example.com""#, r#""group:ops""#] {
        let (lost, gained) = (
            "- carol@example.com tag tag:prod",
            "+ carol@example.com tag tag:prod",
        );
        assert_eq!(among_known(member, kept), [lost]);
        assert_eq!(among_known(kept, member), [gained]);
    }
    assert_eq!(among_known(member, ""), ["- autogroup:member tag tag:prod"]);
}

#[test]
fn where_users_are_not_known_it_is_said_who_of_a_broad_name_keeps_a_power() {
    let [member, kept] = [r#""autogroup:member""#, r#""group:ops""#].map(owners);
    let but = json!("all but alice@example.com, bob@example.com");
    assert_eq!(only(&changes(&member, &kept), "lost")["why"], but);
    assert_eq!(only(&changes(&kept, &member), "gained")["why"], but);
}

// Inlining a name and dropping its definition is unchanged, and so is a rename with all uses.
#[test]
fn names_of_groups_aliases_sets_and_postures_do_not_count() {
    let named = r#"{
        "groups": {"group:ops": ["alice@example.com", "bob@example.com"]},
        "hosts": {"office": "10.0.0.1"},
        "ipsets": {"ipset:lan": ["add 10.0.0.0/9", "add 10.128.0.0/9"]},
        "postures": {"posture:edr": ["node:os == 'linux'", "custom:x IS SET"]},
        "tagOwners": {"tag:prod": ["group:ops"], "tag:k8s": []},
        "nodeAttrs": [{"target": ["group:ops", "office", "ipset:lan"], "attr": ["funnel"]}],
        "grants": [{"src": ["group:ops"], "dst": ["tag:k8s", "office"], "srcPosture": ["posture:edr"], "app": {"a.com/b": [1, 2]}}],
        "ssh": [{"action": "accept", "src": ["group:ops"], "dst": ["tag:k8s"], "users": ["root", "ops"], "recorder": ["tag:prod"]}],
        "autoApprovers": {"exitNode": ["group:ops"]},
    }"#;
    let inlined = r#"{
        "postures": {"posture:other": ["custom:x IS SET", "node:os IN [\"linux\"]"]},
        "tagOwners": {"tag:k8s": [], "tag:prod": ["bob@example.com", "alice@example.com"]},
        "nodeAttrs": [{"target": ["10.0.0.0/8"], "attr": ["funnel"]}, {"target": ["bob@example.com", "alice@example.com", "10.0.0.1"], "attr": ["funnel"]}],
        "grants": [
            {"src": ["alice@example.com"], "dst": ["10.0.0.1", "tag:k8s"], "srcPosture": ["posture:other"], "app": {"a.com/b": [2, 1]}},
            {"src": ["bob@example.com"], "dst": ["10.0.0.1", "tag:k8s"], "srcPosture": ["posture:other"], "app": {"a.com/b": [1]}},
            {"src": ["bob@example.com"], "dst": ["10.0.0.1", "tag:k8s"], "srcPosture": ["posture:other"], "app": {"a.com/b": [2]}},
        ],
        "ssh": [
            {"action": "accept", "src": ["alice@example.com", "bob@example.com"], "dst": ["tag:k8s"], "users": ["root"], "recorder": ["tag:prod"]},
            {"action": "accept", "src": ["bob@example.com", "alice@example.com"], "dst": ["tag:k8s"], "users": ["ops"], "recorder": ["tag:prod"]},
        ],
        "autoApprovers": {"exitNode": ["alice@example.com", "bob@example.com"]},
    }"#;
    assert_changes(named, inlined, &[]);
    assert_changes(inlined, named, &[]);
}

fn routes(routes: &str) -> String {
    format!(r#"{{"tagOwners": {{"tag:r": []}}, "autoApprovers": {{"routes": {{{routes}}}}}}}"#)
}

// A default route among the approvers stands for all subnets.
#[test]
fn routes_are_compared_as_sets_of_addresses() {
    let halves = routes(r#""10.0.0.0/9": ["tag:r"], "10.128.0.0/9": ["tag:r"]"#);
    let whole = routes(r#""10.0.0.0/8": ["tag:r"]"#);
    assert_changes(&halves, &whole, &[]);
    assert_changes(&whole, &halves, &[]);
    assert_changes(
        &routes(r#""10.0.0.0/16": ["tag:r"]"#),
        &routes(r#""10.0.0.0/17": ["tag:r"]"#),
        &["- tag:r route 10.0.128.0/17"],
    );
    assert_changes(
        &whole,
        &routes(r#""10.0.0.0/8": ["tag:r"], "0.0.0.0/0": ["tag:r"]"#),
        &[
            "+ tag:r route 0.0.0.0-9.255.255.255",
            "+ tag:r route 11.0.0.0-255.255.255.255",
        ],
    );
}

// Exit nodes, services, and funnel for everybody.
#[test]
fn approvers_and_attributes_are_told() {
    let before = r#"{"tagOwners": {"tag:r": []}, "autoApprovers": {"exitNode": ["tag:r"]}, "nodeAttrs": [{"target": ["autogroup:member"], "attr": ["funnel"]}]}"#;
    let after = r#"{"tagOwners": {"tag:r": []}, "autoApprovers": {"services": {"svc:db": ["tag:r"]}}, "nodeAttrs": [{"target": ["*"], "attr": ["funnel"]}]}"#;
    assert_changes(
        before,
        after,
        &[
            "+ tag:r service svc:db",
            "- tag:r exit-node exit-node",
            "+ * attribute funnel",
        ],
    );
}

fn capability(rest: &str) -> String {
    format!(
        r#"{{"tagOwners": {{"tag:k8s": []}},
           "postures": {{"posture:edr": ["node:os == 'linux'"], "posture:new": ["node:os == 'macos'"]}},
           "grants": [{{"src": ["alice@example.com"], "dst": ["tag:k8s"], {rest}}}]}}"#
    )
}

// Who impersonated `dev` may now impersonate `system:masters`.
#[test]
fn other_contents_of_a_capability_are_told_with_their_values() {
    let changes = changes(
        &capability(r#""app": {"a.com/kubernetes": [{"impersonate": "dev"}, {"keeps": 1}]}"#),
        &capability(
            r#""app": {"a.com/kubernetes": [{"impersonate": "system:masters"}, {"keeps": 1}]}"#,
        ),
    );
    assert_eq!(
        only(&changes, "gained")["value"],
        json!({"app": [{"impersonate": "system:masters"}], "on": "tag:k8s"})
    );
    assert_eq!(
        only(&changes, "lost")["value"],
        json!({"app": [{"impersonate": "dev"}], "on": "tag:k8s"})
    );
}

// It opens no port, and yet somebody may do something.
#[test]
fn a_grant_of_capabilities_alone_is_told() {
    assert_changes(
        r#"{"tagOwners": {"tag:k8s": []}, "grants": []}"#,
        &capability(r#""app": {"a.com/b": []}"#),
        &["+ alice@example.com capability a.com/b"],
    );
}

// A condition alone is told as such.
#[test]
fn a_posture_put_on_a_capability_is_a_loss_that_says_what_stays() {
    let (free, bound) = (
        capability(r#""app": {"a.com/b": [1]}"#),
        capability(r#""app": {"a.com/b": [1]}, "srcPosture": ["posture:edr"]"#),
    );
    let tightened = changes(&free, &bound);
    assert_eq!(tightened[0]["gained"], json!([]));
    assert_eq!(only(&tightened, "lost")["why"], "now only with posture:edr");
    let loosened = changes(&bound, &free);
    assert_eq!(loosened[0]["lost"], json!([]));
    assert_eq!(
        only(&loosened, "gained")["why"],
        "before only with posture:edr"
    );
    let other = changes(
        &bound,
        &capability(r#""app": {"a.com/b": [1]}, "srcPosture": ["posture:new"]"#),
    );
    assert_eq!(
        only(&other, "gained")["why"],
        "before only with posture:edr"
    );
    assert_eq!(only(&other, "lost")["why"], "now only with posture:new");
    let either = changes(
        &bound,
        &capability(r#""app": {"a.com/b": [1]}, "srcPosture": ["posture:edr", "posture:new"]"#),
    );
    assert_eq!(signed(&either), ["+ alice@example.com capability a.com/b"]);
}

fn recorded(rest: &str) -> String {
    format!(
        r#"{{"tagOwners": {{"tag:rec": [], "tag:db": []}},
           "ssh": [{{"action": "accept", "src": ["alice@example.com"], "dst": ["tag:db"], "users": ["root"]{rest}}}]}}"#
    )
}

// Sessions that nobody records any more.
#[test]
fn a_recorder_that_is_removed_or_no_longer_enforced_is_told() {
    let (enforced, recorded, free) = (
        recorded(r#", "recorder": ["tag:rec"], "enforceRecorder": true"#),
        recorded(r#", "recorder": ["tag:rec"]"#),
        recorded(""),
    );
    let lost = only(&changes(&enforced, &recorded), "lost");
    assert_eq!(lost["why"], "now only without enforceRecorder");
    assert_eq!(lost["value"]["enforceRecorder"], true);
    assert_changes(&recorded, &free, &["- tag:rec recorder tag:db"]);
    assert_changes(&free, &enforced, &["+ tag:rec recorder tag:db"]);
}

// Owning is one hop: who got a tag by a step and owns it now gains it, and loses nothing.
#[test]
fn a_step_that_becomes_ownership_is_a_gain_alone() {
    let text = |owners: &str| {
        format!(r#"{{"tagOwners": {{"tag:a": ["alice@example.com"], "tag:b": [{owners}]}}}}"#)
    };
    let changes = changes(
        &text(r#""tag:a""#),
        &text(r#""tag:a", "alice@example.com""#),
    );
    let gained = only(&changes, "gained");
    assert_eq!(gained["why"], "before only through tag:a");
    assert_eq!(changes[0]["lost"], json!([]));
    assert_changes(
        &text(""),
        &text(r#""tag:a""#),
        &[
            "+ alice@example.com tag tag:b > tag:a",
            "+ tag:a tag tag:b > tag:a",
        ],
    );
}

// What is undecided has its reason.
#[test]
fn what_depends_on_roles_and_synced_groups_is_undecided() {
    let undecided = |before: &str, after: &str| {
        only(&changes(&owners(before), &owners(after)), "undecided")["why"].clone()
    };
    assert_eq!(
        undecided(
            r#""group:eng@acme.com""#,
            r#""group:eng@acme.com", "alice@example.com""#
        ),
        "whether alice@example.com had it before is undecided: the members of group:eng@acme.com are not known"
    );
    assert_changes(
        &owners(r#""alice@example.com""#),
        &owners(r#""autogroup:it-admin""#),
        &[
            "? alice@example.com tag tag:prod",
            "+ autogroup:it-admin tag tag:prod",
        ],
    );
    let roles = context(json!({"users": [{"loginName": "alice@example.com", "role": "it-admin"}]}));
    let texts = [
        owners(r#""alice@example.com""#),
        owners(r#""autogroup:it-admin""#),
    ];
    assert_eq!(
        signed(&changes_in(&texts[0], &texts[1], [&roles, &roles])),
        [""; 0]
    );
}

#[test]
fn whose_address_it_is_is_known_with_devices_alone() {
    let text = |targets: &str| {
        format!(r#"{{"nodeAttrs": [{{"target": [{targets}], "attr": ["funnel"]}}]}}"#)
    };
    let (before, after) = (
        text(r#""alice@example.com""#),
        text(r#""alice@example.com", "100.64.0.1""#),
    );
    assert_changes(&before, &after, &["? 100.64.0.1 attribute funnel"]);
    let devices = |owner: &str| {
        context(
            json!({"devices": [{"id": "1", "hostname": "laptop", "user": owner, "addresses": ["100.64.0.1"]}]}),
        )
    };
    let hers = devices("alice@example.com");
    assert_eq!(
        signed(&changes_in(&before, &after, [&hers, &hers])),
        [""; 0]
    );
    let his = devices("bob@example.com");
    assert_eq!(
        signed(&changes_in(&before, &after, [&his, &his])),
        ["+ 100.64.0.1 attribute funnel"]
    );
}

#[test]
fn a_part_of_a_set_is_told_by_its_addresses() {
    let text = |set: &str| {
        format!(
            r#"{{"hosts": {{"office": "{set}"}}, "nodeAttrs": [{{"target": ["office"], "attr": ["funnel"]}}]}}"#
        )
    };
    assert_changes(
        &text("10.0.0.0/16"),
        &text("10.0.0.0/17"),
        &["- 10.0.128.0/17 attribute funnel"],
    );
    assert_changes(
        &text("10.0.0.1"),
        &text("10.0.0.2"),
        &["- 10.0.0.1 attribute funnel", "+ 10.0.0.2 attribute funnel"],
    );
}

#[test]
fn nothing_changes_between_a_document_and_itself() {
    let text = capability(r#""app": {"a.com/b": [1]}"#);
    assert_changes(&text, &text, &[]);
    assert_changes(&text, &(text.replace("1]", "1,]")), &[]);
}

// What a role given, a tag set and a device that comes would do.
#[test]
fn a_network_that_changes_under_the_same_text_is_told_by_users_and_devices() {
    let text = r#"{
        "tagOwners": {"tag:prod": ["autogroup:it-admin"], "tag:ci": []},
        "autoApprovers": {"routes": {"10.0.0.0/8": ["tag:ci"]}},
        "nodeAttrs": [{"target": ["tag:ci"], "attr": ["funnel"]}, {"target": ["autogroup:member"], "attr": ["drive:share"]}],
    }"#;
    let network = |role: &str, owner: (&str, Value), more: bool| {
        let mut laptop = json!({"id": "1", "hostname": "laptop", "addresses": ["100.64.0.1"]});
        laptop[owner.0] = owner.1;
        let mut devices = vec![laptop];
        if more {
            devices.push(json!({"id": "2", "hostname": "desk", "user": "bob@example.com", "addresses": ["100.64.0.2"]}));
        }
        context(json!({
            "devices": devices,
            "users": [{"loginName": "alice@example.com", "role": role}, {"loginName": "bob@example.com", "role": "member"}],
        }))
    };
    let alice = || ("user", json!("alice@example.com"));
    let before = network("member", alice(), false);
    let role = network("it-admin", alice(), false);
    assert_eq!(
        signed(&changes_in(text, text, [&before, &role])),
        ["+ alice@example.com tag tag:prod"]
    );
    assert_eq!(
        signed(&changes_in(text, text, [&role, &before])),
        ["- alice@example.com tag tag:prod"]
    );
    let tagged = network("member", ("tags", json!(["tag:ci"])), false);
    let changes = changes_in(text, text, [&before, &tagged]);
    assert_eq!(
        changes[0]["party"],
        json!({"kind": "device", "name": "laptop", "id": "1"})
    );
    assert_eq!(
        signed(&changes),
        [
            "+ laptop route 10.0.0.0/8",
            "+ laptop attribute funnel",
            "- laptop attribute drive:share"
        ]
    );
    let another = network("member", alice(), true);
    assert_eq!(
        signed(&changes_in(text, text, [&before, &another])),
        ["+ desk attribute drive:share"]
    );
    let same = network("member", alice(), false);
    assert_eq!(signed(&changes_in(text, text, [&before, &same])), [""; 0]);
}

// Of a posture that asks for less under its name, more devices have the capability; where neither follows, nobody can say.
#[test]
fn a_posture_that_changes_under_a_capability_has_a_direction() {
    let of = |condition: &str| {
        capability(r#""app": {"a.com/b": [1]}, "srcPosture": ["posture:edr"]"#)
            .replace("node:os == 'linux'", condition)
    };
    let (low, high) = (of("custom:score >= 20"), of("custom:score >= 70"));
    let loosened = changes(&high, &low);
    assert_eq!(
        signed(&loosened),
        ["+ alice@example.com capability a.com/b"]
    );
    assert_eq!(
        only(&loosened, "gained")["why"],
        "before only with other conditions of posture:edr"
    );
    assert_changes(&low, &high, &["- alice@example.com capability a.com/b"]);
    let other = changes(&low, &of("custom:tier == 'gold'"));
    assert_eq!(signed(&other), ["? alice@example.com capability a.com/b"]);
    let why = only(&other, "undecided")["why"].to_string();
    assert!(
        why.contains("a posture was changed under its name"),
        "{why}"
    );
    assert_changes(
        &of("node:os IN ['linux', 'macos']"),
        &of("node:os IN ['macos', 'linux']"),
        &[],
    );
}

// A group that an identity provider fills stands for its members where the context names them.
#[test]
fn members_that_a_context_names_have_the_powers_of_their_group() {
    let owned = |owner: &str| {
        format!(
            r#"{{"tagOwners": {{"tag:prod": ["{owner}"]}}, "nodeAttrs": [{{"target": ["{owner}"], "attr": ["funnel"]}}]}}"#
        )
    };
    let (group, alice) = (owned("group:eng@acme.com"), owned("alice@acme.com"));
    let listed = |members: &[&str]| context(json!({"groups": {"group:eng@acme.com": members}}));
    let one = listed(&["alice@acme.com"]);
    assert_eq!(signed(&changes_in(&group, &alice, [&one, &one])), [""; 0]);
    assert_eq!(
        lines(&super::powers_in(&group, &one)),
        [
            "alice@acme.com tag tag:prod",
            "alice@acme.com attribute funnel"
        ]
    );
    let two = listed(&["alice@acme.com", " bob@acme.com "]);
    assert_eq!(
        signed(&changes_in(&group, &alice, [&two, &two])),
        [
            "- bob@acme.com tag tag:prod",
            "- bob@acme.com attribute funnel"
        ]
    );
    assert_eq!(
        signed(&changes_in(&group, &group, [&one, &two])),
        [
            "+ bob@acme.com tag tag:prod",
            "+ bob@acme.com attribute funnel"
        ]
    );
    // Without them it is not known who has them.
    assert_eq!(
        signed(&changes(&group, &alice)),
        [
            "? alice@acme.com tag tag:prod",
            "? alice@acme.com attribute funnel",
            "- group:eng@acme.com tag tag:prod",
            "- group:eng@acme.com attribute funnel"
        ]
    );
}

fn with_posture(conditions: &str) -> String {
    format!(
        r#"{{"grants": [{{"src": ["autogroup:member"], "dst": ["tag:db"], "app": {{"example.com/cap/x": [{{"a": 1}}]}},
           "srcPosture": ["posture:ok"]}}], "tagOwners": {{"tag:db": []}}, "postures": {{"posture:ok": [{conditions}]}}}}"#
    )
}

/// A device of a member, and one that the capability is about.
fn with_attributes(attributes: Value) -> PolicyContext {
    context(json!({
        "devices": [
            {"id": "1", "name": "db", "addresses": ["100.64.0.1"], "tags": ["tag:db"]},
            {"id": "2", "name": "mac", "addresses": ["100.64.0.2"], "user": "ann@example.com"},
        ],
        "users": [{"loginName": "ann@example.com", "role": "member"}],
        "attributes": attributes,
    }))
}

// The text stays: only what is known of a device changes (docs/policy-language.md#postures).
#[test]
fn a_device_that_loses_its_posture_loses_the_capability() {
    let text = with_posture("\"custom:ok == true\"");
    let meets = with_attributes(json!({"1": {}, "2": {"custom:ok": true}}));
    let fails = with_attributes(json!({"1": {}, "2": {"custom:ok": false}}));
    let other = with_attributes(json!({"1": {"custom:a": 1}, "2": {"custom:ok": true}}));
    let unknown = with_attributes(json!({"1": {}}));
    let found = |contexts| signed(&changes_in(&text, &text, contexts));
    let line = |sign: &str| {
        let changes = changes_in(&text, &text, [&meets, &fails]);
        let all = signed(&changes);
        all.iter()
            .map(|line| line.replacen('-', sign, 1))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found([&meets, &fails]).len(),
        1,
        "{:?}",
        found([&meets, &fails])
    );
    assert_eq!(found([&meets, &fails])[0].get(..5), Some("- mac"));
    assert_eq!(found([&fails, &meets]), line("+"));
    assert_eq!(found([&meets, &other]), [""; 0]);
    assert_eq!(found([&meets, &meets]), [""; 0]);
    let undecided = found([&meets, &unknown]);
    assert_eq!(undecided.len(), 1, "{undecided:?}");
    assert_eq!(undecided[0].get(..5), Some("? mac"));
    assert_eq!(found([&unknown, &unknown]), [""; 0]);
}

// Headscale and the service give a capability at a prefix to the routers that lead there, too; at everything to devices.
#[test]
fn a_capability_at_everything_is_not_one_behind_a_router() {
    let policy = |to: &[&str]| {
        json!({"acls": [], "hosts": {"net": "10.1.0.0/16", "box": "100.64.0.7"}, "grants": [
            {"src": ["ann@example.com"], "dst": to, "app": {"example.com/x": [1]}},
        ]})
        .to_string()
    };
    let (both, all) = (policy(&["*", "net", "box"]), policy(&["*"]));
    let network = |routes: Value| -> PolicyContext {
        let router = json!({"id": "1", "addresses": ["100.64.0.1"], "advertisedRoutes": routes, "enabledRoutes": routes});
        serde_json::from_value(json!({"devices": [router]})).expect("a context")
    };
    let told = |context: &PolicyContext| {
        let changes = changes_in(&both, &all, [context, context]);
        let lists = ["gained", "lost", "undecided"].map(|list| {
            let powers = changes[0][list].as_array().into_iter().flatten();
            powers
                .map(|power| power["value"]["on"].clone())
                .collect::<Vec<_>>()
        });
        json!(lists)
    };
    assert_eq!(
        told(&network(json!(["10.0.0.0/8"]))),
        json!([[], ["net"], []])
    );
    assert_eq!(told(&network(json!([]))), json!([[], [], []]));
    assert_eq!(told(&PolicyContext::default()), json!([[], [], ["net"]]));
}

// A source of `cap/drive` is answered with a capability of its own (docs/policy-language.md#capabilities): at a prefix the routers have that, too.
#[test]
fn what_a_source_is_answered_with_is_had_by_the_routers_to_it() {
    let router = json!({"id": "1", "addresses": ["100.64.0.1"], "advertisedRoutes": ["10.0.0.0/8"], "enabledRoutes": ["10.0.0.0/8"]});
    let routed: PolicyContext =
        serde_json::from_value(json!({"devices": [router]})).expect("a context");
    let told = |app: &str| {
        [&routed, &PolicyContext::default()].map(|context| {
            let [before, after] = [json!(["*", "10.1.0.0/16"]), json!(["*"])].map(|from| {
                json!({"acls": [], "grants": [{"src": from, "dst": ["tag:db"], "app": {app: [1]}}]})
                    .to_string()
            });
            let changes = changes_in(&before, &after, [context, context]);
            ["gained", "lost", "undecided"]
                .map(|list| changes[0][list].as_array().map_or(0, Vec::len))
        })
    };
    assert_eq!(told("tailscale.com/cap/drive"), [[0, 1, 0], [0, 0, 1]]);
    assert_eq!(told("example.com/x"), [[0; 3], [0, 0, 1]]);
}

// docs/policy-language.md#tags: admins may take every tag, and with `[]` they alone.
#[test]
fn an_admin_who_owns_a_tag_gains_and_loses_nothing_by_it() {
    let known = context(json!({"users": [
        {"loginName": "alice@example.com", "role": "admin"},
        {"loginName": "bob@example.com", "role": "member"},
    ]}));
    for owner in [r#""autogroup:admin""#, r#""autogroup:owner""#] {
        for [one, other] in [["", owner], [owner, ""]] {
            assert_changes(&owners(one), &owners(other), &[]);
        }
    }
    let contexts = [&known, &known];
    let there = changes_in(&owners(""), &owners(r#""group:ops""#), contexts);
    assert_eq!(signed(&there), ["+ bob@example.com tag tag:prod"]);
    let back = changes_in(&owners(r#""group:ops""#), &owners(""), contexts);
    assert_eq!(signed(&back), ["- bob@example.com tag tag:prod"]);
    // Of no other power is an admin's anything.
    let exit = |approvers: &str| {
        format!(r#"{{"autoApprovers": {{"exitNode": [{approvers}]}}, "acls": []}}"#)
    };
    assert_changes(
        &exit(""),
        &exit(r#""autogroup:admin""#),
        &["+ autogroup:admin exit-node exit-node"],
    );
}
