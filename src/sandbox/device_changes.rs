//! The calls that change one thing about a device, and what changes with it.
//! Must not live here: reading and deleting devices (`devices`), posture attributes, wire shapes (`api`).

use super::choices::{Outcome, Refusal, refused};
use super::perform::serves;
use super::{Device, Sandbox, owners};
use crate::api::{
    AuthorizeDevice, DeviceId, Done, ExpireDeviceKey, SetDeviceIp, SetDeviceKey, SetDeviceName,
    SetDeviceTags, TAILNET_RANGE, is_tailnet_address,
};
use crate::cidr::Address;

serves! {
    AuthorizeDevice: timed authorize_device,
    SetDeviceTags: plain set_device_tags,
    SetDeviceKey: plain set_device_key,
    SetDeviceName: plain set_device_name,
    SetDeviceIp: plain set_device_ip,
    ExpireDeviceKey: timed expire_device_key,
}

impl Sandbox {
    /// A device that is no longer admitted is no longer connected; an ephemeral one is removed.
    fn authorize_device(&mut self, call: AuthorizeDevice, now: i64) -> Outcome<Done> {
        let device = self.own_device(&call.id)?;
        device.set("authorized", call.body.authorized);
        if !call.body.authorized {
            device.disconnect(now);
            if device.flag("isEphemeral") {
                self.remove_device(&call.id)?;
            }
        }
        Ok(Done)
    }

    /// One label of the tailnet's domain, in the service's spelling; unique in the tailnet.
    fn set_device_name(&mut self, call: SetDeviceName) -> Outcome<Done> {
        let device = self.own_device(&call.id)?;
        let wanted = match call.body.name.is_empty() {
            true => device.text("hostname").to_owned(),
            false => call.body.name,
        };
        let (name, tailnet) = self.home_of(&call.id)?;
        let domain = domain_of(&name);
        let own = format!(".{domain}");
        let label = label(wanted.strip_suffix(own.as_str()).unwrap_or(&wanted));
        if label.is_empty() {
            return refused!("`{wanted}` is not a valid device name");
        }
        let full = format!("{label}.{domain}");
        let mut others = tailnet
            .devices
            .iter()
            .filter(|other| !other.answers_to(call.id.as_str()));
        if others.any(|other| other.text("name") == full) {
            return refused!("name \"{label}\" is already taken");
        }
        self.own_device(&call.id)?.set("name", full);
        Ok(Done)
    }

    /// Only tags that have an owner in the policy, and never back to none: a device without tags belongs to a user, who must sign in.
    fn set_device_tags(&mut self, call: SetDeviceTags) -> Outcome<Done> {
        let had = self.own_device(&call.id)?.list("tags");
        if call.body.tags.is_empty() && !had.is_empty() {
            return refused!("tagged nodes cannot be untagged without reauth");
        }
        let grant = self.caller.token.clone();
        let (_, tailnet) = self.home_of(&call.id)?;
        owners::permit(&tailnet.acl, &call.body.tags, grant.as_ref())?;
        let mut tags: Vec<String> = Vec::new();
        for tag in call.body.tags {
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        self.own_device(&call.id)?.set("tags", tags);
        Ok(Done)
    }

    /// The expiry of the key is kept, so that switching back restores it, even if it is past.
    fn set_device_key(&mut self, call: SetDeviceKey) -> Outcome<Done> {
        let device = self.own_device(&call.id)?;
        device.set("keyExpiryDisabled", call.body.key_expiry_disabled);
        Ok(Done)
    }

    /// A key that has already expired stays as it is.
    fn expire_device_key(&mut self, call: ExpireDeviceKey, now: i64) -> Outcome<Done> {
        self.own_device(&call.id)?.sign_out(now);
        Ok(Done)
    }

    /// The other addresses of the device stay.
    fn set_device_ip(&mut self, call: SetDeviceIp) -> Outcome<Done> {
        let wanted = Address::parse(&call.body.ipv4).ok();
        if !wanted.is_some_and(is_tailnet_address) {
            return refused!(
                "`{}` is not an IPv4 address in {TAILNET_RANGE}",
                call.body.ipv4
            );
        }
        let (_, tailnet) = self.home_of(&call.id)?;
        let own = tailnet.device(call.id.as_str());
        let own = own.map_or_else(Vec::new, |device| device.list("addresses"));
        let is_wanted = |address: &String| Address::parse(address).ok() == wanted;
        if !own.iter().any(is_wanted) && tailnet.addresses().any(|other| is_wanted(&other)) {
            return refused!("address {} is in use", call.body.ipv4);
        }
        let device = self.own_device(&call.id)?;
        let kept = device
            .list("addresses")
            .into_iter()
            .filter(|address| address.contains(':'));
        let addresses: Vec<String> = std::iter::once(call.body.ipv4).chain(kept).collect();
        device.set("addresses", addresses);
        Ok(Done)
    }

    /// A device that may be changed: one that is shared in may not.
    pub(super) fn own_device(&mut self, id: &DeviceId) -> Outcome<&mut Device> {
        let device = self.device_mut(id)?;
        match device.is_external() {
            true => Err(Refusal::UnmanageableDevice),
            false => Ok(device),
        }
    }
}

/// The domain of the names of a tailnet's devices.
pub(super) fn domain_of(tailnet: &str) -> String {
    tailnet.replace('@', ".")
}

/// The service's spelling of a label: lower case, `-` for `_` and `.`, nothing at its ends.
pub(super) fn label(wanted: &str) -> String {
    let spelled = |c: char| match c {
        'A'..='Z' => Some(c.to_ascii_lowercase()),
        '_' | '.' | ' ' => Some('-'),
        'a'..='z' | '0'..='9' | '-' => Some(c),
        _ => None,
    };
    let label: String = wanted.chars().filter_map(spelled).collect();
    label.trim_matches('-').chars().take(63).collect()
}
