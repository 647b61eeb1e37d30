//! A policy in its network, with its rules sorted by what they name: what every question about access starts from.
//! Must not live here: what rules open to whom (relation/), packet filters, ssh, words.

use super::about::About;
use super::context::PolicyContext;
use super::endpoint::Endpoint;
use super::identity::Answer;
use super::network::Network;
use super::party::Side;
use crate::policy::language::document::Policy;

/// One policy in one context.
pub struct Judge<'p> {
    /// The policy with its context.
    pub network: Network<'p>,
    /// The rules by what they name.
    pub about: About<'p>,
    /// Whether some rule has `via`.
    pub has_via: bool,
}

/// One side of a question: its endpoints, and which selectors include any of them.
pub struct Ends<'a> {
    /// The endpoints.
    pub list: Vec<Endpoint<'a>>,
    /// The best answer of any endpoint for each selector, by its index.
    best: Vec<Answer>,
}

impl Ends<'_> {
    /// The best answer of a selector, by its index, for any of the endpoints.
    pub fn best(&self, selector: usize) -> Answer {
        self.best.get(selector).copied().unwrap_or_default()
    }
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
        }
    }

    /// The policy that is judged.
    pub fn policy(&self) -> &'p Policy<'p> {
        self.network.policy
    }

    /// Prepares endpoints for questions.
    #[inline(never)]
    pub fn ends<'a>(&self, side: Side, list: Vec<Endpoint<'a>>) -> Ends<'a> {
        let named = match side {
            Side::Source => &self.about.sources,
            Side::Destination => &self.about.destinations,
        };
        let mut best = vec![Answer::No; named.selectors.len()];
        for end in &list {
            for (selector, answer) in named.takers(&self.network, end) {
                if let Some(best) = best.get_mut(selector) {
                    *best = answer.max(*best);
                }
            }
        }
        Ends { list, best }
    }
}
