//! Each exchange of docs/service.md as text in the files of `wire`: the client writes that request and reads that answer, a server
//! reads that request and writes that answer, and the sandbox answers it. Must not live here: refusals, what an operation does.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tailnet_kit::Code;
use tailnet_kit::api::{
    AclOutcome, AclVerdict, Answer, AuditLog, Device, Endpoint, GetWebhook, Headers, ItemId, Key,
    Operation, PathStyle, Request, Response, Routes, User, VipService, Webhook, headers,
};

use crate::exchanges::{Exchange, exchanges, sandbox};

/// A body for comparison: JSON by its value, anything else by its text.
fn body(headers: &Headers, body: &[u8]) -> Value {
    let text = String::from_utf8(body.to_vec()).expect("UTF-8");
    match headers.get(headers::CONTENT_TYPE) {
        Some(label) if headers::is_json(label) => serde_json::from_str(&text).expect("JSON"),
        _ => Value::String(text),
    }
}

fn message<'m>(headers: &'m Headers, bytes: &[u8]) -> (BTreeSet<(&'m str, &'m str)>, Value) {
    (headers.iter().collect(), body(headers, bytes))
}

fn relayed(exchange: &Exchange, style: PathStyle, response: &Response) -> (Request, Response) {
    let (operation, scope) = (exchange.operation, exchange.scope.clone());
    let again = operation.relay(style, scope, (&exchange.request, response));
    again.unwrap_or_else(|error| panic!("{operation}: {error}"))
}

/// The answer of an exchange.
fn answer<A: Answer>(operation: Operation) -> A {
    let mut all = exchanges().into_iter();
    let exchange = all.find(|exchange| exchange.operation == operation);
    A::read(&exchange.expect("an exchange").response).expect("a readable answer")
}

#[test]
fn every_operation_has_its_exchange() {
    let found: Vec<&str> = exchanges()
        .iter()
        .map(|exchange| exchange.operation.name())
        .collect();
    let found: BTreeSet<&str> = found.into_iter().collect();
    assert_eq!(
        found,
        Operation::ALL
            .iter()
            .map(|operation| operation.name())
            .collect()
    );
}

#[test]
fn both_ends_read_and_write_the_same() {
    for exchange in exchanges() {
        let Exchange {
            operation,
            style,
            request,
            response,
            ..
        } = &exchange;
        let (asked, answered) = relayed(&exchange, *style, response);
        assert_eq!(
            (asked.method, &asked.target),
            (request.method, &request.target)
        );
        let (written, wire) = (
            message(&asked.headers, &asked.body),
            message(&request.headers, &request.body),
        );
        assert_eq!(written, wire, "{operation}");
        assert_eq!(answered.status, response.status, "{operation}");
        let (written, wire) = (
            message(&answered.headers, &answered.body),
            message(&response.headers, &response.body),
        );
        assert_eq!(written, wire, "{operation}");
    }
}

#[test]
fn the_sandbox_answers_each_in_both_forms_of_paths() {
    for exchange in exchanges() {
        for style in PathStyle::ALL {
            let given = sandbox().handle(&exchange.signed(style), 0);
            let said = String::from_utf8_lossy(&given.body).into_owned();
            assert_eq!(
                given.status, exchange.response.status,
                "{}: {said}",
                exchange.operation
            );
            relayed(&exchange, style, &given);
        }
    }
}

/// What is sent is what the row says: each member that is checked is there, and each that is there can be left out or is checked.
#[test]
fn rows_say_what_is_sent() {
    use tailnet_kit::api::{Form, MemberKind};
    for Exchange {
        operation, request, ..
    } in exchanges()
    {
        let sent = serde_json::from_slice::<Value>(&request.body).ok();
        match operation.form() {
            Form::Nothing | Form::Query(_) | Form::Devices(_) => {
                assert!(request.body.is_empty(), "{operation}")
            }
            Form::List => assert!(sent.is_some_and(|sent| sent.is_array()), "{operation}"),
            Form::Policy => {}
            Form::Object(members) => {
                let sent = sent.expect("JSON");
                for member in members
                    .iter()
                    .filter(|member| member.kind != MemberKind::Any)
                {
                    assert!(
                        sent.get(member.name).is_some(),
                        "{operation}: {}",
                        member.name
                    );
                }
            }
        }
    }
}

/// That members are read into the fields of their names, and not among "everything else".
#[test]
fn members_have_fields() {
    let devices: Vec<Device> = answer(Operation::ListDevices);
    let [device, bare] = devices.as_slice() else {
        panic!("two devices")
    };
    assert_eq!(
        json!(device.other),
        json!({"postureIdentity": {"serials": ["A1"]}})
    );
    assert_eq!(device.client_version.as_deref(), Some("1.8.1"));
    let connectivity = device.client_connectivity.as_ref().expect("connectivity");
    assert_eq!(connectivity.latency["Frankfurt"].latency_ms, 7.25);
    assert_eq!(connectivity.client_supports.hair_pinning, Some(false));
    let mut wanted = Device::default();
    wanted.id = "11056".to_owned();
    wanted.tags = Some(vec!["tag:web".to_owned()]);
    assert_eq!(*bare, wanted);
    let routes: Routes = answer(Operation::GetDeviceRoutes);
    assert_eq!(
        (routes.advertised_routes.len(), routes.enabled_routes.len()),
        (2, 0)
    );
    let key: Key = answer(Operation::CreateKey);
    assert_eq!((key.expiry_seconds, key.other.len()), (Some(3600), 0));
    let user: User = answer(Operation::GetUser);
    assert_eq!(
        (user.kind.as_deref(), user.login_name.as_str()),
        (Some("member"), "ada@example.com")
    );
    let names: Vec<&String> = user.other.keys().collect();
    assert_eq!(names, ["currentlyConnected", "deviceCount", "displayName"]);
    let webhook: Webhook = answer(Operation::CreateWebhook);
    assert_eq!((webhook.subscriptions.len(), webhook.other.len()), (2, 0));
    let service: VipService = answer(Operation::GetService);
    assert_eq!(service.other.len(), 0);
    let log: AuditLog = answer(Operation::GetAuditLog);
    assert!(
        log.logs
            .iter()
            .all(|entry| !entry.event_time.is_empty() && !entry.actor.id.is_empty())
    );
    let verdict: AclVerdict = answer(Operation::ValidateAcl);
    assert_eq!(verdict.outcome(), AclOutcome::TestsFailed);
}

#[test]
fn a_200_of_a_validation_may_still_report_a_failure() {
    for (body, outcome) in [
        ("", AclOutcome::Valid),
        ("null", AclOutcome::Valid),
        ("{}", AclOutcome::Valid),
        (
            r#"{"message": "test(s) failed", "data": [{"user": "a", "errors": ["no"]}]}"#,
            AclOutcome::TestsFailed,
        ),
        (
            r#"{"message": "warning(s) found", "data": [{"user": "a", "warnings": ["hm"]}]}"#,
            AclOutcome::Warnings,
        ),
        (
            r#"{"message": "src=tag not found: \"tag:x\""}"#,
            AclOutcome::Invalid,
        ),
        (r#"{"message": "no", "data": null}"#, AclOutcome::Invalid),
    ] {
        let mut answer = Response::empty(200);
        answer.body = body.into();
        let verdict = AclVerdict::read(&answer);
        assert_eq!(verdict.expect("a verdict").outcome(), outcome, "{body}");
    }
}

/// An answer whose one certain member is missing is malformed, also for Rust programs.
#[test]
fn answers_without_what_is_certain() {
    let id = ItemId::new("w1").expect("an id");
    let call = GetWebhook { id };
    assert_eq!(call.rule(), Operation::GetWebhook.rule());
    for body in ["[]", "7", "\"text\""] {
        let mut response = Response::empty(200);
        response.body = body.into();
        let error = GetWebhook::output(&response).expect_err(body);
        assert_eq!(error.code(), Code::MalformedResponse);
    }
}
