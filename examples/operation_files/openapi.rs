//! What client and sandbox speak, as an OpenAPI 3.1 document: the rows of the table of operations, with the exchanges of `tests/api/wire` as examples.
//! Must not live here: what is checked of bodies (`api`).

use serde_json::{Map, Value, json};
use tailnet_kit::api::retry::Rule;
use tailnet_kit::api::{Form, Member, MemberKind, Operation, Right, Shape};

use crate::exchanges::{Exchange, exchanges};

fn retried(operation: Operation) -> &'static str {
    match operation.rule() {
        Rule::Transient => "transient",
        Rule::RateLimitOnly => "429",
    }
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
        "summary": operation.words().docs.trim(),
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

/// `openapi.json`.
pub fn document() -> String {
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
    format!("{text}\n")
}
