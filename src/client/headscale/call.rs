//! A call that JavaScript asked for: what is sent, how, and what the caller is promised. Must not live here: the arguments of single methods
//! (`arguments`).

use super::arguments;
use crate::api::given::{self, Object};
use crate::api::headscale::{Answer, Operation, Release};
use crate::api::retry::Rule;
use crate::api::{CallError, Error, Kind, Operation as ApiOperation, Request, Response, Transport};
use crate::client::arguments::Arguments;
use crate::client::call::{ANY, call_options};
use crate::client::{self, CallOptions, Client, Options};

/// A call that JavaScript asked for.
#[derive(Debug)]
pub struct Call {
    /// What to send.
    pub request: Request,
    /// After which failures it may be repeated.
    pub rule: Rule,
    /// How to send it.
    pub options: CallOptions,
    /// What the caller is promised of the answer.
    pub gives: Gives,
    /// The first release that takes it.
    pub since: Release,
}

/// What the caller of a method gets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Gives {
    /// The value of a JSON body, the text of any other.
    Any,
    /// What the operation answers.
    Answer(Answer),
}

impl Call {
    /// Reads the JSON object of a method's arguments, whose member `options` has the options of the call.
    ///
    /// # Errors
    /// [`Error::Argument`] names the argument that is missing or wrong.
    pub fn read(method: &str, text: &str, client: &Options) -> Result<Call, Error> {
        let document = given::read(text)?;
        let given = Object::of(document.root());
        let options = call_options(given)?;
        if method == ANY {
            let call = &options;
            let request = Arguments {
                given,
                client,
                call,
            }
            .any()?;
            return Ok(Call {
                rule: ApiOperation::rule_of(&request),
                request,
                options,
                gives: Gives::Any,
                since: Release::V28,
            });
        }
        let unknown = || Error::argument("operation", "is unknown");
        let operation = Operation::by_name(method).ok_or_else(unknown)?;
        let (request, since) = arguments::request(operation, given)?;
        let row = operation.row();
        Ok(Call {
            request,
            rule: Rule::of(row.effect),
            options,
            gives: Gives::Answer(row.answer),
            since,
        })
    }

    /// Sends the call and reads its success. `known` is the release of the server, once it is known; it is asked for where not every release takes
    /// the call, and remembered there.
    ///
    /// # Errors
    /// Those of [`Client::send`]; [`Kind::Unserved`], before anything else is sent, where the server is too old.
    pub async fn run<T: Transport, X>(
        self,
        client: &Client<T>,
        known: &mut Option<Release>,
        read: impl Fn(&Gives, &Response<T::Body>) -> Result<X, Error>,
    ) -> Result<(X, Response<T::Body>), client::Error<T>> {
        if self.since > Release::V28 && client.release(&self.options, known).await? < self.since {
            let since = self.since.as_str();
            return Err(CallError {
                kind: Kind::Unserved(since),
                attempts: 0,
                method: self.request.method,
                path: self.request.path().to_owned(),
            });
        }
        let read = |response: &_| read(&self.gives, response);
        let sent = client.send(self.request, self.rule, &self.options, read);
        sent.await
    }
}
