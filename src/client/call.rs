//! A call that JavaScript asked for: what is sent, how, and what the caller is promised.
//!
//! ```
//! use tailnet_kit::client::{Options, call::Call};
//!
//! let mut options = Options::new("https://api.example.com").map_err(|_| "no base URL")?;
//! options.tailnet = tailnet_kit::api::TailnetName::new("example.com").ok();
//! let call = Call::read("devices.get", r#"{"id": "1"}"#, &options).map_err(|_| "no call")?;
//! assert_eq!(call.request.target, "/api/v2/device/1");
//! # Ok::<(), &str>(())
//! ```
// Must not live here: the arguments of single methods (`arguments`).

use super::arguments::Arguments;
use super::reply::Reply;
use super::{CallOptions, Client, Options, UpdateError};
use crate::api::given::{self, Object};
use crate::api::retry::Rule;
use crate::api::{AclDocument, Error, Operation, Request, Response, TailnetName, Transport};
use crate::client;

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
    pub reply: Reply,
}

/// Arguments of `acl.update`.
#[derive(Debug)]
pub struct UpdateCall {
    /// The tailnet whose policy is updated.
    pub tailnet: TailnetName,
    /// How many times to read and edit before giving up.
    pub rounds: u32,
    /// Whether the edited policy is checked before it is written.
    pub check: bool,
    /// How to send its calls.
    pub options: CallOptions,
}

/// The name under which [`Call::read`] takes a request of any method and path.
pub(super) const ANY: &str = "request";

impl Call {
    /// Reads the JSON object of a method's arguments, whose member `options` has the options of the call.
    ///
    /// # Errors
    /// [`Error::Argument`] names the argument that is missing or wrong.
    pub fn read(method: &str, text: &str, client: &Options) -> Result<Call, Error> {
        let document = given::read(text)?;
        let given = Object::of(document.root());
        let options = call_options(given)?;
        let arguments = Arguments {
            given,
            client,
            call: &options,
        };
        let (request, rule, reply) = if method == ANY {
            let request = arguments.any()?;
            let rule = Operation::rule_of(&request);
            (request, rule, Reply::Any)
        } else {
            let unknown = || Error::argument("operation", "is unknown");
            let operation = Operation::by_name(method).ok_or_else(unknown)?;
            let request = arguments.request(operation)?;
            (
                request,
                arguments.rule(operation)?,
                arguments.reply(operation)?,
            )
        };
        Ok(Call {
            request,
            rule,
            options,
            reply,
        })
    }
}

impl Call {
    /// Sends the call and reads its success.
    ///
    /// # Errors
    /// Those of [`Client::send`].
    pub async fn run<T: Transport, X>(
        self,
        client: &Client<T>,
        read: impl Fn(&Reply, &Response<T::Body>) -> Result<X, Error>,
    ) -> Result<(X, Response<T::Body>), client::Error<T>> {
        let read = |response: &_| read(&self.reply, response);
        client
            .send(self.request, self.rule, &self.options, read)
            .await
    }
}

impl UpdateCall {
    /// Runs the update.
    ///
    /// # Errors
    /// Those of [`Client::update_acl`].
    pub async fn run<T: Transport, E>(
        &self,
        client: &Client<T>,
        edit: impl AsyncFnMut(String) -> Result<String, E>,
    ) -> Result<AclDocument, UpdateError<client::Error<T>, E>> {
        client
            .update_acl(&self.tailnet, self.rounds, &self.options, edit)
            .await
    }

    /// Reads the JSON object of the arguments of `acl.update`; its `options` hold `attempts` and `check` beside those of any call.
    ///
    /// # Errors
    /// [`Error::Argument`] names the argument that is missing or wrong.
    pub fn read(text: &str, client: &Options) -> Result<UpdateCall, Error> {
        let document = given::read(text)?;
        let given = Object::of(document.root());
        let options = call_options(given)?;
        if !given.function("edit")? {
            return Err(Error::argument("edit", "must be a function"));
        }
        let own = given.object("options")?.unwrap_or(Object::empty());
        let rounds = own.retries("attempts")?.unwrap_or(super::UPDATE_ROUNDS);
        if rounds == 0 {
            return Err(Error::argument("attempts", "must be 1 or more"));
        }
        Ok(UpdateCall {
            tailnet: client.tailnet_of(&options)?,
            rounds,
            check: own.flag("check")?.unwrap_or(true),
            options,
        })
    }
}

pub(super) fn call_options(given: Object<'_>) -> Result<CallOptions, Error> {
    let options = given.object("options")?;
    options.map_or_else(|| Ok(CallOptions::default()), CallOptions::read)
}
