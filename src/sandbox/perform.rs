//! Each operation by name, and the call that answers it: a new operation does not compile until it is answered.
//! Must not live here: what a call does.

use super::Sandbox;
use super::choices::Refusal;
use crate::api::{Endpoint, Operation as Op, Request, Response, Scope};

type Answer = Result<Response, Refusal>;

/// A request that was accepted.
struct Asked<'r> {
    scope: Scope,
    request: &'r Request,
    now: i64,
}

impl Asked<'_> {
    /// Reads the call, runs it, and writes the result.
    fn serve<E: Endpoint>(
        self,
        run: impl FnOnce(E, i64) -> Result<E::Output, Refusal>,
    ) -> Result<Response, Refusal> {
        let call = E::from_request(self.scope, self.request)?;
        Ok(E::respond(&run(call, self.now)?))
    }
}

/// Makes the match over all operations: `Operation: form method,`. A method of the form `plain` takes the call, a `timed` one
/// also the time; a `whole` one reads and writes by itself.
macro_rules! answers {
    (plain $sandbox:ident $asked:ident $method:ident) => { $asked.serve(|call, _| $sandbox.$method(call)) };
    (timed $sandbox:ident $asked:ident $method:ident) => { $asked.serve(|call, now| $sandbox.$method(call, now)) };
    (whole $sandbox:ident $asked:ident $method:ident) => { $sandbox.$method($asked.scope, $asked.request) };
    ($($operation:ident: $form:ident $method:ident,)+) => {
        impl Sandbox {
            pub(super) fn perform(&mut self, op: Op, scope: Scope, request: &Request, now: i64) -> Answer {
                let asked = Asked { scope, request, now };
                match op {
                    $(Op::$operation => answers!($form self asked $method),)+
                }
            }
        }
    };
}

answers! {
    GetDevice: whole get_device,
    DeleteDevice: plain delete_device,
    GetDeviceRoutes: plain get_device_routes,
    SetDeviceRoutes: plain set_device_routes,
    ListDevices: whole list_devices,
    ListDeviceInvites: plain list_device_invites,
    CreateDeviceInvites: timed create_device_invites,
    GetDeviceInvite: plain get_device_invite,
    DeleteDeviceInvite: plain delete_device_invite,
    ResendDeviceInvite: timed resend_device_invite,
    AcceptDeviceInvite: plain accept_device_invite,
    GetAcl: whole get_acl,
    SetAcl: timed set_acl,
    PreviewAcl: whole preview_acl,
    GetNameservers: plain get_nameservers,
    SetNameservers: plain set_nameservers,
    GetPreferences: plain get_preferences,
    SetPreferences: plain set_preferences,
    GetSearchPaths: plain get_search_paths,
    SetSearchPaths: plain set_search_paths,
    ValidateAcl: whole validate_acl,
    AuthorizeDevice: timed authorize_device,
    SetDeviceTags: plain set_device_tags,
    SetDeviceKey: plain set_device_key,
    SetDeviceName: plain set_device_name,
    SetDeviceIp: plain set_device_ip,
    ExpireDeviceKey: timed expire_device_key,
    GetDeviceAttributes: timed get_device_attributes,
    SetDeviceAttribute: timed set_device_attribute,
    DeleteDeviceAttribute: plain delete_device_attribute,
    BatchDeviceAttributes: timed batch_device_attributes,
    GetSplitDns: plain get_split_dns,
    UpdateSplitDns: plain update_split_dns,
    ReplaceSplitDns: plain replace_split_dns,
    GetDnsConfiguration: plain get_dns_configuration,
    SetDnsConfiguration: plain set_dns_configuration,
    ListKeys: timed list_keys,
    CreateKey: timed create_key,
    GetKey: timed get_key,
    SetKey: timed set_key,
    DeleteKey: timed delete_key,
    ListUsers: plain list_users,
    GetUser: plain get_user,
    ApproveUser: plain approve_user,
    SuspendUser: timed suspend_user,
    RestoreUser: plain restore_user,
    DeleteUser: plain delete_user,
    SetUserRole: plain set_user_role,
    ListUserInvites: plain list_user_invites,
    CreateUserInvites: timed create_user_invites,
    GetUserInvite: plain get_user_invite,
    DeleteUserInvite: plain delete_user_invite,
    ResendUserInvite: timed resend_user_invite,
    GetSettings: plain get_settings,
    UpdateSettings: plain update_settings,
    GetContacts: plain get_contacts,
    UpdateContact: plain update_contact,
    ResendVerification: plain resend_verification,
    ListWebhooks: plain list_webhooks,
    CreateWebhook: timed create_webhook,
    GetWebhook: plain get_webhook,
    UpdateWebhook: timed update_webhook,
    DeleteWebhook: timed delete_webhook,
    TestWebhook: timed test_webhook,
    RotateWebhookSecret: timed rotate_webhook_secret,
    ListServices: plain list_services,
    GetService: plain get_service,
    SetService: plain set_service,
    DeleteService: plain delete_service,
    ListServiceHosts: plain list_service_hosts,
    GetServiceApproval: plain get_service_approval,
    SetServiceApproval: plain set_service_approval,
    GetAuditLog: timed get_audit_log,
    GetNetworkLog: timed get_network_log,
    GetLogStream: plain get_log_stream,
    SetLogStream: plain set_log_stream,
    DeleteLogStream: plain delete_log_stream,
    GetLogStreamStatus: plain get_log_stream_status,
    CreateAwsExternalId: timed create_aws_external_id,
    ValidateAwsTrustPolicy: plain validate_aws_trust_policy,
    ListPostureIntegrations: plain list_posture_integrations,
    CreatePostureIntegration: timed create_posture_integration,
    GetPostureIntegration: plain get_posture_integration,
    UpdatePostureIntegration: timed update_posture_integration,
    DeletePostureIntegration: plain delete_posture_integration,
}
