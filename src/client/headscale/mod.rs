//! The client of Headscale's own API, over the same exchange: its calls, which release answers, and the update of a policy.
//!
//! ```
//! use tailnet_kit::client::Options;
//! use tailnet_kit::client::headscale::Call;
//!
//! let options = Options::new("https://headscale.example.com").map_err(|_| "no base URL")?;
//! let call = Call::read("nodes.rename", r#"{"id": "7", "name": "box"}"#, &options).map_err(|_| "no call")?;
//! assert_eq!(call.request.target, "/api/v1/node/7/rename/box");
//! # Ok::<(), &str>(())
//! ```
// Must not live here: paths, refusals (`api::headscale`), credentials and attempts (`exchange`), values of JavaScript.

mod arguments;
mod call;
mod update;
mod version;

pub use call::{Call, Gives};
pub use update::{PolicyText, PolicyUpdate};
pub use version::Version;
