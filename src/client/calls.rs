//! Any call with its typed answer, for Rust programs. Must not live here: attempts (`exchange`), what JavaScript asks for (`call`).
use super::{CallOptions, Client, Error};
use crate::api::{Endpoint, Transport};

impl<T: Transport<Body = Vec<u8>>> Client<T> {
    /// Sends a call and reads its answer: the types of calls are those that [`Operation`](crate::api::Operation) lists.
    ///
    /// # Errors
    /// [`CallError`](crate::api::CallError): see its [`Kind`](crate::api::Kind) for all that can happen.
    pub async fn call<E: Endpoint>(
        &self,
        endpoint: &E,
        call: &CallOptions,
    ) -> Result<E::Output, Error<T>> {
        let request = endpoint.to_request(self.options.path_style);
        let sent = self.send(request, endpoint.rule(), call, E::output);
        let (output, _) = sent.await?;
        Ok(output)
    }
}
