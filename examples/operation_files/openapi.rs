//! What client and sandbox speak, as an OpenAPI 3.1 document: the rows of the table of operations, with the exchanges of `tests/api/wire` as examples.
//! Must not live here: the types of bodies (`types`), what is checked of them (`api`).

use serde_json::{Map, Value, json};
use tailnet_kit::api::retry::Rule;
use tailnet_kit::api::{Form, Member, MemberKind, Operation, Right, Shape};

use crate::exchanges::{Exchange, exchanges};
use crate::types::Types;

fn retried(operation: Operation) -> &'static str {
    match operation.rule() {
        Rule::Transient => "transient",
        Rule::RateLimitOnly => "429",
    }
}

/// A type, of which those members must be there that are checked.
fn checked(types: &Types, rust: &str, members: &[Member]) -> Value {
    let mut object = types.schema(rust);
    let checked = members
        .iter()
        .filter(|member| member.kind != MemberKind::Any);
    let required: Vec<&str> = checked.map(|member| member.name).collect();
    if !required.is_empty() {
        object["required"] = required.into();
    }
    object
}

/// The body of an exchange under its media type, with what the table says of it.
fn content(label: Option<&str>, body: &[u8], schema: Value) -> Option<Value> {
    let text = String::from_utf8(body.to_vec()).expect("UTF-8");
    let label = label.filter(|_| !text.is_empty())?;
    let example = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Some(json!({label: {"schema": schema, "example": example}}))
}

fn sent(types: &Types, operation: Operation) -> Value {
    let (_, rust) = operation.words().sends;
    match operation.form() {
        Form::Object(members) => checked(types, rust, members),
        Form::List => types.schema(rust),
        _ => json!({}),
    }
}

fn given(types: &Types, operation: Operation) -> Value {
    let rust = operation.words().gives;
    match operation.shape() {
        Shape::Object(members) => checked(types, rust, members),
        Shape::Devices => {
            json!({"type": "object", "properties": {"devices": types.schema(rust)}, "required": ["devices"]})
        }
        _ => types.schema(rust),
    }
}

fn parameters(types: &Types, operation: Operation) -> Vec<Value> {
    let slots = operation.route().slots().map(|slot| {
        json!({"name": slot.trim_start_matches(':'), "in": "path", "required": true, "schema": {"type": "string"}})
    });
    let query: &[Member] = match operation.form() {
        Form::Query(members) | Form::Devices(members) => members,
        _ => &[],
    };
    let (_, rust) = operation.words().sends;
    let query = query.iter().map(|member| {
        let schema = match member.kind {
            MemberKind::Texts => json!({"type": "array", "items": {"type": "string"}}),
            // Each of its members is a parameter.
            MemberKind::Object => {
                json!({"type": "object", "additionalProperties": {"type": "string"}})
            }
            MemberKind::Flag => json!({"type": "boolean"}),
            _ => json!({"type": "string"}),
        };
        let is_required = member.kind == MemberKind::Text;
        let mut parameter =
            json!({"name": member.name, "in": "query", "required": is_required, "schema": schema});
        if let Some(docs) = types.docs(rust, member.name) {
            parameter["description"] = docs.into();
        }
        parameter
    });
    slots.chain(query).collect()
}

fn described(types: &Types, exchange: &Exchange) -> Value {
    let Exchange {
        operation,
        request,
        response,
        ..
    } = exchange;
    let docs = operation.words().docs.trim();
    let (namespace, _) = operation.name().rsplit_once('.').expect("a namespace");
    let mut success = json!({"description": "Success"});
    let label = response.headers.get("content-type");
    if let Some(content) = content(label, &response.body, given(types, *operation)) {
        success["content"] = content;
    }
    let mut described = json!({
        "operationId": operation.name(),
        "tags": [namespace],
        "summary": docs.split_inclusive(". ").next().unwrap_or(docs).trim(),
        "description": docs,
        "parameters": parameters(types, *operation),
        "responses": {response.status.to_string(): success, "default": {"$ref": "#/components/responses/Refusal"}},
        "x-retried-on": retried(*operation),
    });
    let label = request.headers.get("content-type");
    if let Some(content) = content(label, &request.body, sent(types, *operation)) {
        described["requestBody"] = json!({"required": true, "content": content});
    }
    if let Right::Area(area) | Right::Person(area) = operation.right() {
        described["x-scope"] = area.into();
    }
    described
}

/// `openapi.json`.
pub fn document() -> String {
    let (types, mut paths) = (Types::read(), Map::new());
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
        methods[route.method.as_str().to_ascii_lowercase()] = described(&types, &exchange);
    }
    let refusal = json!({"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]});
    let paths = Value::Object(paths);
    let schemas = types.named(&paths);
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
            "schemas": schemas,
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
    let text = serde_json::to_string(&document).expect("JSON");
    format!("{text}\n")
}
