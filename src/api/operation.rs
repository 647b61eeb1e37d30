//! The table of operations: all that is to be known of each one, written once for client and server, and the trait of calls.
//! Must not live here: what a row means (`table`), bodies, header fields, answers.
use std::fmt;

use super::acl::{AclBody, AclChange, AclDocument, AclPreview, AclQuestion, AclWanted};
use super::attributes::{AttributeBatch, DeviceAttributes, NewAttribute};
use super::contacts::{Contacts, NewContact};
use super::device_changes::{Authorization, DeviceIp, DeviceKey, DeviceName, DeviceTags};
use super::device_invites::{AcceptedInvite, DeviceInvite, InviteCode, NewDeviceInvite};
use super::devices::{Device, DevicesWanted, Fields, NewRoutes, Routes};
use super::dns::{Nameservers, NameserversSet, Preferences, SearchPaths};
use super::dns_configuration::{DnsConfiguration, SplitDns, SplitDnsChange};
use super::error::Error;
use super::keys::{Key, Keys, KeysWanted};
use super::log_streaming::{AwsExternalId, AwsRole, ExternalIdWanted, LogStream, LogStreamStatus};
use super::logs::{AuditLog, ChangesWanted, NetworkLog, Window};
use super::message::{Method, Request, Response};
use super::payload::{Accepted, Answer, Done, Payload};
use super::place::{DeviceId, ItemId, PathStyle, Place, Scope, TailnetName};
use super::posture::{PostureIntegration, PostureIntegrations, WITH_PROVIDER};
use super::retry::{Effect, Rule};
use super::route::{NoRoute, Route};
use super::row::{Logged, Right, Subject};
use super::services::{Approval, ServiceApproval, ServiceHosts, VipService, VipServices};
use super::settings::Settings;
use super::shape::{Form, Shape};
use super::table::operations;
use super::user_invites::{NewUserInvite, UserInvite};
use super::users::{User, UserRole, Users, UsersWanted};
use super::verdict::AclVerdict;
use super::webhooks::{NewWebhook, WITH_SECRET, Webhook, WebhookChange, Webhooks};

use Logged as L;

/// A call: its row of the table, and how it and its answer are written and read. The client uses one half, a server the other.
pub trait Endpoint: Sized {
    /// The row of the table.
    const OPERATION: Operation;
    /// What is checked of what it sends. By default it sends nothing.
    const FORM: Form = Form::Nothing;
    /// What is checked of a success.
    const SHAPE: Shape = <Self::Output as Answer>::SHAPE;
    /// What a success carries.
    type Output: Answer;

    /// The tailnet, device or other thing that the call concerns.
    fn scope(&self) -> Scope;

    /// Adds what is sent to a request.
    fn write(&self, _: &mut Request) {}

    /// The request, without base URL and credentials.
    fn to_request(&self, style: PathStyle) -> Request {
        let operation = Self::OPERATION;
        let path = operation.path(&self.scope(), style);
        let mut request = Request::new(operation.route().method, path);
        self.write(&mut request);
        request
    }

    /// After which failures the call may be repeated. By default, the rule of its operation.
    fn rule(&self) -> Rule {
        Self::OPERATION.rule()
    }

    /// Reads a success.
    ///
    /// # Errors
    /// [`Error::Malformed`] where the body is not what was promised.
    fn output(response: &Response) -> Result<Self::Output, Error> {
        Answer::read(response)
    }

    /// Reads a request that the table has matched.
    ///
    /// # Errors
    /// [`Error::Argument`] names the member that is missing or wrong. Content types are ignored.
    fn from_request(scope: Scope, request: &Request) -> Result<Self, Error>;

    /// Writes a success.
    fn respond(output: &Self::Output) -> Response {
        Answer::write(output)
    }
}

/// What is looked up of a row together.
struct Row {
    name: &'static str,
    route: Route,
    effect: Effect,
}

// Paths that several operations have.
const DEVICE: &str = "/api/v2/device/:deviceID";
const DEVICE_ROUTES: &str = "/api/v2/device/:deviceID/routes";
const ATTRIBUTE: &str = "/api/v2/device/:deviceID/attributes/:key";
const DEVICE_INVITES: &str = "/api/v2/device/:deviceID/device-invites";
const DEVICE_INVITE: &str = "/api/v2/device-invites/:inviteID";
const ACL: &str = "/api/v2/tailnet/:tailnet/acl";
const NAMESERVERS: &str = "/api/v2/tailnet/:tailnet/dns/nameservers";
const PREFERENCES: &str = "/api/v2/tailnet/:tailnet/dns/preferences";
const SEARCH_PATHS: &str = "/api/v2/tailnet/:tailnet/dns/searchpaths";
const SPLIT_DNS: &str = "/api/v2/tailnet/:tailnet/dns/split-dns";
const DNS_CONFIGURATION: &str = "/api/v2/tailnet/:tailnet/dns/configuration";
const KEYS: &str = "/api/v2/tailnet/:tailnet/keys";
const KEY: &str = "/api/v2/tailnet/:tailnet/keys/:keyID";
const USER_INVITES: &str = "/api/v2/tailnet/:tailnet/user-invites";
const USER_INVITE: &str = "/api/v2/user-invites/:inviteID";
const SETTINGS: &str = "/api/v2/tailnet/:tailnet/settings";
const WEBHOOKS: &str = "/api/v2/tailnet/:tailnet/webhooks";
const WEBHOOK: &str = "/api/v2/webhooks/:endpointID";
const SERVICE: &str = "/api/v2/tailnet/:tailnet/services/:name";
const SERVICE_APPROVAL: &str = "/api/v2/tailnet/:tailnet/services/:name/device/:device/approved";
const LOG_STREAM: &str = "/api/v2/tailnet/:tailnet/logging/:logType/stream";
const INTEGRATIONS: &str = "/api/v2/tailnet/:tailnet/posture/integrations";
const INTEGRATION: &str = "/api/v2/posture/integrations/:integrationID";

/// The endpoint where OAuth clients get access tokens. It is not an operation, as it takes no key and follows other rules.
pub const TOKEN_PATH: &str = "/api/v2/oauth/token";

/// The endpoint where federated identities get access tokens, in exchange for a token of their issuer.
pub const TOKEN_EXCHANGE_PATH: &str = "/api/v2/oauth/token-exchange";

operations! {
    /// Details of one device.
    GetDevice(id: DeviceId) "devices.get", Get DEVICE, Read;
        sends fields: Fields; gives Device; needs Right::Area("devices:core"); refuses "`not_found`";
    /// Removes a device from its tailnet.
    DeleteDevice(id: DeviceId) "devices.delete", Delete DEVICE, Once;
        gives (); needs Right::Area("devices:core"); logs L::whole(Subject::Device);
        refuses "`not_found`, `not_implemented` (external, or another tailnet's)";
    /// Advertised and enabled subnet routes of a device.
    GetDeviceRoutes(id: DeviceId) "devices.routes.get", Get DEVICE_ROUTES, Read;
        gives Routes; needs Right::Area("devices:routes"); refuses "`not_found`";
    /// Replaces the enabled subnet routes of a device.
    SetDeviceRoutes(id: DeviceId) "devices.routes.set", Post DEVICE_ROUTES, Replace;
        sends body: NewRoutes; gives Routes; needs Right::Area("devices:routes"); logs L::part(Subject::Device, "enabledRoutes", "ALLOWED_IPS");
        refuses "`not_found`, `bad_request`";
    /// The devices of a tailnet.
    ListDevices(tailnet: TailnetName) "devices.list", Get "/api/v2/tailnet/:tailnet/devices", Read;
        sends wanted: DevicesWanted; gives Vec<Device>; needs Right::Area("devices:core"); refuses "`not_found`";
    /// Lets a device in, or logs it out.
    AuthorizeDevice(id: DeviceId) "devices.authorize", Post "/api/v2/device/:deviceID/authorized", Replace;
        sends body: Authorization; gives Done; needs Right::Area("devices:core"); logs L::part(Subject::Device, "authorized", "MACHINE_AUTH");
        refuses "`not_found`";
    /// Renames a device.
    SetDeviceName(id: DeviceId) "devices.setName", Post "/api/v2/device/:deviceID/name", Replace;
        sends body: DeviceName; gives Done; needs Right::Area("devices:core"); logs L::part(Subject::Device, "name", "MACHINE_NAME");
        refuses "`not_found`, `bad_request` (taken)";
    /// Replaces the tags of a device.
    SetDeviceTags(id: DeviceId) "devices.setTags", Post "/api/v2/device/:deviceID/tags", Replace;
        sends body: DeviceTags; gives Done; needs Right::Area("devices:core"); logs L::part(Subject::Device, "tags", "ACL_TAGS");
        refuses "`not_found`, `bad_request` (no owner, the last tag)";
    /// Sets whether the key of a device expires.
    SetDeviceKey(id: DeviceId) "devices.setKey", Post "/api/v2/device/:deviceID/key", Replace;
        sends body: DeviceKey; gives Done; needs Right::Area("devices:core"); logs L::part(Subject::Device, "keyExpiryDisabled", "KEY_EXPIRY_DISABLED");
        refuses "`not_found`";
    /// Ends the key of a device now.
    ExpireDeviceKey(id: DeviceId) "devices.expireKey", Post "/api/v2/device/:deviceID/expire", Replace;
        gives Done; needs Right::Area("devices:core"); logs L::part(Subject::Device, "expires", "KEY_EXPIRY_TIME"); refuses "`not_found`";
    /// Changes the address of a device in the tailnet.
    SetDeviceIp(id: DeviceId) "devices.setIP", Post "/api/v2/device/:deviceID/ip", Replace;
        sends body: DeviceIp; gives Done; needs Right::Area("devices:core"); logs L::part(Subject::Device, "addresses", "IP_ADDRESSES");
        refuses "`not_found`, `bad_request` (in use)";
    /// The posture attributes of a device.
    GetDeviceAttributes(id: DeviceId) "devices.attributes.get", Get "/api/v2/device/:deviceID/attributes", Read;
        gives DeviceAttributes; needs Right::Area("devices:posture_attributes"); refuses "`not_found`";
    /// Sets one posture attribute of a device.
    SetDeviceAttribute(id: DeviceId, key: ItemId) "devices.attributes.set", Post ATTRIBUTE, Replace;
        sends body: NewAttribute; gives Done; needs Right::Area("devices:posture_attributes"); logs L::part(Subject::Attributes, "", "ATTRIBUTES");
        refuses "`not_found`, `bad_request`";
    /// Removes one posture attribute of a device.
    DeleteDeviceAttribute(id: DeviceId, key: ItemId) "devices.attributes.delete", Delete ATTRIBUTE, Once;
        gives Done; needs Right::Area("devices:posture_attributes"); logs L::part(Subject::Attributes, "", "ATTRIBUTES");
        refuses "`not_found`, `bad_request`";
    /// Sets and removes posture attributes of many devices.
    BatchDeviceAttributes(tailnet: TailnetName) "devices.attributes.batch", Patch "/api/v2/tailnet/:tailnet/device-attributes", Replace;
        sends body: AttributeBatch; gives Done; needs Right::Area("devices:posture_attributes"); logs L::part(Subject::ManyAttributes, "", "ATTRIBUTES");
        refuses "`not_found`, `bad_request`";
    /// The invites to share a device.
    ListDeviceInvites(id: DeviceId) "deviceInvites.list", Get DEVICE_INVITES, Read;
        gives Vec<DeviceInvite>; needs Right::Area("device_invites"); refuses "`not_found`";
    /// Makes invites to share a device, and mails those that have an address.
    CreateDeviceInvites(id: DeviceId) "deviceInvites.create", Post DEVICE_INVITES, Once;
        sends invites: Vec<NewDeviceInvite>; gives Vec<DeviceInvite>; needs Right::Person("device_invites"); refuses "`not_found`, `bad_request` (address)";
    /// One invite to share a device.
    GetDeviceInvite(id: ItemId) "deviceInvites.get", Get DEVICE_INVITE, Read;
        gives DeviceInvite; needs Right::Area("device_invites"); refuses "`not_found`";
    /// Takes an invite to share a device back.
    DeleteDeviceInvite(id: ItemId) "deviceInvites.delete", Delete DEVICE_INVITE, Once;
        gives Done; needs Right::Area("device_invites"); refuses "`not_found`";
    /// Mails an invite to share a device again.
    ResendDeviceInvite(id: ItemId) "deviceInvites.resend", Post "/api/v2/device-invites/:inviteID/resend", Once;
        gives Done; needs Right::Person("device_invites"); refuses "`not_found`, `bad_request` (no address), `rate_limit` (once a minute)";
    /// Accepts an invite to share a device.
    AcceptDeviceInvite() "deviceInvites.accept", Post "/api/v2/device-invites/-/accept", Once;
        sends body: InviteCode; gives AcceptedInvite; needs Right::Person("device_invites"); refuses "`not_found`, `bad_request` (used up)";
    /// The access-control policy.
    GetAcl(tailnet: TailnetName) "acl.get", Get ACL, Read;
        sends wanted: AclWanted; gives AclDocument; needs Right::Area("policy_file"); refuses "`not_found`";
    /// Replaces the access-control policy.
    SetAcl(tailnet: TailnetName) "acl.set", Post ACL, Once;
        sends change: AclChange; gives AclDocument; needs Right::Area("policy_file"); logs L::part(Subject::Policy, "", "ACL");
        refuses "`bad_request` (invalid policy, failing tests), `precondition_failed`, `conflict`";
    /// The rules of a given policy that concern a user, or an address and port; stores nothing.
    PreviewAcl(tailnet: TailnetName) "acl.preview", Post "/api/v2/tailnet/:tailnet/acl/preview", Read;
        sends question: AclQuestion; gives AclPreview; needs Right::Area("policy_file"); refuses "`bad_request`";
    /// Judges a policy, or runs tests against the stored one; stores nothing.
    ValidateAcl(tailnet: TailnetName) "acl.validate", Post "/api/v2/tailnet/:tailnet/acl/validate", Read;
        sends body: AclBody; gives AclVerdict; needs Right::Area("policy_file"); refuses "`bad_request` (cannot be parsed)";
    /// The nameservers.
    GetNameservers(tailnet: TailnetName) "dns.nameservers.get", Get NAMESERVERS, Read;
        gives Nameservers; needs Right::Area("dns");
    /// Replaces the nameservers.
    SetNameservers(tailnet: TailnetName) "dns.nameservers.set", Post NAMESERVERS, Replace;
        sends nameservers: Nameservers; gives NameserversSet; needs Right::Area("dns"); logs L::part(Subject::Dns, "", "DNS_CONFIG");
        refuses "`bad_request`";
    /// Whether MagicDNS is on.
    GetPreferences(tailnet: TailnetName) "dns.preferences.get", Get PREFERENCES, Read;
        gives Preferences; needs Right::Area("dns");
    /// Turns MagicDNS on or off.
    SetPreferences(tailnet: TailnetName) "dns.preferences.set", Post PREFERENCES, Replace;
        sends preferences: Preferences; gives Preferences; needs Right::Area("dns"); logs L::part(Subject::Dns, "", "DNS_CONFIG");
        refuses "`bad_request` (MagicDNS without a nameserver)";
    /// The DNS search paths.
    GetSearchPaths(tailnet: TailnetName) "dns.searchPaths.get", Get SEARCH_PATHS, Read;
        gives SearchPaths; needs Right::Area("dns");
    /// Replaces the DNS search paths.
    SetSearchPaths(tailnet: TailnetName) "dns.searchPaths.set", Post SEARCH_PATHS, Replace;
        sends search_paths: SearchPaths; gives SearchPaths; needs Right::Area("dns"); logs L::part(Subject::Dns, "", "DNS_CONFIG");
        refuses "`bad_request`";
    /// The resolvers of single domains.
    GetSplitDns(tailnet: TailnetName) "dns.split.get", Get SPLIT_DNS, Read;
        gives SplitDns; needs Right::Area("dns");
    /// Changes the resolvers of the named domains.
    UpdateSplitDns(tailnet: TailnetName) "dns.split.update", Patch SPLIT_DNS, Replace;
        sends domains: SplitDnsChange; gives SplitDns; needs Right::Area("dns"); logs L::part(Subject::Dns, "", "DNS_CONFIG");
        refuses "`bad_request`";
    /// Replaces the resolvers of all domains.
    ReplaceSplitDns(tailnet: TailnetName) "dns.split.replace", Put SPLIT_DNS, Replace;
        sends domains: SplitDnsChange; gives SplitDns; needs Right::Area("dns"); logs L::part(Subject::Dns, "", "DNS_CONFIG"); refuses "`bad_request`";
    /// All DNS settings.
    GetDnsConfiguration(tailnet: TailnetName) "dns.configuration.get", Get DNS_CONFIGURATION, Read;
        gives DnsConfiguration; needs Right::Area("dns");
    /// Replaces all DNS settings.
    SetDnsConfiguration(tailnet: TailnetName) "dns.configuration.set", Post DNS_CONFIGURATION, Replace;
        sends configuration: DnsConfiguration; gives DnsConfiguration as Shape::Sent; needs Right::Area("dns"); logs L::part(Subject::Dns, "", "DNS_CONFIG");
        refuses "`bad_request` (MagicDNS without a nameserver)";
    /// All keys that the caller may see.
    ListKeys(tailnet: TailnetName) "keys.list", Get KEYS, Read;
        sends wanted: KeysWanted; gives Keys; needs Right::OfCall;
    /// Makes a key, an OAuth client or a federated identity.
    CreateKey(tailnet: TailnetName) "keys.create", Post KEYS, Once;
        sends key: Key; gives Key; needs Right::OfCall; logs L::whole(Subject::Key); refuses "`bad_request` (tags without an owner, expiry too long)";
    /// One key.
    GetKey(tailnet: TailnetName, id: ItemId) "keys.get", Get KEY, Read;
        gives Key; needs Right::OfCall; refuses "`not_found`";
    /// Replaces an OAuth client or a federated identity.
    SetKey(tailnet: TailnetName, id: ItemId) "keys.set", Put KEY, Replace;
        sends key: Key; gives Key; needs Right::OfCall; logs L::whole(Subject::Key); refuses "`not_found`, `bad_request`";
    /// Ends a key.
    DeleteKey(tailnet: TailnetName, id: ItemId) "keys.delete", Delete KEY, Once;
        gives Done; needs Right::OfCall; logs L::whole(Subject::Key); refuses "`not_found`";
    /// The users of a tailnet.
    ListUsers(tailnet: TailnetName) "users.list", Get "/api/v2/tailnet/:tailnet/users", Read;
        sends wanted: UsersWanted; gives Users; needs Right::Area("users");
    /// One user.
    GetUser(id: ItemId) "users.get", Get "/api/v2/users/:userID", Read;
        gives User; needs Right::Area("users"); refuses "`not_found`";
    /// Lets a waiting user in.
    ApproveUser(id: ItemId) "users.approve", Post "/api/v2/users/:userID/approve", Replace;
        gives Done; needs Right::Area("users"); logs L::part(Subject::User, "status", "USER_STATUS"); refuses "`not_found`";
    /// Takes a user's access away for a while.
    SuspendUser(id: ItemId) "users.suspend", Post "/api/v2/users/:userID/suspend", Replace;
        gives Done; needs Right::Area("users"); logs L::part(Subject::User, "status", "USER_STATUS"); refuses "`not_found`";
    /// Gives a suspended user access again.
    RestoreUser(id: ItemId) "users.restore", Post "/api/v2/users/:userID/restore", Replace;
        gives Done; needs Right::Area("users"); logs L::part(Subject::User, "status", "USER_STATUS"); refuses "`not_found`";
    /// Removes a user.
    DeleteUser(id: ItemId) "users.delete", Post "/api/v2/users/:userID/delete", Once;
        gives Done; needs Right::Area("users"); logs L::whole(Subject::User); refuses "`not_found`, `bad_request` (the owner)";
    /// Changes the role of a user.
    SetUserRole(id: ItemId) "users.setRole", Post "/api/v2/users/:userID/role", Replace;
        sends body: UserRole; gives Done; needs Right::Area("users"); logs L::part(Subject::User, "role", "USER_ROLE");
        refuses "`not_found`, `bad_request`";
    /// The open invites to become a user.
    ListUserInvites(tailnet: TailnetName) "userInvites.list", Get USER_INVITES, Read;
        gives Vec<UserInvite>; needs Right::Area("users");
    /// Makes invites to become a user, and mails those that have an address.
    CreateUserInvites(tailnet: TailnetName) "userInvites.create", Post USER_INVITES, Once;
        sends invites: Vec<NewUserInvite>; gives Vec<UserInvite>; needs Right::Person("users"); refuses "`bad_request` (role, address)";
    /// One invite to become a user.
    GetUserInvite(id: ItemId) "userInvites.get", Get USER_INVITE, Read;
        gives UserInvite; needs Right::Area("users"); refuses "`not_found`";
    /// Takes an invite to become a user back.
    DeleteUserInvite(id: ItemId) "userInvites.delete", Delete USER_INVITE, Once;
        gives Done; needs Right::Person("users"); refuses "`not_found`";
    /// Mails an invite to become a user again.
    ResendUserInvite(id: ItemId) "userInvites.resend", Post "/api/v2/user-invites/:inviteID/resend", Once;
        gives Done; needs Right::Person("users"); refuses "`not_found`, `bad_request` (no address), `rate_limit` (once a minute)";
    /// The settings of a tailnet.
    GetSettings(tailnet: TailnetName) "settings.get", Get SETTINGS, Read;
        gives Settings; needs Right::OfCall;
    /// Changes settings of a tailnet.
    UpdateSettings(tailnet: TailnetName) "settings.update", Patch SETTINGS, Replace;
        sends changes: Settings; gives Settings; needs Right::OfCall; logs L::part(Subject::Settings, "", "SETTINGS"); refuses "`bad_request`";
    /// Whom the service writes to.
    GetContacts(tailnet: TailnetName) "contacts.get", Get "/api/v2/tailnet/:tailnet/contacts", Read;
        gives Contacts; needs Right::Area("account_settings");
    /// Changes whom the service writes to about one matter.
    UpdateContact(tailnet: TailnetName, kind: ItemId) "contacts.update", Patch "/api/v2/tailnet/:tailnet/contacts/:type", Once;
        sends body: NewContact; gives Done; needs Right::Area("account_settings"); logs L::part(Subject::Contacts, "", "CONTACTS");
        refuses "`bad_request`";
    /// Has the service ask again that an address be confirmed.
    ResendVerification(tailnet: TailnetName, kind: ItemId) "contacts.resendVerification", Post "/api/v2/tailnet/:tailnet/contacts/:type/resend-verification-email", Once;
        gives Done; needs Right::Area("account_settings"); refuses "`bad_request` (none pending)";
    /// The webhooks of a tailnet.
    ListWebhooks(tailnet: TailnetName) "webhooks.list", Get WEBHOOKS, Read;
        gives Webhooks; needs Right::Area("webhooks");
    /// Makes a webhook.
    CreateWebhook(tailnet: TailnetName) "webhooks.create", Post WEBHOOKS, Once;
        sends webhook: NewWebhook; gives Webhook as WITH_SECRET; needs Right::Area("webhooks"); logs L::whole(Subject::Webhook);
        refuses "`bad_request` (subscriptions, provider), `server_error` (the URL is taken)";
    /// One webhook.
    GetWebhook(id: ItemId) "webhooks.get", Get WEBHOOK, Read;
        gives Webhook; needs Right::Area("webhooks"); refuses "`not_found`";
    /// Changes the events of a webhook.
    UpdateWebhook(id: ItemId) "webhooks.update", Patch WEBHOOK, Replace;
        sends changes: WebhookChange; gives Webhook; needs Right::Area("webhooks"); logs L::whole(Subject::Webhook);
        refuses "`not_found`, `bad_request`";
    /// Removes a webhook.
    DeleteWebhook(id: ItemId) "webhooks.delete", Delete WEBHOOK, Once;
        gives Done; needs Right::Area("webhooks"); logs L::whole(Subject::Webhook); refuses "`not_found`";
    /// Has the service send a `test` event to a webhook.
    TestWebhook(id: ItemId) "webhooks.test", Post "/api/v2/webhooks/:endpointID/test", Once;
        gives Accepted; needs Right::Area("webhooks"); refuses "`not_found`";
    /// Gives a webhook another secret.
    RotateWebhookSecret(id: ItemId) "webhooks.rotateSecret", Post "/api/v2/webhooks/:endpointID/rotate", Once;
        gives Webhook as WITH_SECRET; needs Right::Area("webhooks"); logs L::part(Subject::Webhook, "", "SECRET"); refuses "`not_found`";
    /// The services of a tailnet.
    ListServices(tailnet: TailnetName) "services.list", Get "/api/v2/tailnet/:tailnet/services", Read;
        gives VipServices; needs Right::Area("services");
    /// One service.
    GetService(tailnet: TailnetName, name: ItemId) "services.get", Get SERVICE, Read;
        gives VipService; needs Right::Area("services"); refuses "`not_found`";
    /// Makes a service, replaces or renames one.
    SetService(tailnet: TailnetName, name: ItemId) "services.set", Put SERVICE, Replace;
        sends service: VipService; gives VipService; needs Right::Area("services"); logs L::whole(Subject::Service);
        refuses "`bad_request` (addresses, ports, tags); `not_found` (if it renames)";
    /// The devices that answer for a service.
    ListServiceHosts(tailnet: TailnetName, name: ItemId) "services.hosts", Get "/api/v2/tailnet/:tailnet/services/:name/devices", Read;
        gives ServiceHosts; needs Right::Area("services"); refuses "`not_found`";
    /// Whether a device may answer for a service.
    GetServiceApproval(tailnet: TailnetName, name: ItemId, device: DeviceId) "services.approval.get", Get SERVICE_APPROVAL, Read;
        gives ServiceApproval; needs Right::Area("services"); refuses "`not_found`";
    /// Sets whether a device may answer for a service.
    SetServiceApproval(tailnet: TailnetName, name: ItemId, device: DeviceId) "services.approval.set", Post SERVICE_APPROVAL, Replace;
        sends body: Approval; gives ServiceApproval; needs Right::Area("services"); logs L::part(Subject::Hosts, "", "APPROVAL");
        refuses "`not_found`";
    /// Removes a service.
    DeleteService(tailnet: TailnetName, name: ItemId) "services.delete", Delete SERVICE, Once;
        gives Done; needs Right::Area("services"); logs L::whole(Subject::Service); refuses "`not_found`";
    /// What was changed in a tailnet.
    GetAuditLog(tailnet: TailnetName) "logs.audit", Get "/api/v2/tailnet/:tailnet/logging/configuration", Read;
        sends wanted: ChangesWanted; gives AuditLog; needs Right::Area("logs:configuration"); refuses "`bad_request` (a malformed time or event)";
    /// What devices sent each other.
    GetNetworkLog(tailnet: TailnetName) "logs.network", Get "/api/v2/tailnet/:tailnet/logging/network", Read;
        sends wanted: Window; gives NetworkLog; needs Right::Area("logs:network"); refuses "`bad_request` (a malformed time)";
    /// Where a log (`configuration` or `network`) is streamed to, without secrets.
    GetLogStream(tailnet: TailnetName, log_type: ItemId) "logs.streaming.get", Get LOG_STREAM, Read;
        gives LogStream; needs Right::Area("log_streaming"); refuses "`not_found` (none is set)";
    /// Sets where a log is streamed to; what is left out is removed.
    SetLogStream(tailnet: TailnetName, log_type: ItemId) "logs.streaming.set", Put LOG_STREAM, Replace;
        sends stream: LogStream; gives Done; needs Right::Area("log_streaming"); logs L::part(Subject::LogStream, "", "LOG_STREAMING");
        refuses "`bad_request`";
    /// Ends the streaming of a log.
    DeleteLogStream(tailnet: TailnetName, log_type: ItemId) "logs.streaming.delete", Delete LOG_STREAM, Once;
        gives Done; needs Right::Area("log_streaming"); logs L::part(Subject::LogStream, "", "LOG_STREAMING"); refuses "`not_found` (none is set)";
    /// How the streaming of a log does.
    GetLogStreamStatus(tailnet: TailnetName, log_type: ItemId)
        "logs.streaming.status", Get "/api/v2/tailnet/:tailnet/logging/:logType/stream/status", Read;
        gives LogStreamStatus; needs Right::Area("log_streaming"); refuses "`not_found` (none is set)";
    /// The external id for the trust policy of a role at AWS, for streams to S3.
    CreateAwsExternalId(tailnet: TailnetName) "logs.streaming.awsExternalId", Post "/api/v2/tailnet/:tailnet/aws-external-id", Once;
        sends wanted: ExternalIdWanted; gives AwsExternalId; needs Right::Area("log_streaming");
    /// Looks whether the trust policy of a role at AWS names the external id; stores nothing.
    ValidateAwsTrustPolicy(tailnet: TailnetName, id: ItemId)
        "logs.streaming.validateAws", Post "/api/v2/tailnet/:tailnet/aws-external-id/:externalID/validate-aws-trust-policy", Read;
        sends role: AwsRole; gives Done; needs Right::Area("log_streaming"); refuses "`not_found`, `unexpected_status` (422: it does not)";
    /// The posture integrations of a tailnet.
    ListPostureIntegrations(tailnet: TailnetName) "postureIntegrations.list", Get INTEGRATIONS, Read;
        gives PostureIntegrations; needs Right::Area("feature_settings");
    /// Makes a posture integration.
    CreatePostureIntegration(tailnet: TailnetName) "postureIntegrations.create", Post INTEGRATIONS, Once;
        sends integration: PostureIntegration as WITH_PROVIDER; gives PostureIntegration; needs Right::Area("feature_settings"); logs L::whole(Subject::Integration);
        refuses "`bad_request`, `conflict` (the provider already has one)";
    /// One posture integration.
    GetPostureIntegration(id: ItemId) "postureIntegrations.get", Get INTEGRATION, Read;
        gives PostureIntegration; needs Right::Area("feature_settings"); refuses "`not_found`";
    /// Changes a posture integration.
    UpdatePostureIntegration(id: ItemId) "postureIntegrations.update", Patch INTEGRATION, Replace;
        sends changes: PostureIntegration; gives PostureIntegration; needs Right::Area("feature_settings"); logs L::whole(Subject::Integration);
        refuses "`not_found`, `bad_request`";
    /// Removes a posture integration.
    DeletePostureIntegration(id: ItemId) "postureIntegrations.delete", Delete INTEGRATION, Once;
        gives Done; needs Right::Area("feature_settings"); logs L::whole(Subject::Integration); refuses "`not_found`";
}

impl Operation {
    /// Method and path.
    pub fn route(self) -> Route {
        self.row().route
    }

    /// Its path for this device, tailnet or thing.
    pub fn path(self, scope: &Scope, style: PathStyle) -> String {
        self.route().path(scope, style)
    }

    /// The name in JavaScript: the client's namespace and verb, `devices.list`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The effect of the operation.
    pub fn effect(self) -> Effect {
        self.row().effect
    }

    /// After which failures it may be repeated.
    pub fn rule(self) -> Rule {
        Rule::of(self.effect())
    }

    /// The rule of any request, whether it is one of the operations or not.
    pub fn rule_of(request: &Request) -> Rule {
        match Operation::find(request.method, request.path()) {
            Ok((Operation::SetService, scope)) => {
                let rule = VipService::rule_of(&scope, &request.body);
                rule.unwrap_or(Rule::RateLimitOnly)
            }
            Ok((operation, _)) => operation.rule(),
            Err(_) if request.method.is_safe() => Rule::Transient,
            Err(_) => Rule::RateLimitOnly,
        }
    }

    /// The operation of that JavaScript name.
    pub fn by_name(name: &str) -> Option<Operation> {
        Operation::ALL
            .into_iter()
            .find(|operation| operation.name() == name)
    }

    /// The operation of a method and a percent-encoded path, and its scope.
    /// Both path forms are known.
    ///
    /// # Errors
    /// [`NoRoute::UnknownPath`], or [`NoRoute::MethodNotAllowed`] with the methods that the path allows.
    pub fn find(method: Method, path: &str) -> Result<(Operation, Scope), NoRoute> {
        let mut allowed = Vec::new();
        for operation in Operation::ALL {
            let route = operation.route();
            let Some(scope) = route.scope(path) else {
                continue;
            };
            if route.method == method {
                return Ok((operation, scope));
            }
            allowed.push(route.method);
        }
        Err(if allowed.is_empty() {
            NoRoute::UnknownPath
        } else {
            NoRoute::MethodNotAllowed(allowed)
        })
    }
}

fn relayed<E: Endpoint>(
    style: PathStyle,
    scope: Scope,
    (request, response): (&Request, &Response),
) -> Result<(Request, Response), Error> {
    let call = E::from_request(scope, request)?;
    let output = E::output(response)?;
    Ok((call.to_request(style), E::respond(&output)))
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
