//! The five calls about devices. Must not live here: what a device looks like (`device`), wire shapes (`api`).

use super::choices::Refusal;
use super::{Device, Sandbox};
use crate::api::{
    self, DeleteDevice, GetDevice, GetDeviceRoutes, ListDevices, Routes, SetDeviceRoutes,
};
use crate::cidr;

impl Sandbox {
    pub(super) fn get_device(&self, call: GetDevice) -> Result<api::Device, Refusal> {
        Ok(self.device(&call.id)?.answer(call.fields.includes_all()))
    }

    pub(super) fn list_devices(&self, call: ListDevices) -> Result<Vec<api::Device>, Refusal> {
        let devices = &self.tailnet(&call.tailnet)?.devices;
        Ok(devices
            .iter()
            .map(|device| device.answer(call.fields.includes_all()))
            .collect())
    }

    /// A device that exists, but not as a device of a tailnet that the key opens, is refused as the specification has it.
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
        if home.device(id).is_some_and(Device::is_external) {
            return Err(Refusal::ForeignDevice);
        }
        home.devices.retain(|device| device.id() != id);
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
