//! The calls with typed answers, for Rust programs. Must not live here: anything but one short method for each call.
use super::{CallOptions, Client, Error};
use crate::api::{
    AclBody, AclDocument, AclFormat, AclPreview, DeleteDevice, Device, DeviceFilter, DeviceId,
    Endpoint, Fields, GetAcl, GetDevice, GetDeviceRoutes, GetNameservers, GetPreferences,
    GetSearchPaths, IfMatch, ListDevices, Nameservers, NameserversSet, Preferences, PreviewAcl,
    PreviewFor, Routes, SearchPaths, SetAcl, SetDeviceRoutes, SetNameservers, SetPreferences,
    SetSearchPaths, TailnetName, Transport,
};

/// Every method fails as [`Client::call`] does; those about a tailnet also with `invalid_argument` where the
/// client's options name none. For calls without a method here, another tailnet or other options, use `client.call(&…)`.
impl<T: Transport<Body = Vec<u8>>> Client<T> {
    /// Sends a call and reads its answer.
    ///
    /// # Errors
    /// [`CallError`](crate::api::CallError): see its [`Kind`](crate::api::Kind) for all that can happen.
    pub async fn call<E: Endpoint>(
        &self,
        endpoint: &E,
        call: &CallOptions,
    ) -> Result<E::Output, Error<T>> {
        let request = endpoint.to_request(self.options.path_style);
        let sent = self.send(request, endpoint.rule(), call, E::output);
        let (output, _) = sent.await?;
        Ok(output)
    }

    /// Makes the call for the client's tailnet and sends it.
    async fn ask<E: Endpoint>(
        &self,
        endpoint: impl FnOnce(TailnetName) -> E,
    ) -> Result<E::Output, Error<T>> {
        let call = CallOptions::default();
        let tailnet = self.tailnet(&call);
        let tailnet = tailnet.map_err(|error| self.unsent::<E>(error))?;
        self.call(&endpoint(tailnet), &call).await
    }

    /// The devices of the tailnet.
    pub async fn list_devices(&self, fields: Fields) -> Result<Vec<Device>, Error<T>> {
        self.find_devices(DeviceFilter::default(), fields).await
    }

    /// The devices of the tailnet that a filter admits. It is also applied to the answer, as services may ignore it.
    pub async fn find_devices(
        &self,
        filter: DeviceFilter,
        fields: Fields,
    ) -> Result<Vec<Device>, Error<T>> {
        let fields = match filter.needs_all() {
            true => Fields::all(),
            false => fields,
        };
        let asked = filter.clone();
        let listed = self.ask(|tailnet| ListDevices {
            tailnet,
            fields,
            filter: asked,
        });
        let mut devices = listed.await?;
        if !filter.is_empty() {
            devices.retain(|device| {
                let row = serde_json::to_value(device).unwrap_or_default();
                filter.admits(|name| row.get(name))
            });
        }
        Ok(devices)
    }

    /// Details of one device.
    pub async fn get_device(&self, id: DeviceId, fields: Fields) -> Result<Device, Error<T>> {
        self.call(&GetDevice { id, fields }, &CallOptions::default())
            .await
    }

    /// Removes a device from its tailnet.
    pub async fn delete_device(&self, id: DeviceId) -> Result<(), Error<T>> {
        self.call(&DeleteDevice { id }, &CallOptions::default())
            .await
    }

    /// Advertised and enabled routes of a device.
    pub async fn device_routes(&self, id: DeviceId) -> Result<Routes, Error<T>> {
        self.call(&GetDeviceRoutes { id }, &CallOptions::default())
            .await
    }

    /// Replaces the enabled routes of a device, exactly as given.
    pub async fn set_device_routes(
        &self,
        id: DeviceId,
        routes: Vec<String>,
    ) -> Result<Routes, Error<T>> {
        self.call(&SetDeviceRoutes { id, routes }, &CallOptions::default())
            .await
    }

    /// The policy, as text or as its parsed form.
    pub async fn get_acl(&self, format: AclFormat) -> Result<AclDocument, Error<T>> {
        self.ask(|tailnet| GetAcl {
            tailnet,
            format,
            details: false,
        })
        .await
    }

    /// Replaces the policy; `if_match` guards it against writing over someone else's change.
    pub async fn set_acl(
        &self,
        body: AclBody,
        if_match: Option<IfMatch>,
    ) -> Result<AclDocument, Error<T>> {
        let format = AclFormat::HuJson;
        self.ask(|tailnet| SetAcl {
            tailnet,
            body,
            if_match,
            format,
        })
        .await
    }

    /// The rules of a policy that concern a user, or an address and port; stores nothing.
    pub async fn preview_acl(
        &self,
        body: AclBody,
        preview_for: PreviewFor,
    ) -> Result<AclPreview, Error<T>> {
        self.ask(|tailnet| PreviewAcl {
            tailnet,
            body,
            preview_for,
        })
        .await
    }

    /// The nameservers.
    pub async fn nameservers(&self) -> Result<Nameservers, Error<T>> {
        self.ask(|tailnet| GetNameservers { tailnet }).await
    }

    /// Replaces the nameservers; an empty list turns MagicDNS off.
    pub async fn set_nameservers(
        &self,
        nameservers: Nameservers,
    ) -> Result<NameserversSet, Error<T>> {
        self.ask(|tailnet| SetNameservers {
            tailnet,
            nameservers,
        })
        .await
    }

    /// The DNS preferences.
    pub async fn preferences(&self) -> Result<Preferences, Error<T>> {
        self.ask(|tailnet| GetPreferences { tailnet }).await
    }

    /// Replaces the DNS preferences.
    pub async fn set_preferences(&self, preferences: Preferences) -> Result<Preferences, Error<T>> {
        self.ask(|tailnet| SetPreferences {
            tailnet,
            preferences,
        })
        .await
    }

    /// The search paths.
    pub async fn search_paths(&self) -> Result<SearchPaths, Error<T>> {
        self.ask(|tailnet| GetSearchPaths { tailnet }).await
    }

    /// Replaces the search paths.
    pub async fn set_search_paths(
        &self,
        search_paths: SearchPaths,
    ) -> Result<SearchPaths, Error<T>> {
        self.ask(|tailnet| SetSearchPaths {
            tailnet,
            search_paths,
        })
        .await
    }
}
