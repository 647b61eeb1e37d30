//! Names that no renaming may give, for each kind of name: in a destination ports begin at a colon, and a comma parts them
//! (docs/policy-language.md#ports-of-an-acl). Must not live here: where a name changes (tests/policy/rename.rs).

use tailnet_kit::policy::rename;

const POLICY: &str = r#"{
  "groups": {"group:dev": ["ann@example.com"]},
  "hosts": {"front": "100.64.0.5"},
  "tagOwners": {"tag:web": []},
  "ipsets": {"ipset:lab": ["host:front"]},
  "postures": {"posture:mac": ["node:os == 'macos'"]},
  "acls": [{"action": "accept", "src": ["group:dev", "ipset:lab"], "dst": ["tag:web:22", "front:80,443"], "srcPosture": ["posture:mac"]}],
}"#;

#[test]
fn no_name_is_given_that_would_be_read_as_another() {
    for name in ["group:dev", "front", "tag:web", "ipset:lab", "posture:mac"] {
        let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
        for own in ["a,b", "a:b", "a\nb", ""] {
            let new = match prefix {
                "" => own.to_owned(),
                _ => format!("{prefix}:{own}"),
            };
            let given = rename(POLICY, name, &new);
            assert!(given.is_err(), "{name} to {new:?}: {given:?}");
        }
        let new = name.replace(['d', 'f', 'w', 'l', 'm'], "n");
        let changed = rename(POLICY, name, &new).expect("a name");
        assert_eq!(changed, POLICY.replace(name, &new), "{name}");
    }
}
