//! The policy document and what it does: reading, judging, previewing it.
//!
//! The document exists in two grammars (`Users`/`Ports` and `src`/`dst`, grants, ssh …) and two spellings;
//! [`Policy::read`] makes one typed form of all of them, borrowed from the text. Nothing here guesses: what the
//! text alone cannot say comes from a [`Topology`], and where that is silent the answer is unknown.
//! Must not live here: HTTP, JavaScript types.

mod addresses;
mod document;
mod hint;
mod issue;
mod lower;
mod ports;
mod preview;
mod reference;
mod select;
mod selector;
mod shape;
mod topology;

pub use addresses::{internet, tailnet};
pub use document::{
    AclProtocol, AclRule, AutoApprovers, Capability, Grant, IpEntry, IpSetOperation, NodeAttr,
    Policy, Spelling, SshRule, SshTest, Table, Test, Word,
};
pub use issue::{Finding, Issue, Severity};
pub use ports::{PortError, PortRange, PortSpec, Ports, Protocol, ProtocolError, RangeFault};
pub use preview::{Match, Preview, Query};
pub use reference::{Lines, RuleRef, Section};
pub use select::{Answer, device_selected};
pub use selector::{Autogroup, Destination, Kind, Role, Selector};
pub use topology::{Device, Owner, Topology, User};
