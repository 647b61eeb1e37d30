//! What the calls about settings of a tailnet carry. Must not live here: what a setting does.
use serde_json::{Map, Value};

use super::input::sent_as_json;
use super::payload::given_as_json;
use super::shape::Shape;

/// Settings by name. One that is missing in an answer may not be read by the caller; in a change, it stays as it is.
pub type Settings = Map<String, Value>;

sent_as_json! { Settings: &[], }

given_as_json! { Settings: Shape::Object(&[]), }
