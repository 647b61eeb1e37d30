//! Every answer that the specification leaves open, chosen once.
//!
//! Lives here: status codes and messages of all refusals, and the values that stand in for absent ones. The choices follow what
//! existing clients need to go on working. Must not live here: the decision whether a request is refused.
//!
//! | open in the specification | chosen |
//! |---|---|
//! | status of success | 200 for all, DELETE included: several clients accept nothing else |
//! | body of `GET dns/searchpaths` | `{searchPaths: [...]}`, as its POST answers |
//! | success body of DELETE | empty, no Content-Type |
//! | status of every refusal | [`Refusal::status`] |
//! | whether the label of a body matters | never: the body is judged, whatever its Content-Type |
//! | an empty list as `null` | read as empty, written as `[]` |
//! | unknown query parameters | ignored; a preview sent to the ACL's own path replaces the ACL |
//! | `nodeId` of a device | its id where it has none; paths take either |
//! | fields a device lacks | present in each answer: empty text, empty list, false, [`NO_TIME`] |
//! | prefixes of routes | valid CIDR without host bits, kept and answered as they were sent |
//! | nameservers | IP addresses, kept and answered as they were sent |
//! | search paths | domain names, kept and answered as they were sent |
//! | ETag | strong, SHA-256 of the text in canonical layout; both formats of a policy share it |
//! | `If-Match` | quoted, bare or quoted twice, a list, `*`; `ts-default` while the policy was never replaced |
//! | an unreadable `Accept` | answered as if it were absent: HuJSON |
//! | credentials | Basic with the key as user name, and `Bearer` |
//! | whose devices a key may touch | those of the tailnets it was made for; `-` names the first of them |
//! | shared devices | their own network's: readable where they are listed, never deleted |
//! | tests of a policy in a tailnet without devices | decided as far as the text alone decides them |
//! | a preview of a policy that would be refused | refused, with the same message |
//! | `POST acl/validate` | 200; `warning(s) found` for groups of an identity provider that are not there, for nothing else |
//! | `via` and `postures` of a preview | where a rule has them; `defaultSrcPosture` counts as the rule's own |
//! | a filter of the device list that is not known | ignored, as other parameters |
//! | changing a shared device | 404, in the service's words for tags |
//! | name of a device | one label of the tailnet's domain, in the service's spelling; free at once after a deletion |
//! | expiring a key whose expiry is disabled | the time is kept, for when it is enabled again |
//! | address of a device | any free one in 100.64.0.0/10 |
//! | an attribute that is deleted twice | gone, 200 |
//! | `connectedToControl` of a device that does not say | false |
//! | a list of keys without `all=true` | a person's own, the OAuth clients or the federated identities; to the sandbox's key those that no person made |
//! | a deleted key | 404 from then on; one that has ended is listed as invalid |
//! | the rights of users | not looked at: keys and tokens are the tailnet's own |
//! | giving a user the role they have | nothing changes, 200 |
//! | who owns devices and is not listed | a user with the role of a member |
//! | a single-use key that was used | listed as invalid |
//! | `user` of a device that joined by a key of the tailnet | empty |
//! | settings of which one may not be changed | none is |
//! | an empty address of a contact | 400 |
//! | settings that were never changed | off, none, 180 days |
//! | old DNS calls and `useWithExitNode` | it is lost of nameservers that they replace |
//! | who the sandbox's own key acts for, where somebody is named | the owner of the tailnet |
//! | addresses of webhooks | https, or http on a loopback host, so that a test can listen; any port there |
//! | what a webhook is told of itself | `webhookUpdated` after a change or another secret, `webhookDeleted` in the end |
//! | which secret signs after a rotation | the new one alone |
//! | a delivery that fails | is not repeated |
//! | addresses of a new service | the IPv4 address that was asked for or the next that is free, and an IPv6 address that goes with it |
//! | a service that would be renamed and is not there | 404 |
//! | a device that does not answer for a service | not approved; approving it writes it down |
//! | what the log of changes calls them | type of the target, a dot, its property or the action: `NODE.ACL_TAGS`, `USER.DELETE` |
//! | what changes nothing | is not logged, and nobody is told |
//! | how much is logged | 90 days, 500 entries and 256 KiB of policies at most |
//! | traffic in the log | what a snapshot brings, by the time at which it was logged; 30 days |
//! | another provider for a posture integration | 400 |
//! | what comes of a posture integration | nothing: nobody is asked |
//! | a user's own token | one of their keys, of the kind `api`; ends with it, and is refused while they are suspended |
//! | acting on oneself by a token of one's own | 400 |
//! | the signature of a token that is exchanged | not looked at, as its issuer is not asked |
//! | MagicDNS in a snapshot without nameservers | off |

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
    /// The status code. The specification gives one of them: 501 for a device outside the caller's tailnet.
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
