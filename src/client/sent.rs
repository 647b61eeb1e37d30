//! What each call of JavaScript's sends: the little of a body that is checked before it leaves.
//! Must not live here: paths (`api`), reading arguments (`arguments`), what comes back (`reply`).
use super::reply::{Member, MemberKind, member};
use crate::api::Operation;

/// What the request of an operation carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sent {
    /// No body.
    Nothing,
    /// An object, which has at least these members.
    Members(&'static [Member]),
    /// A policy or what goes with one.
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

impl Sent {
    pub(super) fn of(operation: Operation) -> Sent {
        match operation {
            Operation::GetDevice
            | Operation::DeleteDevice
            | Operation::GetDeviceRoutes
            | Operation::ListDevices
            | Operation::ExpireDeviceKey
            | Operation::GetDeviceAttributes
            | Operation::DeleteDeviceAttribute
            | Operation::GetNameservers
            | Operation::GetPreferences
            | Operation::GetSearchPaths
            | Operation::GetSplitDns
            | Operation::GetDnsConfiguration
            | Operation::ListKeys
            | Operation::GetKey
            | Operation::DeleteKey
            | Operation::ListUsers
            | Operation::GetUser
            | Operation::ApproveUser
            | Operation::SuspendUser
            | Operation::RestoreUser
            | Operation::DeleteUser
            | Operation::GetSettings
            | Operation::GetContacts
            | Operation::ResendVerification => Sent::Nothing,
            Operation::UpdateContact => Sent::Members(EMAIL),
            Operation::UpdateSplitDns
            | Operation::ReplaceSplitDns
            | Operation::SetDnsConfiguration
            | Operation::CreateKey
            | Operation::SetKey
            | Operation::UpdateSettings => Sent::Members(&[]),
            Operation::SetUserRole => Sent::Members(ROLE),
            Operation::GetAcl
            | Operation::SetAcl
            | Operation::PreviewAcl
            | Operation::ValidateAcl => Sent::Acl,
            Operation::SetDeviceRoutes => Sent::Members(ROUTES),
            Operation::AuthorizeDevice => Sent::Members(AUTHORIZED),
            Operation::SetDeviceName => Sent::Members(NAME),
            Operation::SetDeviceTags => Sent::Members(TAGS),
            Operation::SetDeviceKey => Sent::Members(KEY),
            Operation::SetDeviceIp => Sent::Members(IPV4),
            Operation::SetDeviceAttribute => Sent::Members(VALUE),
            Operation::BatchDeviceAttributes => Sent::Members(NODES),
            Operation::SetNameservers => Sent::Members(DNS),
            Operation::SetPreferences => Sent::Members(MAGIC_DNS),
            Operation::SetSearchPaths => Sent::Members(SEARCH_PATHS),
        }
    }
}
