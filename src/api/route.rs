//! Paths: from an operation to its path and back, for client and server.
//! Must not live here: the table of operations (`operation`), bodies, headers, answers.
use std::fmt;

use super::message::Method;
use super::operation::{Operation, Route};
use super::place::{PathStyle, Scope, Slot, TAILNET_SEGMENT};
use super::uri;
use crate::tables::find;

/// A segment of a template, and how an older client of the service writes it.
const SERVICES: (&str, &str) = ("services", "vip-services");

impl Operation {
    /// The operation of that JavaScript name.
    pub fn by_name(name: &str) -> Option<Operation> {
        Operation::ALL
            .into_iter()
            .find(|operation| operation.name() == name)
    }

    /// The path of the operation for this device, tailnet or thing, percent-encoded.
    ///
    /// The kind of scope is not compared with the template: call types pair them.
    pub fn path(self, scope: &Scope, style: PathStyle) -> String {
        let mut path = String::new();
        for segment in segments(self.route().template) {
            path.push('/');
            match (segment, Slot::of(segment)) {
                (TAILNET_SEGMENT, _) => path.push_str(style.segment()),
                (_, Some(slot)) => uri::encode_into(&mut path, scope.fill(slot)),
                (word, None) => path.push_str(word),
            }
        }
        path
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

impl Route {
    /// The names of the variable segments, in order.
    pub fn slots(self) -> impl Iterator<Item = &'static str> {
        segments(self.template).filter(|segment| segment.starts_with(':'))
    }

    /// The scope of a path, if it fits the template.
    fn scope(self, path: &str) -> Option<Scope> {
        let mut scope = Scope::default();
        let mut given = segments(path);
        for segment in segments(self.template) {
            let found = given.next()?;
            match Slot::of(segment) {
                Some(slot) => scope = scope.and(slot.filled("path", uri::decode(found)?).ok()?),
                None if segment == TAILNET_SEGMENT && PathStyle::is_segment(found) => {}
                None if segment == found || (segment, found) == SERVICES => {}
                None => return None,
            }
        }
        given.next().is_none().then_some(scope)
    }
}

/// The parts between the slashes of an absolute path.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    find::split(path.strip_prefix('/').unwrap_or(path), b'/')
}

/// Why a method and a path name no operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoRoute {
    /// No operation has this path.
    UnknownPath,
    /// The path is known, with these methods only.
    MethodNotAllowed(Vec<Method>),
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
