//! The types of a policy in the declarations, made from its JSON Schema, which comes from the table of keys. The file must be as they have it;
//! `BLESS=1 cargo test --test policy declared` writes it. Must not live here: the keys, what is checked of the types (`tests/js/types`).

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use tailnet_kit::policy::{Dialect, Draft, schema};

/// What an entry of a section is called, behind the name of its dialect.
const ENTRIES: [(&str, &str); 7] = [
    ("acls", "Acl"),
    ("grants", "Grant"),
    ("ssh", "Ssh"),
    ("tests", "Test"),
    ("sshTests", "SshTest"),
    ("nodeAttrs", "NodeAttr"),
    ("autoApprovers", "Approvers"),
];

/// What is there for both dialects.
const HEAD: &str = r"// The policy as an object, by dialect, as `BLESS=1 cargo test --test policy declared` makes it from the table of keys. Must not live here: verbs, calls.

/**
 * A policy as an object, for whatever takes one; of today's keys and the older ones, in their usual spelling. A misspelt key does not compile: what
 * the types do not know is sent as text. `satisfies TailscalePolicy` or `HeadscalePolicy` holds it to one dialect.
 */
export type AclPolicy = TailscalePolicy | HeadscalePolicy

/**
 * A policy as an object that was read: nobody has checked what is in it, and there may be more than the types know. It can be given to whatever takes a
 * policy; `const known: TailscalePolicy = read` reads it with types.
 */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` could not be given on
export type ReadPolicy = { [Section in keyof TailscalePolicy]?: any } & { [key: string]: unknown }

/** An entry of a list of a policy. */
export type PolicyEntry<Section extends ListSection> = NonNullable<TailscalePolicy[Section]>[number] | NonNullable<HeadscalePolicy[Section]>[number]

/** Sections of a policy that are lists of entries. */
export type ListSection = 'acls' | 'grants' | 'ssh' | 'tests' | 'sshTests' | 'nodeAttrs'
";

#[test]
fn the_types_of_a_policy_are_those_of_the_table_of_keys() {
    let mut wanted = HEAD.to_owned();
    for (dialect, name) in [
        (Dialect::Tailscale, "Tailscale"),
        (Dialect::Headscale, "Headscale"),
    ] {
        let schema = serde_json::from_str(&schema(Draft::Latest, dialect)).expect("JSON");
        declare(&mut wanted, name, &schema);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pkg/types/grammar.d.ts");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &wanted).expect("a written file");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "not what the table makes: `BLESS=1 cargo test --test policy declared`"
    );
}

/// The document of a dialect, and the entry of each of its sections.
fn declare(out: &mut String, dialect: &str, schema: &Value) {
    let named = |section: &str| {
        let entry = ENTRIES.iter().find(|(of, _)| *of == section);
        entry.map(|(_, name)| format!("{dialect}{name}"))
    };
    let sections = members(schema);
    let title = text(&schema["description"]);
    interface(out, &format!("{dialect}Policy"), title, schema, named);
    for (section, name) in ENTRIES {
        let Some(content) = sections.get(section) else {
            continue;
        };
        let (entry, about) = match content["items"].is_object() {
            true => (
                &content["items"],
                format!("An entry of `{section}`: {}", text(&content["description"])),
            ),
            false => (content, text(&content["description"]).to_owned()),
        };
        interface(out, &format!("{dialect}{name}"), &about, entry, |_| None);
    }
}

fn interface(
    out: &mut String,
    name: &str,
    about: &str,
    object: &Value,
    named: impl Fn(&str) -> Option<String>,
) {
    writeln!(
        out,
        "\n/** {about} */\nexport interface {name} {}",
        body(object, 0, named)
    )
    .expect("an interface");
}

/// The members of an object between braces.
fn body(object: &Value, depth: usize, named: impl Fn(&str) -> Option<String>) -> String {
    let gap = "  ".repeat(depth + 1);
    let mut out = "{\n".to_owned();
    for (key, value) in members(object) {
        let inner = match named(key) {
            Some(name) if value["items"].is_object() => format!("readonly {name}[]"),
            Some(name) => name,
            None => type_of(value, depth + 1),
        };
        let member = match is_needed(object, key) {
            true => format!("{key}: {inner}"),
            false => format!("{key}?: {}", or_null(inner, value)),
        };
        write!(
            out,
            "{gap}/** {} */\n{gap}{member}\n",
            text(&value["description"])
        )
        .expect("a member");
    }
    if object["patternProperties"]["^#"].is_object() {
        write!(
            out,
            "{gap}/** What user interfaces note there. */\n{gap}[note: `#${{string}}`]: unknown\n"
        )
        .expect("a note");
    }
    if object["additionalProperties"] != Value::Bool(false) {
        write!(
            out,
            "{gap}/** Whatever else is written there. */\n{gap}[key: string]: unknown\n"
        )
        .expect("an open object");
    }
    format!("{out}{}}}", "  ".repeat(depth))
}

fn type_of(value: &Value, depth: usize) -> String {
    if value["properties"].is_object() {
        return body(value, depth, |_| None);
    }
    if let Some(pattern) = value["pattern"].as_str() {
        return of_pattern(pattern);
    }
    match kind(value) {
        Some("string") => "string".to_owned(),
        Some("boolean") => "boolean".to_owned(),
        Some("array") => {
            let items = type_of(&value["items"], depth);
            match items.starts_with("{\n") {
                true => format!("ReadonlyArray<{items}>"),
                false => format!("readonly {items}[]"),
            }
        }
        Some("object") if value["additionalProperties"].is_object() => {
            let values = &value["additionalProperties"];
            let names = &value["propertyNames"]["pattern"];
            let names = names_like(text(names));
            let values = or_null(type_of(values, depth + 1), values);
            match values.contains('\n') {
                true => {
                    let gap = "  ".repeat(depth);
                    format!("{{\n{gap}  [name: {names}]: {values}\n{gap}}}")
                }
                false => format!("{{ [name: {names}]: {values} }}"),
            }
        }
        Some("object") => "{ [name: string]: unknown }".to_owned(),
        _ => "unknown".to_owned(),
    }
}

/// The strings of a pattern: its words, where it names them all.
fn of_pattern(pattern: &str) -> String {
    let words = pattern.replace("\\s*", "");
    let words = words.trim_start_matches('^').trim_end_matches('$');
    let words = words.trim_start_matches('(').trim_end_matches(')');
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    match words.split('|').all(is_word) {
        true => format!("'{}'", words.replace('|', "' | '")),
        false => "string".to_owned(),
    }
}

/// The names of a pattern, by what they begin with: values of members may be computed, so that only names are held to their prefix.
fn names_like(pattern: &str) -> String {
    let start = pattern.trim_start_matches('^').replace("\\s*", "");
    match start.split_once(':') {
        Some((prefix, _)) if prefix.bytes().all(|byte| byte.is_ascii_lowercase()) => {
            format!("`{prefix}:${{string}}`")
        }
        _ => "string".to_owned(),
    }
}

/// Whether an object without the key is refused. The schema says so with a pattern that has each letter twice, as `[aA]`.
fn is_needed(object: &Value, key: &str) -> bool {
    let conditions = object["allOf"].as_array().into_iter().flatten();
    conditions
        .filter_map(|condition| {
            condition
                .pointer("/not/propertyNames/not/pattern")?
                .as_str()
        })
        .any(|pattern| {
            let letters = pattern.bytes().filter(u8::is_ascii_lowercase);
            !pattern.contains('|') && letters.eq(key.bytes())
        })
}

fn or_null(inner: String, value: &Value) -> String {
    let kinds = value["type"].as_array();
    match kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "null")) {
        true => format!("{inner} | null"),
        false => inner,
    }
}

fn kind(value: &Value) -> Option<&str> {
    let first = value["type"].get(0).unwrap_or(&value["type"]);
    first.as_str()
}

fn members(object: &Value) -> &Map<String, Value> {
    object["properties"].as_object().expect("members")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
