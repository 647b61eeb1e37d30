//! Each operation by its name, and the call that answers it: a new one does not compile before it is answered.
//! Must not live here: what a call does.

use super::Sandbox;
use super::choices::Refusal;
use crate::api::{Endpoint, Operation as Op, Request, Response, Scope};

type Answer = Result<Response, Refusal>;

/// A request that was let through.
struct Asked<'r> {
    scope: Scope,
    request: &'r Request,
    now: i64,
}

impl Asked<'_> {
    /// Reads the call, runs it, writes what came of it.
    fn serve<E: Endpoint>(
        self,
        run: impl FnOnce(E, i64) -> Result<E::Output, Refusal>,
    ) -> Result<Response, Refusal> {
        let call = E::from_request(self.scope, self.request)?;
        Ok(E::respond(&run(call, self.now)?))
    }
}

impl Sandbox {
    pub(super) fn perform(&mut self, op: Op, scope: Scope, request: &Request, now: i64) -> Answer {
        let asked = Asked {
            scope,
            request,
            now,
        };
        match op {
            Op::GetDevice => self.get_device(asked.scope, asked.request),
            Op::DeleteDevice => asked.serve(|call, _| self.delete_device(call)),
            Op::GetDeviceRoutes => asked.serve(|call, _| self.get_device_routes(call)),
            Op::SetDeviceRoutes => asked.serve(|call, _| self.set_device_routes(call)),
            Op::ListDevices => self.list_devices(asked.scope, asked.request),
            Op::GetAcl => self.get_acl(asked.scope, asked.request),
            Op::SetAcl => asked.serve(|call, _| self.set_acl(call)),
            Op::PreviewAcl => self.preview_acl(asked.scope, asked.request),
            Op::GetNameservers => asked.serve(|call, _| self.get_nameservers(call)),
            Op::SetNameservers => asked.serve(|call, _| self.set_nameservers(call)),
            Op::GetPreferences => asked.serve(|call, _| self.get_preferences(call)),
            Op::SetPreferences => asked.serve(|call, _| self.set_preferences(call)),
            Op::GetSearchPaths => asked.serve(|call, _| self.get_search_paths(call)),
            Op::SetSearchPaths => asked.serve(|call, _| self.set_search_paths(call)),
            Op::ValidateAcl => self.validate_acl(asked.scope, asked.request),
            Op::AuthorizeDevice => asked.serve(|call, now| self.authorize_device(call, now)),
            Op::SetDeviceTags => asked.serve(|call, _| self.set_device_tags(call)),
            Op::SetDeviceKey => asked.serve(|call, _| self.set_device_key(call)),
            Op::SetDeviceName => asked.serve(|call, _| self.set_device_name(call)),
            Op::SetDeviceIp => asked.serve(|call, _| self.set_device_ip(call)),
            Op::ExpireDeviceKey => asked.serve(|call, now| self.expire_device_key(call, now)),
            Op::GetDeviceAttributes => {
                asked.serve(|call, now| self.get_device_attributes(call, now))
            }
            Op::SetDeviceAttribute => asked.serve(|call, now| self.set_device_attribute(call, now)),
            Op::DeleteDeviceAttribute => asked.serve(|call, _| self.delete_device_attribute(call)),
            Op::BatchDeviceAttributes => {
                asked.serve(|call, now| self.batch_device_attributes(call, now))
            }
            Op::GetSplitDns => asked.serve(|call, _| self.get_split_dns(call)),
            Op::UpdateSplitDns => asked.serve(|call, _| self.update_split_dns(call)),
            Op::ReplaceSplitDns => asked.serve(|call, _| self.replace_split_dns(call)),
            Op::GetDnsConfiguration => asked.serve(|call, _| self.get_dns_configuration(call)),
            Op::SetDnsConfiguration => asked.serve(|call, _| self.set_dns_configuration(call)),
            Op::ListKeys => asked.serve(|call, now| self.list_keys(call, now)),
            Op::CreateKey => asked.serve(|call, now| self.create_key(call, now)),
            Op::GetKey => asked.serve(|call, now| self.get_key(call, now)),
            Op::SetKey => asked.serve(|call, now| self.set_key(call, now)),
            Op::DeleteKey => asked.serve(|call, now| self.delete_key(call, now)),
            Op::ListUsers => asked.serve(|call, _| self.list_users(call)),
            Op::GetUser => asked.serve(|call, _| self.get_user(call)),
            Op::ApproveUser => asked.serve(|call, _| self.approve_user(call)),
            Op::SuspendUser => asked.serve(|call, now| self.suspend_user(call, now)),
            Op::RestoreUser => asked.serve(|call, _| self.restore_user(call)),
            Op::DeleteUser => asked.serve(|call, _| self.delete_user(call)),
            Op::SetUserRole => asked.serve(|call, _| self.set_user_role(call)),
            Op::GetSettings => asked.serve(|call, _| self.get_settings(call)),
            Op::UpdateSettings => asked.serve(|call, _| self.update_settings(call)),
            Op::GetContacts => asked.serve(|call, _| self.get_contacts(call)),
            Op::UpdateContact => asked.serve(|call, _| self.update_contact(call)),
            Op::ResendVerification => asked.serve(|call, _| self.resend_verification(call)),
        }
    }
}
