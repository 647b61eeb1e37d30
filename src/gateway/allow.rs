//! Which operations a gateway lets through: single ones by name, and groups of them. Must not live here: finding a request's operation.

use crate::api::{Effect, Error, Operation};

/// What is allowed by default: everything that only reads devices, policy and DNS. Keys, users and logs must be
/// named.
pub(super) const DEFAULT: [&str; 3] = ["devices.read", "acl.read", "dns.read"];

/// The operations that a name stands for: `devices.list`, `devices.*` and all below it, `devices.read` and those of it that
/// change nothing, `*.read` and all that change nothing.
///
/// # Errors
/// [`Error::Argument`] for a name that is none.
pub(super) fn named(name: &str) -> Result<Vec<Operation>, Error> {
    if let Some(operation) = Operation::by_name(name) {
        return Ok(vec![operation]);
    }
    let unknown = || Error::argument("allow", format!("names no operation: `{name}`"));
    let (namespace, which) = name.rsplit_once('.').ok_or_else(unknown)?;
    let belongs = |operation: &Operation| {
        let below = operation.name().strip_prefix(namespace);
        let within = below.is_some_and(|rest| rest.starts_with('.'));
        match which {
            "*" => within,
            "read" => operation.effect() == Effect::Read && (within || namespace == "*"),
            _ => false,
        }
    };
    let group: Vec<Operation> = Operation::ALL.into_iter().filter(belongs).collect();
    if group.is_empty() {
        return Err(unknown());
    }
    Ok(group)
}
