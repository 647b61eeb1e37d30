//! Law: what is gained one way is lost the other way, with what is known of a network and by the texts alone.
//! Must not live here: whether it is so (mod.rs).

use serde_json::Value;
use tailnet_kit::policy::PolicyContext;

use super::reported::{Turn, items};
use super::{differences, seeds};
use crate::case::{Case, Fault, Found, Law};
use crate::oracle::document::texts;
use crate::random::unknown::member;

/// What is said, in a form that does not depend on the order of the two documents: with postures by name, and by their conditions.
fn turned(answer: &Value, turn: &dyn Fn(Turn) -> Turn, documents: [&Case; 2]) -> Vec<[String; 2]> {
    let by_name = |_, name: &String| name.clone();
    let by_conditions = |at: usize, name: &String| {
        let own = |case: &Case| {
            let postures = case.policy().get(member(case.policy(), "postures"));
            let mut conditions = texts(Some(postures?.get(name)?));
            conditions.sort_unstable();
            conditions.dedup();
            Some(conditions)
        };
        let conditions = own(documents[at]).or_else(|| own(documents[1 - at]));
        format!("{conditions:?}")
    };
    let items = items(answer).into_iter();
    let forms = items.map(|it| [it.turned(turn, &by_name), it.turned(turn, &by_conditions)]);
    forms.collect()
}

/// What has no counterpart among others: where two documents have two names for one posture, each order of them may tell another.
fn alone<'l>(one: &'l [[String; 2]], others: &[[String; 2]]) -> Option<&'l String> {
    let [said, _] = one.iter().find(|[name, conditions]| {
        let mut others = others.iter();
        !others.any(|[other, same]| other == name || same == conditions)
    })?;
    Some(said)
}

/// What is gained one way is lost the other way; what is undecided or checked stays so.
pub fn judge_symmetry(case: &Case, _: &[u64]) -> Found {
    let later = case.later();
    if later.refusal().is_some() || case.refusal().is_some() {
        return Ok(0);
    }
    let nothing = PolicyContext::default();
    // Of two networks, it is the later one whose users and tags name the devices.
    let is_one = case.tailnet() == later.tailnet();
    let known = is_one.then_some([&case.context, &case.context]);
    for contexts in known.into_iter().chain([[&nothing, &nothing]]) {
        let there = differences(case, &later, contexts);
        let back = differences(&later, case, [contexts[1], contexts[0]]);
        for (there, answer) in there.iter().zip(&back) {
            let there = turned(there, &|turn| turn, [case, &later]);
            let back = |turn| match turn {
                Turn::Gained => Turn::Lost,
                Turn::Lost => Turn::Gained,
                turn => turn,
            };
            let back = turned(answer, &back, [&later, case]);
            let alone = [alone(&there, &back), alone(&back, &there)];
            if alone != [None, None] || there.len() != back.len() {
                let [there, back] = alone;
                let says = format!("not symmetric: there alone {there:?}; back alone {back:?}");
                return Err(Fault::new(0, says));
            }
        }
    }
    Ok(1)
}

#[test]
fn what_is_gained_one_way_is_lost_the_other_way() {
    Law {
        name: "relation symmetry",
        share: 8,
        draw: seeds,
        judge: judge_symmetry,
    }
    .holds_for(Case::of_unknown);
}
