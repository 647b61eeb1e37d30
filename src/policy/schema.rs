//! A JSON Schema of the policy file, from the reader's table of keys: for editors without the language
//! service.
//! Must not live here: the keys (`language::keys`), what a schema cannot express.
//!
//! Keys are accepted in any case, so each is listed as a name, for completion, and as a pattern. `null` counts as absent.

use crate::hujson::string_of;

use super::findings::words::joined;
use super::language::content::{NameKind, StringRole};
use super::language::dialect::Dialect;
use super::language::grammar::{Content, KeySpec, Object};

/// A version of JSON Schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Draft {
    /// Draft 2020-12.
    Latest,
    /// Draft-07, which older tools read.
    Seven,
}

/// The schema of a policy in a dialect.
pub fn schema(draft: Draft, dialect: Dialect) -> String {
    let version = match draft {
        Draft::Latest => "https://json-schema.org/draft/2020-12/schema",
        Draft::Seven => "http://json-schema.org/draft-07/schema#",
    };
    let inner = closed(Object::document(dialect));
    let (title, about) = match dialect {
        Dialect::Tailscale => ("Tailnet policy", "The policy file of a tailnet"),
        Dialect::Headscale => (
            "Headscale policy",
            "The policy of a Headscale server, from its release 0.29",
        ),
    };
    let about = joined(&[
        about,
        ": HuJSON, which is JSON with comments and trailing commas.",
    ]);
    let rest = inner.strip_prefix('{').unwrap_or(&inner);
    joined(&[
        "{\"$schema\": ",
        &string_of(version),
        ", \"title\": ",
        &string_of(title),
        ", \"description\": ",
        &string_of(&about),
        ", ",
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
            true => object.doc(key).to_owned(),
            false => joined(&[object.doc(key), " Today written `", key.name, "`."]),
        };
        let value = described(&note, &of_content(key.content, object));
        names.push(joined(&[&string_of(name), ": ", &value]));
        patterns.push(joined(&[
            &string_of(&any_case(&[name], object)),
            ": ",
            &value,
        ]));
    }
    // What user interfaces note there (docs/headscale-language.md#text).
    if object.section == "acls" && object.twin.is_some() {
        patterns.push("\"^#\": {}".to_owned());
    }
    let kind = match object.twin {
        None => "\"object\"",
        // `null` is no document there, and no rule.
        Some(_) => "[\"object\", \"null\"]",
    };
    joined(&[
        "{\"type\": ",
        kind,
        ", \"properties\": {",
        &names.join(", "),
        "}, \"patternProperties\": {",
        &patterns.join(", "),
        "}, \"additionalProperties\": false",
        &wanted(object),
        "}",
    ])
}

/// A schema with a description in front.
fn described(note: &str, inner: &str) -> String {
    let rest = inner.strip_prefix('{').unwrap_or(inner);
    let gap = if rest == "}" { "" } else { ", " };
    joined(&["{\"description\": ", &string_of(note), gap, rest])
}

fn of_content(content: Content, of: &Object) -> String {
    let forms = forms_of(of);
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
        Content::Table(names, values) => table(names, values, forms),
        Content::App if of.section == "grants" => {
            let names = joined(&["{\"pattern\": ", &string_of(&capability(of)), "}"]);
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
        Content::Strings(StringRole::Protocol | StringRole::TestProtocol) if of.twin.is_some() => {
            "{\"type\": [\"string\", \"integer\", \"null\"]}".to_owned()
        }
        Content::Strings(role) if role.is_single() => of_string(role, forms),
        Content::Strings(role) => list(role, role == StringRole::SshUser, forms),
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
            Content::Strings(StringRole::Flag) => of_content(key.content, object),
            Content::Strings(_) => "{}".to_owned(),
            content => of_content(content, object),
        };
        joined(&[
            &string_of(key.name),
            ": ",
            &described(object.doc(key), &value),
        ])
    };
    let names: Vec<String> = object.keys.iter().map(value).collect();
    let names = names.join(", ");
    joined(&[
        "{\"type\": [\"object\", \"null\"], \"properties\": {",
        &names,
        "}}",
    ])
}

fn list(role: StringRole, is_needed: bool, forms: Forms) -> String {
    let items = of_string(role, forms);
    match is_needed {
        true => joined(&[
            "{\"type\": \"array\", \"minItems\": 1, \"items\": ",
            &items,
            "}",
        ]),
        false => joined(&["{\"type\": [\"array\", \"null\"], \"items\": ", &items, "}"]),
    }
}

fn table(names: StringRole, values: StringRole, forms: Forms) -> String {
    let inner = match values {
        StringRole::Other | StringRole::AttributeValue => "{}".to_owned(),
        role if role.is_single() => of_string(role, forms),
        role => list(role, false, forms),
    };
    let names = match forms(names) {
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

fn of_string(role: StringRole, forms: Forms) -> String {
    match forms(role) {
        Some(pattern) => joined(&[
            "{\"type\": [\"string\", \"null\"], \"pattern\": ",
            &string_of(pattern),
            "}",
        ]),
        None => "{\"type\": [\"string\", \"null\"]}".to_owned(),
    }
}

/// The form of a string with a role.
type Forms = fn(StringRole) -> Option<&'static str>;

fn forms_of(object: &Object) -> Forms {
    match object.twin {
        None => pattern,
        Some(_) => pattern_of_headscale,
    }
}

/// The form of a string in Headscale's language (docs/headscale-language.md).
fn pattern_of_headscale(role: StringRole) -> Option<&'static str> {
    Some(match role {
        StringRole::Definition(NameKind::Group) => "^group:",
        StringRole::Definition(NameKind::Tag) => "^tag:[A-Za-z]",
        StringRole::Definition(NameKind::Host) => "^[^@:]*$",
        StringRole::Member => "@",
        StringRole::Owner | StringRole::Approver => "^(group:|tag:)|@",
        StringRole::DestinationPorts => "^(?!autogroup:(danger-all|nonroot):).+:[^:]+$",
        StringRole::TestDestination => ":[^:]+$",
        StringRole::Ip => "^[^:]*(:[^:]+)?$",
        StringRole::Via => "^tag:[A-Za-z]",
        StringRole::Source | StringRole::Destination | StringRole::SshDestination => {
            return pattern(role);
        }
        StringRole::AclAction | StringRole::SshAction | StringRole::SshUser => {
            return pattern(role);
        }
        _ => return None,
    })
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

/// `DOMAIN/PATH`, any name without a scheme in Headscale's language; in the service's own domain only what may be granted.
fn capability(of: &Object) -> String {
    let (dialect, scheme, form) = match of.twin {
        None => (Dialect::Tailscale, "[A-Za-z]+://", "[^/]+/.+$"),
        Some(_) => (Dialect::Headscale, ".*://", ""),
    };
    let own = dialect.capabilities().iter();
    let own: Vec<&str> = own
        .filter_map(|name| name.strip_prefix("tailscale.com/cap/"))
        .collect();
    joined(&[
        "^(?!",
        scheme,
        ")(?!tailscale\\.com/(?!cap/(",
        &own.join("|"),
        ")$))",
        form,
    ])
}

/// The keys that an entry must have, as patterns: `required` is case-sensitive.
fn wanted(object: &Object) -> String {
    let has = |keys: &[&str]| {
        let pattern = string_of(&any_case(keys, object));
        joined(&[
            "{\"not\": {\"propertyNames\": {\"not\": {\"pattern\": ",
            &pattern,
            "}}}}",
        ])
    };
    let filled = |key: &str, least: &str| {
        let pattern = string_of(&any_case(&[key], object));
        joined(&[
            "{\"patternProperties\": {",
            &pattern,
            ": {\"",
            least,
            "\": 1}}}",
        ])
    };
    match object.section {
        "acls" if object.twin.is_some() => String::new(),
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

/// A pattern of these names in any case, and in any spelling of the dialect of an object.
fn any_case(names: &[&str], object: &Object) -> String {
    let between = if object.twin.is_some() { "[_-]*" } else { "" };
    let mut out = String::from("^(");
    for (at, name) in names.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { "|" });
        for (place, letter) in name.chars().enumerate() {
            out.push_str(if place > 0 { between } else { "" });
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
