//! What the server refuses, in the form of each release (docs/headscale-api.md). Must not live here: when it does.

use serde_json::{Map, Value, json};

use crate::api::headscale::Release;
use crate::api::{Method, NoRoute, Response, headers};

/// What is wrong, as far as the status hangs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No key, or one that does not count.
    Unauthorized,
    /// No such path.
    NoPath,
    /// A path that does not take this method.
    NoMethod,
    /// A thing that is not there.
    NotFound,
    /// The same where releases before 0.30 say so by the status too.
    Missing,
    /// A name that is taken.
    Conflict,
    /// Something that no release takes.
    Bad,
    /// The same where releases before 0.30 say that the server failed.
    Failed,
    /// Something for which every release says that the server failed.
    Broken,
    /// A body without the members that it should have.
    Malformed,
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    kind: Kind,
    /// What the server was doing; may be empty.
    doing: &'static str,
    reason: String,
    /// Where in the body.
    location: Option<String>,
    /// The methods that the path takes.
    allowed: Vec<Method>,
}

/// What releases before 0.30 call otherwise: what the server was doing.
const EARLIER: [(&str, &str); 1] = [("creating user", "failed to create user")];

const PROBLEM: &str = "application/problem+json";

impl Refusal {
    pub fn new(kind: Kind, reason: impl Into<String>) -> Refusal {
        Refusal {
            kind,
            doing: "",
            reason: reason.into(),
            location: None,
            allowed: Vec::new(),
        }
    }

    pub fn not_found(reason: impl Into<String>) -> Refusal {
        Refusal::new(Kind::NotFound, reason)
    }

    pub fn bad(reason: impl Into<String>) -> Refusal {
        Refusal::new(Kind::Bad, reason)
    }

    pub fn failed(reason: impl Into<String>) -> Refusal {
        Refusal::new(Kind::Failed, reason)
    }

    /// The same with what the server was doing.
    pub fn while_doing(mut self, doing: &'static str) -> Refusal {
        self.doing = doing;
        self
    }

    /// The same with a place in the body.
    pub fn at(mut self, location: String) -> Refusal {
        self.location = Some(location);
        self
    }

    /// The answer in the form of this release: `application/problem+json` of 0.30, the JSON of gRPC before.
    pub fn answer(&self, release: Release) -> Response {
        let mut response = match release {
            Release::V30 => self.problem(),
            Release::V28 | Release::V29 => self.grpc(),
        };
        if !self.allowed.is_empty() {
            let names: Vec<&str> = self.allowed.iter().map(|method| method.as_str()).collect();
            response.headers.set(headers::ALLOW, names.join(", "));
        }
        response
    }

    fn problem(&self) -> Response {
        let (status, title) = match self.kind {
            Kind::Bad | Kind::Failed => (400, "Bad Request"),
            Kind::Unauthorized => (401, "Unauthorized"),
            Kind::NotFound | Kind::Missing | Kind::NoPath => (404, "Not Found"),
            Kind::NoMethod => (405, "Method Not Allowed"),
            Kind::Conflict => (409, "Conflict"),
            Kind::Malformed => (422, "Unprocessable Entity"),
            Kind::Broken => (500, "Internal Server Error"),
        };
        let mut body = json!({"title": title, "status": status, "detail": self.reason});
        if let (false, Value::Object(members)) = (self.doing.is_empty(), &mut body) {
            members.insert("detail".to_owned(), self.doing.into());
            let mut error = Map::new();
            error.insert("message".to_owned(), self.reason.clone().into());
            if let Some(location) = &self.location {
                error.insert("location".to_owned(), location.clone().into());
            }
            members.insert("errors".to_owned(), json!([error]));
        }
        Response::with_body(status, PROBLEM, body.to_string().into_bytes())
    }

    /// Most of what releases before 0.30 refuse has status 500 and the number 2, "unknown".
    fn grpc(&self) -> Response {
        let (status, number) = match self.kind {
            Kind::Unauthorized => {
                let text = b"Unauthorized".to_vec();
                return Response::with_body(401, "text/plain; charset=utf-8", text);
            }
            Kind::Missing | Kind::NoPath => (404, 5),
            Kind::NoMethod => (501, 12),
            Kind::Bad | Kind::Malformed => (400, 3),
            Kind::NotFound | Kind::Conflict | Kind::Failed | Kind::Broken => (500, 2),
        };
        let earlier = EARLIER.iter().find(|(later, _)| *later == self.doing);
        let doing = earlier.map_or(self.doing, |(_, earlier)| earlier);
        let message = match doing {
            "" => self.reason.clone(),
            doing => format!("{doing}: {}", self.reason),
        };
        Response::json(
            status,
            &json!({"code": number, "message": message, "details": []}),
        )
    }
}

impl From<NoRoute> for Refusal {
    fn from(none: NoRoute) -> Refusal {
        match none {
            NoRoute::UnknownPath => Refusal::new(Kind::NoPath, "Not Found"),
            NoRoute::MethodNotAllowed(allowed) => Refusal {
                allowed,
                ..Refusal::new(Kind::NoMethod, "Method Not Allowed")
            },
        }
    }
}
