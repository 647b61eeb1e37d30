//! IP addresses, prefixes and sets of them: strict text, canonical text, arithmetic on intervals;
//! also the state of a device's routes, and checks of DNS names.
//!
//! The verdict on a text is the one of Go's `netip.ParseAddr` and `netip.ParsePrefix`, the parsers
//! of the service itself; canonical text is that of RFC 5952. [`check`] is stricter on purpose:
//! it refuses, with a suggestion, what the service would read differently from what its writer meant.
//!
//! ```
//! use tailnet_kit::cidr::{Options, check};
//!
//! assert!(check("10.0.0.0/8", Options::default()).is_ok());
//! let refused = check("10.1.2.3/8", Options::default()).err();
//! assert_eq!(refused.and_then(|error| error.suggestion().map(str::to_owned)).as_deref(), Some("10.0.0.0/8"));
//! ```
// Must not live here: policy, HTTP, types of JavaScript.

mod address;
mod check;
mod error;
pub(crate) mod intervals;
pub mod names;
mod prefix;
mod range;
mod routes;
mod set;
mod text;

pub use address::{Address, Version};
pub use check::{BareAddress, HostBits, Ipv4Mapped, Options, check, check_spelling};
pub use error::Error;
pub use prefix::Prefix;
pub use range::Range;
pub use routes::{ExitNode, Summary, summarize};
pub use set::AddressSet;
