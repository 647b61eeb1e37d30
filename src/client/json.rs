//! Reading objects that callers wrote, with the name of what is wrong.
//! Must not live here: which options exist.
use std::time::Duration;

use serde_json::{Map, Value};

use crate::api::Error;

/// An object from outside; absent and `undefined` are the same.
#[derive(Clone, Copy)]
pub(super) struct Object<'v>(pub(super) &'v Map<String, Value>);

/// The longest time that can be asked for, so that sums stay exact: about 24 days, the reach of JavaScript's timers.
const LONGEST: f64 = 2_147_483_647.0;

/// Reads what JavaScript's `JSON.stringify` wrote.
///
/// The one thing that it writes and nobody can send is half a surrogate pair, as an escape.
pub(super) fn read(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|_| {
        let reason = "hold half of a surrogate pair, which no UTF-8 can carry";
        Error::argument("arguments", reason)
    })
}

/// A function arrives as `{"function": true}`.
pub(super) fn is_function(value: &Value) -> bool {
    value.get("function").is_some()
}

impl<'v> Object<'v> {
    pub(super) fn get(self, name: &str) -> Option<&'v Value> {
        self.0.get(name)
    }

    /// A text; `null` counts as absent.
    pub(super) fn text(self, name: &'static str) -> Result<Option<&'v str>, Error> {
        match self.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Error::argument(name, "must be a string")),
        }
    }

    pub(super) fn required_text(self, name: &'static str) -> Result<&'v str, Error> {
        self.text(name)?
            .ok_or_else(|| Error::argument(name, "is missing"))
    }

    pub(super) fn flag(self, name: &'static str) -> Result<Option<bool>, Error> {
        match self.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(Error::argument(name, "must be true or false")),
        }
    }

    /// A number of milliseconds; 0 is "no limit".
    pub(super) fn time(self, name: &'static str) -> Result<Option<Option<Duration>>, Error> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let valid = value.as_f64().filter(|ms| (0.0..=LONGEST).contains(ms));
        let reason = "must be a number of milliseconds, 0 for no limit";
        let ms = valid.ok_or_else(|| Error::argument(name, reason))?;
        let time = Duration::try_from_secs_f64(ms / 1000.0).ok();
        Ok(Some(time.filter(|time| !time.is_zero())))
    }

    /// A whole number that is not negative.
    pub(super) fn count(self, name: &'static str) -> Result<Option<u64>, Error> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let whole = value.as_u64();
        let reason = "must be a whole number, 0 or more";
        whole.map(Some).ok_or_else(|| Error::argument(name, reason))
    }

    pub(super) fn retries(self, name: &'static str) -> Result<Option<u32>, Error> {
        let count = self.count(name)?;
        Ok(count.map(|count| u32::try_from(count).unwrap_or(u32::MAX)))
    }

    /// Whether a function is there; `null` counts as absent.
    pub(super) fn function(self, name: &'static str) -> Result<bool, Error> {
        match self.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(value) if is_function(value) => Ok(true),
            Some(_) => Err(Error::argument(name, "must be a function")),
        }
    }

    pub(super) fn object(self, name: &'static str) -> Result<Option<Object<'v>>, Error> {
        match self.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(map)) => Ok(Some(Object(map))),
            Some(_) => Err(Error::argument(name, "must be an object")),
        }
    }

    /// A list of texts that must be there.
    pub(super) fn texts(self, name: &'static str) -> Result<Vec<String>, Error> {
        let list = match self.get(name) {
            None => return Err(Error::argument(name, "is missing")),
            Some(Value::Array(list)) => list,
            Some(_) => return Err(Error::argument(name, "must be a list of strings")),
        };
        let text = |(index, value): (usize, &Value)| {
            let text = value.as_str().map(str::to_owned);
            text.ok_or_else(|| Error::argument(format!("{name}[{index}]"), "must be a string"))
        };
        list.iter().enumerate().map(text).collect()
    }
}
