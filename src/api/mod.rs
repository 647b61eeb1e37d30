//! The service on the wire: routes, calls, headers, errors, retry rules. Must not live here: I/O, a clock.
//!
//! [`Operation`] is the table of routes, [`Endpoint`] what each call implements, both ways. Start with
//! `route.rs`, then read `dns.rs` for the shape of a call.
mod acl;
mod credentials;
mod devices;
mod dns;
mod endpoint;
mod error;
mod etag;
mod failure;
pub(crate) mod given;
pub mod headers;
mod message;
mod refusal;
pub mod retry;
mod retry_after;
mod route;
mod transport;
pub mod uri;

pub use acl::{
    AclBody, AclDetails, AclDocument, AclFormat, AclMatch, AclPreview, GetAcl, PreviewAcl,
    PreviewFor, SetAcl,
};
pub use credentials::{ApiKey, CredentialsFault};
pub use devices::{
    ClientConnectivity, ClientSupports, DeleteDevice, Device, Field, Fields, GetDevice,
    GetDeviceRoutes, Latency, ListDevices, Routes, SetDeviceRoutes,
};
pub use dns::{
    GetNameservers, GetPreferences, GetSearchPaths, Nameservers, NameserversSet, Preferences,
    SearchPaths, SetNameservers, SetPreferences, SetSearchPaths,
};
pub use endpoint::{Endpoint, Input};
pub use error::{Code, Error};
pub use etag::{ETag, IfMatch};
pub use failure::{CallError, Kind};
pub use message::{Headers, Method, Request, Response};
pub use refusal::{Detail, Refusal, RefusalBody};
pub use route::{DeviceId, Effect, NoRoute, Operation, PathStyle, Route, Scope, TailnetName};
pub use transport::{Body, Interrupted, Limits, Pause, Transport};
