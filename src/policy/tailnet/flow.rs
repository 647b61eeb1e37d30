//! A document in its context, ready for questions: its rules by what they name.
//! Must not live here: what is reached (`relation`), packet filters, ssh, words.

use super::about::About;
use super::context::PolicyContext;
use super::device_names::DeviceNames;
use super::endpoint::Endpoint;
use super::identity::Answer;
use super::network::Network;
use super::party::Side;
use crate::policy::language::document::Policy;

/// Answers questions about one policy in one context: for many questions it is read once.
pub struct Judge<'p> {
    /// The policy with its context.
    pub(crate) network: Network<'p>,
    /// The rules by what they name.
    pub(crate) about: About<'p>,
    /// Whether some rule has `via`.
    pub(crate) has_via: bool,
    /// The devices by name.
    pub(crate) names: DeviceNames<'p>,
}

impl<'p> Judge<'p> {
    /// Sorts the rules of a policy.
    #[inline(never)]
    pub fn new(policy: &'p Policy<'p>, context: &'p PolicyContext) -> Judge<'p> {
        let network = Network::new(policy, context);
        let about = About::new(&network);
        let has_via = about.has_via();
        Judge {
            network,
            about,
            has_via,
            names: DeviceNames::of(context),
        }
    }

    /// The policy that is judged.
    pub fn policy(&self) -> &'p Policy<'p> {
        self.network.policy
    }

    /// The best answer of each selector of one side, by its index, for any of some endpoints.
    #[inline(never)]
    pub(crate) fn best(&self, side: Side, endpoints: &[Endpoint<'_>]) -> Vec<Answer> {
        let named = match side {
            Side::Source => &self.about.sources,
            Side::Destination => &self.about.destinations,
        };
        let mut best = vec![Answer::No; named.selectors.len()];
        for end in endpoints {
            for (selector, answer) in named.takers(&self.network, end) {
                if let Some(best) = best.get_mut(selector) {
                    *best = answer.max(*best);
                }
            }
        }
        best
    }
}
