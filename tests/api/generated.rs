//! The files that are made from the table of operations: the table of docs/operations.md, the names in the declarations, `openapi.json`. Each must be as
//! the table has it; `BLESS=1 cargo test --test api generated` writes them. Must not live here: the table, what it says.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use tailnet_kit::api::headscale;
use tailnet_kit::api::retry::Rule;
use tailnet_kit::api::{Form, Member, MemberKind, Operation, Right, Shape};

use crate::exchanges::{Exchange, exchanges};

/// Compares a file with what it should be, or writes it.
#[track_caller]
fn is(path: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, wanted).expect("a written file");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "{path:?} is not what the table of operations makes: `BLESS=1 cargo test --test api generated`"
    );
}

/// Compares the part of a file between two lines.
#[track_caller]
fn has(path: &str, [from, to]: [&str; 2], wanted: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = fs::read_to_string(file).expect("a text");
    let start = text.find(from).expect(from) + from.len();
    let start = start + text[start..].find('\n').expect("a line") + 1;
    let end = start + text[start..].find(to).expect(to);
    is(path, &format!("{}{wanted}{}", &text[..start], &text[end..]));
}

fn retried(operation: Operation) -> &'static str {
    match operation.rule() {
        Rule::Transient => "transient",
        Rule::RateLimitOnly => "429",
    }
}

#[test]
fn the_page_of_operations() {
    let mut table =
        "| call | request | retried on | its own errors |\n|---|---|---|---|\n".to_owned();
    for operation in Operation::ALL {
        let (name, route) = (operation.name(), operation.route());
        let path = route.template.trim_start_matches("/api/v2");
        let (method, rule, refusals) = (route.method, retried(operation), operation.refusals());
        let refusals = format!("{refusals} ").replace("  ", " ");
        writeln!(
            table,
            "| `{name}` | {method} `{path}` | {rule} | {}|",
            refusals.trim_start()
        )
        .expect("a row");
    }
    has(
        "docs/operations.md",
        ["<!-- operations", "<!-- end of operations -->"],
        &table,
    );
}

fn union(names: impl Iterator<Item = &'static str>) -> String {
    names.map(|name| format!("  | '{name}'\n")).collect()
}

#[test]
fn the_names_in_the_declarations() {
    has(
        "pkg/types/operation.d.ts",
        ["export type OperationName =", "\n/** The namespaces"],
        &union(Operation::ALL.iter().map(|operation| operation.name())),
    );
    let names = headscale::Operation::ALL
        .iter()
        .map(|operation| operation.row().name);
    has(
        "pkg/types/headscale.d.ts",
        ["export type HeadscaleOperationName =", "\n/** `nodes.*`"],
        &union(names),
    );
}

fn schema(kind: MemberKind) -> Value {
    match kind {
        MemberKind::Text => json!({"type": "string"}),
        MemberKind::Flag => json!({"type": "boolean"}),
        MemberKind::List => json!({"type": ["array", "null"], "items": {}}),
        MemberKind::Texts => json!({"type": ["array", "null"], "items": {"type": "string"}}),
        MemberKind::Object => json!({"type": "object"}),
        MemberKind::Scalar => json!({"type": ["string", "number", "boolean"]}),
        MemberKind::Any => json!({}),
    }
}

/// An object with these members; those that are checked must be there.
fn object(members: &[Member]) -> Value {
    let properties = members
        .iter()
        .map(|member| (member.name.to_owned(), schema(member.kind)));
    let properties: Map<String, Value> = properties.collect();
    let checked = members
        .iter()
        .filter(|member| member.kind != MemberKind::Any);
    let required: Vec<&str> = checked.map(|member| member.name).collect();
    match required.is_empty() {
        true => json!({"type": "object", "properties": properties}),
        false => json!({"type": "object", "properties": properties, "required": required}),
    }
}

/// The body of an exchange under its media type, with what the table says of it.
fn content(label: Option<&str>, body: &[u8], schema: Value) -> Option<Value> {
    let text = String::from_utf8(body.to_vec()).expect("UTF-8");
    let label = label.filter(|_| !text.is_empty())?;
    let example = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Some(json!({label: {"schema": schema, "example": example}}))
}

fn sent(operation: Operation) -> Value {
    match operation.form() {
        Form::Object(members) => object(members),
        Form::List => json!({"type": "array", "items": {"type": "object"}}),
        _ => json!({}),
    }
}

fn given(operation: Operation) -> Value {
    match operation.shape() {
        Shape::Object(members) => object(members),
        Shape::List(member) => {
            json!({"type": "object", "properties": {member.name: schema(member.kind)}})
        }
        Shape::Items => json!({"type": ["array", "null"], "items": {"type": "object"}}),
        Shape::Devices => object(&[Member {
            name: "devices",
            kind: MemberKind::List,
        }]),
        _ => json!({}),
    }
}

fn parameters(operation: Operation) -> Vec<Value> {
    let slots = operation.route().slots().map(|slot| {
        json!({"name": slot.trim_start_matches(':'), "in": "path", "required": true, "schema": {"type": "string"}})
    });
    let query: &[Member] = match operation.form() {
        Form::Query(members) => members,
        _ => &[],
    };
    let query = query.iter().map(|member| {
        let schema = match member.kind {
            MemberKind::Texts => json!({"type": "array", "items": {"type": "string"}}),
            MemberKind::Any => json!({"type": "string"}),
            kind => schema(kind),
        };
        json!({"name": member.name, "in": "query", "required": member.kind == MemberKind::Text, "schema": schema})
    });
    slots.chain(query).collect()
}

fn described(exchange: &Exchange) -> Value {
    let Exchange {
        operation,
        request,
        response,
        ..
    } = exchange;
    let (namespace, _) = operation.name().rsplit_once('.').expect("a namespace");
    let mut success = json!({"description": "Success"});
    let label = response.headers.get("content-type");
    if let Some(content) = content(label, &response.body, given(*operation)) {
        success["content"] = content;
    }
    let mut described = json!({
        "operationId": operation.name(),
        "tags": [namespace],
        "summary": operation.docs(),
        "parameters": parameters(*operation),
        "responses": {response.status.to_string(): success, "default": {"$ref": "#/components/responses/Refusal"}},
        "x-retried-on": retried(*operation),
    });
    let label = request.headers.get("content-type");
    if let Some(content) = content(label, &request.body, sent(*operation)) {
        described["requestBody"] = json!({"required": true, "content": content});
    }
    if let Right::Area(area) | Right::Person(area) = operation.right() {
        described["x-scope"] = area.into();
    }
    described
}

#[test]
fn openapi() {
    let mut paths = Map::new();
    for exchange in exchanges() {
        let route = exchange.operation.route();
        let segments = route
            .template
            .split('/')
            .map(|segment| match segment.strip_prefix(':') {
                Some(slot) => format!("{{{slot}}}"),
                None => segment.to_owned(),
            });
        let path: Vec<String> = segments.collect();
        let methods = paths.entry(path.join("/")).or_insert(json!({}));
        methods[route.method.as_str().to_ascii_lowercase()] = described(&exchange);
    }
    let refusal = json!({"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]});
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "What tailnet-kit's client and sandbox speak",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "https://api.example.com"}],
        "security": [{"basic": []}, {"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic", "description": "The key as user name, without a password."},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
            "responses": {"Refusal": {
                "description": "A refusal",
                "content": {"application/json": {"schema": refusal}},
            }},
        },
    });
    let text = serde_json::to_string_pretty(&document).expect("JSON");
    is("pkg/openapi.json", &format!("{text}\n"));
}
