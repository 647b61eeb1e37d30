//! The table of routes, the codes of refusals, and what other files repeat of the table. Must not live here: laws (`laws.rs`), the
//! text of single exchanges (`wire`).

mod laws;

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::exchanges::{KEY, sandbox};
use crate::ready::ready;
use tailnet_kit::Code;
use tailnet_kit::api::{
    AclBody, AclChange, AclFormat, ApiKey, DeleteDevice, DeviceId, Effect, Endpoint, Fields,
    GetDevice, GetNameservers, IfMatch, Method, NoRoute, Operation, SetAcl, TailnetName,
    retry::Rule,
};
use tailnet_kit::client::{CallOptions, Client};
use tailnet_kit::sandbox::{BASE_URL, SandboxTransport};

/// What a call to the sandbox of the exchanges is refused with.
#[track_caller]
fn refused<E: Endpoint>(key: &str, call: &E, status: u16, code: Code)
where
    E::Output: Debug,
{
    let transport = SandboxTransport::new(sandbox(), (|| 0) as fn() -> i64);
    let mut options = tailnet_kit::client::Options::new(BASE_URL).expect("a URL");
    options.api_key = Some(ApiKey::new(key).expect("a key"));
    let client = Client::new(transport, options);
    let error = ready(client.call(call, &CallOptions::default())).expect_err("a refusal");
    assert_eq!(
        (error.status(), error.code()),
        (Some(status), code),
        "{error}"
    );
    assert_eq!(error.attempts, 1);
}

#[test]
fn refusals_have_their_code() {
    let tailnet = |name: &str| TailnetName::new(name).expect("a name");
    let id = |id: &str| DeviceId::new(id).expect("an id");
    let change = |text: &str, if_match| SetAcl {
        tailnet: tailnet("example.com"),
        change: AclChange {
            body: AclBody {
                format: AclFormat::HuJson,
                text: text.to_owned(),
            },
            if_match,
            format: AclFormat::HuJson,
        },
    };
    let stale = IfMatch::parse("stale").ok();
    refused(
        KEY,
        &GetDevice {
            id: id("none"),
            fields: Fields::default(),
        },
        404,
        Code::NotFound,
    );
    refused(
        KEY,
        &DeleteDevice { id: id("shared") },
        501,
        Code::NotImplemented,
    );
    refused(KEY, &change("{", None), 400, Code::BadRequest);
    refused(KEY, &change("{}", stale), 412, Code::PreconditionFailed);
    refused(
        KEY,
        &GetNameservers {
            tailnet: tailnet("other.example"),
        },
        404,
        Code::NotFound,
    );
    refused(
        "tskey-wrong",
        &GetNameservers {
            tailnet: tailnet("example.com"),
        },
        401,
        Code::Authentication,
    );
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
fn the_page_of_operations_lists_every_code() {
    let page = include_str!("../../../docs/operations.md");
    for code in Code::ALL {
        assert!(page.contains(&format!("`{code}`")), "{code}");
    }
}

#[test]
fn the_facade_and_the_declarations_have_a_class_for_each_code_and_no_other() {
    let declarations = include_str!("../../../pkg/types/errors.d.ts");
    let facade = include_str!("../../../pkg/common/errors.js");
    let every = Code::ALL.map(Code::as_str);
    for (text, table) in [
        (declarations, "interface ErrorByCode {"),
        (facade, "const CLASSES = {"),
    ] {
        let (_, members) = text.split_once(table).expect(table);
        let (members, _) = members.split_once("\n}").expect("its end");
        let names = members.lines().filter_map(|line| {
            let (name, class) = line.strip_prefix("  ")?.split_once(": ")?;
            class.contains("Error").then_some(name)
        });
        let mut names: Vec<&str> = names.collect();
        let mut wanted = every.to_vec();
        names.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(names, wanted, "{table}");
    }
}

#[test]
fn reading_operations_are_the_gets_and_the_ones_that_store_nothing() {
    let others = [
        Operation::PreviewAcl,
        Operation::ValidateAcl,
        Operation::ValidateAwsTrustPolicy,
    ];
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
        assert_eq!(operation.rule(), rule, "{operation}");
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
