//! The gateway's decisions: what is let through to the service, in which form, and what comes back. The sender adds
//! the key.
//!
//! Of what a caller writes, only the body reaches the service as it is: the target is rebuilt from the service's table of routes, for the
//! one tailnet of the gateway, with known parameters only; three of the headers are passed on.
//!
//! ```
//! use tailnet_kit::api::Headers;
//! use tailnet_kit::gateway::{Decision, Gateway};
//!
//! let options = r#"{"baseURL": "https://api.example.com", "tailnet": "example.com", "prefix": "/gate"}"#;
//! let gateway = Gateway::read(options, |url| Ok(url.to_owned()))?;
//! let decided = |method, path: &str| gateway.decide(method, &format!("https://edge.example.com/gate/api/v2{path}"), Headers::new());
//! assert!(matches!(decided("GET", "/tailnet/-/devices"), Decision::Admission(_)));
//! assert!(matches!(decided("DELETE", "/device/1"), Decision::Refusal(_)));
//! # Ok::<(), tailnet_kit::api::Error>(())
//! ```
// Must not live here: sending, waiting, who may call; what an operation's name stands for (`allow`), the words of refusals (`denial`), what is done
// in which order (`passage`), where things of a tailnet are listed (`member`), whose operations there are (`service`), in which spellings a key may hide (`secret`).

mod allow;
mod denial;
mod event;
mod member;
mod passage;
mod secret;
mod service;

use std::time::Duration;

pub use self::denial::{Denial, MAX_BODY};
pub use self::event::Event;
pub use self::member::{Member, Members};
pub use self::passage::{Passage, Step};
use self::secret::Spellings;
use self::service::Found;
pub use self::service::{Asked, Service};
use crate::api::given::{self, Object};
use crate::api::{
    ApiKey, Error, Headers, Method, PathStyle, Request, Response, Scope, TailnetName, headers, uri,
};
use crate::tables::find;

/// Headers of a request that the service needs to see.
const FORTH: [&str; 3] = [headers::ACCEPT, headers::CONTENT_TYPE, headers::IF_MATCH];

/// Headers of an answer that a caller needs to see.
const BACK: [&str; 4] = [
    headers::CONTENT_TYPE,
    headers::ETAG,
    headers::RETRY_AFTER,
    headers::REQUEST_ID[0],
];

/// The known options. An unknown one is probably misspelt, and may have been meant to restrict something.
const OPTIONS: [&str; 10] = [
    "allow",
    "authorize",
    "authorizeTimeout",
    "baseURL",
    "fetch",
    "maxResponseBytes",
    "origins",
    "prefix",
    "service",
    "tailnet",
];

/// The default time limit of `authorize`.
const AUTHORIZE_TIMEOUT: Duration = Duration::from_secs(10);
/// The default limit of an answer: 64 MiB.
const MAX_RESPONSE_BYTES: u64 = 64 << 20;

/// The name `-`, which means the gateway's tailnet, whatever that is called.
const OWN_TAILNET: &str = "-";

/// What a gateway lets through, and where to.
#[derive(Clone, Debug)]
pub struct Gateway {
    /// The base URL of the service.
    pub base_url: String,
    /// The time limit of `authorize`; `None` for no limit.
    pub authorize_timeout: Option<Duration>,
    /// The longest answer of the service that is read, in bytes.
    pub max_response_bytes: u64,
    service: Service,
    tailnet: TailnetName,
    allow: Vec<Asked>,
    origins: Vec<String>,
    prefix: String,
}

/// A request that may be sent, once its caller is authorized and what it names is found in the tailnet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// The operation.
    pub operation: Asked,
    /// What must be looked up in the tailnet first.
    pub member: Option<Member>,
    /// What to send, without body and key; its target is a whole URL.
    pub request: Request,
}

/// What to do with a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Answer at once, before `authorize`.
    Preflight(Response),
    /// Answer at once, after `authorize`.
    Refusal(Response),
    /// Send it.
    Admission(Admission),
}

impl Gateway {
    /// Reads the options. `base_url` checks a base URL and returns it in the form that paths are appended to.
    ///
    /// # Errors
    /// [`Error::Argument`] naming the option that cannot be used.
    pub fn read(
        text: &str,
        base_url: impl FnOnce(&str) -> Result<String, Error>,
    ) -> Result<Gateway, Error> {
        let document = given::read(text)?;
        let given = Object::required(document.root(), "options")?;
        if let Some((name, _)) = given.members().find(|(name, _)| !OPTIONS.contains(name)) {
            let reason = "is no option of a gateway";
            return Err(Error::argument(name.to_owned(), reason));
        }
        for name in ["authorize", "fetch"] {
            given.function(name)?;
        }
        let list = |name| given.given(name).map(|_| given.texts(name)).transpose();
        let service = Service::read(given.text("service")?)?;
        let usual = || allow::usual(service).map(str::to_owned).to_vec();
        let mut allow = Vec::new();
        for name in list("allow")?.unwrap_or_else(usual) {
            allow.extend(allow::named(service, &name)?);
        }
        let limit = given.count("maxResponseBytes")?;
        let patience = given.time("authorizeTimeout")?;
        let origins = list("origins")?.unwrap_or_default().into_iter().map(origin);
        Ok(Gateway {
            base_url: base_url(given.text("baseURL")?.unwrap_or_default())?,
            authorize_timeout: patience.unwrap_or(Some(AUTHORIZE_TIMEOUT)),
            max_response_bytes: limit.unwrap_or(MAX_RESPONSE_BYTES),
            tailnet: tailnet(service, given.text("tailnet")?)?,
            service,
            allow,
            origins: origins.collect::<Result<_, _>>()?,
            prefix: prefix(given.text("prefix")?.unwrap_or_default())?,
        })
    }

    /// The operation that a request seems to ask for, allowed or not: for `authorize`, which is called before anything
    /// is refused. An earlier refusal would tell strangers what exists.
    pub fn asked_for(&self, method: &str, url: &str) -> Option<Asked> {
        let path = self.below_prefix(uri::split_target(url).0)?;
        let found = self.service.find(Method::parse(method)?, path);
        found.ok().map(|found| found.asked())
    }

    /// What to do with a request with any method, a whole URL and these headers.
    pub fn decide(&self, method: &str, url: &str, headers: Headers) -> Decision {
        // No operation has OPTIONS, so it stands for every method that is not one of HTTP's usual ones.
        let mut request = Request::new(Method::parse(method).unwrap_or(Method::Options), url);
        request.headers = headers;
        if let Some(response) = self.preflight(&request) {
            return Decision::Preflight(response);
        }
        match self.admit(&request) {
            Ok(admission) => Decision::Admission(admission),
            Err(denial) => Decision::Refusal(self.refuse(&denial, &request.headers)),
        }
    }

    /// The answer to a preflight (Fetch standard, CORS protocol); None for any other request.
    pub fn preflight(&self, request: &Request) -> Option<Response> {
        let asks = request
            .headers
            .get("Access-Control-Request-Method")
            .is_some();
        if request.method != Method::Options || !asks {
            return None;
        }
        let mut response = Response::empty(204);
        self.open_to(&request.headers, &mut response.headers);
        if self.known_origin(&request.headers).is_some() {
            let wanted = request
                .headers
                .get("Access-Control-Request-Headers")
                .unwrap_or_default();
            response.headers.set(
                "Access-Control-Allow-Methods",
                "GET, POST, PUT, PATCH, DELETE",
            );
            response.headers.set("Access-Control-Allow-Headers", wanted);
            response.headers.set("Access-Control-Max-Age", "600");
        }
        Some(response)
    }

    /// What to send for this request.
    ///
    /// # Errors
    /// Why it is not allowed; nothing may be sent then.
    pub fn admit(&self, request: &Request) -> Result<Admission, Denial> {
        let path = self
            .below_prefix(request.path())
            .ok_or(Denial::UnknownPath)?;
        let found = self.service.find(request.method, path)?;
        let operation = found.asked();
        if operation != Asked::Release && !self.allow.contains(&operation) {
            return Err(Denial::Operation);
        }
        if self.is_forged(request) {
            return Err(Denial::Origin);
        }
        let (path, member) = self.place(found)?;
        let mut target = format!("{}{path}", self.base_url);
        for (name, value) in uri::query_pairs(request.query()) {
            if operation.takes(&name) {
                uri::push_query(&mut target, &name, &value);
            }
        }
        let mut forth = Request::new(request.method, target);
        forth.headers = picked(&request.headers, &FORTH);
        Ok(Admission {
            operation,
            member,
            request: forth,
        })
    }

    /// The path at the service, and what must be looked up first. A server of Headscale has one network, to which all of its own API belongs.
    fn place(&self, found: Found) -> Result<(String, Option<Member>), Denial> {
        let (operation, scope) = match found {
            Found::Headscale(operation, places) => return Ok((operation.path(&places), None)),
            Found::Release(path) => return Ok((path.to_owned(), None)),
            Found::Tailnet(operation, scope) => (operation, scope),
        };
        let named = |name: TailnetName| name == self.tailnet || name.as_str() == OWN_TAILNET;
        if !scope.tailnet().map_or(true, named) {
            return Err(Denial::Tailnet);
        }
        let member = member::of(operation, &scope, &self.tailnet, &self.base_url)?;
        // The first name counts: whichever was written, the target has the gateway's.
        let scope = Scope::from(self.tailnet.clone()).and(scope);
        Ok((operation.path(&scope, PathStyle::Tailnet), member))
    }

    /// A refusal for the caller that sent these headers.
    pub fn refuse(&self, denial: &Denial, caller: &Headers) -> Response {
        let mut response = Response::refusal(denial.status(), denial.message());
        if let Denial::WrongMethod(allowed) = denial {
            response.headers.set(headers::ALLOW, allowed.clone());
        }
        self.open_to(caller, &mut response.headers);
        response
    }

    /// Status and headers of the answer to the caller that sent these headers; the body is the service's, unless
    /// one is given here. A redirect is refused: the caller must not learn where it leads, and the key must not follow it.
    /// A header that repeats the key is dropped.
    pub fn hand_back(
        &self,
        caller: &Headers,
        status: u16,
        service: &Headers,
        key: &ApiKey,
    ) -> Response {
        if !(200..300).contains(&status) && !(400..600).contains(&status) {
            return self.refuse(&Denial::Unreachable, caller);
        }
        let mut response = Response::empty(status);
        let spellings = Spellings::of(key);
        for (name, value) in picked(service, &BACK).iter() {
            if !spellings.are_in(value.as_bytes()) {
                response.headers.set(name, value);
            }
        }
        self.open_to(caller, &mut response.headers);
        response
    }

    /// The path after the gateway's own prefix.
    fn below_prefix<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(&self.prefix)
            .filter(|rest| rest.starts_with('/'))
    }

    /// Lets pages of the given origins read the answer, and keeps it private.
    fn open_to(&self, caller: &Headers, answer: &mut Headers) {
        private(answer);
        if !self.origins.is_empty() {
            answer.set("Vary", "Origin");
        }
        if let Some(origin) = self.known_origin(caller) {
            answer.set("Access-Control-Allow-Origin", origin);
            answer.set("Access-Control-Allow-Credentials", "true");
            answer.set(
                "Access-Control-Expose-Headers",
                "ETag, Retry-After, X-Tailscale-Request-Id",
            );
        }
    }

    fn known_origin<'h>(&self, caller: &'h Headers) -> Option<&'h str> {
        caller
            .get("Origin")
            .filter(|origin| self.origins.iter().any(|known| known == origin))
    }

    /// Whether the browser says that a page of another origin, not among the given ones, sends a request that is not a mere read.
    /// Such a request carries the visitor's cookies without their consent. Browsers that do not send the relation of the page to
    /// the gateway still send its origin.
    fn is_forged(&self, request: &Request) -> bool {
        let foreign = match request.headers.get("Sec-Fetch-Site") {
            Some(site) => matches!(site, "cross-site" | "same-site"),
            None => request
                .headers
                .get("Origin")
                .is_some_and(|origin| !is_own(origin, &request.target)),
        };
        foreign && !request.method.is_safe() && self.known_origin(&request.headers).is_none()
    }
}

/// The answer while there are no options that a gateway could have.
pub fn failure() -> Response {
    let mut response = Response::refusal(Denial::Failed.status(), Denial::Failed.message());
    private(&mut response.headers);
    response
}

/// Forbids caching an answer, and guessing what it is.
fn private(answer: &mut Headers) {
    answer.set("Cache-Control", "no-store");
    answer.set("X-Content-Type-Options", "nosniff");
}

/// Whether a page of this origin is of the URL's own origin. A proxy that ends TLS in front of the gateway leaves `http` in the URL.
fn is_own(origin: &str, url: &str) -> bool {
    let (page, own) = (
        find::split_once(origin, "://"),
        find::split_once(url, "://"),
    );
    let (Some((page, host)), Some((scheme, rest))) = (page, own) else {
        return false;
    };
    let own_host = rest.split('/').next().unwrap_or_default();
    host == own_host && (page == scheme || page == "https")
}

/// Whether an answer, or a part of it, repeats the key in an encoding that can be read back.
pub fn repeats(key: &ApiKey, bytes: &[u8]) -> bool {
    Spellings::of(key).are_in(bytes)
}

/// How many bytes of a part of an answer may be passed on before more of it is there: all but those at its end with which a spelling of the key may
/// begin. `None` where the part repeats the key.
pub fn passing(key: &ApiKey, part: &[u8]) -> Option<usize> {
    Spellings::of(key).free(part)
}

/// An origin as browsers write it: scheme and host in lower case, no path (RFC 6454, section 6.2).
fn origin(text: String) -> Result<String, Error> {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .unwrap_or_default();
    let plain = |c: char| c.is_ascii_graphic() && !c.is_ascii_uppercase() && !"/?#@*".contains(c);
    if host.is_empty() || !host.chars().all(plain) {
        return Err(Error::argument(
            "origins",
            format!("has no origin such as `https://dashboard.example.com`: `{text}`"),
        ));
    }
    Ok(text)
}

/// The one tailnet; of Headscale `-`, which may be left out.
fn tailnet(service: Service, name: Option<&str>) -> Result<TailnetName, Error> {
    match (service, name) {
        (Service::Headscale, None) => TailnetName::new(OWN_TAILNET),
        (Service::Headscale, Some(name)) if name != OWN_TAILNET => Err(Error::argument(
            "tailnet",
            "must be `-`: a server of Headscale has one network",
        )),
        (_, name) => TailnetName::new(name.unwrap_or_default()),
    }
}

/// Without a slash at its end.
fn prefix(text: &str) -> Result<String, Error> {
    let trimmed = text.trim_end_matches('/');
    if !trimmed.is_empty() && !trimmed.starts_with('/') {
        return Err(Error::argument("prefix", "must begin with `/`"));
    }
    Ok(trimmed.to_owned())
}

fn picked(from: &Headers, names: &[&str]) -> Headers {
    let mut picked = Headers::new();
    for name in names {
        if let Some(value) = from.get(name) {
            picked.set(name, value);
        }
    }
    picked
}
