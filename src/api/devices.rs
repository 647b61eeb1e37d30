//! What the calls carry that list and read devices, and those about their routes.
//! Must not live here: changes of a device (`device_changes`), who owns which device.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

use super::device_filter::DeviceFilter;
use super::error::Error;
use super::input::bodies;
use super::message::{Request, Response};
use super::payload::{Answer, Payload, given_as_json, null_as_default, read_output};
use super::shape::{Form, Member, MemberKind, Shape, member};
use super::table::operations;
use super::uri;
use super::wire_types::wire_types;

wire_types! {
    /// A device as the service describes it. Only `id` is certain; fields that are not named here are kept.
    #[non_exhaustive]
    pub struct Device {
        /// Identifier, the `deviceID` of the paths.
        pub id: String,
        /// The identifier that newer services prefer in paths.
        pub node_id: Option<String>,
        /// Addresses in the tailnet.
        pub addresses: Option<Vec<String>>,
        /// Login name of the owner.
        pub user: Option<String>,
        /// Fully qualified name.
        pub name: Option<String>,
        /// Name that the device reports.
        pub hostname: Option<String>,
        /// Version of the client software.
        pub client_version: Option<String>,
        /// Whether a newer version exists.
        pub update_available: Option<bool>,
        /// Operating system.
        pub os: Option<String>,
        /// When it joined (RFC 3339), in UTC.
        pub created: Option<String>,
        /// When it was last seen (RFC 3339); absent while the device is connected, and if it never was.
        pub last_seen: Option<String>,
        /// Whether the key never expires.
        pub key_expiry_disabled: Option<bool>,
        /// When the key expires.
        pub expires: Option<String>,
        /// Whether the device may take part in the tailnet.
        pub authorized: Option<bool>,
        /// Whether the device is shared from another tailnet.
        pub is_external: Option<bool>,
        /// Whether the device is removed once it stays offline.
        pub is_ephemeral: Option<bool>,
        /// Whether the device is connected to the service now.
        pub connected_to_control: Option<bool>,
        /// Public machine key.
        pub machine_key: Option<String>,
        /// Public node key.
        pub node_key: Option<String>,
        /// Whether the device refuses incoming connections.
        pub blocks_incoming_connections: Option<bool>,
        /// Subnet routes in force; only with [`Fields`] that include all.
        pub enabled_routes: Option<Vec<String>>,
        /// Subnet routes that the device offers; only with [`Fields`] that include all.
        pub advertised_routes: Option<Vec<String>>,
        /// How the device is connected; only with [`Fields`] that include all.
        pub client_connectivity: Option<ClientConnectivity>,
        /// Tags; older services do not send them.
        pub tags: Option<Vec<String>>,
        /// Everything else.
        pub other: Map<String, Value>,
    }
}

/// How a device is connected.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct ClientConnectivity {
    /// `ip:port` addresses.
    #[serde(deserialize_with = "null_as_default")]
    pub endpoints: Vec<String>,
    /// Relay in use; may be empty.
    #[serde(deserialize_with = "null_as_default")]
    pub derp: String,
    /// Whether network address translation depends on the destination.
    #[serde(rename = "mappingVariesByDestIP")]
    pub mapping_varies_by_dest_ip: Option<bool>,
    /// Latencies by relay region.
    #[serde(deserialize_with = "null_as_default")]
    pub latency: BTreeMap<String, Latency>,
    /// What the device's network can do.
    pub client_supports: ClientSupports,
    /// Everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

wire_types! {
    /// The way to a relay region.
    #[non_exhaustive]
    pub struct Latency {
        /// Milliseconds.
        pub latency_ms: f64,
        /// Whether this region is the one in use.
        pub preferred: Option<bool>,
    }
}

/// What a device's network can do; `None` where it is not known.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct ClientSupports {
    /// Reaching itself by its public address.
    pub hair_pinning: Option<bool>,
    /// IPv6.
    pub ipv6: Option<bool>,
    /// Port Control Protocol (RFC 6887).
    pub pcp: Option<bool>,
    /// NAT Port Mapping Protocol (RFC 6886).
    pub pmp: Option<bool>,
    /// UDP.
    pub udp: Option<bool>,
    /// Universal Plug and Play.
    pub upnp: Option<bool>,
}

/// The subnet routes of a device. Neither list needs to contain the other.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Routes {
    /// Routes that the device offers, as prefixes.
    #[serde(deserialize_with = "null_as_default")]
    pub advertised_routes: Vec<String>,
    /// Routes in force, as prefixes.
    #[serde(deserialize_with = "null_as_default")]
    pub enabled_routes: Vec<String>,
}

/// One word of the `fields` parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Field {
    /// All but routes and connectivity.
    Default,
    /// Everything.
    All,
}

impl Field {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Field::Default => "default",
            Field::All => "all",
        }
    }

    /// The field set of that name.
    pub fn parse(word: &str) -> Option<Field> {
        [Field::Default, Field::All]
            .into_iter()
            .find(|field| field.as_str() == word)
    }
}

/// Which fields an answer should have: the union of these words; an empty list means the default set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fields(pub Vec<Field>);

const FIELDS: &str = "fields";
const OF_ONE: &[Member] = &[member(FIELDS, MemberKind::Any)];
const OF_ALL: &[Member] = &[
    member(FIELDS, MemberKind::Any),
    member("filter", MemberKind::Object),
];

impl Fields {
    /// Every field.
    pub fn all() -> Fields {
        Fields(vec![Field::All])
    }

    /// Whether routes and connectivity are requested.
    pub fn includes_all(&self) -> bool {
        self.0.contains(&Field::All)
    }

    /// Appends the parameter, if there are any words.
    pub fn push(&self, target: &mut String) {
        let words: Vec<&str> = self.0.iter().map(|field| field.as_str()).collect();
        if !words.is_empty() {
            uri::push_query(target, FIELDS, &words.join(","));
        }
    }

    /// Reads the words of all parameters of this name. Unknown words are ignored.
    fn of_query(query: &str) -> Fields {
        let values = uri::query_pairs(query).filter(|(name, _)| name == FIELDS);
        let read = |(_, value): (String, String)| -> Vec<Field> {
            value
                .split(',')
                .filter_map(|word| Field::parse(word.trim()))
                .collect()
        };
        Fields(values.flat_map(read).collect())
    }
}

/// Checks the only field that is certain.
fn identified(at: impl Into<Cow<'static, str>>, device: Device) -> Result<Device, Error> {
    if device.id.is_empty() {
        return Err(Error::malformed(at, "is not a string"));
    }
    Ok(device)
}

/// The body of a list of devices.
#[derive(Serialize, Deserialize)]
struct DevicesBody<'d> {
    #[serde(deserialize_with = "null_as_default")]
    devices: Cow<'d, [Device]>,
}

impl Payload for Fields {
    const FORM: Form = Form::Devices(OF_ONE);

    fn write(&self, request: &mut Request) {
        self.push(&mut request.target);
    }

    fn read(request: &Request) -> Result<Self, Error> {
        Ok(Fields::of_query(request.query()))
    }
}

/// Which devices are listed, and with which fields.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DevicesWanted {
    /// Which fields.
    pub fields: Fields,
    /// Which devices; a service that ignores the filter sends more.
    pub filter: DeviceFilter,
}

impl Payload for DevicesWanted {
    const FORM: Form = Form::Devices(OF_ALL);

    fn write(&self, request: &mut Request) {
        self.fields.push(&mut request.target);
        self.filter.write(&mut request.target);
    }

    fn read(request: &Request) -> Result<Self, Error> {
        Ok(DevicesWanted {
            fields: Fields::of_query(request.query()),
            filter: DeviceFilter::read(request.query()),
        })
    }
}

impl Answer for Device {
    const SHAPE: Shape = Shape::Object(&[member("id", MemberKind::Text)]);

    fn read(response: &Response) -> Result<Device, Error> {
        identified("id", read_output(response)?)
    }

    fn write(&self) -> Response {
        Response::json(200, self)
    }
}

impl Answer for Vec<Device> {
    const SHAPE: Shape = Shape::Devices;

    fn read(response: &Response) -> Result<Vec<Device>, Error> {
        let devices = read_output::<DevicesBody>(response)?.devices.into_owned();
        let checked = devices.into_iter().enumerate();
        checked
            .map(|(index, device)| identified(format!("devices[{index}].id"), device))
            .collect()
    }

    fn write(&self) -> Response {
        let devices = Cow::Borrowed(self.as_slice());
        Response::json(200, &DevicesBody { devices })
    }
}

given_as_json! {
    Routes: Shape::Object(&[
        member("advertisedRoutes", MemberKind::Texts),
        member("enabledRoutes", MemberKind::Texts),
    ]),
}

bodies! {
    /// The enabled subnet routes of a device.
    NewRoutes {
        /// The new list, as prefixes.
        routes: Vec<String> = "routes",
    }
}

const DEVICE: &str = "/api/v2/device/:deviceID";
const ROUTES: &str = "/api/v2/device/:deviceID/routes";

operations! {
    /// One device.
    GetDevice(id: DeviceId) "devices.get", Get DEVICE, Read;
        sends fields: Fields; gives Device; needs Area("devices:core"); refuses "`not_found`";
        typed "(id: string, params?: { /** Which fields; `default` if absent. */ fields?: Fields }): Device";
        example "const { advertisedRoutes } = await client.devices.get(device.id, { fields: 'all' })";
        heads "devices" "The devices of the tailnet.";
    /// Removes a device from its tailnet. A device of another tailnet is `not_implemented`.
    DeleteDevice(id: DeviceId) "devices.delete", Delete DEVICE, Once;
        gives (); needs Area("devices:core"); logs whole(Device);
        refuses "`not_found`, `not_implemented` (external, or another tailnet's)";
        example "await client.devices.delete(device.id)";
    /// The subnet routes of a device: what it advertises and what is enabled.
    GetDeviceRoutes(id: DeviceId) "devices.routes.get", Get ROUTES, Read;
        gives Routes; needs Area("devices:routes"); refuses "`not_found`";
        example "const { advertisedRoutes, enabledRoutes } = await client.devices.routes.get(device.id)";
        heads "devices.routes" "The subnet routes of a device.";
    /// Replaces the enabled subnet routes of a device. A client checks every prefix first, unless `validate` is false; the routes are sent exactly as given.
    SetDeviceRoutes(id: DeviceId) "devices.routes.set", Post ROUTES, Replace;
        sends body: NewRoutes; gives Routes; needs Area("devices:routes"); logs part(Device, "enabledRoutes", "ALLOWED_IPS");
        refuses "`not_found`, `bad_request`";
        typed "(id: string, routes: string[], o?: CallOptions & { /** Whether prefixes are checked before anything is sent; true by default. */ validate?: boolean }): Routes";
        example "await client.devices.routes.set(device.id, ['10.0.0.0/8', '::/0'])";
    /// All devices of a tailnet, or those that a filter names. A client checks each again, as a service may ignore the filter.
    ListDevices(tailnet: TailnetName) "devices.list", Get "/api/v2/tailnet/:tailnet/devices", Read;
        sends wanted: DevicesWanted; gives Vec<Device>; needs Area("devices:core"); refuses "`not_found`";
        typed "(params?: { /** Which fields; `default` if absent. */ fields?: Fields; /** Which devices; fields that it needs are requested. */ filter?: DeviceFilter }): Device[]";
        example "const tagged = await client.devices.list({ fields: 'all', filter: { tags: 'tag:web' } })
            tagged.map(({ hostname }) => hostname) // → ['web-1', 'web-2']";
}
