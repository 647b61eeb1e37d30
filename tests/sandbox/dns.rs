//! All DNS settings at once. Must not live here: resolvers of single domains (`dns.http`), nameservers and search paths alone (`perform.rs`).

use crate::service::{T, service};
use serde_json::json;

#[test]
fn all_dns_settings_are_one_state() {
    let mut service = service();
    let all = format!("{T}/dns/configuration");
    let whole = json!({"nameservers": [{"address": "9.9.9.9", "useWithExitNode": true}], "splitDNS": {"corp.example": [{"address": "10.0.0.53"}]},
        "searchPaths": ["corp.example"], "preferences": {"magicDNS": true, "overrideLocalDNS": false}});
    let mut shown = whole.clone();
    shown["preferences"] = json!({"magicDNS": true});
    service.post(&all, &whole).is(shown.clone());
    service.get(&all).is(shown);
    service
        .get(&format!("{T}/dns/nameservers"))
        .is(json!({"dns": ["9.9.9.9"]}));
    service
        .get(&format!("{T}/dns/split-dns"))
        .is(json!({"corp.example": ["10.0.0.53"]}));
    service.post(&format!("{T}/dns/nameservers"), json!({"dns": ["9.9.9.9"]}));
    assert_eq!(
        service.get(&all).json()["nameservers"],
        json!([{"address": "9.9.9.9"}]),
        "the old call cannot say it"
    );
    service
        .post(&all, json!({"preferences": {"magicDNS": true}}))
        .refuses(400, "need at least one nameserver");
    service
        .post(&all, json!({"nameservers": [{"address": "web"}]}))
        .refuses(400, "not an IP address");
    service
        .post(&all, json!({"searchPaths": ["a..b"]}))
        .refuses(400, "search path: ");
    service
        .post(&all, json!({"searchPaths": [], "nameservers": ["1.1.1.1"]}))
        .refuses(
            400,
            "`nameservers` cannot be used: invalid type: string \"1.1.1.1\", expected an object",
        );
    service.post(&all, json!({})).is(json!({"preferences": {}}));
    let state = service.0.state().to_json();
    service.0.restore_json(&state).expect("a snapshot");
    assert_eq!(service.0.state().to_json(), state);
}
