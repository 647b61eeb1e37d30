//! The table of routes, and that the client can call the sandbox for every operation. Must not live here: laws (`laws.rs`), the
//! text of single exchanges (`wire`).

mod calls;
mod laws;

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::ready::ready;
use tailnet_kit::api::retry::Rule;
use tailnet_kit::api::{
    AclBody, AclFormat, ApiKey, Code, DeviceId, Effect, Fields, GetPreferences, IfMatch, Method,
    Nameservers, NoRoute, Operation, PathStyle, Preferences, PreviewFor, SearchPaths, TailnetName,
};
use tailnet_kit::client::{CallOptions, Client, Error};
use tailnet_kit::sandbox::{self, Sandbox, SandboxTransport};

type Service = SandboxTransport<fn() -> i64>;

const KEY: &str = "tskey-contract";

pub fn client(style: PathStyle) -> Client<Service> {
    let options = format!(
        r#"{{"apiKey": "{KEY}", "state": {{"tailnets": {{"alice@gmail.com": {{
            "devices": [
                {{"id": "a b/ü", "user": "alice@gmail.com", "addresses": ["100.64.0.1"], "advertisedRoutes": ["10.0.0.0/8"]}},
                {{"id": "shared", "isExternal": true}}
            ],
            "acl": "{{\"acls\": [], // none\n}}",
            "attributes": {{"a b/ü": {{"attributes": {{"custom:tier": 2}}}}}},
            "dns": {{"nameservers": ["8.8.8.8"], "magicDNS": true, "searchPaths": ["example.com"], "splitDNS": {{"corp.example": ["10.0.0.53"]}}}},
            "contacts": {{"support": {{"email": "a@gmail.com", "needsVerification": true}}}},
            "log": [
                {{"eventTime": "1970-01-01T01:00:00Z", "action": "UPDATE", "actor": {{"loginName": "alice@gmail.com"}}, "target": {{"id": "2", "type": "NODE", "property": "ACL_TAGS"}}}},
                {{"eventTime": "1970-01-01T01:00:00Z", "action": "CREATE", "actor": {{"loginName": "alice@gmail.com"}}, "target": {{"id": "3", "type": "NODE", "property": "ACL_TAGS"}}}}
            ],
            "flows": [{{"logged": "1970-01-01T01:00:00Z", "nodeId": "n1"}}, {{"logged": "1970-01-05T01:00:00Z", "nodeId": "n2"}}],
            "postureIntegrations": [{{"id": "p1", "provider": "kandji", "cloudId": "https://acme.example", "clientSecret": "hidden"}}],
            "services": [{{"name": "svc:wiki", "addrs": ["100.90.1.2", "fd7a:115c:a1e0::1a:102"], "ports": ["tcp:443"]}}],
            "serviceHosts": {{"svc:wiki": [{{"stableNodeID": "a b/ü", "approvalLevel": "not-approved", "configured": "ready"}}]}},
            "webhooks": [{{"endpointId": "w1", "endpointUrl": "https://a.example", "subscriptions": ["nodeCreated"]}}],
            "users": [{{"loginName": "alice@gmail.com", "role": "owner", "id": "u1"}}, {{"loginName": "bob@gmail.com", "id": "u2"}}],
            "keys": [{{"id": "k1", "keyType": "auth", "secret": "s1"}}, {{"id": "k2", "keyType": "client", "scopes": ["all"], "secret": "s2"}}]
        }}}}}}}}"#
    );
    let options = sandbox::Options::from_json(&options).expect("options");
    let sandbox = Sandbox::new(options, 0).expect("a sandbox");
    let transport = SandboxTransport::new(sandbox, (|| 0) as fn() -> i64);
    let mut options = tailnet_kit::client::Options::new(sandbox::BASE_URL).expect("a URL");
    options.api_key = Some(ApiKey::new(KEY).expect("a key"));
    options.tailnet = Some(TailnetName::new("alice@gmail.com").expect("a name"));
    options.path_style = style;
    Client::new(transport, options)
}

fn id(id: &str) -> DeviceId {
    DeviceId::new(id).expect("an id")
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Calls an operation; returns its answer in short.
fn ask(client: &Client<Service>, operation: Operation) -> Result<String, Error<Service>> {
    let body = |text: &str| AclBody {
        format: AclFormat::HuJson,
        text: text.to_owned(),
    };
    let device = id("a b/ü");
    match operation {
        Operation::GetDevice => ready(client.get_device(device, Fields::all()))
            .map(|device| format!("{:?}", device.advertised_routes)),
        Operation::DeleteDevice => ready(client.delete_device(device)).map(|()| "gone".to_owned()),
        Operation::GetDeviceRoutes => {
            ready(client.device_routes(device)).map(|routes| format!("{routes:?}"))
        }
        Operation::SetDeviceRoutes => {
            let set = ready(client.set_device_routes(device, texts(&["10.1.0.0/16"])));
            set.map(|routes| format!("{:?}", routes.enabled_routes))
        }
        Operation::ListDevices => ready(client.list_devices(Fields::default())).map(|devices| {
            let ids: Vec<_> = devices.into_iter().map(|device| device.id).collect();
            format!("{ids:?}")
        }),
        Operation::GetAcl => ready(client.get_acl(AclFormat::HuJson)).map(|acl| acl.text),
        Operation::SetAcl => ready(client.set_acl(body("{} // new\n"), None)).map(|acl| acl.text),
        Operation::PreviewAcl => {
            let text =
                "{\"acls\": [\n{\"action\": \"accept\", \"src\": [\"*\"], \"dst\": [\"*:*\"]}]}";
            let asked = PreviewFor::User("alice@gmail.com".to_owned());
            ready(client.preview_acl(body(text), asked)).map(|preview| {
                format!(
                    "{:?}",
                    preview.matches.first().and_then(|found| found.line_number)
                )
            })
        }
        Operation::GetNameservers => ready(client.nameservers()).map(|n| format!("{:?}", n.dns)),
        Operation::SetNameservers => {
            let none = Nameservers { dns: Vec::new() };
            ready(client.set_nameservers(none)).map(|set| format!("{set:?}"))
        }
        Operation::GetPreferences => ready(client.preferences()).map(|p| p.magic_dns.to_string()),
        Operation::SetPreferences => {
            let off = Preferences { magic_dns: false };
            ready(client.set_preferences(off)).map(|p| p.magic_dns.to_string())
        }
        Operation::GetSearchPaths => {
            ready(client.search_paths()).map(|paths| format!("{:?}", paths.search_paths))
        }
        Operation::SetSearchPaths => {
            let paths = SearchPaths {
                search_paths: texts(&["a.example"]),
            };
            ready(client.set_search_paths(paths)).map(|set| format!("{:?}", set.search_paths))
        }
        operation => calls::ask(client, operation),
    }
}

#[test]
fn the_client_asks_the_sandbox_for_every_operation_in_both_path_styles() {
    for style in PathStyle::ALL {
        let first = |operation: &Operation| {
            !calls::ANSWERS
                .iter()
                .any(|(name, _)| *name == operation.name())
        };
        let mut all: Vec<Operation> = Operation::ALL.into_iter().filter(first).collect();
        all.extend(calls::ANSWERS.map(|(name, _)| Operation::by_name(name).expect(name)));
        assert_eq!(all.len(), Operation::ALL.len());
        let answers = all.into_iter().map(|operation| {
            let answer = ask(&client(style), operation);
            (
                operation.name(),
                answer.unwrap_or_else(|error| format!("{error}")),
            )
        });
        let answers: Vec<_> = answers.collect();
        let answers: Vec<(&str, &str)> = answers.iter().map(|(n, a)| (*n, a.as_str())).collect();
        assert_eq!(
            answers,
            [
                ("devices.get", r#"Some(["10.0.0.0/8"])"#),
                ("devices.delete", "gone"),
                (
                    "devices.routes.get",
                    r#"Routes { advertised_routes: ["10.0.0.0/8"], enabled_routes: [] }"#
                ),
                ("devices.routes.set", r#"["10.1.0.0/16"]"#),
                ("devices.list", r#"["a b/ü", "shared"]"#),
                ("acl.get", "{\"acls\": [], // none\n}"),
                ("acl.set", "{} // new\n"),
                ("acl.preview", "Some(2)"),
                ("dns.nameservers.get", r#"["8.8.8.8"]"#),
                (
                    "dns.nameservers.set",
                    "NameserversSet { dns: [], magic_dns: false }"
                ),
                ("dns.preferences.get", "true"),
                ("dns.preferences.set", "false"),
                ("dns.searchPaths.get", r#"["example.com"]"#),
                ("dns.searchPaths.set", r#"["a.example"]"#),
            ]
            .into_iter()
            .chain(calls::ANSWERS)
            .collect::<Vec<_>>()
        );
    }
}

#[track_caller]
fn refused<T: Debug>(answer: Result<T, Error<Service>>, status: u16, code: Code) {
    let error = answer.expect_err("a refusal");
    assert_eq!(
        (error.status(), error.code()),
        (Some(status), code),
        "{error}"
    );
    assert_eq!(error.attempts, 1);
}

#[test]
fn refusals_have_their_code() {
    let client = client(PathStyle::Tailnet);
    let text = |text: &str| AclBody {
        format: AclFormat::HuJson,
        text: text.to_owned(),
    };
    refused(
        ready(client.get_device(id("none"), Fields::default())),
        404,
        Code::NotFound,
    );
    refused(
        ready(client.delete_device(id("shared"))),
        501,
        Code::NotImplemented,
    );
    refused(
        ready(client.set_acl(text("{"), None)),
        400,
        Code::BadRequest,
    );
    let stale = IfMatch::parse("stale").expect("a tag");
    refused(
        ready(client.set_acl(text("{}"), Some(stale))),
        412,
        Code::PreconditionFailed,
    );
    let other = GetPreferences {
        tailnet: TailnetName::new("other.example").expect("a name"),
    };
    refused(
        ready(client.call(&other, &CallOptions::default())),
        404,
        Code::NotFound,
    );
}

#[test]
fn a_wrong_key_is_an_authentication_error() {
    let mut options = client(PathStyle::Tailnet).options().clone();
    options.api_key = Some(ApiKey::new("tskey-wrong").expect("a key"));
    let sandbox = Sandbox::new(sandbox::Options::default(), 0).expect("a sandbox");
    let client = Client::new(
        SandboxTransport::new(sandbox, (|| 0) as fn() -> i64),
        options,
    );
    refused(ready(client.nameservers()), 401, Code::Authentication);
}

#[test]
fn names_and_routes_are_unique() {
    let every = || Operation::ALL.into_iter();
    let names: BTreeSet<_> = every().map(Operation::name).collect();
    let routes: BTreeSet<_> = every()
        .map(|operation| {
            let route = operation.route();
            (route.method.as_str(), route.template)
        })
        .collect();
    assert_eq!(names.len(), every().count());
    assert_eq!(routes.len(), every().count());
    for operation in every() {
        assert_eq!(Operation::by_name(operation.name()), Some(operation));
    }
    assert_eq!(Operation::by_name("devices"), None);
}

#[test]
fn the_readme_lists_every_call_with_its_rule_and_every_code() {
    let readme = include_str!("../../../README.md");
    for operation in Operation::ALL {
        let route = operation.route();
        let path = route.template.trim_start_matches("/api/v2");
        let repeated = match Rule::of(operation) {
            Rule::Transient => "transient",
            Rule::RateLimitOnly => "429",
        };
        // A getter and its setter may share a row.
        let thing = operation.name().trim_end_matches(".set");
        let row = readme.lines().find(|line| {
            line.contains(&format!("`{path}` | {repeated} |"))
                && line.contains(route.method.as_str())
                && line.contains(thing)
        });
        assert!(row.is_some(), "{operation}");
    }
    for code in Code::ALL {
        assert!(readme.contains(&format!("`{code}`")), "{code}");
    }
}

/// The names that a template type stands for, such as `keys.${'list' | 'get'}`.
fn spelled_out(template: &str) -> Vec<String> {
    let Some((head, rest)) = template.split_once("${") else {
        return vec![template.to_owned()];
    };
    let (words, tail) = rest.split_once('}').expect("a closing brace");
    let words = words.split('|').map(|word| word.trim().trim_matches('\''));
    words
        .flat_map(|word| spelled_out(&format!("{head}{word}{tail}")))
        .collect()
}

#[test]
fn each_operation_is_one_of_the_declared_names() {
    let declarations = include_str!("../../../pkg/types/operation.d.ts");
    let (_, union) = declarations
        .split_once("OperationName =")
        .expect("the union");
    let union = union.split("\n\n").next().unwrap_or_default();
    let templates = union.split('`').skip(1).step_by(2);
    let names: Vec<String> = templates.flat_map(spelled_out).collect();
    for operation in Operation::ALL {
        let name = operation.name();
        assert!(names.iter().any(|declared| declared == name), "{name}");
    }
}

#[test]
fn each_code_has_a_class_in_the_facade_and_in_the_declarations() {
    let declarations = include_str!("../../../pkg/types/errors.d.ts");
    let facade = include_str!("../../../pkg/common/errors.js");
    for code in Code::ALL {
        assert!(declarations.contains(&format!("\n  {code}: ")), "{code}");
        assert!(facade.contains(&format!("\n  {code}: ")), "{code}");
    }
}

#[test]
fn reading_operations_are_the_gets_and_the_ones_that_store_nothing() {
    let others = [Operation::PreviewAcl, Operation::ValidateAcl];
    for operation in Operation::ALL.into_iter() {
        let reads = operation.route().method == Method::Get || others.contains(&operation);
        assert_eq!(operation.effect() == Effect::Read, reads, "{operation}");
    }
}

#[test]
fn calls_that_replace_a_whole_state_may_be_repeated() {
    let verbs = [
        "set",
        "replace",
        "update",
        "authorize",
        "approve",
        "suspend",
        "restore",
        "expireKey",
        "batch",
    ];
    for operation in Operation::ALL
        .into_iter()
        .filter(|operation| operation.effect() != Effect::Read)
    {
        let verb = operation.name().rsplit('.').next().unwrap_or_default();
        let replaces = verbs.contains(&verb) || verb.starts_with("set");
        let rule =
            match replaces && ![Operation::SetAcl, Operation::UpdateContact].contains(&operation) {
                true => Rule::Transient,
                false => Rule::RateLimitOnly,
            };
        assert_eq!(Rule::of(operation), rule, "{operation}");
    }
}

#[test]
fn paths_that_are_not_a_route() {
    let find = |method, path: &str| Operation::find(method, path).expect_err(path);
    for path in [
        "",
        "/",
        "/api/v2",
        "/api/v2/device",
        "/api/v2/device/",
        "/api/v2/device/../routes",
        "/api/v2/device/%2E%2e",
        "/api/v2/device/1/",
        "/api/v2/device/1/route",
        "/api/v2/device/1%/routes",
        "/api/v2/device/%ff",
        "/api/v1/device/1",
        "/api/v2/tailnets/example.com/devices",
        "/api/v2/tailnet//devices",
        "/api/v2/tailnet/example.com",
        "/API/v2/tailnet/example.com/devices",
        "//api/v2/device/1",
    ] {
        assert_eq!(find(Method::Get, path), NoRoute::UnknownPath, "{path}");
    }
    assert_eq!(
        find(Method::Put, "/api/v2/device/1"),
        NoRoute::MethodNotAllowed(vec![Method::Get, Method::Delete])
    );
    assert_eq!(
        find(Method::Get, "/api/v2/domain/example.com/acl/preview"),
        NoRoute::MethodNotAllowed(vec![Method::Post])
    );
}

#[test]
fn a_raw_at_sign_is_the_same_as_an_encoded_one() {
    for path in [
        "/api/v2/tailnet/alice@gmail.com/acl",
        "/api/v2/domain/alice%40gmail.com/acl",
    ] {
        let (operation, scope) = Operation::find(Method::Get, path).expect("a route");
        assert_eq!(
            (operation, scope.tailnet().expect("a name").as_str()),
            (Operation::GetAcl, "alice@gmail.com")
        );
    }
}

#[test]
fn identifiers_that_would_change_the_path_are_refused() {
    for text in ["", ".", ".."] {
        assert_eq!(
            DeviceId::new(text).expect_err(text).code(),
            Code::InvalidArgument
        );
        assert_eq!(
            TailnetName::new(text).expect_err(text).code(),
            Code::InvalidArgument
        );
    }
}
