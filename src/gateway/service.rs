//! Whose operations a gateway knows, and how that service wants its key. Must not live here: which of them are let through (`allow`).

use crate::api::headscale::{self, OPENAPI_PATH, SWAGGER_PATH};
use crate::api::{ApiKey, DeviceFilter, Effect, Error, Method, NoRoute, Operation, Scope};

/// The parameters of the operations of `/api/v2`.
const PARAMETERS: [&str; 12] = [
    "actor",
    "all",
    "details",
    "end",
    "event",
    "fields",
    "previewFor",
    "role",
    "start",
    "target",
    "type",
    "user",
];

/// The same of Headscale's own.
const HEADSCALE_PARAMETERS: [&str; 5] = ["email", "id", "key", "name", "user"];

/// The service behind a gateway.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Service {
    /// The one of `/api/v2`.
    #[default]
    Tailscale,
    /// Headscale: its own `/api/v1`, and `/api/v2` of 0.30.
    Headscale,
}

/// What a request asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// An operation of `/api/v2`.
    Tailnet(Operation),
    /// One of Headscale's own API.
    Headscale(headscale::Operation),
    /// Which release of Headscale answers: the description of its API. Part of `health`, and let through whatever is allowed, as clients must know.
    Release,
}

/// What a path asks for, and the names in it.
pub(super) enum Found {
    Tailnet(Operation, Scope),
    Headscale(headscale::Operation, Vec<String>),
    Release(&'static str),
}

impl Asked {
    /// The name in JavaScript, `devices.list`.
    pub fn name(self) -> &'static str {
        match self {
            Asked::Tailnet(operation) => operation.name(),
            Asked::Headscale(operation) => operation.row().name,
            Asked::Release => headscale::Operation::Health.row().name,
        }
    }

    /// The effect of the operation.
    pub fn effect(self) -> Effect {
        match self {
            Asked::Tailnet(operation) => operation.effect(),
            Asked::Headscale(operation) => operation.row().effect,
            Asked::Release => Effect::Read,
        }
    }

    /// Whether a parameter of this name is passed on.
    pub(super) fn takes(self, name: &str) -> bool {
        match self {
            Asked::Tailnet(_) => PARAMETERS.contains(&name) || DeviceFilter::kind(name).is_some(),
            Asked::Headscale(_) => HEADSCALE_PARAMETERS.contains(&name),
            Asked::Release => false,
        }
    }
}

impl From<Operation> for Asked {
    fn from(operation: Operation) -> Asked {
        Asked::Tailnet(operation)
    }
}

impl Found {
    pub(super) fn asked(&self) -> Asked {
        match self {
            Found::Tailnet(operation, _) => Asked::Tailnet(*operation),
            Found::Headscale(operation, _) => Asked::Headscale(*operation),
            Found::Release(_) => Asked::Release,
        }
    }
}

impl Service {
    /// The service of this name.
    ///
    /// # Errors
    /// [`Error::Argument`] naming the option, for any other text.
    pub(super) fn read(name: Option<&str>) -> Result<Service, Error> {
        match name {
            None | Some("tailscale") => Ok(Service::Tailscale),
            Some("headscale") => Ok(Service::Headscale),
            Some(_) => Err(Error::argument(
                "service",
                "must be `tailscale` or `headscale`",
            )),
        }
    }

    /// The operations that may be allowed. Where both APIs of Headscale have one of a name, it stands for both.
    pub(super) fn operations(self) -> impl Iterator<Item = Asked> {
        let own = (self == Service::Headscale).then_some(headscale::Operation::ALL);
        let own = own.into_iter().flatten().map(Asked::Headscale);
        own.chain(Operation::ALL.into_iter().map(Asked::Tailnet))
    }

    /// What a method and a percent-encoded path ask for.
    pub(super) fn find(self, method: Method, path: &str) -> Result<Found, NoRoute> {
        let of_tailnet = || {
            Operation::find(method, path).map(|(operation, scope)| Found::Tailnet(operation, scope))
        };
        if self == Service::Tailscale {
            return of_tailnet();
        }
        if let Some(known) = [OPENAPI_PATH, SWAGGER_PATH]
            .into_iter()
            .find(|known| *known == path)
        {
            return match method {
                Method::Get => Ok(Found::Release(known)),
                _ => Err(NoRoute::MethodNotAllowed(vec![Method::Get])),
            };
        }
        match headscale::Operation::find(method, path) {
            Ok((operation, places)) => Ok(Found::Headscale(operation, places)),
            Err(NoRoute::UnknownPath) => of_tailnet(),
            Err(other) => Err(other),
        }
    }

    /// The value of `Authorization` for the key.
    pub(super) fn authorization(self, key: &ApiKey) -> String {
        match self {
            Service::Tailscale => key.to_basic(),
            Service::Headscale => key.to_bearer(),
        }
    }
}
