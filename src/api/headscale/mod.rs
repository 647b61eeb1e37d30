//! Headscale on the wire, its own API `/api/v1` of the releases 0.28 to 0.30 (docs/headscale-api.md): operations, answers, refusals.
//!
//! ```
//! use tailnet_kit::api::headscale::Operation;
//! use tailnet_kit::api::Method;
//!
//! let (operation, places) = Operation::find(Method::Post, "/api/v1/node/7/rename/box").map_err(|_| "no such path")?;
//! assert_eq!((operation.row().name, places.as_slice()), ("nodes.rename", ["7".to_owned(), "box".to_owned()].as_slice()));
//! assert_eq!(operation.path(&places), "/api/v1/node/7/rename/box");
//! # Ok::<(), &str>(())
//! ```
// Start with `operation.rs`. Must not live here: I/O, a clock.

mod context;
mod operation;
mod refusal;
mod release;
mod shape;
mod things;

pub use context::context;
pub use operation::{Operation, Row, place};
pub use release::{CHECK_PATH, OPENAPI_PATH, Release, SWAGGER_PATH};
pub use shape::{Answer, Shape, is_no_time};
pub use things::{ApiKey, Node, PreAuthKey, User};
