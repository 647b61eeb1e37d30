//! What an editor offers where a selector stands is what the table of docs/policy-language.md#selectors takes there.
//! Must not live here: the order of what is offered, keys and other values (tests/policy/service/complete.rs).

use tailnet_kit::policy::service::complete;

use super::network::networks;
use super::rows::table;

/// A policy that names one selector of each kind that can be named; `PLACE` is what is edited.
const POLICY: &str = r#"{
  "groups": {"group:dev": ["ann@example.com"]},
  "hosts": {"front": "100.64.0.5"},
  "tagOwners": {"tag:web": []},
  "ipsets": {"ipset:lab": ["10.1.0.0/16"]},
  "autoApprovers": {"services": {"svc:mail": ["tag:web"]}},
  PLACE
}"#;

/// The columns of the table in their order, each with its places.
const PLACES: [&[&str]; 6] = [
    &[
        r#""acls": [{"action": "accept", "src": ["|"], "dst": []}]"#,
        r#""grants": [{"src": ["|"], "dst": [], "ip": ["*"]}]"#,
    ],
    &[
        r#""acls": [{"action": "accept", "src": [], "dst": ["|"]}]"#,
        r#""grants": [{"src": [], "dst": ["|"], "ip": ["*"]}]"#,
    ],
    &[r#""ssh": [{"action": "accept", "src": ["|"], "dst": [], "users": ["root"]}]"#],
    &[r#""ssh": [{"action": "accept", "src": [], "dst": ["|"], "users": ["root"]}]"#],
    &[r#""tests": [{"src": "|", "accept": []}]"#],
    &[r#""tests": [{"src": "ann@example.com", "accept": ["|"]}]"#],
];

/// The selector of a row that an editor offers wherever it may stand. A service is offered as a destination only, and sets of
/// addresses only where one has a name.
fn named(row: &str) -> Option<&'static str> {
    Some(match row {
        "*" => "*",
        "a login" => "ann@example.com",
        "group:g" => "group:dev",
        "tag:t" => "tag:web",
        "an address, an alias of one" => "front",
        "ipset:s" => "ipset:lab",
        "autogroup:member" => "autogroup:member",
        "autogroup:tagged" => "autogroup:tagged",
        "autogroup:admin and the other roles" => "autogroup:admin",
        "autogroup:self" => "autogroup:self",
        "autogroup:internet" => "autogroup:internet",
        "autogroup:danger-all" => "autogroup:danger-all",
        "autogroup:shared" => "autogroup:shared",
        "user:*@domain" => "user:*@example.com",
        _ => return None,
    })
}

fn offered(place: &str) -> Vec<String> {
    let text = POLICY.replace("PLACE", place);
    let offset = text.find('|').expect("a place");
    let text = text.replacen('|', "", 1);
    let items = complete(&text, offset, &networks()["home"].context).items;
    items.into_iter().map(|item| item.label).collect()
}

#[test]
fn what_is_offered_for_a_selector_is_what_may_stand_there() {
    let mut differences = Vec::new();
    for (at, places) in PLACES.iter().enumerate() {
        for place in *places {
            let offered = offered(place);
            for row in table("selectors") {
                let Some(selector) = named(&row[0].replace('`', "")) else {
                    continue;
                };
                let takes = row[at + 2] != "no";
                if offered.iter().any(|label| label == selector) != takes {
                    differences.push(format!("{place}: {selector}: taken: {takes}"));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
