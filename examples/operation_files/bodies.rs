//! Types of bodies and answers in TypeScript, made of their schemas. Must not live here: which are to be declared (`declarations`), the schemas (`types`).

use std::fmt::Write as _;

use serde_json::Value;

use crate::types::Types;

/// The declarations of those of the names that are types of bodies, and of the types in them.
pub fn bodies(names: &[&str]) -> String {
    let types = Types::read();
    let named = names.iter().map(|name| types.schema(name)).collect();
    let named = types.named(&Value::Array(named));
    named
        .iter()
        .map(|(name, schema)| declared(name, schema))
        .collect()
}

fn declared(name: &str, schema: &Value) -> String {
    let docs = docs(schema, "");
    let Some(properties) = schema["properties"].as_object() else {
        return format!("\n{docs}export type {name} = {}\n", typed(schema));
    };
    let mut text = format!("\n{docs}export interface {name} {{\n");
    for (member, schema) in properties {
        let mark = if is_optional(schema) { "?" } else { "" };
        let (docs, typed) = (self::docs(schema, "  "), typed(schema));
        writeln!(text, "{docs}  {member}{mark}: {typed}").expect("a member");
    }
    if schema["additionalProperties"] == true {
        text.push_str("  /** Whatever else the service sends. */\n  [field: string]: unknown\n");
    }
    text + "}\n"
}

fn docs(schema: &Value, indent: &str) -> String {
    let docs = schema["description"].as_str().unwrap_or_default();
    match docs {
        "" => String::new(),
        docs => format!("{indent}/** {docs} */\n"),
    }
}

/// Whether a member may be absent; a list may, wherever it stands.
fn is_optional(schema: &Value) -> bool {
    let mut kinds = schema["type"].as_array().into_iter().flatten();
    let mut others = schema["anyOf"].as_array().into_iter().flatten();
    kinds.any(|kind| kind == "null") || others.any(|other| other["type"] == "null")
}

fn typed(schema: &Value) -> String {
    let of = |members: &Value| {
        let members = members.as_array().into_iter().flatten();
        members
            .map(typed)
            .find(|typed| typed != "null")
            .unwrap_or_default()
    };
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    match &schema["type"] {
        Value::String(kind) => match kind.as_str() {
            "integer" => "number".to_owned(),
            "array" => format!("{}[]", typed(&schema["items"])),
            "object" => match &schema["additionalProperties"] {
                Value::Object(_) => {
                    format!("Record<string, {}>", typed(&schema["additionalProperties"]))
                }
                _ => "Record<string, unknown>".to_owned(),
            },
            kind => kind.to_owned(),
        },
        Value::Array(kinds) => {
            let mut kinds = kinds.iter().filter(|kind| *kind != "null");
            let mut one = schema.clone();
            one["type"] = kinds.next().cloned().unwrap_or_default();
            typed(&one)
        }
        _ if schema["anyOf"].is_array() => of(&schema["anyOf"]),
        _ => "unknown".to_owned(),
    }
}
