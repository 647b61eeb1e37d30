//! The options of a client and of a call as JavaScript writes them.
//! Must not live here: their defaults (`options`), the arguments of single calls (`arguments`).

use super::url::BaseUrl;
use super::{CallOptions, HeaderEdits, Options};
use crate::api::given::{self, Object, is_function};
use crate::api::{ApiKey, Error, PathStyle, TailnetName};
use crate::hujson::Kind;

/// Where the program runs, as far as it matters here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The address of the page or worker, against which a base URL that is only a path is resolved.
    pub page: Option<String>,
    /// Whether this is a page, a web worker or a service worker, where a key can be read by anyone.
    pub is_browser: bool,
}

impl Options {
    /// Reads the options of JavaScript's `TailnetClient` from JSON. Functions are `{"function": true}`
    /// here, and the logger is `{}`. An `apiKey` that is a function is called by the transport.
    ///
    /// # Errors
    /// [`Error::Argument`] names the option that is missing or wrong.
    pub fn read(text: &str, place: &Place) -> Result<Self, Error> {
        let document = given::read(text)?;
        let given = Object::required(document.root(), "options")?;
        let mut options = Options::at(base_url(given, place)?);
        options.api_key = api_key(given, place)?;
        options.tailnet = tailnet(given)?;
        options.path_style = path_style(given)?;
        options.timeout = given.time("timeout")?.unwrap_or(options.timeout);
        options.total_timeout = given.time("totalTimeout")?.flatten();
        options.max_retries = given.retries("maxRetries")?.unwrap_or(options.max_retries);
        options.headers = headers(given, "defaultHeaders")?;
        log_level(given)?;
        given.function("fetch")?;
        hooks(given)?;
        given.object("logger")?;
        let limit = given.count("maxResponseBytes")?;
        options.max_response_bytes = limit.unwrap_or(options.max_response_bytes);
        Ok(options)
    }
}

impl CallOptions {
    /// Reads the options that every method takes as its last argument.
    ///
    /// # Errors
    /// [`Error::Argument`] names the option that is wrong.
    pub(super) fn read(given: Object<'_>) -> Result<Self, Error> {
        let signal = given.function("signal");
        signal.map_err(|_| Error::argument("signal", "must be an AbortSignal"))?;
        Ok(CallOptions {
            timeout: given.time("timeout")?,
            max_retries: given.retries("maxRetries")?,
            headers: headers(given, "headers")?,
            tailnet: tailnet(given)?,
            secret: false,
        })
    }
}

fn base_url(given: Object<'_>, place: &Place) -> Result<BaseUrl, Error> {
    let text = given.required_text("baseURL")?;
    let insecure = given.flag("allowInsecureHTTP")?.unwrap_or(false);
    BaseUrl::read(text, place.page.as_deref(), Some(insecure))
        .map_err(|reason| Error::argument("baseURL", reason))
}

fn api_key(given: Object<'_>, place: &Place) -> Result<Option<ApiKey>, Error> {
    let allowed = given.flag("dangerouslyAllowBrowser")?.unwrap_or(false);
    let value = given.get("apiKey");
    let key = match value.map(|value| (value.kind(), value.as_str())) {
        Some((Kind::Null, _)) => return Ok(None),
        Some((_, Some(key))) => Some(ApiKey::new(key)?),
        Some(_) if value.is_some_and(is_function) => None,
        Some(_) => {
            return Err(Error::argument(
                "apiKey",
                "must be a string, a function or null",
            ));
        }
        None => {
            let reason = "is missing: pass the key, a function that gives it, or `null` where a proxy adds it";
            return Err(Error::argument("apiKey", reason));
        }
    };
    if place.is_browser && !allowed {
        let reason = "must not be in a page or a worker, where it can be read: pass `apiKey: null` and let a \
                      same-origin proxy add the key, or accept the risk with `dangerouslyAllowBrowser: true`";
        return Err(Error::argument("apiKey", reason));
    }
    Ok(key)
}

fn tailnet(given: Object<'_>) -> Result<Option<TailnetName>, Error> {
    given.text("tailnet")?.map(TailnetName::new).transpose()
}

fn path_style(given: Object<'_>) -> Result<PathStyle, Error> {
    let Some(word) = given.text("pathStyle")? else {
        return Ok(PathStyle::default());
    };
    let style = PathStyle::ALL
        .into_iter()
        .find(|style| style.segment() == word);
    style.ok_or_else(|| Error::argument("pathStyle", "must be `tailnet` or `domain`"))
}

/// Checks the level, which the transport applies.
fn log_level(given: Object<'_>) -> Result<(), Error> {
    match given.text("logLevel")? {
        None | Some("off" | "error" | "warn" | "info" | "debug") => Ok(()),
        Some(_) => {
            let reason = "must be `off`, `error`, `warn`, `info` or `debug`";
            Err(Error::argument("logLevel", reason))
        }
    }
}

/// Checks the hooks: one that is not a function would never be called, and nobody would notice.
fn hooks(given: Object<'_>) -> Result<(), Error> {
    let Some(hooks) = given.object("hooks")? else {
        return Ok(());
    };
    for name in ["beforeRequest", "afterResponse", "beforeRetry"] {
        let wrong = |_| Error::argument(format!("hooks.{name}"), "must be a function");
        hooks.function(name).map_err(wrong)?;
    }
    Ok(())
}

fn headers(given: Object<'_>, name: &'static str) -> Result<HeaderEdits, Error> {
    let mut edits = HeaderEdits::default();
    let Some(headers) = given.object(name)? else {
        return Ok(edits);
    };
    for (header, value) in headers.members() {
        match (value.kind(), value.as_str()) {
            (Kind::Null, _) => edits.push(header, None)?,
            (_, Some(value)) => edits.push(header, Some(value))?,
            _ => {
                let option = format!("{name}.{header}");
                return Err(Error::argument(
                    option,
                    "must be a string, or null to send none",
                ));
            }
        }
    }
    Ok(edits)
}
