//! The policy document and what it does: reading, judging, previewing it.
//!
//! The document exists in two grammars (`Users`/`Ports` and `src`/`dst`, grants, ssh …) and two spellings;
//! [`Policy::read`] reads all of them into one typed form, borrowed from the text. Nothing here guesses: what the
//! text does not say comes from a [`PolicyContext`], and if that does not say it either, the answer is unknown.
//!
//! ```
//! use tailnet_kit::hujson;
//! use tailnet_kit::policy::{Flow, Policy, PolicyContext, Verdict};
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
//! let nothing_else_known = PolicyContext::default();
//!
//! assert!(policy.check(&nothing_else_known).accepted);
//!
//! let query = "ann@example.com".parse()?; // or `tag:build`, `10.0.0.1:443`, an alias
//! let preview = policy.preview(&query, &nothing_else_known)?;
//! assert_eq!(preview.matches[0].line_number, Some(6));
//!
//! let flow = Flow::new(&"bob@example.com".parse()?, "tag:build:22", None)?;
//! let explanation = policy.explain(&flow, &nothing_else_known)?;
//! assert_eq!(explanation.verdict, Verdict::Denied);
//! assert_eq!(explanation.near_misses[0].why, "source \"bob@example.com\" is not in group:dev");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
// Must not live here: HTTP, JavaScript types. What every verb starts with is `#[inline(never)]`: without it each export of the wasm
// carries a copy.

mod access;
mod access_cells;
mod access_change;
mod access_matrix;
mod access_options;
mod approved_routes;
mod asking;
mod check;
mod delivery;
mod diff;
mod diff_access;
mod diff_ssh;
pub mod edit;
mod explain;
mod explain_login;
mod explanation;
mod failing;
mod filters;
mod findings;
mod hindrance;
mod language;
mod login_cells;
mod logins;
mod misses;
mod node_attributes;
mod offered_routes;
mod overlaps;
#[cfg_attr(not(feature = "bindings"), allow(dead_code))]
mod packed;
mod powers;
mod preview;
mod prove;
mod question;
mod relation;
mod rename;
mod repair;
mod resolve;
mod review;
mod run_ssh_tests;
mod run_tests;
mod schema;
pub mod service;
mod ssh;
mod ssh_change;
mod tailnet;
mod test_report;
mod tested;
mod to_json;
mod translate;
mod unusable;
mod validate;
mod verdict;
mod visible_peers;

pub use crate::hujson::{Issue, Severity};
pub use access_change::{AccessChange, AccessReach, AccessReaches, Part};
pub use access_matrix::{AccessCell, AccessMatrix, CellChange, CellChanges, ChangedCell};
pub use access_options::{AccessOptions, By};
pub use approved_routes::RouteApproval;
pub use check::check;
pub use delivery::{Delivery, DeviceRef};
pub use diff::{Change, ChangeKind, diff};
pub use diff_access::{diff_access, diff_access_between};
pub use diff_ssh::{diff_ssh, diff_ssh_between};
pub use explanation::{Arrival, Explanation, NearMiss, Verdict};
pub use filters::{FilterRule, FilterTarget};
pub use findings::finding::Finding;
pub use language::dialect::Dialect;
pub use language::document::{
    AclProtocol, AclRule, AutoApprovers, Capability, Grant, IpEntry, IpSetOperation, NodeAttr,
    Policy, Spelling, SshRule, SshTest, Table, Test, Word,
};
pub use language::json::PlainJson;
pub use language::login::SshAction;
pub use language::opening::{Opening, ProtocolName, Unless, UnlessBoth};
pub use language::ports::{
    PortError, PortRange, PortSpec, Ports, Protocol, ProtocolError, RangeFault,
};
pub use language::posture::{Attribute, Comparison, Condition, Order};
pub use language::rule::{Lines, RuleRef, Section};
pub use language::selector::{Autogroup, Destination, Kind, Role, Selector};
pub use language::text::PolicyText;
pub use login_cells::LoginChange;
pub use logins::{LoginCell, LoginMatrix, LoginParties};
pub use node_attributes::NodeAttributes;
pub use offered_routes::OfferedRoutes;
#[cfg(feature = "bindings")]
pub use packed::{packed_changes, packed_filters, packed_matrix, packed_peers};
pub use powers::{Power, PowerChange, PowerKind, diff_powers};
#[cfg(feature = "bindings")]
pub use powers::{packed_power_changes, packed_powers};
pub use preview::{Match, Postures, Preview};
pub use prove::{Counterexample, Guard, NamedFlow, Proof, ProofResult};
pub use question::{Flow, Query, Subject};
pub use relation::part_of::PartOf;
pub use rename::{rename, renaming};
pub use repair::Repair;
pub use review::{
    ChangedTest, Conditioned, DeviceChange, DeviceState, Exposure, Judged, NetworkLogin,
    PostureChange, PostureTurn, Public, Renamed, Review, TestRef, Tests, review,
};
pub use schema::{Draft, schema};
#[cfg(feature = "bindings")]
pub use ssh::packed_ssh_rules;
pub use ssh::{DeviceSshRule, DeviceSshRules};
pub use ssh_change::{CheckedReach, Direction, SshChange, SshReach};
pub use tailnet::addresses::{internet, tailnet};
pub use tailnet::context::{Device, DeviceFields, DeviceIndex, Owner, PolicyContext, User};
pub use tailnet::flow::Judge;
pub use tailnet::identity::{Answer, Identity};
pub use tailnet::net::Net;
pub use tailnet::parties::{Party, PartyId, PartyKind};
pub use test_report::{TestReport, TestResult, TestSection};
pub use to_json::to_json;
pub use translate::{LoginsThere, Lost, Translation, translate};
pub use validate::NOT_SYNCED;
pub use verdict::{Check, Error, Judgement, closes};
