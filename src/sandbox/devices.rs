//! The calls that read and delete devices and set their routes. Must not live here: other changes (`device_changes`), what a device looks like (`device`), wire shapes (`api`).

use std::net::IpAddr;

use serde::Serialize;

use super::choices::{Outcome, Refusal};
use super::perform::serves;
use super::{Device, Sandbox, Tailnet, device};
use crate::api::{
    DeleteDevice, DeviceId, Endpoint, GetDevice, GetDeviceRoutes, ListDevices, Request, Response,
    Routes, Scope, SetDeviceRoutes,
};
use crate::cidr;
use crate::tables::sort::sort_by;

/// The body of the answer to [`ListDevices`].
#[derive(Serialize)]
struct Listed<'d> {
    devices: Vec<device::Answer<'d>>,
}

serves! {
    GetDevice: whole get_device,
    DeleteDevice: plain delete_device,
    GetDeviceRoutes: plain get_device_routes,
    SetDeviceRoutes: plain set_device_routes,
    ListDevices: whole list_devices,
}

impl Sandbox {
    /// Made from the device as it was given, not from [`crate::api::Device`], so that nothing is lost.
    fn get_device(&self, scope: Scope, request: &Request) -> Outcome<Response> {
        let call = GetDevice::from_request(scope, request)?;
        let device = self.device(&call.id)?;
        Ok(Response::json(
            200,
            &device.answer(call.fields.includes_all()),
        ))
    }

    fn list_devices(&self, scope: Scope, request: &Request) -> Outcome<Response> {
        let call = ListDevices::from_request(scope, request)?;
        let all = call.wanted.fields.includes_all();
        let devices = self.tailnet(&call.tailnet)?.devices.iter();
        let wanted = devices.filter(|device| call.wanted.filter.admits(|name| device.field(name)));
        let devices = wanted.map(|device| device.answer(all)).collect();
        Ok(Response::json(200, &Listed { devices }))
    }

    /// A device that exists, but not in a tailnet that the key opens, is refused as the service does (docs/service.md#devices).
    fn delete_device(&mut self, call: DeleteDevice) -> Outcome<()> {
        let id = call.id.as_str();
        let exists = self
            .state
            .tailnets
            .iter()
            .any(|(_, tailnet)| tailnet.device(id).is_some());
        let (_, home) = match self.home_of(&call.id) {
            Err(_) if exists => return Err(Refusal::ForeignDevice),
            found => found?,
        };
        if home.device(id).is_some_and(Device::is_external) {
            return Err(Refusal::ForeignDevice);
        }
        self.remove_device(&call.id)
    }

    /// With every field.
    pub(super) fn remove_device(&mut self, id: &DeviceId) -> Outcome<()> {
        let gone = self.device(id)?.id().to_owned();
        let (_, home) = self.home_of(id)?;
        home.remove_devices(|device| device.id() == gone);
        Ok(())
    }

    fn get_device_routes(&self, call: GetDeviceRoutes) -> Outcome<Routes> {
        Ok(routes(self.device(&call.id)?))
    }

    fn set_device_routes(&mut self, call: SetDeviceRoutes) -> Outcome<Routes> {
        let device = self.device_mut(&call.id)?;
        judge_routes(&call.body.routes)?;
        device.set("enabledRoutes", as_set(call.body.routes));
        Ok(routes(device))
    }
}

impl Tailnet {
    /// Removes these devices, with all that is stored about them.
    pub(super) fn remove_devices(&mut self, is_gone: impl Fn(&Device) -> bool) {
        let devices = std::mem::take(&mut self.devices);
        let (gone, kept): (Vec<_>, Vec<_>) = devices.into_iter().partition(is_gone);
        self.devices = kept;
        for device in gone {
            self.attributes.remove(device.id());
            for hosts in self.service_hosts.values_mut() {
                hosts.retain(|host| !device.answers_to(&host.stable_node_id));
            }
        }
    }
}

/// Refuses routes that are no prefixes.
pub(super) fn judge_routes(routes: &[String]) -> Outcome<()> {
    routes.iter().try_for_each(|prefix| {
        let checked = cidr::check(prefix, cidr::Options::default());
        checked.map_err(|error| Refusal::BadRequest(error.to_string()))?;
        Ok(())
    })
}

/// Routes in the order of their addresses, IPv4 first, each once.
fn as_set(routes: Vec<String>) -> Vec<String> {
    // INVARIANT: judged before, so each is a prefix.
    let prefix = |route: String| {
        let (address, bits) = route.split_once('/')?;
        let prefix = (address.parse::<IpAddr>().ok()?, bits.parse::<u8>().ok()?);
        Some((prefix, route))
    };
    let mut known: Vec<_> = routes.into_iter().filter_map(prefix).collect();
    sort_by(&mut known, |a, b| a.0.cmp(&b.0));
    known.dedup_by(|later, first| later.0 == first.0);
    known.into_iter().map(|(_, route)| route).collect()
}

fn routes(device: &Device) -> Routes {
    Routes {
        advertised_routes: device.list("advertisedRoutes"),
        enabled_routes: device.list("enabledRoutes"),
    }
}
