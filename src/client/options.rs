//! The options of a client and of a single call, and their defaults.
//! Must not live here: how JavaScript writes them (`settings`).
use std::time::Duration;

use super::url::BaseUrl;
use crate::api::{ApiKey, Error, Headers, PathStyle, Refusal, TailnetName, headers};
use crate::hujson::quote;

/// The options of a client.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address of the service.
    pub base_url: BaseUrl,
    /// The key; `None` where a proxy adds it or the transport knows it.
    pub api_key: Option<ApiKey>,
    /// The tailnet of calls that name none.
    pub tailnet: Option<TailnetName>,
    /// How tailnet-scoped paths are written.
    pub path_style: PathStyle,
    /// The time for one attempt, body included; `None` for no limit.
    pub timeout: Option<Duration>,
    /// The time for all attempts and pauses together.
    pub total_timeout: Option<Duration>,
    /// How many times a failed call may be repeated.
    pub max_retries: u32,
    /// Header fields of every call.
    pub headers: HeaderEdits,
    /// The size of the largest body that is read, in bytes.
    pub max_response_bytes: u64,
    /// Whose service answers.
    pub service: Service,
}

/// How a service differs from others, whatever is asked.
#[derive(Clone, Copy, Debug)]
pub struct Service {
    /// The value of `Authorization` for a key.
    pub authorization: fn(&ApiKey) -> String,
    /// Reads an answer that is no success: status, header fields, body, and the clock in milliseconds since 1970.
    pub refusal: fn(u16, &Headers, &str, f64) -> Refusal,
}

impl Service {
    /// The service of `/api/v2`.
    pub const TAILSCALE: Service = Service {
        authorization: ApiKey::to_basic,
        refusal: Refusal::read,
    };

    /// Headscale's own API, `/api/v1`.
    pub const HEADSCALE: Service = Service {
        authorization: ApiKey::to_bearer,
        refusal: Refusal::of_headscale,
    };
}

/// The default time for one attempt.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The default number of repetitions.
const MAX_RETRIES: u32 = 2;
/// The default limit of a body: 64 MiB.
const MAX_RESPONSE_BYTES: u64 = 64 << 20;

impl Options {
    /// The defaults, for a service at this address.
    ///
    /// # Errors
    /// [`Error::Argument`] naming `baseURL` for a text that is not an absolute URL, has user info, a query or a
    /// fragment, or is plain `http` to another machine.
    pub fn new(base_url: &str) -> Result<Self, Error> {
        let base_url = BaseUrl::read(base_url, None, None);
        Ok(Options::at(
            base_url.map_err(|reason| Error::argument("baseURL", reason))?,
        ))
    }

    pub(super) fn at(base_url: BaseUrl) -> Self {
        Options {
            base_url,
            api_key: None,
            tailnet: None,
            path_style: PathStyle::default(),
            timeout: Some(TIMEOUT),
            total_timeout: None,
            max_retries: MAX_RETRIES,
            headers: HeaderEdits::default(),
            max_response_bytes: MAX_RESPONSE_BYTES,
            service: Service::TAILSCALE,
        }
    }

    /// The tailnet of a call: the one that its options name, or else the client's.
    ///
    /// # Errors
    /// [`Error::Argument`] naming `tailnet` where neither has one.
    pub(super) fn tailnet_of(&self, call: &CallOptions) -> Result<TailnetName, Error> {
        let given = call.tailnet.as_ref().or(self.tailnet.as_ref());
        let reason = "is missing: pass it to the client or to the call";
        given
            .cloned()
            .ok_or_else(|| Error::argument("tailnet", reason))
    }
}

/// The options of one call, which take precedence over its client's.
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    /// The time for one attempt; `Some(None)` for no limit.
    pub timeout: Option<Option<Duration>>,
    /// How many times the call may be repeated if it fails.
    pub max_retries: Option<u32>,
    /// Header fields, applied after the client's.
    pub headers: HeaderEdits,
    /// The tailnet.
    pub tailnet: Option<TailnetName>,
    /// Whether a success is a secret: the error for one that cannot be read comes without its body.
    pub secret: bool,
}

/// Header fields to set or to remove, in order.
#[derive(Clone, Debug, Default)]
pub struct HeaderEdits(Vec<(String, Option<String>)>);

impl HeaderEdits {
    /// Adds an edit: a value to set, or `None` to send no such header.
    ///
    /// # Errors
    /// [`Error::Argument`] naming the header, never its value, for a name or value that cannot be sent.
    pub fn push(&mut self, name: &str, value: Option<&str>) -> Result<(), Error> {
        if !headers::is_sendable(name, value.unwrap_or_default()) {
            let reason = "has a name or value that no header can carry";
            let mut option = "headers.".to_owned();
            quote(name, &mut option);
            return Err(Error::argument(option, reason));
        }
        self.0.push((name.to_owned(), value.map(str::to_owned)));
        Ok(())
    }

    pub(super) fn apply(&self, headers: &mut Headers) {
        for (name, value) in &self.0 {
            match value {
                Some(value) => headers.set(name, value.clone()),
                None => headers.remove(name),
            }
        }
    }
}
