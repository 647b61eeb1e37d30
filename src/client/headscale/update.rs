//! Editing the policy without writing over somebody else's work, as far as that can be had: Headscale keeps whatever is written last.
//! Must not live here: what makes a policy acceptable (`policy`).

use crate::api::given::{self, Object};
use crate::api::headscale::{Operation, Release, is_no_time};
use crate::api::retry::Rule;
use crate::api::{self, Body, CallError, Headers, Kind, Request, Response, Transport, headers};
use crate::client::call::call_options;
use crate::client::{CallOptions, Client, Error, UpdateError};
use crate::hujson::{self, quote};

/// The policy as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyText {
    /// The text, byte for byte.
    pub text: String,
    /// When it was stored; `None` where it comes from a file.
    pub updated_at: Option<String>,
}

/// Arguments of `policy.update`.
#[derive(Debug)]
pub struct PolicyUpdate {
    /// Whether the edited policy is judged before it is written, here and by the server.
    pub check: bool,
    /// How to send its calls.
    pub options: CallOptions,
}

impl PolicyText {
    /// Reads the body of an answer.
    ///
    /// # Errors
    /// [`api::Error::Malformed`] where it has no `policy`.
    pub fn read<B: Body>(response: &Response<B>) -> Result<PolicyText, api::Error> {
        let malformed = |at, reason| api::Error::malformed(at, reason);
        let body = response.body.text();
        let body = body.ok_or_else(|| malformed("", "is not UTF-8"))?;
        let json = hujson::document(&body).ok_or_else(|| malformed("", "is not JSON"))?;
        let text = |name| json.root().get(name)?.as_str();
        let policy = text("policy").ok_or_else(|| malformed("policy", "is not a string"))?;
        let time = text("updatedAt").filter(|time| !is_no_time(time));
        Ok(PolicyText {
            text: policy.to_owned(),
            updated_at: time.map(str::to_owned),
        })
    }
}

impl PolicyUpdate {
    /// Reads the JSON object of the arguments of `policy.update`; its `options` hold `check` beside those of any call.
    ///
    /// # Errors
    /// [`api::Error::Argument`] names the argument that is missing or wrong.
    pub fn read(text: &str) -> Result<PolicyUpdate, api::Error> {
        let document = given::read(text)?;
        let given = Object::of(document.root());
        if !given.function("edit")? {
            return Err(api::Error::argument("edit", "must be a function"));
        }
        let own = given.object("options")?.unwrap_or(Object::empty());
        Ok(PolicyUpdate {
            check: own.flag("check")?.unwrap_or(true),
            options: call_options(given)?,
        })
    }

    /// Reads the policy, lets `edit` make a new text of it, which it has judged, has the server judge it where it can, and writes it. Before and
    /// after that the policy is read again. Gives what was written, with the answer to that.
    ///
    /// # Errors
    /// [`UpdateError::Edit`] passes on the error of `edit`. [`UpdateError::Call`] is a call that failed: [`Kind::Changed`] where somebody else has
    /// written meanwhile, [`Kind::Unserved`] where the language of the server's policies is not known here.
    pub async fn run<T: Transport, E>(
        &self,
        client: &Client<T>,
        known: &mut Option<Release>,
        edit: impl AsyncFnOnce(String) -> Result<String, E>,
    ) -> Result<(PolicyText, Response<T::Body>), UpdateError<Error<T>, E>> {
        let call = UpdateError::Call;
        if self.check {
            let release = client.release(&self.options, known).await.map_err(call)?;
            if release < Release::V29 {
                return Err(call(failed(
                    Operation::SetPolicy,
                    Kind::Unserved(Release::V29.as_str()),
                )));
            }
        }
        let before = self.get(client).await.map_err(call)?;
        let text = edit(before.text.clone()).await.map_err(UpdateError::Edit)?;
        if self.check {
            let checked = self.send(client, Operation::CheckPolicy, &text, |_| Ok(()));
            checked.await.map_err(call)?;
        }
        if self.get(client).await.map_err(call)? != before {
            return Err(call(failed(Operation::SetPolicy, Kind::Changed)));
        }
        let written = self.send(client, Operation::SetPolicy, &text, PolicyText::read);
        let written = written.await.map_err(call)?;
        match self.get(client).await.map_err(call)? {
            after if after.text == text => Ok(written),
            _ => Err(call(failed(Operation::SetPolicy, Kind::Changed))),
        }
    }

    async fn get<T: Transport>(&self, client: &Client<T>) -> Result<PolicyText, Error<T>> {
        let request = asked(Operation::GetPolicy);
        let sent = client.send(request, Rule::Transient, &self.options, PolicyText::read);
        let (policy, _) = sent.await?;
        Ok(policy)
    }

    async fn send<T: Transport, X>(
        &self,
        client: &Client<T>,
        operation: Operation,
        text: &str,
        read: impl Fn(&Response<T::Body>) -> Result<X, api::Error>,
    ) -> Result<(X, Response<T::Body>), Error<T>> {
        let mut body = r#"{"policy":"#.to_owned();
        quote(text, &mut body);
        body.push('}');
        let request = asked(operation).with_json_text(body);
        let rule = Rule::of(operation.row().effect);
        client.send(request, rule, &self.options, read).await
    }
}

fn asked(operation: Operation) -> Request {
    let mut request = Request::new(operation.row().method, operation.path(&[]));
    request.headers = Headers::new();
    request.headers.set(headers::ACCEPT, headers::JSON);
    request
}

fn failed<B, C>(operation: Operation, kind: Kind<B, C>) -> CallError<B, C> {
    CallError {
        kind,
        attempts: 0,
        method: operation.row().method,
        path: operation.path(&[]),
    }
}
