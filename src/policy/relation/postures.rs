//! What is left of the conditions of a rule where the posture of its source is known: a posture that the source has is no
//! condition, and one that it lacks leaves nothing open.
//! Must not live here: the attributes of devices (tailnet/postures.rs), which rules need a posture (rows.rs).

use super::condition::{Conditions, Fact};
use super::ids::TermId;
use crate::policy::language::rule::Rule;
use crate::policy::tailnet::addresses::tailnet;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::next_hop::Given;

/// A term without the postures that a source has; none where it lacks one. What is not known stays a condition.
pub fn decided<'p>(
    (network, at): (&Network<'p>, usize),
    from: &Endpoint<'_>,
    given: Given<'_>,
    term: TermId,
    conditions: &mut Conditions<'p>,
) -> Option<TermId> {
    let mut named = Vec::with_capacity(given.postures.len());
    for posture in network.policy.postures.names() {
        if given.postures.contains(&posture) {
            named.push(conditions.posture(network.policy, posture, at));
        }
    }
    let term = conditions.without(term, &|id, _| named.contains(&id));
    let has = |fact: &Fact<'p>| match fact {
        Fact::Posture { conditions, .. } => match (given.attributes, given.device) {
            (Some(attributes), _) => {
                let mut all = conditions.iter().flatten();
                Answer::from(conditions.is_some() && all.all(|it| it.holds(attributes)))
            }
            (None, Some(device)) => network.attributes.meets(device, conditions.as_deref()),
            (None, None) if conditions.is_none() || !may_be_device(from) => Answer::No,
            (None, None) => Answer::Unknown,
        },
        Fact::Via(_) | Fact::Exit(_) | Fact::Presence(_) | Fact::Undecided(..) => Answer::Unknown,
    };
    if conditions.facts(term).any(|fact| has(fact) == Answer::No) {
        return None;
    }
    Some(conditions.without(term, &|_, fact| has(fact) == Answer::Yes))
}

/// Whether a source has one of the postures that a rule needs, if it needs any.
pub fn fits(
    network: &Network<'_>,
    from: &Endpoint<'_>,
    given: Given<'_>,
    rule: &Rule<'_>,
) -> Answer {
    let mut named = rule.postures.iter();
    if named.any(|word| given.postures.contains(&word.name())) {
        return Answer::Yes;
    }
    match (given.attributes, given.device) {
        (None, Some(device)) => network.attributes.has_posture(device, rule.postures),
        (None, None) if !rule.postures.is_empty() && may_be_device(from) => Answer::Unknown,
        (attributes, _) => network
            .policy
            .posture_holds(rule.postures, attributes)
            .into(),
    }
}

/// The postures of a reading that a term needs, by name.
pub fn supposed<'p>(conditions: &Conditions<'p>, term: TermId, at: usize) -> Vec<&'p str> {
    let names = conditions.facts(term).filter_map(|fact| match fact {
        Fact::Posture { names, .. } => names.get(at).copied().flatten(),
        _ => None,
    });
    names.collect()
}

/// Whether a source may be a device of the tailnet: only these have postures.
pub fn may_be_device(from: &Endpoint<'_>) -> bool {
    from.address()
        .is_none_or(|address| tailnet().contains(address))
}
