//! Who forwards what a source sends to an address that no device has, by its postures.
//! Must not live here: what routes and `via` decide (tailnet/next_hop.rs), whether the packet is let in (reach.rs).

use super::postures::{fits, may_be_device};
use super::reach::Reach;
use crate::policy::language::rule::Rule;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::next_hop::{Given, NextHop};

impl<'a, 'p> Reach<'a, 'p> {
    /// The next hop of a source to an address that no device has.
    pub fn next_hop(&self, from: &Endpoint<'p>, to: &Endpoint<'p>) -> Option<NextHop> {
        let (network, about) = (self.reading.network, &self.reading.judge.about);
        let given = self.given_of(from);
        match self.given {
            Some(_) => Some(about.next_hop(network, from, to.address()?, given)),
            None => self.next_hop_given(from, to, given),
        }
    }

    /// The same for a source with these postures, where others are not known.
    pub fn next_hop_given(
        &self,
        from: &Endpoint<'p>,
        to: &Endpoint<'p>,
        given: Given<'_>,
    ) -> Option<NextHop> {
        let (network, about) = (self.reading.network, &self.reading.judge.about);
        let fits = |rule: &Rule<'p>| fits(network, from, given, rule);
        Some(about.next_hop_of(network, from, to.address()?, &fits))
    }

    /// Only devices have postures, whatever a question gives; a test gives them to its source.
    pub fn given_of(&self, from: &Endpoint<'_>) -> Given<'a> {
        if !self.as_a_whole && !may_be_device(from) {
            return Given::default();
        }
        Given {
            device: from.device.filter(|_| !self.as_a_whole),
            ..self.given.unwrap_or_default()
        }
    }
}
