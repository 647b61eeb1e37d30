//! `reqwest` as the client's transport, behind the feature `reqwest`, for programs on `tokio`.
//!
//! Which TLS it speaks is the program's choice: `cargo add reqwest --features rustls`, or `native-tls`. Without one, `https` fails.
//!
//! ```no_run
//! use tailnet_kit::api::{ApiKey, GetNameservers, TailnetName};
//! use tailnet_kit::client::http::Http;
//! use tailnet_kit::client::{CallOptions, Client, Options};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let mut options = Options::new("https://api.example.com")?;
//! options.api_key = Some(ApiKey::new("tskey-example")?);
//! options.tailnet = Some(TailnetName::new("example.com")?);
//! let client = Client::new(Http::new()?, options);
//! let tailnet = client.tailnet(&CallOptions::default())?;
//! let nameservers = client.call(&GetNameservers { tailnet }, &CallOptions::default()).await?;
//! println!("{:?}", nameservers.dns);
//! # Ok(())
//! # }
//! ```
// Must not live here: paths, retry rules, what a redirect may do (`exchange`).

use std::hash::{BuildHasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

use ::reqwest::header::HeaderValue;
use ::reqwest::redirect::Policy;
use ::reqwest::{ClientBuilder, Error};

use crate::api::{self, Headers, Interrupted, Limits, Pause, Request, Response, Transport};

/// The transport. Clones share their connections.
#[derive(Clone, Debug)]
pub struct Http {
    client: ::reqwest::Client,
}

impl Http {
    /// A transport with the settings that `reqwest` has by itself.
    ///
    /// # Errors
    /// That of `reqwest` where its TLS cannot be set up.
    pub fn new() -> Result<Self, Error> {
        Http::with(ClientBuilder::new())
    }

    /// A transport with these settings: a proxy, certificates, a name. It follows no redirects, whatever they say: the client decides
    /// about those, as it holds the key.
    ///
    /// # Errors
    /// That of `reqwest` where the settings cannot be used.
    pub fn with(settings: ClientBuilder) -> Result<Self, Error> {
        let client = settings.redirect(Policy::none()).build()?;
        Ok(Http { client })
    }

    /// The request as `reqwest` sends it.
    fn built(
        &self,
        request: Request,
        limits: Limits,
    ) -> Result<::reqwest::Request, Interrupted<Error>> {
        let method = match request.method {
            api::Method::Get => ::reqwest::Method::GET,
            api::Method::Head => ::reqwest::Method::HEAD,
            api::Method::Post => ::reqwest::Method::POST,
            api::Method::Put => ::reqwest::Method::PUT,
            api::Method::Patch => ::reqwest::Method::PATCH,
            api::Method::Delete => ::reqwest::Method::DELETE,
            api::Method::Options => ::reqwest::Method::OPTIONS,
        };
        let mut asked = self.client.request(method, request.target);
        for (name, value) in request.headers.iter() {
            let Some(value) = latin1(value) else {
                let unsendable = api::Error::argument("headers", "has a value that cannot be sent");
                return Err(Interrupted::Argument(unsendable));
            };
            asked = asked.header(name, value);
        }
        if let Some(timeout) = limits.timeout {
            asked = asked.timeout(timeout);
        }
        if !request.body.is_empty() {
            asked = asked.body(request.body);
        }
        asked.build().map_err(|cause| interrupted(cause, None))
    }
}

impl Transport for Http {
    type Body = Vec<u8>;
    type Cause = Error;

    async fn send(&self, request: Request, limits: Limits) -> Result<Response, Interrupted<Error>> {
        let request = self.built(request, limits)?;
        let sent = self.client.execute(request).await;
        let mut answer = sent.map_err(|cause| interrupted(cause, None))?;
        let status = answer.status().as_u16();
        let mut headers = Headers::new();
        for (name, value) in answer.headers() {
            let value: String = value
                .as_bytes()
                .iter()
                .map(|&byte| char::from(byte))
                .collect();
            headers.append(name.as_str(), value);
        }
        let mut body = Vec::new();
        loop {
            let part = answer.chunk().await;
            let Some(part) = part.map_err(|cause| interrupted(cause, Some(status)))? else {
                break;
            };
            body.extend_from_slice(&part);
            if u64::try_from(body.len()).is_ok_and(|bytes| bytes > limits.max_bytes) {
                return Err(Interrupted::TooLarge { status });
            }
        }
        Ok(Response {
            status,
            headers,
            body,
        })
    }

    async fn pause(&self, pause: &Pause<'_, Vec<u8>, Error>) -> Result<(), Interrupted<Error>> {
        tokio::time::sleep(pause.delay).await;
        Ok(())
    }

    fn now(&self) -> f64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0.0, |passed| passed.as_secs_f64() * 1_000.0)
    }

    fn random(&self) -> f64 {
        // Each state has keys of its own.
        let bits = RandomState::new().hash_one(()) >> 11;
        bits as f64 / (1_u64 << 53) as f64
    }
}

/// A value whose characters fit a byte (RFC 9110, section 5.5).
fn latin1(value: &str) -> Option<HeaderValue> {
    let bytes: Option<Vec<u8>> = value.chars().map(|c| u8::try_from(c).ok()).collect();
    HeaderValue::from_bytes(&bytes?).ok()
}

/// The cause without the address, which the client's own error names.
fn interrupted(cause: Error, status: Option<u16>) -> Interrupted<Error> {
    match cause.is_timeout() {
        true => Interrupted::Timeout,
        false => Interrupted::Connection {
            cause: cause.without_url(),
            status,
        },
    }
}
