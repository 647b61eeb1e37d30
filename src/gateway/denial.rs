//! Why a request gets no answer of the service, with status and words. Must not live here: when that is so.

use crate::api::NoRoute;

/// Longest body that is passed on, in bytes.
pub const MAX_BODY: usize = 4 << 20;

/// Why the service does not answer a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Denial {
    /// `authorize` said no, or there is none.
    Unauthorized,
    /// The operation is not allowed.
    Operation,
    /// Another tailnet than the gateway's.
    Tailnet,
    /// A page of another origin would change something.
    Origin,
    /// No operation has this path.
    UnknownPath,
    /// The path has other methods: these.
    WrongMethod(String),
    /// The tailnet has nothing of this kind with that id.
    UnknownMember,
    /// The body is longer than [`MAX_BODY`].
    TooLarge,
    /// The service gave no answer that can be passed on.
    Unreachable,
    /// The gateway itself failed: its options, its `authorize`, its key.
    Failed,
    /// `authorize` took too long.
    Late,
}

impl Denial {
    pub(super) fn status(&self) -> u16 {
        match self {
            Denial::Unauthorized => 401,
            Denial::Operation | Denial::Tailnet | Denial::Origin => 403,
            Denial::UnknownPath | Denial::UnknownMember => 404,
            Denial::WrongMethod(_) => 405,
            Denial::TooLarge => 413,
            Denial::Unreachable => 502,
            Denial::Failed => 500,
            Denial::Late => 503,
        }
    }

    pub(super) fn message(&self) -> String {
        match self {
            Denial::Unauthorized => "you are not authorized".to_owned(),
            Denial::Operation => "this operation is not let through".to_owned(),
            Denial::Tailnet => "this tailnet is not let through".to_owned(),
            Denial::Origin => "pages of this origin may not change anything".to_owned(),
            Denial::UnknownPath => "no such path".to_owned(),
            Denial::WrongMethod(allowed) => {
                format!("method not allowed: this path takes {allowed}")
            }
            Denial::UnknownMember => "the tailnet has nothing with this id".to_owned(),
            Denial::TooLarge => format!("the body is longer than {MAX_BODY} bytes"),
            Denial::Unreachable => "the service gave no usable answer".to_owned(),
            Denial::Failed => "the gateway failed".to_owned(),
            Denial::Late => "it took too long to find out who you are".to_owned(),
        }
    }
}

impl From<NoRoute> for Denial {
    fn from(none: NoRoute) -> Denial {
        match none {
            NoRoute::UnknownPath => Denial::UnknownPath,
            NoRoute::MethodNotAllowed(known) => {
                let names: Vec<&str> = known.iter().map(|method| method.as_str()).collect();
                Denial::WrongMethod(names.join(", "))
            }
        }
    }
}
