//! The refusals of all releases, read into one form. Must not live here: the codes, how a call ends.

use crate::Code;
use crate::api::{Headers, Refusal};
use crate::hujson::{self, Document, Value};

/// The number that gRPC has for "invalid argument".
const INVALID_ARGUMENT: &str = "3";

impl Refusal {
    /// Reads an answer of Headscale: `application/problem+json` of 0.30, or the JSON of gRPC of earlier releases. What a server has decided and says
    /// with status 500 has the code of what is wrong, and is not repeated. `now` is the clock in milliseconds since 1970.
    pub fn of_headscale(status: u16, headers: &Headers, body: &str, now: f64) -> Refusal {
        let mut refusal = Refusal::read(status, headers, body, now);
        let Some(json) = hujson::document(body) else {
            return refusal;
        };
        if let Some(reason) = reason(&json) {
            refusal.message = reason.to_owned();
        }
        if let Some(number) = json.root().get("code").map(Value::raw)
            && status >= 500
        {
            refusal.decided = Some(decided(number, &refusal.message));
        }
        refusal
    }
}

/// What is wrong, in the words of the release: `message` of gRPC, else the first of `errors`, else `detail`.
fn reason<'j>(json: &'j Document<'_>) -> Option<&'j str> {
    let root = json.root();
    let text = |value: Option<Value<'j>>| value?.as_str().filter(|text| !text.is_empty());
    let errors = root.get("errors");
    let first = errors.and_then(|errors| errors.elements().next());
    let listed = || text(first.and_then(|error| error.get("message")));
    text(root.get("message"))
        .or_else(listed)
        .or_else(|| text(root.get("detail")))
}

/// What a 500 with the number of gRPC says. Releases before 0.30 answer so to nearly everything that they refuse.
fn decided(number: &str, message: &str) -> Code {
    let says =
        |words: &str| crate::tables::find::find(message.as_bytes(), words.as_bytes()).is_some();
    if says("setting policy: ") || says("update is disabled") || number == INVALID_ARGUMENT {
        return Code::BadRequest;
    }
    match () {
        () if says("not found") => Code::NotFound,
        () if says("already exists") => Code::Conflict,
        () => Code::ServerError,
    }
}
