//! The policy document and what it does: reading, judging, previewing it.
//!
//! The document exists in two grammars (`Users`/`Ports` and `src`/`dst`, grants, ssh …) and two spellings;
//! [`Policy::read`] makes one typed form of all of them, borrowed from the text. Nothing here guesses: what the
//! text alone cannot say comes from a [`Topology`], and where that is silent the answer is unknown.
//! Must not live here: HTTP, JavaScript types.
//!
//! What every verb starts with is `#[inline(never)]`: without it each export of the wasm carries a copy.
//!
//! ```
//! use tailnet_kit::hujson;
//! use tailnet_kit::policy::{Flow, Policy, Topology, Verdict};
//!
//! let text = r#"{
//!   // Developers reach the build machines.
//!   "groups": {"group:dev": ["ann@example.com"]},
//!   "tagOwners": {"tag:build": ["group:dev"]},
//!   "acls": [
//!     {"action": "accept", "src": ["group:dev"], "dst": ["tag:build:22,443"]},
//!   ],
//! }"#;
//! let document = hujson::parse(text)?;
//! let policy = Policy::read(&document);
//! let nothing_else_known = Topology::default();
//!
//! assert!(policy.check(&nothing_else_known).accepted);
//!
//! let query = "ann@example.com".parse()?; // or `tag:build`, `10.0.0.1:443`, an alias
//! let preview = policy.preview(&query, &nothing_else_known);
//! assert_eq!(preview.matches[0].line_number, Some(6));
//!
//! let flow = Flow::new(&"bob@example.com".parse()?, "tag:build:22", None)?;
//! let explanation = policy.explain(&flow, &nothing_else_known);
//! assert_eq!(explanation.verdict, Verdict::Denied);
//! assert_eq!(explanation.near_misses[0].why, "source \"bob@example.com\" is not in group:dev");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod addresses;
mod by_source;
mod capabilities;
mod check;
mod diff;
mod diff_access;
mod document;
mod duration;
pub mod edit;
mod endpoints;
mod explain;
mod filters;
mod flow;
mod hint;
mod identity;
mod issue;
mod json;
mod keys;
mod lower;
mod names;
mod net;
mod network;
mod port_set;
mod ports;
mod posture;
mod preview;
mod reference;
mod render;
mod select;
mod selector;
mod shape;
mod ssh;
mod ssh_tests;
mod tests;
mod texts;
mod topology;
mod typed;
mod validate;
mod visibility;
mod world;

pub use crate::hujson::{Issue, Severity};
pub use access::{AccessMatrix, Cell};
pub use addresses::{internet, tailnet};
pub use check::{Check, Error, Judgement, check};
pub use diff::{Change, ChangeKind, diff};
pub use diff_access::{AccessChange, Reached, diff_access};
pub use document::{
    AclProtocol, AclRule, AutoApprovers, Capability, Grant, IpEntry, IpSetOperation, NodeAttr,
    Policy, Spelling, SshRule, SshTest, Table, Test, Word,
};
pub use explain::{Explanation, Flow, NearMiss, Subject, Verdict};
pub use filters::{FilterRule, FilterTarget};
pub use identity::{Answer, Identity};
pub use issue::Finding;
pub use net::Net;
pub use ports::{PortError, PortRange, PortSpec, Ports, Protocol, ProtocolError, RangeFault};
pub use posture::{Comparison, Condition, Order};
pub use preview::{Match, Postures, Preview, Query};
pub use reference::{Lines, RuleRef, Section};
pub use render::to_json;
pub use selector::{Autogroup, Destination, Kind, Role, Selector};
pub use ssh::{SshAction, SshRule as DeviceSshRule};
pub use tests::{TestReport, TestResult, TestSection};
pub use topology::{Device, Owner, Topology, User};
pub use validate::NOT_SYNCED;
