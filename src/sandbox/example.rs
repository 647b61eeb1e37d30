//! The tailnets a sandbox starts with: small, realistic, worth looking at in a dashboard.
//!
//! Lives here: their devices, users, DNS settings and policies. Must not live here: how any of it is served.

use serde_json::{Map, Value};

use super::clock::{self, DAY, HOUR, MINUTE};
use super::device::Device;
use super::dns_state::Dns;
use super::state::{Person, Tailnet};

const ORGANISATION: &str = include_str!("example/organisation.hujson");
const PERSONAL: &str = include_str!("example/personal.hujson");

/// The domain in the organisation's policy.
const DOMAIN: &str = "example.com";

/// One device in brief. Everything else follows from its place in the list and the name of its tailnet.
#[derive(Clone, Copy)]
struct Sketch {
    hostname: &'static str,
    /// The user, the part before the `@`.
    owner: &'static str,
    os: &'static str,
    tags: &'static [&'static str],
    advertised: &'static [&'static str],
    enabled: &'static [&'static str],
    /// Milliseconds since it was last seen.
    seen: i64,
    trait_: Trait,
}

/// What is special about a device.
#[derive(Clone, Copy, PartialEq)]
enum Trait {
    Ordinary,
    /// Waits for an admin.
    Unauthorized,
    /// Runs an old version of the client.
    Outdated,
    /// Belongs to another tailnet and was shared in.
    External,
}

impl Sketch {
    /// Seen a few minutes ago is here now, if it may connect at all.
    fn is_connected(&self) -> bool {
        self.seen < 3 * MINUTE && self.trait_ != Trait::Unauthorized
    }
}

const fn personal_device(
    hostname: &'static str,
    owner: &'static str,
    os: &'static str,
    seen: i64,
) -> Sketch {
    let (tags, advertised, enabled) = (&[], &[], &[]);
    Sketch {
        hostname,
        owner,
        os,
        tags,
        advertised,
        enabled,
        seen,
        trait_: Trait::Ordinary,
    }
}

const fn server(hostname: &'static str, tags: &'static [&'static str]) -> Sketch {
    Sketch {
        tags,
        ..personal_device(hostname, "bob", "linux", MINUTE)
    }
}

const ORGANISATION_DEVICES: &[Sketch] = &[
    personal_device("alice-laptop", "alice", "macOS", 2 * MINUTE),
    personal_device("alice-phone", "alice", "iOS", 41 * MINUTE),
    personal_device("bob-workstation", "bob", "linux", MINUTE),
    Sketch {
        trait_: Trait::Outdated,
        ..personal_device("bob-laptop", "bob", "windows", 9 * DAY)
    },
    personal_device("carol-laptop", "carol", "macOS", 3 * MINUTE),
    Sketch {
        trait_: Trait::Unauthorized,
        ..personal_device("dave-desktop", "dave", "windows", 5 * HOUR)
    },
    server("web-1", &["tag:web"]),
    server("web-2", &["tag:web"]),
    server("db-1", &["tag:db"]),
    Sketch {
        advertised: &["192.168.10.0/24", "192.168.20.0/24"],
        enabled: &["192.168.10.0/24", "10.20.0.0/16"],
        ..server("office-router", &["tag:router"])
    },
    Sketch {
        advertised: &["0.0.0.0/0", "::/0"],
        enabled: &["0.0.0.0/0", "::/0"],
        ..server("exit-fra", &["tag:exit"])
    },
    Sketch {
        trait_: Trait::External,
        ..personal_device("build-box", "erin", "linux", 6 * MINUTE)
    },
];

const PERSONAL_DEVICES: &[Sketch] = &[
    personal_device("laptop", "", "macOS", 4 * MINUTE),
    personal_device("phone", "", "android", 17 * MINUTE),
    Sketch {
        advertised: &["192.168.1.0/24"],
        ..personal_device("home-server", "", "linux", MINUTE)
    },
];

/// A tailnet as it might have grown until `now`, milliseconds since 1970. A name with an `@` is a personal tailnet,
/// any other an organisation with four users and twelve devices. The same name and time give the same tailnet.
pub fn tailnet(name: &str, now: i64) -> Tailnet {
    if name.contains('@') {
        personal(name, now)
    } else {
        organisation(name, now)
    }
}

fn organisation(domain: &str, now: i64) -> Tailnet {
    let user = |name: &str, role: &str| known(format!("{name}@{domain}"), role, now);
    Tailnet {
        devices: devices(ORGANISATION_DEVICES, domain, now, |sketch| {
            match sketch.trait_ {
                Trait::External => format!("{}@partner.example", sketch.owner),
                _ => format!("{}@{domain}", sketch.owner),
            }
        }),
        acl: ORGANISATION.replace(DOMAIN, domain),
        acl_changed: false,
        dns: Dns::new(
            vec!["1.1.1.1".to_owned(), "192.168.10.53".to_owned()],
            true,
            vec![format!("intranet.{domain}")],
        ),
        users: Some(vec![
            user("alice", "owner"),
            user("bob", "admin"),
            user("carol", "member"),
            user("dave", "member"),
        ]),
        ..Tailnet::default()
    }
}

fn personal(login: &str, now: i64) -> Tailnet {
    Tailnet {
        devices: devices(PERSONAL_DEVICES, login, now, |_| login.to_owned()),
        acl: PERSONAL.to_owned(),
        acl_changed: false,
        dns: Dns::default(),
        users: Some(vec![known(login.to_owned(), "owner", now)]),
        ..Tailnet::default()
    }
}

/// A user who has been here for two years, and was within the last days.
fn known(login: String, role: &str, now: i64) -> Person {
    let days = (hash(login.as_bytes()) % 60) as i64;
    let mut other = Map::new();
    for (name, at) in [
        ("created", now - (700 + days) * DAY),
        ("lastSeen", now - days % 4 * HOUR - 2 * MINUTE),
    ] {
        other.insert(name.to_owned(), text(clock::utc(at)));
    }
    Person {
        login_name: login,
        role: Some(role.to_owned()),
        other,
    }
}

fn devices(
    sketches: &[Sketch],
    tailnet: &str,
    now: i64,
    user: impl Fn(&Sketch) -> String,
) -> Vec<Device> {
    let build = |(place, sketch)| device(sketch, place, tailnet, &user(sketch), now);
    let built = (1_u64..).zip(sketches).map(build);
    // INVARIANT: `device` writes an id and lists of strings, so no device is left out here.
    built
        .filter_map(|fields| serde_json::from_value(fields).ok())
        .collect()
}

/// `place` counts from 1.
fn device(sketch: &Sketch, place: u64, tailnet: &str, user: &str, now: i64) -> Value {
    let seed = hash(tailnet.as_bytes());
    let [a, b, c, d] = [seed, seed >> 8, seed >> 16, seed >> 24].map(|part| part as u8);
    let v4 = format!("100.{}.{}.{}", 64 + a % 32, b, 10 + place);
    let v6 = format!(
        "fd7a:115c:a1e0::{:x}:{:x}",
        u16::from_be_bytes([1 + c % 254, d]),
        10 + place
    );
    let outdated = sketch.trait_ == Trait::Outdated;
    let version = if outdated { "1.78.1" } else { "1.90.6" };
    let created = now - (400 - 20 * place as i64) * DAY - 3 * HOUR;
    let id = 10_000_000 * (1 + (seed as u64) % 8_000_000_000) + 1_013 * place;
    let flag = Value::Bool;
    let mut fields = vec![
        ("addresses", list(&[&v4, &v6])),
        ("id", text(id.to_string())),
        ("nodeId", text(code('n', tailnet, sketch.hostname))),
        ("user", text(user)),
        (
            "name",
            text(format!("{}.{}", sketch.hostname, tailnet.replace('@', "."))),
        ),
        ("hostname", text(sketch.hostname)),
        ("clientVersion", text(version)),
        ("updateAvailable", flag(outdated)),
        ("os", text(sketch.os)),
        ("created", text(clock::utc(created))),
        ("connectedToControl", flag(sketch.is_connected())),
        ("isEphemeral", flag(false)),
        ("tailnetLockError", text("")),
        ("tailnetLockKey", text(key("nlpub", tailnet, sketch))),
        ("keyExpiryDisabled", flag(!sketch.tags.is_empty())),
        (
            "expires",
            text(clock::utc(now + (30 + 12 * place as i64) * DAY)),
        ),
        ("authorized", flag(sketch.trait_ != Trait::Unauthorized)),
        ("isExternal", flag(sketch.trait_ == Trait::External)),
        ("machineKey", text(key("mkey", tailnet, sketch))),
        ("nodeKey", text(key("nodekey", tailnet, sketch))),
        ("blocksIncomingConnections", flag(sketch.os == "iOS")),
        ("enabledRoutes", list(sketch.enabled)),
        ("advertisedRoutes", list(sketch.advertised)),
        ("clientConnectivity", connectivity(place)),
    ];
    if !sketch.is_connected() {
        let seen = clock::utc_with_offset(now - sketch.seen);
        fields.push(("lastSeen", text(seen)));
    }
    if sketch.os == "linux" {
        fields.push(("distro", distro(place)));
        fields.push(("sshEnabled", flag(!sketch.tags.is_empty())));
    }
    if !sketch.tags.is_empty() {
        fields.push(("tags", list(sketch.tags)));
    }
    object(fields)
}

fn text(text: impl Into<String>) -> Value {
    Value::String(text.into())
}

fn list(texts: &[&str]) -> Value {
    texts.iter().map(|item| text(*item)).collect()
}

fn object(fields: Vec<(&str, Value)>) -> Value {
    let mut object = Map::new();
    for (name, value) in fields {
        object.insert(name.to_owned(), value);
    }
    Value::Object(object)
}

/// FNV-1a with 128 bits: equal texts give equal numbers on every platform and in every run.
pub(super) fn hash(bytes: &[u8]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let step = |hash: u128, byte: &u8| (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
    bytes.iter().fold(BASIS, step)
}

/// A public key that belongs to nothing: 32 bytes in hexadecimal.
fn key(kind: &str, tailnet: &str, sketch: &Sketch) -> String {
    let half = |salt: &str| hash(format!("{salt} {kind} {tailnet} {}", sketch.hostname).as_bytes());
    format!("{kind}:{:032x}{:032x}", half("first"), half("second"))
}

/// An opaque id as newer answers have it.
fn code(kind: char, tailnet: &str, name: &str) -> String {
    const ALPHABET: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut rest = hash(format!("{kind} {tailnet} {name}").as_bytes());
    let mut code = String::from(kind);
    for _ in 0..11 {
        let place = (rest % ALPHABET.len() as u128) as usize;
        rest /= ALPHABET.len() as u128;
        code.extend(ALPHABET.get(place).copied().map(char::from));
    }
    code + "CNTRL"
}

fn distro(place: u64) -> Value {
    let [name, version, code_name] = match place.is_multiple_of(2) {
        true => ["debian", "12", "bookworm"],
        false => ["ubuntu", "24.04", "noble"],
    };
    object(vec![
        ("name", text(name)),
        ("version", text(version)),
        ("codeName", text(code_name)),
    ])
}

/// 203.0.113.0/24 is set aside for examples (RFC 5737).
fn connectivity(place: u64) -> Value {
    let public = format!("203.0.113.{place}:41641");
    let private = format!("192.168.10.{}:41641", 20 + place);
    let near = vec![
        ("latencyMs", Value::from(11.5 + place as f64)),
        ("preferred", Value::Bool(true)),
    ];
    let far = vec![("latencyMs", Value::from(92.25 + place as f64))];
    let supports = vec![
        ("hairPinning", Value::Bool(false)),
        ("ipv6", Value::Bool(!place.is_multiple_of(3))),
        ("pcp", Value::Bool(false)),
        ("pmp", Value::Bool(false)),
        ("udp", Value::Bool(true)),
        ("upnp", Value::Bool(place.is_multiple_of(2))),
    ];
    object(vec![
        ("endpoints", list(&[&public, &private])),
        ("derp", text("")),
        (
            "mappingVariesByDestIP",
            Value::Bool(place.is_multiple_of(4)),
        ),
        (
            "latency",
            object(vec![
                ("Frankfurt", object(near)),
                ("New York City", object(far)),
            ]),
        ),
        ("clientSupports", object(supports)),
    ])
}
