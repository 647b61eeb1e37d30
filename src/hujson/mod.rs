//! HuJSON: JSON (RFC 8259) with `//` and `/* */` comments and one trailing comma.
//!
//! A text is indexed once by
//! [`parse`]; every verb then works on spans of that same text, so that everything it does not change
//! stays byte for byte.
//!
//! ```
//! use tailnet_kit::hujson;
//!
//! let text = "{\n  // how many\n  \"count\": 1,\n}\n";
//! let document = hujson::parse(text)?;
//! assert_eq!(document.root().get("count").map(|value| value.raw()), Some("1"));
//! let changed = hujson::patch(text, r#"[{"op": "replace", "path": "/count", "value": 2}]"#)?;
//! assert_eq!(changed, text.replace('1', "2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
// Lives here: the map of the parts and the names that others use. Must not live here: anything that knows what a policy is.

mod change;
mod changes;
mod convert;
mod duplicate;
mod error;
mod extra;
mod format;
mod gap;
mod issue;
mod json5;
#[cfg(not(target_arch = "wasm32"))]
mod lanes;
#[cfg(target_arch = "wasm32")]
#[path = "lanes_simd.rs"]
mod lanes;
mod literal;
mod marks;
mod origin;
mod parse;
mod patch;
pub mod pointer;
mod position;
mod scan;
mod slots;
mod tolerant;
mod trail;
mod tree;

pub use change::Change;
pub use changes::{Splice, changes, splice};
pub use convert::{is_standard, minimal, minimize, standardize, standardize_bytes};
pub use duplicate::{Duplicate, duplicates};
pub use error::{Error, MAX_DEPTH};
pub use format::format;
pub use issue::{Issue, Severity};
pub use json5::{from_json5, json5_as_hujson, refuse_surrogate_in_json5};
pub use literal::quote;
pub(crate) use literal::{inside_of, string_of};
pub use origin::Origin;
pub use parse::{check, document, parse, refuse_surrogate};
pub use patch::{Edit, PatchError, ReadDouble, edit, patch, patch_by};
pub use position::{Locator, Position, Units, byte_offset};
pub use scan::{Blanked, blank, cuts, squeeze};
pub use tolerant::{Tolerant, tolerant};
pub use tree::{Document, Elements, Kind, Member, Members, Span, Value};
