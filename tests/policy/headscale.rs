//! Policies in Headscale's language: verdicts and messages in its own words, and what differs in what they give.
//! Must not live here: what recordings of Headscale show (tests/recorded/headscale.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    By, Check, Dialect, Flow, Guard, Policy, PolicyContext, Verdict, check, diff_ssh,
};

/// Two users whose devices are a laptop and a phone, two of one name, and a server that has a tag and was made by a user.
fn network() -> Value {
    json!({
        "dialect": "headscale",
        "users": [
            {"loginName": "ann", "id": "1", "email": "ann@example.com"},
            {"loginName": "bob", "id": "2", "providerId": "https://idp.example.com/bob"},
            {"loginName": "eve", "id": "3"},
            {"loginName": "eve", "id": "4", "email": "eve@example.com"},
        ],
        "devices": [
            {"id": "1", "hostname": "laptop", "user": "1", "addresses": ["100.64.0.1"]},
            {"id": "2", "hostname": "phone", "user": "2", "addresses": ["100.64.0.2"]},
            {"id": "3", "hostname": "server", "user": "2", "tags": ["tag:web"], "addresses": ["100.64.0.3"]},
        ],
    })
}

fn context() -> PolicyContext {
    serde_json::from_value(network()).expect("a context")
}

fn judged(policy: &str) -> Check {
    check(policy, &context())
}

#[track_caller]
fn says(policy: &str, message: &str) {
    assert_eq!(judged(policy).message.as_deref(), Some(message), "{policy}");
}

#[track_caller]
fn accepts(policy: &str) {
    let check = judged(policy);
    assert_eq!((check.accepted, check.message), (true, None), "{policy}");
}

#[test]
fn the_first_fault_of_the_decoder_is_the_refusal() {
    says(
        r#"{"acls": {}}"#,
        r#"parsing policy from bytes: json: cannot unmarshal JSON object into Go []v2.ACL within "/acls""#,
    );
    says(
        r#"{"ACLs": [{"action": "drop"}], "groups": 1}"#,
        r#"parsing policy from bytes: json: cannot unmarshal JSON string into Go v2.Action within "/ACLs/0/action": action="drop" is not supported: invalid ACL action"#,
    );
    says(r#"{"postures": {}}"#, r#"unknown field: "postures""#);
    says(
        r#"{"tagOwners": {}, "tag_owners": {}}"#,
        r#"parsing policy from bytes: jsontext: duplicate object member name "tag_owners""#,
    );
    says(
        "{",
        "parsing HuJSON: hujson: line 1, column 2: parsing value: unexpected EOF",
    );
}

#[test]
fn all_faults_of_the_document_are_told() {
    says(
        r#"{"acls": [{"src": ["tag:a"], "dst": ["b:22", "tag:c:*"]}]}"#,
        "multiple errors:\n\tsrc=tag not found: \"tag:a\"\n\thost not defined in policy: \"b\"\n\tdst=\"tag:c\": tag not found: \"tag:c\"",
    );
    says(
        r#"{"tests": [{"src": "ann@"}, {"src": "ann@", "proto": "icmp", "deny": ["*:*"]}]}"#,
        "test(s) failed:\nmultiple errors:\n\ttest 0: test entry must have at least one of \"accept\" or \"deny\"\n\t\
         test 1: test protocol must be tcp, udp, sctp, or empty: \"icmp\"\n\ttest 1, deny \"*:*\": test destination port must be a single port",
    );
}

#[test]
fn what_it_takes_is_wider_than_the_service() {
    accepts("");
    accepts("null");
    accepts(
        r##"{"a-C_l-S": [{"#note": "of a user interface", "src": ["*"], "dst": ["*:0-10,+80,1--5"]}]}"##,
    );
    accepts(
        r#"{"acls": [{"proto": 6, "src": ["autogroup:danger-all"], "dst": ["[fd7a::1]:22"]}]}"#,
    );
    accepts(
        r#"{"grants": [{"src": ["*"], "dst": ["*"], "ip": [":80", "tcp:80,443", "icmp:80", "fc:*"]}]}"#,
    );
    accepts(r#"{"tagOwners": {"tag:a.b c": ["tag:a.b c"]}, "hosts": {"": "fe80::1%eth0"}}"#);
}

#[test]
fn a_token_that_fits_two_users_refuses_the_policy() {
    let two = r#"multiple users found: token "eve@" found: [ 3: eve, 4: eve,  ]"#;
    says(r#"{"acls": [{"src": ["eve@"], "dst": ["*:*"]}]}"#, two);
    says(
        r#"{"groups": {"group:g": ["eve@"]}, "tagOwners": {"tag:web": ["eve@"]}}"#,
        &format!("multiple errors:\n\t{two}\n\t{two}"),
    );
    // One of them has a mail address, which fits her alone; grants are not judged for it.
    accepts(r#"{"acls": [{"src": ["eve@example.com"], "dst": ["*:*"]}]}"#);
    accepts(r#"{"grants": [{"src": ["eve@"], "dst": ["*"], "ip": ["*"]}]}"#);
    says(
        r#"{"nodeAttrs": [{"target": ["zoe@"], "attr": ["x"]}]}"#,
        r#"compiling nodeAttrs: nodeAttrs target [zoe@]: user not found: token "zoe@""#,
    );
}

#[test]
fn without_a_dialect_the_text_is_one_of_the_service() {
    let text = r#"{"acls": [{"src": ["*"], "dst": ["*:0-10"]}]}"#;
    accepts(text);
    assert!(!check(text, &PolicyContext::default()).accepted);
}

/// What a policy gives to the nodes of the network.
fn told<R>(policy: &str, answer: impl FnOnce(&Policy<'_>, &PolicyContext) -> R) -> R {
    let context = context();
    let dialect = context.dialect_of(policy);
    let document = hujson::parse(dialect.document(policy)).expect("HuJSON");
    answer(&Policy::read_as(&document, dialect), &context)
}

/// The sources and destinations of each rule that a node has.
fn filter(policy: &str, node: usize) -> Vec<(Value, Value)> {
    let filters = told(policy, |policy, context| json!(policy.filters(context)));
    let rules = filters[node].as_array().cloned().unwrap_or_default();
    let each = rules.iter();
    each.map(|rule| (rule["src"].clone(), rule["dst"][0]["net"].clone()))
        .collect()
}

#[test]
fn a_token_is_a_name_a_mail_address_or_an_id_of_the_provider() {
    for token in ["ann@", "ann@example.com", "ann@example.com@"] {
        let policy = format!(r#"{{"acls": [{{"src": ["{token}"], "dst": ["bob@:22"]}}]}}"#);
        let rule = (json!(["100.64.0.1"]), json!("100.64.0.2"));
        assert_eq!(filter(&policy, 1), [rule], "{token}");
        // What was made by a user and has a tag is nobody's.
        assert_eq!(filter(&policy, 2), [], "{token}");
    }
    let policy = r#"{"groups": {"group:g": ["https://idp.example.com/bob@"]}, "acls": [{"src": ["group:g"], "dst": ["ann@:22"]}]}"#;
    assert_eq!(
        filter(policy, 0),
        [(json!(["100.64.0.2"]), json!("100.64.0.1"))]
    );
    for nobody in ["Ann@", "zoe@", "user:*@example.com"] {
        let policy = format!(r#"{{"acls": [{{"src": ["{nobody}"], "dst": ["*:*"]}}]}}"#);
        assert_eq!(filter(&policy, 0), [], "{nobody}");
    }
}

#[test]
fn without_rules_every_address_may_send() {
    for policy in ["", "{}", r#"{"acls": null}"#] {
        assert_eq!(filter(policy, 0), [(json!(["*"]), json!("*"))]);
    }
    assert_eq!(filter(r#"{"grants": []}"#, 0), []);
}

#[test]
fn random_ports_are_an_attribute_of_every_node() {
    let policy =
        r#"{"randomizeClientPort": true, "nodeAttrs": [{"target": ["ann@"], "attr": ["x"]}]}"#;
    let given = told(policy, |policy, context| policy.node_attributes(context));
    let names: Vec<Vec<String>> = given.into_iter().map(|given| given.attrs).collect();
    let port = "randomize-client-port";
    assert_eq!(names, [vec!["x", port], vec![port], vec![port]]);
}

#[test]
fn an_account_may_be_the_local_part_of_the_mail_address() {
    let policy = r#"{"ssh": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["localpart:*@EXAMPLE.com"]}]}"#;
    let rules = told(policy, |policy, context| json!(policy.ssh_rules(context)));
    assert_eq!(rules["1"][1]["users"], json!({"ann": "ann"}));
    // He has no mail address.
    assert_eq!(rules["2"].as_array().map(Vec::len), Some(1));
}

/// Without users a token may be a name, a mail address, or an id: which account is somebody's own is not known.
#[test]
fn without_users_whose_account_a_login_has_is_undecided() {
    let policy =
        |logins: Value| json!({"tagOwners": {"tag:a": ["ann@"]}, "acls": [], "ssh": logins});
    let own = json!({"action": "accept", "src": ["ann@"], "dst": ["tag:a"], "users": ["localpart:*@example.com"]});
    let texts = [policy(json!([])), policy(json!([own]))].map(|policy| policy.to_string());
    let documents = texts
        .each_ref()
        .map(|text| hujson::parse(text).expect("HuJSON"));
    let [before, after] = documents
        .each_ref()
        .map(|document| Policy::read_as(document, Dialect::Headscale));
    let nobody = PolicyContext::read(r#"{"dialect": "headscale"}"#).expect("a context");
    let changes = json!(diff_ssh(&before, &after, &nobody));
    let [change] = changes.as_array().expect("changes").as_slice() else {
        panic!("one change: {changes}");
    };
    assert_eq!(
        (&change["source"], &change["gained"]),
        (&json!("ann@"), &json!([]))
    );
    let undecided = change["undecided"].as_array().expect("logins");
    let places: Vec<&Value> = undecided.iter().map(|it| &it["destination"]).collect();
    assert_eq!(places, ["tag:a", "autogroup:self"]);
    for login in undecided {
        assert_eq!(login["users"], json!(["localpart:*@example.com"]));
        assert_eq!(login["may"], "gained");
        assert_eq!(login["why"], "the mail address of ann@ is not known");
    }

    let claim = json!([{"never": {"from": ["ann@"], "to": ["tag:a"], "users": ["ann"]}}]);
    let guard = Guard::read(&claim.to_string(), true).expect("a guard");
    let proof = json!(after.prove(&guard, &[], &nobody).expect("a proof"));
    assert_eq!(proof["results"][0]["holds"], Value::Null, "{proof}");

    let known = json!({"dialect": "headscale", "users": [{"loginName": "ann", "id": "1"}]});
    let known = PolicyContext::read(&known.to_string()).expect("a context");
    assert_eq!(json!(diff_ssh(&before, &after, &known)), json!([]));
}

#[test]
fn what_tests_say_is_in_its_words() {
    let rules = r#""acls": [{"src": ["bob@", "100.64.0.1"], "dst": ["*:22"]}]"#;
    let said = |tests: &str| judged(&format!("{{{rules}, {tests}}}")).message;
    assert_eq!(
        said(r#""tests": [{"src": "ann@", "accept": ["bob@:22"], "deny": ["bob@:80"]}]"#),
        None
    );
    assert_eq!(
        said(r#""tests": [{"src": "bob@", "proto": "TCP", "deny": ["ann@:22"]}, {"src": "zoe@", "accept": ["ann@:22"]}]"#).as_deref(),
        Some("test(s) failed:\nbob@ -> ann@:22 (tcp): expected DENIED, got ALLOWED\nzoe@: failed to resolve source \"zoe@\": resolving: user not found: token \"zoe@\"")
    );
    // Addresses that are neighbours are one prefix, of which a rule needs to have a part.
    assert_eq!(
        said(
            r#""hosts": {"both": "100.64.0.2/31"}, "tests": [{"src": "both", "accept": ["ann@:22"]}]"#
        ),
        None
    );
}

#[test]
fn what_ssh_tests_say_is_in_its_words() {
    let rules = r#""tagOwners": {"tag:web": []}, "ssh": [{"action": "accept", "src": ["ann@"], "dst": ["tag:web"], "users": ["root"]}]"#;
    let said = |test: &str| judged(&format!("{{{rules}, \"sshTests\": [{test}]}}")).message;
    assert_eq!(
        said(r#"{"src": "ann@", "dst": ["tag:web"], "accept": ["root"], "deny": ["ubuntu"]}"#),
        None
    );
    assert_eq!(
        said(
            r#"{"src": "100.64.0.1", "dst": ["tag:web"], "deny": ["root"], "check": ["root", ""]}"#
        )
        .as_deref(),
        Some(
            "test(s) failed:\n100.64.0.1/32/root -> server: expected DENIED, got ALLOWED\n\
             100.64.0.1/32/\"\" -> server: expected ALLOWED via check, got DENIED\n\
             100.64.0.1/32/root -> server: expected ALLOWED via check, got ALLOWED via accept"
        )
    );
    // It would go through every address, and not end.
    let endless = judged(r#"{"sshTests": [{"src": "*", "dst": ["ann@"], "accept": ["root"]}]}"#);
    assert_eq!(
        (endless.accepted, endless.tests.results[0].passed),
        (true, None)
    );
}

#[test]
fn a_token_of_a_user_is_no_unknown_name() {
    let policy = r#"{"groups": {"group:g": ["ann@", "ann@example.com"]}, "acls": [{"src": ["group:g"], "dst": ["bob@:22"]}]}"#;
    let check = judged(policy);
    let codes: Vec<&str> = check.issues.iter().map(|issue| issue.code).collect();
    assert!(!codes.contains(&"unknown_user"), "{codes:?}");
}

#[test]
fn a_user_is_told_by_one_token_whichever_the_text_has() {
    let policy = r#"{"groups": {"group:g": ["ann@"]}, "tagOwners": {"tag:web": ["ann@example.com"]}, "acls": [
      {"src": ["group:g"], "dst": ["tag:web:443"]}, {"src": ["ann@example.com"], "dst": ["https://idp.example.com/bob@:22"]}]}"#;
    let matrix = told(policy, |policy, context| {
        json!(policy.access(context, By::Name).expect("a matrix"))
    });
    // Of two with the same name one has a mail address, and the other an id alone.
    let users = json!(["3@", "ann@", "bob@", "eve@example.com", "tag:web"]);
    assert_eq!(matrix["sources"], users);
    let cells = matrix["cells"].as_array().expect("cells").iter();
    let cells: Vec<_> = cells
        .map(|cell| (cell["source"].as_u64(), cell["destination"].as_u64()))
        .collect();
    let places = matrix["destinations"].as_array().expect("names");
    let at = |name: &str| {
        places
            .iter()
            .position(|own| own == name)
            .map(|at| at as u64)
    };
    assert_eq!(cells, [(Some(1), at("bob@")), (Some(1), at("tag:web"))]);
    let powers = told(policy, |policy, context| policy.powers(context));
    assert_eq!(
        powers
            .iter()
            .map(|power| power.who.as_str())
            .collect::<Vec<_>>(),
        ["ann@"]
    );
    let asked = "ann@".parse().expect("a name");
    let found = told(policy, |policy, context| {
        let preview = policy.preview(&asked, context).expect("an answer");
        (preview.matches.len(), preview.unresolved.len())
    });
    assert_eq!(found, (2, 0));
    let flow = Flow::new(&"ann@".parse().expect("a name"), "bob@:22", None).expect("a flow");
    let verdict = told(policy, |policy, context| {
        policy.explain(&flow, context).expect("an answer").verdict
    });
    assert_eq!(verdict, Verdict::Allowed);
}

#[test]
fn without_devices_no_test_is_decided() {
    let policy = r#"{"acls": [], "tests": [{"src": "ann@", "accept": ["bob@:22"]}]}"#;
    let context = PolicyContext::read(r#"{"dialect": "headscale"}"#).expect("a context");
    let check = check(policy, &context);
    assert_eq!(
        (check.accepted, check.tests.results[0].passed),
        (true, None)
    );
}

/// Two routers have the tag and the same subnet, of which one has a smaller one, too; a third router has no tag.
#[test]
fn of_the_routers_of_a_via_grant_the_first_leads_unless_another_rule_frees_the_route() {
    let router = |id: &str, tag: &str, routes: Value| json!({"id": id, "hostname": id, "tags": [tag], "addresses": [format!("100.64.0.1{id}")], "advertisedRoutes": routes, "enabledRoutes": routes});
    let mut network = network();
    network["devices"].as_array_mut().expect("devices").extend([
        router("5", "tag:other", json!(["10.1.0.0/16"])),
        router("6", "tag:router", json!(["10.1.0.0/16"])),
        router("7", "tag:router", json!(["10.1.0.0/16", "10.1.2.0/24"])),
    ]);
    let context: PolicyContext = serde_json::from_value(network).expect("a context");
    let via = json!({"src": ["ann@"], "dst": ["10.1.0.0/16"], "ip": ["*"], "via": ["tag:router"]});
    let plain = |to: &str| json!({"src": ["autogroup:member"], "dst": [to], "ip": ["80"]});
    let led = |grants: Value, to: &str| {
        let policy = json!({"tagOwners": {"tag:router": [], "tag:other": [], "tag:web": []}, "grants": grants}).to_string();
        let document = hujson::parse(&policy).expect("JSON");
        let policy = Policy::read_as(&document, Dialect::Headscale);
        let flow = Flow::new(&"ann@".parse().expect("a name"), to, None).expect("a flow");
        let told = json!(policy.explain(&flow, &context).expect("an answer"));
        let ends = told["delivered"].as_array().expect("ends").iter();
        let ids = ends.map(|end| end["device"]["id"].as_str().unwrap_or("nobody").to_owned());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(led(json!([via]), "10.1.9.9:80"), ["6"]);
    assert_eq!(led(json!([via]), "10.1.2.9:80"), ["7"]);
    // It overlaps both subnets, and covers neither of them.
    let freed = json!([via, plain("10.1.2.3")]);
    assert_eq!(led(freed.clone(), "10.1.9.9:80"), ["5", "6", "7"]);
    assert_eq!(led(freed, "10.1.2.9:80"), ["7"]);
    let elsewhere = json!([via, plain("10.2.0.0/16")]);
    assert_eq!(led(elsewhere, "10.1.9.9:80"), ["6"]);
}
