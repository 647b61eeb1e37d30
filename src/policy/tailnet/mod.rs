//! Who is who: the devices and users of a tailnet, and what the names of a policy mean among them.
//! Must not live here: the text of a policy, the answers of its verbs.
pub mod about;
pub mod addresses;
pub mod classes;
pub mod context;
pub mod device;
pub mod device_names;
pub mod endpoint;
pub mod flow;
pub mod identity;
pub mod known_devices;
mod members;
pub mod membership;
pub mod net;
pub mod network;
pub mod next_hop;
pub mod parties;
pub mod party;
pub mod passage;
pub mod postures;
pub mod prefix_table;
pub mod prospect;
pub mod receivers;
pub mod routes;
pub mod selected;
pub mod sources;
pub mod users;
