//! Reads the arguments of callers, which arrive as the text of `JSON.stringify`; errors name the faulty one.
//! Must not live here: which options and arguments exist.
use std::time::Duration;

use super::error::Error;
use super::message::Headers;
use crate::hujson::{self, Document, Kind, Value};
use crate::tables::find;

/// An object that a caller gave, or none, which has no members. A member that is `undefined` is absent.
#[derive(Clone, Copy)]
pub struct Object<'v>(Option<Value<'v>>);

/// The longest time that can be given: about 24 days, the limit of JavaScript's timers. Sums of such times stay exact.
const LONGEST: Duration = Duration::from_millis(2_147_483_647);

/// Reads what JavaScript's `JSON.stringify` wrote.
///
/// # Errors
/// [`Error::Argument`] for text that is not JSON or is nested too deep, and for half of a surrogate pair, which
/// `JSON.stringify` writes as an escape but no UTF-8 can carry.
#[inline(never)]
pub fn read(text: &str) -> Result<Document<'_>, Error> {
    let reason = "are no JSON, or nested deeper than 512 levels";
    let document = hujson::document(text).ok_or_else(|| Error::argument("arguments", reason))?;
    if document.has_half_surrogates() {
        let reason = "hold half of a surrogate pair, which no UTF-8 can carry";
        return Err(Error::argument("arguments", reason));
    }
    Ok(document)
}

/// A function arrives as `{"function": true}`.
pub fn is_function(value: Value<'_>) -> bool {
    value.get("function").is_some()
}

/// The texts of a list; `None` where the value is not a list of texts.
#[inline(never)]
pub fn texts(list: Value<'_>) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    for element in list.elements() {
        texts.push(element.as_str()?.to_owned());
    }
    (list.kind() == Kind::Array).then_some(texts)
}

/// Header fields from the JSON text of a list of pairs.
pub fn fields(pairs: &str) -> Headers {
    let document = hujson::document(pairs);
    document.map_or_else(Headers::new, |pairs| headers(pairs.root()))
}

/// Header fields from a list of pairs.
pub fn headers(pairs: Value<'_>) -> Headers {
    let mut headers = Headers::new();
    for pair in pairs.elements() {
        let mut texts = pair.elements().filter_map(|text| text.as_str());
        if let (Some(name), Some(value)) = (texts.next(), texts.next()) {
            headers.append(name, value.to_owned());
        }
    }
    headers
}

/// A number without its fraction, also one that is written as a text; 0 for a negative one.
pub(crate) fn whole(number: Value<'_>) -> Option<u64> {
    let text = number.as_str().unwrap_or(number.raw());
    let whole = find::split(text, b'.').next()?;
    match whole.strip_prefix('-') {
        Some(below) => below.parse().ok().map(|_: u64| 0),
        None => whole.parse().ok(),
    }
}

impl<'v> Object<'v> {
    /// This value as an object; any other value gives an object without members.
    pub fn of(value: Value<'v>) -> Object<'v> {
        Object((value.kind() == Kind::Object).then_some(value))
    }

    /// This value, which must be an object.
    pub fn required(value: Value<'v>, name: &'static str) -> Result<Object<'v>, Error> {
        match value.kind() {
            Kind::Object => Ok(Object(Some(value))),
            _ => Err(Error::argument(name, "must be an object")),
        }
    }

    /// An object without members.
    pub fn empty() -> Object<'v> {
        Object(None)
    }

    pub fn members(self) -> impl Iterator<Item = (&'v str, Value<'v>)> {
        let members = self.0.into_iter().flat_map(Value::members);
        members.map(|member| (member.name.as_str().unwrap_or_default(), member.value))
    }

    /// The JSON of the object, unchanged.
    pub fn text_of(self) -> &'v str {
        self.0.map_or("{}", Value::raw)
    }

    #[inline(never)]
    pub fn get(self, name: &str) -> Option<Value<'v>> {
        self.0?.get(name)
    }

    /// A member; `null` counts as absent.
    pub fn given(self, name: &str) -> Option<Value<'v>> {
        self.get(name).filter(|value| value.kind() != Kind::Null)
    }

    /// A text; `null` counts as absent.
    #[inline(never)]
    pub fn text(self, name: &'static str) -> Result<Option<&'v str>, Error> {
        let Some(value) = self.given(name) else {
            return Ok(None);
        };
        let text = value.as_str().map(Some);
        text.ok_or_else(|| Error::argument(name, "must be a string"))
    }

    pub fn required_text(self, name: &'static str) -> Result<&'v str, Error> {
        self.text(name)?
            .ok_or_else(|| Error::argument(name, "is missing"))
    }

    #[inline(never)]
    pub fn flag(self, name: &'static str) -> Result<Option<bool>, Error> {
        let Some(value) = self.given(name) else {
            return Ok(None);
        };
        let flag = value.as_bool().map(Some);
        flag.ok_or_else(|| Error::argument(name, "must be true or false"))
    }

    /// A number of milliseconds; 0 is "no limit".
    pub fn time(self, name: &'static str) -> Result<Option<Option<Duration>>, Error> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let valid = milliseconds(value).filter(|time| *time <= LONGEST);
        let reason = "must be a number of milliseconds, 0 for no limit";
        let time = valid.ok_or_else(|| Error::argument(name, reason))?;
        Ok(Some(Some(time).filter(|time| !time.is_zero())))
    }

    /// A whole number that is not negative.
    pub fn count(self, name: &'static str) -> Result<Option<u64>, Error> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let whole = value.raw().parse().ok();
        let reason = "must be a whole number, 0 or more";
        whole.map(Some).ok_or_else(|| Error::argument(name, reason))
    }

    pub fn retries(self, name: &'static str) -> Result<Option<u32>, Error> {
        let count = self.count(name)?;
        Ok(count.map(|count| u32::try_from(count).unwrap_or(u32::MAX)))
    }

    /// Whether there is a function; `null` counts as absent.
    pub fn function(self, name: &'static str) -> Result<bool, Error> {
        match self.given(name) {
            None => Ok(false),
            Some(value) if is_function(value) => Ok(true),
            Some(_) => Err(Error::argument(name, "must be a function")),
        }
    }

    #[inline(never)]
    pub fn object(self, name: &'static str) -> Result<Option<Object<'v>>, Error> {
        let given = self.given(name);
        given.map(|value| Object::required(value, name)).transpose()
    }

    /// A list of texts that must be there.
    #[inline(never)]
    pub fn texts(self, name: &'static str) -> Result<Vec<String>, Error> {
        let list = self.get(name);
        let list = list.ok_or_else(|| Error::argument(name, "is missing"))?;
        texts(list).ok_or_else(|| wrong_list(list, name))
    }
}

fn wrong_list(list: Value<'_>, name: &'static str) -> Error {
    let mut elements = list.elements();
    match elements.position(|element| element.as_str().is_none()) {
        Some(index) => Error::argument(format!("{name}[{index}]"), "must be a string"),
        None => Error::argument(name, "must be a list of strings"),
    }
}

/// The time that is written as a number of milliseconds: JavaScript uses digits from a millionth up to 10²¹, and a power of
/// ten below and above.
fn milliseconds(number: Value<'_>) -> Option<Duration> {
    let raw = number.raw();
    if let Some((mantissa, exponent)) = raw.split_once(['e', 'E']) {
        let is_tiny = exponent.starts_with('-') && !mantissa.starts_with('-');
        return is_tiny.then_some(Duration::ZERO);
    }
    let (whole, fraction) = find::split_once(raw, ".").unwrap_or((raw, ""));
    let whole = Duration::from_millis(whole.parse().ok()?);
    let mut nanoseconds = 0;
    for at in 0..6 {
        let digit = fraction.as_bytes().get(at).map_or(0, |digit| digit - b'0');
        nanoseconds = nanoseconds * 10 + u64::from(digit);
    }
    whole.checked_add(Duration::from_nanos(nanoseconds))
}
