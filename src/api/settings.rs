//! What the calls about settings of a tailnet carry. Must not live here: what a setting does.
use serde_json::{Map, Value};

use super::input::sent_as_json;
use super::payload::given_as_json;
use super::shape::Shape;
use super::table::operations;

/// Settings by name. One that is missing in an answer may not be read by the caller; in a change, it stays as it is.
pub type Settings = Map<String, Value>;

sent_as_json! { Settings: &[], }

given_as_json! { Settings: Shape::Object(&[]), }

const SETTINGS: &str = "/api/v2/tailnet/:tailnet/settings";

operations! {
    /// The settings of a tailnet that the caller may read: absent is not false.
    GetSettings(tailnet: TailnetName) "settings.get", Get SETTINGS, Read;
        gives Settings; needs OfCall;
        typed "(): TailnetSettings";
        example "const { devicesApprovalOn } = await client.settings.get()";
        heads "settings" "The settings of the tailnet.";
    /// Changes the settings that are named and leaves the rest. The service ignores unknown names: look at the answer.
    UpdateSettings(tailnet: TailnetName) "settings.update", Patch SETTINGS, Replace;
        sends changes: Settings; gives Settings; needs OfCall; logs part(Settings, "", "SETTINGS"); refuses "`bad_request`";
        typed "(changes: SettingsChange): TailnetSettings";
        example "await client.settings.update({ devicesApprovalOn: true, devicesKeyDurationDays: 90 })";
}
