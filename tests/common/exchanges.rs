//! One exchange of docs/service.md for each operation, as text in `tests/api/wire`, and a sandbox that can answer all of them.
//! Must not live here: tests.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tailnet_kit::api::{
    ApiKey, Headers, Method, Operation, PathStyle, Request, Response, Scope, headers,
};
use tailnet_kit::sandbox::{Options, Sandbox};

/// A request and the answer to it.
pub struct Exchange {
    pub operation: Operation,
    pub scope: Scope,
    pub style: PathStyle,
    pub request: Request,
    pub response: Response,
}

/// All exchanges, by namespace.
pub fn exchanges() -> Vec<Exchange> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/wire");
    let files = fs::read_dir(folder).expect("the folder").flatten();
    let mut paths: Vec<_> = files.map(|file| file.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "http"));
    paths.sort();
    let texts = paths
        .iter()
        .map(|path| fs::read_to_string(path).expect("a text"));
    texts.flat_map(|text| read(&text)).collect()
}

/// The exchanges of a file: each begins with `### ` and the name of its operation. Behind them are stories (`tests/sandbox/stories.rs`).
fn read(text: &str) -> Vec<Exchange> {
    let text = format!("\n{}", text.split("\n## ").next().unwrap_or_default());
    text.split("\n### ").skip(1).map(Exchange::read).collect()
}

impl Exchange {
    fn read(text: &str) -> Exchange {
        let (name, text) = text.split_once('\n').expect("a name");
        // What JavaScript calls stands in comments.
        let text = skip_comments(text);
        let at = text
            .find("\nHTTP ")
            .unwrap_or_else(|| panic!("{name}: an answer"));
        let (request, response) = text.split_at(at);
        let (first, fields, body) = parts(request);
        let (method, target) = first.split_once(' ').expect("method and target");
        let mut request = Request::new(Method::parse(method).expect("a method"), target);
        request.headers = fields;
        request.body = body.into_bytes();
        let (status, fields, body) = parts(response.trim_start());
        let mut response = Response::empty(status[5..].parse().expect("a status"));
        response.headers = fields;
        response.body = body.into_bytes();
        let found = Operation::find(request.method, request.path());
        let (operation, scope) = found.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_eq!(operation.name(), name);
        let style = match target.contains("/domain/") {
            true => PathStyle::Domain,
            false => PathStyle::Tailnet,
        };
        Exchange {
            operation,
            scope,
            style,
            request,
            response,
        }
    }

    /// The request with the key of [`sandbox`], its path in this style. The sandbox has another policy, so a write of one is for any.
    pub fn signed(&self, style: PathStyle) -> Request {
        let mut request = self.request.clone();
        let key = ApiKey::new(KEY).expect("a key");
        request.headers.set(headers::AUTHORIZATION, key.to_basic());
        request.headers.remove(headers::IF_MATCH);
        let query = &request.target[request.path().len()..];
        request.target = self.operation.path(&self.scope, style) + query;
        request
    }
}

fn skip_comments(mut text: &str) -> &str {
    while let Some((_, rest)) = text.split_once('\n').filter(|_| text.starts_with("# ")) {
        text = rest;
    }
    text
}

/// First line, header fields, body without the line break at its end.
fn parts(message: &str) -> (&str, Headers, String) {
    let (head, body) = message.split_once("\n\n").unwrap_or((message, ""));
    let mut lines = head.lines();
    let first = lines.next().unwrap_or_default();
    let mut fields = Headers::new();
    for line in lines {
        let (name, value) = line.split_once(": ").expect("a header field");
        fields.set(name, value);
    }
    (first, fields, body.trim_end_matches('\n').to_owned())
}

pub const KEY: &str = "tskey-wire";

/// A sandbox that has what the exchanges are about.
pub fn sandbox() -> Sandbox {
    let options = json!({"apiKey": KEY, "state": state()});
    let options = Options::from_json(&options.to_string()).expect("options");
    Sandbox::new(options, 0).expect("a sandbox")
}

fn state() -> Value {
    let dns = json!({"nameservers": ["8.8.8.8"], "magicDNS": false, "searchPaths": []});
    json!({"tailnets": {
        "example.com": {
            "devices": [{"id": "11055"}, {"id": "shared", "isExternal": true}],
            "acl": r#"{"tagOwners": {"tag:ci": [], "tag:web": []}}"#,
            "dns": dns,
            "contacts": {"security": {"email": "old@example.com", "needsVerification": true}},
            "postureIntegrations": [{"id": "p4X1CNTRL", "provider": "kolide", "cloudId": "https://acme.example", "clientSecret": "hidden"}],
            "services": [{"name": "svc:wiki", "ports": ["tcp:443"], "addrs": ["100.90.1.2", "fd7a:115c:a1e0::1a:102"]}],
            "userInvites": [{"id": "29214", "role": "member", "email": "eve@example.com", "lastEmailSentAt": "1969-12-31T23:00:00Z"}],
            "deviceInvites": [{"id": "88123", "email": "eve@example.org", "inviteUrl": "https://login.example/admin/invite/EXAMPLE"}],
            "logStreams": {"network": {"destinationType": "splunk", "url": "https://logs.example", "token": "hidden"}},
            "awsExternalIds": ["ex71c0"],
            "webhooks": [{"endpointId": "w19bQ2CNTRL", "endpointUrl": "https://a.example", "subscriptions": ["nodeCreated"]}],
            "users": [{"id": "u55ab1CNTRL", "loginName": "ada@example.com"}],
            "keys": [{"id": "kR4tw9CNTRL", "keyType": "auth"}, {"id": "kC20zzCNTRL", "keyType": "client"}],
        },
        "alice@gmail.com": {"devices": [], "acl": "{}", "dns": dns},
    }})
}
