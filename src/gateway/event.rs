//! What happened to a step, and how the sender reports it. Must not live here: what follows from it (`passage`).

use crate::api::{Headers, given};
use crate::hujson::{self, Value};

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Whether `authorize` said yes.
    Authorized(bool),
    /// What was to be read is there: the body of the caller, or the first piece of the service's.
    Read,
    /// The key.
    Key(String),
    /// Whether the id is among the members, those that are remembered or those that were listed.
    Member(bool),
    /// Status and header fields of the service's answer.
    Answered(u16, Headers),
    /// The words of a failure, whole.
    Words(String),
    /// A body was longer than it may be.
    TooLong,
    /// The time was over, or the caller gave up.
    Late,
    /// Anything else went wrong: a function threw, a connection broke.
    Failed,
}

impl Event {
    /// Reads the JSON text of a list of events.
    pub fn read_all(events: &str) -> Vec<Event> {
        let events = hujson::document(events);
        let each = events.iter().flat_map(|events| events.root().elements());
        each.map(Event::read).collect()
    }

    /// Reads an event in JSON: an object whose one member has the name of the event. What is none is a failure.
    fn read(event: Value<'_>) -> Event {
        let flag = |name| event.get(name).and_then(|flag| flag.as_bool());
        let text = |name| event.get(name)?.as_str().map(str::to_owned);
        if let Some(is_authorized) = flag("authorized") {
            return Event::Authorized(is_authorized);
        }
        if let Some(is_member) = flag("member") {
            return Event::Member(is_member);
        }
        if let Some(key) = text("key") {
            return Event::Key(key);
        }
        if let Some(words) = text("words") {
            return Event::Words(words);
        }
        if let Some(status) = event.get("status") {
            let status = status.raw().parse().unwrap_or_default();
            let headers = event.get("headers").map(given::headers);
            return Event::Answered(status, headers.unwrap_or_default());
        }
        let is = |name| flag(name) == Some(true);
        match () {
            () if is("read") => Event::Read,
            () if is("tooLong") => Event::TooLong,
            () if is("late") => Event::Late,
            () => Event::Failed,
        }
    }
}
