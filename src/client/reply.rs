//! What JavaScript is promised of each answer: the little that is checked, and which part is handed over.
//!
//! ```
//! use tailnet_kit::api::Operation;
//! use tailnet_kit::client::reply::Reply;
//!
//! assert_eq!(Reply::of(Operation::DeleteDevice), Reply::Nothing);
//! ```
// Must not live here: the values themselves, which stay with JavaScript.

use crate::api::{DeviceFilter, Operation, TokenRequest};

/// A match over all operations, written as a table: names, `=>`, their value. It does not compile if an operation is missing.
macro_rules! by_operation {
    ($operation:expr; $($($name:ident)+ => $value:expr,)+) => {
        match $operation {
            $($(Operation::$name)|+ => $value,)+
        }
    };
}
pub(super) use by_operation;

/// What the caller of a method gets.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Nothing, whatever the body.
    Nothing,
    /// The value of a JSON body, the text of any other.
    Any,
    /// The list of the devices that the filter admits.
    Devices(DeviceFilter),
    /// The list in this member; a member that is missing or `null` is an empty list.
    List(Member),
    /// The object, with these members.
    Object(&'static [Member]),
    /// The object, or what was sent where the answer is empty.
    Sent {
        /// What was sent, in JSON.
        body: String,
    },
    /// The policy's text and ETag.
    AclText,
    /// The policy as an object, and its ETag.
    AclJson,
    /// The policy's text and ETag, with the service's warnings and errors.
    AclDetails,
    /// How the service judges a policy.
    Validation,
    /// The preview, with the question filled in where the service does not repeat it.
    Preview {
        /// The user, or the address and port, that was asked about.
        question: String,
    },
    /// The access token with its end, and with the scopes and tags that were asked for where the answer names none.
    Token {
        /// What was asked for.
        asked: TokenRequest,
        /// When it was asked for, in milliseconds since 1970.
        began: f64,
    },
}

/// A member that must be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: MemberKind,
}

/// The type of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberKind {
    /// A string.
    Text,
    /// True or false.
    Flag,
    /// A list; `null` is read as an empty one.
    List,
    /// A list of strings; `null` is read as an empty one.
    Texts,
    /// An object.
    Object,
    /// A string, a number, true or false.
    Scalar,
}

impl MemberKind {
    /// The type in words that can follow "must be" or "is not".
    pub fn expected(self) -> &'static str {
        match self {
            MemberKind::Text => "a string",
            MemberKind::Flag => "true or false",
            MemberKind::List => "a list",
            MemberKind::Texts => "a list of strings",
            MemberKind::Object => "an object",
            MemberKind::Scalar => "a string, a number, true or false",
        }
    }
}

pub(super) const fn member(name: &'static str, kind: MemberKind) -> Member {
    Member { name, kind }
}

/// The member with the devices in the answer to the device list.
pub const DEVICES: Member = member("devices", MemberKind::List);
/// The one member that every device, key and user has.
pub const ID: Member = member("id", MemberKind::Text);
/// The rules of a preview.
pub const MATCHES: Member = member("matches", MemberKind::List);

const WEBHOOKS: Member = member("webhooks", MemberKind::List);
const ENDPOINT: Member = member("endpointId", MemberKind::Text);
const SERVICES: Member = member("vipServices", MemberKind::List);
const INTEGRATIONS: Member = member("integrations", MemberKind::List);
const LOGS: Member = member("logs", MemberKind::List);
const HOSTS: Member = member("hosts", MemberKind::List);
const NAME: Member = member("name", MemberKind::Text);
const APPROVAL: &[Member] = &[
    member("approved", MemberKind::Flag),
    member("autoApproved", MemberKind::Flag),
];
const SECRET: Member = member("secret", MemberKind::Text);
const KEYS: Member = member("keys", MemberKind::List);
const USERS: Member = member("users", MemberKind::List);
const WITH_ID: &[Member] = &[ID];
const ROUTES: &[Member] = &[
    member("advertisedRoutes", MemberKind::Texts),
    member("enabledRoutes", MemberKind::Texts),
];
const ATTRIBUTES: &[Member] = &[member("attributes", MemberKind::Object)];
const DNS: Member = member("dns", MemberKind::Texts);
const MAGIC_DNS: Member = member("magicDNS", MemberKind::Flag);
const SEARCH_PATHS: &[Member] = &[member("searchPaths", MemberKind::Texts)];

impl Reply {
    /// The reply of an operation, with a policy as text, a preview without its question, devices without a filter.
    pub fn of(operation: Operation) -> Reply {
        by_operation! { operation;
            ListDevices => Reply::Devices(DeviceFilter::default()),
            ListKeys => Reply::List(KEYS),
            ListUsers => Reply::List(USERS),
            ListWebhooks => Reply::List(WEBHOOKS),
            ListServices => Reply::List(SERVICES),
            ListServiceHosts => Reply::List(HOSTS),
            ListPostureIntegrations => Reply::List(INTEGRATIONS),
            GetAuditLog GetNetworkLog => Reply::List(LOGS),
            DeleteDevice AuthorizeDevice SetDeviceName SetDeviceTags SetDeviceKey ExpireDeviceKey SetDeviceIp
            SetDeviceAttribute DeleteDeviceAttribute BatchDeviceAttributes
            DeleteKey ApproveUser SuspendUser RestoreUser DeleteUser SetUserRole UpdateContact ResendVerification
            DeleteWebhook TestWebhook DeleteService DeletePostureIntegration => Reply::Nothing,
            GetDevice CreateKey GetKey SetKey GetUser
            CreatePostureIntegration GetPostureIntegration UpdatePostureIntegration => Reply::Object(WITH_ID),
            GetWebhook UpdateWebhook => Reply::Object(&[ENDPOINT]),
            GetService SetService => Reply::Object(&[NAME]),
            GetServiceApproval SetServiceApproval => Reply::Object(APPROVAL),
            CreateWebhook RotateWebhookSecret => Reply::Object(&[ENDPOINT, SECRET]),
            GetSplitDns UpdateSplitDns ReplaceSplitDns GetDnsConfiguration
            GetSettings UpdateSettings GetContacts => Reply::Object(&[]),
            SetDnsConfiguration => Reply::Sent { body: String::new() },
            GetDeviceRoutes SetDeviceRoutes => Reply::Object(ROUTES),
            GetDeviceAttributes => Reply::Object(ATTRIBUTES),
            GetAcl SetAcl => Reply::AclText,
            PreviewAcl => Reply::Preview { question: String::new() },
            ValidateAcl => Reply::Validation,
            GetNameservers => Reply::Object(&[DNS]),
            SetNameservers => Reply::Object(&[DNS, MAGIC_DNS]),
            GetPreferences SetPreferences => Reply::Object(&[MAGIC_DNS]),
            GetSearchPaths SetSearchPaths => Reply::Object(SEARCH_PATHS),
        }
    }
}
