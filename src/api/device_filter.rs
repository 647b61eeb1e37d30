//! Which devices of a list are wanted: the filters of the query, written, read and applied to a device.
//! Must not live here: the list itself (`devices`).
use serde_json::Value;

use super::error::Error;
use super::uri;

/// The type of a field by which devices can be filtered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilterKind {
    /// A text, compared exactly.
    Text,
    /// True or false; a device without the field counts as false.
    Flag,
    /// A list, which must contain all the values given.
    List,
}

use FilterKind::{Flag, List, Text};

/// The fields by which devices can be filtered; the last ones only come with all fields.
const FIELDS: [(&str, FilterKind); 27] = [
    ("id", Text),
    ("nodeId", Text),
    ("user", Text),
    ("name", Text),
    ("hostname", Text),
    ("os", Text),
    ("clientVersion", Text),
    ("created", Text),
    ("expires", Text),
    ("lastSeen", Text),
    ("machineKey", Text),
    ("nodeKey", Text),
    ("tailnetLockKey", Text),
    ("tailnetLockError", Text),
    ("authorized", Flag),
    ("blocksIncomingConnections", Flag),
    ("connectedToControl", Flag),
    ("isEphemeral", Flag),
    ("isExternal", Flag),
    ("keyExpiryDisabled", Flag),
    ("updateAvailable", Flag),
    ("addresses", List),
    ("tags", List),
    ("multipleConnections", Flag),
    ("sshEnabled", Flag),
    ("enabledRoutes", List),
    ("advertisedRoutes", List),
];

/// How many of them come with the default fields.
const ALWAYS: usize = 23;

/// Conditions that must all hold: a text or flag equals a value, a list contains it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeviceFilter(Vec<(&'static str, FilterKind, String)>);

impl DeviceFilter {
    /// Adds a condition.
    ///
    /// # Errors
    /// [`Error::Argument`] for a field by which devices cannot be filtered, and for a flag that is neither `true` nor `false`.
    pub fn with(mut self, field: &str, value: impl Into<String>) -> Result<Self, Error> {
        self.add(field, value.into())?;
        Ok(self)
    }

    /// Adds a condition in place.
    ///
    /// # Errors
    /// Those of [`DeviceFilter::with`].
    pub fn add(&mut self, field: &str, value: String) -> Result<(), Error> {
        let unknown = || Error::argument("filter", format!("knows no `{field}`"));
        let (name, kind) = known(field).ok_or_else(unknown)?;
        if kind == Flag && value != "true" && value != "false" {
            let option = format!("filter.{name}");
            return Err(Error::argument(option, "must be true or false"));
        }
        self.0.push((name, kind, value));
        Ok(())
    }

    /// The kind of a field, if devices can be filtered by it.
    pub fn kind(field: &str) -> Option<FilterKind> {
        known(field).map(|(_, kind)| kind)
    }

    /// The conditions: field, its kind, value.
    pub fn conditions(&self) -> impl Iterator<Item = (&'static str, FilterKind, &str)> {
        let conditions = self.0.iter();
        conditions.map(|(name, kind, value)| (*name, *kind, value.as_str()))
    }

    /// Whether there is no condition.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it needs a field that only comes with all fields.
    pub fn needs_all(&self) -> bool {
        let detailed = FIELDS.get(ALWAYS..).unwrap_or_default();
        self.0
            .iter()
            .any(|(name, ..)| detailed.iter().any(|(known, _)| known == name))
    }

    /// Whether a device meets all conditions; `field` gives its fields by name.
    pub fn admits<'v>(&self, field: impl Fn(&str) -> Option<&'v Value>) -> bool {
        self.conditions()
            .all(|(name, kind, wanted)| match (kind, field(name)) {
                (Flag, found) => (found == Some(&Value::Bool(true))) == (wanted == "true"),
                (Text, found) => found.and_then(Value::as_str) == Some(wanted),
                (List, found) => found
                    .and_then(Value::as_array)
                    .is_some_and(|items| items.iter().any(|item| item == wanted)),
            })
    }

    /// Appends one parameter for each condition.
    pub fn write(&self, target: &mut String) {
        for (name, _, value) in &self.0 {
            uri::push_query(target, name, value);
        }
    }

    /// The conditions in a query. Other parameters are ignored; a flag that is neither true nor false is read as false.
    pub(super) fn read(query: &str) -> DeviceFilter {
        let condition = |(name, value): (String, String)| {
            let (name, kind) = known(&name)?;
            let value = match kind {
                Flag if value != "true" => "false".to_owned(),
                _ => value,
            };
            Some((name, kind, value))
        };
        DeviceFilter(uri::query_pairs(query).filter_map(condition).collect())
    }
}

fn known(field: &str) -> Option<(&'static str, FilterKind)> {
    FIELDS.into_iter().find(|(name, _)| *name == field)
}
