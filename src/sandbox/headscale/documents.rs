//! What the server says about itself, to whoever asks, and the paths that are no operations. Must not live here: operations.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::api::headscale::{OPENAPI_PATH, Operation, Release, SWAGGER_PATH};
use crate::api::{Method, Request, Response};

/// Gives addresses to nodes that lack some.
pub(super) const BACKFILL_PATH: &str = "/api/v1/node/backfillips";
/// Has a machine wait for whoever signs it in, for tests.
pub(super) const DEBUG_PATH: &str = "/api/v1/debug/node";
/// Whether the server is alive, for whoever asks.
const HEALTH_PATH: &str = "/health";

/// What is served without a key.
pub(super) fn open(request: &Request, release: Release) -> Option<Response> {
    let is_new = release >= Release::V30;
    match (request.method, request.path()) {
        (Method::Get, HEALTH_PATH) => Some(Response::json(200, &json!({"status": "pass"}))),
        (Method::Get, OPENAPI_PATH) if is_new => {
            let text = openapi().into_bytes();
            Some(Response::with_body(200, "application/yaml", text))
        }
        (Method::Get, SWAGGER_PATH) if !is_new => Some(Response::json(200, &swagger())),
        _ => None,
    }
}

/// The paths as OpenAPI writes them, each with its operations, in the order of the table.
fn paths() -> Vec<(String, Vec<Operation>)> {
    let mut paths: Vec<(String, Vec<Operation>)> = Vec::new();
    for operation in Operation::ALL {
        let segments = operation.row().template.split('/');
        let written = segments.map(|segment| match segment.strip_prefix(':') {
            Some(name) => format!("{{{name}}}"),
            None => segment.to_owned(),
        });
        let path = written.collect::<Vec<_>>().join("/");
        match paths.iter_mut().find(|(known, _)| *known == path) {
            Some((_, operations)) => operations.push(operation),
            None => paths.push((path, vec![operation])),
        }
    }
    paths
}

/// The document of 0.30.
fn openapi() -> String {
    let mut text = "openapi: 3.1.0\ninfo:\n  title: Headscale\n  version: 0.30.0-sandbox\nsecurity:\n  - bearer: []\n\
        components:\n  securitySchemes:\n    bearer:\n      type: http\n      scheme: bearer\npaths:\n"
        .to_owned();
    for (path, operations) in paths() {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "  {path}:");
        for operation in operations {
            let row = operation.row();
            let method = row.method.as_str().to_ascii_lowercase();
            let _ = writeln!(text, "    {method}:\n      operationId: {}", row.name);
            let places: Vec<&str> = operation.places().collect();
            if !places.is_empty() {
                text.push_str("      parameters:\n");
            }
            for place in places {
                let _ = writeln!(
                    text,
                    "        - {{name: {place}, in: path, required: true, schema: {{type: string}}}}"
                );
            }
            text.push_str("      responses:\n        '200': {description: OK}\n        default: {description: Error}\n");
        }
    }
    text
}

/// The document of 0.29.
fn swagger() -> Value {
    let mut listed = Map::new();
    for (path, operations) in paths() {
        let mut methods = Map::new();
        for operation in operations {
            let row = operation.row();
            let method = row.method.as_str().to_ascii_lowercase();
            let answers = json!({"200": {"description": "OK"}});
            methods.insert(
                method,
                json!({"operationId": row.name, "responses": answers}),
            );
        }
        listed.insert(path, Value::Object(methods));
    }
    json!({"swagger": "2.0", "info": {"title": "headscale", "version": "version not set"}, "paths": listed})
}
