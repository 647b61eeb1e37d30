//! The client: credentials, attempts, the calls.
//!
//! A [`Client`] is generic over its [`Transport`], so the same code runs on `fetch`, on the
//! sandbox and on any HTTP library:
//!
//! ```
//! use std::fmt;
//! use std::time::Duration;
//! use tailnet_kit::api::{
//!     ApiKey, GetNameservers, Interrupted, Limits, Nameservers, Pause, Request, Response, TailnetName, Transport,
//! };
//! use tailnet_kit::client::{CallOptions, Client, Options};
//!
//! /// Stands for an HTTP library: sends `request.method`, `request.target`, `request.headers` and `request.body`.
//! struct Http;
//!
//! impl Transport for Http {
//!     type Body = Vec<u8>;
//!     type Cause = fmt::Error;
//!
//!     async fn send(&self, request: Request, _: Limits) -> Result<Response, Interrupted<fmt::Error>> {
//!         assert_eq!(
//!             request.target,
//!             "https://api.example.com/api/v2/tailnet/alice%40gmail.com/dns/nameservers"
//!         );
//!         Ok(Response::json(200, &Nameservers { dns: vec!["8.8.8.8".to_owned()] }))
//!     }
//!     async fn pause(&self, _: &Pause<'_, Vec<u8>, fmt::Error>) -> Result<(), Interrupted<fmt::Error>> {
//!         Ok(()) // sleep for `pause.delay`
//!     }
//!     fn now(&self) -> f64 {
//!         0.0 // milliseconds since 1970
//!     }
//!     fn random(&self) -> f64 {
//!         0.5
//!     }
//! }
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let mut options = Options::new("https://api.example.com")?;
//! options.api_key = Some(ApiKey::new("tskey-example")?);
//! options.tailnet = Some(TailnetName::new("alice@gmail.com")?);
//! options.timeout = Some(Duration::from_secs(10));
//! let client = Client::new(Http, options);
//! let tailnet = client.tailnet(&CallOptions::default())?;
//! let nameservers = client.call(&GetNameservers { tailnet }, &CallOptions::default()).await?;
//! assert_eq!(nameservers.dns, ["8.8.8.8"]);
//! # Ok(())
//! # }
//! # let mut call = std::pin::pin!(example());
//! # let mut context = std::task::Context::from_waker(std::task::Waker::noop());
//! # assert!(matches!(call.as_mut().poll(&mut context), std::task::Poll::Ready(Ok(()))));
//! ```
// Must not live here: paths, headers, retry rules (`api`).

mod arguments;
pub mod call;
mod calls;
mod exchange;
#[cfg(target_arch = "wasm32")]
pub mod fetch;
pub mod headscale;
#[cfg(all(feature = "reqwest", not(target_arch = "wasm32")))]
pub mod http;
mod options;
pub mod reply;
mod settings;
pub mod token;
mod update;
mod url;

use crate::api::{self, CallError, TailnetName, Transport};

pub use options::{CallOptions, HeaderEdits, Options, Service};
pub use settings::Place;
pub use update::{UPDATE_ROUNDS, UpdateError};
pub use url::BaseUrl;

/// The error of a call that a client sends through `T`.
pub type Error<T> = CallError<<T as Transport>::Body, <T as Transport>::Cause>;

/// A client of the service. It holds no state between calls.
pub struct Client<T: Transport> {
    transport: T,
    options: Options,
}

impl<T: Transport> Client<T> {
    /// A client that sends through this transport.
    pub fn new(transport: T, options: Options) -> Self {
        Client { transport, options }
    }

    /// The transport of this client.
    pub fn into_transport(self) -> T {
        self.transport
    }

    /// The options of this client.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The tailnet of a call: the one that its options name, or else the client's.
    ///
    /// # Errors
    /// [`api::Error::Argument`] naming `tailnet` where neither has one.
    pub fn tailnet(&self, call: &CallOptions) -> Result<TailnetName, api::Error> {
        self.options.tailnet_of(call)
    }
}
