//! Who asks, and what that allows: the sandbox's own key may do everything, a token what it was given.
//! Must not live here: how tokens are made (`tokens`), what else is refused.

use super::choices::Refusal;
use crate::api::{Effect, Operation};

/// Who asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Caller {
    /// What a token may do, and where; None for the sandbox's own key.
    pub token: Option<Grant>,
}

/// What a token may do, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grant {
    pub tailnet: String,
    pub scopes: Vec<String>,
    pub tags: Vec<String>,
}

/// An area of rights, and whether to change something in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Right {
    area: &'static str,
    writes: bool,
}

impl Right {
    pub fn read(area: &'static str) -> Right {
        let writes = false;
        Right { area, writes }
    }

    pub fn write(area: &'static str) -> Right {
        let writes = true;
        Right { area, writes }
    }

    /// The right that an operation takes; None where it depends on what is asked for, or anyone may.
    pub fn of(operation: Operation) -> Option<Right> {
        let area = area(operation)?;
        let writes = operation.effect() != Effect::Read;
        Some(Right { area, writes })
    }
}

impl Caller {
    pub fn may(&self, right: Right) -> bool {
        let Some(grant) = &self.token else {
            return true;
        };
        let has = |scope: &String| {
            let (area, writes) = match scope.strip_suffix(":read") {
                Some(area) => (area, false),
                None => (scope.as_str(), true),
            };
            (area == right.area || area == "all") && (writes || !right.writes)
        };
        grant.scopes.iter().any(has)
    }

    /// # Errors
    /// [`Refusal::Forbidden`] where the caller may not.
    pub fn need(&self, right: Right) -> Result<(), Refusal> {
        match self.may(right) {
            true => Ok(()),
            false => Err(Refusal::Forbidden),
        }
    }
}

/// The area that an operation belongs to. Keys and settings belong to several: their own calls look.
fn area(operation: Operation) -> Option<&'static str> {
    Some(match operation {
        Operation::GetDevice
        | Operation::DeleteDevice
        | Operation::ListDevices
        | Operation::AuthorizeDevice
        | Operation::SetDeviceName
        | Operation::SetDeviceTags
        | Operation::SetDeviceKey
        | Operation::ExpireDeviceKey
        | Operation::SetDeviceIp => "devices:core",
        Operation::GetDeviceRoutes | Operation::SetDeviceRoutes => "devices:routes",
        Operation::GetDeviceAttributes
        | Operation::SetDeviceAttribute
        | Operation::DeleteDeviceAttribute
        | Operation::BatchDeviceAttributes => "devices:posture_attributes",
        Operation::GetAcl | Operation::SetAcl | Operation::PreviewAcl | Operation::ValidateAcl => {
            "policy_file"
        }
        Operation::GetNameservers
        | Operation::SetNameservers
        | Operation::GetPreferences
        | Operation::SetPreferences
        | Operation::GetSearchPaths
        | Operation::SetSearchPaths
        | Operation::GetSplitDns
        | Operation::UpdateSplitDns
        | Operation::ReplaceSplitDns
        | Operation::GetDnsConfiguration
        | Operation::SetDnsConfiguration => "dns",
        Operation::ListUsers
        | Operation::GetUser
        | Operation::ApproveUser
        | Operation::SuspendUser
        | Operation::RestoreUser
        | Operation::DeleteUser
        | Operation::SetUserRole => "users",
        Operation::GetContacts | Operation::UpdateContact | Operation::ResendVerification => {
            "account_settings"
        }
        Operation::ListKeys
        | Operation::CreateKey
        | Operation::GetKey
        | Operation::SetKey
        | Operation::DeleteKey
        | Operation::GetSettings
        | Operation::UpdateSettings => return None,
    })
}
