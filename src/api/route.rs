//! The table of routes: every operation's method and path, written once for client and server.
//! Must not live here: bodies, headers, answers.
use std::fmt;

use super::error::Error;
use super::message::Method;
use super::uri;

/// Everything the service can be asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// Details of one device.
    GetDevice,
    /// Removes a device from its tailnet.
    DeleteDevice,
    /// Advertised and enabled subnet routes of a device.
    GetDeviceRoutes,
    /// Replaces the enabled subnet routes of a device.
    SetDeviceRoutes,
    /// The devices of a tailnet.
    ListDevices,
    /// The access-control policy.
    GetAcl,
    /// Replaces the access-control policy.
    SetAcl,
    /// Which rules of a given policy concern a user; stores nothing.
    PreviewAcl,
    /// The nameservers.
    GetNameservers,
    /// Replaces the nameservers.
    SetNameservers,
    /// Whether MagicDNS is on.
    GetPreferences,
    /// Turns MagicDNS on or off.
    SetPreferences,
    /// The DNS search paths.
    GetSearchPaths,
    /// Replaces the DNS search paths.
    SetSearchPaths,
    /// Extension: checks a policy, or runs tests against the stored one; stores nothing.
    ValidateAcl,
    /// Extension: authorizes a device.
    AuthorizeDevice,
    /// Extension: replaces the tags of a device.
    SetDeviceTags,
    /// Extension: changes the key settings of a device.
    SetDeviceKey,
    /// Extension: renames a device.
    SetDeviceName,
    /// Extension: changes the tailnet address of a device.
    SetDeviceIp,
}

/// What an operation leaves behind; this decides when it may be repeated and who may be let through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Puts a value in place of another: doing it twice is doing it once.
    Replace,
    /// A repetition after a lost answer would fail or mislead.
    Once,
}

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path; a segment that begins with `:` stands for the device or the tailnet.
    pub template: &'static str,
}

const DEVICE: &str = "/api/v2/device/:deviceID";
const DEVICE_ROUTES: &str = "/api/v2/device/:deviceID/routes";
const DEVICE_AUTHORIZED: &str = "/api/v2/device/:deviceID/authorized";
const DEVICE_TAGS: &str = "/api/v2/device/:deviceID/tags";
const DEVICE_KEY: &str = "/api/v2/device/:deviceID/key";
const DEVICE_NAME: &str = "/api/v2/device/:deviceID/name";
const DEVICE_IP: &str = "/api/v2/device/:deviceID/ip";
const DEVICES: &str = "/api/v2/tailnet/:tailnet/devices";
const ACL: &str = "/api/v2/tailnet/:tailnet/acl";
const ACL_PREVIEW: &str = "/api/v2/tailnet/:tailnet/acl/preview";
const ACL_VALIDATE: &str = "/api/v2/tailnet/:tailnet/acl/validate";
const NAMESERVERS: &str = "/api/v2/tailnet/:tailnet/dns/nameservers";
const PREFERENCES: &str = "/api/v2/tailnet/:tailnet/dns/preferences";
const SEARCH_PATHS: &str = "/api/v2/tailnet/:tailnet/dns/searchpaths";

/// The segment of a template that the service also knows under an earlier name.
const TAILNET_SEGMENT: &str = "tailnet";

impl Operation {
    /// The operations of the specification, in its order.
    pub const ALL: [Operation; 14] = [
        Operation::GetDevice,
        Operation::DeleteDevice,
        Operation::GetDeviceRoutes,
        Operation::SetDeviceRoutes,
        Operation::ListDevices,
        Operation::GetAcl,
        Operation::SetAcl,
        Operation::PreviewAcl,
        Operation::GetNameservers,
        Operation::SetNameservers,
        Operation::GetPreferences,
        Operation::SetPreferences,
        Operation::GetSearchPaths,
        Operation::SetSearchPaths,
    ];

    /// Operations beyond the specification that newer clients send; a server knows them, the client
    /// offers them through its door for anything unnamed.
    pub const EXTENSIONS: [Operation; 6] = [
        Operation::ValidateAcl,
        Operation::AuthorizeDevice,
        Operation::SetDeviceTags,
        Operation::SetDeviceKey,
        Operation::SetDeviceName,
        Operation::SetDeviceIp,
    ];

    /// Method and path of the operation.
    #[inline(never)] // Or it would stand in the code once for each operation that is looked through.
    pub fn route(self) -> Route {
        use Method::{Delete, Get, Post};
        let (method, template) = match self {
            Operation::GetDevice => (Get, DEVICE),
            Operation::DeleteDevice => (Delete, DEVICE),
            Operation::GetDeviceRoutes => (Get, DEVICE_ROUTES),
            Operation::SetDeviceRoutes => (Post, DEVICE_ROUTES),
            Operation::ListDevices => (Get, DEVICES),
            Operation::GetAcl => (Get, ACL),
            Operation::SetAcl => (Post, ACL),
            Operation::PreviewAcl => (Post, ACL_PREVIEW),
            Operation::GetNameservers => (Get, NAMESERVERS),
            Operation::SetNameservers => (Post, NAMESERVERS),
            Operation::GetPreferences => (Get, PREFERENCES),
            Operation::SetPreferences => (Post, PREFERENCES),
            Operation::GetSearchPaths => (Get, SEARCH_PATHS),
            Operation::SetSearchPaths => (Post, SEARCH_PATHS),
            Operation::ValidateAcl => (Post, ACL_VALIDATE),
            Operation::AuthorizeDevice => (Post, DEVICE_AUTHORIZED),
            Operation::SetDeviceTags => (Post, DEVICE_TAGS),
            Operation::SetDeviceKey => (Post, DEVICE_KEY),
            Operation::SetDeviceName => (Post, DEVICE_NAME),
            Operation::SetDeviceIp => (Post, DEVICE_IP),
        };
        Route { method, template }
    }

    /// The name in JavaScript: the client's namespace and verb, `devices.list`. Extensions have names of
    /// the same form.
    #[inline(never)] // As `route`.
    pub fn name(self) -> &'static str {
        match self {
            Operation::GetDevice => "devices.get",
            Operation::DeleteDevice => "devices.delete",
            Operation::GetDeviceRoutes => "devices.routes.get",
            Operation::SetDeviceRoutes => "devices.routes.set",
            Operation::ListDevices => "devices.list",
            Operation::GetAcl => "acl.get",
            Operation::SetAcl => "acl.set",
            Operation::PreviewAcl => "acl.preview",
            Operation::GetNameservers => "dns.nameservers.get",
            Operation::SetNameservers => "dns.nameservers.set",
            Operation::GetPreferences => "dns.preferences.get",
            Operation::SetPreferences => "dns.preferences.set",
            Operation::GetSearchPaths => "dns.searchPaths.get",
            Operation::SetSearchPaths => "dns.searchPaths.set",
            Operation::ValidateAcl => "acl.validate",
            Operation::AuthorizeDevice => "devices.authorized.set",
            Operation::SetDeviceTags => "devices.tags.set",
            Operation::SetDeviceKey => "devices.key.set",
            Operation::SetDeviceName => "devices.name.set",
            Operation::SetDeviceIp => "devices.ip.set",
        }
    }

    /// What the operation leaves behind.
    pub fn effect(self) -> Effect {
        match self {
            Operation::GetDevice
            | Operation::GetDeviceRoutes
            | Operation::ListDevices
            | Operation::GetAcl
            | Operation::PreviewAcl
            | Operation::GetNameservers
            | Operation::GetPreferences
            | Operation::GetSearchPaths
            | Operation::ValidateAcl => Effect::Read,
            Operation::SetDeviceRoutes
            | Operation::SetNameservers
            | Operation::SetPreferences
            | Operation::SetSearchPaths => Effect::Replace,
            Operation::DeleteDevice
            | Operation::SetAcl
            | Operation::AuthorizeDevice
            | Operation::SetDeviceTags
            | Operation::SetDeviceKey
            | Operation::SetDeviceName
            | Operation::SetDeviceIp => Effect::Once,
        }
    }

    /// All operations, extensions last.
    pub fn every() -> impl Iterator<Item = Operation> {
        Operation::ALL.into_iter().chain(Operation::EXTENSIONS)
    }

    /// The operation of that JavaScript name.
    pub fn by_name(name: &str) -> Option<Operation> {
        Operation::every().find(|operation| operation.name() == name)
    }

    /// The path of the operation for this device or tailnet, percent-encoded.
    ///
    /// The kind of scope is not compared with the template: call types pair them.
    pub fn path(self, scope: &Scope, style: PathStyle) -> String {
        let mut path = String::new();
        for segment in segments(self.route().template) {
            path.push('/');
            match segment {
                TAILNET_SEGMENT => path.push_str(style.segment()),
                slot if slot.starts_with(':') => uri::encode_into(&mut path, scope.as_str()),
                word => path.push_str(word),
            }
        }
        path
    }

    /// The operation that a method and a percent-encoded path ask for, and whom it concerns.
    /// Both path forms are known.
    ///
    /// # Errors
    /// [`NoRoute::UnknownPath`], or [`NoRoute::MethodNotAllowed`] with the methods that the path knows.
    pub fn find(method: Method, path: &str) -> Result<(Operation, Scope), NoRoute> {
        let mut allowed = Vec::new();
        for operation in Operation::every() {
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

impl Route {
    /// Whom a path concerns, if it fits the template.
    fn scope(self, path: &str) -> Option<Scope> {
        let mut scope = None;
        let mut given = segments(path);
        for segment in segments(self.template) {
            let found = given.next()?;
            match segment {
                TAILNET_SEGMENT if PathStyle::is_segment(found) => {}
                ":deviceID" => scope = DeviceId::new(uri::decode(found)?).map(Scope::Device).ok(),
                ":tailnet" => {
                    scope = TailnetName::new(uri::decode(found)?)
                        .map(Scope::Tailnet)
                        .ok()
                }
                word if word == found => {}
                _ => return None,
            }
        }
        given.next().is_none().then_some(scope).flatten()
    }
}

/// The parts between the slashes of an absolute path.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('/').unwrap_or(path).split('/')
}

/// How tailnet-scoped paths are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PathStyle {
    /// Today's form.
    #[default]
    Tailnet,
    /// The earlier form; same operations, same payloads.
    Domain,
}

impl PathStyle {
    /// Both styles.
    pub const ALL: [PathStyle; 2] = [PathStyle::Tailnet, PathStyle::Domain];

    /// The style's name, which is also the segment that stands before the tailnet.
    pub fn segment(self) -> &'static str {
        match self {
            PathStyle::Tailnet => TAILNET_SEGMENT,
            PathStyle::Domain => "domain",
        }
    }

    fn is_segment(segment: &str) -> bool {
        PathStyle::ALL
            .into_iter()
            .any(|style| style.segment() == segment)
    }
}

/// Why a method and a path name no operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoRoute {
    /// No operation has this path.
    UnknownPath,
    /// The path is known, with these methods only.
    MethodNotAllowed(Vec<Method>),
}

/// Whom an operation concerns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// One device.
    Device(DeviceId),
    /// One tailnet.
    Tailnet(TailnetName),
}

impl Scope {
    /// The identifier, not encoded.
    pub fn as_str(&self) -> &str {
        match self {
            Scope::Device(id) => id.as_str(),
            Scope::Tailnet(name) => name.as_str(),
        }
    }

    /// The device.
    ///
    /// # Errors
    /// [`Error::Argument`] where the scope is a tailnet.
    pub fn device(self) -> Result<DeviceId, Error> {
        match self {
            Scope::Device(id) => Ok(id),
            Scope::Tailnet(_) => Err(Error::argument("id", "is missing")),
        }
    }

    /// The tailnet.
    ///
    /// # Errors
    /// [`Error::Argument`] where the scope is a device.
    pub fn tailnet(self) -> Result<TailnetName, Error> {
        match self {
            Scope::Tailnet(name) => Ok(name),
            Scope::Device(_) => Err(Error::argument("tailnet", "is missing")),
        }
    }
}

/// The identifier of a device, unique over all tailnets.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DeviceId(String);

/// The name of a tailnet: a domain, the full e-mail address of a solo account, or `-` for the key's own.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TailnetName(String);

/// A word that can stand as one path segment: not empty, and no step in the tree.
fn path_word(option: &'static str, text: String) -> Result<String, Error> {
    if text.is_empty() {
        return Err(Error::argument(option, "must not be empty"));
    }
    if uri::is_dot_segment(&text) {
        return Err(Error::argument(option, "must not be `.` or `..`"));
    }
    Ok(text)
}

impl DeviceId {
    /// An identifier as the device list gives it.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty text, `.` and `..`: they would change the path.
    pub fn new(id: impl Into<String>) -> Result<Self, Error> {
        path_word("id", id.into()).map(DeviceId)
    }

    /// The identifier as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TailnetName {
    /// A tailnet's name.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty text, `.` and `..`: they would change the path.
    pub fn new(name: impl Into<String>) -> Result<Self, Error> {
        path_word("tailnet", name.into()).map(TailnetName)
    }

    /// The name as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
