//! What is looked up of an operation by name or path, and the trait of calls: what a client or server knows of each. Must not live here: the list of
//! operations (`mod`), the rows, which stand beside the types of their bodies, and their form (`table`).
use std::fmt;

use super::each_operation;
use super::error::Error;
use super::message::{Method, Request, Response};
use super::payload::Answer;
use super::place::{PathStyle, Scope};
use super::retry::{Effect, Rule};
use super::route::{NoRoute, Route};
use super::row::{Logged, Right, Row, Words};
use super::services::VipService;
use super::shape::{Form, Shape};

/// A call: its row of the table, and how it and its answer are written and read. The client uses one half, a server the other.
pub trait Endpoint: Sized {
    /// Its name in the list.
    const OPERATION: Operation;
    /// What is looked up of its row together.
    const ROW: Row;
    /// The right that it needs.
    const RIGHT: Right;
    /// What the log of changes says of it; by default it is not logged.
    const LOGGED: Option<Logged> = None;
    /// Its documentation, for the files that are made of the rows.
    const WORDS: Words;
    /// What is checked of what it sends. By default it sends nothing.
    const FORM: Form = Form::Nothing;
    /// What is checked of a success.
    const SHAPE: Shape = <Self::Output as Answer>::SHAPE;
    /// What a success carries.
    type Output: Answer;

    /// The tailnet, device or other thing that the call concerns.
    fn scope(&self) -> Scope;

    /// Adds what is sent to a request.
    fn write(&self, _: &mut Request) {}

    /// The request, without base URL and credentials.
    fn to_request(&self, style: PathStyle) -> Request {
        let operation = Self::OPERATION;
        let path = operation.path(&self.scope(), style);
        let mut request = Request::new(operation.route().method, path);
        self.write(&mut request);
        request
    }

    /// After which failures the call may be repeated. By default, the rule of its operation.
    fn rule(&self) -> Rule {
        Self::OPERATION.rule()
    }

    /// Reads a success.
    ///
    /// # Errors
    /// [`Error::Malformed`] where the body is not what was promised.
    fn output(response: &Response) -> Result<Self::Output, Error> {
        Answer::read(response)
    }

    /// Reads a request that the table has matched.
    ///
    /// # Errors
    /// [`Error::Argument`] names the member that is missing or wrong. Content types are ignored.
    fn from_request(scope: Scope, request: &Request) -> Result<Self, Error>;

    /// Writes a success.
    fn respond(output: &Self::Output) -> Response {
        Answer::write(output)
    }
}

/// The endpoint where OAuth clients get access tokens. It is not an operation, as it takes no key and follows other rules.
pub const TOKEN_PATH: &str = "/api/v2/oauth/token";

/// The endpoint where federated identities get access tokens, in exchange for a token of their issuer.
pub const TOKEN_EXCHANGE_PATH: &str = "/api/v2/oauth/token-exchange";

macro_rules! listed {
    ($($name:ident,)+) => {
        /// Every operation of the service.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Operation {
            $(#[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ").")] $name,)+
        }

        impl Operation {
            /// All operations, by namespace.
            pub const ALL: [Operation; [$(stringify!($name)),+].len()] = [$(Operation::$name),+];

            #[inline(never)] // Otherwise a loop over the operations would hold one copy of it for each.
            fn row(self) -> Row {
                match self {
                    $(Operation::$name => super::$name::ROW,)+
                }
            }

            /// What its request carries beside the path.
            pub fn form(self) -> Form {
                match self {
                    $(Operation::$name => super::$name::FORM,)+
                }
            }

            /// What is checked of its success.
            pub fn shape(self) -> Shape {
                match self {
                    $(Operation::$name => super::$name::SHAPE,)+
                }
            }

            /// The right that it needs.
            pub fn right(self) -> Right {
                match self {
                    $(Operation::$name => super::$name::RIGHT,)+
                }
            }

            /// What the log of changes says of it; none for one that is not logged.
            pub fn logged(self) -> Option<Logged> {
                match self {
                    $(Operation::$name => super::$name::LOGGED,)+
                }
            }

            /// Its documentation.
            pub fn words(self) -> Words {
                match self {
                    $(Operation::$name => super::$name::WORDS,)+
                }
            }

            /// An exchange, read with the types of the row and written again: what these do not know is lost.
            ///
            /// # Errors
            /// Those of [`Endpoint::from_request`] and [`Endpoint::output`].
            pub fn relay(self, style: PathStyle, scope: Scope, exchange: (&Request, &Response)) -> Result<(Request, Response), Error> {
                match self {
                    $(Operation::$name => relayed::<super::$name>(style, scope, exchange),)+
                }
            }
        }
    };
}
each_operation!(listed);

impl Operation {
    /// Method and path.
    pub fn route(self) -> Route {
        self.row().route
    }

    /// Its path for this device, tailnet or thing.
    pub fn path(self, scope: &Scope, style: PathStyle) -> String {
        self.route().path(scope, style)
    }

    /// The name in JavaScript: the client's namespace and verb, `devices.list`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The effect of the operation.
    pub fn effect(self) -> Effect {
        self.row().effect
    }

    /// After which failures it may be repeated.
    pub fn rule(self) -> Rule {
        Rule::of(self.effect())
    }

    /// The rule of any request, whether it is one of the operations or not.
    pub fn rule_of(request: &Request) -> Rule {
        match Operation::find(request.method, request.path()) {
            Ok((Operation::SetService, scope)) => {
                let rule = VipService::rule_of(&scope, &request.body);
                rule.unwrap_or(Rule::RateLimitOnly)
            }
            Ok((operation, _)) => operation.rule(),
            Err(_) if request.method.is_safe() => Rule::Transient,
            Err(_) => Rule::RateLimitOnly,
        }
    }

    /// The operation of that JavaScript name.
    pub fn by_name(name: &str) -> Option<Operation> {
        Operation::ALL
            .into_iter()
            .find(|operation| operation.name() == name)
    }

    /// The operation of a method and a percent-encoded path, and its scope.
    /// Both path forms are known.
    ///
    /// # Errors
    /// [`NoRoute::UnknownPath`], or [`NoRoute::MethodNotAllowed`] with the methods that the path allows.
    pub fn find(method: Method, path: &str) -> Result<(Operation, Scope), NoRoute> {
        let mut allowed = Vec::new();
        for operation in Operation::ALL {
            let route = operation.route();
            let Some(scope) = route.scope(path) else {
                continue;
            };
            if route.method == method {
                return Ok((operation, scope));
            }
            allowed.push(route.method);
        }
        Err(if allowed.is_empty() {
            NoRoute::UnknownPath
        } else {
            NoRoute::MethodNotAllowed(allowed)
        })
    }
}

fn relayed<E: Endpoint>(
    style: PathStyle,
    scope: Scope,
    (request, response): (&Request, &Response),
) -> Result<(Request, Response), Error> {
    let call = E::from_request(scope, request)?;
    let output = E::output(response)?;
    Ok((call.to_request(style), E::respond(&output)))
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
