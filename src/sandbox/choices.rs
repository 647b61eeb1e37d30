//! Every answer that the service leaves open, chosen once: why, and what else was chosen, is in docs/choices.md#sandbox.
//!
//! Status codes and messages of all refusals, and the values that stand in for absent ones. The choices follow what
//! existing clients need to go on working.
//!
//! ```
//! use tailnet_kit::sandbox::choices::Refusal;
//!
//! let refusal = Refusal::UnknownDevice("7".to_owned());
//! assert_eq!((refusal.status(), refusal.message().as_str()), (404, "device `7` not found"));
//! ```
// Must not live here: the decision whether a request is refused.

use crate::api::{self, CredentialsFault, Detail, Method, RefusalBody, Response, headers};

/// What Go calls the zero time; the service writes it where there is no instant. Never an empty text: clients fail on that.
pub const NO_TIME: &str = "0001-01-01T00:00:00Z";

/// The challenge of a 401 (RFC 9110, section 11.6.1).
pub const CHALLENGE: &str = "Basic realm=\"tailnet-kit sandbox\"";

/// The name of the key's own tailnet in a path.
pub const OWN_TAILNET: &str = "-";

/// A reason for not doing what was asked. Displays as the `message` of the answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// No key, or one that is not where it belongs.
    BadCredentials(CredentialsFault),
    /// A key, but not this sandbox's.
    WrongKey,
    /// The secret of no client, where a token is asked for.
    BadToken,
    /// A token of another issuer that is not good for the identity, for whatever reason.
    Unauthorized,
    /// A client asked for scopes that it has not: these.
    UngrantedScopes(String),
    /// A key that does not reach as far.
    Forbidden,
    /// A key that does not exist, or one of a kind that the caller may not see.
    UnknownKey,
    /// A user who does not exist, or not in a tailnet that the key opens.
    UnknownUser(String),
    /// Another thing that does not exist, or not in a tailnet that the key opens: what it is, and its id or name.
    Unknown(&'static str, String),
    /// There is one of these already: in words.
    Conflict(String),
    /// Another webhook tells the same address.
    UrlTaken,
    /// No operation has this path.
    UnknownPath,
    /// The path is known, with other methods: these.
    WrongMethod(Vec<Method>),
    /// A tailnet that does not exist or that the key does not open.
    UnknownTailnet(String),
    /// A device that does not exist, or one of a tailnet the key does not open.
    UnknownDevice(String),
    /// A device to delete that the key's tailnets do not own.
    ForeignDevice,
    /// A device to change that was shared in.
    UnmanageableDevice,
    /// A body that is not UTF-8, not JSON or not of the shape that the call takes; a query that lacks what it needs.
    BadRequest(String),
    /// A value that the service does not take: no prefix, address or domain name, a name or address in use, a tag without owner.
    BadEntry(String),
    /// A policy that the service does not accept, in its own words.
    InvalidPolicy(String),
    /// A policy whose tests do not hold: for each failing one its source and what went wrong.
    FailedTests {
        /// The service's own words.
        message: String,
        /// One entry for each failing test.
        data: Vec<Detail>,
    },
    /// The policy was changed since its ETag was read.
    StaleTag,
    /// MagicDNS without a nameserver.
    NoNameserver,
    /// The sandbox holds a policy that cannot be read; only a snapshot can bring one in.
    UnreadablePolicy(String),
}

impl Refusal {
    /// The status code. The service documents one of them: 501 for a device outside the caller's tailnet.
    pub fn status(&self) -> u16 {
        match self {
            Refusal::BadCredentials(_) | Refusal::WrongKey | Refusal::BadToken => 401,
            Refusal::Forbidden | Refusal::UngrantedScopes(_) | Refusal::Unauthorized => 403,
            Refusal::UnknownKey | Refusal::UnknownUser(_) | Refusal::Unknown(..) => 404,
            Refusal::UnknownPath
            | Refusal::UnknownTailnet(_)
            | Refusal::UnknownDevice(_)
            | Refusal::UnmanageableDevice => 404,
            Refusal::WrongMethod(_) => 405,
            Refusal::ForeignDevice => 501,
            Refusal::BadRequest(_)
            | Refusal::BadEntry(_)
            | Refusal::InvalidPolicy(_)
            | Refusal::FailedTests { .. }
            | Refusal::NoNameserver => 400,
            Refusal::Conflict(_) => 409,
            Refusal::StaleTag => 412,
            Refusal::UnreadablePolicy(_) | Refusal::UrlTaken => 500,
        }
    }

    /// The human-readable `message` of the body.
    pub fn message(&self) -> String {
        match self {
            Refusal::BadCredentials(fault) => fault.to_string(),
            Refusal::WrongKey => "the API key is not valid".to_owned(),
            Refusal::BadToken => "API token invalid".to_owned(),
            Refusal::Unauthorized => "Unauthorized".to_owned(),
            Refusal::UngrantedScopes(scopes) => {
                format!("OAuth client cannot grant scopes \"{scopes}\"")
            }
            Refusal::Forbidden => {
                "calling actor does not have enough permissions to perform this function".to_owned()
            }
            Refusal::UnknownKey => "key not found".to_owned(),
            Refusal::UnknownUser(id) => format!("user `{id}` not found"),
            Refusal::Unknown(what, id) => format!("{what} `{id}` not found"),
            Refusal::UrlTaken => "another webhook has this URL".to_owned(),
            Refusal::UnknownPath => "no such path".to_owned(),
            Refusal::WrongMethod(known) => {
                format!("method not allowed: this path takes {}", listed(known))
            }
            Refusal::UnknownTailnet(name) => format!("tailnet `{name}` not found"),
            Refusal::UnknownDevice(id) => format!("device `{id}` not found"),
            Refusal::ForeignDevice => "cannot delete devices outside of your tailnet".to_owned(),
            Refusal::UnmanageableDevice => {
                "no manageable device matching this ID found".to_owned()
            }
            Refusal::StaleTag => "precondition failed: the policy is not the one that `If-Match` names; read it again".to_owned(),
            Refusal::NoNameserver => "need at least one nameserver to enable MagicDNS".to_owned(),
            Refusal::BadRequest(reason)
            | Refusal::BadEntry(reason)
            | Refusal::InvalidPolicy(reason)
            | Refusal::Conflict(reason)
            | Refusal::UnreadablePolicy(reason) => reason.clone(),
            Refusal::FailedTests { message, .. } => message.clone(),
        }
    }

    /// Tags that may not be given, in the service's words.
    pub(super) fn tags(refused: &[&str]) -> Refusal {
        let listed = refused.join(" ");
        Refusal::BadEntry(format!(
            "requested tags [{listed}] are invalid or not permitted"
        ))
    }

    /// The whole answer: `{message}`, with `data` where tests failed, and the header that the status calls for.
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

impl From<api::Error> for Refusal {
    fn from(error: api::Error) -> Refusal {
        Refusal::BadRequest(error.to_string())
    }
}

fn listed(methods: &[Method]) -> String {
    let names: Vec<&str> = methods.iter().map(|method| method.as_str()).collect();
    names.join(", ")
}
