//! Every answer that the service leaves open, chosen in one place: the reasons, and other choices, are in docs/choices.md#sandbox.
//!
//! Status codes and messages of all refusals, and the values used for absent ones. The choices follow what
//! existing clients need to go on working.
//!
//! ```
//! use tailnet_kit::sandbox::choices::Refusal;
//!
//! let refusal = Refusal::Unknown("device", "7".to_owned());
//! assert_eq!((refusal.status(), refusal.message().as_str()), (404, "device `7` not found"));
//! ```
// Must not live here: the decision whether a request is refused.

use crate::api::{self, CredentialsFault, Detail, Method, RefusalBody, Response, headers};

/// What Go calls the zero time; the service writes it for no instant. Never an empty text: clients fail on that.
pub const NO_TIME: &str = "0001-01-01T00:00:00Z";

/// The challenge of a 401 (RFC 9110, section 11.6.1).
pub const CHALLENGE: &str = "Basic realm=\"tailnet-kit sandbox\"";

/// What every 401 says, whatever is wrong with the key.
const TOKEN_INVALID: &str = "API token invalid";

/// The name of the key's own tailnet in a path.
pub const OWN_TAILNET: &str = "-";

/// What a call ends with.
pub(super) type Outcome<T> = Result<T, Refusal>;

/// Why a request is refused. Displays as the `message` of the answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// No key, or one in the wrong place.
    BadCredentials(CredentialsFault),
    /// A key that is not this sandbox's.
    WrongKey,
    /// Not the secret of any client, in a request for a token.
    BadToken,
    /// A token of another issuer that does not fit the identity, for any reason.
    Unauthorized,
    /// A client asked for scopes that it does not have: these.
    UngrantedScopes(String),
    /// A key without the needed right.
    Forbidden,
    /// The token of a client, for what only the token of a user may do.
    NotOwned,
    /// A key that does not exist, or of a type that the caller may not see.
    UnknownKey,
    /// A thing that does not exist, or not in a tailnet of the key: what it is, and its id or name.
    Unknown(&'static str, String),
    /// Such a thing exists already: a description.
    Conflict(String),
    /// Something that can be read, and is not what it should be.
    Unprocessable(String),
    /// Asked again too soon: once a minute is enough.
    TooSoon,
    /// Another webhook has the same address.
    UrlTaken,
    /// No operation has this path.
    UnknownPath,
    /// The path is known, with other methods: these.
    WrongMethod(Vec<Method>),
    /// A device to delete that does not belong to the key's tailnets.
    ForeignDevice,
    /// A device to change that was shared in.
    UnmanageableDevice,
    /// A body that is not UTF-8, not JSON or not of the shape that the call takes; a query without what the call needs; a value or policy that the
    /// service does not accept, such as a name in use or a tag without owner.
    BadRequest(String),
    /// A policy whose tests fail: for each failing one its source and the reasons.
    FailedTests {
        /// The service's own words.
        message: String,
        /// One entry per failing test.
        data: Vec<Detail>,
    },
    /// The policy was changed since its ETag was read.
    StaleTag,
    /// MagicDNS without a nameserver.
    NoNameserver,
    /// The stored policy cannot be read; only a snapshot can contain one like that.
    UnreadablePolicy(String),
}

impl Refusal {
    /// The status code. The service documents one of them: 501 for a device outside the caller's tailnet.
    pub fn status(&self) -> u16 {
        match self {
            Refusal::BadCredentials(_) | Refusal::WrongKey | Refusal::BadToken => 401,
            Refusal::Forbidden
            | Refusal::NotOwned
            | Refusal::UngrantedScopes(_)
            | Refusal::Unauthorized => 403,
            Refusal::UnknownKey
            | Refusal::Unknown(..)
            | Refusal::UnknownPath
            | Refusal::UnmanageableDevice => 404,
            Refusal::WrongMethod(_) => 405,
            Refusal::ForeignDevice => 501,
            Refusal::BadRequest(_) | Refusal::FailedTests { .. } | Refusal::NoNameserver => 400,
            Refusal::Conflict(_) => 409,
            Refusal::Unprocessable(_) => 422,
            Refusal::TooSoon => 429,
            Refusal::StaleTag => 412,
            Refusal::UnreadablePolicy(_) | Refusal::UrlTaken => 500,
        }
    }

    /// The human-readable `message` of the body.
    pub fn message(&self) -> String {
        match self {
            Refusal::BadCredentials(CredentialsFault::Missing)
            | Refusal::WrongKey
            | Refusal::BadToken => TOKEN_INVALID.to_owned(),
            // What the service does not say, for whoever tries out where the key goes.
            Refusal::BadCredentials(fault) => format!("{TOKEN_INVALID}: {fault}"),
            Refusal::Unauthorized => "Unauthorized".to_owned(),
            Refusal::UngrantedScopes(scopes) => {
                format!("OAuth client cannot grant scopes \"{scopes}\"")
            }
            Refusal::Forbidden => {
                "calling actor does not have enough permissions to perform this function".to_owned()
            }
            Refusal::NotOwned => "operation only permitted for user-owned keys".to_owned(),
            Refusal::UnknownKey => "key not found".to_owned(),
            Refusal::Unknown(what, id) => format!("{what} `{id}` not found"),
            Refusal::TooSoon => "an invite is mailed at most once a minute".to_owned(),
            Refusal::UrlTaken => "another webhook has this URL".to_owned(),
            Refusal::UnknownPath => "no such path".to_owned(),
            Refusal::WrongMethod(known) => {
                format!("method not allowed: this path takes {}", listed(known))
            }
            Refusal::ForeignDevice => "cannot delete devices outside of your tailnet".to_owned(),
            Refusal::UnmanageableDevice => "no manageable device matching this ID found".to_owned(),
            Refusal::StaleTag => "precondition failed, invalid old hash".to_owned(),
            Refusal::NoNameserver => "need at least one nameserver to enable MagicDNS".to_owned(),
            Refusal::BadRequest(reason)
            | Refusal::Conflict(reason)
            | Refusal::Unprocessable(reason)
            | Refusal::UnreadablePolicy(reason) => reason.clone(),
            Refusal::FailedTests { message, .. } => message.clone(),
        }
    }

    /// Tags that the caller may not set, in the service's words.
    pub(super) fn tags(refused: &[&str]) -> Refusal {
        let listed = refused.join(" ");
        Refusal::BadRequest(format!(
            "requested tags [{listed}] are invalid or not permitted"
        ))
    }

    /// The whole answer: `{message}`, with `data` if tests failed, and the header that the status needs.
    pub fn answer(self) -> Response {
        let status = self.status();
        let header = match &self {
            Refusal::WrongMethod(known) => Some((headers::ALLOW, listed(known))),
            Refusal::BadCredentials(_) | Refusal::WrongKey => {
                Some((headers::WWW_AUTHENTICATE, CHALLENGE.to_owned()))
            }
            _ => None,
        };
        let mut response = Response::json(status, &self.body());
        if let Some((name, value)) = header {
            response.headers.set(name, value);
        }
        response
    }

    fn body(&self) -> RefusalBody {
        let data = match self {
            Refusal::FailedTests { data, .. } => data.clone(),
            _ => Vec::new(),
        };
        RefusalBody {
            message: self.message(),
            data,
        }
    }
}

/// Refuses what the service does not accept, for a reason in words: as `format!` takes them.
macro_rules! refused {
    ($($reason:tt)+) => { Err($crate::sandbox::choices::Refusal::BadRequest(format!($($reason)+))) };
}
pub(super) use refused;

impl From<api::Error> for Refusal {
    fn from(error: api::Error) -> Refusal {
        Refusal::BadRequest(error.to_string())
    }
}

fn listed(methods: &[Method]) -> String {
    let names: Vec<&str> = methods.iter().map(|method| method.as_str()).collect();
    names.join(", ")
}
