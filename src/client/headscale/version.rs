//! Which release answers, by what it says about itself. Must not live here: what differs between releases.

use crate::Code;
use crate::api::given::{self, Object};
use crate::api::headscale::{CHECK_PATH, OPENAPI_PATH, Release, SWAGGER_PATH};
use crate::api::retry::Rule;
use crate::api::{self, Body, Method, Request, Response, Transport, headers};
use crate::client::call::call_options;
use crate::client::{CallOptions, Client, Error};
use crate::tables::find;

/// What a server says about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// The version in its own words, which releases before 0.30 do not say.
    pub version: Option<String>,
    /// The release whose API it serves.
    pub api: Release,
}

impl<T: Transport> Client<T> {
    /// Which release of Headscale answers: 0.30 says what it serves, and in what 0.29 says `policy.check` stands, which 0.28 has not.
    ///
    /// # Errors
    /// Those of [`Client::send`], but for a refusal that says that there is no such path.
    pub async fn headscale_version(&self, call: &CallOptions) -> Result<Version, Error<T>> {
        let is_missing =
            |error: &Error<T>| error.status().is_some() && error.code() != Code::Authentication;
        let said = match self.document(OPENAPI_PATH, call).await {
            Ok(text) => Some(text),
            Err(error) if is_missing(&error) => None,
            Err(error) => return Err(error),
        };
        if let Some(text) = said {
            let version = stated(&text).map(str::to_owned);
            let api = Release::V30;
            return Ok(Version { version, api });
        }
        let swagger = match self.document(SWAGGER_PATH, call).await {
            Ok(text) => text,
            Err(error) if is_missing(&error) => String::new(),
            Err(error) => return Err(error),
        };
        let checks = find::find(swagger.as_bytes(), CHECK_PATH.as_bytes()).is_some();
        Ok(Version {
            version: None,
            api: if checks { Release::V29 } else { Release::V28 },
        })
    }

    /// The release, asked for once.
    pub(super) async fn release(
        &self,
        call: &CallOptions,
        known: &mut Option<Release>,
    ) -> Result<Release, Error<T>> {
        if let Some(release) = *known {
            return Ok(release);
        }
        let Version { api, .. } = self.headscale_version(call).await?;
        *known = Some(api);
        Ok(api)
    }

    async fn document(&self, path: &str, call: &CallOptions) -> Result<String, Error<T>> {
        let mut request = Request::new(Method::Get, path);
        request.headers.set(headers::ACCEPT, "*/*");
        let read = |response: &Response<T::Body>| Ok(response.body.text_lossy().into_owned());
        let (text, _) = self.send(request, Rule::Transient, call, read).await?;
        Ok(text)
    }
}

impl Version {
    /// Reads the options of the call from the JSON object of the arguments.
    ///
    /// # Errors
    /// [`api::Error::Argument`] names the option that is wrong.
    pub fn read_options(text: &str) -> Result<CallOptions, api::Error> {
        let document = given::read(text)?;
        call_options(Object::of(document.root()))
    }
}

/// The version that an OpenAPI document states in YAML or JSON.
fn stated(document: &str) -> Option<&str> {
    let mut lines = document.lines().map(str::trim_start);
    let line = lines.find_map(|line| {
        let line = line.strip_prefix("version:");
        line.or_else(|| document.split_once("\"version\":").map(|(_, rest)| rest))
    })?;
    let text = line.trim().trim_matches(['"', '\'', ',']);
    let text = text.split(['"', ',', '\n']).next()?;
    Some(text).filter(|text| !text.is_empty())
}
