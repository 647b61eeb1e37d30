//! What happens by the passing of time: keys of devices expire, and webhooks get events.
//! Must not live here: tokens and keys of the tailnet, which are checked when they are used; reading a clock.

use super::change::Thing;
use super::clock::{self, DAY};
use super::events::node;
use super::{Device, Sandbox};
use crate::tables::sort::sort_by;

/// Something that happens to a device in time.
struct Moment {
    at: i64,
    kind: &'static str,
    tailnet: String,
    device: Thing,
}

impl Sandbox {
    /// What happens after one instant and up to another, in order. A device whose key expired was last seen then.
    pub fn pass(&mut self, from: i64, to: i64) {
        let mut moments = Vec::new();
        for (name, tailnet) in self.state.tailnets.iter_mut() {
            for device in &mut tailnet.devices {
                let Some(end) = end(device) else { continue };
                for (at, kind) in [
                    (end - DAY, "nodeKeyExpiringInOneDay"),
                    (end, "nodeKeyExpired"),
                ] {
                    if from < at && at <= to {
                        moments.push(Moment {
                            at,
                            kind,
                            tailnet: name.to_owned(),
                            device: device.thing(name, "expires"),
                        });
                    }
                }
                if from < end && end <= to {
                    device.disconnect(end);
                    self.revision += 1;
                }
            }
        }
        sort_by(&mut moments, |a, b| a.at.cmp(&b.at));
        for moment in moments {
            let (message, mut data) = node(moment.kind, &moment.device);
            data["expiration"] = moment.device.value.clone();
            self.happen(&moment.tailnet, moment.kind, message, data, moment.at);
        }
    }
}

/// When the key of a device expires; None if it does not, or the device belongs to another tailnet.
fn end(device: &Device) -> Option<i64> {
    let ends = !device.flag("keyExpiryDisabled") && !device.is_external();
    let end = clock::parse(device.text("expires")).filter(|end| *end > 0);
    end.filter(|_| ends)
}
