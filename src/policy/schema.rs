//! A JSON Schema of the policy file, from the reader's table of keys: for editors without the language
//! service.
//! Must not live here: the keys (`language::keys`), what a schema cannot express.
//!
//! Keys are accepted in any case, so each is listed as a name, for completion, and as a pattern. `null` counts as absent.

use crate::hujson::string_of;

use super::findings::words::joined;
use super::language::content::{NameKind, StringRole};
use super::language::grammar::{Content, DOCUMENT, KeySpec, Object};

/// A version of JSON Schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draft {
    /// Draft 2020-12.
    Latest,
    /// Draft-07, which older tools read.
    Seven,
}

/// The schema of a policy.
pub fn schema(draft: Draft) -> String {
    let dialect = match draft {
        Draft::Latest => "https://json-schema.org/draft/2020-12/schema",
        Draft::Seven => "http://json-schema.org/draft-07/schema#",
    };
    let inner = closed(&DOCUMENT);
    let rest = inner.strip_prefix('{').unwrap_or(&inner);
    joined(&[
        "{\"$schema\": ",
        &string_of(dialect),
        ", \"title\": \"Tailnet policy\", \"description\": \"The policy file of a tailnet: HuJSON, which is JSON with comments and trailing commas.\", ",
        rest,
        "\n",
    ])
}

/// An object that has no other keys.
fn closed(object: &Object) -> String {
    let mut names = Vec::new();
    let mut patterns = Vec::new();
    let named = object.keys.iter().map(|key| (key.name, key));
    let older = object.keys.iter().filter_map(|key| Some((key.old?, key)));
    for (name, key) in named.chain(older) {
        let note = match name == key.name {
            true => key.doc().to_owned(),
            false => joined(&[key.doc(), " Today written `", key.name, "`."]),
        };
        let value = described(&note, &of_content(key.content, object.section));
        names.push(joined(&[&string_of(name), ": ", &value]));
        patterns.push(joined(&[&string_of(&any_case(&[name])), ": ", &value]));
    }
    joined(&[
        "{\"type\": \"object\", \"properties\": {",
        &names.join(", "),
        "}, \"patternProperties\": {",
        &patterns.join(", "),
        "}, \"additionalProperties\": false",
        &wanted(object.section),
        "}",
    ])
}

/// A schema with a description in front.
fn described(note: &str, inner: &str) -> String {
    let rest = inner.strip_prefix('{').unwrap_or(inner);
    let gap = if rest == "}" { "" } else { ", " };
    joined(&["{\"description\": ", &string_of(note), gap, rest])
}

fn of_content(content: Content, section: &str) -> String {
    match content {
        Content::List(object) => {
            let example = EXAMPLES.iter().find(|(of, _)| *of == object.section);
            let examples = example.map(|(_, text)| joined(&[", \"examples\": [[", text, "]]"]));
            joined(&[
                "{\"type\": [\"array\", \"null\"], \"items\": ",
                &of_object(object),
                &examples.unwrap_or_default(),
                "}",
            ])
        }
        Content::Object(object) => of_object(object),
        Content::Each(_, object) => joined(&[
            "{\"type\": [\"object\", \"null\"], \"additionalProperties\": ",
            &of_object(object),
            "}",
        ]),
        Content::Table(names, values) => table(names, values),
        Content::App if section == "grants" => {
            let names = joined(&["{\"pattern\": ", &string_of(CAPABILITY), "}"]);
            let values =
                "{\"type\": [\"array\", \"null\"], \"items\": {\"type\": [\"object\", \"null\"]}}";
            joined(&[
                "{\"type\": [\"object\", \"null\"], \"propertyNames\": ",
                &names,
                ", \"additionalProperties\": ",
                values,
                "}",
            ])
        }
        Content::App => "{\"type\": [\"object\", \"null\"]}".to_owned(),
        Content::Parameters => "{}".to_owned(),
        Content::Strings(StringRole::Flag) => "{\"type\": [\"boolean\", \"null\"]}".to_owned(),
        Content::Strings(StringRole::Other) => "{}".to_owned(),
        Content::Strings(role) if role.is_single() => of_string(role),
        Content::Strings(role) => list(role, role == StringRole::SshUser),
    }
}

fn of_object(object: &Object) -> String {
    match object.is_open {
        true => open(object),
        false => closed(object),
    }
}

/// An object with known keys, and others.
fn open(object: &Object) -> String {
    let value = |key: &KeySpec| {
        let value = match key.content {
            Content::Strings(StringRole::Flag) => of_content(key.content, ""),
            Content::Strings(_) => "{}".to_owned(),
            content => of_content(content, ""),
        };
        joined(&[&string_of(key.name), ": ", &described(key.doc(), &value)])
    };
    let names: Vec<String> = object.keys.iter().map(value).collect();
    let names = names.join(", ");
    joined(&[
        "{\"type\": [\"object\", \"null\"], \"properties\": {",
        &names,
        "}}",
    ])
}

fn list(role: StringRole, is_needed: bool) -> String {
    let items = of_string(role);
    match is_needed {
        true => joined(&[
            "{\"type\": \"array\", \"minItems\": 1, \"items\": ",
            &items,
            "}",
        ]),
        false => joined(&["{\"type\": [\"array\", \"null\"], \"items\": ", &items, "}"]),
    }
}

fn table(names: StringRole, values: StringRole) -> String {
    let inner = match values {
        StringRole::Other | StringRole::AttributeValue => "{}".to_owned(),
        role if role.is_single() => of_string(role),
        role => list(role, false),
    };
    let names = match pattern(names) {
        Some(pattern) => joined(&[
            ", \"propertyNames\": {\"pattern\": ",
            &string_of(pattern),
            "}",
        ]),
        None => String::new(),
    };
    joined(&[
        "{\"type\": [\"object\", \"null\"]",
        &names,
        ", \"additionalProperties\": ",
        &inner,
        "}",
    ])
}

fn of_string(role: StringRole) -> String {
    match pattern(role) {
        Some(pattern) => joined(&[
            "{\"type\": [\"string\", \"null\"], \"pattern\": ",
            &string_of(pattern),
            "}",
        ]),
        None => "{\"type\": [\"string\", \"null\"]}".to_owned(),
    }
}

/// The form of a string, judged by its position only (docs/policy-language.md).
fn pattern(role: StringRole) -> Option<&'static str> {
    Some(match role {
        StringRole::Definition(NameKind::Group) => "^\\s*group:",
        StringRole::Definition(NameKind::Tag) => "^\\s*tag:[A-Za-z][A-Za-z0-9-]*\\s*$",
        StringRole::Definition(NameKind::IpSet) => "^\\s*ipset:",
        StringRole::Definition(NameKind::Posture) | StringRole::Posture => "^\\s*posture:",
        StringRole::Definition(NameKind::Host) => "^[^@]*$",
        StringRole::Member => "^(?!\\s*(group|tag|autogroup):)",
        StringRole::Source => "^(?!\\s*autogroup:(self|internet)\\s*$)",
        StringRole::DestinationPorts => {
            "^(?!\\s*autogroup:danger-all:).*:(\\*|[1-9]\\d{0,4}(-\\d{1,5})?)(,(\\*|[1-9]\\d{0,4}(-\\d{1,5})?))*\\s*$"
        }
        StringRole::Destination => "^(?!\\s*(autogroup:danger-all|0\\.0\\.0\\.0/0|::/0)\\s*$)",
        StringRole::Ip => "^((\\*|[A-Za-z0-9-]+):)?(\\*|[1-9]\\d{0,4}(-\\d{1,5})?)$",
        StringRole::Via => "^\\s*tag:",
        StringRole::AclAction => "^accept$",
        StringRole::SshAction => "^\\s*(accept|check)\\s*$",
        StringRole::SshUser => "^(?!\\s*\\*?\\s*$)",
        StringRole::SshDestination => "^(?!\\s*(\\*|\\d+\\.\\d+\\.\\d+\\.\\d+(/\\d+)?)\\s*$)",
        StringRole::TestDestination => "^(?!\\s*(\\*|autogroup:).*).*:\\d{1,5}\\s*$",
        StringRole::SshTestDestination => "^(?!\\s*(\\*|autogroup:internet|tag:[^:]*:.*)\\s*$)",
        StringRole::Account => "^(?!\\s*\\*?\\s*$)",
        _ => return None,
    })
}

/// `DOMAIN/PATH`; in the service's own domain only what may be granted.
const CAPABILITY: &str = "^(?![A-Za-z]+://)(?!tailscale\\.com/(?!cap/(drive|relay|webui|kubernetes|tsidp|secrets)$))[^/]+/.+$";

/// The keys that an entry must have, as patterns: `required` is case-sensitive.
fn wanted(section: &str) -> String {
    let has = |keys: &[&str]| {
        let pattern = string_of(&any_case(keys));
        joined(&[
            "{\"not\": {\"propertyNames\": {\"not\": {\"pattern\": ",
            &pattern,
            "}}}}",
        ])
    };
    let filled = |key: &str, least: &str| {
        let pattern = string_of(&any_case(&[key]));
        joined(&[
            "{\"patternProperties\": {",
            &pattern,
            ": {\"",
            least,
            "\": 1}}}",
        ])
    };
    match section {
        "acls" => joined(&[", \"allOf\": [", &has(&["action"]), "]"]),
        "ssh" => joined(&[
            ", \"allOf\": [",
            &has(&["action"]),
            ", ",
            &has(&["users"]),
            "]",
        ]),
        "grants" => joined(&[
            ", \"anyOf\": [{\"allOf\": [",
            &has(&["ip"]),
            ", ",
            &filled("ip", "minItems"),
            "]}, {\"allOf\": [",
            &has(&["app"]),
            ", ",
            &filled("app", "minProperties"),
            "]}]",
        ]),
        "tests" => joined(&[", \"allOf\": [", &has(&["accept", "allow", "deny"]), "]"]),
        _ => String::new(),
    }
}

/// A pattern of these names in any case.
fn any_case(names: &[&str]) -> String {
    let mut out = String::from("^(");
    for (at, name) in names.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "|" });
        for letter in name.chars() {
            if letter.is_ascii_alphabetic() {
                out.push('[');
                out.push(letter.to_ascii_lowercase());
                out.push(letter.to_ascii_uppercase());
                out.push(']');
            } else {
                out.push(letter);
            }
        }
    }
    out + ")$"
}

/// Entries of the sections that hold rules.
const EXAMPLES: [(&str, &str); 6] = [
    (
        "acls",
        r#"{"action": "accept", "src": ["group:dev"], "dst": ["tag:db:5432"]}"#,
    ),
    (
        "grants",
        r#"{"src": ["group:dev"], "dst": ["tag:db"], "ip": ["tcp:5432"]}"#,
    ),
    (
        "ssh",
        r#"{"action": "check", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["autogroup:nonroot"]}"#,
    ),
    (
        "tests",
        r#"{"src": "ann@example.com", "accept": ["tag:db:5432"], "deny": ["tag:db:22"]}"#,
    ),
    (
        "sshTests",
        r#"{"src": "ann@example.com", "dst": ["tag:db"], "accept": ["admin"]}"#,
    ),
    (
        "nodeAttrs",
        r#"{"target": ["tag:web"], "attr": ["funnel"]}"#,
    ),
];
