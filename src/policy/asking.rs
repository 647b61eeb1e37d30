//! A question about a flow or a login, once its names are known.
//! Must not live here: what the names mean (`resolve`), the answers.

use super::language::port_set::PortSet;
use super::language::ports::{PortRange, Ports};
use super::question::Flow;
use super::relation::endpoints::Endpoints;
use super::relation::reading::Reading;
use super::tailnet::endpoint::Endpoint;
use super::tailnet::flow::Judge;
use super::tailnet::next_hop::Given;
use super::tailnet::party::Side;

/// A question whose names are known.
pub(super) struct Asking<'a, 'p> {
    /// The policy with its context.
    pub judge: &'a Judge<'p>,
    /// What is asked.
    pub flow: &'a Flow,
    /// The posture attributes of the source.
    pub given: Given<'a>,
    /// The endpoints of both sides.
    pub endpoints: (&'a [Endpoint<'a>], &'a [Endpoint<'a>]),
    /// Whether it is about the source's own devices.
    pub is_own: bool,
}

impl<'a> Asking<'a, '_> {
    /// The traffic of the question.
    pub fn wanted(&self) -> PortSet {
        let port = PortRange {
            first: self.flow.port,
            last: self.flow.port,
        };
        PortSet::just(&[self.flow.protocol], &Ports::One(port))
    }

    /// The endpoints of both sides.
    pub fn endpoints<'r>(&self, reading: &Reading<'r>) -> [Endpoints<'r>; 2]
    where
        'a: 'r,
    {
        let (from, to) = self.endpoints;
        let mut both = [
            Endpoints::new(reading, Side::Source, from),
            Endpoints::new(reading, Side::Destination, to),
        ];
        for side in &mut both {
            side.atoms.by_owner = self.is_own;
        }
        both
    }
}
