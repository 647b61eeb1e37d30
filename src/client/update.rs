//! Editing the policy without losing anyone's work: read, edit, write under a condition, and start again on a conflict.
//! Must not live here: what makes a policy acceptable (`policy`).
use super::{CallOptions, Client, Error};
use crate::api::{
    self, AclBody, AclChange, AclDocument, AclFormat, AclWanted, Body, CallError, Endpoint, GetAcl,
    IfMatch, Kind, Operation, Response, SetAcl, TailnetName, Transport,
};

/// How many times an update reads and edits the policy by default, if each write meets a conflict.
pub const UPDATE_ROUNDS: u32 = 3;

/// Why an update ended without a write.
#[derive(Debug)]
pub enum UpdateError<F, E> {
    /// A call failed, or even the last round met a conflict ([`Kind::Conflict`]).
    Call(F),
    /// The edit failed, or its text was refused before it was sent.
    Edit(E),
}

impl<T: Transport> Client<T> {
    /// Reads the policy, lets `edit` make a new text of it, and writes that if the policy is still the one that was
    /// read; on a conflict it reads and edits again, up to `rounds` times in all. So `edit` may be called several
    /// times. If it fails, nothing is written.
    ///
    /// # Errors
    /// [`UpdateError::Edit`] passes on the error of `edit`. [`UpdateError::Call`] is a call that failed:
    /// [`Kind::EtagUnavailable`] where the answer carries no ETag, [`Kind::Conflict`] after the last round.
    pub async fn update_acl<E>(
        &self,
        tailnet: &TailnetName,
        rounds: u32,
        call: &CallOptions,
        mut edit: impl AsyncFnMut(String) -> Result<String, E>,
    ) -> Result<AclDocument, UpdateError<Error<T>, E>> {
        let mut round = 1;
        loop {
            let (text, condition) = self
                .read_acl(tailnet, call)
                .await
                .map_err(UpdateError::Call)?;
            let text = edit(text).await.map_err(UpdateError::Edit)?;
            match self.write_acl(tailnet, text, condition, call).await {
                Ok(document) => return Ok(document),
                Err(error) if error.is_conflict() && round < rounds => round += 1,
                Err(error) if error.is_conflict() => return Err(UpdateError::Call(gave_up(error))),
                Err(error) => return Err(UpdateError::Call(error)),
            }
        }
    }

    async fn read_acl(
        &self,
        tailnet: &TailnetName,
        call: &CallOptions,
    ) -> Result<(String, IfMatch), Error<T>> {
        let request = GetAcl {
            tailnet: tailnet.clone(),
            wanted: AclWanted::default(),
        }
        .to_request(self.options.path_style);
        let (method, path) = (request.method, request.path().to_owned());
        let (document, _) = self
            .send(request, Operation::GetAcl.rule(), call, document)
            .await?;
        match document.etag {
            Some(etag) => Ok((document.text, IfMatch::from(etag))),
            None => Err(CallError {
                kind: Kind::EtagUnavailable,
                attempts: 1,
                method,
                path,
            }),
        }
    }

    async fn write_acl(
        &self,
        tailnet: &TailnetName,
        text: String,
        condition: IfMatch,
        call: &CallOptions,
    ) -> Result<AclDocument, Error<T>> {
        let request = SetAcl {
            tailnet: tailnet.clone(),
            change: AclChange {
                body: AclBody {
                    format: AclFormat::HuJson,
                    text,
                },
                if_match: Some(condition),
                format: AclFormat::HuJson,
            },
        }
        .to_request(self.options.path_style);
        let (document, _) = self
            .send(request, Operation::SetAcl.rule(), call, document)
            .await?;
        Ok(document)
    }
}

fn document<B: Body>(response: &Response<B>) -> Result<AclDocument, api::Error> {
    let text = response.body.text();
    let text = text.ok_or_else(|| api::Error::malformed("", "is not UTF-8"))?;
    Ok(AclDocument::new(&response.headers, text.into_owned()))
}

/// The last conflict, as the error of the whole update.
fn gave_up<B, C>(last: CallError<B, C>) -> CallError<B, C> {
    CallError {
        attempts: last.attempts,
        method: last.method,
        path: last.path.clone(),
        kind: Kind::Conflict(Box::new(last)),
    }
}
