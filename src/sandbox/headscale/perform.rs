//! Each operation by name, and the call that answers it: a new operation does not compile until it is answered.
//! Must not live here: what a call does.

use super::HeadscaleSandbox;
use super::asked::Asked;
use super::refusal::Refusal;
use crate::api::headscale::Operation as Op;
use crate::api::{Request, Response};

/// Makes the match over all operations: `Operation: method,`.
macro_rules! answers {
    ($($operation:ident: $method:ident,)+) => {
        impl HeadscaleSandbox {
            pub(super) fn perform(&mut self, request: &Request, now: i64) -> Result<Response, Refusal> {
                let (operation, places) = Op::find(request.method, request.path())?;
                let release = self.release;
                let asked = &Asked { places, request, release, now };
                match operation {
                    $(Op::$operation => self.$method(asked),)+
                }
            }
        }
    };
}

answers! {
    RegisterNode: register_node,
    ListNodes: list_nodes,
    GetNode: get_node,
    DeleteNode: delete_node,
    ExpireNode: expire_node,
    RenameNode: rename_node,
    SetNodeTags: set_node_tags,
    SetApprovedRoutes: set_approved_routes,
    ListUsers: list_users,
    CreateUser: create_user,
    RenameUser: rename_user,
    DeleteUser: delete_user,
    ListPreAuthKeys: list_pre_auth_keys,
    CreatePreAuthKey: create_pre_auth_key,
    ExpirePreAuthKey: expire_pre_auth_key,
    DeletePreAuthKey: delete_pre_auth_key,
    ListApiKeys: list_api_keys,
    CreateApiKey: create_api_key,
    ExpireApiKey: expire_api_key,
    DeleteApiKey: delete_api_key,
    GetPolicy: get_policy,
    SetPolicy: set_policy,
    CheckPolicy: check_policy,
    RegisterAuth: register_auth,
    ApproveAuth: approve_auth,
    RejectAuth: reject_auth,
    Health: health,
}
