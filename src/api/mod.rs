//! The service on the wire: routes, calls, headers, errors, retry rules.
//!
//! [`Operation`] is the table of routes, [`Endpoint`] what each call implements, both ways.
//!
//! ```
//! use tailnet_kit::api::{Endpoint, GetNameservers, Nameservers, PathStyle, Response, TailnetName};
//!
//! let call = GetNameservers { tailnet: TailnetName::new("example.com")? };
//! let request = call.to_request(PathStyle::Tailnet);
//! assert_eq!(request.target, "/api/v2/tailnet/example.com/dns/nameservers");
//!
//! let response = Response::json(200, &Nameservers { dns: vec!["9.9.9.9".to_owned()] });
//! assert_eq!(GetNameservers::output(&response)?.dns, ["9.9.9.9"]);
//! # Ok::<(), tailnet_kit::api::Error>(())
//! ```
// Start with `operation.rs`, then read `dns.rs` for the shape of a call. Must not live here: I/O, a clock.

mod acl;
mod attributes;
mod contacts;
mod credentials;
mod device_changes;
mod device_filter;
mod devices;
mod dns;
mod dns_configuration;
pub(crate) mod endpoint;
mod error;
mod etag;
mod failure;
/// What the bindings of JavaScript read arguments with; no promise to anybody else.
#[doc(hidden)]
pub mod given;
pub mod headers;
mod keys;
mod logs;
mod message;
mod operation;
mod place;
mod posture;
mod refusal;
pub mod retry;
mod retry_after;
mod route;
mod services;
mod settings;
mod token;
mod transport;
pub mod uri;
mod users;
mod verdict;
mod webhook_signature;
mod webhooks;

pub use acl::{
    AclBody, AclDetails, AclDocument, AclFormat, AclMatch, AclPreview, GetAcl, PreviewAcl,
    PreviewFor, SetAcl,
};
pub use attributes::{
    BatchDeviceAttributes, DeleteDeviceAttribute, DeviceAttributes, GetDeviceAttributes,
    SetDeviceAttribute,
};
pub use contacts::{Contact, Contacts, GetContacts, ResendVerification, UpdateContact};
pub use credentials::{ApiKey, CredentialsFault};
pub use device_changes::{
    AuthorizeDevice, ExpireDeviceKey, SetDeviceIp, SetDeviceKey, SetDeviceName, SetDeviceTags,
    TAILNET_RANGE, is_tailnet_address,
};
pub use device_filter::{DeviceFilter, FilterKind};
pub use devices::{
    ClientConnectivity, ClientSupports, DeleteDevice, Device, Field, Fields, GetDevice,
    GetDeviceRoutes, Latency, ListDevices, Routes, SetDeviceRoutes,
};
pub use dns::{
    GetNameservers, GetPreferences, GetSearchPaths, Nameservers, NameserversSet, Preferences,
    SearchPaths, SetNameservers, SetPreferences, SetSearchPaths,
};
pub use dns_configuration::{
    DnsConfiguration, DnsResolver, DnsSwitches, GetDnsConfiguration, GetSplitDns, ReplaceSplitDns,
    SetDnsConfiguration, SplitDns, UpdateSplitDns,
};
pub use endpoint::{Done, Endpoint, Input, Plain};
pub use error::{Code, Error};
pub use etag::{ETag, IfMatch};
pub use failure::{CallError, Kind};
pub use keys::{
    CreateKey, DeleteKey, DeviceCapabilities, DeviceCreation, GetKey, Key, KeyCapabilities, Keys,
    ListKeys, SetKey,
};
pub use logs::{
    AuditActor, AuditEntry, AuditLog, AuditTarget, GetAuditLog, GetNetworkLog, NetworkFlows,
    NetworkLog,
};
pub use message::{Headers, Method, Request, Response};
pub use operation::{Effect, Operation, Route, TOKEN_EXCHANGE_PATH, TOKEN_PATH};
pub use place::{DeviceId, ItemId, PathStyle, Scope, Slot, TailnetName};
pub use posture::{
    CreatePostureIntegration, DeletePostureIntegration, GetPostureIntegration,
    ListPostureIntegrations, PostureIntegration, PostureIntegrations, UpdatePostureIntegration,
};
pub use refusal::{Detail, Refusal, RefusalBody};
pub use route::NoRoute;
pub use services::{
    DeleteService, GetService, GetServiceApproval, ListServiceHosts, ListServices, ServiceApproval,
    ServiceHost, ServiceHosts, SetService, SetServiceApproval, VipService, VipServices,
};
pub use settings::{GetSettings, Settings, UpdateSettings};
pub use token::{Proof, Token, TokenRequest};
pub use transport::{Body, Interrupted, KeyRequest, Limits, Pause, Transport};
pub use users::{
    ApproveUser, DeleteUser, GetUser, ListUsers, RestoreUser, SetUserRole, SuspendUser, User, Users,
};
pub use verdict::{AclOutcome, AclVerdict, ValidateAcl, VerdictDetail};
pub use webhook_signature::{DeliveryFault, Signatures, TOLERANCE};
pub use webhooks::{
    CreateWebhook, DeleteWebhook, GetWebhook, ListWebhooks, RotateWebhookSecret, TestWebhook,
    UpdateWebhook, Webhook, Webhooks,
};
