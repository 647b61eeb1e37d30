//! Who is who: the devices and users of a tailnet, and what the names of a policy stand for among them.
//! Must not live here: the text of a policy, the answers of its verbs.

pub mod addresses;
pub mod by_source;
pub mod comparison;
pub mod device_names;
pub mod devices;
pub mod endpoint;
pub mod flow;
pub mod identity;
pub mod net;
pub mod party;
pub mod topology;
