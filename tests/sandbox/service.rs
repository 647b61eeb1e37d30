//! A sandbox to call, and its answers. Must not live here: tests.

use serde_json::{Value, json};
use tailnet_kit::api::{ApiKey, Headers, Method, Request, Response};
use tailnet_kit::sandbox::{Options, Sandbox};

/// The time of every test: 2026-01-02T03:04:05Z.
pub const NOW: i64 = 1_767_323_045_000;
pub const KEY: &str = "tskey-test";

/// The tailnet of the tests.
pub const T: &str = "/api/v2/tailnet/corp.example";

/// The policy of [`state`]: comments, both spellings of nothing, a test.
pub const POLICY: &str = r#"{
	// Who belongs together.
	"groups": {"group:dev": ["ann@corp.example"]},
	"hosts": {"web": "100.64.0.2"},
	"acls": [
		{"action": "accept", "src": ["group:dev"], "dst": ["web:80,443"]},
	],
}
"#;

/// A sandbox and calls of it.
pub struct Service(pub Sandbox);

/// An answer with its body as JSON and as text.
pub struct Answer(pub Response);

/// Two tailnets that the key opens, one that it does not, a shared device.
pub fn state() -> Value {
    let device = |id: &str, user: &str, address: &str| {
        json!({"id": id, "user": user, "name": format!("{id}.corp.example"), "hostname": id, "addresses": [address],
            "created": "2025-01-01T00:00:00Z", "lastSeen": "2025-12-31T00:00:00+00:00", "expires": "2026-06-01T00:00:00Z",
            "isExternal": false, "authorized": true, "advertisedRoutes": ["10.0.0.0/16"], "enabledRoutes": [],
            "clientConnectivity": {"endpoints": ["203.0.113.7:41641"], "derp": "", "latency": {}}})
    };
    let mut shared = device("shared", "eve@partner.example", "100.64.0.9");
    shared["isExternal"] = json!(true);
    let dns =
        json!({"nameservers": ["1.1.1.1"], "magicDNS": true, "searchPaths": ["corp.example"]});
    json!({"tailnets": {
        "corp.example": {
            "devices": [device("laptop", "ann@corp.example", "100.64.0.1"), device("web", "bob@corp.example", "100.64.0.2"), shared],
            "acl": POLICY,
            "dns": dns,
            "users": [{"loginName": "ann@corp.example", "role": "owner"}, {"loginName": "bob@corp.example", "id": "u1"}],
            "postureIntegrations": [{"id": "p1", "provider": "kandji", "cloudId": "https://acme.example", "clientSecret": "hidden"}],
            "services": [{"name": "svc:wiki", "addrs": ["100.90.1.2", "fd7a:115c:a1e0::1a:102"], "ports": ["tcp:443"]}],
            "serviceHosts": {"svc:wiki": [{"stableNodeID": "web", "approvalLevel": "approved:auto", "configured": "ready"}]},
            "webhooks": [{"endpointId": "w1", "endpointUrl": "https://a.example", "providerType": "", "creatorLoginName": "", "subscriptions": ["nodeSigned"], "secret": "s"}],
            "contacts": {"security": {"email": "old@corp.example", "needsVerification": true}},
            "keys": [{"id": "k1", "keyType": "client", "scopes": ["dns", "auth_keys"], "tags": ["tag:ci", "tag:web"], "secret": "tskey-client-k1-x"}],
        },
        "alice@gmail.com": {
            "devices": [device("phone", "alice@gmail.com", "100.64.1.1")],
            "acl": "{}",
            "dns": {"nameservers": [], "magicDNS": false, "searchPaths": []},
        },
        "other.example": {"devices": [device("foreign", "zoe@other.example", "100.64.2.1")], "acl": "{}", "dns": dns},
    }})
}

pub fn service() -> Service {
    let options =
        json!({"tailnet": ["corp.example", "alice@gmail.com"], "apiKey": KEY, "state": state()});
    Service(
        Sandbox::new(
            Options::from_json(&options.to_string()).expect("options"),
            NOW,
        )
        .expect("a sandbox"),
    )
}

impl Service {
    pub fn get(&mut self, target: &str) -> Answer {
        self.ask("GET", target, &[], "")
    }

    pub fn post(&mut self, target: &str, body: impl ToString) -> Answer {
        self.ask("POST", target, &[], &body.to_string())
    }

    pub fn delete(&mut self, target: &str) -> Answer {
        self.ask("DELETE", target, &[], "")
    }

    /// Asks the token endpoint, which takes no key.
    pub fn token(&mut self, form: &str) -> Answer {
        self.ask_plainly("POST", "/api/v2/oauth/token", &[], form)
    }

    /// With the right key.
    pub fn ask(
        &mut self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let key = ApiKey::new(KEY).expect("a key").to_basic();
        let all: Vec<(&str, &str)> = headers
            .iter()
            .copied()
            .chain([("authorization", key.as_str())])
            .collect();
        self.ask_plainly(method, target, &all, body)
    }

    /// With a token.
    pub fn with(&mut self, token: &str, method: &str, target: &str, body: &str) -> Answer {
        let bearer = ApiKey::new(token).expect("a token").to_bearer();
        self.ask_plainly(method, target, &[("authorization", &bearer)], body)
    }

    /// With these headers and no others.
    pub fn ask_plainly(
        &mut self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        self.ask_at(NOW, method, target, headers, body)
    }

    /// With these headers and no others, at another time.
    pub fn ask_at(
        &mut self,
        now: i64,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut request = Request::new(Method::parse(method).expect("a method"), target);
        let mut fields = Headers::new();
        headers
            .iter()
            .for_each(|(name, value)| fields.append(name, *value));
        request.headers = fields;
        request.body = body.as_bytes().to_vec();
        Answer(self.0.handle(&request, now))
    }
}

impl Answer {
    pub fn text(&self) -> &str {
        str::from_utf8(&self.0.body).expect("UTF-8")
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(self.text())
            .unwrap_or_else(|error| panic!("no JSON ({error}): {}", self.text()))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.0.headers.get(name)
    }

    pub fn etag(&self) -> String {
        self.header("etag").expect("an ETag").to_owned()
    }

    /// A success with this JSON body.
    #[track_caller]
    pub fn is(&self, body: Value) {
        assert_eq!((self.0.status, self.json()), (200, body));
        assert_eq!(self.header("content-type"), Some("application/json"));
    }

    /// A refusal with this status, whose message has these words in it.
    #[track_caller]
    pub fn refuses(&self, status: u16, words: &str) {
        let message = self.json()["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert_eq!(self.0.status, status, "{message}");
        assert!(message.contains(words), "`{words}` is not in `{message}`");
        assert_eq!(self.header("content-type"), Some("application/json"));
    }
}

/// An independent oracle: Base64 by RFC 4648, bit by bit.
pub fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<u8> = text
        .bytes()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .collect();
    let sextet = |bits: &[u8]| {
        (0..6).fold(0, |value, place| {
            value << 1 | usize::from(bits.get(place).copied().unwrap_or(0))
        })
    };
    let mut encoded: String = bits
        .chunks(6)
        .map(|bits| char::from(ALPHABET[sextet(bits)]))
        .collect();
    while !encoded.len().is_multiple_of(4) {
        encoded.push('=');
    }
    encoded
}
