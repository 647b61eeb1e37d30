//! Random sequences of calls against a simple model of the service's state: after each call the answer, and in the end the
//! whole state, must be the model's. Must not live here: single cases (`perform.rs`).

use std::collections::BTreeMap;
use std::thread;

use crate::service::{POLICY, Service, service};
use proptest::prelude::*;
use serde_json::{Value, json};

const TAILNETS: [&str; 3] = ["corp.example", "alice@gmail.com", "other.example"];
const DEVICES: [&str; 5] = ["laptop", "web", "shared", "phone", "foreign"];
const TEXTS: [&str; 4] = [
    "{}",
    "// one\n{\"acls\": [],}",
    "{\"acls\": []}",
    "{\"broken\": ",
];
const ROUTES: [&str; 4] = ["10.0.0.0/8", "192.168.1.0/24", "fd00::/64", "10.0.0.1/8"];
const SERVERS: [&str; 3] = ["1.1.1.1", "2606:4700::1111", "nonsense"];

/// The condition of a write.
#[derive(Clone, Copy, Debug)]
enum Condition {
    None,
    Any,
    Current,
    Stale,
    NeverChanged,
}

#[derive(Clone, Debug)]
enum Call {
    GetDevice(usize),
    ListDevices(usize),
    DeleteDevice(usize),
    SetRoutes(usize, Vec<usize>),
    GetAcl(usize),
    SetAcl(usize, usize, Condition),
    SetNameservers(usize, Vec<usize>),
    SetMagicDns(usize, bool),
    GetDns(usize),
    SetSearchPaths(usize, Vec<u8>),
    SaveAndRestore,
}

fn call() -> impl Strategy<Value = Call> {
    let tailnet = || 0..TAILNETS.len();
    let device = || 0..DEVICES.len();
    let condition = prop_oneof![
        Just(Condition::None),
        Just(Condition::Any),
        Just(Condition::Current),
        Just(Condition::Stale),
        Just(Condition::NeverChanged)
    ];
    prop_oneof![
        4 => device().prop_map(Call::GetDevice),
        2 => tailnet().prop_map(Call::ListDevices),
        1 => device().prop_map(Call::DeleteDevice),
        4 => (device(), prop::collection::vec(0..ROUTES.len(), 0..4)).prop_map(|(id, list)| Call::SetRoutes(id, list)),
        3 => tailnet().prop_map(Call::GetAcl),
        6 => (tailnet(), 0..TEXTS.len(), condition).prop_map(|(name, text, condition)| Call::SetAcl(name, text, condition)),
        4 => (tailnet(), prop::collection::vec(0..SERVERS.len(), 0..3)).prop_map(|(name, list)| Call::SetNameservers(name, list)),
        4 => (tailnet(), any::<bool>()).prop_map(|(name, on)| Call::SetMagicDns(name, on)),
        3 => tailnet().prop_map(Call::GetDns),
        2 => (tailnet(), prop::collection::vec(0..9_u8, 0..3)).prop_map(|(name, list)| Call::SetSearchPaths(name, list)),
        1 => Just(Call::SaveAndRestore),
    ]
}

/// The state of one tailnet.
struct Net {
    devices: Vec<(&'static str, Vec<String>)>,
    acl: String,
    changed: bool,
    nameservers: Vec<String>,
    magic_dns: bool,
    search_paths: Vec<String>,
}

struct Model {
    nets: BTreeMap<&'static str, Net>,
    /// The ETag seen with each text.
    tags: BTreeMap<String, String>,
}

impl Model {
    fn new() -> Model {
        let net = |devices: &[&'static str], acl: &str, dns: &[&str]| Net {
            devices: devices.iter().map(|id| (*id, Vec::new())).collect(),
            acl: acl.to_owned(),
            changed: false,
            nameservers: owned(dns),
            magic_dns: !dns.is_empty(),
            search_paths: if dns.is_empty() {
                Vec::new()
            } else {
                vec!["corp.example".to_owned()]
            },
        };
        let nets = [
            (
                "corp.example",
                net(&["laptop", "web", "shared"], POLICY, &["1.1.1.1"]),
            ),
            ("alice@gmail.com", net(&["phone"], "{}", &[])),
            ("other.example", net(&["foreign"], "{}", &["1.1.1.1"])),
        ];
        Model {
            nets: nets.into(),
            tags: BTreeMap::new(),
        }
    }

    /// A tailnet that the key opens.
    fn open(&mut self, tailnet: usize) -> Option<&mut Net> {
        let name = TAILNETS[tailnet];
        (name != "other.example").then(|| self.nets.get_mut(name).expect("a tailnet"))
    }

    /// The routes of a device in a tailnet that the key opens.
    fn device(&mut self, device: usize) -> Option<&mut Vec<String>> {
        let nets = self
            .nets
            .iter_mut()
            .filter(|(name, _)| **name != "other.example");
        let mut devices = nets.flat_map(|(_, net)| &mut net.devices);
        devices
            .find(|(id, _)| *id == DEVICES[device])
            .map(|(_, routes)| routes)
    }

    fn perform(&mut self, call: &Call, service: &mut Service) {
        match call {
            Call::GetDevice(device) => {
                let answer = service.get(&format!("/api/v2/device/{}/routes", DEVICES[*device]));
                match self.device(*device) {
                    Some(routes) => assert_eq!(answer.json()["enabledRoutes"], json!(routes)),
                    None => answer.refuses(404, DEVICES[*device]),
                }
            }
            Call::ListDevices(tailnet) => {
                let answer =
                    service.get(&format!("/api/v2/tailnet/{}/devices", TAILNETS[*tailnet]));
                match self.open(*tailnet) {
                    Some(net) => assert_eq!(
                        ids(&answer.json()),
                        net.devices.iter().map(|(id, _)| *id).collect::<Vec<_>>()
                    ),
                    None => answer.refuses(404, TAILNETS[*tailnet]),
                }
            }
            Call::DeleteDevice(device) => self.delete(DEVICES[*device], service),
            Call::SetRoutes(device, list) => {
                self.set_routes(*device, &pick(&ROUTES, list), service)
            }
            Call::GetAcl(tailnet) => self.get_acl(*tailnet, service),
            Call::SetAcl(tailnet, text, condition) => {
                self.set_acl(*tailnet, TEXTS[*text], *condition, service)
            }
            Call::SetNameservers(tailnet, list) => {
                self.set_nameservers(*tailnet, pick(&SERVERS, list), service)
            }
            Call::SetMagicDns(tailnet, on) => self.set_magic_dns(*tailnet, *on, service),
            Call::GetDns(tailnet) => self.get_dns(*tailnet, service),
            Call::SetSearchPaths(tailnet, list) => {
                let paths: Vec<String> = list
                    .iter()
                    .map(|number| format!("p{number}.example"))
                    .collect();
                let answer =
                    service.post(&dns(*tailnet, "searchpaths"), json!({"searchPaths": paths}));
                match self.open(*tailnet) {
                    Some(net) => {
                        answer.is(json!({"searchPaths": paths}));
                        net.search_paths = paths;
                    }
                    None => answer.refuses(404, TAILNETS[*tailnet]),
                }
            }
            Call::SaveAndRestore => {
                let saved = service.0.state().to_json();
                service.0.restore_json(&saved).expect("a snapshot");
                assert_eq!(service.0.state().to_json(), saved);
            }
        }
    }

    fn delete(&mut self, id: &str, service: &mut Service) {
        let answer = service.delete(&format!("/api/v2/device/{id}"));
        let home = self
            .nets
            .iter_mut()
            .find(|(_, net)| net.devices.iter().any(|(known, _)| *known == id));
        match home {
            None => answer.refuses(404, id),
            Some((name, _)) if *name == "other.example" || id == "shared" => {
                answer.refuses(501, "outside")
            }
            Some((_, net)) => {
                assert_eq!((answer.0.status, answer.text()), (200, ""));
                net.devices.retain(|(known, _)| *known != id);
            }
        }
    }

    fn set_routes(&mut self, device: usize, wanted: &[String], service: &mut Service) {
        let answer = service.post(
            &format!("/api/v2/device/{}/routes", DEVICES[device]),
            json!({"routes": wanted}),
        );
        match self.device(device) {
            None => answer.refuses(404, DEVICES[device]),
            Some(_) if wanted.iter().any(|route| route == "10.0.0.1/8") => {
                answer.refuses(400, "10.0.0.1/8")
            }
            Some(routes) => {
                // A set in the order of `ROUTES`, which is that of their addresses.
                let known = ROUTES.map(str::to_owned).into_iter();
                let wanted: Vec<String> = known.filter(|route| wanted.contains(route)).collect();
                answer.is(json!({"advertisedRoutes": ["10.0.0.0/16"], "enabledRoutes": wanted}));
                *routes = wanted;
            }
        }
    }

    fn get_acl(&mut self, tailnet: usize, service: &mut Service) {
        let answer = service.get(&acl(tailnet));
        let Some(net) = self.open(tailnet) else {
            answer.refuses(404, TAILNETS[tailnet]);
            return;
        };
        let text = net.acl.clone();
        assert_eq!((answer.0.status, answer.text()), (200, text.as_str()));
        let known = self.tags.entry(text).or_insert_with(|| answer.etag());
        assert_eq!(*known, answer.etag(), "one text, two tags");
        let distinct: std::collections::BTreeSet<&String> = self.tags.values().collect();
        assert_eq!(distinct.len(), self.tags.len(), "two texts, one tag");
    }

    fn set_acl(&mut self, tailnet: usize, text: &str, condition: Condition, service: &mut Service) {
        let current = service
            .get(&acl(tailnet))
            .header("etag")
            .unwrap_or("\"none\"")
            .to_owned();
        let header: Option<&str> = match condition {
            Condition::None => None,
            Condition::Any => Some("*"),
            Condition::Current => Some(&current),
            Condition::Stale => Some("\"stale\""),
            Condition::NeverChanged => Some("\"ts-default\""),
        };
        let headers: Vec<(&str, &str)> = header
            .into_iter()
            .map(|value| ("if-match", value))
            .collect();
        let answer = service.ask("POST", &acl(tailnet), &headers, text);
        let Some(net) = self.open(tailnet) else {
            answer.refuses(404, TAILNETS[tailnet]);
            return;
        };
        let allowed = match condition {
            Condition::Stale => false,
            Condition::NeverChanged => !net.changed,
            Condition::None | Condition::Any | Condition::Current => true,
        };
        if !allowed {
            answer.refuses(412, "");
        } else if text.starts_with("{\"broken\"") {
            answer.refuses(400, "hujson: line 1, column");
        } else {
            assert_eq!((answer.0.status, answer.text()), (200, text));
            (net.acl, net.changed) = (text.to_owned(), true);
        }
    }

    fn set_nameservers(&mut self, tailnet: usize, wanted: Vec<String>, service: &mut Service) {
        let answer = service.post(&dns(tailnet, "nameservers"), json!({"dns": wanted}));
        match self.open(tailnet) {
            None => answer.refuses(404, TAILNETS[tailnet]),
            Some(_) if wanted.iter().any(|server| server == "nonsense") => {
                answer.refuses(400, "nonsense")
            }
            Some(net) => {
                net.magic_dns &= !wanted.is_empty();
                answer.is(json!({"dns": wanted, "magicDNS": net.magic_dns}));
                net.nameservers = wanted;
            }
        }
    }

    fn set_magic_dns(&mut self, tailnet: usize, on: bool, service: &mut Service) {
        let answer = service.post(&dns(tailnet, "preferences"), json!({"magicDNS": on}));
        match self.open(tailnet) {
            None => answer.refuses(404, TAILNETS[tailnet]),
            Some(net) if on && net.nameservers.is_empty() => answer.refuses(400, "nameserver"),
            Some(net) => {
                answer.is(json!({"magicDNS": on}));
                net.magic_dns = on;
            }
        }
    }

    fn get_dns(&mut self, tailnet: usize, service: &mut Service) {
        let all = ["nameservers", "preferences", "searchpaths"]
            .map(|path| service.get(&dns(tailnet, path)));
        let Some(net) = self.open(tailnet) else {
            all.iter()
                .for_each(|answer| answer.refuses(404, TAILNETS[tailnet]));
            return;
        };
        let [nameservers, preferences, search_paths] = all;
        nameservers.is(json!({"dns": net.nameservers}));
        preferences.is(json!({"magicDNS": net.magic_dns}));
        search_paths.is(json!({"searchPaths": net.search_paths}));
    }

    fn agrees_with(&self, state: &Value) {
        for (name, net) in &self.nets {
            let saved = &state["tailnets"][*name];
            let dns = json!({"nameservers": net.nameservers, "magicDNS": net.magic_dns, "searchPaths": net.search_paths});
            assert_eq!(
                (&saved["acl"], &saved["dns"]),
                (&json!(net.acl), &dns),
                "{name}"
            );
            assert_eq!(
                ids(saved),
                net.devices.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
                "{name}"
            );
        }
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn pick(words: &[&str], places: &[usize]) -> Vec<String> {
    places
        .iter()
        .map(|place| words[*place].to_owned())
        .collect()
}

fn acl(tailnet: usize) -> String {
    format!("/api/v2/tailnet/{}/acl", TAILNETS[tailnet])
}

fn dns(tailnet: usize, path: &str) -> String {
    format!("/api/v2/tailnet/{}/dns/{path}", TAILNETS[tailnet])
}

fn ids(with_devices: &Value) -> Vec<&str> {
    let devices = with_devices["devices"].as_array().expect("a list");
    devices
        .iter()
        .filter_map(|device| device["id"].as_str())
        .collect()
}

fn follows_the_model(calls: &[Call]) {
    let (mut model, mut service) = (Model::new(), service());
    for call in calls {
        model.perform(call, &mut service);
    }
    model.agrees_with(&serde_json::from_str(&service.0.state().to_json()).expect("JSON"));
}

proptest! {
    // A failing case prints its calls, shrunk, and the seed that brings it back.
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn short_sequences_follow_the_model(calls in prop::collection::vec(call(), 0..120)) {
        follows_the_model(&calls);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    // Each takes as long as all other tests of the room together, so they run beside each other.
    #[test]
    fn ten_thousand_calls_follow_the_model(courses in prop::array::uniform3(prop::collection::vec(call(), 10_000))) {
        thread::scope(|scope| courses.iter().for_each(|calls| drop(scope.spawn(|| follows_the_model(calls)))));
    }
}
