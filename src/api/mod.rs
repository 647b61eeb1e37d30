//! The service on the wire: routes, calls, headers, errors, retry rules.
//!
//! [`Operation`] lists all operations, [`Endpoint`] what each call implements, both ways.
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
// Start with `table.rs`, which says what a row has, then read `webhooks.rs` for rows and bodies, and `operation.rs`. A new file of rows stands in
// two of the lists below, its operations in the third. Must not live here: I/O, a clock.

mod acl;
mod attributes;
mod contacts;
mod credentials;
mod device_changes;
mod device_filter;
mod device_invites;
mod devices;
mod dns;
mod dns_configuration;
mod error;
mod etag;
mod failure;
#[allow(dead_code)]
#[cfg(not(feature = "bindings"))]
pub(crate) mod given;
/// What the bindings of JavaScript read arguments with; no promise to anybody else.
#[doc(hidden)]
#[cfg(feature = "bindings")]
pub mod given;
pub mod headers;
pub mod headscale;
pub(crate) mod input;
mod keys;
mod log_streaming;
mod logs;
mod message;
mod operation;
pub(crate) mod payload;
mod place;
mod posture;
mod query;
mod refusal;
pub mod retry;
mod retry_after;
mod route;
mod row;
mod services;
mod settings;
mod shape;
mod table;
mod token;
mod transport;
pub mod uri;
mod user_invites;
mod users;
mod verdict;
mod webhook_signature;
mod webhooks;
mod wire_types;

pub use acl::*;
pub use attributes::*;
pub use contacts::*;
pub use credentials::{ApiKey, CredentialsFault};
pub use device_changes::*;
pub use device_filter::{DeviceFilter, FilterKind};
pub use device_invites::*;
pub use devices::*;
pub use dns::*;
pub use dns_configuration::*;
pub use error::Error;
pub use etag::{ETag, IfMatch};
pub use failure::{CallError, Kind};
pub use input::Input;
pub use keys::*;
pub use log_streaming::*;
pub use logs::*;
pub use message::{Headers, Method, Request, Response};
pub use operation::{Endpoint, Operation, TOKEN_EXCHANGE_PATH, TOKEN_PATH};
pub use payload::{Accepted, Answer, Done, Payload};
pub use place::{DeviceId, ItemId, PathStyle, Place, Scope, Slot, TailnetName};
pub use posture::*;
pub use refusal::{Detail, Refusal, RefusalBody};
pub use retry::Effect;
pub use route::{NoRoute, Route};
pub use row::{Logged, Right, Row, Subject, Words};
pub use services::*;
pub use settings::*;
pub use shape::{Form, Member, MemberKind, Shape};
pub use token::{Proof, Token, TokenRequest};
pub use transport::{Body, Interrupted, KeyRequest, Limits, Pause, Transport};
pub use user_invites::*;
pub use users::*;
pub use verdict::{AclOutcome, AclVerdict, VerdictDetail};
pub use webhook_signature::{DeliveryFault, Signatures, TOLERANCE};
pub use webhooks::*;

/// Calls a macro with the name of every operation, by namespace.
macro_rules! each_operation {
    ($then:ident) => {
        $then! {
            GetDevice, DeleteDevice, GetDeviceRoutes, SetDeviceRoutes, ListDevices,
            AuthorizeDevice, SetDeviceName, SetDeviceTags, SetDeviceKey, ExpireDeviceKey,
            SetDeviceIp, GetDeviceAttributes, SetDeviceAttribute, DeleteDeviceAttribute,
            BatchDeviceAttributes, ListDeviceInvites, CreateDeviceInvites, GetDeviceInvite,
            DeleteDeviceInvite, ResendDeviceInvite, AcceptDeviceInvite, GetAcl, SetAcl, PreviewAcl,
            ValidateAcl, GetNameservers, SetNameservers, GetPreferences, SetPreferences,
            GetSearchPaths, SetSearchPaths, GetSplitDns, UpdateSplitDns, ReplaceSplitDns,
            GetDnsConfiguration, SetDnsConfiguration, ListKeys, CreateKey, GetKey, SetKey,
            DeleteKey, ListUsers, GetUser, ApproveUser, SuspendUser, RestoreUser, DeleteUser,
            SetUserRole, ListUserInvites, CreateUserInvites, GetUserInvite, DeleteUserInvite,
            ResendUserInvite, GetSettings, UpdateSettings, GetContacts, UpdateContact,
            ResendVerification, ListWebhooks, CreateWebhook, GetWebhook, UpdateWebhook,
            DeleteWebhook, TestWebhook, RotateWebhookSecret, ListServices, GetService, SetService,
            ListServiceHosts, GetServiceApproval, SetServiceApproval, DeleteService, GetAuditLog,
            GetNetworkLog, GetLogStream, SetLogStream, DeleteLogStream, GetLogStreamStatus,
            CreateAwsExternalId, ValidateAwsTrustPolicy, ListPostureIntegrations,
            CreatePostureIntegration, GetPostureIntegration, UpdatePostureIntegration,
            DeletePostureIntegration,
        }
    };
}
pub(crate) use each_operation;
