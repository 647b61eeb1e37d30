//! The state of a sandbox: options, the default state, snapshots.
//! Must not live here: calls (`perform.rs`).

use crate::service::{self, NOW, service};
use serde_json::{Value, json};
use tailnet_kit::sandbox::{Options, Sandbox};

#[test]
fn a_snapshot_with_an_unreadable_policy_is_kept_and_reported() {
    let mut service = service();
    let mut state = service::state();
    state["tailnets"]["corp.example"]["acl"] = json!("{ nonsense");
    service
        .0
        .restore_json(&state.to_string())
        .expect("a snapshot");
    let target = "/api/v2/tailnet/corp.example/acl";
    assert_eq!(service.get(target).text(), "{ nonsense");
    service
        .ask("GET", target, &[("accept", "application/json")], "")
        .refuses(500, "hujson: line 1");
}

#[test]
fn a_snapshot_brings_everything_back() {
    let mut service = service();
    let first = service.0.state().to_json();
    assert_eq!(
        serde_json::from_str::<Value>(&first).expect("JSON"),
        service::state()
    );
    service.delete("/api/v2/device/laptop");
    service.post("/api/v2/tailnet/corp.example/acl", "{}");
    let second = service.0.state().to_json();
    assert_ne!(first, second);
    service.0.restore_json(&first).expect("a snapshot");
    assert_eq!(service.0.state().to_json(), first);
    service.0.restore_json(&second).expect("a snapshot");
    assert_eq!(service.0.state().to_json(), second);
}

#[test]
fn the_same_changes_made_again_give_the_same_secrets() {
    let keys = "/api/v2/tailnet/corp.example/keys";
    let good = json!({"capabilities": {"devices": {}}});
    let mut first = service();
    first.post(keys, &good);
    // A replayed journal leaves out refused changes, and those that are already in the saved state.
    first.post(keys, json!({"keyType": "client", "scopes": []}));
    first.ask_plainly("POST", "/api/v2/oauth/token", &[], "client_secret=x");
    let saved = first.0.state().to_json();
    let made = first.post(keys, &good).json();
    let mut replayed = service();
    replayed.0.restore_json(&saved).expect("a snapshot");
    assert_eq!(replayed.post(keys, &good).json(), made);
    let mut again = service();
    again.post(keys, &good);
    assert_eq!(again.post(keys, &good).json(), made);
}

#[test]
fn a_revision_grows_with_changes_only() {
    let mut service = service();
    let mut last = service.0.revision();
    let mut changed =
        |service: &service::Service| std::mem::replace(&mut last, service.0.revision()) != last;
    service.get("/api/v2/device/laptop");
    service.post("/api/v2/tailnet/corp.example/acl/preview?user=a", "{}");
    service.post(
        "/api/v2/device/laptop/routes",
        json!({"routes": ["nonsense"]}),
    );
    assert!(!changed(&service));
    service.post(
        "/api/v2/device/laptop/routes",
        json!({"routes": ["10.0.0.0/8"]}),
    );
    assert!(changed(&service));
}

#[test]
fn a_value_that_is_not_a_state_is_refused_with_its_place() {
    let mut service = service();
    let before = service.0.state().clone();
    for (text, words) in [
        ("null", "state"),
        ("{}", "tailnets"),
        (r#"{"tailnets": {"a": {}}}"#, "devices"),
        (
            r#"{"tailnets": {"a": {"devices": [{}], "acl": "", "dns": {}}}}"#,
            "`id`",
        ),
        (
            r#"{"tailnets": {"a": {"devices": [{"id": "7", "addresses": "x"}], "acl": ""}}}"#,
            "device `7`",
        ),
        (
            r#"{"tailnets": {"a": {"devices": [], "acl": "{}"}}}"#,
            "dns",
        ),
    ] {
        let error = service.0.restore_json(text).expect_err(text);
        assert_eq!(error.code(), "invalid_argument");
        assert!(
            error.to_string().contains(words),
            "`{words}` is not in `{error}`"
        );
    }
    assert_eq!(*service.0.state(), before);
}

#[test]
fn options_say_which_tailnets_there_are() {
    let names = |options: Value| -> Result<Vec<String>, String> {
        let options =
            Options::from_json(&options.to_string()).map_err(|error| error.to_string())?;
        let sandbox = Sandbox::new(options, NOW).map_err(|error| error.to_string())?;
        Ok(sandbox
            .state()
            .tailnets
            .iter()
            .map(|(name, _)| name.to_owned())
            .collect())
    };
    assert_eq!(
        names(json!({})),
        Ok(vec!["example.com".to_owned(), "alice@gmail.com".to_owned()])
    );
    assert_eq!(
        names(json!({"tailnet": "a.example"})),
        Ok(vec!["a.example".to_owned()])
    );
    let both = json!({"tailnet": ["b.example"], "state": {"tailnets": {"a.example": {"devices": [], "acl": "{}",
        "dns": {"nameservers": [], "magicDNS": false, "searchPaths": []}}}}});
    assert_eq!(
        names(both),
        Ok(vec!["a.example".to_owned(), "b.example".to_owned()])
    );
    for bad in [
        json!({"tailnet": ""}),
        json!({"tailnet": []}),
        json!({"tailnet": 5}),
        json!({"apiKey": " "}),
    ] {
        names(bad.clone()).expect_err(&bad.to_string());
    }
}

#[test]
fn the_default_state_is_worth_looking_at() {
    let sandbox = Sandbox::new(Options::default(), NOW).expect("a sandbox");
    let organisation = sandbox
        .state()
        .tailnets
        .get("example.com")
        .expect("an organisation");
    let all: Vec<Value> = organisation
        .devices
        .iter()
        .map(|device| json!(device.answer(true)))
        .collect();
    let count = |holds: &dyn Fn(&Value) -> bool| all.iter().filter(|device| holds(device)).count();
    let routes = |device: &Value, field: &str| -> Vec<String> {
        device[field]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(all.len(), 12);
    assert_eq!(count(&|device| device["isExternal"] == true), 1);
    assert!(count(&|device| device.get("tags").is_some()) >= 4);
    assert!(count(&|device| device["authorized"] == false) >= 1);
    assert!(count(&|device| device["updateAvailable"] == true) >= 1);
    assert!(count(&|device| routes(device, "enabledRoutes").contains(&"::/0".to_owned())) == 1);
    let pending = |device: &Value| {
        let enabled = routes(device, "enabledRoutes");
        routes(device, "advertisedRoutes")
            .iter()
            .any(|route| !enabled.contains(route))
    };
    assert!(count(&pending) >= 1);
    let connected = |device: &Value| device["connectedToControl"] == true;
    assert!((3..10).contains(&count(&connected)));
    assert_eq!(
        count(&|device| connected(device) == device.get("lastSeen").is_some()),
        0
    );
    let is_code = |id: &Value| {
        id.as_str()
            .is_some_and(|id| id.starts_with('n') && id.ends_with("CNTRL"))
    };
    assert_eq!(count(&|device| !is_code(&device["nodeId"])), 0);
    assert_eq!(
        count(&|device| (device["os"] == "linux") != device["distro"]["codeName"].is_string()),
        0
    );
    assert!(count(&|device| device["sshEnabled"] == true) >= 3);
    let locks: std::collections::BTreeSet<String> = all
        .iter()
        .map(|device| device["tailnetLockKey"].to_string())
        .collect();
    assert_eq!(locks.len(), 12);
    for person in organisation.users.iter().flatten() {
        for time in ["created", "lastSeen"] {
            let at = person.other.get(time).and_then(Value::as_str);
            assert!(at.is_some_and(|at| at.starts_with("202")), "{time}");
        }
    }
    let users: std::collections::BTreeSet<&str> = all
        .iter()
        .filter(|device| device["isExternal"] == false)
        .filter_map(|device| device["user"].as_str())
        .collect();
    assert_eq!(users.len(), 4);
    let ids: std::collections::BTreeSet<&str> = sandbox
        .state()
        .tailnets
        .iter()
        .flat_map(|(_, tailnet)| &tailnet.devices)
        .map(|device| device.id())
        .collect();
    assert_eq!(ids.len(), 15);
    for words in ["//", "group:", "tagOwners", "tests"] {
        assert!(organisation.acl.contains(words), "{words}");
    }
}

#[test]
fn magic_dns_without_nameservers_is_off_in_a_snapshot_too() {
    let mut service = service();
    let mut state = service::state();
    state["tailnets"]["corp.example"]["dns"] =
        json!({"nameservers": [], "magicDNS": true, "searchPaths": []});
    let options = json!({"apiKey": service::KEY, "state": state.clone()});
    let options = Options::from_json(&options.to_string()).expect("options");
    let mut started = service::Service(Sandbox::new(options, NOW).expect("a sandbox"));
    service
        .0
        .restore_json(&state.to_string())
        .expect("a snapshot");
    for service in [&mut service, &mut started] {
        service
            .get("/api/v2/tailnet/corp.example/dns/preferences")
            .is(json!({"magicDNS": false}));
    }
}

#[test]
fn lists_with_nothing_in_them_may_be_absent() {
    let tailnet = json!({"devices": [], "acl": "{}", "dns": {"nameservers": [], "magicDNS": false, "searchPaths": []},
        "services": [{"name": "svc:wiki", "ports": ["tcp:1"]}], "webhooks": [{"endpointId": "w1", "subscriptions": []}]});
    let made = |lists: &str| {
        let options = json!({"apiKey": service::KEY, "lists": lists, "state": {"tailnets": {"a.example": tailnet}}});
        let options = Options::from_json(&options.to_string());
        options.map(|options| service::Service(Sandbox::new(options, NOW).expect("a sandbox")))
    };
    let mut absent = made("absent").expect("options");
    let webhooks = "/api/v2/tailnet/-/webhooks";
    assert_eq!(
        absent.get(webhooks).json()["webhooks"][0]["endpointId"],
        "w1",
        "there is one"
    );
    absent.delete("/api/v2/webhooks/w1");
    absent.get(webhooks).is(json!({}));
    absent
        .get("/api/v2/tailnet/-/services/svc:wiki/devices")
        .is(json!({}));
    let log = "/api/v2/tailnet/-/logging/configuration?start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z";
    absent
        .get(log)
        .is(json!({"version": "1.1", "tailnetId": "a.example", "logs": null}));
    absent
        .get("/api/v2/tailnet/-/devices")
        .is(json!({"devices": []}));
    let mut empty = made("empty").expect("options");
    empty.delete("/api/v2/webhooks/w1");
    empty.get(webhooks).is(json!({"webhooks": []}));
    assert!(made("none").is_err());
}
