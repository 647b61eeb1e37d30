//! What each call of JavaScript sends: the members of its body that are checked first.
//! Must not live here: paths (`api`), reading arguments (`arguments`), what comes back (`reply`).
use super::reply::{Member, MemberKind, by_operation, member};
use crate::api::Operation;

/// What the request of an operation carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sent {
    /// No body.
    Nothing,
    /// An object, which has at least these members.
    Members(&'static [Member]),
    /// Whatever the calls about policies send, each in a form of its own.
    Acl,
}

const AUTHORIZED: &[Member] = &[member("authorized", MemberKind::Flag)];
const NAME: &[Member] = &[member("name", MemberKind::Text)];
const TAGS: &[Member] = &[member("tags", MemberKind::Texts)];
const KEY: &[Member] = &[member("keyExpiryDisabled", MemberKind::Flag)];
const IPV4: &[Member] = &[member("ipv4", MemberKind::Text)];
const VALUE: &[Member] = &[member("value", MemberKind::Scalar)];
const NODES: &[Member] = &[member("nodes", MemberKind::Object)];
const ROUTES: &[Member] = &[member("routes", MemberKind::Texts)];
const DNS: &[Member] = &[member("dns", MemberKind::Texts)];
const MAGIC_DNS: &[Member] = &[member("magicDNS", MemberKind::Flag)];
const EMAIL: &[Member] = &[member("email", MemberKind::Text)];
const ROLE: &[Member] = &[member("role", MemberKind::Text)];
const SEARCH_PATHS: &[Member] = &[member("searchPaths", MemberKind::Texts)];

const SUBSCRIPTIONS: &[Member] = &[member("subscriptions", MemberKind::Texts)];
const PORTS: &[Member] = &[member("ports", MemberKind::Texts)];
const PROVIDER: &[Member] = &[member("provider", MemberKind::Text)];
const APPROVED: &[Member] = &[member("approved", MemberKind::Flag)];
const WEBHOOK: &[Member] = &[
    member("endpointUrl", MemberKind::Text),
    member("subscriptions", MemberKind::Texts),
];

impl Sent {
    pub(super) fn of(operation: Operation) -> Sent {
        by_operation! { operation;
            GetDevice DeleteDevice GetDeviceRoutes ListDevices ExpireDeviceKey GetDeviceAttributes DeleteDeviceAttribute
            GetNameservers GetPreferences GetSearchPaths GetSplitDns GetDnsConfiguration
            ListKeys GetKey DeleteKey ListUsers GetUser ApproveUser SuspendUser RestoreUser DeleteUser
            GetSettings GetContacts ResendVerification
            ListWebhooks GetWebhook DeleteWebhook TestWebhook RotateWebhookSecret
            ListServices GetService DeleteService ListServiceHosts GetServiceApproval
            GetAuditLog GetNetworkLog
            ListPostureIntegrations GetPostureIntegration DeletePostureIntegration => Sent::Nothing,
            GetAcl SetAcl PreviewAcl ValidateAcl => Sent::Acl,
            UpdateSplitDns ReplaceSplitDns SetDnsConfiguration CreateKey SetKey UpdateSettings
            UpdatePostureIntegration => Sent::Members(&[]),
            SetDeviceRoutes => Sent::Members(ROUTES),
            AuthorizeDevice => Sent::Members(AUTHORIZED),
            SetDeviceName => Sent::Members(NAME),
            SetDeviceTags => Sent::Members(TAGS),
            SetDeviceKey => Sent::Members(KEY),
            SetDeviceIp => Sent::Members(IPV4),
            SetDeviceAttribute => Sent::Members(VALUE),
            BatchDeviceAttributes => Sent::Members(NODES),
            SetNameservers => Sent::Members(DNS),
            SetPreferences => Sent::Members(MAGIC_DNS),
            SetSearchPaths => Sent::Members(SEARCH_PATHS),
            SetUserRole => Sent::Members(ROLE),
            UpdateContact => Sent::Members(EMAIL),
            CreateWebhook => Sent::Members(WEBHOOK),
            UpdateWebhook => Sent::Members(SUBSCRIPTIONS),
            CreatePostureIntegration => Sent::Members(PROVIDER),
            SetService => Sent::Members(PORTS),
            SetServiceApproval => Sent::Members(APPROVED),
        }
    }
}
