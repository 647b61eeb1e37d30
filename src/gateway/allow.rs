//! Which operations a gateway lets through: single ones by name, and groups of them. Must not live here: finding a request's operation.

use super::service::{Asked, Service};
use crate::api::{Effect, Error};

/// What is allowed by default: everything that only reads devices, policy and DNS; of Headscale nodes, users and policy. Keys, logs and whatever changes
/// something must be named.
pub(super) const fn usual(service: Service) -> [&'static str; 3] {
    match service {
        Service::Tailscale => ["devices.read", "acl.read", "dns.read"],
        Service::Headscale => ["nodes.read", "users.read", "policy.read"],
    }
}

/// The operations that a name stands for: `devices.list`, `devices.*` and all below it, `devices.read` and those of it that
/// change nothing, `*.read` and all that change nothing; of Headscale also `*.*` and all.
///
/// # Errors
/// [`Error::Argument`] for a name that is none.
pub(super) fn named(service: Service, name: &str) -> Result<Vec<Asked>, Error> {
    let those = |wanted: &dyn Fn(&Asked) -> bool| -> Vec<Asked> {
        service.operations().filter(wanted).collect()
    };
    let single = those(&|asked| asked.name() == name);
    if !single.is_empty() {
        return Ok(single);
    }
    let unknown = || Error::argument("allow", format!("names no operation: `{name}`"));
    let (namespace, which) = name.rsplit_once('.').ok_or_else(unknown)?;
    let group = those(&|asked| {
        let below = asked.name().strip_prefix(namespace);
        let within = below.is_some_and(|rest| rest.starts_with('.'));
        match which {
            "*" => within || (namespace == "*" && service == Service::Headscale),
            "read" => asked.effect() == Effect::Read && (within || namespace == "*"),
            _ => false,
        }
    });
    if group.is_empty() {
        return Err(unknown());
    }
    Ok(group)
}
