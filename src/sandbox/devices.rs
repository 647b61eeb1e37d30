//! The calls that read and delete devices and set their routes. Must not live here: other changes (`device_changes`), what a device looks like (`device`), wire shapes (`api`).

use serde::Serialize;

use super::choices::Refusal;
use super::{Device, Sandbox, device};
use crate::api::{
    DeleteDevice, DeviceId, Endpoint, GetDevice, GetDeviceRoutes, ListDevices, Request, Response,
    Routes, Scope, SetDeviceRoutes,
};
use crate::cidr;

/// The body of the answer to [`ListDevices`].
#[derive(Serialize)]
struct Listed<'d> {
    devices: Vec<device::Answer<'d>>,
}

impl Sandbox {
    /// Made from the device as it was given, not from [`crate::api::Device`], so that nothing is lost.
    pub(super) fn get_device(&self, scope: Scope, request: &Request) -> Result<Response, Refusal> {
        let call = GetDevice::from_request(scope, request)?;
        let device = self.device(&call.id)?;
        Ok(Response::json(
            200,
            &device.answer(call.fields.includes_all()),
        ))
    }

    pub(super) fn list_devices(
        &self,
        scope: Scope,
        request: &Request,
    ) -> Result<Response, Refusal> {
        let call = ListDevices::from_request(scope, request)?;
        let all = call.fields.includes_all();
        let devices = self.tailnet(&call.tailnet)?.devices.iter();
        let wanted = devices.filter(|device| call.filter.admits(|name| device.field(name)));
        let devices = wanted.map(|device| device.answer(all)).collect();
        Ok(Response::json(200, &Listed { devices }))
    }

    /// A device that exists, but not in a tailnet that the key opens, is refused as the service does (docs/service.md#devices).
    pub(super) fn delete_device(&mut self, call: DeleteDevice) -> Result<(), Refusal> {
        let id = call.id.as_str();
        let exists = self
            .state
            .tailnets
            .iter()
            .any(|(_, tailnet)| tailnet.device(id).is_some());
        let home = self.home_of(&call.id);
        let home = home.map_err(|unknown| {
            if exists {
                Refusal::ForeignDevice
            } else {
                unknown
            }
        })?;
        if home.1.device(id).is_some_and(Device::is_external) {
            return Err(Refusal::ForeignDevice);
        }
        self.remove_device(&call.id)
    }

    /// With every field.
    pub(super) fn remove_device(&mut self, id: &DeviceId) -> Result<(), Refusal> {
        let kept = self.device(id)?.id().to_owned();
        let (_, home) = self.home_of(id)?;
        home.devices.retain(|device| device.id() != kept);
        home.attributes.remove(&kept);
        for hosts in home.service_hosts.values_mut() {
            hosts.retain(|host| host.stable_node_id != kept);
        }
        Ok(())
    }

    pub(super) fn get_device_routes(&self, call: GetDeviceRoutes) -> Result<Routes, Refusal> {
        Ok(routes(self.device(&call.id)?))
    }

    pub(super) fn set_device_routes(&mut self, call: SetDeviceRoutes) -> Result<Routes, Refusal> {
        let device = self.device_mut(&call.id)?;
        for prefix in &call.routes {
            let checked = cidr::check(prefix, cidr::Options::default());
            checked.map_err(|error| Refusal::BadEntry(error.to_string()))?;
        }
        device.set("enabledRoutes", call.routes);
        Ok(routes(device))
    }
}

fn routes(device: &Device) -> Routes {
    Routes {
        advertised_routes: device.list("advertisedRoutes"),
        enabled_routes: device.list("enabledRoutes"),
    }
}
