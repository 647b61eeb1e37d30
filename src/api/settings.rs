//! The calls about settings of a tailnet, and what they carry. Must not live here: what a setting does.
use serde_json::{Map, Value};

use super::endpoint::{Input, Plain, bare_calls};
use super::error::Error;
use super::message::Request;
use super::operation::Operation;
use super::place::{Scope, TailnetName};

/// Settings by name. One that is missing in an answer may not be read by the caller; in a change, it stays as it is.
pub type Settings = Map<String, Value>;

bare_calls! {
    /// `GET`: the settings that the caller may read.
    GetSettings -> Settings, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
    }
}

/// `PATCH`: changes the named settings; the answer has all that the caller may read.
#[derive(Clone, PartialEq, Debug)]
pub struct UpdateSettings {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The new values; `null` changes nothing.
    pub changes: Settings,
}

impl Plain for UpdateSettings {
    const OPERATION: Operation = Operation::UpdateSettings;
    type Output = Settings;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(Value::Object(self.changes.clone()))
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let changes = Input::read(request)?.into()?;
        let tailnet = scope.tailnet()?;
        Ok(UpdateSettings { tailnet, changes })
    }
}
