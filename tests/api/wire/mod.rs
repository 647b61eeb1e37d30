//! Each exchange of docs/service.md as text in the files beside: the client writes that request and reads that answer, a
//! server reads that request and writes that answer, and the sandbox answers it. Must not live here: refusals.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tailnet_kit::api::{
    AclBody, AclDocument, AclFormat, AclMatch, AclPreview, ApiKey, ClientConnectivity,
    ClientSupports, DeleteDevice, Device, DeviceFilter, DeviceId, ETag, Endpoint, Field, Fields,
    GetAcl, GetDevice, GetDeviceRoutes, GetNameservers, GetPreferences, GetSearchPaths, Headers,
    IfMatch, Latency, ListDevices, Method, Nameservers, NameserversSet, Operation, PathStyle,
    Preferences, PreviewAcl, PreviewFor, Request, Response, Routes, SearchPaths, SetAcl,
    SetDeviceRoutes, SetNameservers, SetPreferences, SetSearchPaths, TailnetName, headers,
};
use tailnet_kit::sandbox::{Options, Sandbox};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/wire")
}

/// One file: a request and the answer to it.
struct Exchange {
    request: Request,
    response: Response,
}

impl Exchange {
    #[track_caller]
    fn read(operation: Operation) -> Exchange {
        let path = folder().join(format!("{operation}.http"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let at = text.find("\nHTTP ").expect("an answer");
        let (request, response) = text.split_at(at);
        let (first, headers, body) = parts(request);
        let (method, target) = first.split_once(' ').expect("method and target");
        let mut request = Request::new(Method::parse(method).expect("a method"), target);
        let (status, answered, answer) = parts(response.trim_start());
        let mut response = Response::empty(status[5..].parse().expect("a status"));
        for (name, value) in headers {
            request.headers.set(&name, value);
        }
        for (name, value) in answered {
            response.headers.set(&name, value);
        }
        request.body = body.into_bytes();
        response.body = answer.into_bytes();
        Exchange { request, response }
    }
}

/// First line, header fields, body without the line break at its end.
fn parts(message: &str) -> (String, Vec<(String, String)>, String) {
    let (head, body) = message.split_once("\n\n").unwrap_or((message, ""));
    let mut lines = head.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    let field = |line: &str| {
        let (name, value) = line.split_once(": ").expect("a header field");
        (name.to_owned(), value.to_owned())
    };
    (
        first,
        lines.map(field).collect(),
        body.trim_end_matches('\n').to_owned(),
    )
}

/// A body for comparison: JSON by its value, anything else by its text.
fn body(headers: &Headers, body: &[u8]) -> Value {
    let text = String::from_utf8(body.to_vec()).expect("UTF-8");
    match headers.get(headers::CONTENT_TYPE) {
        Some(label) if headers::is_json(label) => serde_json::from_str(&text).expect("JSON"),
        _ => Value::String(text),
    }
}

fn fields(headers: &Headers) -> BTreeSet<(&str, &str)> {
    headers.iter().collect()
}

/// Both ends of one exchange.
#[track_caller]
fn exchange<E>(call: E, style: PathStyle, output: E::Output)
where
    E: Endpoint + PartialEq + Debug,
    E::Output: PartialEq + Debug,
{
    let wire = Exchange::read(E::OPERATION);

    let written = call.to_request(style);
    assert_eq!(written.method, wire.request.method);
    assert_eq!(written.target, wire.request.target);
    assert_eq!(fields(&written.headers), fields(&wire.request.headers));
    assert_eq!(
        body(&written.headers, &written.body),
        body(&wire.request.headers, &wire.request.body)
    );

    let (operation, scope) =
        Operation::find(wire.request.method, wire.request.path()).expect("a known path");
    assert_eq!(operation, E::OPERATION);
    assert_eq!(
        E::from_request(scope, &wire.request).expect("a readable request"),
        call
    );

    assert_eq!(
        E::output(&wire.response).expect("a readable answer"),
        output
    );
    let answered = E::respond(&output);
    assert_eq!(answered.status, wire.response.status);
    assert_eq!(fields(&answered.headers), fields(&wire.response.headers));
    assert_eq!(
        body(&answered.headers, &answered.body),
        body(&wire.response.headers, &wire.response.body)
    );

    let answer = sandbox().handle(&signed(wire.request), 0);
    // The sandbox has another policy, so a write for the version in the file conflicts.
    let expected = if operation == Operation::SetAcl {
        412
    } else {
        wire.response.status
    };
    assert_eq!(
        answer.status,
        expected,
        "{}",
        String::from_utf8_lossy(&answer.body)
    );
    if answer.is_success() {
        E::output(&answer).expect("the sandbox answers in the same shape");
    }
}

const KEY: &str = "tskey-wire";

fn signed(mut request: Request) -> Request {
    let key = ApiKey::new(KEY).expect("a key");
    request.headers.set(headers::AUTHORIZATION, key.to_basic());
    request
}

fn sandbox() -> Sandbox {
    let dns = r#"{"nameservers": ["8.8.8.8"], "magicDNS": false, "searchPaths": []}"#;
    let options = format!(
        r#"{{"apiKey": "{KEY}", "state": {{"tailnets": {{
            "example.com": {{"devices": [{{"id": "11055"}}], "acl": "{{\"tagOwners\": {{\"tag:ci\": [], \"tag:web\": []}}}}", "dns": {dns},
                "contacts": {{"security": {{"email": "old@example.com", "needsVerification": true}}}},
                "postureIntegrations": [{{"id": "p4X1CNTRL", "provider": "kolide", "cloudId": "https://acme.example", "clientSecret": "hidden"}}],
                "services": [{{"name": "svc:wiki", "ports": ["tcp:443"], "addrs": ["100.90.1.2", "fd7a:115c:a1e0::1a:102"]}}],
                "webhooks": [{{"endpointId": "w19bQ2CNTRL", "endpointUrl": "https://a.example", "subscriptions": ["nodeCreated"]}}],
                "users": [{{"id": "u55ab1CNTRL", "loginName": "ada@example.com"}}],
                "keys": [{{"id": "kR4tw9CNTRL", "keyType": "auth"}}, {{"id": "kC20zzCNTRL", "keyType": "client"}}]}},
            "alice@gmail.com": {{"devices": [], "acl": "{{}}", "dns": {dns}}}}}}}}}"#
    );
    let options = Options::from_json(&options).expect("options");
    Sandbox::new(options, 0).expect("a sandbox")
}

fn example() -> TailnetName {
    TailnetName::new("example.com").expect("a name")
}

fn alice() -> TailnetName {
    TailnetName::new("alice@gmail.com").expect("a name")
}

fn device() -> DeviceId {
    DeviceId::new("11055").expect("an id")
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// The text after the header fields of a file's request or answer.
fn text_of(operation: Operation, pick: impl Fn(Exchange) -> Vec<u8>) -> String {
    String::from_utf8(pick(Exchange::read(operation))).expect("UTF-8")
}

const ETAG: &str = "e0b2816b418b3f266309d94426ac7668ab3c1fa87798785bf82f1085cc2f6d9c";

#[test]
fn every_operation_has_its_exchange() {
    let files = fs::read_dir(folder()).expect("the folder").flatten();
    let names: BTreeSet<String> = files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".http"))
        .collect();
    let expected: BTreeSet<String> = Operation::ALL
        .iter()
        .map(|operation| format!("{operation}.http"))
        .collect();
    assert_eq!(names, expected);
}

mod administration;
mod devices;
mod logs;
mod posture;
mod services;
mod verdict;
mod webhooks;

fn full_device() -> Device {
    let latency = |latency_ms, preferred| Latency {
        latency_ms,
        preferred,
    };
    Device {
        id: "11055".to_owned(),
        addresses: Some(texts(&["100.64.0.1", "fd7a:115c:a1e0::1"])),
        user: some("ann@example.com"),
        name: some("pangolin.example.com"),
        hostname: some("pangolin"),
        client_version: some("1.8.1"),
        update_available: Some(false),
        os: some("linux"),
        created: some("2026-01-02T03:04:05Z"),
        last_seen: some("2026-02-03T04:05:06+01:00"),
        key_expiry_disabled: Some(true),
        expires: some("2026-07-01T00:00:00Z"),
        authorized: Some(true),
        is_external: Some(false),
        machine_key: some("mkey:0a1b"),
        node_key: some("nodekey:2c3d"),
        blocks_incoming_connections: Some(false),
        enabled_routes: Some(texts(&["10.0.0.0/16"])),
        advertised_routes: Some(texts(&["10.0.0.0/16", "10.1.0.0/16"])),
        client_connectivity: Some(ClientConnectivity {
            endpoints: texts(&["203.0.113.7:41641"]),
            derp: String::new(),
            mapping_varies_by_dest_ip: Some(false),
            latency: [
                ("Frankfurt".to_owned(), latency(7.25, Some(true))),
                ("Tokyo".to_owned(), latency(212.0, None)),
            ]
            .into(),
            client_supports: ClientSupports {
                hair_pinning: Some(false),
                ipv6: Some(true),
                pcp: Some(false),
                pmp: Some(false),
                udp: Some(true),
                upnp: None,
            },
            ..ClientConnectivity::default()
        }),
        other: [(
            "postureIdentity".to_owned(),
            serde_json::json!({"serials": ["A1"]}),
        )]
        .into_iter()
        .collect(),
        ..Device::default()
    }
}

#[test]
fn list_devices() {
    let bare = Device {
        id: "11056".to_owned(),
        ..Device::default()
    };
    let call = ListDevices {
        tailnet: example(),
        fields: Fields(vec![Field::Default, Field::All]),
        filter: DeviceFilter::default()
            .with("tags", "tag:web")
            .expect("a filter"),
    };
    exchange(call, PathStyle::Tailnet, vec![full_device(), bare]);
}

#[test]
fn get_device() {
    let output = Device {
        id: "11055".to_owned(),
        addresses: Some(texts(&["100.64.0.1"])),
        user: some("ann@example.com"),
        name: some("pangolin.example.com"),
        authorized: Some(true),
        ..Device::default()
    };
    let call = GetDevice {
        id: device(),
        fields: Fields::default(),
    };
    exchange(call, PathStyle::Tailnet, output);
}

#[test]
fn delete_device() {
    exchange(DeleteDevice { id: device() }, PathStyle::Tailnet, ());
}

#[test]
fn get_device_routes() {
    let output = Routes {
        advertised_routes: texts(&["10.0.0.0/16", "192.168.1.0/24"]),
        enabled_routes: Vec::new(),
    };
    exchange(GetDeviceRoutes { id: device() }, PathStyle::Tailnet, output);
}

#[test]
fn set_device_routes() {
    let routes = texts(&["10.0.0.0/16", "192.168.1.0/24"]);
    let output = Routes {
        advertised_routes: texts(&["10.0.0.0/16"]),
        enabled_routes: routes.clone(),
    };
    exchange(
        SetDeviceRoutes {
            id: device(),
            routes,
        },
        PathStyle::Tailnet,
        output,
    );
}

#[test]
fn get_acl() {
    let output = AclDocument {
        format: AclFormat::HuJson,
        text: text_of(Operation::GetAcl, |wire| wire.response.body),
        etag: Some(ETag::strong(ETAG)),
    };
    let call = GetAcl {
        tailnet: example(),
        format: AclFormat::HuJson,
        details: false,
    };
    exchange(call, PathStyle::Tailnet, output);
}

#[test]
fn set_acl() {
    let body = AclBody {
        format: AclFormat::Json,
        text: text_of(Operation::SetAcl, |wire| wire.request.body),
    };
    let output = AclDocument {
        format: AclFormat::Json,
        text: text_of(Operation::SetAcl, |wire| wire.response.body),
        etag: Some(ETag::strong("0f1e")),
    };
    let if_match = Some(IfMatch::from(ETag::strong(ETAG)));
    let call = SetAcl {
        tailnet: example(),
        body,
        if_match,
        format: AclFormat::Json,
    };
    exchange(call, PathStyle::Tailnet, output);
}

#[test]
fn preview_acl() {
    let user = "ann+test@example.com".to_owned();
    let body = AclBody {
        format: AclFormat::HuJson,
        text: text_of(Operation::PreviewAcl, |wire| wire.request.body),
    };
    let found = AclMatch {
        users: texts(&["*"]),
        ports: texts(&["*:*"]),
        line_number: Some(2),
        ..AclMatch::default()
    };
    let output = AclPreview {
        user: user.clone(),
        matches: vec![found],
        ..AclPreview::default()
    };
    let preview_for = PreviewFor::User(user);
    let call = PreviewAcl {
        tailnet: example(),
        body,
        preview_for,
    };
    exchange(call, PathStyle::Tailnet, output);
}

#[test]
fn get_nameservers() {
    let output = Nameservers {
        dns: texts(&["8.8.8.8", "2001:4860:4860::8888"]),
    };
    exchange(
        GetNameservers { tailnet: alice() },
        PathStyle::Tailnet,
        output,
    );
}

#[test]
fn set_nameservers() {
    let call = SetNameservers {
        tailnet: alice(),
        nameservers: Nameservers::default(),
    };
    exchange(call, PathStyle::Tailnet, NameserversSet::default());
}

#[test]
fn get_preferences() {
    let call = GetPreferences { tailnet: example() };
    exchange(call, PathStyle::Domain, Preferences { magic_dns: false });
}

#[test]
fn set_preferences() {
    let preferences = Preferences { magic_dns: true };
    let call = SetPreferences {
        tailnet: example(),
        preferences: preferences.clone(),
    };
    exchange(call, PathStyle::Tailnet, preferences);
}

#[test]
fn get_search_paths() {
    let output = SearchPaths {
        search_paths: texts(&["example.com", "corp.example.com"]),
    };
    exchange(
        GetSearchPaths { tailnet: example() },
        PathStyle::Tailnet,
        output,
    );
}

#[test]
fn set_search_paths() {
    let search_paths = SearchPaths {
        search_paths: texts(&["example.com"]),
    };
    let call = SetSearchPaths {
        tailnet: example(),
        search_paths: search_paths.clone(),
    };
    exchange(call, PathStyle::Domain, search_paths);
}
