//! The table of operations: each one's name, method, path and effect, written once for client and server.
//! Must not live here: matching paths (`route`), bodies, headers, answers.
use super::message::Method;

/// The effect of an operation, which decides when it may be repeated and who may make it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Puts a value in place of another: doing it twice is doing it once.
    Replace,
    /// A repetition after a lost answer would fail or mislead.
    Once,
}

/// The path part of one row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path; a segment that begins with `:` stands for a device, a tailnet or a thing with a name.
    pub template: &'static str,
}

/// One row of the table.
struct Row {
    name: &'static str,
    method: Method,
    template: &'static str,
    effect: Effect,
}

/// Makes the table: `Variant: name, method, path, effect;`. A row makes the variant, so neither can be without the other.
macro_rules! operations {
    ($($(#[doc = $what:literal])+ $variant:ident: $name:literal, $method:ident, $template:expr, $effect:ident;)+) => {
        /// Every operation of the service.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Operation {
            $($(#[doc = $what])+ $variant,)+
        }

        impl Operation {
            /// All operations, by namespace.
            pub const ALL: [Operation; [$($name),+].len()] = [$(Operation::$variant),+];

            #[inline(never)] // Otherwise a loop over the operations would hold one copy of it for each.
            fn row(self) -> Row {
                match self {
                    $(Operation::$variant => Row {
                        name: $name,
                        method: Method::$method,
                        template: $template,
                        effect: Effect::$effect,
                    },)+
                }
            }
        }
    };
}

// Paths that several operations have.
const DEVICE: &str = "/api/v2/device/:deviceID";
const DEVICE_ROUTES: &str = "/api/v2/device/:deviceID/routes";
const ATTRIBUTE: &str = "/api/v2/device/:deviceID/attributes/:key";
const ACL: &str = "/api/v2/tailnet/:tailnet/acl";
const NAMESERVERS: &str = "/api/v2/tailnet/:tailnet/dns/nameservers";
const PREFERENCES: &str = "/api/v2/tailnet/:tailnet/dns/preferences";
const SEARCH_PATHS: &str = "/api/v2/tailnet/:tailnet/dns/searchpaths";
const SPLIT_DNS: &str = "/api/v2/tailnet/:tailnet/dns/split-dns";
const DNS_CONFIGURATION: &str = "/api/v2/tailnet/:tailnet/dns/configuration";
const KEYS: &str = "/api/v2/tailnet/:tailnet/keys";
const KEY: &str = "/api/v2/tailnet/:tailnet/keys/:keyID";
const SETTINGS: &str = "/api/v2/tailnet/:tailnet/settings";
const WEBHOOKS: &str = "/api/v2/tailnet/:tailnet/webhooks";
const WEBHOOK: &str = "/api/v2/webhooks/:endpointID";
const SERVICE: &str = "/api/v2/tailnet/:tailnet/services/:name";
const SERVICE_APPROVAL: &str = "/api/v2/tailnet/:tailnet/services/:name/device/:device/approved";
const INTEGRATIONS: &str = "/api/v2/tailnet/:tailnet/posture/integrations";
const INTEGRATION: &str = "/api/v2/posture/integrations/:integrationID";

/// The endpoint where OAuth clients get access tokens. It is not an operation, as it takes no key and follows other rules.
pub const TOKEN_PATH: &str = "/api/v2/oauth/token";

/// The endpoint where federated identities get access tokens, in exchange for a token of their issuer.
pub const TOKEN_EXCHANGE_PATH: &str = "/api/v2/oauth/token-exchange";

operations! {
    /// Details of one device.
    GetDevice: "devices.get", Get, DEVICE, Read;
    /// Removes a device from its tailnet.
    DeleteDevice: "devices.delete", Delete, DEVICE, Once;
    /// Advertised and enabled subnet routes of a device.
    GetDeviceRoutes: "devices.routes.get", Get, DEVICE_ROUTES, Read;
    /// Replaces the enabled subnet routes of a device.
    SetDeviceRoutes: "devices.routes.set", Post, DEVICE_ROUTES, Replace;
    /// The devices of a tailnet.
    ListDevices: "devices.list", Get, "/api/v2/tailnet/:tailnet/devices", Read;
    /// Lets a device in, or logs it out.
    AuthorizeDevice: "devices.authorize", Post, "/api/v2/device/:deviceID/authorized", Replace;
    /// Renames a device.
    SetDeviceName: "devices.setName", Post, "/api/v2/device/:deviceID/name", Replace;
    /// Replaces the tags of a device.
    SetDeviceTags: "devices.setTags", Post, "/api/v2/device/:deviceID/tags", Replace;
    /// Sets whether the key of a device expires.
    SetDeviceKey: "devices.setKey", Post, "/api/v2/device/:deviceID/key", Replace;
    /// Ends the key of a device now.
    ExpireDeviceKey: "devices.expireKey", Post, "/api/v2/device/:deviceID/expire", Replace;
    /// Changes the address of a device in the tailnet.
    SetDeviceIp: "devices.setIP", Post, "/api/v2/device/:deviceID/ip", Replace;
    /// The posture attributes of a device.
    GetDeviceAttributes: "devices.attributes.get", Get, "/api/v2/device/:deviceID/attributes", Read;
    /// Sets one posture attribute of a device.
    SetDeviceAttribute: "devices.attributes.set", Post, ATTRIBUTE, Replace;
    /// Removes one posture attribute of a device.
    DeleteDeviceAttribute: "devices.attributes.delete", Delete, ATTRIBUTE, Once;
    /// Sets and removes posture attributes of many devices.
    BatchDeviceAttributes: "devices.attributes.batch", Patch, "/api/v2/tailnet/:tailnet/device-attributes", Replace;
    /// The access-control policy.
    GetAcl: "acl.get", Get, ACL, Read;
    /// Replaces the access-control policy.
    SetAcl: "acl.set", Post, ACL, Once;
    /// The rules of a given policy that concern a user, or an address and port; stores nothing.
    PreviewAcl: "acl.preview", Post, "/api/v2/tailnet/:tailnet/acl/preview", Read;
    /// Judges a policy, or runs tests against the stored one; stores nothing.
    ValidateAcl: "acl.validate", Post, "/api/v2/tailnet/:tailnet/acl/validate", Read;
    /// The nameservers.
    GetNameservers: "dns.nameservers.get", Get, NAMESERVERS, Read;
    /// Replaces the nameservers.
    SetNameservers: "dns.nameservers.set", Post, NAMESERVERS, Replace;
    /// Whether MagicDNS is on.
    GetPreferences: "dns.preferences.get", Get, PREFERENCES, Read;
    /// Turns MagicDNS on or off.
    SetPreferences: "dns.preferences.set", Post, PREFERENCES, Replace;
    /// The DNS search paths.
    GetSearchPaths: "dns.searchPaths.get", Get, SEARCH_PATHS, Read;
    /// Replaces the DNS search paths.
    SetSearchPaths: "dns.searchPaths.set", Post, SEARCH_PATHS, Replace;
    /// The resolvers of single domains.
    GetSplitDns: "dns.split.get", Get, SPLIT_DNS, Read;
    /// Changes the resolvers of the named domains.
    UpdateSplitDns: "dns.split.update", Patch, SPLIT_DNS, Replace;
    /// Replaces the resolvers of all domains.
    ReplaceSplitDns: "dns.split.replace", Put, SPLIT_DNS, Replace;
    /// All DNS settings.
    GetDnsConfiguration: "dns.configuration.get", Get, DNS_CONFIGURATION, Read;
    /// Replaces all DNS settings.
    SetDnsConfiguration: "dns.configuration.set", Post, DNS_CONFIGURATION, Replace;
    /// All keys that the caller may see.
    ListKeys: "keys.list", Get, KEYS, Read;
    /// Makes a key, an OAuth client or a federated identity.
    CreateKey: "keys.create", Post, KEYS, Once;
    /// One key.
    GetKey: "keys.get", Get, KEY, Read;
    /// Replaces an OAuth client or a federated identity.
    SetKey: "keys.set", Put, KEY, Replace;
    /// Ends a key.
    DeleteKey: "keys.delete", Delete, KEY, Once;
    /// The users of a tailnet.
    ListUsers: "users.list", Get, "/api/v2/tailnet/:tailnet/users", Read;
    /// One user.
    GetUser: "users.get", Get, "/api/v2/users/:userID", Read;
    /// Lets a waiting user in.
    ApproveUser: "users.approve", Post, "/api/v2/users/:userID/approve", Replace;
    /// Takes a user's access away for a while.
    SuspendUser: "users.suspend", Post, "/api/v2/users/:userID/suspend", Replace;
    /// Gives a suspended user access again.
    RestoreUser: "users.restore", Post, "/api/v2/users/:userID/restore", Replace;
    /// Removes a user.
    DeleteUser: "users.delete", Post, "/api/v2/users/:userID/delete", Once;
    /// Changes the role of a user.
    SetUserRole: "users.setRole", Post, "/api/v2/users/:userID/role", Replace;
    /// The settings of a tailnet.
    GetSettings: "settings.get", Get, SETTINGS, Read;
    /// Changes settings of a tailnet.
    UpdateSettings: "settings.update", Patch, SETTINGS, Replace;
    /// Whom the service writes to.
    GetContacts: "contacts.get", Get, "/api/v2/tailnet/:tailnet/contacts", Read;
    /// Changes whom the service writes to about one matter.
    UpdateContact: "contacts.update", Patch, "/api/v2/tailnet/:tailnet/contacts/:type", Once;
    /// Has the service ask again that an address be confirmed.
    ResendVerification: "contacts.resendVerification", Post, "/api/v2/tailnet/:tailnet/contacts/:type/resend-verification-email", Once;
    /// The webhooks of a tailnet.
    ListWebhooks: "webhooks.list", Get, WEBHOOKS, Read;
    /// Makes a webhook.
    CreateWebhook: "webhooks.create", Post, WEBHOOKS, Once;
    /// One webhook.
    GetWebhook: "webhooks.get", Get, WEBHOOK, Read;
    /// Changes the events of a webhook.
    UpdateWebhook: "webhooks.update", Patch, WEBHOOK, Replace;
    /// Removes a webhook.
    DeleteWebhook: "webhooks.delete", Delete, WEBHOOK, Once;
    /// Has the service send a `test` event to a webhook.
    TestWebhook: "webhooks.test", Post, "/api/v2/webhooks/:endpointID/test", Once;
    /// Gives a webhook another secret.
    RotateWebhookSecret: "webhooks.rotateSecret", Post, "/api/v2/webhooks/:endpointID/rotate", Once;
    /// The services of a tailnet.
    ListServices: "services.list", Get, "/api/v2/tailnet/:tailnet/services", Read;
    /// One service.
    GetService: "services.get", Get, SERVICE, Read;
    /// Makes a service, replaces or renames one.
    SetService: "services.set", Put, SERVICE, Replace;
    /// The devices that answer for a service.
    ListServiceHosts: "services.hosts", Get, "/api/v2/tailnet/:tailnet/services/:name/devices", Read;
    /// Whether a device may answer for a service.
    GetServiceApproval: "services.approval.get", Get, SERVICE_APPROVAL, Read;
    /// Sets whether a device may answer for a service.
    SetServiceApproval: "services.approval.set", Post, SERVICE_APPROVAL, Replace;
    /// Removes a service.
    DeleteService: "services.delete", Delete, SERVICE, Once;
    /// What was changed in a tailnet.
    GetAuditLog: "logs.audit", Get, "/api/v2/tailnet/:tailnet/logging/configuration", Read;
    /// What devices sent each other.
    GetNetworkLog: "logs.network", Get, "/api/v2/tailnet/:tailnet/logging/network", Read;
    /// The posture integrations of a tailnet.
    ListPostureIntegrations: "postureIntegrations.list", Get, INTEGRATIONS, Read;
    /// Makes a posture integration.
    CreatePostureIntegration: "postureIntegrations.create", Post, INTEGRATIONS, Once;
    /// One posture integration.
    GetPostureIntegration: "postureIntegrations.get", Get, INTEGRATION, Read;
    /// Changes a posture integration.
    UpdatePostureIntegration: "postureIntegrations.update", Patch, INTEGRATION, Replace;
    /// Removes a posture integration.
    DeletePostureIntegration: "postureIntegrations.delete", Delete, INTEGRATION, Once;
}

impl Operation {
    /// Method and path.
    pub fn route(self) -> Route {
        let Row {
            method, template, ..
        } = self.row();
        Route { method, template }
    }

    /// The name in JavaScript: the client's namespace and verb, `devices.list`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The effect of the operation.
    pub fn effect(self) -> Effect {
        self.row().effect
    }
}
