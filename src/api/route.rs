//! Paths: from a row's template to a path and back, for client and server.
//! Must not live here: which operations there are (`operation`), bodies, headers, answers.
use super::message::Method;
use super::place::{PathStyle, Scope, Slot, TAILNET_SEGMENT};
use super::uri;
use crate::tables::find;

/// The method and path of one row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path; a segment that begins with `:` stands for a device, a tailnet or a thing with a name.
    pub template: &'static str,
}

/// A segment of a template, and how an older client of the service writes it.
const SERVICES: (&str, &str) = ("services", "vip-services");

impl Route {
    /// The path for this device, tailnet or thing, percent-encoded.
    ///
    /// The kind of scope is not compared with the template: call types pair them.
    pub fn path(self, scope: &Scope, style: PathStyle) -> String {
        let mut path = String::new();
        for segment in segments(self.template) {
            path.push('/');
            match (segment, Slot::of(segment)) {
                (TAILNET_SEGMENT, _) => path.push_str(style.segment()),
                (_, Some(slot)) => uri::encode_into(&mut path, scope.fill(slot)),
                (word, None) => path.push_str(word),
            }
        }
        path
    }

    /// The names of the variable segments, in order.
    pub fn slots(self) -> impl Iterator<Item = &'static str> {
        segments(self.template).filter(|segment| segment.starts_with(':'))
    }

    /// The scope of a path, if it fits the template.
    pub(super) fn scope(self, path: &str) -> Option<Scope> {
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
#[non_exhaustive]
pub enum NoRoute {
    /// No operation has this path.
    UnknownPath,
    /// The path is known, with these methods only.
    MethodNotAllowed(Vec<Method>),
}
