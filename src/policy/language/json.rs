//! Values of the document whose contents the engine does not interpret, as plain JSON: without comments, names sorted.
//! Must not live here: the parsed form of a whole policy.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::hujson::{Kind, Value, quote};
use crate::tables::sort;

/// A value as the text of plain JSON: the same text for the same value.
#[derive(Clone, PartialEq, Debug)]
pub struct PlainJson(Box<str>);

impl PlainJson {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name under which serde_json writes a text as it is. Its own type for such texts parses each of them again, which would add
/// a second parser to the files of policies.
const AS_IT_STANDS: &str = "$serde_json::private::RawValue";

impl Serialize for PlainJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = serializer.serialize_struct(AS_IT_STANDS, 1)?;
        text.serialize_field(AS_IT_STANDS, self.as_str())?;
        text.end()
    }
}

/// A value of the document as plain JSON.
#[derive(Clone, PartialEq)]
pub(crate) enum Json {
    /// `null`, `true`, `false`, or a number in the one form of [`number`].
    Literal(String),
    Text(String),
    List(Vec<Json>),
    /// Members by name, each once.
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn of(value: Value<'_>) -> Json {
        match value.kind() {
            Kind::Null | Kind::Bool => Json::Literal(value.raw().to_owned()),
            Kind::Number => Json::Literal(number(value.raw())),
            Kind::String => Json::Text(value.as_str().unwrap_or_default().to_owned()),
            Kind::Array => {
                let mut elements = Vec::new();
                for element in value.elements() {
                    elements.push(Json::of(element));
                }
                Json::List(elements)
            }
            Kind::Object => {
                let mut members = Vec::new();
                for member in value.members() {
                    let name = member.name.as_str().unwrap_or_default();
                    members.push((name.to_owned(), Json::of(member.value)));
                }
                Json::object(members)
            }
        }
    }

    /// An object of members in any order, of which the last of repeated names counts.
    pub fn object(mut members: Vec<(String, Json)>) -> Json {
        members.reverse();
        sort::sort_by(&mut members, |(one, _), (other, _)| one.cmp(other));
        members.dedup_by(|(one, _), (other, _)| one == other);
        Json::Object(members)
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A member.
    pub fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else {
            return None;
        };
        let at = members.binary_search_by(|(known, _)| known.as_str().cmp(name));
        members.get(at.ok()?).map(|(_, value)| value)
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    pub fn plain(&self) -> PlainJson {
        PlainJson(self.text().into_boxed_str())
    }

    fn write(&self, out: &mut String) {
        match self {
            Json::Literal(literal) => out.push_str(literal),
            Json::Text(text) => quote(text, out),
            Json::List(elements) => {
                out.push('[');
                for (at, element) in elements.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    element.write(out);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (at, (name, value)) in members.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    quote(name, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

/// A number in the one form of all its spellings, such as `1`, `1.0` and `10e-1`: its digits without zeros around them, and
/// the power of ten after them, written out if it is small.
fn number(raw: &str) -> String {
    let unsigned = raw.trim_start_matches('-');
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.to_owned() + fraction;
    let significant = digits.trim_end_matches('0');
    let zeros = digits.len() - significant.len();
    let significant = significant.trim_start_matches('0');
    if significant.is_empty() {
        return "0".to_owned();
    }
    let sign = if raw.starts_with('-') { "-" } else { "" };
    // An exponent beyond 64 bits is kept as it is: nobody would write it in another form.
    let Ok(exponent) = exponent.parse::<i64>() else {
        return raw.to_owned();
    };
    let power = exponent
        .saturating_add(zeros as i64)
        .saturating_sub(fraction.len() as i64);
    match usize::try_from(power) {
        Ok(zeros @ ..=20) => [sign, significant, &"0".repeat(zeros)].concat(),
        _ => format!("{sign}{significant}e{power}"),
    }
}
